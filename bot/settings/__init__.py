"""The settings, the file `.env`, and lenient loading."""

from .profiles import RemoteFolder, has_person, known_profiles, remote_of
from .settings import Settings, Supervisor, load, supervisor

__all__ = [
    "RemoteFolder",
    "Settings",
    "Supervisor",
    "has_person",
    "known_profiles",
    "load",
    "remote_of",
    "supervisor",
]
