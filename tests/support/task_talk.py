"""Say something about tasks to Sam without a model."""

from __future__ import annotations

from bot.chat.plain_commands import command_in_words
from bot.chat.protocol import Call, as_shown
from bot.chat.tasks.commands import remind, tasks, todo
from tests.support.reminding import Reminding

COMMANDS = {"remind": remind, "tasks": tasks, "todo": todo}


async def said(sam: Reminding, text: str) -> str | None:
    """Return the answer to a message of which plain rules make a command for tasks; None for any
    other message."""
    sam.clock.forward(seconds=10)
    asked = await command_in_words(sam.profile, "terminal", text, sam.clock.now)
    if asked is None or asked[0] not in COMMANDS:
        return None
    call = Call(sam.profile, "terminal", asked[1], sam.clock.now, sentence=text)
    return as_shown(await COMMANDS[asked[0]](call)).text
