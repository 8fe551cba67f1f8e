"""Import and export in the chat, with their buttons: what is shown, done, and left behind."""

from __future__ import annotations

import json
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from bot.chat.transfer import export as chat_export
from bot.telegram.api import progress
from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import ANA, FakeTelegram, File, Sent
from tests.support import exports
from tests.support.buttons import buttons, press, press_again
from tests.support.telegram import BOB, Sam, claude, quick, sam, telegram

__all__ = ["claude", "quick", "telegram"]

TALKS = {
    "Parrots": [("user", "My parrot is called Coco."), ("assistant", "A fine name.")],
    "Boats": [("user", "The canoe is behind the shed."), ("assistant", "Noted.")],
    "Bread": [("user", "I bake on Sundays."), ("assistant", "Enjoy.")],
}
OTHER = {"Ana": ANA, "Bob": BOB}


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PERIOD", 0.05)


def chatgpt(name: str = "stuff.bin", talks: Any = TALKS) -> File:
    """An export of ChatGPT, under a name that tells nothing."""
    return File(json.dumps(exports.chatgpt(talks)).encode(), name, "application/octet-stream")


async def sends(telegram: FakeTelegram, file: File, caption: str = "", count: int = 1) -> Sent:
    before = len(telegram.sent)
    telegram.receives_file(file, caption=caption)
    return (await telegram.wait_sent(before + count))[before]


async def edited(telegram: FakeTelegram, words: str) -> Sent:
    """The last edit that says these words."""

    def find(fake: FakeTelegram) -> Sent | None:
        return next((each for each in reversed(fake.edited) if words in each.text), None)

    found: Sent = await telegram.wait_for(find)
    return found


def left(folder: Path) -> list[str]:
    return [path.name for path in (folder / "data" / "media").glob("*")]
