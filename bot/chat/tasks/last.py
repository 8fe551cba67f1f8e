"""The last task of a chat, which the next message may correct or cancel."""

from __future__ import annotations

import json
from datetime import datetime, timedelta

from memory import Memory
from memory.infra import parse_utc, utc_text

from ..protocol import Call

JUST_SET = timedelta(hours=1)
"""How long a message may mean the last task without naming it."""
_ADDED = "task_added:"  # and a chat: the id of its last task, and when it was asked for


async def last_task(memory: Memory, chat: str) -> tuple[str, datetime] | None:
    """Return the id of the last task of a chat, and when it was asked for; None without one."""
    added = json.loads(await memory.log.settings.get(_ADDED + chat) or "{}")
    return (added["task"], parse_utc(added["at"])) if added else None


async def keep_last_task(call: Call, id_: str) -> None:
    """Take a task as the last one of the chat, asked for by that call."""
    added = json.dumps({"task": id_, "at": utc_text(call.at)})
    await call.profile.memory.log.settings.set(_ADDED + call.chat, added)


async def forget_last_task(memory: Memory, chat: str) -> None:
    """Take no correction in that chat for one of its last task any more."""
    await memory.log.settings.set(_ADDED + chat, "")
