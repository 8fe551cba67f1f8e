"""Purge forgotten content from the edits that can be undone.

An edit with a forgotten line is deleted as a whole: the rest of it could not be undone.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from ..history.changes import readable
from ..log import Log
from ..log.batches import line_hash
from ..log.operations.edits import KeptEdit
from ..notes import fact as facts
from ..notes.markdown import block_id, plain, split_front_matter, strip_block_id
from .archive_copies import bullet

_LINK_TO = re.compile(r"\[\[[^\[\]\n]*#\^([A-Za-z0-9-]+)\]\]")
_SHORT = 12  # characters: shorter texts may occur anywhere


async def every_line(source: Log) -> list[tuple[str, str]]:
    """Return path and text of each distinct line in the history of edits, without list markers."""
    edits = await source.edits.all()
    found = {(edit.path, bullet(line)) for edit in edits for line in edit.lines if line.strip()}
    return sorted(found)


async def lines_of(source: Log, hashes: Collection[str]) -> list[tuple[str, str]]:
    """Return path and text of the lines with these `line_hash` values."""
    return [(path, text) for path, text in await every_line(source) if line_hash(text) in hashes]


async def written_in(source: Log, turns: Iterable[int | None]) -> set[tuple[int, str, str]]:
    """Return turn, path and `line_hash` of the lines that the model wrote in these turns, whatever
    their words are; of a line that was there before only where `edit_memory` reworded it."""
    changes = {f"turn {turn}": turn for turn in turns if turn is not None}
    return {
        (changes[edit.change], edit.path, line_hash(bullet(line)))
        for edit in await source.edits.all()
        if edit.change in changes and not edit.undone
        for line in _written(edit)
    }


def _written(edit: KeptEdit) -> Iterator[str]:
    for hunk in edit.hunks:
        rows = hunk.new
        if edit.is_new:
            rows = rows[split_front_matter("".join(rows))[2] :]
        elif len(hunk.old) == len(hunk.new) and edit.cause != "edit_memory":
            continue  # a task that was done, or a line that got a mark
        for row in rows:
            if row not in hunk.old and bullet(row.strip()) and not row.startswith("#"):
                yield row.rstrip("\r\n")


async def forget(
    source: Log,
    messages: Collection[int],
    batches: Collection[str],
    ids: Collection[str | None],
    hashes: Collection[str],
    texts: Iterable[str],
) -> None:
    """Delete the edits of these batches and of the turns of these messages, and every edit with a
    line that has one of the block ids, hashes or texts, or that only links to such a line. Callers
    own `batch.lock`."""
    rows = await source.messages.by_ids(messages)
    changes = {f"batch {name}" for name in batches} | {f"turn {row.turn_id}" for row in rows}
    said = [*texts, *(line for row in rows for line in row.text.splitlines())]
    every = {text for each in said if len(text := _plain(each)) > _SHORT}
    gone = {*hashes, *map(line_hash, said)}

    def named(edit: KeptEdit) -> list[str]:
        return [line for line in edit.lines if line.strip() and _is_named(line, ids, gone, every)]

    linked = {block_id(line) for edit in await source.edits.all() for line in named(edit)} - {None}

    def goes(edit: KeptEdit) -> bool:
        return edit.change in changes or bool(named(edit)) or _only_links(edit, linked)

    await source.edits.forget(goes)


def _only_links(edit: KeptEdit, ids: Collection[str | None]) -> bool:
    """Return whether an edit shows nothing to the owner, and links to a line with one of the ids,
    as the day's file does to what was remembered."""
    links = {name for line in edit.lines for name in _LINK_TO.findall(line)}
    return not links.isdisjoint(ids) and not any(readable(edit))


def _is_named(
    line: str, ids: Collection[str | None], hashes: Collection[str], texts: Iterable[str]
) -> bool:
    if (name := block_id(line)) is not None and name in ids:
        return True
    fact = facts.parse(line)
    forms = [bullet(line), line, *([fact.text] if fact else [])]
    there = _plain(line)
    return any(line_hash(form) in hashes for form in forms) or any(text in there for text in texts)


def _plain(line: str) -> str:
    return " ".join(plain(strip_block_id(bullet(line))).split()).casefold()
