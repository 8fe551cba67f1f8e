"""Handle the owner's reactions: 👎 marks an answer as bad, ❤ remembers a message.

Removing the reaction removes the mark; what was remembered stays.
"""

from __future__ import annotations

from collections.abc import Collection

from telegram import MessageReactionUpdated, ReactionType, ReactionTypeEmoji

from memory import Message, SamError, StoreError
from memory.text import tr

from ..assistant import Assistant
from ..chat.commands import remember
from ..chat.protocol import Call, Shown, replied
from ..errors import described
from ..inbox import Inbox, Where
from ..markdown_escape import escape
from ..media import repeated_message
from ..turn.incognito import NOT_NOW
from .conversation import ConversationRunner
from .intake.dispatcher import ByChat

BAD, HEART = "👎", "❤"


class Reactions:
    """Handle the reactions in private chats."""

    def __init__(self, inbox: Inbox, talk: ConversationRunner, order: ByChat) -> None:
        self._inbox, self._talk, self._order = inbox, talk, order

    async def handle_change(
        self, profile: Assistant, update_id: int, change: MessageReactionUpdated
    ) -> None:
        """Handle one change of reactions to a message. Raises StoreError."""
        before, now = _emoji(change.old_reaction), _emoji(change.new_reaction)
        message = await self._message(profile, change)
        if message is None:  # a notice, or from before the log began
            return
        feedback = profile.memory.log.feedback
        if message.role == "assistant" and BAD in now - before:
            opens = await self._inbox.buttons.arguments_below(
                change.chat.id, change.message_id, "open"
            )
            paths = dict.fromkeys(each["path"] for each in opens if "path" in each)
            await feedback.dislike(message.id, change.date, tuple(paths))
        elif BAD in before - now:
            await feedback.remove_dislike(message.id)
        if HEART in now - before:
            await self._remember(profile, update_id, message, change)

    async def _message(self, profile: Assistant, change: MessageReactionUpdated) -> Message | None:
        chat, messages = Where(change.chat.id).chat, profile.memory.log.messages
        found = await messages.by_telegram_id(chat, change.message_id) or await repeated_message(
            self._inbox.replies, profile.memory, change.chat.id, change.message_id
        )
        if found is None:  # an answer is logged a moment after it was sent
            async with self._order.locked(chat):
                found = await messages.by_telegram_id(chat, change.message_id)
        return found

    async def _remember(
        self, profile: Assistant, update_id: int, message: Message, change: MessageReactionUpdated
    ) -> None:
        """Do what /remember does as a reply to the message, and say so."""
        key, topic = f"update:{update_id}", message.chat.split(":")[2:]
        if await self._inbox.replies.get(key) is not None:  # done before a crash
            text = ""
        elif await profile.turns.incognito.is_on(message.chat):
            text = escape(tr(NOT_NOW))
        else:
            call = Call(
                profile=profile,
                chat=message.chat,
                words="",
                at=change.date,
                answers=replied(message),
            )
            try:
                text = await remember(call)
            except StoreError:
                raise
            except SamError as failed:
                text = escape(described(failed))
        place = Where(change.chat.id, int(topic[0]) if topic else None)
        shown = Shown(text, answers=change.message_id)
        await self._talk.say(key, profile.name, place, shown)


def _emoji(reactions: Collection[ReactionType]) -> set[str]:
    """Return the emoji among reactions, without the variation selector for colour."""
    found = (each.emoji for each in reactions if isinstance(each, ReactionTypeEmoji))
    return {emoji.rstrip("\N{VARIATION SELECTOR-16}") for emoji in found}
