"""Equivalent mutations: they have no observable effect. Listed by their exact text."""

from __future__ import annotations

from typing import NamedTuple


class Known(NamedTuple):
    """A mutation as printed: its file, line and change; and why it is equivalent."""

    file: str
    text: str
    change: str
    why: str


EQUIVALENT: tuple[Known, ...] = (
    Known(
        "bot/sync/merge/note.py",
        "conflicts = [Conflict(c.at - sum(n < c.at for n in twice), c.lines) for c in conflicts]",
        "< → <=",
        "behind a conflict comes a piece on which both sides agree: no line that only one has",
    ),
    Known(
        "bot/sync/merge/lines.py",
        "return any(many[at : at + len(few)] == few for at in range(len(many) - len(few) + 1))",
        "1 → 2",
        "a slice that begins one later is too short to be equal",
    ),
    Known(
        "memory/notes/recurrence.py",
        "_A_DAY = date(2026, 1, 1)  # any day: whether a rule is supported does not depend on it",
        "2026 → 4052",
        "that year has the same calendar rules, and every understood rule has a day in them",
    ),
    Known(
        "memory/vault/scanner.py",
        "at += 2",
        "2 → 1",
        "the second star of `**` then adds `[^/]*` to `.*`, which matches the same paths",
    ),
    Known(
        "memory/text/secrets/passwords.py",
        'if any(hint in low for hint in _hints()) or "TAN" in text:',
        "in → not in",
        "a cheap first check: a text that it lets pass in vain has nothing to mask",
    ),
)
