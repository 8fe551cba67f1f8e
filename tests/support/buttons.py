"""Press the inline buttons below messages, as a Telegram client does."""

from __future__ import annotations

from typing import Any

from tests.fakes.telegram import FakeTelegram, Sent


def buttons(message: Sent) -> dict[str, str]:
    """Return the buttons below a message: label → callback data, or the text that is copied."""
    rows = message.fields.get("reply_markup", {}).get("inline_keyboard", [])
    return {
        each["text"]: each.get("callback_data") or each["copy_text"]["text"]
        for row in rows
        for each in row
    }


async def press(telegram: FakeTelegram, message: Sent, label: str, **how: Any) -> str:
    """Press the button, wait for the answer, and return the text of the toast."""
    query = await telegram.presses(message, buttons(message)[label], **how)
    await telegram.wait_for(lambda fake: query in fake.answered)
    return str(telegram.answered[query].get("text", ""))


async def press_again(telegram: FakeTelegram, message: Sent, label: str) -> str:
    """Press a button that a client still displays, although the message has changed."""
    shown = telegram.store.messages[message.chat_id, message.message_id]
    shown["reply_markup"] = message.fields["reply_markup"]
    return await press(telegram, message, label)
