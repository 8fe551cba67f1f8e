"""A turn's messages as they are logged: what was written, and a message for each file. Pure.

The words of a file are not the owner's: they are logged as a message of origin `file`, by the
file's name. What he says in a voice message is his own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from memory import Said

from .incoming import AUDIBLE, Attachment, Content

FILE, ANSWERED = ":file", ":answered"  # endings of the keys of their messages


@dataclass(frozen=True, slots=True)
class Incoming:
    """What begins a turn. `more`: the messages besides the first one, in order. `is_wordless`:
    whether nothing was written besides the files."""

    said: Said
    more: tuple[Said, ...] = ()
    files: tuple[Attachment, ...] = ()
    is_wordless: bool = False

    def unread(self) -> Incoming:
        """Return the same with its files only named, not fetched."""
        return replace(self, files=())

    def completed(self, about: Mapping[str, tuple[str, str]]) -> dict[str, str]:
        """Return the texts of the messages with files, by key, with what was read from them.
        `about`: details for the label, and the words, by key."""
        rows = {row.key: row.text for row in (self.said, *self.more)}
        labels = {file.key: file.label for file in self.files}
        texts = {}
        for key, (lacked, words) in about.items():
            label = f"[{labels[key]}, {lacked}]" if lacked else f"[{labels[key]}]"
            end = f"\n{words}" if words else ""
            texts[key] = rows[key].replace(f"[{labels[key]}]", label, 1) + end
        return texts


def joined(parts: Sequence[Incoming]) -> Incoming | None:
    """Join the messages of an album to one turn; None for no message."""
    if not parts:
        return None
    first = parts[0]
    return Incoming(
        first.said,
        tuple(row for each in parts for row in (each.said, *each.more) if row is not first.said),
        tuple(file for each in parts for file in each.files),
        all(each.is_wordless for each in parts),
    )


def words_of(content: Content) -> str:
    """Return what stands in the sender's own message besides its text."""
    if content.file is not None and content.file.kind == "voice":
        return f"[{content.file.label}]"
    return content.words


def incoming(said: Said, content: Content, answered: Content | None = None) -> Incoming:
    """Return a message with its file, and the file of the message that it replies to.

    `said` has the words of `words_of`. Of the message that it replies to only what the model can
    see is wanted again: its text is logged already.
    """
    more, files = [], []
    file = content.file
    if file is not None and file.kind == "voice":
        files.append(replace(file, key=said.key))
    elif file is not None:
        files.append(replace(file, key=said.key + FILE))
        more.append(_row(said, said.key + FILE, f"[{file.label}]", file.name))
    elif content.shared:
        more.append(_row(said, said.key + FILE, content.shared, ""))
    seen = answered.file if answered is not None else None
    if seen is not None and seen.kind in ("photo", "pdf"):
        seen = replace(seen, key=said.key + ANSWERED, label=f"{seen.label}, sent before")
        files.append(seen)
        row = _row(said, seen.key, f"[{seen.label}]", seen.name)
        more.append(replace(row, telegram_ids=(seen.message_id,)))
    wordless = not said.text or (file is not None and said.text == f"[{file.label}]")
    return Incoming(said, tuple(more), tuple(files), wordless)


def corrected(text: str, words: str) -> str | None:
    """Return the text of a voice message with other words; None for no voice message."""
    found = re.search(r"^\[voice message, [\d:]+(, [^\]\n]*)?\]", text, re.MULTILINE)
    if found is None:
        return None
    label = found[0].replace(found[1], "") if found[1] else found[0]
    return f"{text[: found.start()]}{label}\n{words}"


def _row(said: Said, key: str, text: str, name: str) -> Said:
    passed_on = f"{name}, from {said.author}" if said.origin == "forwarded" else name
    return replace(said, key=key, text=text, origin="file", author=passed_on)


def is_audible(file: Attachment) -> bool:
    """Whether it is speech, or may be."""
    return file.kind in AUDIBLE
