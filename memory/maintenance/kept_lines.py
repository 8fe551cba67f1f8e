"""Find the lines of Sam's notes that are about some words, or were made of some messages."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..log import Message
from ..log.batches import line_hash
from ..log.knowledge.facts import FactRow
from ..log.transcript import entries
from ..notes.daily_note import is_mere_link
from ..notes.kinds import AUTHOR, WRITTEN, kind_of
from ..notes.markdown import block_id, lines, plain, split_front_matter, strip_block_id
from ..vault import starter
from . import edit_history
from .archive_copies import bullet
from .content_words import ContentWords

if TYPE_CHECKING:
    from ..core import Memory
    from ..search import Hit
    from ..vault import Vault

SHORT = 12  # characters: shorter texts may occur anywhere
_KINDS = frozenset({"memory", "fact", "rule", "summary", "task"})
_FOLDERS = ("sessions/", "archive/")
_LINK = re.compile(r"#\^([A-Za-z0-9-]{1,40})")


@dataclass(frozen=True, slots=True)
class LineErasure:
    """A line that is removed from a note of Sam's, without its list marker; `line` from 1.

    0: only what can be undone has it. With the first line of a message's block, all of it goes.
    """

    path: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class LinesToForget:
    """Decides which lines are to be forgotten with some words and the messages that were found.

    `passages`: recalled; `texts`: of the messages; `written`: path and hash of the lines that the
    model wrote in their turns; `bullets`: hashes of the bullets that were made of them; `batches`:
    all bullets by their batch; `taken`: the ids of the messages.
    """

    asked: ContentWords
    passages: Sequence[Hit]
    texts: Collection[str]
    written: Collection[tuple[str, str]]
    bullets: Set[str]
    batches: Mapping[str, Sequence[str]]
    taken: Collection[int]

    @classmethod
    async def of(
        cls,
        memory: Memory,
        every: Sequence[Message],
        taken: Collection[int],
        asked: ContentWords,
        passages: Sequence[Hit],
    ) -> LinesToForget:
        """Return the rules for these words and for the messages with the ids in `taken`."""
        own = [each for each in every if each.id in taken]
        # What Sam also answered to something else is no copy of this answer.
        usual = {plain_text(m.text) for m in every if m.role == "assistant" and m.id not in taken}
        said = [(each.role, plain_text(each.text)) for each in own]
        texts = {
            t for role, t in said if len(t) > SHORT and (role != "assistant" or t not in usual)
        }
        derived = await memory.log.forgetting.derived(taken)
        written = await edit_history.written_in(memory.log, {each.turn_id for each in own})
        return cls(
            asked,
            passages,
            texts,
            {(path, hash_) for _, path, hash_ in written},
            {line_hash(line) for one in derived for line in one.deleted_bullets},
            {one.batch: [text for text, _ in one.lines] for one in derived},
            taken,
        )

    def in_notes(self, vault: Vault) -> tuple[dict[str, list[str]], list[str]]:
        """Return the lines to forget in Sam's notes (line → places), and the places in the owner's
        notes that have the words. Runs in a thread."""
        places: dict[str, list[str]] = {}
        yours: list[str] = []
        sams = set(notes_of_sams(vault))
        for file in vault.files():
            if not file.path.lower().endswith(".md"):
                continue
            for number, row in _rows(vault, file.path):
                if _is_of_starter(row):
                    continue
                if file.path not in sams:
                    if self.asked.are_in(row):
                        yours.append(f"{file.path}:{number}")
                elif self.has(file.path, number, row):
                    places.setdefault(_bare(row), []).append(f"{file.path}:{number}")
        return places, yours

    async def add_elsewhere(
        self, memory: Memory, places: dict[str, list[str]], facts: Iterable[FactRow]
    ) -> None:
        """Add to `places` the lines to forget that only the log, an archived copy or the history of
        edits has."""
        for path, text in await memory.log.forgetting.written():
            if self.has(path, 0, text):
                places.setdefault(text, [path or "a fact that waits to be written"])
        for line, where in (await copies_of(memory)).items():
            if self.has("", 0, line) and not _is_of_starter(bullet(line)):
                places.setdefault(bullet(line), []).extend(dict.fromkeys(where))
        shown = {shown_text(text) for text in places}
        for path, text in await edit_history.every_line(memory.log):
            is_new = shown_text(text) not in shown and not _is_of_starter(text)
            if is_new and self.has(path, 0, text):
                places.setdefault(text, [f"{path} (of before, for /undo)"])
        known = {block_id(first_row(text)) for text in places}
        known |= {each.id for each in await memory.log.facts.alone_from(self.taken)}
        for row in facts:
            if row.id not in known and self.has(row.path, 0, row.text):
                places.setdefault(row.text, [row.path])

    def has(self, path: str, number: int, row: str) -> bool:
        """Return whether the line with that path, number and text is to be forgotten.

        Not a mere link to a line of MEMORY.md: `update_memory_links` removes it with that line.
        """
        if is_mere_link(f"- {strip_block_id(first_row(_bare(row)))}"):
            return False
        plain_row = plain_text(row)
        if self.asked.are_in(row) or any(text in plain_row for text in self.texts):
            return True
        if (path, line_hash(first_row(_bare(row)))) in self.written:
            return True
        if any(h.path == path and h.start_line <= number <= h.end_line for h in self.passages):
            return self.asked.are_mostly_in(row)
        return self._comes_from_messages(row)

    def _comes_from_messages(self, row: str) -> bool:
        """Return whether a line with a link to a batch says most of a bullet that goes."""
        for batch in _LINK.findall(row):
            words = ContentWords(shown_text(row))
            best = max(self.batches.get(batch, ()), key=words.shared, default="")
            if best and line_hash(best) in self.bullets and words.shared(best):
                return True
        return False


def notes_of_sams(vault: Vault) -> Iterator[str]:
    """Yield the paths of the notes whose lines Sam writes; for a thread."""
    inside = f"{vault.sam_dir}/" if vault.sam_dir else ""
    for file in vault.files():
        name = file.path.removeprefix(inside)
        if not file.path.startswith(inside) or not name.lower().endswith(".md"):
            continue
        if name.startswith(_FOLDERS) or kind_of(file.path, vault.sam_dir) in _KINDS:
            yield file.path
        elif name.startswith(f"{WRITTEN}/"):
            for path, note in vault.load_each([file.path]):
                if split_front_matter(note.text)[0].get("author") == AUTHOR:
                    yield path


def line_places(
    vault: Vault, hashes: Collection[str], marks: Collection[str]
) -> Iterator[LineErasure]:
    """Yield the places of these lines, and of the messages with these marks."""
    for path, note in vault.load_each(notes_of_sams(vault) if hashes or marks else ()):
        for each in entries(note.text):
            text = bullet(lines(each.rows[0])[0])
            if each.mark in marks or (text and line_hash(text) in hashes):
                yield LineErasure(path, each.line, text)


async def copies_of(memory: Memory) -> dict[str, list[str]]:
    """Map the lines that the log keeps of the owner's files to what they are copies in: earlier
    versions, and changes that were proposed."""
    found: dict[str, list[str]] = {}
    for version in await memory.log.versions.all():
        for row in lines(version.text):
            if row.strip():
                found.setdefault(row, []).append(f"an earlier version of {version.path}")
    for change in await memory.log.proposals.open():
        for row in lines(f"{change.old}\n{change.new}\n{change.reason}"):
            if row.strip():
                found.setdefault(row, []).append(f"a proposed change of {change.path}")
    return found


def _rows(vault: Vault, path: str) -> Iterator[tuple[int, str]]:
    """Yield a note's lines with their numbers; a message's block as one, with its line breaks."""
    for _, note in vault.load_each([path]):
        for each in entries(note.text):
            if row := "\n".join(lines("\n".join(each.rows))).rstrip():
                yield each.line, row


def _is_of_starter(row: str) -> bool:
    """Return whether a line is one of the starter vault."""
    return starter.comparable(row) in starter.starter_lines()


def _bare(row: str) -> str:
    """Return a row without its list marker; the lines below it as they are."""
    first, between, rest = row.partition("\n")
    return f"{bullet(first)}{between}{rest}"


def first_row(row: str) -> str:
    """Return the first line of a row: a message's block has several."""
    return row.partition("\n")[0]


def shown_text(row: str) -> str:
    """Return a row as one line, without Markdown and its block id."""
    first, *rest = map(bullet, row.split("\n"))
    return " ".join(map(plain, (strip_block_id(first), *rest)))


def plain_text(text: str) -> str:
    """Return a text for comparison: as shown, without its case and its spaces."""
    return " ".join(shown_text(text).split()).casefold()
