"""A profile: one person's, or one group's, folders and time zone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

from .config import MemorySettings
from .errors import ConfigError
from .notes.markdown import split_front_matter

OWNER = "owner"
_GROUP = "group"


def group_profile(chat_id: int) -> str:
    """The name of the profile of a group, whose id is negative: `group-100123`."""
    return f"{_GROUP}{chat_id}"


def is_group(profile: str) -> bool:
    """Whether that is the name of a group's profile."""
    return profile.startswith(f"{_GROUP}-")


@dataclass(frozen=True, slots=True)
class Profile:
    """Whose memory, and where it lies. Nothing is shared between two of them."""

    name: str
    vault: Path
    data: Path


def profile_of(settings: MemorySettings, name: str = OWNER) -> Profile:
    """The owner's folders are VAULT_DIR and DATA_DIR, everybody else's lie in PROFILES_DIR."""
    if name == OWNER:
        return Profile(name, settings.vault_dir, settings.data_dir)
    if not name.replace("-", "").replace("_", "").isalnum():
        raise ConfigError([f"{name!r} is no name for a profile: use letters, digits, - and _"])
    home = settings.profiles_dir / name
    return Profile(name, home / "vault", home / "data")


def zone_of(settings: MemorySettings, user_note: str | None) -> tzinfo:
    """The owner's time zone: user.md's `timezone`, else TIMEZONE, else the machine's."""
    said = ""
    if user_note is not None:
        said = str(split_front_matter(user_note)[0].get("timezone") or "").strip()
    for name in (said, settings.timezone):
        if name:
            try:
                return ZoneInfo(name)
            except (KeyError, ValueError, OSError):
                continue  # a mistyped name in user.md: doctor says so; Sam still runs
    from tzlocal import get_localzone

    return get_localzone()
