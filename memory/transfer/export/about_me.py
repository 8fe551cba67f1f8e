"""`me.md`: describe the owner in one note that can be pasted into any assistant.

It contains nothing from soul.md, which describes Sam, and nothing private.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...notes import plain, redaction
from ...notes.markdown import lines, split_front_matter

if TYPE_CHECKING:
    from ...core import Memory
    from ...knowledge import KnownFact

_ALL = 1_000_000


async def about_me(memory: Memory) -> str:
    """Return the note: user.md, MEMORY.md, then today's valid facts by category."""
    parts = ["# About me", ""]
    for name in ("user.md", "MEMORY.md"):
        path = memory.vault.own(name)
        text = _readable(await memory.vault.read_optional(path) or "", path, memory.vault.sam_dir)
        parts += [text, ""] if text else []
    known: dict[str, list[KnownFact]] = {}
    for fact in await memory.knowledge.facts(limit=_ALL):
        known.setdefault(fact.category, []).append(fact)
    for category, found in sorted(known.items()):
        parts += [f"## {category.replace('-', ' ').capitalize()}", ""]
        parts += [f"- {plain(fact.fact.text)}" for fact in found]
        parts.append("")
    if len(parts) == 2:
        parts.append("Nothing is known about me yet.")
    return "\n".join(parts).rstrip() + "\n"


def _readable(text: str, path: str, sam_dir: str) -> str:
    """Return a note without front matter, comments, private parts and headings with nothing below;
    the other headings are one level lower."""
    hidden = redaction.withheld(text, path, sam_dir)
    shown = redaction.visible_lines(text)
    skipped = split_front_matter(text)[2] if len(hidden) < len(lines(text)) else len(shown)
    rows = [
        f"#{row}" if row.startswith("#") else row
        for number, row in enumerate(shown, 1)
        if number > skipped and number not in hidden
    ]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(_without_empty_sections(rows))).strip()


def _without_empty_sections(rows: Sequence[str]) -> list[str]:
    kept: list[str] = []
    has_text, below = False, 0  # below: the level of the next heading that is kept
    for row in reversed(rows):
        level = len(row) - len(row.lstrip("#"))
        if not level:
            has_text = has_text or bool(row.strip())
        elif has_text or below > level:
            has_text, below = False, level
        else:
            continue
        kept.append(row)
    return kept[::-1]
