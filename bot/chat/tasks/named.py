"""Close, move or be reminded before a task that is named in words: "the milk is done", "move the
dentist to Friday", "the dentist an hour before".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime, time

from memory.notes import Task
from memory.text import (
    STOP_WORDS,
    Closing,
    TaskKind,
    closed_task,
    day_and_time,
    is_article,
    is_of_kind,
    mark,
    moved_task,
    share_beginning,
    task_kind,
    terms,
    things_in,
    tr,
)
from memory.tools import (
    Due,
    NotDue,
    Span,
    Tasks,
    bare,
    before_event,
    earlier,
    with_goal,
    without_same_time,
)

from ...assistant import Assistant, reminders
from ...markdown_escape import escape
from ..protocol import Call, Shown
from .buttons import closed
from .last import JUST_SET, keep_last_task, last_task
from .listing import listed, local_time, tasks_of, things_to_buy
from .reading import asked_period, read_due

NO_SUCH = mark("You have no open task about that.")
WHICH = mark("Which one? Write its whole text, or press its button:")
WHICH_IN_WORDS = mark("Which one? Write its whole text:")
_RING: tuple[TaskKind, ...] = ("alarm", "timer")
WHEN_IS_IT = mark(
    "When is that? Write it with its time: `/remind an hour before the dentist at 15:00`"
)
_ELIDED = re.compile(r"^\w{1,5}['’](?=\w)")


async def closes_a_task(profile: Assistant, text: str) -> bool:
    """Return whether a message closes a task: it says to drop one, or that an open one is done."""
    closing = closed_task(text)
    if closing is None or closing[0] == "dropped":
        return closing is not None
    return bool(_meant(await Tasks(profile.memory, profile.memory.clock).open(), *closing))


async def close(call: Call, closing: Closing, words: str) -> Shown:
    """Finish or cancel the tasks that these words name; ask where one may be several."""
    open_ = await tasks_of(call).open()
    kind = task_kind(words) if closing == "dropped" else None
    meant = [await _of_kind(call, open_, kind)] if kind else _meant(open_, closing, words)
    by_title = any(meant) and kind is None and closing not in ("done", "bought")
    if not any(meant) and (period := asked_period(words, local_time(call))):
        meant = [[task for task in open_ if task.day and period[0] <= task.day <= period[1]]]
    if not any(meant):
        return Shown(tr(NO_SUCH))
    if by_title:  # "cancel the pills", which are at 8 and at 20
        meant = [_set_together(each, open_) for each in meant]
        is_clear = all(len({_as_set(task) for task in each}) == 1 for each in meant)
    else:
        is_clear = all(len(each) == 1 for each in meant)
    found = list({task.line: task for each in meant for task in each}.values())
    if not is_clear:
        shown = listed(call, found)
        asked = tr(WHICH) if call.on_telegram else tr(WHICH_IN_WORDS)
        return Shown(f"{asked}\n\n{shown.text}", shown.keyboard if call.on_telegram else ())
    return await closed(call, found, is_done=closing in ("done", "bought"))


def _set_together(some: Sequence[Task], open_: Sequence[Task]) -> list[Task]:
    """Return these tasks and those that were set with one of them."""
    wanted = {_as_set(task) for task in some}
    return [task for task in open_ if _as_set(task) in wanted]


def _as_set(task: Task) -> tuple[object, ...]:
    """Return what tasks have in common that are set for several times of a day: with ids, which
    tell them apart. Of another task it is unique."""
    rule = task.get("recurrence")
    return (task.title, rule or task.day) if task.id and task.time else (task.title, task.line)


def _meant(open_: Sequence[Task], closing: Closing, words: str) -> list[list[Task]]:
    """Return the tasks that each part of the words may mean: one part for "bread and milk is done",
    if there is such a task, or else two; [] if one of them means none. What was bought is on the
    shopping list, or all of a title."""

    def named(part: str) -> list[Task]:
        if closing != "bought":
            return about(open_, part)
        said = set(terms(part)) - STOP_WORDS
        return about(things_to_buy(open_), part) or [
            task for task in about(open_, part) if set(terms(task.title)) - STOP_WORDS == said
        ]

    if all_of := named(words):
        return [all_of]
    each = [named(part) for part in things_in(words)]
    return each if all(each) else []


async def drop_all(call: Call, kind: TaskKind, period: Span | None) -> Shown:
    """Cancel all tasks of a kind that are due in a period, None for any time; show which."""
    open_ = await tasks_of(call).open()
    found = [
        task
        for task in (things_to_buy(open_) if kind == "purchase" else open_)
        if (kind in ("task", "purchase") or task.time)
        and (kind not in _RING or is_of_kind(task.title, kind))
        and (period is None or (task.day and period[0] <= task.day <= period[1]))
    ]
    return await closed(call, found, is_done=False) if found else Shown(tr(NO_SUCH))


async def _of_kind(call: Call, open_: Sequence[Task], kind: TaskKind) -> list[Task]:
    """Return the tasks that "cancel the alarm" may mean: the one that the chat has just set, and
    those with no title but "alarm", unless it is one of them; else those with a time and that word
    in the title. Of reminders and tasks, otherwise all."""
    id_, since = await last_task(call.profile.memory, call.chat) or ("", call.at)
    all_ = [task for task in open_ if task.time or kind == "task"]
    last = [task for task in all_ if task.id == id_ and call.at - since <= JUST_SET]
    named = [task for task in open_ if task_kind(task.title) == kind]
    if last and last[0] in named:
        return last
    if kind in _RING:
        all_ = [task for task in all_ if is_of_kind(task.title, kind)]
    return last + named or all_


def about(open_: Sequence[Task], words: str) -> list[Task]:
    """Return the task with this id or title, or else those that have all of the telling words."""
    named = set(terms(words))
    titles = [(task, set(terms(task.title))) for task in open_]
    same = [task for task in open_ if task.id and task.id == words.strip()]
    same += [task for task, title in titles if title == named]
    telling = named - STOP_WORDS
    return same[:1] or [task for task, title in titles if telling and within(telling, title)]


def within(named: set[str], title: set[str]) -> bool:
    """Return whether each word is in the title, also in another form ("bins", "bin")."""
    return all(any(share_beginning(word, other) for other in title) for word in named)


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
    if task.id:
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
    tasks = _named_event(
        [each for each in await tasks_of(call).open() if _is_ahead(each, now)], named
    )
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


def _named_event(open_: Sequence[Task], words: str) -> list[Task]:
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
