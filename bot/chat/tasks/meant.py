"""Find the open tasks that words mean: by their title or id, their day and their time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from memory.notes import Task, recurrence
from memory.text import STOP_WORDS, is_article, is_pronoun, share_beginning, stands_for_one, terms
from memory.tools import Due, Span

from .reading import NOON, asked_period, hour_of_twelve, read_due


def about(open_: Sequence[Task], words: str) -> list[Task]:
    """Return the task with this id, or those with this title, or else those that have all of the
    telling words."""
    named = _unarticled(words)
    titles = [(task, _unarticled(task.title)) for task in open_]
    same = [task for task in open_ if task.id and task.id == words.strip()]
    telling = named - STOP_WORDS
    return (
        same
        or [task for task, title in titles if title == named]
        or [task for task, title in titles if telling and within(telling, title)]
    )


def _unarticled(words: str) -> set[str]:
    """Return the terms without articles; with them if there are no others."""
    said = set(terms(words))
    return {each for each in said if not is_article(each)} or said


def within(named: set[str], title: set[str]) -> bool:
    """Return whether each word is in the title, also in another form ("bins", "bin")."""
    return all(any(share_beginning(word, other) for other in title) for word in named)


def of_time(
    open_: Sequence[Task], words: str, now: datetime, *, alone: bool, titled: bool = False
) -> list[Task]:
    """Return the tasks that words name with their day or time: "the dentist on Friday at 3", "the
    one on Friday"; with "every day", those that repeat so. `now`: the local time; `alone`: the
    words may be nothing but a day or a time; `titled`: they have to name the title, too."""
    rule, _, due = read_due(words, now)
    if not isinstance(due, Due):
        return []
    first, last = (due.has_day and asked_period(words, now)) or (due.day, due.day)
    times = {due.time}
    if due.time and hour_of_twelve(words):
        times.add(due.time.replace(hour=(due.time.hour + NOON) % (2 * NOON)))
    found = [
        task
        for task in open_
        if task.day
        and (rule or not due.has_day or first <= task.day <= last)
        and (not rule or task.get("recurrence").partition(" until ")[0] == rule)
        and (due.time is None or task.time in times)
    ]
    if not due.rest:
        return found if alone else []
    if stands_for_one(due.rest) or is_pronoun(due.rest):
        return [] if titled else found
    return about(found, due.rest)


def next_after(task: Task, period: Span) -> datetime | None:
    """Return when a recurring task is due first after a period, local and naive; None for another
    task, and for one that ends before."""
    rule, day = task.get("recurrence"), task.day
    while rule and day and day <= period[1]:
        day = recurrence.after(rule, day, day)
    return datetime.combine(day, task.time or datetime.min.time()) if rule and day else None
