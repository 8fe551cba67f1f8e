"""The notes that a model may read, as it may see them; its edits, and notes of its own."""

from __future__ import annotations

import asyncio
import json
import re
import unicodedata
from datetime import date
from typing import TYPE_CHECKING

from ..errors import EditRefused, VaultError
from ..notes import fact
from ..notes.kinds import AUTHOR, WRITTEN, kind_of
from ..notes.markdown import inert, lines, privacy
from ..notes.patch import rewrite
from ..notes.redaction import redacted_lines, withheld
from ..text.sanitize import disarm, quotation
from ..trust import read_policy, write_policy
from ..trust.provenance import Foreign, Provenance
from ..vault import Edited, NoteFile, Vault
from . import statements

if TYPE_CHECKING:
    from ..core import Memory

_NOT_IN_NAMES = re.compile(r"[\x00-\x1f\\/:*?\"<>|#^\[\]%]+")
_HEADING = re.compile(r"#{1,6}[ \t]+(.*?)[ \t]*#*")
_LIST_OR_HEADING = re.compile(r"\s*(?:#{1,6}|[-*+]|\d{1,3}[.)])[ \t]+")


async def read_shown(vault: Vault, path: str) -> tuple[str, str]:
    """Return the name and the text of a note as a model may see it, without private lines. Raises
    what `read_policy.read` does."""
    name, text = await read_policy.read(vault, path)
    return name, "\n".join(redacted_lines(text, name, vault.sam_dir))


async def readable(vault: Vault, most: int) -> list[NoteFile]:
    """Return at most `most` notes that a model may read, most recently changed first."""
    return await asyncio.to_thread(_readable, vault, most)


def _readable(vault: Vault, most: int) -> list[NoteFile]:
    found: list[NoteFile] = []
    for note in sorted(vault.notes(), key=lambda note: note.mtime_ns, reverse=True):
        if len(found) == most:
            break
        try:
            text = vault.load(note.path).text
        except VaultError:
            continue  # deleted in the meantime, or unreadable, which `sam doctor` reports
        if privacy(text) == "normal":
            found.append(note)
    return found


async def edit(
    memory: Memory, seen: Provenance | None, today: date, path: str, old: str, new: str
) -> Edited:
    """Replace a text that stands in a note exactly once. Lines that are taken out are archived.

    Raises EditRefused for a note, or a text, that a model must not change.
    """
    vault = memory.vault
    name, text = await read_policy.read(vault, path)
    kind = kind_of(name, vault.sam_dir)
    read_policy.refuse_owners(vault, name)
    write_policy.check_edit(seen, old, new)
    if kind == "memory":
        user = await vault.read_optional(vault.own("user.md")) or ""
        statements.check_growth(seen, old, new, today, user)

    def change(now: str) -> str:
        read_policy.refuse_private(name, now)
        after = rewrite(now, old, new, hidden=withheld(now, name, vault.sam_dir))
        _check_facts(now, after, kind)
        return after

    if not new.strip():
        left = lines(change(text))
        gone = [row for row in lines(text) if row not in left]
        await read_policy.archive_lines(vault, name, gone or [old], cause="edit_memory")
    return await vault.edit(name, change, cause="edit_memory", create=False)


def _check_facts(before: str, after: str, kind: str) -> None:
    """Raise EditRefused for an edit that leaves a fact or rule without a required field."""
    if kind in ("fact", "rule"):
        there = {sentence for _, sentence in fact.violations(before, kind)}
        wrong = [sentence for _, sentence in fact.violations(after, kind) if sentence not in there]
        if wrong:
            raise EditRefused(" ".join(dict.fromkeys(wrong)))


def note_name(title: str) -> str:
    """Return the file name, without `.md`, of a note with that title. Raises EditRefused for a
    title without a letter or digit."""
    name = " ".join(_NOT_IN_NAMES.sub(" ", title).split()).strip(". ")
    if not re.search(r"\w", name):
        raise EditRefused(f"{title!r} is no title: give a few words.")
    return name


async def new_note(vault: Vault, title: str, text: str) -> str:
    """Write a note of that title into `notes/` of Sam's folder; return its path. Raises
    EditRefused if there is one, whatever stands in it and whatever the case of its letters."""
    path = vault.own(f"{WRITTEN}/{note_name(title)}.md")

    def change(there: str) -> str:
        if there:
            raise _taken(path)
        return text

    if twin := await asyncio.to_thread(_twin, vault, path):
        raise _taken(twin)
    return (await vault.edit(path, change, cause="create_note")).path


def _twin(vault: Vault, path: str) -> str:
    """Return the note of that name, which may differ in the case of its letters: on a Mac and on
    Windows the two would be one file. "" without one. For a thread."""
    place = vault.resolve(path)
    names = [each.name for each in place.parent.iterdir()] if place.parent.is_dir() else []
    folder = path.rpartition("/")[0]
    return next((f"{folder}/{name}" for name in names if _form(name) == _form(place.name)), "")


def _form(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _taken(path: str) -> EditRefused:
    return EditRefused(
        f"There is a note {path} already: change it with edit_memory, or give another title."
    )


def note_text(
    title: str,
    content: str,
    day: date,
    *,
    client: str,
    theirs: Foreign | None,
    sensitive: bool,
    is_log: bool,
) -> str:
    """Return a new note. Headings and lists of `content` stay, but for a heading at its top that
    repeats the title; all else is inert.

    `client`: the program that writes it, "" for Sam; `theirs`: whose words they are, if not the
    owner's; they are quoted then.
    """
    head = [
        "---",
        f"created: {day}",
        f"author: {AUTHOR}",
        *[f"client: {json.dumps(client)}"] * bool(client),
        *["privacy: sensitive"] * sensitive,
        *["kind: log"] * is_log,
        "---",
    ]
    rows = [_inert_row(row) for row in lines(_without_title(disarm(content.strip()), title))]
    body = "\n".join(rows)
    if theirs is not None:
        body = f"{inert(theirs.who)} said:\n\n{quotation(body)}"
    return "\n".join([*head, "", f"# {inert(title)}", "", body, ""])


def _without_title(content: str, title: str) -> str:
    """Return a content without a heading at its top that repeats the title; models write it often.
    A content of that heading alone stays."""
    first, _, rest = content.partition("\n")
    found = _HEADING.fullmatch(first.strip())
    repeats = found is not None and _form(found[1].strip()) == _form(title.strip())
    return rest.strip("\n") if repeats and rest.strip() else content


def _inert_row(row: str) -> str:
    lead = _LIST_OR_HEADING.match(row)
    return lead[0] + inert(row[lead.end() :]) if lead else inert(row)
