"""The composition root, the startup banner, and systemd's notifications."""

from .runtime import Sam, is_running, running, serve

__all__ = ["Sam", "is_running", "running", "serve"]
