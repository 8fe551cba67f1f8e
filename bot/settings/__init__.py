"""The settings, the file `.env`, and lenient loading."""

from .profiles import RemoteFolder, has_person, known_profiles, remote_of
from .settings import LOCAL, Settings, Supervisor, load, supervisor

__all__ = [
    "LOCAL",
    "RemoteFolder",
    "Settings",
    "Supervisor",
    "has_person",
    "known_profiles",
    "load",
    "remote_of",
    "supervisor",
]
