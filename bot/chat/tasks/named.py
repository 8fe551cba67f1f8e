"""Close, move or be reminded before a task that is named in words: "the milk is done", "move the
dentist to Friday", "the dentist an hour before".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta

from memory.notes import Task, recurrence
from memory.text import (
    STOP_WORDS,
    Closing,
    TaskKind,
    closed_task,
    day_and_time,
    is_article,
    is_of_kind,
    mark,
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
    asks_politely,
    bare,
    before_event,
    earlier,
    moved_task,
)
from memory.vault import as_one_change

from ...assistant import Assistant, reminders
from ...markdown_escape import escape
from ..protocol import Call, Shown
from .buttons import closed, repeats
from .last import JUST_SET, keep_last_task, last_task
from .listing import NOTHING_TO_BUY, local_time, tasks_of, things_to_buy
from .meant import about, next_after, of_time, within
from .moving import asked_to_move, asks_to_move_something
from .reading import asked_period, names_only_a_time, read_due
from .which import ask_which, chosen, close_question

NO_SUCH = mark("You have no open task about that.")
WHICH_EVENT = mark("Which one? Write its whole text:")
ONLY_NEXT = mark(
    "{title} is due next: {when}. It repeats, and I can only leave out the next time. To drop it"
    " for good, write “cancel {title}”."
)
_DONE = ("done", "bought")
_RING: tuple[TaskKind, ...] = ("alarm", "timer")
WHEN_IS_IT = mark(
    "When is that? Write it with its time: `/remind an hour before the dentist at 15:00`"
)
_ELIDED = re.compile(r"^\w{1,5}['’](?=\w)")


def asks_for_a_change(text: str, now: datetime) -> bool:
    """Return whether a message asks politely to drop or to move a task, such as "can you cancel the
    meeting?", whether or not there is such a task. `now`: the local time."""
    closing = closed_task(text) if asks_politely(text) else None
    return bool(closing and closing[0] not in (*_DONE, "dropped")) or asks_to_move_something(
        text, now
    )


async def closes_a_task(profile: Assistant, text: str, now: datetime) -> bool:
    """Return whether a message closes a task: it says to drop one, or that an open one is done.
    `now`: the local time."""
    closing = closed_task(text)
    if closing is None or closing[0] == "dropped":
        return closing is not None
    open_ = await Tasks(profile.memory, profile.memory.clock).open()
    return bool(_meant(open_, *closing, now) or _later(open_, *closing, now))


async def close(call: Call, closing: Closing, words: str) -> Shown:
    """Finish or cancel the tasks that these words name; ask where one may be several. Of a day that
    they name, one that repeats is only left out."""
    open_, now, is_done = await tasks_of(call).open(), local_time(call), closing in _DONE
    kind = task_kind(words) if closing == "dropped" else None
    meant = [await _of_kind(call, open_, kind)] if kind else _meant(open_, closing, words, now)
    by_title = kind is None and not is_done and not names_only_a_time(words, now)
    titled = about(open_, words)
    period = None if titled else asked_period(words, now)
    if not any(meant):
        later = _later(open_, closing, words, now)
        return _only_next(call, later[0]) if later else Shown(tr(NO_SUCH))
    if by_title:
        if titled:  # "cancel the pills", which are at 8 and at 20, but not "cancel the pills at 8"
            meant = [_set_together(each, open_) for each in meant]
        is_clear = all(len({_as_set(task) for task in each}) == 1 for each in meant)
    else:
        is_clear = all(len(each) == 1 for each in meant)
    found = list({task.line: task for each in meant for task in each}.values())
    if not is_clear:
        return await ask_which(call, found, "done" if is_done else "drop", skipped=period)
    if is_done:
        return await closed(call, found, is_done=True)
    return await drop(call, found, period)


