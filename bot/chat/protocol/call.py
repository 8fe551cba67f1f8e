"""A call of a chat command, from Telegram or the terminal."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memory import Message, Said
from memory.text import own_part

from ...inbox import People
from ...media import is_shared, without_voice_label
from .results import Shown

if TYPE_CHECKING:
    from ...assistant import Assistant


async def _no_answer(chat: str) -> bool:
    """No-op: no other answer is in progress here."""
    return False


async def _no_connection() -> list[str]:
    """No-op: this chat has no connection that could fail."""
    return []


async def _no_buttons(chat: str, telegram_id: int) -> list[Mapping[str, Any]]:
    """No-op: no message of this chat has buttons."""
    return []


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a command, with the time of its message.

    `message`: the key and Telegram's id of its message, "" and 0 in the terminal. `sentence`: the
    message, if it gave the command in plain words; "" for "/name words". `whole`: the whole
    message, if the sentence is one of several commands in it. `logged`: the message in
    the log, if a model has answered it. `answers`: the message that it replies to. `stop`
    interrupts a chat's answer; `connection` returns the lines of /status about the chat's
    connection. `people`: who is paired; None in the terminal, where nobody has to be. `keep` keeps
    the file of the message, or of the one that it replies to, and returns its path in the vault, ""
    without a file; None in the terminal. `opens` returns what the "open" buttons below a message of
    a chat are about.
    """

    profile: Assistant
    chat: str
    words: str
    at: datetime
    stop: Callable[[str], Awaitable[bool]] = _no_answer
    connection: Callable[[], Awaitable[list[str]]] = _no_connection
    message: tuple[str, int] = ("", 0)
    sentence: str = ""
    whole: str = ""
    logged: Message | None = None
    answers: Said | None = None
    people: People | None = None
    keep: Callable[[], Awaitable[str]] | None = None
    opens: Callable[[str, int], Awaitable[list[Mapping[str, Any]]]] = _no_buttons

    @property
    def on_telegram(self) -> bool:
        """Return whether the chat has buttons and files; the terminal has neither."""
        return self.chat.startswith("telegram:")

    async def answered(self) -> Said | None:
        """Return the message that this one replies to, with its text as far as it is known: without
        the label of a voice message, and the sender's own without what he quotes in it; and with
        its privacy. A contact or a place has the origin `file`. None without such a message."""
        to, messages = self.answers, self.profile.memory.log.messages
        if to is None:
            return None
        logged = await messages.by_telegram_id(self.chat, to.telegram_ids[0])
        if logged is not None:
            # Telegram returns no text of a formatted answer, nor of a voice message.
            to = replace(to, text=to.text or logged.text, privacy=logged.privacy)
        if not to.text:
            file = await messages.with_file(self.chat, to.telegram_ids[0])
            if file is not None and is_shared(file.text):
                sender = "" if to.origin == "owner" else to.author
                to = replace(to, text=file.text, origin="file", author=sender)
        text = without_voice_label(to.text)
        return replace(to, text=own_part(text).strip() if to.origin == "owner" else text)


def replied(message: Message) -> Said:
    """Return a logged message as the one that a command replies to."""
    by_sam = message.role == "assistant"
    return Said(
        key="",
        chat=message.chat,
        text=message.text,
        sent_at=message.sent_at,
        author="Sam" if by_sam else message.author,
        origin="sam" if by_sam else message.origin,
        privacy=message.privacy,
        telegram_ids=message.telegram_ids,
    )


Command = Callable[[Call], Awaitable[Shown | str]]
"""Carries out a call, and returns what to show. Raises SamError."""
