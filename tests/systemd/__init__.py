"""Test Sam as a service on a real systemd: `make systemd-test`."""
