"""Read which tasks a message asks to move, and to when: "move the dentist to Friday", "everything
from today to tomorrow", "an hour earlier", "postpone the dentist by two days".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo

from memory.notes import Task
from memory.text import (
    STOP_WORDS,
    is_article,
    is_pronoun,
    mark,
    places_named,
    recognise_intent,
    task_kind,
    without_last_thanks,
)
from memory.tools import (
    Delay,
    Due,
    asks_politely,
    before_event,
    begins_with_goal,
    corrected_value,
    is_vague_shift,
    moved_task,
    only_leads_to_time,
    shift,
    snoozed_for,
    with_goal,
    without_same_time,
    without_start,
)

from .meant import about
from .reading import asked_period, read_due

HOW_MUCH = mark("By how much? Write it: “half an hour earlier”, “an hour later”.")


@dataclass(frozen=True, slots=True)
class TaskMove:
    """What a message asks to move, and to when. `rule`: how often it shall repeat; "" as it does.
    `is_all`: all of these tasks are meant, not one of them."""

    tasks: Sequence[Task]
    to: Due
    rule: str = ""
    is_all: bool = False


def shift_asked(text: str) -> Delay | None:
    """Return by how much a message moves the task that it does not name: "an hour earlier", "make
    it an hour later", "postpone it by two days", "remind me an hour earlier"; negative for later.
    None for any other message."""
    text = without_last_thanks(text) or text
    intent = recognise_intent(text)
    reminds = intent.words if intent is not None and intent.kind == "remind" else ""
    for said in (text, corrected_value(text), reminds):
        if found := shift(said):
            return found
    moved = moved_task(text) or ""
    pronoun, _, rest = moved.partition(" ")
    # "Pasa una hora", "an hour passes", has a verb of those that ask to move a task.
    for said in (snoozed_for(text, rung=True) or "", rest if is_pronoun(pronoun) else ""):
        if found := shift(said, postpones=True):
            return found
    return None


def asks_vaguely(text: str) -> bool:
    """Return whether a message asks to move the task that it does not name by no certain length of
    time: "a bit earlier", "remind me a bit earlier"."""
    intent = recognise_intent(text)
    reminds = intent.words if intent is not None and intent.kind == "remind" else ""
    return any(map(is_vague_shift, (text, corrected_value(text), reminds)))


def moved_by(task: Task, wait: Delay, zone: tzinfo | None) -> Due | None:
    """Return when a task is due that much earlier; None for one without a day, or without a time
    that can be moved by minutes."""
    if task.day is None or (task.time is None and wait.minutes):
        return None
    moment = before_event(datetime.combine(task.day, task.time or time()), wait, zone)
    return Due(moment.date(), moment.time() if task.time else None, "")


def named_and_shift(words: str) -> Iterator[tuple[str, Delay]]:
    """Yield each division of the words for a task and a length of time, "the dentist by two days",
    that can be one."""
    parts = words.split()
    for at in range(1, len(parts)):
        if wait := shift(" ".join(parts[at:]), postpones=True):
            yield " ".join(parts[:at]), wait


def asked_to_move(open_: Sequence[Task], text: str, now: datetime) -> TaskMove | None:
    """Return what a message asks to move, and to when; None if it names no open task or no time."""
    words = without_same_time(moved_task(text) or "")
    if found := _of_title(open_, words, now) or _from_day(open_, words, now):
        return found
    rule, _, due = read_due(words, now)
    due = due or read_due(with_goal(words, now), now)[-1]
    if not isinstance(due, Due):
        return _shifted(open_, words, now)
    tasks = _named(open_, due.rest)
    return TaskMove(tasks, due, rule) if tasks else _shifted(open_, words, now)


def asks_to_move_something(text: str, now: datetime) -> bool:
    """Return whether a message asks politely to move something to a day: "can you move the meeting
    to Friday?", but neither "could you push the button at 5?" nor "would you move to Berlin next
    year?"."""
    words = moved_task(text) if asks_politely(text) else None
    if not words or begins_with_goal(words):
        return False
    due = read_due(words, now)[-1]
    return isinstance(due, Due) and due.has_day and bool(due.rest)


