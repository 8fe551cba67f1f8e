"""What memory learned in a period, line by line: added, changed, retired; derived from the
edits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ..knowledge.lifetime import CAUSE as MERGE
from ..log.operations.edits import Hunk, KeptEdit
from ..notes import fact as facts
from ..notes.daily_note import is_summary
from ..notes.kinds import kind_of
from ..notes.markdown import block_id, lines, privacy
from ..vault import Vault
from .changes import is_archive, line_text
from .patch import mark

_FACTS = frozenset({"fact", "rule"})
_KINDS = _FACTS | {"memory", "summary"}
_LAST = "summary"  # facts and remembered lines come before the lines of the days
_AS_ONE = ("fact ", "retire ", MERGE)  # causes whose edits belong to one line


@dataclass(frozen=True, slots=True)
class Learned:
    """One line. `name`: its id among all edits; `text`: as shown to the owner now, or before it was
    retired; `before`: the previous text of a changed line; `private`: no model may see it. `part`:
    the line's part of the edit; None if all edits of that change and cause belong to it. `is_fact`:
    it is in knowledge/, where a line can be pinned.
    """

    name: str
    kind: Literal["added", "changed", "retired"]
    text: str
    before: str
    edit: KeptEdit
    line: str
    part: Hunk | None
    private: bool
    is_fact: bool = False

    @property
    def path(self) -> str:
        """Return the note's path."""
        return self.edit.path


def learned(vault: Vault, edits: Sequence[KeptEdit]) -> list[Learned]:
    """Return the lines learned by these edits that are still in effect, facts first; runs in a
    thread. Lines of a note that the owner has renamed have its new path.

    Tasks, transcripts, archive/ and notes are left out, except those that were merged from others.
    """
    edits = _followed(vault, edits)
    texts = {path: vault.load_optional(path) or "" for path in {edit.path for edit in edits}}
    found = [
        each
        for edit in edits
        if not edit.undone and not is_archive(edit.path, vault.sam_dir)
        for each in _of_edit(edit, texts[edit.path], kind_of(edit.path, vault.sam_dir))
    ]
    by_line = {(each.path, block_id(each.line) or each.text, each.kind): each for each in found}
    return sorted(by_line.values(), key=lambda e: kind_of(e.path, vault.sam_dir) == _LAST)


def _followed(vault: Vault, edits: Sequence[KeptEdit]) -> Sequence[KeptEdit]:
    """Return the edits with the present paths of the notes that were renamed: those that have the
    ids of their lines."""
    lost = {edit.path for edit in edits if vault.load_optional(edit.path) is None}
    if not lost:
        return edits
    paths = (file.path for file in vault.notes() if kind_of(file.path, vault.sam_dir) in _KINDS)
    now: dict[str | None, str] = {
        id_: path
        for path, note in vault.load_each(paths)
        for row in lines(note.text)
        if (id_ := block_id(row))
    }
    return [
        replace(
            edit,
            path=next((now[id_] for id_ in map(block_id, edit.lines) if id_ in now), edit.path),
        )
        if edit.path in lost
        else edit
        for edit in edits
    ]


def _merged_note(edit: KeptEdit, text: str) -> Iterator[Learned]:
    """Yield the title of a note into which the nightly job has merged others."""
    rows = [_bare(line) for hunk in edit.hunks for line in hunk.new if line.startswith("# ")]
    if edit.cause == MERGE and rows and mark(rows[0]) in {mark(row) for row in lines(text)}:
        title, private = rows[0].removeprefix("# "), privacy(text) != "normal"
        yield Learned(f"{edit.id}.1", "added", title, "", edit, rows[0], None, private)


def _of_edit(edit: KeptEdit, text: str, kind: str) -> Iterator[Learned]:
    if kind not in _KINDS:
        yield from _merged_note(edit, text)
        return
    now, number = lines(text), 0
    there, hidden = {mark(row) for row in now}, privacy(text) != "normal"
    ids = {id_ for row in now if (id_ := block_id(row))}
    for hunk in edit.hunks:
        for at, old, new in _pairs(hunk):
            number += 1
            is_so = mark(new) in there if new else not ({mark(old)} & there or block_id(old) in ids)
            if line_text(old) == line_text(new) or not is_so:
                continue
            line = new or old
            fact = facts.parse(line)
            yield Learned(
                name=f"{edit.id}.{number}",
                kind="changed" if old and new else "added" if new else "retired",
                text=line_text(line),
                before=line_text(old) if new else "",
                edit=edit,
                line=line,
                part=None if edit.cause.startswith(_AS_ONE) else at,
                private=hidden or (fact is not None and fact.sensitive),
                is_fact=kind in _FACTS,
            )


def _pairs(hunk: Hunk) -> Iterator[tuple[Hunk, str, str]]:
    """Yield each list item that was replaced, added ("" before) or removed ("" after), with its
    part of the hunk."""
    olds = [line for line in hunk.old if _says(line)]
    news = [(n, line) for n, line in enumerate(hunk.new) if _says(line)]
    if len(olds) == len(news):
        for old, (n, new) in zip(olds, news, strict=True):
            yield Hunk(hunk.at + n, (old,), (hunk.new[n],)), _bare(old), _bare(new)
        return
    same = {_key(line) for line in olds} & {_key(line) for _, line in news}
    for line in olds:
        if _key(line) not in same:
            yield Hunk(hunk.at, (line,), ()), _bare(line), ""
    for n, line in news:
        if _key(line) not in same:
            yield Hunk(hunk.at + n, (), (line,)), "", _bare(line)


def _says(line: str) -> bool:
    bare = _bare(line).strip()
    return bare.startswith(("- ", "* ", "+ ")) and not is_summary(bare) and bool(line_text(bare))


def _key(line: str) -> str:
    return block_id(_bare(line)) or line_text(line)


def _bare(line: str) -> str:
    return line.rstrip("\r\n")
