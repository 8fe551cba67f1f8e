"""Messages that say of themselves that they are private, or must not be kept. No model decides it.

A private message is logged as sensitive: it is left out of summaries and facts, and shown to no
model again. Of one that must not be kept nothing is logged, as in an incognito chat.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from datetime import timedelta

from memory import Log, Memory, Message, Said, SamError, StoreError, Turn
from memory.maintenance import edited_messages
from memory.text import PrivacyRemark, leading_quotation, mark, privacy_remark
from memory.tools import hide_saved

log = logging.getLogger(__name__)

PRIVATE = mark("I keep this out of summaries and facts, and show it to no model again.")
PRIVATE_BEFORE = mark(
    "I keep this and your message before it out of summaries and facts, and show them to no model "
    "again."
)
KEPT_NOTHING = mark("I keep nothing of this message, nor of my answer.")
SOON = timedelta(hours=1)  # until then "keep that private" is about the message before it
_OWN = ("owner", "other")  # origins of the sender's own words


def said_of(parts: Iterable[Said | Message]) -> PrivacyRemark | None:
    """Return what the messages of a turn say of themselves, in the sender's own words; None for
    ordinary ones. What must not be kept takes precedence."""
    own = "\n".join(part.text for part in parts if part.origin in _OWN and part.text)
    return privacy_remark(own) if own else None


def is_unkept(parts: Iterable[Said | Message]) -> bool:
    """Return whether the messages of a turn say that they must not be kept."""
    found = said_of(parts)
    return found is not None and found.kind == "unkept"


async def message_before(log: Log, turn: Turn, said: Sequence[Said | Message]) -> Message | None:
    """Return the message that a mere "keep that private" is about; None for none.

    That is the sender's last one, if it is recent. A reply is about what it quotes.
    """
    found = said_of(said)
    if found is None or found.kind != "private" or found.rest:
        return None
    if any(leading_quotation(each.text) for each in said):
        return None
    rows = await log.messages.of_session(turn.session_id, before=turn.message.id, most=4)
    last = next((row for row in reversed(rows) if row.role == "user" and row.text), None)
    is_recent = last is not None and turn.message.sent_at - last.sent_at <= SOON
    return last if is_recent else None


async def hide(memory: Memory, message: Message) -> None:
    """Make a message private, with its turn, and what was saved from it; revert what a summary made
    of it. While another process writes a summary, the next one does that."""
    await memory.log.turns.make_sensitive([message.id], outdated=True)
    try:
        await hide_saved(memory, message)
        await edited_messages.revert_outdated(memory)
    except StoreError:
        raise
    except SamError as failed:
        log.warning("what was made of message=%s stays for now: %s", message.id, failed)
