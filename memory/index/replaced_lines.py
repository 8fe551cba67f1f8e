"""The lines that the current ones of MEMORY.md and knowledge/ replaced, as the archive has them.

"I moved to Lisbon" has no word of "Where do I live?", but the archived "I live in Berlin" has, and
says by its link (`superseded_by`) which line took its place. So a current line is also found by the
wording of what it replaced.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from ..infra.text_encoding import hash_of
from ..notes import fact as facts
from ..notes.chunker import MAX_HEADING, Chunk, chunks
from ..notes.kinds import kind_of, relative
from ..notes.markdown import block_id, lines, plain
from ..vault import Vault

_ARCHIVED = ("archive/MEMORY.md", "archive/knowledge/*.md")
_CURRENT = ("MEMORY.md", "knowledge/*.md")
_DAY = re.compile(r"^\d{4}-\d\d-\d\d: ")
_SUCCESSOR = re.compile(r"#\^([A-Za-z0-9-]+)\]\]")
_MOST = 3  # older wordings of one line


def concerns(path: str, sam_dir: str) -> bool:
    """Return whether a change of that note may change what current lines have replaced."""
    return is_current(relative(path, sam_dir).removeprefix("archive/"))


def is_current(path: str, sam_dir: str = "") -> bool:
    """Return whether a note has lines that replace others."""
    return kind_of(path, sam_dir) in ("memory", "fact")


def current_notes(vault: Vault) -> list[str]:
    """Return the paths of the notes that have such lines; for a thread."""
    return [path for path in _paths(vault, _CURRENT) if vault.is_indexed(path)]


def replaced_lines(vault: Vault) -> dict[str, str]:
    """Map the block ids of lines to the wordings of what each replaced, the newest first; for a
    thread. Private ones are left out, since the line that replaced one may be shown to a model."""
    older: dict[str, list[tuple[str, str]]] = {}
    for _, note in vault.load_each(_paths(vault, _ARCHIVED)):
        for successor, name, said in _replaced(note.text):
            older.setdefault(successor, []).append((name, said))
    return {id_: "; ".join(_wordings(id_, older)) for id_ in older}


def _replaced(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield the block ids of the successor and of the archived line, and its text."""
    rows = lines(text)
    for passage in chunks(text):
        if passage.privacy != "normal":
            continue
        for row in rows[passage.start_line - 1 : passage.end_line]:
            fact = facts.parse(row)
            found = _SUCCESSOR.search(fact.get("superseded_by")) if fact is not None else None
            if fact is not None and found is not None and not fact.sensitive:
                yield found[1], fact.id or "", plain(_DAY.sub("", fact.text))


def _wordings(id_: str, older: Mapping[str, list[tuple[str, str]]]) -> list[str]:
    """Return what a line replaced, and what that had replaced."""
    found, names = dict[str, None](), [id_]
    for name in names:
        for before, said in reversed(older.get(name, [])):
            found.setdefault(said)
            if before and before not in names:
                names.append(before)
    return list(found)[:_MOST]


def hash_with(note: str, text: str, older: Mapping[str, str]) -> str:
    """Return the hash of a note and of what its lines replaced; that of the note if that is
    nothing. `note`: its own hash."""
    there = [f"{id_}\0{older[id_]}" for id_ in _ids(lines(text)) if id_ in older]
    return hash_of("\0".join([note, *there])) if there else note


def with_replaced(passage: Chunk, rows: list[str], older: Mapping[str, str]) -> Chunk:
    """Return a passage below the wordings of what its lines replaced, struck through. `rows`: of
    its note."""
    inside = rows[passage.start_line - 1 : passage.end_line]
    said = "; ".join(older[id_] for id_ in _ids(inside) if id_ in older)
    if not said:
        return passage
    struck = f"~~{said.replace(' > ', ' ')[: MAX_HEADING // 2]}~~"
    heading = " > ".join(filter(None, (struck, passage.heading)))
    return replace(passage, heading=heading[:MAX_HEADING])


def _ids(rows: Iterable[str]) -> list[str]:
    return [id_ for row in rows if (id_ := block_id(row))]


def _paths(vault: Vault, patterns: tuple[str, ...]) -> list[str]:
    root = vault.root / vault.sam_dir
    found = (file for pattern in patterns for file in sorted(root.glob(pattern)))
    return [file.relative_to(vault.root).as_posix() for file in found if file.is_file()]
