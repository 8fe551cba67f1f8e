"""Answer an edited message again: the button below the acknowledgement of an edit."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from memory import Memory, Message
from memory.infra import utc_text
from memory.text import mark, tr

from ..media import Content, Incoming, MediaFiles, content, incoming
from .protocol import Ask, Button, Outcome, Press, Shown, replied

LABEL = mark("Answer again")
GONE = mark("That message is no longer kept.")
ANSWERED = mark("My answer to your edit is below.")


def button(message_id: int) -> Button:
    """Return the button that answers a logged message again."""
    return Button(tr(LABEL), "again", {"message": message_id})


async def answer_edited(press: Press) -> Outcome:
    """Answer the current text of the message, in a separate turn that replies to it. Pictures and
    PDFs that came with it, as in an album, are shown again."""
    found = await press.profile.memory.log.messages.by_ids([press.argument["message"]])
    if not found or not found[0].text:
        return Outcome(toast=tr(GONE))
    [message] = found
    key = f"again:{message.id}:{utc_text(message.edited_at or message.sent_at)}"
    said = replace(replied(message), key=key, sent_at=press.at, telegram_ids=())
    replies_to = next(iter(message.telegram_ids), None)
    files = await _files_of(press.profile.memory, message)
    parts = [
        incoming(replace(said, key=f"{said.key}:{number}"), Content(), file)
        for number, file in enumerate(files)
    ]
    again = Incoming(
        said,
        tuple(row for each in parts for row in each.more),
        tuple(file for each in parts for file in each.files),
    )
    return Outcome(tr(LABEL), replace=Shown(tr(ANSWERED)), ask=Ask(again, replies_to))


async def _files_of(memory: Memory, message: Message) -> list[Content]:
    """Return the files of the turn that a message of Telegram's began or belongs to, if they are
    still on the disk."""
    chat, files = message.chat.split(":")[1], MediaFiles(memory.profile.files.media)
    session = await memory.log.messages.of_session(message.session_id)
    rows = [each for each in session if each.turn_id == message.turn_id and each.role == "user"]
    found: list[Content] = []
    for number in dict.fromkeys(number for each in rows for number in each.telegram_ids):
        if path := await asyncio.to_thread(files.of, int(chat), number):
            file = {"file_name": f"file{path.suffix}", "file_id": ""}
            file["file_unique_id"] = path.stem.partition(".")[2]
            place = {"chat": {"id": int(chat)}, "message_id": number}
            found.append(content({**place, "document": file}, answered=True))
    return found
