"""The settings, the file `.env`, and lenient loading."""

from .settings import Settings, Supervisor, load, supervisor

__all__ = ["Settings", "Supervisor", "load", "supervisor"]
