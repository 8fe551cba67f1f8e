"""How Sam sends an unasked message. Telegram and the terminal each implement it."""

from __future__ import annotations

from typing import Protocol

from ..inbox import Keyboard


class Speak(Protocol):
    """Send a text to the user of one profile. Raises ChatError if that is impossible.

    It is sent once for each `key`; without one, the same text once a day. `silent`: without a
    sound. `logged`: what the log keeps instead of the text. The terminal shows no buttons.
    """

    async def __call__(
        self,
        text: str,
        *,
        key: str = "",
        keyboard: Keyboard = (),
        silent: bool = False,
        logged: str = "",
    ) -> None: ...


class SpeakTo(Protocol):
    """The same for any profile, whose name comes first."""

    async def __call__(
        self,
        profile: str,
        text: str,
        *,
        key: str = "",
        keyboard: Keyboard = (),
        silent: bool = False,
        logged: str = "",
    ) -> None: ...
