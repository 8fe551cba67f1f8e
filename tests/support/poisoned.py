"""`sam` that a message kills: what holds SAM_TEST_POISON ends the process a second into its turn.

    python -m tests.support.poisoned run

As a bug in a library's C code would, and with it all that is in work at that moment.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncGenerator
from typing import Any

from bot.cli.main import main
from bot.turn import Event, Turns
from memory.log import Turn

SECONDS = 1.0  # in which the others have come to work

real = Turns.answer


async def deadly(self: Turns, turn: Turn, *media: Any) -> AsyncGenerator[Event, None]:
    """The real answer, unless it is to what kills."""
    if os.environ["SAM_TEST_POISON"] in turn.message.text:
        await asyncio.sleep(SECONDS)
        os.kill(os.getpid(), signal.SIGKILL)
    async for event in real(self, turn, *media):
        yield event


if __name__ == "__main__":
    Turns.answer = deadly  # type: ignore[method-assign]
    sys.exit(main())
