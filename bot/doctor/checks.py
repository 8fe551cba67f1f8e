"""The checks of `sam doctor`: each yields problems with their fix, and changes nothing."""

from __future__ import annotations

import asyncio
import errno
import os
import shutil
import stat
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path

from memory import (
    EmbedError,
    NoteUnreadable,
    Vault,
    VaultError,
    VaultGone,
    config,
    make_embedder,
    why_no_embedder,
)
from memory.infra import atomic_files, sqlite
from memory.notes import fact, kind_of, privacy, redaction
from memory.vault import starter

from ..assistant.status import LEAST_FREE
from ..errors import ModelDown, ModelError, TelegramDown, TokenRefused
from ..settings import Settings
from ..settings import env_file as envfile
from ..setup.bot_token import username
from ..setup.model_check import check_model
from . import folder_checks, systemd_checks
from .report import Problem

MOST_NAMED = 20  # notes that are named, or lines of them


async def data_folder(settings: Settings) -> AsyncIterator[Problem]:
    """Check that the databases are writable, and readable only by the owner."""
    folder = settings.data_dir
    try:
        _try_to_write(folder)
    except OSError as wrong:
        yield Problem(
            "data-folder",
            f"the data folder {folder} cannot be written ({wrong.strerror})",
            _room_or(wrong, "fix its permissions, or set DATA_DIR to a folder that you own"),
            "fatal",
        )
        return
    free = shutil.disk_usage(atomic_files.nearest_existing(folder)).free
    if free < LEAST_FREE:
        yield Problem(
            "disk",
            f"only {free / 1e6:.0f} MB are free on the disk of {folder}",
            "free up space: Sam cannot remember anything on a full disk",
        )
    inside = (folder, *folder.glob("*"), *folder.glob("index/*"))
    open_to_others = [path for path in inside if _is_open_to_others(path)]
    if open_to_others:
        yield Problem(
            "permissions",
            f"other users of this machine can read {open_to_others[0]}"
            + (f" and {len(open_to_others) - 1} more" if len(open_to_others) > 1 else ""),
            f"`sam doctor --fix`, or `chmod -R go= {folder}`",
            fix=lambda: _close_to_others(open_to_others),
        )


async def env_file(settings: Settings) -> AsyncIterator[Problem]:
    """Misspelt names in `.env`, and whether others may read it."""
    if missing := config.missing_env_file():
        yield Problem(
            "env-missing",
            f"SAM_ENV_FILE names {missing}, which is not there",
            "correct the path, or create the file with `sam setup`",
        )
    path = config.env_file()
    if path is None or not path.is_file():
        return
    known = [name.upper() for name in Settings.model_fields]
    for name in dict.fromkeys(envfile.names(path.read_text("utf-8", "replace"))):
        close = get_close_matches(name.upper(), known, n=1, cutoff=0.85)
        if close and name.upper() not in known:
            yield Problem(
                "env-name",
                f"{path} sets {name}, which is not a setting",
                f"rename it to {close[0]}, if you meant that",
            )
    found = path.stat()
    # Root's file is read by way of its group.
    mine = found.st_uid == os.getuid()
    if stat.S_IMODE(found.st_mode) & (0o077 if mine else 0o007):
        yield Problem(
            "env-permissions",
            f"other users of this machine can read {path}, which contains the keys",
            f"`sam doctor --fix`, or `chmod 600 {path}`"
            if mine
            else f"`sudo chgrp {os.getgid()} {path} && sudo chmod 640 {path}`",
            fix=(lambda: _close_to_others([path])) if mine else None,
        )


async def vault(settings: Settings) -> AsyncIterator[Problem]:
    """Check whether the vault is there, is the one that was used before, and can be written."""
    root = settings.vault_dir
    if not atomic_files.nearest_existing(settings.data_dir).is_dir():
        return  # unknown whether the vault was used before; the data folder's check reports it
    try:
        there = Vault(root, sam_dir=settings.sam_dir, data_dir=settings.data_dir)
        there.check_present()
    except VaultGone as gone:
        yield Problem("vault", str(gone), "fix the problem it describes", "fatal")
        return
    if problem := starter.folder_problem(there):
        yield Problem("vault-folder", problem, "set SAM_DIR in .env", "fatal")
        return
    try:
        _try_to_write(root / there.sam_dir)
    except OSError as wrong:
        yield Problem(
            "vault",
            f"the vault {root} cannot be written ({wrong.strerror})",
            _room_or(wrong, "fix its permissions, or set VAULT_DIR"),
            "fatal",
        )
        return
    if not root.exists():
        yield Problem(
            "vault-new", f"there is no vault at {root} yet", "the first start creates one", "note"
        )


