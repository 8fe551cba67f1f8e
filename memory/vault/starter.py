"""Copy the starter vault into a new vault.

It is copied to a vault that is missing or empty; if the vault has the owner's notes, to Sam's
folder. It never overwrites a file, and may be interrupted: `soul.md` is copied last.
"""

from __future__ import annotations

import asyncio
import os
import re
from functools import cache
from importlib.resources import files as resources
from pathlib import Path

from ..errors import ConfigError, VaultError
from ..infra import atomic_files
from ..infra.file_locks import locked, run_to_end
from ..notes.chunker import chunks
from . import paths, scanner
from .vault import Vault

_LAST = "soul.md"
_HELP = "Help/"  # in vaults created by earlier versions its pages are at the top level
_MARKS = re.compile(r"^\s*(?:[-*+>]|#+|\d+\.)\s+")
_TO_OTHERS = re.compile(r"(\]\(<?)(?:\.\./|Help/)")


async def copy_starter(vault: Vault) -> tuple[str, ...]:
    """Copy the missing notes of the starter vault; return their paths, none if the vault is in use.

    Raises VaultGone if the vault was used before and is empty now; ConfigError if SAM_DIR is wrong
    (see `folder_problem`); VaultError, LockHeld.
    """
    vault.check_present()
    if wrong := folder_problem(vault):
        raise ConfigError([wrong])
    async with locked(vault.lock):
        return await run_to_end(asyncio.to_thread(_copy, vault))


def is_owners_vault(root: Path) -> bool:
    """Return whether this is the owner's own vault, where Sam should get its own folder (`Sam`)."""
    return (root / ".obsidian").is_dir() and scanner.any_note(root) and not _has_soul(root)


def folder_problem(vault: Vault) -> str:
    """Return what is wrong with the setting SAM_DIR; "" if nothing is. A vault of the owner's that
    Sam has never used needs a folder for Sam. If the owner has renamed or moved that folder, the
    starter vault is not copied to the old place again."""
    if not vault.sam_dir and not vault.used and is_owners_vault(vault.root):
        return (
            f"SAM_DIR: {vault.root} is a vault of yours. Set SAM_DIR=Sam, and Sam leaves your notes"
            " as they are and keeps its own in a folder there"
        )
    if where := _moved_to(vault):
        return (
            f"SAM_DIR: Sam's notes are not in {vault.sam_dir} any more, but in {where}."
            f" Set SAM_DIR={where}, or move them back"
        )
    return ""


def _moved_to(vault: Vault) -> str:
    """Return the folder in which Sam's notes are now; "" if they are where they were."""
    if not (vault.used and vault.sam_dir) or (vault.root / vault.own(_LAST)).exists():
        return ""
    souls = (vault.root / file.path for file in vault.files() if file.path.endswith(f"/{_LAST}"))
    found = (soul.parent for soul in souls if (soul.parent / "knowledge").is_dir())
    folders = [folder.relative_to(vault.root).as_posix() for folder in found]
    outside = [folder for folder in folders if not paths.within(folder, vault.sam_dir)]
    return min(outside, key=len, default="")


def source() -> Path:
    """Return the starter vault's folder: in the installed package, or in the checkout.

    Raises VaultError if it is missing."""
    packed = Path(str(resources("memory") / "starter"))
    checkout = Path(__file__).parents[2] / "vault"
    for folder in (packed, checkout):
        if (folder / _LAST).is_file():
            return folder
    raise VaultError("The starter vault is missing from this installation: install Sam again.")


def is_starter(path: str, text: str) -> bool:
    """Return whether a passage is unchanged from the starter vault's note of that path.

    The manual's earlier location counts too; links to other notes of the starter may differ.
    """
    return _unlinked(text) in _passages().get(path, ())


@cache
def starter_lines() -> frozenset[str]:
    """Return the lines of the starter vault's notes, each as `comparable` makes it."""
    origin = source()
    names = [name for name in _visible(origin) if name.endswith(".md")]
    rows = (row for name in names for row in (origin / name).read_text("utf-8").splitlines())
    return frozenset(filter(None, map(comparable, rows)))


def comparable(row: str) -> str:
    """Return a line in the form in which `starter_lines` has it: without the marks of a list or
    heading, and without the folder of its links."""
    return " ".join(_MARKS.sub("", _unlinked(row)).split())


@cache
def _passages() -> dict[str, frozenset[str]]:
    origin = source()
    names = [name for name in _visible(origin) if name.endswith(".md")]
    found = {
        name: frozenset(
            _unlinked(each.text) for each in chunks((origin / name).read_text("utf-8"), path=name)
        )
        for name in names
    }
    return {name.removeprefix(_HELP): passages for name, passages in found.items()} | found


def _unlinked(text: str) -> str:
    """Return a text whose links do not name the path of the folder Help."""
    return _TO_OTHERS.sub(r"\1", text)


def _copy(vault: Vault) -> tuple[str, ...]:
    origin = source()
    carried = sorted(_visible(origin), key=lambda name: (name == _LAST, name))
    home = vault.root / vault.sam_dir
    present = set(_visible(home))
    if vault.own(_LAST) in {paths.join(vault.sam_dir, name) for name in present}:
        return ()
    if present - set(carried):
        return ()  # a folder with notes of its own
    copied = []
    if not vault.root.is_dir():
        try:
            vault.root.mkdir(mode=0o700, parents=True)
        except OSError as wrong:
            raise VaultError(
                f"The vault {vault.root} cannot be created ({wrong.strerror}): set VAULT_DIR to a"
                " folder that you may write."
            ) from wrong
    with atomic_files.translate_errors(str(home), "written"):
        for name in carried:
            path = vault.own(name)
            if atomic_files.replace(vault.resolve(path), origin / name, expected=None):
                copied.append(path)
    return tuple(copied)


def _visible(folder: Path) -> list[str]:
    found = []
    for where, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [
            (Path(where) / name).relative_to(folder).as_posix()
            for name in names
            if not name.startswith(".")
        ]
    return found


def _has_soul(root: Path) -> bool:
    return any(entry.name.casefold() == _LAST for entry in root.iterdir())
