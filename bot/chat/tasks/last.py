"""The last task of a chat, which the next message may correct, cancel or repeat."""

from __future__ import annotations

import json
from datetime import datetime, timedelta

from memory import Memory, Message
from memory.infra import parse_utc, utc_text
from memory.notes import Task
from memory.text import small_talk_kind
from memory.tools import Tasks

from ...assistant import reminders
from ..protocol import Call
from .listing import tasks_of

JUST_SET = timedelta(hours=1)
"""How long a message may mean the last task without naming it."""
FOLLOWING = 5  # messages, of which one may correct what was said before them
_ADDED = "task_added:"  # and a chat: the id of its last task, and when it was asked for


async def last_task(memory: Memory, chat: str) -> tuple[str, datetime] | None:
    """Return the id of the last task of a chat, and when it was asked for; None without one."""
    added = json.loads(await memory.log.settings.get(_ADDED + chat) or "{}")
    return (added["task"], parse_utc(added["at"])) if added else None


async def last_reminder(call: Call) -> Task | None:
    """Return the open task that was set last in the chat, or whose reminder was sent last."""
    memory = call.profile.memory
    found = list[tuple[datetime, Task]]()
    if last := await last_task(memory, call.chat):
        found = [(last[1], task) for task in await tasks_of(call).open() if task.id == last[0]]
    if sent := await reminders.last_sent(memory):
        found.append((sent[1], sent[0]))
    return max(found, key=lambda each: each[0], default=(None, None))[1]


async def last_said(memory: Memory, chat: str) -> Message | None:
    """Return the user's last message of a chat that has content: not "thanks" or "are you sure?".
    None if there is none among the last ones."""
    every = await memory.log.messages.last_of_user(chat, FOLLOWING)
    return next((each for each in every if small_talk_kind(each.text) is None), None)


async def just_rung(memory: Memory, chat: str, at: datetime) -> Task | None:
    """Return the open task whose reminder was sent during the last hour, if that is the latest of
    what was said or set in the chat; else None."""
    sent = await reminders.last_sent(memory)
    if sent is None or at - sent[1] > JUST_SET:
        return None
    said, last = await last_said(memory, chat), await last_task(memory, chat)
    times = [said.sent_at if said else None, last[1] if last else None]
    return sent[0] if all(each is None or each <= sent[1] for each in times) else None


async def shown_task(memory: Memory, shown: str) -> Task | None:
    """Return the open task that a reminder names, as it is shown when it is sent or was set: with
    its time before it; None for other texts."""
    title = reminders.named_in(shown)
    named = [
        task
        for task in await Tasks(memory, memory.clock).open()
        if title == task.title or title.endswith(f": {task.title}")
    ]
    return max(named, key=lambda task: len(task.title), default=None)


async def keep_last_task(call: Call, id_: str) -> None:
    """Take a task as the last one of the chat, asked for by that call."""
    added = json.dumps({"task": id_, "at": utc_text(call.at)})
    await call.profile.memory.log.settings.set(_ADDED + call.chat, added)


async def forget_last_task(memory: Memory, chat: str) -> None:
    """Take no correction in that chat for one of its last task any more."""
    await memory.log.settings.set(_ADDED + chat, "")
