"""The list of what memory learned, automatically once a day and on request, without a model.

Each line has buttons: keep, fix, forget, undo, and pin for a fact. The log keeps only that there
was a list, since the lines are in the notes, and one that is forgotten must not stay in it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from memory import Learned, Memory
from memory.infra import parse_utc, utc_text
from memory.notes import fact
from memory.text import clipped, one_line, plural

from ..inbox import Button, Keyboard
from ..markdown_escape import escape

ASKED = timedelta(days=1)  # how far back a list looks that was asked for
LINES = 8  # in one message: each has a row of buttons
LONGEST = 200  # characters of a line
LOGGED = "I listed what I have learned since the last list."
PRIVATE = "a private line: /changes shows it"
_SIGNS = {"added": "➕", "changed": "✏️", "retired": "➖"}
_BUTTONS = (("Keep", "keep"), ("Fix", "fix"), ("Forget", "forget"), ("Undo", "undo"))
_PIN = ("Pin", "pin")


def listing(
    found: Sequence[Learned],
    start: datetime,
    until: datetime,
    *,
    page: int = 0,
    kept: Collection[str] = (),
    shows_private: bool = True,
) -> tuple[str, Keyboard]:
    """Return a page of the list as markdown, and its buttons. `kept`: the names of lines that the
    owner has agreed to."""
    first = page * LINES
    shown = list(enumerate(found, 1))[first : first + LINES]
    about = {
        "since": utc_text(start),
        "until": utc_text(until),
        "page": page,
        "kept": sorted(kept),
        "private": shows_private,
    }
    rows = [f"**What I learned** · {plural(len(found), 'line')}"]
    buttons: list[tuple[Button, ...]] = []
    for number, each in shown:
        is_hidden = each.private and not shows_private
        mark = "✓" if each.name in kept else _SIGNS[each.kind]
        said = f"*{PRIVATE}*" if is_hidden else _text(each)
        rows.append(f"{number}. {mark} {said} · {escape(each.path)}")
        if each.name not in kept and not is_hidden:
            actions = (*_BUTTONS, _PIN) if may_be_pinned(each) else _BUTTONS
            buttons.append(
                tuple(
                    Button(f"{label} {number}", f"changes.{action}", {**about, "line": each.name})
                    for label, action in actions
                )
            )
    if left := len(found) - first - len(shown):
        rows.append(f"… and {left} more")
        buttons.append((Button("More", "changes.more", {**about, "page": page + 1}),))
    return "\n\n".join([rows[0], "\n".join(rows[1:])]), tuple(buttons)


def may_be_pinned(each: Learned) -> bool:
    """Return whether it is a fact that Sam could still change."""
    found = fact.parse(each.line)
    return each.kind != "retired" and found is not None and bool(found.id) and not found.pinned


def _text(each: Learned) -> str:
    text = escape(clipped(one_line(each.text), LONGEST))
    if each.kind == "retired":
        return f"~~{text}~~"
    if each.before:
        return f"{text} (before: {escape(clipped(one_line(each.before), LONGEST))})"
    return text


async def of_argument(memory: Memory, argument: Any) -> tuple[list[Learned], Learned | None]:
    """Return the list that a button belongs to, and the button's line, None if it has changed."""
    span = parse_utc(argument["since"]), parse_utc(argument["until"])
    found = await memory.history.learned(*span)
    return found, next((each for each in found if each.name == argument.get("line")), None)
