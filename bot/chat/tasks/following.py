"""Recognise a message about the task before it: the one that was just set or moved in its chat, or
whose reminder has just rung. It moves, closes or repeats that one without naming it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time

from memory.notes import Task
from memory.text import (
    YES,
    closed_task,
    is_pronoun,
    places_named,
    recognise_intent,
)
from memory.tools import (
    Due,
    Tasks,
    apply_correction,
    before_event,
    corrected_value,
    moved_task,
    renamed_task,
    snoozed_for,
)

from ...assistant import Assistant
from .last import JUST_SET, just_rung, last_said, last_task
from .meant import about
from .moving import asks_vaguely, moved_by, shift_asked
from .named import moves_a_task
from .reading import (
    LONGEST_QUESTION,
    asks_again,
    names_a_time,
    names_only_a_time,
    on_same_side,
    read_due,
)
from .rings import rings_again, rings_again_alone

_ANY_TASK = "task0"  # stands for a title, which may have words that mean something else
_DAILY = ("day", "weekday")  # of a rule "every …"


async def shifted(profile: Assistant, chat: str, text: str, at: datetime) -> tuple[str, str] | None:
    """Return the command, and its words, that moves the task before a message by the length of time
    that it names: "an hour earlier". None for any other message, and without such a task."""
    wait, memory = shift_asked(text), profile.memory
    if wait is None and not asks_vaguely(text):
        return None
    local = at.astimezone(memory.zone)
    if await just_rung(memory, chat, at):
        now = local.replace(tzinfo=None)
        moment = before_event(now, wait, memory.zone) if wait else now
        return ("remind", f"{moment:%Y-%m-%d %H:%M} again") if moment > now else None
    if (task := await _last_open(profile, chat, at)) is None:
        return None
    if wait is None:
        return "tasks", text
    if (to := moved_by(task, wait, memory.zone)) is None:
        return None
    when = f"{to.day} {to.time:%H:%M}" if to.time else f"{to.day}"
    if datetime.combine(to.day, to.time or time.max) <= local.replace(tzinfo=None):
        return "remind", f"{when} {task.title}"  # it says that this is past
    moved = " ".join(("move", _name_of(task, local), "to", when))
    return ("tasks", moved) if await moves_a_task(profile, moved, local) else None


async def renamed(profile: Assistant, chat: str, text: str, at: datetime) -> tuple[str, str] | None:
    """Return the command, and its words, that gives an open task another title: one that the
    message names, or with "it" the one before it. None for any other message."""
    open_: Sequence[Task] | None = None
    for what, title in reversed([*renamed_task(text)]):  # first the longest words for a task
        if is_pronoun(what):
            task = await just_rung(profile.memory, chat, at) or await _last_open(profile, chat, at)
            found = [task] if task else []
        else:
            open_ = open_ or await Tasks(profile.memory, profile.memory.clock).open()
            found = about(open_, what)
        if len(found) == 1 and found[0].id:
            return "tasks", " ".join(("rename", found[0].id, "to", title))
    return None


async def _last_open(profile: Assistant, chat: str, at: datetime) -> Task | None:
    """Return the open task that was set or moved by the last message of a chat, not long before
    `at`; None without one."""
    memory = profile.memory
    before, task = await last_said(memory, chat), await last_task(memory, chat)
    if task is None or at - task[1] > JUST_SET or (before and before.sent_at > task[1]):
        return None
    open_ = await Tasks(memory, memory.clock).open()
    return next((each for each in open_ if each.id == task[0]), None)


async def corrected(
    profile: Assistant, chat: str, text: str, at: datetime
) -> tuple[str, str] | None:
    """Return the command, and its words, by which a message corrects the reminder that the one
    before it asked for, or what it asked to remember, or closes the task whose reminder was just
    sent, or has it ring again. None for any other message."""
    if rung := await just_rung(profile.memory, chat, at):
        if done := closes_the_one(rung.id or rung.title, text):
            return "tasks", done
        local = at.astimezone(profile.memory.zone)
        again = text if asks_again(text, local) else rings_it_again(text, local, is_reply=False)
        if again:
            return "remind", again
        moved = " ".join(("move", _name_of(rung, local), _moves_it_to(text)))
        return ("tasks", moved) if await moves_a_task(profile, moved, local) else None
    before = await last_said(profile.memory, chat)
    task = await last_task(profile.memory, chat)
    if task and (before is None or before.sent_at <= task[1]):
        is_soon = at - task[1] <= JUST_SET
        return await _moved(profile, task[0], text, at) if is_soon else None
    if before is None or before.privacy != "normal" or at - before.sent_at > JUST_SET:
        return None
    asked = before.text.removeprefix("/remember ")
    intent = recognise_intent(asked)
    if intent is not None and intent.kind == "remember":
        asked = intent.words
    elif asked == before.text:
        return None
    words = apply_correction(text, asked)
    return ("remember", words) if words else None


async def _moved(profile: Assistant, id_: str, text: str, at: datetime) -> tuple[str, str] | None:
    """Return the command that moves an open task to the time that a correction names."""
    right, memory = corrected_value(text), profile.memory
    local, goal = at.astimezone(memory.zone), _moves_it_to(text)
    # "No, 8" and "6pm" correct the time; "8" alone may be anything.
    times: tuple[str, ...] = (right,)
    if right != text:
        as_written = text[text.find(right.partition(" ")[0]) :]  # "11:00" is "11 00" without "no"
        times = (right, as_written, " ".join(("at", right)), " ".join(("at", as_written)))
    when = next((each for each in times if names_only_a_time(each, local)), "")
    for task in await Tasks(memory, memory.clock).open() if when or goal else ():
        if task.id == id_:
            if goal:
                moved = " ".join(("move", _name_of(task, local), goal))
                return ("tasks", moved) if await moves_a_task(profile, moved, local) else None
            meant = on_same_side(when, task.time) if task.time else when
            if (rule := task.get("recurrence")) and not read_due(when, local)[0]:
                meant = _same_day(rule, task.day, meant, local)
                if not meant:
                    return None
            moved = " ".join(("move", _name_of(task, local), "to", meant))
            return ("tasks", moved) if await moves_a_task(profile, moved, local) else None
    return None


def _name_of(task: Task, now: datetime) -> str:
    """Return what names a task in a command with a time: its title, or its id if the title has a
    time of its own."""
    return task.id if task.id and names_a_time(task.title, now) else task.title


def _moves_it_to(text: str) -> str:
    """Return when a message asks to move "it": "to Friday"; "" for any other message, also for one
    that asks to move everything, and a long one."""
    if len(text) > LONGEST_QUESTION:
        return ""
    pronoun, _, when = (moved_task(text) or "").partition(" ")
    return when if is_pronoun(pronoun) and not places_named(pronoun, 1) else ""


def _same_day(rule: str, day: date | None, when: str, now: datetime) -> str:
    """Return the day and the time of a task that repeats, with its time corrected; the next day if
    that has passed today, and each day is one of its days. "" for anything but a time: another day
    may be meant to change the rule."""
    new_rule, _, due = read_due(when, now)
    if new_rule or not isinstance(due, Due) or due.has_day or not due.time or day is None:
        return ""
    if datetime.combine(day, due.time) <= now.replace(tzinfo=None):
        due = read_due(f"{rule} {when}", now)[-1] if rule.removeprefix("every ") in _DAILY else None
        if not isinstance(due, Due) or not due.time:
            return ""
        day = due.day
    return f"{day} {due.time:%H:%M}"


def closes_the_one(task: str, text: str) -> str:
    """Return the words that close the task of that id or title, from a message like "done" or "ok,
    that's done" that follows its reminder; "" for any other message, such as "well done"."""
    _, named = closed_task(f"{_ANY_TASK} {text}") or ("", "")
    if not named.startswith(_ANY_TASK):
        return ""
    between = named.removeprefix(_ANY_TASK).strip()
    if between and between.casefold() not in YES and not is_pronoun(between):
        return ""
    return f"{task} {text.partition(between)[2] if between else text}"


def rings_it_again(text: str, now: datetime, *, is_reply: bool) -> str:
    """Return the words of a reminder that rings again, from a message that follows it or replies to
    it: one with "delay" or the like, or only a time. "" for any other message."""
    when = snoozed_for(text, rung=True)
    if when is None:
        return rings_again_alone(text, now, is_reply=is_reply)
    return rings_again(when, now)
