"""List the open tasks, all of them or those of a period, with their buttons."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from memory import Hit, Memory, is_group
from memory.notes import Task
from memory.text import (
    TaskKind,
    asks_for_time_left,
    clipped,
    day_and_time,
    day_month,
    duration,
    is_of_kind,
    is_purchase,
    mark,
    on_day,
    on_weekday,
    one_line,
    repetition,
    tr,
)
from memory.tools import Span, Tasks

from ...assistant import reminders
from ...markdown_escape import escape
from ...turn.incognito import without_embedding
from ...turn.quotes import said_on
from ..protocol import Button, Call, Press, Shown

SHOWN = 20  # tasks in a list
WITH_BUTTONS = 8  # tasks with buttons; more rows would hide the list
QUOTED = 5  # statements about the days that are asked for
LONGEST_QUOTE = 300  # characters
NONE = mark("You have no open tasks. To add one: `/todo milk`, `/remind tomorrow 9:00 call Ana`")
DUE = mark("This is due {when}:")
NOTHING_DUE = mark("Nothing is due {when}.")
OVERDUE = mark("This is overdue:")
NOTHING_OVERDUE = mark("Nothing is overdue.")
NOTHING_TO_BUY = mark("Your shopping list is empty.")
TIME_LEFT = mark("⏰ {title}: {left} left, until {when}.")
UNDATED = mark("Without a day: {titles}")


def tasks_of(asked: Call | Press) -> Tasks:
    """Return the tasks of the profile, as of the time of a command or a button press."""
    return Tasks(asked.profile.memory, lambda: asked.at)


def local_time(asked: Call | Press) -> datetime:
    """Return the owner's local time of a command or a button press."""
    return asked.at.astimezone(asked.profile.memory.zone)


async def open_tasks(asked: Call | Press) -> Shown:
    """List the open tasks, the earliest first."""
    found = await tasks_of(asked).open()
    return listed(asked, found) if found else Shown(tr(NONE))


def listed(asked: Call | Press, found: Sequence[Task]) -> Shown:
    """List these tasks with their buttons."""
    path, today = tasks_of(asked).path, local_time(asked).date()
    rows = [f"{n}. {_line(task, today)}" for n, task in enumerate(found[:SHOWN], 1)]
    if len(found) > SHOWN:
        rows.append(
            tr("… and {count} more in {path}.", count=len(found) - SHOWN, path=escape(path))
        )
    return Shown(
        "\n".join(rows),
        tuple(_row(number, task) for number, task in enumerate(found[:WITH_BUTTONS], 1)),
    )


def tasks_in(every: list[Task], period: Span, today: date) -> Shown:
    """List the tasks of a period; those of today with the overdue ones."""
    first, last = period
    begin = date.min if first == today else first
    found = [task for task in every if task.day and begin <= task.day <= last]
    if last < today:
        head = tr(OVERDUE) if found else tr(NOTHING_OVERDUE)
    else:
        when = _named_period(period, today)
        head = tr(DUE, when=when) if found else tr(NOTHING_DUE, when=when)
    rows = [f"{n}. {_line(task, today)}" for n, task in enumerate(found[:SHOWN], 1)]
    if len(found) > SHOWN:
        rows.append(tr("… and {count} more", count=len(found) - SHOWN))
    parts = [head, *(["\n".join(rows)] if rows else [])]
    parts += [undated(every)] if last >= today else []
    buttons = tuple(_row(number, task) for number, task in enumerate(found[:WITH_BUTTONS], 1))
    return Shown("\n\n".join(filter(None, parts)), buttons)


def undated(every: Sequence[Task]) -> str:
    """Name the first of the tasks that have no day; "" for none."""
    titles = [task.title for task in every if not task.day]
    more = " …" if len(titles) > WITH_BUTTONS else ""
    named = "; ".join(titles[:WITH_BUTTONS]) + more
    return tr(UNDATED, titles=escape(named)) if titles else ""


def things_to_buy(every: Sequence[Task]) -> list[Task]:
    """Return the tasks on the shopping list: those that were put on it, and "buy bread"."""
    return [task for task in every if task.is_shopping or is_purchase(task.title)]


