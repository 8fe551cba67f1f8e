"""Show the owner how to pair: a link with the code, its QR code, and a command."""

from __future__ import annotations

import io
from contextlib import suppress

from ..errors import TelegramDown, TokenRefused
from .bot_token import username


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
