"""The assistant of one profile and its background work: jobs, heartbeat, backup, alerts, status."""

from .assistant import Assistant