def running(every: Sequence[Task], text: str, now: datetime) -> list[Task]:
    """Return the timers that still run, or with a word for alarms in the text the alarms, of which
    a message asks how long they do; [] for any other message. `now`: the local time."""
    if not asks_for_time_left(text):
        return []
    kind: TaskKind = "alarm" if is_of_kind(text, "alarm") else "timer"
    local = now.replace(tzinfo=None)
    return [each for each in every if is_of_kind(each.title, kind) and each.at and each.at > local]


def time_left(task: Task, now: datetime) -> str:
    """Say how long a timer still runs at the local time `now`."""
    assert task.at is not None, "it runs"
    left = duration((task.at.replace(tzinfo=now.tzinfo) - now).total_seconds())
    when = day_and_time(task.at.date(), task.at.time(), now.date())
    return tr(TIME_LEFT, title=escape(task.title), left=left, when=when)


async def said_about(call: Call, period: Span) -> str:
    """Quote what the owner said about these days without making it a task ("the dentist, Thursday
    at 3"), one paragraph each; "" for nothing."""
    if is_group(call.profile.name):
        return ""
    memory = call.profile.memory
    today, (first, last) = memory.today(call.at), period
    spans = [(first, last)]
    if first == today < last:  # what was said today may be about the rest of the period
        spans = [(today, today), (today + timedelta(days=1), last)]
    said: dict[int, Hit] = {}
    with without_embedding(await call.profile.turns.incognito.is_on(call.chat)):
        for begin, end in spans:
            asked = f"{begin} – {end}"
            found = await memory.recall(asked, filter="conversations", now=call.at)
            said |= {hit.chunk_id: hit for hit in found.hits if _announces(hit, begin)}
    ids = [hit.message_ids[0] for hit in said.values()]
    own = {
        row.id
        for row in await memory.log.messages.by_ids(ids)
        if row.origin == "owner" and not await _became_task(memory, row.turn_id, period)
    }
    quotes = [
        (tr("You said {day}", day=said_on(hit.date or today, today)), one_line(hit.text))
        for hit in [each for each in said.values() if each.message_ids[0] in own][:QUOTED]
    ]
    return "\n\n".join(f"{head}: {escape(clipped(text, LONGEST_QUOTE))}" for head, text in quotes)


async def _became_task(memory: Memory, turn_id: int, period: Span) -> bool:
    """Return whether the answer of that turn made a task of these days, which is listed already."""
    change = await memory.history.of_turn(turn_id)
    made = change.tasks(memory.vault.sam_dir) if change is not None else ()
    return any(task.day and period[0] <= task.day <= period[1] for task in made)


def _announces(hit: Hit, day: date) -> bool:
    """Return whether a hit is a message to Sam from before that day that still counts."""
    is_before = hit.date is not None and hit.date < day
    is_said = hit.is_message and hit.role == "user"
    return hit.is_of_period and is_said and is_before and hit.until is None


def _named_period(period: Span, today: date) -> str:
    """Return `today`, `on Friday`, `on 3 May`, `from 24 Nov to 29 Nov`."""
    first, last = period
    if first != last:
        return tr("from {first} to {last}", first=day_month(first), last=day_month(last))
    if (first - today).days < 2:
        return day_and_time(first, None, today)
    return on_weekday(first) if (first - today).days < 7 else on_day(first)


def _line(task: Task, today: date) -> str:
    remarks = [day_and_time(task.day, task.time, today)] if task.day else []
    if rule := task.get("recurrence"):
        remarks.append(repetition(rule))
    if task.day and task.day < today:
        remarks[0] = tr("overdue since {remarks}", remarks=remarks[0])
    return escape(" · ".join([task.title, *remarks]))


def _row(number: int, task: Task) -> tuple[Button, ...]:
    named = {**reminders.button_argument(task), "list": True}
    return (
        Button(f"✓ {number}", "task.done", named),
        Button(tr("{number} → tomorrow", number=number), "task.move", {**named, "days": 1}),
        Button(tr("{number} → next week", number=number), "task.move", {**named, "days": 7}),
    )
