"""How Sam says something unasked. Telegram and the terminal each have their way."""

from __future__ import annotations

from typing import Protocol

from ..inbox import Keyboard


class Speak(Protocol):
    """Say a text to whom one profile belongs. Raises ChatError where that cannot be.

    It is said once for each `key`; without one, the same text once a day. `silent`: without a
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
    """The same for any profile, which is named first."""

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
