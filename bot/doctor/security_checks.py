"""The checks of `sam doctor --security`: who may talk to Sam, and what others could read or run.

Each yields problems with their fixes, and changes nothing.
"""

from __future__ import annotations

import asyncio
import json
import re
import stat
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from importlib import metadata
from pathlib import Path

from pydantic import SecretStr

from memory import OWNER, DataDir, StoreError, config, system_clock
from memory.text import plural

from ..errors import SyncError, TelegramDown, TokenRefused
from ..inbox import Inbox
from ..settings import Settings, known_profiles, remote_of
from ..settings import env_file as envfile
from ..setup.bot_token import reads_all_of_groups
from ..sync import is_encrypted
from . import checks
from .report import Problem

_LOCKED = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", re.MULTILINE)
_MOST_NAMED = 5
_SECRETS = tuple(
    name.upper()
    for name, field in Settings.model_fields.items()
    if field.annotation in (SecretStr, SecretStr | None)
)
"""The settings that are keys."""


async def people(settings: Settings) -> AsyncIterator[Problem]:
    """Check who may talk with Sam, and as whom."""
    paired: dict[int, str] = {}
    try:
        async with Inbox.if_exists(settings, system_clock) as inbox:
            if inbox is not None:
                paired = await inbox.people.paired()
    except StoreError as broken:
        yield Problem("paired", f"the paired accounts cannot be read: {broken}", "`sam doctor`")
    named = settings.telegram_allowed_users
    for user, profile in (paired | named).items():
        who = "as you, and reads your memory" if profile == OWNER else f"with the profile {profile}"
        how = "remove it from TELEGRAM_ALLOWED_USERS" if user in named else f"`/pair remove {user}`"
        yield Problem(
            "paired",
            f"the Telegram account {user} talks to Sam {who}",
            f"if you do not recognise it: {how}",
            "note",
        )
    owners = [user for user, profile in (paired | named).items() if profile == OWNER]
    if len(owners) > 1:
        yield Problem(
            "owners",
            f"{len(owners)} Telegram accounts are the owner: {', '.join(map(str, owners))}",
            "keep those that are yours, and remove the others as shown above",
        )


async def groups(settings: Settings) -> AsyncIterator[Problem]:
    """Check whether Telegram gives the bot all that is said in groups."""
    if settings.telegram_bot_token is None:
        return
    try:
        token = settings.telegram_bot_token.get_secret_value()
        reads_all = await reads_all_of_groups(token, settings.telegram_base_url)
    except (TokenRefused, TelegramDown) as unknown:
        yield Problem(
            "privacy-mode",
            f"the bot's privacy mode is unknown: {unknown}",
            "fix the problem it describes",
        )
        return
    if reads_all:
        count = len(settings.telegram_allowed_groups)
        yield Problem(
            "privacy-mode",
            "privacy mode is off: Telegram sends the bot every message in its groups"
            f" ({plural(count, 'group is', 'groups are')} allowed)",
            "@BotFather, /setprivacy, Enable; then remove the bot from each group and add it again",
        )


async def files(settings: Settings) -> AsyncIterator[Problem]:
    """Check whether other users of this machine can read Sam's files."""
    for check in (checks.env_file, checks.data_folder):
        async for problem in check(settings):
            if problem.id in ("permissions", "env-permissions"):
                yield problem
    folders = {
        "the vault": settings.vault_dir,
        "the backups": settings.backups,
        "the other profiles": settings.profiles_dir,
    }
    for name, folder in folders.items():
        if await asyncio.to_thread(_others_may_read, folder):
            yield Problem(
                "permissions",
                f"other users of this machine can read {name}, {folder}",
                f"`chmod -R go= {folder}`",
            )


def _others_may_read(folder: Path) -> bool:
    """Return whether every account may list the folder; runs in a thread."""
    try:
        if not folder.stat().st_mode & stat.S_IROTH:
            return False
        return all(each.stat().st_mode & stat.S_IXOTH for each in (folder, *folder.parents))
    except OSError:
        return False  # it is not there


async def keys_in_vault(settings: Settings) -> AsyncIterator[Problem]:
    """Check for keys in a settings file inside the vault, which would be synced with it."""
    for path in await asyncio.to_thread(_env_files, settings.vault_dir):
        try:
            text = path.read_text("utf-8", "replace")
        except OSError:
            continue
        found = [name for name in envfile.names(text) if name.upper() in _SECRETS]
        if found:
            yield Problem(
                "keys-in-vault",
                f"{path} contains keys ({', '.join(found)}), and is in the vault",
                "move it out of the vault; if the vault was synced, create new keys",
            )


def _env_files(vault: Path) -> list[Path]:
    """Return the settings files in the vault's folder, and one in use inside; in a thread."""
    found = [path for path in vault.glob(".env*") if path.is_file()]
    read = config.env_file()
    if read is not None and read.is_file() and read.resolve().is_relative_to(vault.resolve()):
        found.append(read.resolve())
    return list(dict.fromkeys(path.resolve() for path in found))


