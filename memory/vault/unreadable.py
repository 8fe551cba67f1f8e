"""Report notes that cannot be read or indexed, with reasons. Read-only, and shown only to the
owner. `sealed/` and notes excluded by the owner are skipped.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ..errors import NoteMissing, SamError
from ..infra import atomic_files, text_encoding
from ..notes import markdown
from . import paths, scanner
from .scanner import Exclusion

NOT_UTF8 = "is not in UTF-8: it is read as far as it goes, and Sam never changes it"
BINARY = "is no text: search leaves it out"
OPEN_FRONT = "has front matter that never ends: its fields count as text as well"
LINK = "is a link, which is not followed"
DEVICE = "is a device, a pipe or a socket, and no note"
NAME = "has a name that no note can have"
_ADVICE = {
    NOT_UTF8: "save it as UTF-8 in an editor",
    BINARY: "give it another ending than .md, or delete it",
    OPEN_FRONT: "close it with a line `---`",
    LINK: "move the note or folder into the vault",
    DEVICE: "move it out of the vault",
    NAME: "rename it",
}


@dataclass(frozen=True, slots=True)
class UnreadableNote:
    """A note that cannot be read or indexed. `path` is safe to print; `why` is the predicate of a
    sentence about it; `advice` says what to do."""

    path: str
    why: str
    advice: str


def unreadable_notes(root: Path, sam_dir: str, hidden: Exclusion) -> Iterator[UnreadableNote]:
    """Yield all unreadable notes, by folder; runs in a thread and reads every note.

    Raises OSError if the root cannot be read."""
    shut: list[UnreadableNote] = []

    def looks(path: str, *, folder: bool) -> bool:
        return not paths.unindexed(path, sam_dir) and not hidden.hides(path, folder=folder)

    def skipped(folder: str, error: OSError) -> None:
        shut.append(
            UnreadableNote(
                paths.printable(folder),
                f"cannot be looked into ({error.strerror})",
                "check its permissions, or move it out of the vault",
            )
        )

    for path, entry in scanner.entries(root, partial(looks, folder=True), skipped):
        if looks(path, folder=False) and (found := _problem(root, path, entry)):
            yield UnreadableNote(paths.printable(path), *found)
    yield from shut


def _problem(root: Path, path: str, entry: os.DirEntry[str]) -> tuple[str, str] | None:
    """Return why a note cannot be read, and what to do about it; None if it can be."""
    try:
        why = _why(root, path, entry)
    except NoteMissing:
        return None  # deleted meanwhile
    except SamError as error:
        # `notes/plan.md cannot be read (…): check its permissions.`, or with the file's name alone
        said = str(error).removeprefix(paths.printable(path)).removeprefix(entry.name)
        why, _, advice = said.strip().removesuffix(".").partition(": ")
        return why, advice or "fix the problem it describes"
    return (why, _ADVICE[why]) if why else None


def _why(root: Path, path: str, entry: os.DirEntry[str]) -> str:
    """Return the reason, one of those of _ADVICE, or nothing. Raises SamError."""
    named = path[-3:].lower() == ".md"
    if entry.is_symlink():
        real = Path(
            os.path.realpath(root / path)
        )  # not Path.resolve, which fails on an endless link
        inside = Path(os.path.realpath(root)) in real.parents and real.exists()
        return LINK if not inside and (named or real.is_dir()) else ""
    if not named:
        return ""
    if not stat.S_ISREG(entry.stat(follow_symlinks=False).st_mode):
        return DEVICE
    if not paths.valid(path):
        return NAME
    with atomic_files.translate_errors(paths.printable(path), "read"):
        text, form = text_encoding.decode(atomic_files.read(root / path).data)
    if not form.utf8:
        return BINARY if form.binary else NOT_UTF8
    fields, _, count = markdown.split_front_matter(text)
    return OPEN_FRONT if fields and not count else ""
