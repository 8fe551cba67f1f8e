"""The nightly backup: what it contains, and how old the last one is."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from importlib.metadata import version
from pathlib import Path

from pydantic import SecretStr

from memory import OWNER, Clock, DataDir, Memory, Profile, SamError, errors, profile_of
from memory.backup import backups, create
from memory.infra import parse_utc
from memory.log import place_of
from memory.text import from_home, plural

from ..inbox import Inbox
from ..settings import Settings, env_file
from .assistant import Assistant
from .unprompted import Speak

STALE = timedelta(days=2)  # a nightly backup that was missed twice is an alarm
_OFTEN = timedelta(hours=6)  # between two by the job
_REMOTES = ("rclone_remote", "profiles_remote")
_LOGIN = re.compile(r"(?<=://)[^/@\s]+@")


def sources(settings: Settings, profile: str | None = None) -> list[create.ProfileFolders]:
    """Return the owner's folders and those of all other profiles, or those of a single one."""
    if profile is not None:
        who = profile_of(settings, profile)
        prefix = "" if profile == OWNER else f"profiles/{profile}/"
        place = place_of(who)
        alone = (place,) if place else ()
        return [create.ProfileFolders(prefix, who.vault, who.data, alone, inbox=False)]
    owner = profile_of(settings)
    everyone = [owner]
    for data in sorted(settings.profiles_dir.glob("*/data")):
        home = data.parent
        tenant = replace(owner.tenant, name=home.name) if owner.tenant else None
        everyone.append(Profile(home.name, home / "vault", data, tenant))
    found = []
    for who in everyone:
        # Of a profile in use the log may be lost: its vault is all the more worth a copy.
        if who is owner or who.log_file.exists() or who.files.vault_marker.exists():
            prefix = "" if who is owner else f"profiles/{who.name}/"
            places = [place_of(who), Inbox.place(settings) if who is owner else None]
            found.append(
                create.ProfileFolders(prefix, who.vault, who.data, tuple(filter(None, places)))
            )
    return found


async def back_up(
    settings: Settings,
    clock: Clock,
    *,
    folder: Path | None = None,
    profile: str | None = None,
    make_folder: bool = True,
    tell: create.Progress = lambda what: None,
) -> create.Made:
    """Make a verified backup of everything, or of a single profile. Raises BackupError, VaultGone,
    StoreError, LockHeld.

    Without `make_folder` the folder must exist, or its parent must be a mount point: with its disk
    unmounted, the backup would land on the very disk whose loss it is for.
    """
    who, of = profile_of(settings, profile or OWNER), sources(settings, profile)
    if not who.log_file.exists():
        raise errors.BackupError(f"There is nothing to back up in {who.data} yet.")
    folder = (folder or settings.backups).absolute()
    if any(each.vault.absolute() in (folder, *folder.parents) for each in of):
        raise errors.BackupError(
            f"{folder} is in the vault: a backup there would contain the other backups."
        )
    above = folder.parent
    if not (make_folder or folder.exists() or above.is_mount() or above.is_file()):
        raise errors.BackupError(
            f"{folder} does not exist: mount its disk, or create it with --create."
        )
    return await create.make(
        folder,
        of,
        settings="".join(settings_lines(settings)) if profile is None else None,
        sam=version("sam-memory"),
        clock=clock,
        lock=DataDir(settings.data_dir).backup_lock,
        profile=profile,
        tell=tell,
    )


def settings_lines(settings: Settings) -> Iterator[str]:
    """Yield the settings that differ from the defaults as lines of `.env`; no values of secrets."""
    yield "# The settings of this Sam. Backups never contain keys, tokens or passwords.\n"
    for name, field in Settings.model_fields.items():
        value = getattr(settings, name)
        if value == field.get_default(call_default_factory=True):
            continue
        text = _text(value)
        # rclone allows a remote with its parameters, including a password, in one string
        if isinstance(value, SecretStr) or (name in _REMOTES and "," in text):
            yield f"#{name.upper()}=\n"
        else:
            yield f"{env_file.format_line(name.upper(), _LOGIN.sub('', text))}\n"


def last_backup(settings: Settings, now: datetime) -> datetime | None:
    """Return when the last backup in the folder was made; None without a backup or folder. One that
    a wrong clock has dated after `now` does not count."""
    try:
        return max((at for at in backups(settings.backups) if at <= now), default=None)
    except OSError:
        return None


async def backup_problem(settings: Settings, memory: Memory) -> str:
    """Return what is wrong with the last backup's age; "" for a recent one, or installation."""
    now = memory.clock()
    made = await asyncio.to_thread(last_backup, settings, now)
    if made is not None:
        return f"the last backup is from {made:%Y-%m-%d}" if now - made > STALE else ""
    began = await memory.log.began()
    if began is None or now - parse_utc(began) <= STALE:
        return ""
    return f"there is no backup in {from_home(settings.backups)}"


async def is_due(profile: Assistant) -> bool:
    """Return whether a backup is due: there is data, and the last one is hours old."""
    if profile.name != OWNER:
        return False  # the owner's backup includes all profiles
    now = profile.memory.clock()
    made = await asyncio.to_thread(last_backup, profile.settings, now)
    began = await profile.memory.log.began()
    since = made or (parse_utc(began) if began else None)
    if since is None:  # the owner never wrote, but other programs or other people may have
        written = await profile.memory.log.journal.recent(1)
        return bool(written) or len(await asyncio.to_thread(sources, profile.settings)) > 1
    return now - since >= _OFTEN


async def nightly(profile: Assistant, speak: Speak) -> None:
    """Run the nightly job. An incomplete backup is kept, and reported."""
    made = await back_up(profile.settings, profile.memory.clock)
    if gaps := made.manifest.left_out:
        raise SamError(
            f"The backup lacks {plural(len(gaps), 'file')} of the vault, first {gaps[0]}."
        )


def _text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    if isinstance(value, dict):
        return ", ".join(f"{key}:{each}" for key, each in value.items())
    return str(value)