async def notes(settings: Settings) -> AsyncIterator[Problem]:
    """Notes that cannot be read or indexed, by name."""
    vault = _vault_of(settings)
    if not vault.root.is_dir():
        return
    try:
        found = await asyncio.to_thread(lambda: list(vault.unreadable_notes()))
    except VaultError as broken:
        yield Problem("unread", str(broken), "fix the problem it describes")
        return
    for each in found[:MOST_NAMED]:
        yield Problem("unread", f"{each.path} {each.why}", each.advice, "note")
    if len(found) > MOST_NAMED:
        yield Problem("unread", f"{len(found) - MOST_NAMED} more like these", "as above", "note")


async def seals(settings: Settings) -> AsyncIterator[Problem]:
    """Notes whose top seems to seal them, and does not: they are indexed and shown to models."""
    if not settings.vault_dir.is_dir():
        return  # another check tells of this
    try:
        found = await asyncio.to_thread(_failed_seals, _vault_of(settings))
    except VaultError:
        return  # another check tells of this
    for path, meant in found[:MOST_NAMED]:
        yield Problem(
            "seal",
            f"{path} says `privacy: {meant}`, but not in front matter: models can see it",
            "make `---` the very first line of the note, and add another `---` below `privacy:`",
        )
    if len(found) > MOST_NAMED:
        yield Problem("seal", f"{len(found) - MOST_NAMED} more like these", "as above")


def _failed_seals(vault: Vault) -> list[tuple[str, str]]:
    """Return notes, and the privacy that each seems to ask for; in a thread. Raises VaultError."""
    found: list[tuple[str, str]] = []
    for note in vault.files():
        if note.path[-3:].lower() == ".md" and vault.is_indexed(note.path):
            with suppress(VaultError):  # another check tells of it
                if meant := redaction.failed_seal(vault.load(note.path).text):
                    found.append((note.path, meant))
    return found


async def facts(settings: Settings) -> AsyncIterator[Problem]:
    """Check for facts and rules that lack required fields, by note and line."""
    data = atomic_files.nearest_existing(settings.data_dir)
    if not (settings.vault_dir.is_dir() and data.is_dir()):
        return  # another check tells of this
    try:
        found = await asyncio.to_thread(_misfits, _vault_of(settings))
    except VaultError:
        return  # another check tells of this
    for place, sentence in found[:MOST_NAMED]:
        yield Problem(
            "fact", f"{place}: {sentence}", "see the format in docs/vault-format.md", "note"
        )
    if len(found) > MOST_NAMED:
        yield Problem("fact", f"{len(found) - MOST_NAMED} more like these", "as above", "note")


def _misfits(vault: Vault) -> list[tuple[str, str]]:
    """Return the places and faults of invalid facts and rules; in a thread. Raises VaultError."""
    found: list[tuple[str, str]] = []
    for note in vault.files():  # not `notes()`, which records how many there are
        kind = kind_of(note.path, vault.sam_dir)
        if kind not in ("fact", "rule") or not vault.is_indexed(note.path):
            continue
        with suppress(NoteUnreadable):  # another check tells of it
            wrong = fact.violations(vault.load(note.path).text, kind)
            found += [(f"{note.path}:{line}", sentence) for line, sentence in wrong]
    return found


async def engine(settings: Settings) -> AsyncIterator[Problem]:
    """Check whether SQLite can load sqlite-vec here."""
    found = sqlite.versions()
    if found["sqlite_vec"] is None:
        yield Problem(
            "extension",
            f"no SQLite here can load sqlite-vec (the driver is {found['driver']}"
            f" {found['sqlite']}): vectors are compared with NumPy instead, which is slower",
            "pip install sqlean.py, or use a Python with loadable extensions",
        )


async def embedder(settings: Settings) -> AsyncIterator[Problem]:
    """Check whether texts can be embedded; the provider is called once."""
    made = make_embedder(settings)
    if made is None:
        yield Problem(
            "embedder",
            "no embeddings: search works by keyword only, not by meaning",
            why_no_embedder(settings),
        )
        return
    try:
        await made.embed(["a word"], "query")
    except EmbedError as wrong:
        yield Problem(
            "embedder",
            f"embeddings by {settings.provider} fail, so search works by keyword: {wrong}",
            "fix the problem it describes, or set EMBEDDING_PROVIDER=local",
        )
    finally:
        await made.close()


