"""The owner's skills: `skills/NAME.md` or `skills/NAME/SKILL.md`. Knows no model."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from .errors import VaultError
from .note import privacy_of, split_front_matter
from .shown import WITHHELD, shown
from .vault import Vault


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill by its front matter; without one, its file's name and its first line."""

    name: str
    description: str
    path: str


async def listing(vault: Vault) -> list[Skill]:
    """All skills that a model may use, by name. Unreadable and private ones are left out."""
    return await asyncio.to_thread(_listing, vault)


async def find(vault: Vault, name: str) -> Skill | None:
    """The skill of that name, or of that file's name; case does not matter."""
    wanted = name.strip().casefold()
    known = await listing(vault)
    exact = (skill for skill in known if skill.name.casefold() == wanted)
    by_file = (skill for skill in known if _name(skill.path).casefold() == wanted)
    return next(exact, None) or next(by_file, None)


def _listing(vault: Vault) -> list[Skill]:
    found = []
    folder = vault.resolve(vault.own("skills"))
    files = [*folder.glob("*.md"), *folder.glob("*/SKILL.md")]
    for file in sorted(files):
        path = vault.own(f"skills/{file.relative_to(folder).as_posix()}")
        try:
            text = vault.load(path).text
        except VaultError:
            continue
        fields, _, skipped = split_front_matter(text)
        if privacy_of(fields) == "normal" and vault.is_indexed(path):
            name = str(fields.get("name") or "").strip() or _name(path)
            rows = (row.strip("# ") for row in shown(text, path, vault.sam_dir)[skipped:])
            first = next((row for row in rows if row and row != WITHHELD), "")
            found.append(Skill(name, str(fields.get("description") or first).strip(), path))
    return sorted(found, key=lambda skill: skill.name.casefold())


def _name(path: str) -> str:
    parts = path.removesuffix(".md").split("/")
    return parts[-2] if parts[-1] == "SKILL" else parts[-1]
