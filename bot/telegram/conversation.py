"""Run one turn on Telegram: stream a draft, persist the reply, send it, record it.

Every step may be repeated after a crash: a closed turn is left alone, a stored reply is not made
again, a sent one is not sent again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from dataclasses import dataclass, field, replace
from pathlib import Path

from telegram import Message

from memory import OWNER, SamError, StoreError, Turn, is_group
from memory.infra import failpoint, utc_text
from memory.text import mark, tr

from ..assistant import Assistant
from ..assistant.profiles import Profiles
from ..chat.lookup.open_source import source_buttons
from ..chat.protocol import Shown, as_shown
from ..chat.voice import is_voice_on
from ..errors import BudgetSpent, ChatError, SpeakerDown, described
from ..inbox import Replies, Reply, Where, turn_key
from ..logs import turn_id
from ..markdown_escape import escape
from ..media import (
    HEARD,
    VOICE_KEY,
    Incoming,
    Reader,
    Reading,
    Speaker,
    answered_words,
    repeated_message,
    transcript_reply,
)
from ..prompt.history import NOT_KEPT, NOT_QUOTED, WITHHELD
from ..turn import Cite, Done, Notice, Restart, Text, ToolUse
from . import parse, stored_answer
from .api.delivery import Outbox
from .api.live_draft import Draft, GroupDraft
from .api.sender import Sender
from .formatting import parts
from .formatting.received import shown_text
from .intake import FILE_KEY

log = logging.getLogger(__name__)

PRIVATE_KEY = "private:"  # begins the keys of replies that may show what no model may see
NOT_SPOKEN = mark("I could not speak that answer: {}. /voice off turns voice off.")


@dataclass(slots=True)
class _Running:
    task: asyncio.Task[Reply]
    stopped: bool = False
    ended: asyncio.Event = field(default_factory=asyncio.Event)


def _key(profile: str, turn: Turn) -> str:
    return turn_key(profile, turn.id, utc_text(turn.opened_at))


class ConversationRunner:
    """Run turns, one at a time in each chat; the caller owns the chat's lane."""

    def __init__(
        self,
        profiles: Profiles,
        replies: Replies,
        outbox: Outbox,
        sender: Sender,
        reader: Reader,
        speaker: Speaker,
    ) -> None:
        self._profiles, self._replies = profiles, replies
        self._outbox, self._sender, self._reader = outbox, sender, reader
        self._speaker = speaker
        self._running: dict[str, _Running] = {}

    async def converse(
        self, profile: Assistant, incoming: Incoming, place: Where, *, replies_to: int | None = None
    ) -> Done | None:
        """Log the message, read its files, and answer it: from any state that a crash left. Return
        the answer; None if there is none.

        `replies_to`: the message that the answer is shown as a reply to.
        """
        turn = await profile.turns.begin(incoming.said, incoming.more)
        failpoint("after_log")
        token = turn_id.set(turn.id)
        try:
            reply = await self._replies.get(_key(profile.name, turn))
            if reply is None and turn.state == "open":
                reply = await self._think(profile, turn, place, incoming, replies_to)
            if reply is not None and not reply.settled:
                await self.finish(reply, turn=turn)
        finally:
            turn_id.reset(token)
        if reply is None or reply.purpose != "answer":
            return None
        if reply.logged:
            return stored_answer.loaded(reply)
        return stored_answer.resumed(reply, await profile.memory.history.of_turn(turn.id))

    async def say(self, key: str, profile: str, place: Where, answer: Shown | str) -> None:
        """Store a notice, and send it; once for each key. In groups it has no buttons. Its picture
        is not stored: after a crash the text comes alone."""
        shown = as_shown(answer)
        reply = Reply(
            f"{PRIVATE_KEY}{key}" if shown.private else key,
            profile,
            place,
            "notice",
            shown.text,
            keyboard=() if is_group(profile) else shown.keyboard,
            answers=shown.answers,
        )
        stored = await self._replies.store(reply)
        if not stored.settled:
            await self.finish(stored, shown.picture)

    async def for_models(self, profile: Assistant, message: Message) -> Message:
        """Return the message with the text of the one that it replies to: added if Telegram omits
        it, removed if that message is private or must not be kept."""
        to = message.reply_to_message
        if to is None:
            return message
        document, known, chat = message.to_dict(), to.to_dict(), parse.place_of(message).chat
        which = (message.chat_id, to.message_id)
        reply = await self._replies.by_telegram_id(*which)
        logged = await repeated_message(self._replies, profile.memory, *which)
        logged = logged or await profile.memory.log.messages.by_telegram_id(chat, to.message_id)
        hidden = NOT_QUOTED if reply is not None and reply.key.startswith(PRIVATE_KEY) else ""
        if logged is not None and logged.privacy != "normal":
            hidden = WITHHELD
        elif logged is not None and not logged.text and shown_text(to):
            hidden = "" if await profile.turns.incognito.is_on(chat) else NOT_KEPT
        if hidden:
            document.pop("quote", None)
            kept = ("message_id", "date", "chat", "from")
            known = {k: known[k] for k in kept if k in known} | {"text": hidden}
        elif not shown_text(to) and not message.quote:
            known |= {"text": answered_words(known, logged.text if logged is not None else "")}
        document["reply_to_message"] = known
        return Message.de_json(document, message.get_bot())

    async def send_file(
        self, key: str, profile: str, place: Where, file: Path, name: str, caption: str
    ) -> bool:
        """Send a file, once for each key; return whether Telegram accepted it."""
        reply = Reply(f"{FILE_KEY}{key}", profile, place, "notice", caption)
        stored = await self._replies.store(reply)
        if stored.state == "to_send":
            stored = await self._outbox.deliver_file(
                stored,
                lambda remark: self._sender.send_document(
                    place, file, name, "\n".join(filter(None, (caption, remark)))
                ),
            )
        await self._replies.settle(stored.key)
        return stored.state == "sent"

    async def finish(self, reply: Reply, picture: bytes = b"", turn: Turn | None = None) -> None:
        """Send the unsent parts, or all as the caption of a picture; then record the reply in the
        log. `turn`: the one that it answers, where it is at hand."""
        if reply.key.startswith(FILE_KEY):
            return  # after a crash the press is handled once more, and makes the file again
        spoken = None
        if reply.state == "to_send":
            if reply.key.startswith(VOICE_KEY):
                reply = await self._speak(reply)
            elif picture:
                reply = await self._outbox.deliver_picture(reply, picture)
            else:
                reply = await self._outbox.deliver(reply)
        if reply.purpose == "notice":
            log.debug("reply=%s state=%s", reply.key, reply.state)
        elif reply.profile not in self._profiles.names:
            log.warning("reply=%s is of a profile that is gone: %s", reply.key, reply.profile)
        else:
            async with self._profiles.use(reply.profile) as profile:
                spoken = await self._recorded(profile, reply, turn)
        await self._replies.settle(reply.key)
        if spoken is not None and not spoken.settled:
            await self.finish(spoken)

    async def _recorded(self, profile: Assistant, reply: Reply, turn: Turn | None) -> Reply | None:
        """Record what became of the reply; return it once more where it is spoken too."""
        if reply.purpose == "spoke" and reply.sent_at is not None:
            await profile.memory.log.messages.log_unprompted(
                reply.where.chat,
                reply.logged,
                sent_at=reply.sent_at,
                telegram_ids=reply.telegram_ids,
                key=reply.key,
            )
        elif reply.turn is not None:
            turn = turn or await profile.memory.log.turns.find(reply.turn)
            if turn is None or _key(profile.name, turn) != reply.key:
                log.warning("reply=%s answers a turn that the log has no more", reply.key)
            else:
                await self._close(profile, reply, turn)
                return await self._spoken(profile, reply, turn)
        return None

    async def _spoken(self, profile: Assistant, reply: Reply, turn: Turn) -> Reply | None:
        """Return the answer once more, stored to be spoken; None where it is only written."""
        if reply.purpose != "answer" or reply.state != "sent" or not reply.telegram_ids:
            return None
        if not profile.settings.speech_base_url:
            return None
        if profile.turns.incognito.is_incognito_turn(turn.id) or not await is_voice_on(
            profile.memory, turn.chat
        ):
            return None
        shown = await asyncio.to_thread(parts, stored_answer.loaded(reply).text)
        words = self._speaker.spoken_part("\n".join(part.text for part in shown))
        if not words:
            return None
        return await self._replies.store(
            Reply(
                f"{VOICE_KEY}{reply.key}",
                reply.profile,
                reply.where,
                "notice",
                words,
                answers=reply.telegram_ids[0],
            )
        )

    async def _speak(self, reply: Reply) -> Reply:
        """Send a reply as a voice message. Where that fails the answer is there in writing, and
        once a day it is said why it came so."""
        if reply.profile not in self._profiles.names:
            return await self._replies.give_up(reply.key, "its profile is gone")
        async with self._profiles.use(reply.profile) as profile:
            return await self._said_aloud(profile, reply)

    async def _said_aloud(self, profile: Assistant, reply: Reply) -> Reply:
        try:
            await profile.budget.check(self._speaker.price(reply.text))
            audio = await self._speaker.audio(reply.text, profile.memory.log.usage.add)
            place, to = reply.where, reply.answers
            sent = await self._outbox.deliver_file(
                reply, lambda caption: self._sender.send_voice(place, audio, caption, to)
            )
            reason = tr("Telegram refuses it") if sent.state == "given_up" else ""
        except (SpeakerDown, BudgetSpent) as failed:
            log.warning("reply=%s is not spoken: %s", reply.key, failed)
            reason = described(failed, profile.name)
            if profile.name != OWNER and isinstance(failed, SpeakerDown):
                reason = tr("my voice does not work at the moment")
            sent = await self._replies.give_up(reply.key, reason)
        if reason:
            key = f"unspoken:{profile.name}:{profile.memory.today()}"
            text = escape(tr(NOT_SPOKEN).format(reason.rstrip(".")))
            await self.say(key, reply.profile, reply.where, text)
        return sent

    @staticmethod
    async def _close(profile: Assistant, reply: Reply, turn: Turn) -> None:
        if reply.purpose == "failure":
            await profile.turns.fail(turn, reply.logged)
        elif reply.sent_at is None or reply.state != "sent":
            await profile.turns.fail(turn, "the answer could not be delivered")
        else:
            done = stored_answer.loaded(reply)
            await profile.turns.finish(turn, done, reply.sent_at, reply.telegram_ids)

    async def abandon(self, profile: Assistant, incoming: Incoming, reason: str) -> None:
        """Log the message without answering it."""
        await profile.turns.fail(await profile.turns.begin(incoming.said, incoming.more), reason)

    async def log_stopped(self, profile: Assistant, incoming: Incoming) -> None:
        """Log the message as one whose answer was stopped."""
        await profile.turns.stop(await profile.turns.begin(incoming.said, incoming.more))

    def typing(self, place: Where) -> Draft:
        """Show within this context that Sam is typing."""
        return Draft(self._sender, place, 1)

    async def stop(self, chat: str) -> bool:
        """Stop the chat's turn; return False if none is being answered."""
        running = self._running.get(chat)
        if running is None or running.task.done():  # the answer is complete and being sent
            return False
        if not running.stopped:  # a second /stop must not interrupt the clearing up
            running.stopped = True
            running.task.cancel()
        await running.ended.wait()
        return True

    async def _think(
        self, profile: Assistant, turn: Turn, place: Where, incoming: Incoming, to: int | None
    ) -> Reply | None:
        """Return the model's answer, stored as a reply; None if the user stopped it."""
        running = _Running(asyncio.create_task(self._stream(profile, turn, place, incoming)))
        self._running[turn.chat] = running
        try:
            answer = await running.task
            return await self._replies.store(replace(answer, answers=to))
        except asyncio.CancelledError:
            if not running.stopped:
                raise
            await profile.turns.stop(turn)
            await self._take_away(_key(profile.name, turn), place)
            return None
        finally:
            del self._running[turn.chat]
            running.ended.set()

    def _draft(self, profile: Assistant, turn: Turn, place: Where) -> Draft:
        asked = next(iter(turn.message.telegram_ids), None)
        if not is_group(profile.name):
            return Draft(self._sender, place, turn.id, asked)
        key = _key(profile.name, turn)
        return GroupDraft(self._sender, place, self._replies, key, asked)

    async def _take_away(self, key: str, place: Where) -> None:
        """Delete the message that showed a stopped answer."""
        streamed = await self._replies.stream_message(key)
        if streamed is not None:
            try:
                await self._sender.delete(place, streamed[0])
            except ChatError as refused:
                log.info("reply=%s stays as far as it came: %s", key, refused)
            await self._replies.drop_stream(key)

    async def _stream(
        self, profile: Assistant, turn: Turn, place: Where, incoming: Incoming
    ) -> Reply:
        reply = Reply(_key(profile.name, turn), profile.name, place, "answer", "", turn.id)
        notes: list[str] = []
        done: Done | None = None
        spoken = False
        try:
            async with contextlib.AsyncExitStack() as stack:
                draft = await stack.enter_async_context(self._draft(profile, turn, place))
                read = await self._read(profile, turn, place, incoming)
                notes += read.notes
                answering = profile.turns.answer(turn, read.blocks)
                events = await stack.enter_async_context(contextlib.aclosing(answering))
                async for event in events:
                    match event:
                        case Text(text):
                            if not spoken:
                                failpoint("mid_stream")
                            spoken = True
                            draft.add(text)
                        case Restart(text):
                            draft.show(text)
                        case Cite():
                            draft.add(event.mark)
                        case ToolUse(_, say):
                            draft.show_activity(say)
                        case Notice(text):
                            notes.append(text)
                        case Done():
                            done = event
        except StoreError:
            raise  # without a store there is no answer: the update is retried
        except SamError as failed:
            log.warning("turn=%s failed: %s", turn.id, failed)
            shown = escape(described(failed, profile.name))
            return replace(reply, purpose="failure", text=shown, logged=str(failed))
        assert done is not None, "an answer ends with Done"
        below = [f"*{escape(each)}*" for each in notes]
        shown = "\n\n".join([done.shown, *below])
        # Of an incognito turn nothing is kept, and buttons keep what they open.
        unkept = profile.turns.incognito.is_incognito_turn(turn.id)
        private = unkept or await profile.turns.incognito.is_on(turn.chat) or is_group(profile.name)
        keyboard = () if private else source_buttons(done.sources)
        return replace(reply, text=shown, logged=stored_answer.dumped(done), keyboard=keyboard)

    async def _read(
        self, profile: Assistant, turn: Turn, place: Where, incoming: Incoming
    ) -> Reading:
        """Read the turn's files, log their words, and show what was heard."""
        if not incoming.files:
            return Reading()
        memory = profile.memory
        stay = not profile.turns.incognito.is_incognito_turn(turn.id)
        folder = memory.profile.files.media if stay else None
        reading = await self._reader.read(incoming.files, folder, memory.log.usage.add)
        failpoint("after_fetch")
        await profile.turns.complete(turn, incoming.completed(reading.about))
        for key, words in reading.heard.items():
            text = f"🎙 {escape(words) or '…'}\n\n*{tr(HEARD)}*"
            reply_key = transcript_reply(key, incoming.text_of(key))
            reply = Reply(reply_key, profile.name, place, "notice", text)
            stored = await self._replies.store(reply)
            if not stored.settled:
                await self.finish(stored)
        return reading