async def model(settings: Settings) -> AsyncIterator[Problem]:
    """Check whether Claude, or a local endpoint, answers."""
    if not settings.has_model:
        yield Problem(
            "model",
            "no model: Sam answers with quotes from its memory, and summaries are picked sentences",
            "set ANTHROPIC_API_KEY, or ANTHROPIC_BASE_URL for your own model",
        )
        return
    chat = settings.chat_model
    others = [(each.name, each.label) for each in settings.models if each.name != chat]
    for name, label in [(chat, ""), *others]:
        try:
            await check_model(settings, name)
        except ModelError as wrong:
            if isinstance(wrong, ModelDown):
                advice = "wait, or check the network"
            elif label:
                advice = "correct it in MODELS, and its key in MODEL_KEYS"
            else:
                advice = "fix the problem it describes; `sam setup` tests the key again"
            said = f"{f'{label} of MODELS' if label else chat} does not answer: {wrong}"
            yield Problem("models" if label else "model", said, advice)


async def telegram(settings: Settings) -> AsyncIterator[Problem]:
    """Check whether the token is accepted."""
    if settings.telegram_bot_token is None:
        yield Problem(
            "telegram",
            "no Telegram: Sam only works in this terminal",
            "`sam setup` asks for a token",
            "note",
        )
        return
    try:
        token = settings.telegram_bot_token.get_secret_value()
        await username(token, settings.telegram_base_url)
    except TokenRefused as refused:
        yield Problem("token", str(refused), "`sam setup` asks for it again", "fatal")
    except TelegramDown as down:
        yield Problem("telegram", str(down), "wait, or check the network")


async def sync(settings: Settings) -> AsyncIterator[Problem]:
    """Check whether there is an rclone, and a remote for it."""
    from ..sync import rclone_problem

    wrong = await asyncio.to_thread(rclone_problem)
    if settings.syncs and wrong:
        yield Problem("rclone", f"nothing is synced: {wrong}", wrong)
    elif not settings.rclone_remote:
        yield Problem(
            "sync",
            "the vault exists only on this machine" + (f". {wrong}" if wrong else ""),
            "set RCLONE_REMOTE to sync it, or use another sync tool",
            "note",
        )


CHECKS: tuple[Callable[[Settings], AsyncIterator[Problem]], ...] = (
    *(env_file, folder_checks.relative_folders, data_folder, vault, notes, seals, facts, engine),
    *(systemd_checks.unit, systemd_checks.credentials, systemd_checks.clock),
    *(telegram, model, embedder, sync),
)
"""The checks that need only the settings, in the order of the report."""

OF_PROFILE = (data_folder, vault, notes, seals, facts)
"""Those of one profile's folders."""


def sealed_in_sync(vault: Vault) -> list[str]:
    """Return notes that are sealed by front matter but not in `sealed/`; runs in a thread.

    Only the folder is excluded from sync, so the remote gets these. Raises VaultGone.
    """
    found = []
    for file in vault.files():
        if file.path[-3:].lower() == ".md":
            try:
                if privacy(vault.load(file.path).text) == "sealed":
                    found.append(file.path)
            except VaultError:
                continue  # too large, or a device: no note
    return found


def _vault_of(settings: Settings) -> Vault:
    return Vault(
        settings.vault_dir,
        sam_dir=settings.sam_dir,
        data_dir=settings.data_dir,
        exclude=settings.index_exclude,
    )


def _is_open_to_others(path: Path) -> bool:
    try:
        return bool(stat.S_IMODE(path.stat().st_mode) & 0o077)
    except FileNotFoundError:
        return False  # not created yet, or a -wal file that was removed with its database's close


def _try_to_write(folder: Path) -> None:
    """Write a test file there, or in the nearest existing parent. Raises OSError."""
    place = atomic_files.nearest_existing(folder)
    if not place.is_dir():
        raise NotADirectoryError(20, "a file with that name is in the way")
    with tempfile.NamedTemporaryFile(prefix=".sam-", dir=place) as file:
        file.write(b"x")
        file.flush()


def _room_or(wrong: OSError, advice: str) -> str:
    return "free up space on its disk" if wrong.errno in (errno.ENOSPC, errno.EDQUOT) else advice


async def _close_to_others(paths: list[Path]) -> None:
    """Close all that this user may change. Raises VaultError for the first of the others."""
    failed = None
    for path in paths:
        try:
            path.chmod(stat.S_IMODE(path.stat().st_mode) & 0o700)
        except FileNotFoundError:
            pass  # the audit may have closed a database, and so removed its -wal
        except OSError as wrong:
            failed = failed or VaultError(f"{path} belongs to another user ({wrong.strerror})")
    if failed:
        raise failed
