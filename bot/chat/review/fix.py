"""Correct a line of a note: by a reply with the right words to the message that asks for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memory.notes import fact, plain, unlinked
from memory.text import clipped, mark, one_line, tr

from ...assistant import Assistant
from ...markdown_escape import escape
from ..protocol import Button, Press, Shown

LEAVE = "fix.leave"  # the action below the question, and below what came of it: names the line
LONGEST = 1000  # characters of a line
COPIED = 256  # most characters that a button can copy
CHANGED = mark("That line has changed since, or is gone.")
ASK = mark(
    "What should it say? **Reply to this message** with the right words, or edit it in "
    "{path}:{line}.\n\n> {text}"
)
HERE = mark(
    "It is in {path}:{line}\n\n> {text}\n\nEdit it there, and I will keep your wording. "
    "Or tell me here what it should say, for example: “Change it to …”."
)
CORRECTED = mark("Corrected.")
DONE = mark("{path} says now: “{text}”")


def ask_for_words(press: Press, path: str, number: int, line: str, *, private: bool) -> Shown:
    """Ask what a line of a note should say."""
    found = fact.parse(line)
    said = one_line(plain(unlinked(found.text if found else line)))
    if not press.chat.startswith("telegram:"):  # there is nothing to reply to
        text = tr(HERE, path=escape(path), line=number, text=escape(clipped(said, LONGEST)))
        return Shown(text, private=private)
    text = tr(ASK, path=escape(path), line=number, text=escape(clipped(said, LONGEST)))
    leave = Button(tr("Leave it"), LEAVE, {"path": path, "line": line})
    copy = [Button(tr("Copy the words"), copies=said)] * (len(said) <= COPIED)
    return Shown(text, ((*copy, leave),), private=private)


async def reword(profile: Assistant, argument: Mapping[str, Any], words: str) -> Shown | None:
    """Write the words into the line that was asked about; return what the question becomes, None if
    the line has changed. Raises SamError."""
    path, line = str(argument["path"]), str(argument["line"])
    now = await profile.memory.knowledge.reword(path, line, one_line(words))
    if now is None:
        return None
    text = escape(clipped(one_line(words), LONGEST))
    change = await profile.memory.history.last()
    undo = [Button(tr("Undo"), "undo.show", {"change": change.key})] if change else []
    leave = Button(tr("Leave it"), LEAVE, {"path": path, "line": now})
    return Shown(tr(DONE, path=escape(path), text=text), ((*undo, leave),))
