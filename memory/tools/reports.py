"""Format the hits of the search tool with their context from the log: speaker, line number in the
day, and adjacent messages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from ..infra.clock import local_day
from ..log import Message
from ..search import Hit, Recalled
from . import output
from .context import around, messages_of
from .results import Passages, ToolResult

if TYPE_CHECKING:
    from ..core import Memory

Saw = Callable[[Iterable[Message], Iterable[Hit]], None]


def shown(recalled: Recalled, nearest: bool) -> Recalled:
    """Return the hits; with `nearest`, the nearest passages if there are none."""
    if recalled.hits or not nearest:
        return recalled
    return replace(recalled, hits=[hit._replace(weak=True) for hit in recalled.nearest])


async def report(memory: Memory, recalled: Recalled, saw: Saw) -> ToolResult[Passages]:
    """Return the answer as text, and pass every message and passage in it to `saw`."""
    ids = [hit.message_ids[0] for hit in recalled.hits if hit.is_message]
    found = {
        message.id: message
        for message in await memory.log.messages.by_ids(ids)
        if output.visible(message)
    }
    near = await around(
        [hit for hit in recalled.hits if hit.is_message and hit.message_ids[0] in found],
        memory.log.messages,
    )
    saw([*found.values(), *messages_of(near)], recalled.hits)
    begins: dict[int, int] = {}
    for spoken in {local_day(message.sent_at, memory.zone) for message in found.values()}:
        begins |= (await conversation(memory, spoken))[1]
    return output.search(recalled, found, begins, memory.vault.sam_dir, near)


async def conversation(memory: Memory, spoken: date) -> tuple[list[str], dict[int, int]]:
    """Return one local day of the log as lines, and the line at which each message begins."""
    said = await memory.log.messages.of_day(spoken, memory.zone)
    return output.conversation(spoken, said, memory.zone)
