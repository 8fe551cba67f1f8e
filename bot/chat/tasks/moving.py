"""Move a task that is named in words: "move the dentist to Friday 10:30"."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time

from memory.notes import Task
from memory.text import day_and_time, moved_task, task_kind, tr
from memory.tools import Due, Tasks, with_goal, without_same_time

from ...assistant import Assistant, reminders
from ...markdown_escape import escape
from ..protocol import Call, Shown
from .closing import WHICH_IN_WORDS, about
from .last import keep_last_task
from .listing import local_time, tasks_of
from .reading import read_due


async def moves_a_task(profile: Assistant, text: str, now: datetime) -> bool:
    """Return whether a message asks to move an open task to a time; `now`: the local time."""
    if moved_task(text) is None:
        return False
    return bool(_named(await Tasks(profile.memory, profile.memory.clock).open(), text, now)[0])


async def move(call: Call) -> Shown | None:
    """Move the task that the words name; ask if there are several, and return None for none."""
    found, due = _named(await tasks_of(call).open(), call.words, local_time(call))
    if due is None or not found:
        return None
    if len(found) > 1:
        titles = "\n".join(f"- {escape(task.title)}" for task in found)
        return Shown(f"{tr(WHICH_IN_WORDS)}\n\n{titles}")
    [task] = found
    day = due.day if due.has_day or task.day is None else task.day
    return await move_to(call, task, day, due.time)


async def move_to(call: Call, task: Task, day: date, moment: time | None) -> Shown:
    """Move the open task to that day, and to that time unless it keeps its own; show it."""
    await tasks_of(call).postpone(task.id or task.title, day, moment)
    await reminders.forget_snooze(call.profile.memory, reminders.button_name(task))
    await keep_last_task(call, task.id)
    when = day_and_time(day, moment or task.time, local_time(call).date())
    return Shown(f"📅 {escape(task.title)} → {escape(when)}")


def _named(open_: Sequence[Task], text: str, now: datetime) -> tuple[list[Task], Due | None]:
    """Return the open tasks that a message asks to move, and to when. An article before the task
    and a preposition behind it may be left of the words; "the bins reminder" is the bins, unless
    there is a task of that name."""
    words = without_same_time(moved_task(text) or "")
    due = read_due(words, now)[-1] or read_due(with_goal(words, now), now)[-1]
    if not isinstance(due, Due):
        return [], None
    every = due.rest.split()
    titled = [word for word in every if not task_kind(word)]
    named = [part for each in (every, titled) for part in (each, each[:-1], each[1:], each[1:-1])]
    found = (about(open_, " ".join(each)) for each in named if each)
    return next(filter(None, found), []), due
