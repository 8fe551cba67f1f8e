"""An update, from the inbox to done: who is it from, what is it, and what follows.

    begin (a try is counted) → handle → done
    a store that is busy or full: the same try again, later
    any other error: another try; after three, or three crashes, it is set aside, and that is said

It knows no model and no markup.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from telegram import Message, Update

from memory.errors import SamError, StoreError

from . import incoming
from .access import GREETING, OWNER, Access
from .commands import COMMANDS, Call, Command, connection
from .inbox import Inbox, Reply, Where
from .markup import escape
from .processor import ByChat
from .talk import Talk
from .wire import UNREADABLE

if TYPE_CHECKING:
    from bot.profile import Profile

log = logging.getLogger(__name__)

TRIES = 3
PAUSES = (1.0, 2.0, 5.0, 10.0, 30.0)  # seconds between tries; the last one again and again
WELCOME = "You are paired with me now. I am Sam: write to me, or see /help."
CRASHED = "Sam ended each time"
SET_ASIDE = (
    "I could not handle your last message, in three tries ({}). It is set aside and kept in my "
    "inbox. The log says more; sending it again may help."
)


class Handlers:
    """Takes every update; `running` are those in work."""

    def __init__(
        self,
        inbox: Inbox,
        access: Access,
        profiles: Mapping[str, Profile],
        talk: Talk,
        order: ByChat,
        alarms: Callable[[], Sequence[str]],
    ) -> None:
        self._inbox, self._access, self._profiles = inbox, access, profiles
        self._talk, self._order, self._alarms = talk, order, alarms
        self.running: set[asyncio.Task[Any]] = set()
        self.me = ""

    async def receive(self, update: Update, _: object = None) -> None:
        """Handle one update to its end, however long that takes."""
        task = asyncio.current_task()
        assert task is not None
        self.running.add(task)
        try:
            await self._until_done(update)
        finally:
            self.running.discard(task)

    async def _until_done(self, update: Update) -> None:
        counted, attempt = False, 0
        tries: int | None = None
        while True:
            try:
                if not counted:
                    tries = await self._inbox.updates.begin(update.update_id)
                    if tries is None:
                        return
                    counted = True
                    if tries > TRIES or UNREADABLE in update.api_kwargs:
                        await self._set_aside(update, update.api_kwargs.get(UNREADABLE, CRASHED))
                        return
                await self._handle(update)
                await self._inbox.updates.done(update.update_id)
                return
            except asyncio.CancelledError:
                if counted:  # a shutdown is no fault of the update
                    await self._inbox.updates.uncount(update.update_id)
                raise
            except StoreError as full:
                log.error("update=%s waits for a store: %s", update.update_id, full)
            except Exception as unforeseen:
                log.exception("update=%s failed", update.update_id)
                counted = False
                if tries is not None and tries >= TRIES:
                    await self._set_aside(update, type(unforeseen).__name__)
                    return
            await asyncio.sleep(PAUSES[min(attempt, len(PAUSES) - 1)])
            attempt += 1

    async def _set_aside(self, update: Update, reason: str) -> None:
        """First of all it is set aside: what follows may fail as it did."""
        log.error("update=%s is set aside: %s", update.update_id, reason)
        await self._inbox.updates.set_aside(update.update_id, reason)
        message = update.effective_message
        profile = (
            self._profiles.get(self._access.profile_of(message.chat_id) or "") if message else None
        )
        if profile is None or not isinstance(message, Message) or not incoming.is_private(update):
            return
        text = escape(SET_ASIDE.format(reason))
        await self._say(f"aside:{update.update_id}", profile.name, incoming.where(message), text)
        if update.message and (said := incoming.said(message)):
            await self._talk.abandon(profile, said, reason)

    async def _handle(self, update: Update) -> None:
        user = update.effective_user
        if user is None or not incoming.is_private(update):
            return  # groups and channels: silence
        name = self._access.profile_of(user.id)
        profile = self._profiles.get(name) if name is not None else None
        if profile is None:
            await self._stranger(update, user.id)
        elif update.edited_message is not None:
            await self._edited(profile, update.edited_message)
        elif update.message is not None:
            await self._message(profile, update.update_id, update.message)

    async def _stranger(self, update: Update, user_id: int) -> None:
        message = update.message
        asked = incoming.command(message, self.me)
        name, words = asked or ("", "")
        say = partial(self._say, f"update:{update.update_id}")
        if message and name == "pair" and await self._access.pair(words, user_id):
            await say(OWNER, incoming.where(message), WELCOME)
            return
        await self._access.refused(user_id)
        if message and name == "start" and await self._access.greets(user_id):
            await say("", incoming.where(message), escape(GREETING))
        await self._tell_owner(update.update_id)

    async def _tell_owner(self, update_id: int) -> None:
        owner = self._access.user_of(OWNER)
        if owner is not None and (news := await self._access.news()) is not None:
            await self._say(f"strangers:{update_id}", OWNER, Where(owner), escape(news))

    async def _edited(self, profile: Profile, message: Message) -> None:
        said = incoming.said(message)
        if said is None or incoming.command(message, self.me):
            return
        at = message.edit_date or message.date
        if await profile.memory.log.messages.edit(said.key, said.text, at) is None:
            # Perhaps what it corrects is still waiting for its turn to be logged.
            async with self._order.hold(said.chat):
                await profile.memory.log.messages.edit(said.key, said.text, at)

    async def _message(self, profile: Profile, update_id: int, message: Message) -> None:
        place, asked = incoming.where(message), incoming.command(message, self.me)
        if asked is not None:
            await self._command(profile, update_id, message, place, *asked)
            return
        said, unread = incoming.said(message), incoming.unread(message)
        if said is not None:
            note = f"I have read the words only: I cannot read {unread} yet." if unread else ""
            await self._talk.converse(profile, said, place, note)
        elif unread is not None:
            text = f"I cannot read {unread} yet. Can you tell me in words?"
            await self._say(f"update:{update_id}", profile.name, place, text)

    async def _command(
        self,
        profile: Profile,
        update_id: int,
        message: Message,
        place: Where,
        name: str,
        words: str,
    ) -> None:
        key = f"update:{update_id}"
        if await self._inbox.replies.get(key) is not None:  # it was obeyed before a crash
            text = ""
        elif (command := COMMANDS.get(name)) is None:
            text = f"I know no command /{escape(name)}. /help lists those that I know."
        else:
            call = Call(
                profile=profile,
                chat=place.chat,
                words=words,
                at=message.date,
                stop=self._talk.stop,
                connection=lambda: connection(self._inbox, self._alarms()),
            )
            text = await self._obey(command, call, place, at_once=name in incoming.AT_ONCE)
        await self._say(key, profile.name, place, text)

    async def _obey(self, command: Command, call: Call, place: Where, *, at_once: bool) -> str:
        try:
            if at_once:
                return await command(call)
            async with self._talk.typing(place):
                return await command(call)
        except StoreError:
            raise
        except SamError as failed:
            return escape(str(failed))

    def later(self, work: Coroutine[Any, Any, object]) -> None:
        """Do something that nobody waits for; a shutdown breaks it off."""

        async def done() -> None:
            try:
                await work
            except SamError as failed:
                log.warning("left undone: %s", failed)

        task = asyncio.create_task(done())
        self.running.add(task)
        task.add_done_callback(self.running.discard)
        task.add_done_callback(lambda _: work.close())  # in case it was never begun

    async def _say(self, key: str, profile: str, place: Where, text: str) -> None:
        """Store a notice, and send it."""
        stored = await self._inbox.replies.store(Reply(key, profile, place, "notice", text))
        if not stored.settled:
            await self._talk.finish(stored)
