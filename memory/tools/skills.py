"""The owner's skills: `skills/NAME.md` or `skills/NAME/SKILL.md`."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from ..errors import NoteMissing, VaultError
from ..notes.markdown import privacy_of, split_front_matter
from ..notes.redaction import WITHHELD, redacted_lines
from ..trust import read_policy
from ..vault import Vault
from . import output


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill, from its front matter; without one, its file name and first line."""

    name: str
    description: str
    path: str


async def listing(vault: Vault) -> list[Skill]:
    """Return all skills that a model may use, by name, without unreadable and private ones."""
    return await asyncio.to_thread(load_listing, vault)


async def find(vault: Vault, name: str) -> Skill | None:
    """Return the skill with that name or file name, ignoring case."""
    wanted = name.strip().casefold()
    known = await listing(vault)
    exact = (skill for skill in known if skill.name.casefold() == wanted)
    by_file = (skill for skill in known if _name(skill.path).casefold() == wanted)
    return next(exact, None) or next(by_file, None)


async def read(vault: Vault, name: str) -> tuple[Skill, str]:
    """Return the skill of that name, and its text as a model may see it: of a long one the
    beginning, under a line that says which lines it is. Raises NoteMissing."""
    found = await find(vault, name)
    if found is None:
        names = ", ".join(skill.name for skill in await listing(vault))
        raise NoteMissing(
            f"There is no skill {name!r}: " + (f"there are {names}." if names else "none yet.")
        )
    path, text = await read_policy.read(vault, found.path)
    rows, skipped = redacted_lines(text, path, vault.sam_dir), split_front_matter(text)[2]
    said = "\n".join(rows[skipped:]).strip()
    if len(said) > output.MOST:
        said = str(output.excerpt(path, rows, skipped + 1, len(rows)))
    return replace(found, path=path), said


def load_listing(vault: Vault) -> list[Skill]:
    """Like `listing`; runs in a thread."""
    found, folder = [], vault.own("skills")
    for name in _files(vault.resolve(folder)):
        path = f"{folder}/{name}"
        try:
            text = vault.load(path).text
        except VaultError:
            continue
        skill = _skill(text, path, vault.sam_dir)
        if skill is not None and vault.is_indexed(path):
            found.append(skill)
    return sorted(found, key=lambda skill: skill.name.casefold())


def _files(folder: Path) -> list[str]:
    """Return the candidates for skills in that folder, sorted; they are checked when read."""
    names = []
    with suppress(OSError), os.scandir(folder) as entries:  # without the folder there are none
        for entry in entries:
            if entry.name.endswith(".md"):
                names.append(entry.name)
            if not entry.is_file(follow_symlinks=False):
                names.append(f"{entry.name}/SKILL.md")
    return sorted(names, key=lambda name: name.split("/"))


@lru_cache(maxsize=128)  # each turn lists them all, and they rarely change
def _skill(text: str, path: str, sam_dir: str) -> Skill | None:
    fields, _, skipped = split_front_matter(text)
    if privacy_of(fields) != "normal":
        return None
    name = str(fields.get("name") or "").strip() or _name(path)
    rows = (row.strip("# ") for row in redacted_lines(text, path, sam_dir)[skipped:])
    first = next((row for row in rows if row and row != WITHHELD), "")
    return Skill(name, str(fields.get("description") or first).strip(), path)


def _name(path: str) -> str:
    parts = path.removesuffix(".md").split("/")
    return parts[-2] if parts[-1] == "SKILL" else parts[-1]
