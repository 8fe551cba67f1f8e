"""How Sam says something unasked. Telegram and the terminal each have their way."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

Speak = Callable[[str], Awaitable[None]]
"""Says a text to whom one profile belongs. ChatError where that cannot be."""

SpeakTo = Callable[[str, str], Awaitable[None]]
"""Says a text to whom a profile belongs: the profile's name, the text. ChatError likewise."""
