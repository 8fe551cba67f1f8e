"""Answer an edited message again: the button below the acknowledgement of an edit."""

from __future__ import annotations

from memory import Said
from memory.infra import utc_text
from memory.text import mark, tr

from .protocol import Ask, Button, Outcome, Press, Shown

LABEL = mark("Answer again")
GONE = mark("That message is no longer kept.")
ANSWERED = mark("My answer to your edit is below.")


def button(message_id: int) -> Button:
    """Return the button that answers a logged message again."""
    return Button(tr(LABEL), "again", {"message": message_id})


async def answer_edited(press: Press) -> Outcome:
    """Answer the current text of the message, in a separate turn that replies to it."""
    found = await press.profile.memory.log.messages.by_ids([press.argument["message"]])
    if not found or not found[0].text:
        return Outcome(toast=tr(GONE))
    [message] = found
    edited = utc_text(message.edited_at or message.sent_at)
    said = Said(
        key=f"again:{message.id}:{edited}",
        chat=message.chat,
        text=message.text,
        sent_at=press.at,
        author=message.author,
        origin=message.origin,
        privacy=message.privacy,
    )
    replies_to = next(iter(message.telegram_ids), None)
    return Outcome(tr(LABEL), replace=Shown(tr(ANSWERED)), ask=Ask(said, replies_to))
