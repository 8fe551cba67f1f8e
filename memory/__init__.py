"""Sam's memory: a vault of markdown, a log of what was said, and an index derived from both.

This is its public API; begin with `Memory.open`. A name is imported when it is first used, so that
a command that needs one of them does not wait for all.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .config import MemorySettings
    from .core import Memory, Status
    from .embedding import Embedder
    from .errors import (
        BackupError,
        ConfigError,
        EditRefused,
        EmbedderDown,
        EmbedderRefused,
        EmbedError,
        LockHeld,
        NoteMissing,
        NoteUnreadable,
        PathRefused,
        RestoreRefused,
        SamError,
        StoreCorrupt,
        StoreError,
        VaultError,
        VaultGone,
    )
    from .infra.clock import Clock, system_clock
    from .log import Ledger, Log, Message, Said, Turn, Usage
    from .profile import OWNER, Profile, group_profile, is_group, profile_of, zone_of
    from .search import Filter, Hit, Question, Recalled
    from .summaries import Summarise, SummaryDraft, SummaryRequest
    from .tools.memory_tools import MemoryTools
    from .vault import Vault

_HOMES = {
    "config": ("MemorySettings",),
    "core": (
        "Memory",
        "Status",
    ),
    "embedding": ("Embedder",),
    "errors": (
        "BackupError",
        "ConfigError",
        "EditRefused",
        "EmbedError",
        "EmbedderDown",
        "EmbedderRefused",
        "LockHeld",
        "NoteMissing",
        "NoteUnreadable",
        "PathRefused",
        "RestoreRefused",
        "SamError",
        "StoreCorrupt",
        "StoreError",
        "VaultError",
        "VaultGone",
    ),
    "infra.clock": (
        "Clock",
        "system_clock",
    ),
    "log": (
        "Ledger",
        "Log",
        "Message",
        "Said",
        "Turn",
        "Usage",
    ),
    "profile": (
        "OWNER",
        "Profile",
        "group_profile",
        "is_group",
        "profile_of",
        "zone_of",
    ),
    "search": (
        "Filter",
        "Hit",
        "Question",
        "Recalled",
    ),
    "summaries": (
        "Summarise",
        "SummaryDraft",
        "SummaryRequest",
    ),
    "tools.memory_tools": ("MemoryTools",),
    "vault": ("Vault",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "OWNER",
    "BackupError",
    "Clock",
    "ConfigError",
    "EditRefused",
    "EmbedError",
    "Embedder",
    "EmbedderDown",
    "EmbedderRefused",
    "Filter",
    "Hit",
    "Ledger",
    "LockHeld",
    "Log",
    "Memory",
    "MemorySettings",
    "MemoryTools",
    "Message",
    "NoteMissing",
    "NoteUnreadable",
    "PathRefused",
    "Profile",
    "Question",
    "Recalled",
    "RestoreRefused",
    "Said",
    "SamError",
    "Status",
    "StoreCorrupt",
    "StoreError",
    "Summarise",
    "SummaryDraft",
    "SummaryRequest",
    "Turn",
    "Usage",
    "Vault",
    "VaultError",
    "VaultGone",
    "group_profile",
    "is_group",
    "profile_of",
    "system_clock",
    "zone_of",
]


def __dir__() -> list[str]:
    return __all__


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in _HOME:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(f".{_HOME[name]}", __name__), name)
        return value
