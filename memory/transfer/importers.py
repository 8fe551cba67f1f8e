"""The formats that can be imported (IMPORTERS), recognised by content instead of file name."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from pathlib import Path, PurePath

from ..errors import TransferRefused, UnknownFormat
from ..text import mark, tr
from .formats import chatgpt, claude, mail, mbox, telegram, whatsapp
from .formats.imported_message import ImportedMessage, LeftOut, Read, digest
from .formats.json_reader import JsonReader
from .formats.notes import dayone, keep
from .formats.source_file import (
    MEMBERS,
    NOTES,
    CountingReader,
    Progress,
    SourceFile,
    after,
    files_in,
    heads,
    no_progress,
    opened_in_turn,
    packed_files,
    source_files,
    unpacked_files,
)

KNOWN = (
    "the export of ChatGPT or Claude (conversations.json, or its ZIP), of Telegram (result.json),"
    " of a WhatsApp chat (_chat.txt, or its ZIP), of Google Keep (a ZIP of Google Takeout), of Day"
    " One (a ZIP with JSON), the folder of one that is unpacked, a .mbox file, a folder of Markdown"
    " notes or .eml mails, or an export of Sam's"
)


PACKED = mark("mail in a ZIP has to be unpacked first")


@dataclass(frozen=True, slots=True)
class Importer:
    """One format. `recognises` gets the first bytes of a file. `read` yields the messages of all
    files of one path, and reports the bytes read to the Progress. `names`: how its files are called
    among others, in a ZIP or a folder."""

    source: str
    name: str
    recognises: Callable[[bytes], bool]
    read: Callable[[Sequence[SourceFile], tzinfo, Progress], Iterator[Read]]
    names: re.Pattern[str] = MEMBERS


def _one_by_one(
    read: Callable[[SourceFile, CountingReader, tzinfo], Iterator[Read]],
) -> Callable[[Sequence[SourceFile], tzinfo, Progress], Iterator[Read]]:
    """Turn a reader of one file into a reader of several."""

    def each(files: Sequence[SourceFile], zone: tzinfo, progress: Progress) -> Iterator[Read]:
        for file, stream in opened_in_turn(files, progress):
            yield from read(file, stream, zone)

    return each


_OF_TELEGRAM = (b'"messages"', b'"chats"', b'"personal_information"')

IMPORTERS = (
    Importer(
        "chatgpt",
        "ChatGPT",
        lambda head: _begins(head, b"[") and b'"mapping"' in head,
        _one_by_one(lambda file, stream, zone: chatgpt.read(JsonReader(stream, file.name))),
    ),
    Importer(
        "claude",
        "Claude",
        lambda head: _begins(head, b"[") and b'"chat_messages"' in head,
        _one_by_one(lambda file, stream, zone: claude.read(JsonReader(stream, file.name))),
    ),
    Importer(
        "telegram",
        "Telegram",
        lambda head: _begins(head, b"{") and any(key in head for key in _OF_TELEGRAM),
        _one_by_one(lambda file, stream, zone: telegram.read(JsonReader(stream, file.name), zone)),
    ),
    Importer("whatsapp", "WhatsApp", whatsapp.is_chat, _one_by_one(whatsapp.read)),
    Importer(
        "keep",
        "Google Keep",
        lambda head: _begins(head, b"{") and b'"isTrashed"' in head and b'"isArchived"' in head,
        keep.read,
        NOTES,
    ),
    Importer("dayone", "Day One", dayone.is_journal, dayone.read, NOTES),
)
"""The formats; the first one that recognises a file reads it."""
MAILS = Importer("mail", "mail", bool, lambda files, zone, progress: mail.read(files, progress))
"""Mails in a folder or a file. Not in IMPORTERS: a single mail sent to the chat is to be read, not
imported."""


@dataclass(frozen=True, slots=True)
class Conversations:
    """The files with conversations at one path. `left_out`: what is there too, but is not read."""

    path: Path
    name: str
    importer: Importer
    files: tuple[SourceFile, ...]
    left_out: tuple[LeftOut, ...] = ()

    @property
    def size(self) -> int:
        """The number of bytes to read."""
        return sum(file.size for file in self.files)

    def read(
        self,
        zone: tzinfo,
        progress: Progress = no_progress,
        leave_out: Callable[[LeftOut], None] = lambda each: None,
    ) -> Iterator[ImportedMessage]:
        """Yield all messages; call `leave_out` with what cannot be one. Raises TransferRefused."""
        for other in self.left_out:
            leave_out(other)
        for each in self.importer.read(self.files, zone, progress):
            if isinstance(each, LeftOut):
                leave_out(each)
            else:
                yield each

    def mark(self) -> str:
        """Return a fingerprint of the files, to recognise them on another import."""
        if self.files[0].member is not None or self.files[0].path == self.path:
            return self.files[0].mark()  # it is that of the whole file
        if self.importer is MAILS:
            return str(self.path.resolve())
        marks = [file.mark() for file in self.files]
        return digest(*marks) if len(marks) > 1 else marks[0]


def conversations(path: Path, name: str = "") -> Conversations:
    """Recognise the format of the file at that path, or those of a ZIP. `name`: its original name,
    if it differs.

    Raises UnknownFormat, or TransferRefused if the file cannot be read.
    """
    name = name or path.name
    files = source_files(path, name)
    mails = [file for file in packed_files(path, name) if _is_mail(file) or mbox.is_named(file)]
    if found := _by_format(path, name, files):
        packed = tuple(LeftOut(tr(PACKED), str(file)) for file in mails)
        return replace(_as_one(found), left_out=packed)
    hint = " To import the mail in it, unpack it first, and give the folder." if mails else ""
    if not files:
        raise UnknownFormat(
            f"{name} has no conversations.json, result.json, _chat.txt or other .json file in it."
            + hint
        )
    if files[0].member is None and mbox.is_mbox(files[0].head()):
        return Conversations(path, name, MAILS, tuple(mbox.mails_in(files[0])))
    why = "" if all(_is_utf8(head) for _, head in heads(files)) else ", and not in UTF-8"
    if _WEB_PAGE.match(files[0].head()):
        why = ", but a web page (choose JSON where you export it)"
    raise UnknownFormat(f"{name} is none of what can be imported{why}: {KNOWN}.{hint}")


def unpacked_exports(folder: Path) -> list[Conversations]:
    """Return the conversations of the exports in a folder, one for each of their formats.

    Raises TransferRefused if the folder or a file cannot be read.
    """
    return _by_format(folder, folder.resolve().name, unpacked_files(folder))


def _by_format(path: Path, name: str, files: Sequence[SourceFile]) -> list[Conversations]:
    """Return the files of each format in the order of IMPORTERS. An export has other files too."""
    found = [(file, _importer(file, head, path)) for file, head in heads(files)]
    of_each = (
        (each, tuple(file for file, importer in found if importer is each)) for each in IMPORTERS
    )
    return [Conversations(path, name, each, files) for each, files in of_each if files]


def _as_one(found: Sequence[Conversations]) -> Conversations:
    """Return the conversations of several formats in one ZIP as those of one, which reads each."""
    if len(found) == 1:
        return found[0]

    def read(files: Sequence[SourceFile], zone: tzinfo, progress: Progress) -> Iterator[Read]:
        before = 0
        for each in found:
            yield from each.importer.read(each.files, zone, after(before, progress))
            before += each.size

    sources = ", ".join(each.importer.source for each in found)
    names = ", ".join(each.importer.name for each in found)
    files = tuple(file for each in found for file in each.files)
    return replace(found[0], importer=Importer(sources, names, bool, read), files=files)


def mailbox(folder: Path) -> Conversations | None:
    """Return the mails in a folder and its subfolders; None if there is no `.eml` or mbox file.

    Links are not followed; hidden folders are skipped. Raises TransferRefused if no file is a valid
    mail.
    """
    files = files_in(folder, _is_mail)
    for file in mbox.files_with_mails(folder):
        files += mbox.mails_in(file)
    if not files:
        return None
    if not any(map(mail.is_mail, files)):
        raise TransferRefused(f"No mail in {folder} has a sender and a date. Nothing was imported.")
    return Conversations(folder, folder.resolve().name, MAILS, tuple(files))


def _is_mail(file: PurePath) -> bool:
    return file.suffix.lower() == mail.SUFFIX


def _importer(file: SourceFile, head: bytes, given: Path) -> Importer | None:
    """Return the format of a file; its name counts unless it is the one that was `given`."""
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):  # refused in its own words
        head = head.decode("utf-16", "ignore").encode()
    is_given = file.member is None and file.path == given
    return next(
        (
            each
            for each in IMPORTERS
            if (is_given or each.names.fullmatch(file.file_name)) and each.recognises(head)
        ),
        None,
    )


_WEB_PAGE = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype )?html\b", re.IGNORECASE)


def _is_utf8(head: bytes) -> bool:
    """Return whether the first bytes of a file are text in UTF-8, its last character cut or not."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return b"\0" not in head


def _begins(head: bytes, mark: bytes) -> bool:
    return head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(mark)
