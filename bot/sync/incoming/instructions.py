"""Sam's instruction files: recognise them, and compare two versions."""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from memory.infra import text_encoding
from memory.vault import paths

HUMAN = ("soul.md", "identity.md", "user.md", "heartbeat.md")
"""Files that describe Sam and the owner, like the skills."""
_COMPARED = 200_000  # bytes; a comparison of more takes seconds


@dataclass(frozen=True, slots=True)
class InstructionChange:
    """A change by the remote to such a file, as lines of a unified diff without context.

    `waiting`: it is not applied until the owner accepts it.
    """

    path: str
    lines: tuple[str, ...]
    waiting: bool


def is_humans(name: str, sam_dir: str) -> bool:
    """Return whether the file describes Sam or the owner."""
    inside = _inside(name, sam_dir)
    return inside in HUMAN or paths.within(inside, "skills")


def instructs(name: str, sam_dir: str) -> bool:
    """Return whether the file has instructions for Sam: it describes Sam, or contains the rules."""
    return is_humans(name, sam_dir) or _inside(name, sam_dir) == "knowledge/rules.md"


def compare(path: str, before: bytes, after: bytes, *, waiting: bool) -> InstructionChange:
    """Return how `after` differs; empty bytes for a file that is missing."""
    if max(len(before), len(after)) > _COMPARED:
        return InstructionChange(path, ("(too large to compare)",), waiting)
    old, new = (text_encoding.decode(data)[0].splitlines() for data in (before, after))
    diff = list(difflib.unified_diff(old, new, n=0, lineterm=""))[2:]
    lines = tuple(line for line in diff if not line.startswith("@@"))
    return InstructionChange(path, lines, waiting)


def _inside(name: str, sam_dir: str) -> str:
    name, folder = paths.caseless(name), paths.caseless(sam_dir)
    return name.removeprefix(f"{folder}/") if folder else name
