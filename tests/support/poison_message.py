"""Run `sam` such that a message containing SAM_TEST_POISON kills it a second into its turn.

    python -m tests.support.poison_message run

Simulates a crash in a library's C code, which takes all other work in progress down with it.
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

SECONDS = 1.0  # time for the other turns to start

real = Turns.answer


async def deadly(self: Turns, turn: Turn, *media: Any) -> AsyncGenerator[Event, None]:
    """Return the real answer, or kill the process if the message contains the poison."""
    if os.environ["SAM_TEST_POISON"] in turn.message.text:
        await asyncio.sleep(SECONDS)
        os.kill(os.getpid(), signal.SIGKILL)
    async for event in real(self, turn, *media):
        yield event


if __name__ == "__main__":
    Turns.answer = deadly  # type: ignore[method-assign]
    sys.exit(main())
