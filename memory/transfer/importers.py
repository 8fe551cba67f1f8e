"""The formats that can be imported: IMPORTERS, recognised by content and not by a file's name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import tzinfo
from pathlib import Path

from ..errors import UnknownFormat
from .formats import chatgpt, claude, telegram, whatsapp
from .formats.heard import Heard
from .formats.json_reader import JsonReader
from .formats.source_file import CountingReader, Progress, SourceFile, no_progress, source_files

KNOWN = (
    "the export of ChatGPT or Claude (conversations.json, or its ZIP), of Telegram (result.json),"
    " of a WhatsApp chat (_chat.txt, or its ZIP), a folder of Markdown notes, or an export of Sam's"
)


@dataclass(frozen=True, slots=True)
class Importer:
    """One format. `recognises` is given the first bytes of a file, `read` yields its messages."""

    source: str
    name: str
    recognises: Callable[[bytes], bool]
    read: Callable[[SourceFile, CountingReader, tzinfo], Iterator[Heard]]


_OF_TELEGRAM = (b'"messages"', b'"chats"', b'"personal_information"')

IMPORTERS = (
    Importer(
        "chatgpt",
        "ChatGPT",
        lambda head: _begins(head, b"[") and b'"mapping"' in head,
        lambda source, stream, zone: chatgpt.read(JsonReader(stream, source.name)),
    ),
    Importer(
        "claude",
        "Claude",
        lambda head: _begins(head, b"[") and b'"chat_messages"' in head,
        lambda source, stream, zone: claude.read(JsonReader(stream, source.name)),
    ),
    Importer(
        "telegram",
        "Telegram",
        lambda head: _begins(head, b"{") and any(key in head for key in _OF_TELEGRAM),
        lambda source, stream, zone: telegram.read(JsonReader(stream, source.name), zone),
    ),
    Importer("whatsapp", "WhatsApp", whatsapp.is_chat, whatsapp.read),
)
"""Format by format; the first one that recognises a file reads it."""


@dataclass(frozen=True, slots=True)
class Conversations:
    """The files with conversations at one path, all of one format."""

    path: Path
    name: str
    importer: Importer
    files: tuple[SourceFile, ...]

    @property
    def size(self) -> int:
        """The bytes that are read."""
        return sum(file.size for file in self.files)

    def read(self, zone: tzinfo, progress: Progress = no_progress) -> Iterator[Heard]:
        """Yield all messages. Raises TransferRefused."""
        before = 0
        for file in self.files:
            with file.opened(lambda done, before=before: progress(before + done)) as stream:  # type: ignore[misc]  # bound now
                yield from self.importer.read(file, stream, zone)
            before += file.size


def conversations(path: Path, name: str = "") -> Conversations:
    """Recognise the file at that path. `name`: its original name, if it is stored under another
    one.

    Raises UnknownFormat, and TransferRefused for a file that cannot be read.
    """
    name = name or path.name
    files = source_files(path, name)
    found = [(file, _importer(file.head())) for file in files]
    known = [importer for _, importer in found if importer is not None]
    if not known:
        raise UnknownFormat(f"{name} is none of what can be imported: {KNOWN}.")
    # An export has other files besides its conversations; those of another format are not read.
    return Conversations(
        path, name, known[0], tuple(file for file, importer in found if importer is known[0])
    )


def _importer(head: bytes) -> Importer | None:
    return next((each for each in IMPORTERS if each.recognises(head)), None)


def _begins(head: bytes, mark: bytes) -> bool:
    return head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(mark)
