"""Describe one change to the owner: when, why, in which notes, and which lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from ..log.operations.edits import KeptEdit
from ..notes import task
from ..notes.daily_note import is_mere_link
from ..notes.fact import unmarked
from ..notes.kinds import kind_of, relative
from ..notes.markdown import plain, split_front_matter, strip_block_id, unlinked
from ..text.catalogue import mark, tr

NOT_KEPT = ("forget", "session", "sync", "restore", "conflict copy", "the owner's edit", "undo")
"""Prefixes of the causes of edits that cannot be undone: not Sam's, or not memory."""

_HEADING = re.compile(r"#{1,6}(?:\s|$)")
_BLOCK_LINK = re.compile(r"(?<!\s)\s*\[\[[^\[\]\n]*#\^[A-Za-z0-9-]+\]\]")
_EMBED = re.compile(r"!\[\[[^\[\]|#\n]+\]\]")

_DID = {
    "summary": mark("I summed up what we said"),
    "fact": mark("I noted what you said"),
    "retire": mark("I retired a fact"),
    "maintain": mark("I tidied up what has expired or piled up"),
    "create_note": mark("I wrote a note"),
    "save_memory": mark("I wrote down what was to be remembered"),
    "edit_memory": mark("I corrected a note"),
    "manage_tasks": mark("I changed the tasks"),
    "keep_media": mark("I kept a file"),
    "timezone": mark("I changed your time zone"),
    "take": mark("I took a line back"),
}
"""What Sam did, by the first word of an edit's cause."""
_OTHER = mark("I changed a note")


@dataclass(frozen=True, slots=True)
class Line:
    """A line that a change added (`added`) or removed, as the owner reads it."""

    path: str
    added: bool
    text: str


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """Edits that are undone together, oldest first. `key` names the change; `undone`: it is
    reverted at present. `left`: the notes that it made and its undo left, because they were
    renamed, moved or deleted before."""

    key: str
    edits: tuple[KeptEdit, ...]
    left: tuple[str, ...] = ()

    @property
    def at(self) -> datetime:
        """Return when it was complete."""
        return self.edits[-1].at

    @property
    def undone(self) -> bool:
        """Return whether all of it is currently reverted."""
        return all(edit.undone for edit in self.edits)

    @property
    def did(self) -> tuple[str, ...]:
        """Return what Sam did: sentences of the catalogue, without a full stop."""
        causes = (edit.cause.partition(" ")[0] for edit in self.edits)
        return tuple(dict.fromkeys(_DID.get(cause, _OTHER) for cause in causes))

    @property
    def what(self) -> str:
        """Return what Sam did, as an English predicate in the past tense."""
        return ", and ".join(each.removeprefix("I ") for each in self.did)

    @property
    def turn(self) -> int | None:
        """Return the turn in which it was made; None outside of a turn."""
        kind, _, number = self.key.partition(" ")
        return int(number) if kind == "turn" and number.isdecimal() else None

    def lines(self, sam_dir: str = "") -> tuple[Line, ...]:
        """Return the lines that it added and removed, except in the archive."""
        found: list[Line] = []
        for edit in self.edits:
            if not is_archive(edit.path, sam_dir):
                found += readable(edit)
        return tuple(found)

    def tasks(self, sam_dir: str = "") -> tuple[task.Task, ...]:
        """Return the tasks that it added or changed, as it left them."""
        found: dict[str, task.Task] = {}
        for edit in self.edits:
            if kind_of(edit.path, sam_dir) != "task":
                continue
            for hunk in edit.hunks:
                rows = (row.strip() for row in hunk.new if row not in hunk.old)
                found |= {each.id or each.title: each for each in map(task.parse, rows) if each}
        return tuple(found.values())


def group(edits: Sequence[KeptEdit]) -> list[ChangeSet]:
    """Group the edits by change; return the changes, newest first."""
    by_key: dict[str, list[KeptEdit]] = {}
    for edit in edits:
        by_key.setdefault(edit.change, []).append(edit)
    made = [ChangeSet(key, tuple(each)) for key, each in by_key.items()]
    return sorted(made, key=lambda each: each.edits[-1].id, reverse=True)


def readable(edit: KeptEdit) -> Iterator[Line]:
    """Yield the non-empty lines of an edit, without their ids and fields, and without the front
    matter of a new note."""
    for hunk in edit.hunks:
        before = split_front_matter("".join(hunk.new))[2] if edit.is_new and not hunk.at else 0
        old, new = ([line_text(line) for line in rows] for rows in (hunk.old, hunk.new[before:]))
        for text in old:
            if text and text not in new:
                yield Line(edit.path, False, text)
        for text in new:
            if text and text not in old:
                yield Line(edit.path, True, text)


def line_text(line: str) -> str:
    """Return a line as the owner reads it, without ids, fields and list marker; "" for an empty
    line, a heading, or a mere link to MEMORY.md."""
    bare = line.strip()
    if is_mere_link(bare) or _HEADING.match(bare):
        return ""
    if (parsed := task.parse(bare)) is not None:
        when = (
            f"{parsed.at:%Y-%m-%d %H:%M}" if parsed.timed and parsed.at else str(parsed.day or "")
        )
        state = "" if parsed.open else tr("no longer open")
        return " · ".join(filter(None, (parsed.title, when, state)))
    text = _BLOCK_LINK.sub("", plain(unmarked(strip_block_id(bare)))).strip()
    text = _EMBED.sub(lambda found: unlinked(found[0]), text)  # a kept file: its name
    for lead in ("- ", "* ", "+ "):
        text = text.removeprefix(lead)
    return text.replace("**Summary**:", "Summary:").strip()


def is_archive(path: str, sam_dir: str) -> bool:
    """Return whether a note is in the archive."""
    return relative(path, sam_dir).startswith("archive/")
