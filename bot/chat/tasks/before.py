"""Set a reminder before an open task: "the dentist an hour before", "two days before the exam"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, time

from memory.notes import Task
from memory.text import is_article, mark, terms, tr
from memory.tools import Due, NotDue, bare, before_event, earlier

from ...markdown_escape import escape
from ..protocol import Call, Shown
from .closing import WHICH_IN_WORDS, about, within
from .listing import local_time, tasks_of

WHEN_IS_IT = mark(
    "When is that? Write it with its time: `/remind an hour before the dentist at 15:00`"
)
_ELIDED = re.compile(r"^\w{1,5}['’](?=\w)")


async def before_a_task(call: Call, words: str, rings: time) -> Due | NotDue | Shown | None:
    """Return when to remind of what, so long before the one open task that the words name. If not
    exactly one is named, return a question; None if the words have no "an hour before".

    `rings`: when a reminder rings that is days before a task without a time.
    """
    if (found := earlier(words)) is None:
        return None
    wait, begin, end = found
    what, named = bare(words[:begin]), words[end:].strip(" ,.!")
    if not named:
        what, named = "", what
    now = local_time(call).replace(tzinfo=None)
    tasks = _named([each for each in await tasks_of(call).open() if _is_ahead(each, now)], named)
    if len(tasks) > 1:
        titles = "\n".join(f"- {escape(task.title)}" for task in tasks)
        return Shown(f"{tr(WHICH_IN_WORDS)}\n\n{titles}")
    task = tasks[0] if tasks else None
    if task is None or task.day is None or (task.time is None and wait.minutes):
        return Shown(tr(WHEN_IS_IT))
    event = datetime.combine(task.day, task.time or rings)
    moment = before_event(event, wait, call.profile.memory.zone)
    if moment <= now:
        return NotDue.PAST
    when = f"{task.time:%H:%M}" if wait.minutes else f"{task.day:%Y-%m-%d}"
    return Due(moment.date(), moment.time(), what or f"{task.title} ({when})")


def _is_ahead(task: Task, now: datetime) -> bool:
    return task.day is None or datetime.combine(task.day, task.time or time.max) > now


def _named(open_: Sequence[Task], words: str) -> list[Task]:
    """Return the tasks with all of these words, or else those of which all words are named."""
    each = words.split()
    while len(each) > 1 and is_article(each[0].casefold()):
        each = each[1:]
    if not each:
        return []
    each[0] = _ELIDED.sub("", each[0])
    if found := about(open_, " ".join(each)):
        return found
    said = set(terms(" ".join(each)))
    titles = [(task, set(terms(task.title))) for task in open_]
    return [task for task, title in titles if title and within(title, said)]
