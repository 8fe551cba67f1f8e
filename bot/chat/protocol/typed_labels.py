"""Press buttons by typing their labels, in the terminal, which has no buttons."""

from __future__ import annotations

import re
from collections.abc import Mapping

from memory.text import NO, YES, mark, tr

from ...inbox import Button, Keyboard

BY_LABEL = (
    "undo.",
    "changes.",
    "facts.",
    "proposal.",
    "version.",
    "contradiction.",
    "memory.",
    "task.",
    "timezone.",
)
"""The actions that are offered. The others have commands in the terminal, or need Telegram."""
UNTYPED = ("task.list",)
"""The action below the tasks of a morning; the buttons of a list, "1 → tomorrow", are no words."""
CHOOSE = mark("To choose, write: {labels}")
_NUMBER = re.compile(r"\d+")


def offered(keyboard: Keyboard) -> Keyboard:
    """Return the buttons that can be pressed by their labels, row by row."""
    rows = [tuple(filter(_is_typed, row)) for row in keyboard]
    return tuple(filter(None, rows))


def _is_typed(button: Button) -> bool:
    of_list = isinstance(button.argument, Mapping) and button.argument.get("list")
    return button.action.startswith(BY_LABEL) and button.action not in UNTYPED and not of_list


def how_to_choose(keyboard: Keyboard) -> str:
    """Return a sentence with the labels, of numbered ones the first; "" for no buttons, and for a
    lone "Undo" below a task, which would be noise."""
    if [b.action for row in keyboard for b in row] in ([], ["task.drop"], ["task.undo"]):
        return ""
    labels: dict[str, str] = {}
    for row in keyboard:
        for button in row:
            labels.setdefault(_NUMBER.sub("", button.label), button.label)
    more = " …" if len(labels) < sum(map(len, keyboard)) else ""
    return tr(CHOOSE, labels=" · ".join(labels.values()) + more)


def chosen(keyboard: Keyboard, text: str, *, asked: bool) -> Button | None:
    """Return the button that a line stands for: its label, or the number of a row of one button.
    An "ok" below a task is no choice.

    `asked`: the owner asked for what has the buttons, so that of one or two a "yes" is the first,
    and a "no" the second.
    """
    said = text.strip(" .!").casefold()
    for row in keyboard:
        for button in row:
            if button.label.casefold() == said:
                return button
    if any(button.action.startswith("task.") for row in keyboard for button in row):
        return None
    if said.isdecimal() and 0 < int(said) <= len(keyboard):
        row = keyboard[int(said) - 1]
        return row[0] if len(row) == 1 else None
    if asked and len(keyboard) == 1 and len(keyboard[0]) <= 2:
        first, *others = keyboard[0]
        return first if said in YES else next(iter(others), None) if said in NO else None
    return None
