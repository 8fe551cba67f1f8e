"""Handle a press of a button: whose it is, what it does, and what the message shows then, and while
long work goes on. The questions to a new owner, whose answers may be typed in place of a press, are
here too.

A press may come twice, late, after a restart, or from somebody else. Actions can be repeated
without harm; a button that works only once says so.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Self

from telegram import CallbackQuery, Message

from memory import OWNER, SamError, StoreError, is_group
from memory.text import is_no, mark, tr

from ..assistant import Assistant
from ..chat import introduction
from ..chat.actions import ACTIONS
from ..chat.forgetting import forget
from ..chat.introduction import ACTION, ASKED, DONE
from ..chat.protocol import EXPIRED, Button, Desk, Press, Shown, Work, as_shown
from ..chat.review import fix, undo
from ..errors import ChatError, described
from ..inbox import Inbox, Pressed, Reply, Where
from ..markdown_escape import escape
from ..turn.incognito import NOT_NOW
from . import parse
from .access import RateLimit
from .api.sender import Beside, Sender
from .conversation import ConversationRunner
from .formatting import parts
from .intake.dispatcher import ByChat

log = logging.getLogger(__name__)

NOT_YOURS = mark("That button is not yours.")
ONCE = mark("That is already done.")
ALSO = ":also"  # ends the key of an answer that is an ordinary message as well
WAITS = timedelta(days=1)  # for an answer that is no reply to the question
ANSWERED = mark("Thank you. It goes on below.")
PERIOD = 2.0  # seconds between two edits: Telegram accepts about one a second per chat
SOON = 0.05  # until the first text is there
TOO_MANY = mark("That is more than I can answer right now. Press it again in a minute.")


class Progress:
    """Within its context a message shows the latest text passed to `tell`, without its buttons."""

    def __init__(self, sender: Sender, place: Where, message_id: int) -> None:
        self._sender, self._place, self._message_id = sender, place, message_id
        self._text = self._shown = ""
        self._ended = asyncio.Event()

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self._ended.set()
        if error is not None:
            self._task.cancel()
        # Wait for an edit in flight, which would otherwise overwrite the final text.
        await asyncio.gather(self._task, return_exceptions=True)

    def tell(self, text: str) -> None:
        """Show this Markdown with the next edit; can be called from any thread."""
        self._text = text

    async def _run(self) -> None:
        while not self._ended.is_set():
            if self._text != self._shown:
                self._shown = self._text
                [part, *_] = parts(self._shown)
                with contextlib.suppress(ChatError):  # the next one may be accepted
                    await self._sender.edit(self._place, self._message_id, part, fleeting=True)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(PERIOD if self._shown else SOON):
                    await self._ended.wait()


class Callbacks:
    """Handle the presses of all chats."""

    def __init__(
        self,
        inbox: Inbox,
        sender: Sender,
        talk: ConversationRunner,
        order: ByChat,
        limit: RateLimit,
    ) -> None:
        self._inbox, self._sender, self._talk, self._order = inbox, sender, talk, order
        self._limit = limit

    async def handle_press(self, profile: Assistant, update_id: int, query: CallbackQuery) -> None:
        """Run the button's action, and answer the press, so that its sender sees it end. Raises
        StoreError."""
        message = query.message
        found = await self._inbox.buttons.press(query.data or "", update_id)
        action = ACTIONS.get(found.button.action) if found else None
        if message is None or found is None or action is None:
            await self._sender.answer(query.id, tr(EXPIRED))
            return
        topic = message.message_thread_id if isinstance(message, Message) else None
        in_topic = isinstance(message, Message) and message.is_topic_message
        place = Where(message.chat.id, topic if in_topic else None)
        if (found.profile, found.chat_id) != (profile.name, place.chat_id):
            await self._sender.answer(query.id, tr(NOT_YOURS))
            return
        if found.again and action.once:
            await self._sender.answer(query.id, tr(ONCE))
            return
        now, user = profile.memory.clock(), query.from_user.id  # a press has no date of its own
        is_limited = action.asks and profile.name != OWNER
        if is_limited and self._limit.is_over(user, update_id, now):
            await self._inbox.buttons.release(found.button.id, update_id)
            await self._sender.answer(query.id, tr(TOO_MANY))
            return
        press = Press(profile, place.chat, found.button.argument, now)
        try:
            done = await action.run(press)
        except StoreError:
            raise
        except SamError as failed:
            await self._inbox.buttons.release(found.button.id, update_id)
            await self._sender.answer(query.id, described(failed, profile.name))
            return
        await self._sender.answer(query.id, done.toast)
        if done.message is not None:
            shown = replace(done.message, private=done.message.private or action.private)
            await self._talk.say(f"update:{update_id}", profile.name, place, shown)
        if done.replace is not None:
            await self._replace(place, message.message_id, found, done.replace)
        if done.work is not None:
            await self._work(profile, place, message.message_id, update_id, found, done.work)
        if done.ask is not None:
            incoming, to = done.ask.incoming, done.ask.replies_to
            async with self._order.locked(incoming.said.chat):
                await self._talk.converse(profile, incoming, place, replies_to=to)

    async def answered(self, profile: Assistant, update_id: int, message: Message) -> bool:
        """Take what answers a question below which there are buttons: which of a list to forget, or
        what a line should say; return False for an ordinary message. The caller owns the chat's
        lane."""
        if is_group(profile.name):
            return False
        chosen = await self._chose_to_forget(profile, update_id, message)
        return chosen or await self.reworded(profile, update_id, message)

    async def _chose_to_forget(self, profile: Assistant, update_id: int, message: Message) -> bool:
        """Take a typed answer to the list of what to forget, if nothing was sent since: "yes",
        "all", numbers, "no"."""
        place, key = parse.place_of(message), f"forget:{update_id}"
        taken, listed = await self._inbox.replies.get_and_newest(key, place)
        if taken is not None:  # before a crash
            return True
        if listed is None or not listed.telegram_ids:
            return False
        to = message.reply_to_message
        if to is not None and to.message_id not in listed.telegram_ids:
            return False
        text, keyboard = parse.typed_text(message), listed.keyboard
        answer = forget.parse_typed_answer(keyboard, text)
        if answer is None and (one := await forget.narrowed(profile, place.chat, keyboard, text)):
            answer = as_shown(one)
        if isinstance(answer, Button):
            press = Press(profile, place.chat, answer.argument, profile.memory.clock())
            done = await ACTIONS[answer.action].run(press)
            receipt, answer = done.replace, Shown(done.toast or tr(forget.KEPT))
            found = Pressed(listed.keyboard[0][0], profile.name, place.chat_id, again=False)
            if receipt is not None:
                await self._replace(place, listed.telegram_ids[-1], found, receipt)
        if answer is None:
            return False
        await self._talk.say(key, profile.name, place, answer)
        return True

    async def reworded(self, profile: Assistant, update_id: int, message: Message) -> bool:
        """Take a reply to the question what a line should say, or an edit of it."""
        place, to, words = parse.place_of(message), message.reply_to_message, message.text
        if to is None or not words:
            return False
        asked = await self._inbox.replies.by_telegram_id(place.chat_id, to.message_id)
        keys = [each for row in (asked.keyboard if asked else ()) for each in row]
        leave = next((each for each in keys if each.action == fix.LEAVE), None)
        if asked is None or leave is None:
            return False
        done = None
        if await profile.turns.incognito.is_on(place.chat):
            said = escape(tr(NOT_NOW))
        elif is_no(words):
            said = tr(undo.LEFT)
        else:
            try:
                done = await fix.reword(profile, leave.argument, words)
                said = tr(fix.CORRECTED if done is not None else fix.CHANGED)
            except StoreError:
                raise
            except SamError as failed:
                said = escape(described(failed, profile.name))
        if done is not None:
            found = Pressed(leave, profile.name, place.chat_id, again=False)
            await self._replace(place, asked.telegram_ids[-1], found, done)
        await self._talk.say(f"update:{update_id}", profile.name, place, said)
        return True

    async def _work(
        self,
        profile: Assistant,
        place: Where,
        message_id: int,
        update_id: int,
        pressed: Pressed,
        work: Work,
    ) -> None:
        """Do long work, and show in the button's message how far it is, and what came of it. The
        press is done only then: after a crash it is handled once more."""
        name, button = profile.name, pressed.button
        send = partial(self._talk.send_file, f"{update_id}", name, place)
        async with Progress(self._sender, place, message_id) as progress:
            try:
                shown = await work(Desk(progress.tell, send))
            except StoreError:
                raise
            except SamError as failed:
                log.warning("update=%s: %s failed: %s", update_id, button.action, failed)
                again = Button(tr("Try again"), button.action, button.argument)
                shown = Shown(escape(described(failed, profile.name)), ((again,),))
        if not await self._replace(place, message_id, pressed, shown):
            await self._talk.say(f"update:{update_id}", name, place, shown)

    async def _replace(self, place: Where, message_id: int, pressed: Pressed, by: Shown) -> bool:
        """Replace the content of the button's message, and send what does not fit there below it.
        If that fails, the action stays done; return whether it did not."""
        keyboard = await self._inbox.buttons.replace(pressed.button.id, by.keyboard)
        # In a thread: a text full of markup takes a while to format.
        first, *more = await asyncio.to_thread(parts, by.text)
        try:
            await self._sender.edit(place, message_id, first, () if more else keyboard)
            for number, part in enumerate(more, 1):
                below = Beside(keyboard if number == len(more) else ())
                await self._sender.send(place, part, below)
        except ChatError as refused:
            log.info("message=%s keeps its old text: %s", message_id, refused)
            return False
        return True


class Introductions:
    """The questions of all chats. The caller owns the chat's lane."""

    def __init__(self, inbox: Inbox, talk: ConversationRunner, sender: Sender) -> None:
        self._inbox, self._talk, self._sender = inbox, talk, sender

    async def begin(self, profile: Assistant, message: Message) -> None:
        """Ask the first question in the chat of that message, unless they were asked before."""
        user, place = message.from_user, parse.place_of(message)
        if user is None or message.chat_id != user.id:
            return
        shown = await introduction.begin(
            profile, place.chat, user.first_name, user.language_code or ""
        )
        if shown is not None:
            key = f"introduction:{profile.name}"
            await self._talk.say(key, profile.name, place, shown)
            await profile.memory.log.settings.set(ASKED, key)

    async def answered(self, profile: Assistant, update_id: int, message: Message) -> bool:
        """Take a typed answer to the open question, and go on; return False for an ordinary
        message, also for one that is both. If one comes a day after the question, propose what was
        answered before."""
        asked = await profile.memory.log.settings.get(ASKED)
        if asked is None or asked == DONE:
            return False
        place, key = parse.place_of(message), f"introduction:{update_id}"
        if asked.removeprefix(f"{DONE}:") in (key, f"{key}{ALSO}"):  # it was taken before a crash
            return not asked.endswith(ALSO)
        question = await self._inbox.replies.get(asked)
        if question is None or question.where != place or not question.telegram_ids:
            return False
        if await profile.turns.incognito.is_on(place.chat):
            return False
        to, sent = message.reply_to_message, question.sent_at
        is_reply = to is not None and to.message_id in question.telegram_ids
        late = sent is None or message.date - sent > WAITS
        last = question.telegram_ids[-1]
        arguments = await self._inbox.buttons.arguments_below(place.chat_id, last, ACTION)
        if not arguments or (to is not None and not is_reply):
            return False
        text, at = parse.typed_text(message), message.date
        if late and not is_reply:
            if so_far := await introduction.answers_so_far(profile, arguments[0], at):
                await self._talk.say(key, profile.name, place, so_far)
                await profile.memory.log.settings.set(ASKED, DONE)
            return False
        taken = await introduction.take_typed_answer(
            profile, arguments[0], text, at, is_reply=is_reply
        )
        if taken is None:
            return False
        key += ALSO if taken.says_more else ""
        await self._talk.say(key, profile.name, place, taken.shown)
        asked = f"{DONE}:{key}" if taken.is_last else key
        await profile.memory.log.settings.set(ASKED, asked)
        await self._end(question)
        return not taken.says_more

    async def _end(self, question: Reply) -> None:
        """Take the buttons of a question away that was answered in words."""
        [thanks] = parts(tr(ANSWERED))
        with contextlib.suppress(ChatError):  # they stay, and do no harm
            await self._sender.edit(question.where, question.telegram_ids[-1], thanks, ())
