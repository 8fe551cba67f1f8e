"""The kinds of memory: where each lives, and how stable it is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal

Stability = Literal["volatile", "stable", "permanent"]
Privacy = Literal["normal", "sensitive", "sealed"]

MIN_RULE_CONFIDENCE = 0.8


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind. `where`: its file (`NAME.md`) or folder (`NAME/`, `NAME/*.md`) among Sam's own,
    which makes a note one of that kind; or how else it is recognised."""

    where: str
    stabilities: tuple[Stability, ...]


KINDS: dict[str, Kind] = {
    "soul": Kind("soul.md", ("permanent",)),
    "agent": Kind("identity.md", ("permanent",)),
    "user": Kind("user.md", ("permanent",)),
    "memory": Kind("MEMORY.md", ("permanent",)),
    "rule": Kind("knowledge/rules.md", ("stable", "permanent")),
    "fact": Kind("knowledge/*.md", ("stable", "volatile")),
    "summary": Kind("memories/", ("stable", "volatile")),
    "log": Kind("lines or notes with `kind: log`", ("volatile",)),
    "note": Kind("the owner's notes", ()),
    "skill": Kind("skills/", ()),
    "task": Kind("tasks.md", ()),
    "message": Kind("the log", ()),
}
"""Kind → its row. The first of `stabilities` is the default; none: the owner's own notes."""

WRITTEN = "notes"
"""The folder, among Sam's own, of the notes that Sam writes at the owner's word. Their front matter
has `author: Sam`; all other notes in it are the owner's."""
AUTHOR = "Sam"

_FILES = {
    row.where.lower(): kind
    for kind, row in KINDS.items()
    if row.where.endswith(".md") and "*" not in row.where
}
_FOLDERS = {
    row.where.removesuffix("*.md"): kind
    for kind, row in KINDS.items()
    if row.where.removesuffix("*.md").endswith("/")
}
_SAMS = frozenset({*_FILES.values(), *_FOLDERS.values()})
_ANY_CASE = "skills/"  # the folder may be spelled `Skills/`; it is the owner's too


def kind_of(path: str, sam_dir: str = "") -> str:
    """Return the kind of a note by its place. `path` is relative to the vault, with forward
    slashes.

    Outside of `sam_dir` everything is a `note` of the owner's.
    """
    inside = sam_dir.strip("/")
    if inside:
        if not path.startswith(f"{inside}/"):
            return "note"
        path = path[len(inside) + 1 :]
    top, slash, _ = path.partition("/")
    if not slash:
        return _FILES.get(path.lower(), "note")
    folder = _ANY_CASE if top.lower() + slash == _ANY_CASE else top + slash
    if folder not in _FOLDERS:
        return "note"
    return _FILES.get(path.lower(), _FOLDERS[folder])


def is_sams(path: str, sam_dir: str) -> bool:
    """Return whether a note is one of Sam's, by its place; all others are the owner's."""
    return kind_of(path, sam_dir) in _SAMS


def relative(path: str, sam_dir: str) -> str:
    """Return the path relative to Sam's folder; unchanged for a path outside it."""
    return path.removeprefix(f"{sam_dir}/") if sam_dir else path


def active(today: date, *, expires: date | None = None, superseded: bool = False) -> bool:
    """Return whether a memory is active: not superseded, and not expired."""
    return not superseded and (expires is None or today < expires)


def problems(
    kind: str,
    stability: str | None = None,
    *,
    expires: date | None = None,
    confidence: float | None = None,
    evidence: str = "",
) -> list[str]:
    """Return the violations of the rules for that kind, one sentence each; empty if valid."""
    row = KINDS.get(kind)
    if row is None:
        return [f"`{kind}` is no kind: use one of {', '.join(KINDS)}."]
    found: list[str] = []
    if row.stabilities and stability is not None and stability not in row.stabilities:
        allowed = " or ".join(row.stabilities)
        found.append(f"A {kind} cannot be {stability}: it is {allowed}.")
    if stability == "permanent" and expires is not None:
        found.append("What is permanent has no `expires`.")
    if kind == "fact" and stability == "volatile" and expires is None:
        found.append("A volatile fact needs `expires`.")
    if kind == "rule":
        if confidence is None or confidence < MIN_RULE_CONFIDENCE:
            found.append(f"A rule needs a `confidence` of {MIN_RULE_CONFIDENCE} or more.")
        if not evidence.strip():
            found.append("A rule needs `evidence`: a link to what it was learnt from.")
        if expires is not None:
            found.append("A rule does not expire: leave out `expires`.")
    return found
