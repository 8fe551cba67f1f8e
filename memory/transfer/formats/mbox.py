"""A file with many mails (RFC 4155), as Gmail, Thunderbird and Apple Mail export them.

Each mail begins with a line `From SENDER DATE`, and its headers. Most programs mark a line of its
text that begins with "From " by a ">", but not all of them do.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePath
from typing import BinaryIO

from ...errors import TransferRefused
from .imported_message import message_name
from .mail_text import introduces
from .source_file import SourceFile, files_in

SUFFIX = ".mbox"
NAME = "mbox"  # of the file in a folder NAME.mbox of Apple Mail's
_LINE = 1 << 16  # bytes of a line that are looked at
_LONGEST_BEGINNING = 400  # bytes of a line that begins a mail
_BOM = b"\xef\xbb\xbf"
_BEGINS = re.compile(
    rb"From (?:[^\r\n]{0,300} )?\w{3} \w{3} {1,2}\d{1,2} \d{1,2}:\d\d(?::\d\d)?(?: [^ \r\n]{1,9})?"
    rb" \d{4}(?: [^ \r\n]{1,9})?\s*\Z"
)
_UNDATED = re.compile(rb"From [^@\s]{0,200}@\S{1,100}\s*\Z")
# Gmail marks every line: https://github.com/thunderbird/import-export-tools-ng/issues/145
_GMAIL = re.compile(rb"From \d{1,20}@xxx \w{3} ")
_HEADER = re.compile(rb"[!-9;-~]{1,80}:")
_MARKED = re.compile(r">+From ")


def is_mbox(head: bytes) -> bool:
    """Return whether a file with this beginning has mails in it."""
    at, _ = next(_beginnings(io.BytesIO(head)), (len(head), 0))
    return at < len(head) and not head[:at].removeprefix(_BOM).strip()


def is_named(path: PurePath) -> bool:
    """Return whether a file has the name of one with mails."""
    return NAME in (path.name, path.suffix.lower()[1:])


def files_with_mails(folder: Path) -> list[SourceFile]:
    """Return the mbox files in a folder and its subfolders: by their name, and those of
    Thunderbird, which have no suffix, by their content. Raises TransferRefused."""
    found = files_in(folder, lambda path: not path.suffix or path.suffix.lower() == SUFFIX)
    return [file for file in found if is_named(file.path) or _has_mails(file)]


def mails_in(file: SourceFile) -> Iterator[SourceFile]:
    """Yield the mails of a file, each as a part of it. Raises TransferRefused."""
    begins = number = 0
    with file.opened() as stream:
        for at, after in _beginnings(stream.stream):
            if number:
                yield _part(file, begins, at, number)
            begins, number = after, number + 1
    if number:
        yield _part(file, begins, file.size, number)


def is_cut_off(mail: SourceFile) -> bool:
    """Return whether a mail of a file ends within a line."""
    with mail.opened() as stream:
        stream.stream.seek(mail.begins + mail.size - 1)
        return stream.stream.read(1) != b"\n"


def is_marked(mail: SourceFile) -> bool:
    """Return whether a mail of a file is by a program that marks all lines of a text, so that no
    text in it can look like a further mail."""
    with mail.opened() as stream:
        stream.stream.seek(max(0, mail.begins - _LONGEST_BEGINNING))
        before = stream.stream.read(min(mail.begins, _LONGEST_BEGINNING))
    return bool(_GMAIL.match(before.rstrip().rpartition(b"\n")[2]))


def unmarked(text: str) -> str:
    """Return the text of a mail without the marks before "From ". Where the lines around it are a
    quotation, a ">" is none."""
    rows = text.split("\n")
    return "\n".join(
        row[1:] if _MARKED.match(row) and not _is_quoted(rows, number) else row
        for number, row in enumerate(rows)
    )


def _is_quoted(rows: list[str], number: int) -> bool:
    around = rows[max(0, number - 1) : number] + rows[number + 1 : number + 2]
    above = next((row for row in rows[max(0, number - 2) : number][::-1] if row.strip()), "")
    return any(row.startswith(">") for row in around) or introduces(above.strip())


def _beginnings(stream: BinaryIO) -> Iterator[tuple[int, int]]:
    """Yield where each line that begins a mail begins, and where it ends. A header has to follow
    it, and an empty line has to precede it if it has no date."""
    at, is_line, after_empty = 0, True, True
    found: tuple[int, int] | None = None
    while piece := stream.readline(_LINE):
        ends = at + len(piece)
        if is_line:  # and not the next piece of a longer one
            line = piece if at else piece.removeprefix(_BOM)
            if found and line.startswith(b">From "):  # the beginning in another program's file
                found = found[0], ends
            else:
                if found and _HEADER.match(line):
                    yield found
                begins = _BEGINS.match(line) or (after_empty and _UNDATED.match(line))
                found = (at, ends) if begins else None
            after_empty = not line.strip()
        is_line = piece.endswith(b"\n")
        at = ends


def _has_mails(file: SourceFile) -> bool:
    with suppress(TransferRefused):  # nobody said that it is one of mails
        return is_mbox(file.head())
    return False


def _part(file: SourceFile, begins: int, ends: int, number: int) -> SourceFile:
    return SourceFile(file.path, message_name(number, file.name), ends - begins, begins=begins)
