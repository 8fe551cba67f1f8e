"""Carry out a chat command that came as a message, and answer it."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from telegram import Message

from memory import Message as Logged
from memory import Said, SamError, StoreError, is_group
from memory.infra import failpoint
from memory.text import mark, tr
from memory.vault import turn_group

from ..assistant import Assistant
from ..chat.commands import COMMANDS, IN_GROUPS, SHOWS_PRIVATE, connection, unknown
from ..chat.plain_commands import carry_out, command_left_undone
from ..chat.protocol import Call, Command, Shown, as_shown, replied
from ..errors import described
from ..inbox import CODE_FORM, Inbox, Where
from ..markdown_escape import escape
from ..media import Reader, repeated_message
from ..turn import Done
from . import parse
from .callbacks import Introductions
from .conversation import PRIVATE_KEY, ConversationRunner

PRIVATELY = mark("I only do that in a private chat: write to me there.")


class Commands:
    """Carry out the commands of all chats. `alarms`: what is wrong with the connection."""

    def __init__(
        self,
        inbox: Inbox,
        talk: ConversationRunner,
        reader: Reader,
        alarms: Callable[[], Sequence[str]],
        stop: Callable[[str], Awaitable[bool]],
        introductions: Introductions,
    ) -> None:
        """`stop` stops the answer in progress in a chat."""
        self._inbox, self._talk, self._reader, self._alarms = inbox, talk, reader, alarms
        self._stop, self._introductions = stop, introductions

    async def run(
        self,
        profile: Assistant,
        update_id: int,
        album: Sequence[Message],
        name: str,
        words: str,
        *,
        logged: Logged | None = None,
    ) -> None:
        """Carry out one command and say what came of it, once for each update. `album`: the message
        with the command, and the others of its album; `logged`: as in Call."""
        message = album[0]
        key, place = f"update:{update_id}", parse.place_of(message)
        if await self._inbox.replies.get(key) is not None:  # it was executed before a crash
            text: Shown | str = ""
        elif is_group(profile.name) and name not in IN_GROUPS:
            text = escape(tr(PRIVATELY))
        elif (command := COMMANDS.get(name)) is None:
            text = unknown(name)
        else:
            call = Call(
                profile=profile,
                chat=place.chat,
                words=words,
                at=message.date,
                message=(key, message.message_id),
                sentence="" if parse.command(message) else parse.typed_text(message),
                logged=logged,
                answers=await self._answered(profile, message),
                stop=self._stop,
                connection=lambda: connection(self._inbox, self._alarms()),
                people=self._inbox.people,
                keep=partial(self._keep, profile, album, words),
                opens=lambda _, id: self._inbox.buttons.arguments_below(place.chat_id, id, "open"),
            )
            text = await self._outcome(command, call, place, at_once=name in parse.AT_ONCE)
        shown = as_shown(text)
        shown = replace(shown, private=shown.private or name in SHOWS_PRIVATE)
        await self._talk.say(key, profile.name, place, shown)
        # A pairing that a crash interrupted comes again as a command of somebody who is known.
        if name == "start" or (name == "pair" and re.fullmatch(CODE_FORM, words)):
            await self._introductions.begin(profile, message)

    async def run_left_undone(
        self, profile: Assistant, messages: Mapping[int, Message], done: Done
    ) -> None:
        """Carry out what each message of a turn asked for in words, and its answer did not do.
        `messages`: by their updates."""
        failpoint("after_answer")
        for update_id, message in messages.items():
            to = message.reply_to_message
            said = (parse.typed_text(message), message.date, done, (to and to.text) or "")
            if (left := await command_left_undone(profile, *said)) is None:
                continue
            key, messages_ = parse.message_key(message), profile.memory.log.messages
            logged = await messages_.by_key(key, message.date)
            if logged is None or profile.turns.incognito.is_incognito_turn(logged.turn_id):
                continue  # nothing is kept of it
            with turn_group(logged.turn_id):
                await self.run(profile, update_id, [message], *left, logged=logged)

    async def _answered(self, profile: Assistant, message: Message) -> Said | None:
        """Return the message that the command replies to; instead of a transcript or a spoken
        answer the one that it repeats. A private reply of Sam's is sensitive."""
        said, to = parse.replied_message(message), message.reply_to_message
        if said is None or to is None:
            return said
        replies, memory = self._inbox.replies, profile.memory
        found = await repeated_message(replies, memory, message.chat_id, to.message_id)
        if found is None:
            reply = await replies.by_telegram_id(message.chat_id, to.message_id)
            is_private = reply is not None and reply.key.startswith(PRIVATE_KEY)
            return replace(said, privacy="sensitive") if is_private else said
        selected = message.quote if message.quote and message.quote.is_manual else None
        again = replied(found)
        return replace(again, text=selected.text if selected else again.text)

    async def _keep(self, profile: Assistant, album: Sequence[Message], words: str) -> str:
        """Keep the files of these messages, or of the one replied to; return their paths in the
        vault, "" for no file."""
        files = [parse.kept_file(each, words) for each in album]
        paths = [await self._reader.keep(profile.memory, *file) for file in files]
        return ", ".join(filter(None, dict.fromkeys(paths)))

    async def _outcome(
        self, command: Command, call: Call, place: Where, *, at_once: bool
    ) -> Shown | str:
        try:
            if at_once:
                return await command(call)
            async with self._talk.typing(place):
                shown = await carry_out(command, call, COMMANDS)
            # Of an incognito chat nothing is kept, and a button keeps what it is about.
            return shown.text if await call.profile.turns.incognito.is_on(call.chat) else shown
        except StoreError:
            raise
        except SamError as failed:
            return escape(described(failed, call.profile.name))
