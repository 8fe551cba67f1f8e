"""The link that opens the bot's chat and sends it the pairing code, and its QR code."""

from __future__ import annotations

import io


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
