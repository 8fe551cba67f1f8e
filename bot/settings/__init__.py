"""The settings, read once; the file `.env`; and how to go on with wrong ones."""

from .settings import Settings, Supervisor, load, supervisor

__all__ = ["Settings", "Supervisor", "load", "supervisor"]