def _of_title(open_: Sequence[Task], words: str, now: datetime) -> TaskMove | None:
    """Return the one task with whose whole title the words begin, and the time behind it, if the
    title has a time of its own: "Tuesday report to Monday". None for any other words."""

    def bare_words(text: str) -> list[str]:
        said = text.casefold().split()
        return said[1:] if len(said) > 1 and is_article(said[0]) else said

    said = words.split()[-len(bare_words(words)) :]
    for task in open_:
        title = bare_words(task.title)
        begun = [word.casefold() for word in said[: len(title)]]
        if begun != title or read_due(task.title, now)[-1] is None:
            continue
        rule, _, due = read_due(" ".join(said[len(title) :]), now)
        if isinstance(due, Due) and only_leads_to_time(due.rest):
            same = [each for each in open_ if bare_words(each.title) == title]
            return TaskMove(same, due, rule)
    return None


def _shifted(open_: Sequence[Task], words: str, now: datetime) -> TaskMove | None:
    """Return the task that is moved by a length of time, "the dentist by two days"; None for any
    other words, and where it is not clear which one."""
    for name, wait in named_and_shift(words):
        tasks = _named(open_, name)
        to = moved_by(tasks[0], wait, now.tzinfo) if len(tasks) == 1 else None
        if to is not None and datetime.combine(to.day, to.time or time.max) > now.replace(
            tzinfo=None
        ):
            return TaskMove(tasks, to)
    return None


def _from_day(open_: Sequence[Task], words: str, now: datetime) -> TaskMove | None:
    """Return what is moved from the day on which it is due to another one: "the dentist from Friday
    to Monday", "everything from today to tomorrow"; None for any other words. What is overdue is
    moved with all of today. With "from", no task is moved if that day has none."""
    for each in re.finditer(r"(?<=\s)\S", words):
        written, tail = words[: each.start()], words[each.start() :]
        head = without_start(written)
        due, goal = read_due(head, now)[-1], read_due(tail, now)[-1]
        if not (isinstance(due, Due) and isinstance(goal, Due) and due.has_day and goal.has_day):
            continue
        if not only_leads_to_time(goal.rest):
            continue
        first, last = asked_period(head, now) or (due.day, due.day)
        is_all = _stands_for_all(due.rest)
        begin = date.min if is_all and first == now.date() else first
        of_then = [task for task in open_ if task.day and begin <= task.day <= last]
        found = of_then if is_all else _named(of_then, due.rest)
        if found or (head != written.rstrip() and (is_all or _named(open_, due.rest))):
            return TaskMove(found, _behind(goal, tail, due.day, now), is_all=is_all)
    return None


def _behind(goal: Due, tail: str, start: date, now: datetime) -> Due:
    """Return the weekday to which a task is moved from a day, which is the next one after that day:
    "from Monday to Tuesday" on a Tuesday. A date, "today" and the like are as they are."""
    read = [read_due(tail, now + timedelta(days=days))[-1] for days in (1, 7)]
    days = [(each.day - goal.day).days if isinstance(each, Due) else 0 for each in read]
    if goal.day > start or days not in ([0, 7], [7, 7]):
        return goal
    later = read_due(tail, datetime.combine(start + timedelta(days=1), time(), now.tzinfo))[-1]
    return later if isinstance(later, Due) else goal


def _stands_for_all(words: str) -> bool:
    """Return whether words only stand for all tasks: "everything", "all my tasks from"."""
    first, *others = words.split() or [""]
    left = [each for each in others if not (is_article(each.casefold()) or task_kind(each))]
    return len(places_named(first, 3)) == 3 and {each.casefold() for each in left} <= STOP_WORDS


def _named(open_: Sequence[Task], words: str) -> list[Task]:
    """Return the open tasks that words name. An article before the task and a preposition behind it
    may be left of them; "the bins reminder" is the bins, unless there is a task of that name."""
    every = words.split()
    titled = [word for word in every if not task_kind(word)]
    named = [part for each in (every, titled) for part in (each, each[:-1], each[1:], each[1:-1])]
    found = (about(open_, " ".join(each)) for each in named if each)
    return next(filter(None, found), [])
