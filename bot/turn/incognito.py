"""Incognito: messages from /incognito to /new are kept only in this process' memory; so is a single
message that must not be kept, until it is answered.

The log has the turns without their text, so that the ledger adds up and no update is lost. Only the
fact that a chat is incognito is stored, so that a restart does not end it unnoticed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from memory import Log, Message, Said, Turn, keywords_alone
from memory.text import mark, tr

from ..prompt import Conversation
from ..prompt.history import first_kept

REASON = "incognito"
MARK = mark("Incognito: I keep nothing of this; /new ends it.")
BEGUN = mark(
    "From here until /new I am incognito: what we say is not logged, summarised, indexed, embedded "
    "or written into a note, and I cannot recall it later. I still know what I knew before, but "
    "find it only by keyword, and write nothing down. What remains: {carrier}the provider of the "
    "model sees what is said; my log records when you wrote, but not what; and after a restart I "
    "no longer know what we said."
)
TELEGRAM = mark("Telegram keeps this chat until you delete it there; ")
ENDED = mark("No longer incognito: I keep this new conversation, and nothing of the last one.")
FORGOT = mark("I was restarted, so I no longer know what we said incognito before.")
NOT_NOW = mark("I am incognito, and write nothing down. /new ends it; then ask me again.")


class Incognito:
    """The incognito chats of one profile, and their messages."""

    def __init__(self, log: Log, budget: int) -> None:
        """`budget`: tokens of history, as HISTORY_TOKENS."""
        self._messages, self._settings, self._budget = log.messages, log.settings, budget
        self._known: dict[str, bool] = {}
        self._conversations: dict[str, list[Message]] = {}
        self._messages_by_turn: dict[int, dict[str, Message]] = {}

    async def is_on(self, chat: str, edited: str | None = None) -> bool:
        """Return whether the chat is incognito, even since before a restart. With `edited`, also
        whether the message with that key, which is being corrected, was incognito."""
        if chat not in self._known:
            self._known[chat] = bool(await self._settings.get(_name(chat)))
        return self._known[chat] or await self._was(edited)

    @property
    def has_conversation(self) -> bool:
        """Return whether a conversation exists in memory alone: closing the profile loses it."""
        return bool(self._conversations)

    async def is_on_anywhere(self, chat: str | None, edited: str | None = None) -> bool:
        """Like `is_on`, for that chat and each of its topics; None: for any chat."""
        known = await self._settings.beginning(_name(""))
        return await self._was(edited) or any(
            value and (chat is None or f"{name}:".startswith(f"{_name(chat)}:"))
            for name, value in known.items()
        )

    async def _was(self, edited: str | None) -> bool:
        return edited is not None and await self._messages.was_incognito(edited)

    async def begin(self, chat: str) -> None:
        await self._settings.set(_name(chat), "on")
        self._known[chat], self._conversations[chat] = True, []

    async def end(self, chat: str) -> None:
        """End incognito, and drop the messages."""
        await self._settings.set(_name(chat), "")
        self._known[chat] = False
        for row in self._conversations.pop(chat, []):
            self._messages_by_turn.pop(row.turn_id, None)

    def keep_message(self, turn: Turn, said: Said, more: Sequence[Said] = ()) -> Turn:
        """Return the turn with its text, and keep that in memory, by the keys of the messages."""
        rows = {
            each.key: turn.message._replace(
                text=each.text,
                origin=each.origin,
                author=each.author,
                telegram_ids=each.telegram_ids,
            )
            for each in (said, *more)
        }
        self._messages_by_turn[turn.id] = rows
        return replace(turn, message=rows[said.key])

    def keep_file_texts(self, turn: Turn, texts: Mapping[str, str]) -> None:
        """Keep the text of the turn's files in memory, by the keys of their messages."""
        rows = self._messages_by_turn[turn.id]
        rows |= {key: rows[key]._replace(text=text) for key, text in texts.items()}

    def keep_transcripts(self, turn: Turn, rows: Mapping[str, Message]) -> None:
        """Keep in memory alone what was heard in an incognito turn, by its messages' keys."""
        self._messages_by_turn[turn.id] = dict(rows)

    def is_incognito_turn(self, turn_id: int) -> bool:
        """Return whether nothing of this turn is kept: it belongs to an incognito conversation, or
        its message must not be kept."""
        return turn_id in self._messages_by_turn

    def messages_of(self, turn: Turn, logged: Sequence[Message]) -> tuple[Message, ...]:
        """Return the messages of a turn that is not kept, in a chat that is not incognito.
        `logged`: what the log has of them."""
        rows = [row for row in self._messages_by_turn[turn.id].values() if row.text.strip()]
        known = {row.id for row in rows}
        return (*(row for row in logged if row.text.strip() and row.id not in known), *rows)

    def drop(self, turn: Turn) -> None:
        """Drop the words of a turn that has ended, unless the chat is incognito."""
        if turn.id in self._messages_by_turn and not self._known.get(turn.chat):
            self._messages_by_turn[turn.id] = {}

    def conversation(self, turn: Turn) -> tuple[Conversation, str]:
        """Return the conversation for the model, and a notice if a restart lost a part of it."""
        lost = "" if turn.chat in self._conversations else tr(FORGOT)
        before = self._conversations.setdefault(turn.chat, [])
        rows = [row for row in self._messages_by_turn[turn.id].values() if row.text.strip()]
        asked = tuple(rows) or (turn.message,)
        earlier = [row for row in before if row.turn_id < turn.id]
        first = first_kept(earlier, self._budget)
        if first is not None:
            before[:] = earlier = [row for row in earlier if row.id >= first]
        before += [row for row in asked if row not in before]
        return Conversation(tuple(earlier), asked), lost

    def keep_answer(self, turn: Turn, text: str) -> None:
        """Keep Sam's answer in memory."""
        asked = next(iter(self._messages_by_turn[turn.id].values()))
        row = asked._replace(role="assistant", origin="sam", author="", text=text)
        self._conversations.setdefault(turn.chat, []).append(row)


def without_text(said: Said) -> Said:
    """Return the message for the log, without its text and the name of who wrote it."""
    return replace(said, text="", author="", unlogged=REASON)


@contextmanager
def without_embedding(on: bool) -> Iterator[None]:
    """With `on`, send no question to an embedder within this context."""
    keywords_alone.set(on)
    try:
        yield
    finally:
        # Without a context token: a generator may be closed in another context.
        keywords_alone.set(False)


def _name(chat: str) -> str:
    return f"incognito {chat}"
