"""One profile's Sam and its background work: jobs, heartbeat, backup, alerts, status."""

from .assistant import Profile

__all__ = ["Profile"]