async def drop(call: Call, found: Sequence[Task], period: Span | None) -> Shown:
    """Cancel these tasks. With a period, those that repeat are due again after it."""
    following = {task.line: next_after(task, period) if period else None for task in found}
    rest = [task for task in found if following[task.line] is None]
    shown = list[Shown]()
    for task in found:
        if at := following[task.line]:
            moved = await move_to(call, task, at.date(), None)
            shown.append(Shown(moved.text + repeats(task.get("recurrence"))))
    if rest:
        shown.append(await closed(call, rest, is_done=False))
    return Shown("\n".join(each.text for each in shown), shown[-1].keyboard)


async def answer_which(call: Call) -> Shown | None:
    """Do what was asked for with the tasks that a message chooses; None if it chooses none."""
    choice = await chosen(call.profile.memory, call.chat, call.words, call.at)
    if choice is None:
        return None
    await close_question(call.profile.memory, call.chat)
    if choice.to is not None:
        return await _move(call, choice.tasks, choice.to)
    if choice.wish == "done":
        return await closed(call, choice.tasks, is_done=True)
    return await drop(call, choice.tasks, choice.skipped)


def _later(open_: Sequence[Task], closing: Closing, words: str, now: datetime) -> list[Task]:
    """Return the recurring tasks that the words call off for a day on which they are due, but not
    next: "cancel the pills on Friday"."""
    due = None if closing in _DONE else read_due(words, now)[-1]
    period = asked_period(words, now)
    if not isinstance(due, Due) or not due.rest or period is None:
        return []
    before = (date.min, period[0] - timedelta(days=1))
    times = ((task, next_after(task, before)) for task in about(open_, due.rest))
    return [
        task
        for task, at in times
        if at and at.date() <= period[1] and task.day and task.day < period[0]
    ]


def _only_next(call: Call, task: Task) -> Shown:
    """Say that of a task that repeats only the next time can be left out."""
    assert task.day is not None, "it repeats"
    when = day_and_time(task.day, task.time, local_time(call).date())
    return Shown(tr(ONLY_NEXT, title=escape(task.title), when=escape(when)))


def _set_together(some: Sequence[Task], open_: Sequence[Task]) -> list[Task]:
    """Return these tasks and those that were set with one of them."""
    wanted = {_as_set(task) for task in some}
    return [task for task in open_ if _as_set(task) in wanted]


def _as_set(task: Task) -> tuple[object, ...]:
    """Return what tasks have in common that are set for several times of a day: with ids, which
    tell them apart. Of another task it is unique."""
    rule = task.get("recurrence")
    return (task.title, rule or task.day) if task.id and task.time else (task.title, task.line)


def _meant(open_: Sequence[Task], closing: Closing, words: str, now: datetime) -> list[list[Task]]:
    """Return the tasks that each part of the words may mean: one part for "bread and milk is done",
    if there is such a task, or else two; [] if one of them means none. What was bought is on the
    shopping list, or all of a title. Of several with one title, the next one is done."""

    def named(part: str) -> list[Task]:
        if closing != "bought":
            is_order = closing == "dropped"  # "cancel the reminder for tomorrow"
            is_told = closing == "done"  # "by tomorrow it is done" is about anything
            found = about(open_, part) or of_time(open_, part, now, alone=is_order, titled=is_told)
            is_same = len({task.title.casefold() for task in found}) == 1
            return found[:1] if is_same and closing == "done" else found
        said = set(terms(part)) - STOP_WORDS
        return about(things_to_buy(open_), part) or [
            task for task in about(open_, part) if set(terms(task.title)) - STOP_WORDS == said
        ]

    if all_of := named(words):
        return [all_of]
    each = [named(part) for part in things_in(words)]
    return each if all(each) else []


async def drop_all(call: Call, kind: TaskKind, period: Span | None) -> Shown:
    """Cancel all tasks of a kind that are due in a period, None for any time; show which. Those
    that repeat are due again after it."""
    open_ = await tasks_of(call).open()
    found = [
        task
        for task in (things_to_buy(open_) if kind == "purchase" else open_)
        if (kind in ("task", "purchase") or task.time)
        and (kind not in _RING or is_of_kind(task.title, kind))
        and (period is None or (task.day and period[0] <= task.day <= period[1]))
    ]
    if not found:
        return Shown(tr(NOTHING_TO_BUY if kind == "purchase" else NO_SUCH))
    return await drop(call, found, period)


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


