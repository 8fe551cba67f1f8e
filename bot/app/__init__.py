"""The composition root and the life of the process: background work, banner, systemd."""

from .runtime import Sam, is_served, running, serve
