"""A file with many mails (RFC 4155), as Gmail, Thunderbird and Apple Mail export them.

Each mail begins with a line `From SENDER DATE` after an empty one. Lines of its text that begin
with "From " are marked with ">".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...errors import TransferRefused
from .imported_message import message_name
from .source_file import SourceFile

SUFFIX = ".mbox"
NAME = "mbox"  # of the file in a folder NAME.mbox of Apple Mail's
_LINE = 1 << 16  # bytes of a line that are looked at
_BEGINS = re.compile(
    rb"From (?:[^\r\n]{0,300} )?\w{3} \w{3} {1,2}\d{1,2} \d{1,2}:\d\d(?::\d\d)?(?: [^ \r\n]{1,9})?"
    rb" \d{4}(?: [^ \r\n]{1,9})?\s*\Z"
)
_HEADER = re.compile(rb"[!-9;-~]{1,80}:")
_MARKED = re.compile(rb"^>(>*From )", re.MULTILINE)


def is_mbox(head: bytes) -> bool:
    """Return whether a file with this beginning has mails in it."""
    first, _, rest = head.partition(b"\n")
    return bool(_BEGINS.match(first) and _HEADER.match(rest))


def mails_in(file: SourceFile) -> Iterator[SourceFile]:
    """Yield the mails of a file, each as a part of it. Raises TransferRefused, also if the last one
    is cut off."""
    at = begins = number = 0
    empty, inside, last = True, False, b""
    with file.opened() as stream:
        while line := stream.stream.readline(_LINE):
            if empty and _BEGINS.match(line):
                if inside:
                    yield _part(file, begins, at, number)
                begins, number, inside = at + len(line), number + 1, True
            # Of a line that is longer, the next piece is none of its own.
            empty = line in (b"\n", b"\r\n")
            at += len(line)
            last = line[-1:]
    if inside:
        if last != b"\n":
            raise TransferRefused(
                f"{file.name} ends within a line, so its last mail is cut off: export it again."
                " Nothing was imported."
            )
        yield _part(file, begins, at, number)


def unmarked(raw: bytes) -> bytes:
    """Return the text of a mail without the marks before "From "."""
    return _MARKED.sub(rb"\1", raw)


def _part(file: SourceFile, begins: int, ends: int, number: int) -> SourceFile:
    return SourceFile(file.path, message_name(number, file.name), ends - begins, begins=begins)
