"""The settings, the file `.env`, and lenient loading."""

from .database import engine_keeps
from .profiles import RemoteFolder, known_profiles, remote_of
from .settings import LOCAL, Settings, Supervisor, environment, load, supervisor

__all__ = [
    "LOCAL",
    "RemoteFolder",
    "Settings",
    "Supervisor",
    "engine_keeps",
    "environment",
    "known_profiles",
    "load",
    "remote_of",
    "supervisor",
]
