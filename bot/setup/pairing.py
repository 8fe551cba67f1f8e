"""Show the owner how to pair, and wait for the pairing code before the bot runs.

`wait` fetches updates without confirming them, so that Sam gets them all again. A Sam that is
already running handles the code itself.
"""

from __future__ import annotations

import asyncio
import io
import re
from contextlib import suppress
from datetime import timedelta
from typing import Any

from memory import OWNER

from ..errors import TelegramDown, TokenRefused
from ..inbox import CODE_FORM, CODE_LIFE, People
from .bot_token import username

POLL_SECONDS = 1.0
FULL = 100  # updates in one answer at most; a code after them would not be seen
CODE = re.compile(rf"/(?:pair|start)(?:@\w+)?\s+({CODE_FORM})")


async def wait(
    people: People,
    token: str,
    base_url: str,
    *,
    running: bool,
    patience: timedelta = CODE_LIFE,
    poll_seconds: float = POLL_SECONDS,
) -> int | None:
    """Return the id of the user who sent a code of the owner's; None on a timeout, or with too many
    updates.

    `running`: another process of Sam's fetches updates, and handles the code.
    """
    before = await people.paired()
    tried: set[int] = set()
    try:
        async with asyncio.timeout(patience.total_seconds()):
            while True:
                found = (await people.paired()).items()
                new = [user for user, name in found if name == OWNER and user not in before]
                if new:
                    return new[-1]
                if not running:
                    updates = await _updates(token, base_url)
                    for update in updates:
                        await _try(people, update, tried)
                    if len(updates) >= FULL:
                        return None
                await asyncio.sleep(poll_seconds)
    except TimeoutError:
        return None


async def _try(people: People, update: dict[str, Any], tried: set[int]) -> None:
    if update["update_id"] in tried:
        return
    tried.add(update["update_id"])
    message = update.get("message") or {}
    found = CODE.fullmatch(str(message.get("text", "")).strip())
    if found and message.get("chat", {}).get("type") == "private":
        await people.pair(found[1], message["from"]["id"])


async def _updates(token: str, base_url: str) -> list[dict[str, Any]]:
    """Fetch the pending updates without confirming them; none when Telegram does not answer."""
    import httpx

    url = f"{base_url.rstrip('/')}/bot{token}/getUpdates"
    try:
        async with httpx.AsyncClient(timeout=30) as client:
            # No `allowed_updates`: Telegram would store it, and send no more button presses.
            answer = await client.post(url, json={"limit": FULL})
        found = answer.json()["result"]
        return [update for update in found if isinstance(update, dict)]
    except (httpx.HTTPError, ValueError, KeyError, TypeError):
        return []


async def invitation(token: str, base_url: str, code: str) -> str:
    """Return what to show for a code: the command, and link and QR code with the bot's name."""
    try:
        link = deep_link(await username(token, base_url), code)
    except (TokenRefused, TelegramDown):
        return f"Send this to the bot within ten minutes, from your own account:\n\n/pair {code}\n"
    rows = [
        "Open this within ten minutes, on the device with your Telegram, and tap Start:",
        f"\n{link}\n",
    ]
    with suppress(ImportError):  # the link alone serves as well
        rows.append(qr_code(link))
    rows.append(f"\nOr send this to the bot, from your own account:\n\n/pair {code}\n")
    return "\n".join(rows)


def deep_link(bot: str, code: str) -> str:
    """Return the link for a bot's `@name`: a tap on "Start" sends `/start CODE`."""
    return f"https://t.me/{bot.removeprefix('@')}?start={code.replace('-', '')}"


def qr_code(text: str) -> str:
    """Return the text as a QR code of block characters, for a terminal with a dark or light
    background: quiet zone and modules are drawn in black and white explicitly."""
    import segno

    drawn = io.StringIO()
    segno.make_qr(text, error="l").terminal(drawn, compact=True)
    return drawn.getvalue().rstrip("\n")
