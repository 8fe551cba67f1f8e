"""Files that say how Sam acts: recognise them, and compare two versions of one."""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from memory.infra import text_encoding
from memory.vault import paths

HUMAN = ("soul.md", "identity.md", "user.md", "heartbeat.md")
"""They describe Sam and the owner, as the skills do."""
_COMPARED = 200_000  # bytes; a comparison of more takes seconds


@dataclass(frozen=True, slots=True)
class InstructionChange:
    """A change of such a file by the remote, as lines of a unified diff without context.

    `held`: it waits for the owner, and is not applied.
    """

    path: str
    lines: tuple[str, ...]
    held: bool


def is_humans(name: str, sam_dir: str) -> bool:
    """Return whether the file describes Sam or the owner."""
    inside = _inside(name, sam_dir)
    return inside in HUMAN or paths.within(inside, "skills")


def instructs(name: str, sam_dir: str) -> bool:
    """Return whether the file says how Sam acts: it describes Sam, or holds the rules."""
    return is_humans(name, sam_dir) or _inside(name, sam_dir) == "knowledge/rules.md"


def compare(path: str, before: bytes, after: bytes, *, held: bool) -> InstructionChange:
    """Return how `after` differs; empty bytes for a file that is missing."""
    if max(len(before), len(after)) > _COMPARED:
        return InstructionChange(path, ("(too large to be compared)",), held)
    old, new = (text_encoding.decode(data)[0].splitlines() for data in (before, after))
    lines = list(difflib.unified_diff(old, new, n=0, lineterm=""))[2:]
    return InstructionChange(path, tuple(line for line in lines if not line.startswith("@@")), held)


def _inside(name: str, sam_dir: str) -> str:
    return (name.removeprefix(f"{sam_dir}/") if sam_dir else name).lower()
