"""Tests with real SQLite, files and SDKs; only the remote end of a connection is a fake."""
