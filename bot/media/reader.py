"""Fetch the files of a turn, and read them: for the model, and for the log."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from memory import OWNER, Memory, SamError, Usage
from memory.infra import Backoff
from memory.text import mark, size, tr

from ..claude.request import Block
from ..errors import FileNotStored, MessageRefused, TelegramDown, TooLarge, TranscriberDown
from ..settings import Settings
from . import conversion
from .attachments import file_words, keep_file
from .conversion import Converted
from .files import MediaFiles
from .message_content import AUDIBLE, Attachment, Incoming
from .speech import Transcriber

log = logging.getLogger(__name__)

BACKOFF = Backoff(first=1.0, longest=60.0, tries=10)  # about five minutes
MOST_SHOWN = 20_000_000  # bytes of one turn's pictures and PDFs: a request may have 32 MB of base64
READ_KINDS = frozenset({"photo", "pdf", "text", "voice", "audio"})

NO_EARS = mark(
    "I cannot listen to {} yet: I need speech-to-text. Set TRANSCRIBE_BASE_URL in my .env to an "
    "OpenAI-compatible server, or to local for a model on my machine (see docs/media.md), and send "
    "it again. Or can you write it instead?"
)
DEAF = mark("I cannot listen to {} yet. Can you write it instead?")
TOO_LARGE = mark(
    "That is too large for me: the {} is {}, and I accept up to {} MB. Can you send a smaller "
    "one, or write it instead?"
)
INCOGNITO = mark(
    "I fetch no files where I keep nothing, so I do not know what is in the {}. Write it instead, "
    "or send it again in a message that I may keep (in an incognito chat: after /new)."
)

KINDS = (
    *(mark("photo"), mark("picture"), mark("voice message"), mark("video message")),
    *(mark("audio"), mark("video"), mark("animation"), mark("file"), mark("PDF")),
)
"""The kinds of files, as their labels begin (bot/media/message_content.py)."""

Fetch = Callable[[str, BinaryIO, int], Awaitable[None]]
"""Write the file of that id to a stream, up to so many bytes. Raises TooLarge, MessageRefused,
TelegramDown."""


@dataclass(slots=True)
class Reading:
    """The result of reading a turn's files. `about`: details for the labels, and the text, by
    message key; `blocks`: the model's input, by Telegram's message id; `notes`: notices for the
    sender; `heard`: transcripts of voice messages, by key.
    """

    about: dict[str, tuple[str, str]] = field(default_factory=dict)
    blocks: dict[int, Block] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    heard: dict[str, str] = field(default_factory=dict)


class Reader:
    """Reads the files of messages, independently of the kind of chat."""

    def __init__(self, settings: Settings, fetch: Fetch) -> None:
        self._fetch, self._most = fetch, settings.media_max_mb * 1_000_000
        self._most_mb = settings.media_max_mb
        self._ears = Transcriber(settings)

    def _refusal(self, file: Attachment, profile: str = OWNER, *, incognito: bool) -> str:
        """Return why a file is not even fetched, in a sentence for its sender; "" if it is."""
        if file.kind not in READ_KINDS:
            return ""
        if incognito:
            return tr(INCOGNITO).format(_named(file))
        if file.size is not None and file.size > self._most:
            return self._too_large(file)
        if file.kind in AUDIBLE and not self._ears.is_set_up:
            what = tr("voice messages") if file.kind == "voice" else tr("audio files")
            return tr(NO_EARS if profile == OWNER else DEAF).format(what)
        return ""

    def refusal_of(self, incoming: Incoming, *, incognito: bool, profile: str = OWNER) -> str:
        """Return why nothing in a message to that profile can be read; "" if there is something to
        answer."""
        refusals = [self._refusal(each, profile, incognito=incognito) for each in incoming.files]
        if not refusals or not all(refusals) or not incoming.is_wordless:
            return ""
        return "\n".join(dict.fromkeys(refusals))

    def _too_large(self, file: Attachment) -> str:
        has = size(file.size) if file.size else tr("more")
        return tr(TOO_LARGE).format(_named(file), has, self._most_mb)

    async def read(
        self,
        files: Sequence[Attachment],
        folder: Path | None,
        usage: Callable[[Usage], Awaitable[None]],
    ) -> Reading:
        """Fetch and read the files; a failure is reported in the reading, and never ends the turn.

        `folder`: where they are kept for some days; None: nothing is kept, and none fetched.
        """
        reading, room = Reading(), MOST_SHOWN
        for file in files:
            if refusal := self._refusal(file, incognito=folder is None):
                too_large = file.size is not None and file.size > self._most
                about = "too large" if too_large else "not heard"
                reading.about[file.key] = ("not fetched" if folder is None else about, "")
                reading.notes.append(refusal)
                continue
            if folder is None or file.kind not in READ_KINDS:
                reading.about[file.key] = ("which I cannot view", "")
                continue
            done = await self._one(file, folder, usage, reading)
            reading.about[file.key] = (done.about, "" if file.answered else done.text)
            if done.block is not None:
                taken = len(str(done.block["source"])) * 3 // 4
                if taken <= room:
                    reading.blocks[file.message_id] = done.block
                    room -= taken
                else:
                    reading.about[file.key] = ("not shown: too many at once", done.text)
        return reading

    async def _one(
        self,
        file: Attachment,
        folder: Path,
        usage: Callable[[Usage], Awaitable[None]],
        reading: Reading,
    ) -> Converted:
        try:
            data = await asyncio.to_thread((await self._stored(file, folder)).read_bytes)
            match file.kind:
                case "photo":
                    return conversion.picture(data)
                case "pdf":
                    return await conversion.pdf(data, file.name)
                case "text":
                    return await asyncio.to_thread(conversion.text, data, file.suffix)
            words = await self._ears.text(data, file.name, usage)
            if file.kind == "voice":
                reading.heard[file.key] = words
            return Converted(text=words) if words else Converted("without words")
        except TooLarge:
            reading.notes.append(self._too_large(file))
            return Converted("too large")
        except TranscriberDown as down:
            reading.notes.append(
                tr("I could not hear the {label}: {down}.", label=_named(file), down=down)
            )
            return Converted("not heard")
        except FileNotStored as full:
            reading.notes.append(str(full))
            return Converted("could not be stored")
        except SamError as wrong:
            log.warning("a file could not be fetched: %s", wrong)
            reading.notes.append(
                tr("I could not get the {label} from Telegram. Send it again?", label=_named(file))
            )
            return Converted("could not be fetched")

    async def store(self, memory: Memory, file: Attachment) -> Path:
        """Fetch a file into the folder of received files, and return its path. Raises TooLarge,
        MessageRefused, TelegramDown, FileNotStored."""
        if file.size is not None and file.size > self._most:
            raise TooLarge(self._too_large(file))
        return await self._stored(file, memory.profile.files.media)

    async def keep(
        self, memory: Memory, file: Attachment | None, caption: str, at: datetime
    ) -> str:
        """Keep a file in the vault, and return its path there; "" without one. Raises SamError."""
        if file is None:
            return ""
        path = await self.store(memory, file)
        chat = f"telegram:{file.chat_id}"
        logged = await memory.log.messages.with_file(chat, file.message_id)
        words = file_words(logged) if logged else ()
        return await keep_file(memory, path, file.name, words, caption, at)

    async def _stored(self, file: Attachment, folder: Path) -> Path:
        """Return the file in the folder, fetched unless it is there already. Raises TooLarge,
        MessageRefused, TelegramDown, FileNotStored."""
        path = MediaFiles(folder).path(file.chat_id, file.message_id, file.suffix, file.unique)
        if not path.exists():
            part = path.with_name(f"{path.stem}.part")
            try:
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
                try:
                    with part.open("wb") as stream:
                        await self._retried(file, stream)
                    part.replace(path)
                finally:
                    part.unlink(missing_ok=True)
            except OSError as wrong:
                log.warning("a file could not be stored in %s: %s", folder, wrong.strerror)
                raise FileNotStored(
                    tr(
                        "I could not store the {label}: my disk is full, or cannot be written. "
                        "Once that is put right, send it again.",
                        label=_named(file),
                    )
                ) from wrong
        return path

    async def _retried(self, file: Attachment, stream: BinaryIO) -> None:
        waits = BACKOFF.waits()
        while True:
            try:
                stream.seek(0)
                stream.truncate()
                await self._fetch(file.file_id, stream, self._most)
                return
            except TelegramDown as down:
                wait = next(waits, None)
                if wait is None:
                    raise
                log.warning("a file is fetched again: %s", down)
                await asyncio.sleep(max(wait, down.retry_after or 0.0))
            except MessageRefused as refused:
                if "too big" in str(refused).lower():  # as Telegram says it
                    raise TooLarge(str(refused)) from None
                raise


def _named(file: Attachment) -> str:
    """Return the label of a file, for its sender: its kind in the current language."""
    kind = max((each for each in KINDS if file.label.startswith(each)), key=len, default="")
    return tr(kind) + file.label.removeprefix(kind) if kind else file.label