async def moves_a_task(profile: Assistant, text: str, now: datetime) -> bool:
    """Return whether a message asks to move an open task to a time, or to repeat it; `now`: the
    local time."""
    if moved_task(text) is None:
        return False
    return bool(asked_to_move(await Tasks(profile.memory, profile.memory.clock).open(), text, now))


async def move(call: Call) -> Shown | None:
    """Move the task that the words name, or all tasks of a day; ask if one may be several, and
    return None for none."""
    asked = asked_to_move(await tasks_of(call).open(), call.words, local_time(call))
    if asked is None:
        return Shown(tr(NO_SUCH)) if asks_to_move_something(call.words, local_time(call)) else None
    if not asked.tasks:
        return Shown(tr(NO_SUCH))
    if len(asked.tasks) == 1 or asked.is_all:
        return await _move(call, asked.tasks, asked.to, asked.rule)
    if asked.rule:
        return Shown("\n\n".join([tr(WHICH_EVENT), _titles(asked.tasks)]))
    return await ask_which(call, asked.tasks, "move", to=asked.to)


@as_one_change
async def _move(call: Call, found: Sequence[Task], to: Due, rule: str = "") -> Shown:
    """Move these tasks to that day and time; to a time alone, on their own day. With a rule, they
    repeat, from their own day on if it is one of the rule's."""
    shown = list[Shown]()
    for task in found:
        day = to.day if to.has_day or not task.day else task.day
        if rule:
            day = _first_day(rule, task, to, local_time(call))
        one = await move_to(call, task, day, to.time, rule)
        shown.append(Shown(one.text + repeats(rule)))
    return Shown("\n".join(each.text for each in shown))


def _first_day(rule: str, task: Task, to: Due, now: datetime) -> date:
    """Return on which day a task is due first that shall repeat."""
    is_past = task.at is not None and task.at <= now.replace(tzinfo=None)
    if task.day and not is_past and recurrence.first_on(rule, task.day, or_today=True) == task.day:
        return task.day
    moment = to.time or task.time
    is_ahead = moment is None or now.time() < moment
    return recurrence.first_on(rule, now.date(), or_today=is_ahead) or to.day


async def rename(call: Call, id_: str, title: str) -> Shown:
    """Give the open task with that id another title; show both."""
    before = next((task.title for task in await tasks_of(call).open() if task.id == id_), "")
    if not before:
        return Shown(tr(NO_SUCH))
    await tasks_of(call).rename(id_, title.rstrip(" .。") or title)
    await keep_last_task(call, id_)
    after = next((task.title for task in await tasks_of(call).open() if task.id == id_), title)
    return Shown(f"✏️ {escape(before)} → {escape(after)}")


async def move_to(call: Call, task: Task, day: date, moment: time | None, rule: str = "") -> Shown:
    """Move the open task to that day, and to that time and rule unless it keeps its own; show
    it."""
    await tasks_of(call).postpone(task.id or task.line, day, moment, rule)
    await reminders.forget_snooze(call.profile.memory, reminders.button_name(task))
    if task.id:
        await keep_last_task(call, task.id)
    when = day_and_time(day, moment or task.time, local_time(call).date())
    return Shown(f"📅 {escape(task.title)} → {escape(when)}")


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
        return Shown(f"{tr(WHICH_EVENT)}\n\n{_titles(tasks)}")
    task = tasks[0] if tasks else None
    if task is None or task.day is None or (task.time is None and wait.minutes):
        return Shown(tr(WHEN_IS_IT))
    event = datetime.combine(task.day, task.time or rings)
    moment = before_event(event, wait, call.profile.memory.zone)
    if moment <= now:
        return NotDue.PAST
    when = f"{task.time:%H:%M}" if wait.minutes else f"{task.day:%Y-%m-%d}"
    return Due(moment.date(), moment.time(), what or f"{task.title} ({when})")


def _titles(tasks: Sequence[Task]) -> str:
    return "\n".join(f"- {escape(task.title)}" for task in tasks)


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
