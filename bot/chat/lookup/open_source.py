"""Open a source of a result or answer: the lines of a note, or a message with its context.

A message of this chat is shown as a reply to itself, so that a tap leads to the original. A note
has a button that copies its `obsidian://` URL, because Telegram does not link such URLs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from urllib.parse import quote

from memory import Message, NoteMissing
from memory.notes import lines, privacy
from memory.text import clipped, mark, one_line, tr
from memory.tools import speaker

from ...assistant import Assistant
from ...markdown_escape import code_block, escape
from ...turn import Cite
from ..protocol import Button, Keyboard, Outcome, Press, Shown

AROUND = 3  # lines of a note before and after the passage
LONGEST = 3000  # characters shown
CONTEXT = 200  # characters of the messages before and after
QUOTED = 300  # characters of a citation that identify its message
COPIED = 256  # most characters that a button can copy
BEGIN = 80  # characters of a message that distinguish it from others of its day
GONE = mark("That is no longer kept.")


def source_buttons(cited: Sequence[Cite]) -> Keyboard:
    """Return a row of buttons that open the sources of an answer; empty without any."""
    kept = [each for each in cited if not each.is_web][:8]  # a web page is already a link
    row = tuple(Button(f"[{each.number}]", "open", _named(each)) for each in kept)
    return (row,) if row else ()


def _named(cite: Cite) -> dict[str, object]:
    path, _, numbers = cite.path.partition(":")
    if path.startswith("log/"):
        return {"day": path.removeprefix("log/"), "quote": one_line(cite.quote)[:QUOTED]}
    first, _, last = numbers.partition("-")
    start = int(first) if first.isdecimal() else 1
    return {"path": path, "from": start, "to": int(last) if last.isdecimal() else start}


async def open_source(press: Press) -> Outcome:
    """Show the source in full, as a new message."""
    match press.argument:
        case {"message": int(id)}:
            found = await press.profile.memory.log.messages.by_ids([id])
            return await _message(press, found[0] if found else None)
        case {"day": str(day), "quote": str(words)}:
            return await _message(press, await cited_message(press.profile, day, words))
        case {"path": str(path), "from": int(first), "to": int(last)}:
            return await _note(press.profile, path, first, last)
    return Outcome(toast=tr(GONE))


async def cited_message(profile: Assistant, day: str, words: str) -> Message | None:
    """Return the message of that day that the citation is from.

    A citation may be part of the message, or contain it along with its context.
    """
    memory = profile.memory
    spoken = await memory.log.messages.of_day(date.fromisoformat(day), memory.zone)
    texts = [(one_line(message.text), message) for message in spoken if message.text]
    part = [message for text, message in texts if words and words in text]
    whole = [m for text, m in texts if text[:BEGIN] in words and f") {text[:BEGIN]}" not in words]
    return next(iter([*part, *whole]), None)


async def _message(press: Press, message: Message | None) -> Outcome:
    if message is None or not message.text or message.privacy == "sealed":
        return Outcome(toast=tr(GONE))
    memory = press.profile.memory
    before, after = (await memory.log.messages.around([message.id])).get(message.id, (None, None))
    rows = [
        f"**{message.sent_at.astimezone(memory.zone):%Y-%m-%d %H:%M}** · {escape(_who(message))}",
        escape(clipped(message.text, LONGEST)),
    ]
    if before is not None and before.text:
        rows.insert(0, _beside(before))
    if after is not None and after.text:
        rows.append(_beside(after))
    here = message.chat == press.chat and message.telegram_ids
    return Outcome(
        message=Shown("\n\n".join(rows), answers=message.telegram_ids[0] if here else None)
    )


def _who(message: Message) -> str:
    return speaker(message, tr("You"))


def _beside(message: Message) -> str:
    return f"*{escape(f'{_who(message)}: {clipped(one_line(message.text), CONTEXT)}')}*"


async def _note(profile: Assistant, path: str, first: int, last: int) -> Outcome:
    """Show these lines of a note, from 1, and a few around them."""
    vault = profile.memory.vault
    try:
        text = await vault.read(path)
    except NoteMissing:
        return Outcome(toast=tr("{path} is gone.", path=path))
    if not vault.is_indexed(path) or privacy(text) == "sealed":
        return Outcome(toast=tr(GONE))
    rows = lines(text)
    start, end = max(0, first - 1 - AROUND), min(len(rows), last + AROUND)
    shown = clipped("\n".join(rows[start:end]).strip("\n"), LONGEST)
    address = _address(vault.root.name, path)
    copy = (Button(tr("Copy the Obsidian link"), copies=address),) if address else ()
    head = tr("**{path}**, lines {start}–{end}", path=escape(path), start=start + 1, end=end)
    about = {"path": path, "from": first, "to": last}
    buttons = (Button(tr("Why"), "why", about), *copy)
    return Outcome(message=Shown(f"{head}\n\n{code_block(shown)}", (buttons,)))


def _address(vault: str, path: str) -> str:
    """Return the note's `obsidian://` URL, with letters beyond ASCII as they are if it would be too
    long to copy; "" if it is too long all the same."""
    readable = [
        re.sub(r"[\x00-\x7f]+", lambda found: quote(found[0]), each) for each in (vault, path)
    ]
    forms = ((quote(vault), quote(path)), readable)
    urls = (f"obsidian://open?vault={name}&file={file}" for name, file in forms)
    return next((url for url in urls if len(url) <= COPIED), "")
