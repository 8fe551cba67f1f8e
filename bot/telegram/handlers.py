"""Handle an update from the inbox: check its sender, determine its kind, react.

begin (a try is counted) → handle → done
a store that is busy or full: the same try again, later
any other error: another try; after three, or four crashes, it is set aside, with a notice
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any, Literal

from telegram import Chat, Message, Update

from memory import OWNER, SamError, StoreError, is_group
from memory.infra import Backoff, failpoint
from memory.text import clipped, disarm, mark, one_line, speaking, tr

from ..assistant import Assistant
from ..assistant.profiles import Profiles
from ..chat.plain_commands import command_in_words
from ..chat.transfer.offer import offer
from ..chat.welcome import welcome
from ..errors import ChatError
from ..inbox import Inbox, Where
from ..markdown_escape import escape
from ..media import CORRECTED, Incoming, Reader, correct, transcript_key
from . import parse
from .access import JOINED, MOVED, Access, RateLimit, moved_group, paired_notice
from .api.connection import UNREADABLE, telegram_errors
from .api.menu import ChatMenu
from .api.sender import Sender
from .bursts import Bursts
from .callbacks import Callbacks, Introductions
from .commands import Commands
from .conversation import ConversationRunner
from .edits import Edits
from .formatting import parts
from .intake.dispatcher import CRASHED, ByChat, set_aside_notice
from .intake.incognito_traces import Traces
from .reactions import Reactions

log = logging.getLogger(__name__)

TRIES, CRASHES = 3, 4  # two of them while it was handled alone: see dispatcher.py
TITLE = 100  # characters of a group's name, which anyone may choose
BACKOFF = Backoff(first=1.0, longest=30.0)

PRIVATE = mark("This bot is private. If it is yours, run “sam pair”.")
TOO_MANY = mark(
    "That is more than I can answer right now. I have kept your message: write again in a minute, "
    "and I will answer."
)
LATER = mark("That is more than I can do right now. Send this command again in a minute.")


class Handlers:
    """Handles every update; `running`: those in progress."""

    def __init__(
        self,
        inbox: Inbox,
        access: Access,
        limit: RateLimit,
        profiles: Profiles,
        talk: ConversationRunner,
        sender: Sender,
        menu: ChatMenu,
        order: ByChat,
        alarms: Callable[[], Sequence[str]],
        username: Callable[[], str],
        reader: Reader,
        burst_seconds: float,
    ) -> None:
        """`username` returns the bot's own, known once Telegram has been reached."""
        self._inbox, self._access, self._limit, self._profiles = inbox, access, limit, profiles
        self._talk, self._order, self._menu = talk, order, menu
        self._username, self._sender, self._reader = username, sender, reader
        self._callbacks = Callbacks(inbox, sender, talk, order, limit)
        self._edits = Edits(talk, sender, order, username, self._corrects, self._callbacks.reworded)
        self._reactions = Reactions(inbox, talk, order)
        self._traces = Traces(inbox, profiles, parse.place_and_said, self._served)
        self._introductions = Introductions(inbox, talk, sender)
        self._commands = Commands(inbox, talk, reader, alarms, self._stop, self._introductions)
        self.bursts = Bursts(inbox.updates, burst_seconds, self._ends_burst, talk.typing)
        self.running: set[asyncio.Task[Any]] = set()

    async def receive(self, update: Update, _: object = None) -> None:
        """Handle one update completely, however long that takes."""
        task = asyncio.current_task()
        assert task is not None
        self.running.add(task)
        try:
            with speaking(parse.account_language(update)):
                await self._until_done(update)
            failpoint("after_done")
            await self._traces.erase(update)
        finally:
            self.running.discard(task)

    async def _until_done(self, update: Update) -> None:
        counted, tries, aside, waits = False, 0, "", BACKOFF.waits()
        while True:
            try:
                if counted:
                    await self._access.load()  # another process may have removed somebody
                else:
                    begun, known = await self._inbox.updates.begin(update.update_id)
                    self._access.see(known)
                    if begun is None:
                        return
                    counted, tries = True, begun
                    if tries > CRASHES or UNREADABLE in update.api_kwargs:
                        aside = aside or update.api_kwargs.get(UNREADABLE, CRASHED)
                if aside:
                    await self._set_aside(update, aside)
                    return
                await self._inbox.done(update.update_id, *await self._handle(update))
                return
            except asyncio.CancelledError:
                if counted:  # a shutdown does not count as an attempt
                    await self._inbox.updates.undo_try(update.update_id)
                raise
            except StoreError as full:
                log.error("update=%s waits for a store: %s", update.update_id, full)
            except Exception as unforeseen:
                log.exception("update=%s failed", update.update_id)
                counted = False
                if tries >= TRIES and not aside:
                    aside = type(unforeseen).__name__
                    continue
            await asyncio.sleep(next(waits))

    async def _set_aside(self, update: Update, reason: str) -> None:
        """Set the update aside first: the later steps may fail as well."""
        kept = not await self._traces.is_incognito(update)
        await self._inbox.updates.set_aside(update.update_id, reason, text_stays=kept)
        log.error("update=%s is set aside: %s", update.update_id, reason)
        message = update.effective_message
        if isinstance(message, Message) and parse.is_private(update):
            place, is_read = parse.place_of(message), True
        elif (user := parse.unreadable_from(update)) is not None:
            place, is_read = Where(user), False
        else:
            return
        if (name := self._served(update)) is None:
            return
        text = set_aside_notice(reason, is_read=is_read, kept=kept)
        await self._talk.say(f"aside:{update.update_id}", name, place, text)
        if update.message is not None:
            async with self._profiles.use(name) as profile:
                if incoming := await self._incoming(profile, [update.message]):
                    await self._talk.abandon(profile, incoming, reason)

    def _served(self, update: Update) -> str | None:
        """Return the profile of an update, as `profile_name`, but only one that is served here."""
        name = self.profile_name(update)
        return self._serve(name) if name is not None else None

    def _serve(self, name: str) -> str:
        """Serve a profile from now on, if somebody was paired with it since the start."""
        self._profiles.serve(name)
        return name

    def profile_name(self, update: Update) -> str | None:
        """Return the profile of an update; None for strangers, channels, and group messages to
        others.

        An edit in a group always has one: of a message to Sam it may remove the name.
        """
        if (sender := parse.unreadable_from(update)) is not None:
            return self._access.profile_of(sender)
        if (moved := moved_group(update.message)) is not None:  # the owner is notified
            return OWNER if self._access.see_moved_group(*moved) else None
        user, chat = update.effective_user, update.effective_chat
        said = update.message or update.edited_message
        # Anonymous admins, and who writes as a channel, come as a bot of Telegram's.
        is_person = user and (not user.is_bot or (said and said.sender_chat is not None))
        if user is None or chat is None or not is_person:
            return None
        if parse.is_private(update):
            return self._access.profile_of(user.id)
        if update.edited_message is None and not parse.is_addressed(said, self._username()):
            return None
        return self._access.profile_of_group(chat.id)

    async def _handle(self, update: Update) -> Sequence[int]:
        """Handle it; return the updates finished along with it, such as the rest of an album."""
        if (chat := parse.joined_chat(update)) is not None:
            await self._joined(update, chat)
            return ()
        if (name := self._served(update)) is None:
            user = update.effective_user
            if user is not None and not update.message_reaction and parse.is_private(update):
                await self._stranger(update, user.id)
            return ()
        async with self._profiles.use(name) as profile:
            with speaking(await profile.language(parse.account_language(update))):
                return await self._handle_of(profile, update)

    async def _handle_of(self, profile: Assistant, update: Update) -> Sequence[int]:
        """Handle an update of a profile, which stays open meanwhile."""
        if (moved := moved_group(update.message)) is not None:
            await self._moved(update, *moved)
        elif update.callback_query is not None:
            await self._callbacks.handle_press(profile, update.update_id, update.callback_query)
        elif update.edited_message is not None:
            await self._edits.handle_edit(profile, update.update_id, update.edited_message)
        elif update.message_reaction is not None:
            await self._reactions.handle_change(profile, update.update_id, update.message_reaction)
        elif update.message is not None:
            if before := self._access.earlier_id(now := update.message.chat_id):
                await profile.memory.log.sessions.move(Where(before).chat, Where(now).chat)
            updates = await self._message(profile, update, update.message)
            if profile.name == OWNER and self._access.strangers_wrote:
                await self._tell_owner(update.update_id)
            return updates
        return ()

    async def _joined(self, update: Update, chat: Chat) -> None:
        """Leave a group that the bot was added to, unless it is allowed."""
        if self._access.profile_of_group(chat.id) is not None:
            return
        with contextlib.suppress(ChatError), telegram_errors():
            await chat.leave()
        if (change := update.my_chat_member) is not None:  # once a day, however often it is added
            key = f"joined:{change.date:%Y-%m-%d}"
            await self._report(key, chat, lambda title: tr(JOINED).format(title, chat.id))

    async def _moved(self, update: Update, old: int, new: int) -> None:
        """Serve a group under its new id, which it got as a supergroup."""
        await self._access.move_group(old, new)
        await self._inbox.replies.move(old, new)
        if (chat := update.effective_chat) is not None:
            await self._report(f"moved:{new}", chat, lambda name: tr(MOVED).format(name, new, old))

    async def _report(self, key: str, chat: Chat, words: Callable[[str], str]) -> None:
        """Tell the owner of a group, once for each key. `words` get its title."""
        if (owner := self._access.user_of(OWNER)) is None:
            return
        title = clipped(one_line(disarm(chat.effective_name or "")), TITLE)
        with speaking(await self._owners_language()):
            text = escape(words(title))
        async with self._order.locked(Where(owner).chat):  # two at once would both be reported
            await self._talk.say(key, OWNER, Where(owner), text)

    async def _stranger(self, update: Update, user_id: int) -> None:
        message = update.message
        name, words = parse.command(message, self._username()) or ("", "")
        tries, before = words and name in parse.OF_STRANGERS, self._access.user_of(OWNER)
        if message and tries and (paired := await self._access.pair(words, user_id)):
            async with self._profiles.use(self._serve(paired)) as profile:
                place, text = parse.place_of(message), welcome(profile, paired=True)
                await self._talk.say(f"update:{update.update_id}", paired, place, text)
                await self._introductions.begin(profile, message)
            if paired == OWNER:
                self.later(self._menu.show_owner(user_id))
            if before is not None:
                full = update.effective_user.full_name if update.effective_user else ""
                with speaking(await self._owners_language()):
                    text = paired_notice(paired, clipped(one_line(disarm(full)), TITLE), user_id)
                await self._talk.say(f"paired:{update.update_id}", OWNER, Where(before), text)
            return
        if await self._access.count_refusal(user_id) and message is not None:
            with contextlib.suppress(ChatError):  # best effort: nothing from strangers is stored
                await self._sender.send(parse.place_of(message), parts(tr(PRIVATE))[0])
        await self._tell_owner(update.update_id)

    async def _owners_language(self) -> str:
        async with self._profiles.use(OWNER) as owner:
            return await owner.language()

    async def _tell_owner(self, update_id: int) -> None:
        owner = self._access.user_of(OWNER)
        with speaking(await self._owners_language()):
            news = await self._access.strangers_notice() if owner is not None else None
        if owner is not None and news is not None:
            await self._talk.say(f"strangers:{update_id}", OWNER, Where(owner), escape(news))

    async def _message(self, profile: Assistant, update: Update, message: Message) -> Sequence[int]:
        """Handle a message, or the turn that it starts; return the updates that are done then."""
        place, asked = parse.place_of(message), await self._asked(profile, message)
        key, user = f"update:{update.update_id}", message.from_user.id if message.from_user else 0
        own = self._access.profile_of(user)
        if asked and asked[0] == "start" and own == OWNER and parse.is_private(update):
            self.later(self._menu.show_owner(user))  # before it there was no chat to have a menu
        if asked is None and await self._corrects(profile, message):
            await self._talk.say(key, profile.name, place, escape(tr(CORRECTED)))
            return ()
        for answered in (self._introductions.answered, self._callbacks.answered):
            if asked is None and await answered(profile, update.update_id, message):
                return ()
        async with contextlib.AsyncExitStack() as stack:
            burst = incoming = None
            if asked is None:
                burst = await stack.enter_async_context(self.bursts.gather(profile, update))
                incoming = await self._incoming(profile, burst.messages)
            if own != OWNER and self._limit.is_over(user, update.update_id, message.date):
                if incoming is not None:
                    await self._talk.abandon(profile, incoming, "over RATE_LIMIT")
                minute = f"rate:{user}:{message.date:%Y-%m-%dT%H:%M}"
                which, text = (key, tr(LATER)) if asked else (minute, tr(TOO_MANY))
                await self._talk.say(which, profile.name, place, escape(text))
            elif asked is not None:
                album = await self.bursts.album(update)
                await self._commands.run(profile, update.update_id, list(album.values()), *asked)
                return tuple(album)
            elif incoming is not None and burst is not None and burst.stopped:
                await self._talk.log_stopped(profile, incoming)
            elif burst is not None:
                rows = zip(burst.updates, burst.messages, strict=True)
                left = {id: each for id, each in rows if not await self._offered(profile, each)}
                await self._converse(profile, left, place, update.update_id)
            return burst.updates if burst is not None else ()

    async def _offered(self, profile: Assistant, message: Message) -> bool:
        """Offer to import an importable file; return whether that is all that it needs."""
        file, place = parse.document(message), parse.place_of(message)
        if file is None or is_group(profile.name):
            return False
        if await profile.turns.incognito.is_on(place.chat):
            return False
        key = f"offer:{parse.message_key(message)}"
        if await self._inbox.replies.get(key) is None:
            async with self._talk.typing(place):
                shown = await offer(profile, self._reader, file)
            if shown is None:
                return False
            await self._talk.say(key, profile.name, place, shown)
        return not message.caption

    async def _converse(
        self, profile: Assistant, said: Mapping[int, Message], place: Where, update_id: int
    ) -> None:
        """Answer the messages of a turn, by their updates, unless they have nothing readable."""
        if (incoming := await self._incoming(profile, list(said.values()))) is None:
            return
        incognito = await profile.turns.keeps_nothing_of(incoming.said, incoming.more)
        if refusal := self._reader.refusal_of(incoming, incognito=incognito, profile=profile.name):
            await self._talk.abandon(profile, incoming, "its files cannot be read")
            await self._talk.say(f"update:{update_id}", profile.name, place, escape(refusal))
        elif (done := await self._talk.converse(profile, incoming, place)) is not None:
            await self._commands.run_left_undone(profile, said, done)

    async def _stop(self, chat: str) -> bool:
        """Stop the chat's answer in progress, or the wait for more of its question."""
        return await self.bursts.stop(chat) or await self._talk.stop(chat)

    async def _asked(self, profile: Assistant, message: Message) -> tuple[str, str] | None:
        """Return the command of a message, and its words; None for an ordinary message."""
        to, asked = message.reply_to_message, parse.command(message, self._username())
        said = (parse.typed_text(message), message.date, (to and to.text) or "")
        return asked or await command_in_words(profile, parse.place_of(message).chat, *said)

    async def _ends_burst(self, profile: Assistant, message: Message) -> bool:
        """Return whether a message is not part of a question to that profile."""
        if await self._asked(profile, message):
            return True
        to, chat = message.reply_to_message, message.chat_id
        return to is not None and bool(
            await transcript_key(self._inbox.replies, profile.name, chat, to.message_id)
        )

    async def _corrects(self, profile: Assistant, message: Message) -> bool:
        """Correct a voice message if this is a reply to its transcript."""
        to, chat = message.reply_to_message, parse.place_of(message).chat
        if to is None or not message.text or await profile.turns.incognito.is_on(chat):
            return False
        which = (message.chat_id, to.message_id, message.text, message.date)
        selected = message.quote if message.quote and message.quote.is_manual else None
        part = (selected.text, selected.position) if selected else None
        return await correct(self._inbox.replies, profile.memory, *which, part)

    async def _incoming(self, profile: Assistant, messages: Sequence[Message]) -> Incoming | None:
        """Return what begins a turn. In a group, only files of people who may also write to Sam in
        private are read."""
        shown = [await self._talk.for_models(profile, each) for each in messages]
        if not is_group(profile.name):
            return parse.turn(shown)
        senders = [each.from_user.id for each in messages if each.from_user]
        is_owner = any(self._access.profile_of(who) == OWNER for who in senders)
        origin: Literal["owner", "other"] = "owner" if is_owner else "other"
        return parse.turn(shown, origin, lambda who: self._access.profile_of(who) is not None)

    def later(self, work: Coroutine[Any, Any, object]) -> None:
        """Run work in the background; a shutdown cancels it."""

        async def done() -> None:
            try:
                await work
            except SamError as failed:
                log.warning("left undone: %s", failed)

        task = asyncio.create_task(done())
        self.running.add(task)
        task.add_done_callback(self.running.discard)
        task.add_done_callback(lambda _: work.close())  # in case it was never started
