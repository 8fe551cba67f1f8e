"""The list of what memory learned, automatically once a day and on request, without a model.

Each line has buttons: keep, fix, forget and undo, for a fact also pin, and for something still to
be done also task. The log records only that a list was sent: its lines are in the notes, and a
forgotten line must not remain in the log.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from memory import Learned, Memory
from memory.infra import parse_utc, utc_text
from memory.notes import fact
from memory.text import clipped, mark, one_line, tn, tr

from ..inbox import Button, Keyboard
from ..markdown_escape import escape

ON_REQUEST = timedelta(days=1)  # how far back a list looks that the owner asks for
LINES = 8  # in one message: each has a row of buttons
LONGEST = 200  # characters of a line
LOGGED = mark("I listed what I have learned since the last list.")
PRIVATE = mark("a private line: /changes shows it")
_SIGNS = {"added": "➕", "changed": "✏️", "retired": "➖"}
_BUTTONS = (
    (mark("Keep"), "keep"),
    (mark("Fix"), "fix"),
    (mark("Forget"), "forget"),
    (mark("Undo"), "undo"),
)
_PIN, _TASK = (mark("Pin"), "pin"), (mark("Task"), "task")
_ACTION = "Action: "


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
    rows = [
        tr("**What I learned** · {lines}", lines=tn("{count} line", "{count} lines", len(found)))
    ]
    buttons: list[tuple[Button, ...]] = []
    for number, each in shown:
        is_hidden = each.private and not shows_private
        sign = "✓" if each.name in kept else _SIGNS[each.kind]
        said = f"*{tr(PRIVATE)}*" if is_hidden else _text(each)
        rows.append(f"{number}. {sign} {said} · {escape(each.path)}")
        if each.name not in kept and not is_hidden:
            more = [_PIN] * may_be_pinned(each) + [_TASK] * bool(to_do(each))
            of_line = {**about, "line": each.name}
            row = [(f"{tr(label)} {number}", action) for label, action in (*_BUTTONS, *more)]
            buttons.append(tuple(Button(label, f"changes.{to}", of_line) for label, to in row))
    if left := len(found) - first - len(shown):
        rows.append(tr("… and {left} more", left=left))
        buttons.append((Button(tr("More"), "changes.more", {**about, "page": page + 1}),))
    return "\n\n".join([rows[0], "\n".join(rows[1:])]), tuple(buttons)


def may_be_pinned(each: Learned) -> bool:
    """Return whether it is a fact that is not pinned yet."""
    found = fact.parse(each.line) if each.is_fact else None
    return each.kind != "retired" and found is not None and bool(found.id) and not found.pinned


def to_do(each: Learned) -> str:
    """Return what a line of a day says is still to be done; "" for any other line."""
    is_action = each.kind != "retired" and each.text.startswith(_ACTION)
    return each.text.removeprefix(_ACTION) if is_action else ""


def _text(each: Learned) -> str:
    text = escape(clipped(one_line(each.text), LONGEST))
    if each.kind == "retired":
        return f"~~{text}~~"
    if each.before:
        return tr(
            "{text} (before: {before})",
            text=text,
            before=escape(clipped(one_line(each.before), LONGEST)),
        )
    return text


async def list_of_button(memory: Memory, argument: Any) -> tuple[list[Learned], Learned | None]:
    """Return the list that a button belongs to, and the button's line, None if it has changed."""
    span = parse_utc(argument["since"]), parse_utc(argument["until"])
    found = await memory.history.learned(*span)
    return found, next((each for each in found if each.name == argument.get("line")), None)