async def plugins(settings: Settings) -> AsyncIterator[Problem]:
    """Plugins of Obsidian, which are programs that the vault brings along."""
    path = settings.vault_dir / ".obsidian" / "community-plugins.json"
    try:
        said = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return
    except (OSError, ValueError):
        yield Problem(
            "plugins", f"{path} cannot be read", "check it, or delete it in Obsidian", "note"
        )
        return
    names = [str(name) for name in said] if isinstance(said, list) else []
    if names:
        yield Problem(
            "plugins",
            f"{plural(len(names), 'community plugin runs', 'community plugins run')} code where the"
            f" vault is opened in Obsidian: {_named(names)}",
            "in Obsidian, Settings, Community plugins: disable those that you do not use",
            "note",
        )


async def remote(settings: Settings) -> AsyncIterator[Problem]:
    """Check whether the remotes of the syncs can read the vaults."""
    named: dict[str, tuple[str, str]] = {}  # profiles share a remote, and differ by the folder
    for name in known_profiles(settings):
        if folder := remote_of(settings, name).remote:
            named.setdefault(folder.rpartition(":")[0] or folder, (name, folder))
    for name, folder in named.values():
        whose = "" if name == OWNER else f" of {name}"
        try:
            encrypted = await is_encrypted(folder, DataDir(settings.data_dir).rclone_lock)
        except SyncError as unknown:
            yield Problem(
                "remote",
                f"whether the remote{whose} is encrypted is unknown: {unknown}",
                "fix the problem it describes, or try again when the sync is done",
            )
            continue
        if encrypted is False:
            setting = "RCLONE_REMOTE" if name == OWNER else "PROFILES_REMOTE"
            yield Problem(
                "remote",
                f"the remote of the sync{whose} stores the notes in plain text, except sealed/",
                f"run `rclone config`, create a crypt remote on top of it, and set {setting} to it",
            )


async def spending(settings: Settings) -> AsyncIterator[Problem]:
    """Check whether the model's costs are limited."""
    if settings.anthropic_api_key is not None and not settings.budget_daily_usd:
        yield Problem(
            "budget",
            "the daily cost is not limited (BUDGET_DAILY_USD=0)",
            "set BUDGET_DAILY_USD, and a spending limit at the provider too",
        )
    if unknown := sorted(settings.budget_profiles.keys() - set(known_profiles(settings))):
        yield Problem(
            "budget",
            f"BUDGET_PROFILES limits {', '.join(unknown)}, but there is no such profile",
            "correct the name: `sam profile list`",
        )


async def packages(settings: Settings) -> AsyncIterator[Problem]:
    """Check whether the installed packages match the lock file."""
    lock = next((path for path in _locks() if path.is_file()), None)
    if lock is None:
        yield Problem(
            "lock",
            "this installation has no lock file, so its packages cannot be verified",
            "install with deploy/install.sh, which checks the hash of each package",
            "note",
        )
        return
    differ = await asyncio.to_thread(_differing, lock.read_text("utf-8"))
    if differ:
        yield Problem(
            "lock",
            f"{plural(len(differ), 'package differs', 'packages differ')} from {lock}:"
            f" {_named(differ)}",
            f"`pip install --require-hashes -r {lock}`",
        )


def _locks() -> Iterator[Path]:
    """Yield where the lock file may be: beside the program of a release, or in the source."""
    for root in (Path(sys.prefix), Path(__file__).parents[2]):
        yield root / "deploy" / "requirements.txt"


def _differing(lock: str) -> list[str]:
    """Return the installed packages whose version differs from the lock file; runs in a thread."""
    locked: dict[str, set[str]] = {}
    for name, version in _LOCKED.findall(lock):
        locked.setdefault(name, set()).add(version)
    found = []
    for name, versions in locked.items():
        try:
            installed = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue  # of an extra that is not installed, or of another platform
        if installed not in versions:
            found.append(f"{name} {installed} (locked: {', '.join(sorted(versions))})")
    return found


async def web(settings: Settings) -> AsyncIterator[Problem]:
    """Check whether the web console can be reached from other machines, and how."""
    if not config.is_loopback(settings.web_host):
        yield Problem(
            "web-host",
            f"`sam web` listens on {settings.web_host}: other machines can reach the console",
            "set WEB_HOST=127.0.0.1, and use a TLS proxy or an SSH tunnel to reach it",
        )
    if settings.web_url.startswith("http://"):
        host = settings.web_url.removeprefix("http://").rsplit(":", 1)[0].strip("[]")
        if not config.is_loopback(host):
            yield Problem(
                "web-url",
                f"the web console is served without encryption at {settings.web_url}",
                "serve it over https with the proxy, and set WEB_URL to that address",
            )


CHECKS: tuple[Callable[[Settings], AsyncIterator[Problem]], ...] = (
    *(people, groups, files, keys_in_vault, plugins, remote, spending, packages, web),
)


def _named(names: Sequence[str]) -> str:
    """Return the first of these names, and how many more there are."""
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(names[:_MOST_NAMED]) + more
