"""Reminders at their minute, and the list of the day in the morning, without a model.

A task with a time (`(@2026-12-01 09:00)` in its line) is due from that minute on. Each due time is
announced once: its key goes with the message into the durable outbox, and stays in the log while
the task is open. A recurring task that stays open is due again at each occurrence. Reminders missed
while Sam was down are sent at the next start, with the time at which they were due.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from memory import Memory, SamError
from memory.errors import PathRefused
from memory.infra import parse_utc, utc_text
from memory.notes import Task, privacy, task_list
from memory.text import day_and_time, mark, one_line, short_day, terms, tr
from memory.tools import Tasks

from ..inbox import Button, Keyboard
from ..markdown_escape import escape
from .assistant import Assistant
from .unprompted import Speak

LATE = timedelta(minutes=10)  # after it, the message says when the task was due
OLD = timedelta(days=7)  # after it, a task is only listed in the morning
PRIVATE = mark("A private task is due: see tasks.md.")
SIGN = "⏰ "  # begins a reminder
SAID = "reminders_said"
SNOOZED = "reminders_snoozed"
LISTED = "morning_list"
LISTED_TASKS = 20  # the others of a morning are counted
LISTED_DATES = 5  # known facts of one day


async def remind(profile: Assistant, speak: Speak) -> None:
    """Send the reminders that have become due. Raises ChatError if no chat can be reached."""
    memory = profile.memory
    now = memory.clock()
    said = await _said(memory, now)
    rings = await _rings(memory, now, said)
    listed = _keys(rings)
    kept = {key: at for key, at in said.items() if key in listed}
    public = {button_name(task) for task in await _public(memory)}
    for ring in rings:
        if not ring.is_due(now) or ring.key in kept:
            continue
        task, at = ring.task, ring.at.astimezone(memory.zone)
        late, shown = now - at > LATE, button_name(task) in public
        await speak(
            _text(task.title if shown else tr(PRIVATE), at, now, late=late),
            key=f"remind:{ring.key}",
            keyboard=keyboard(task, late=late) if shown else (),
            silent=_at_night(profile, now) == "silent",
        )
        kept[ring.key] = utc_text(now)
        await memory.log.settings.set(SAID, json.dumps(kept))
    if kept != said:
        await memory.log.settings.set(SAID, json.dumps(kept))


async def _public(memory: Memory) -> list[Task]:
    """Return the open tasks whose words may be sent; none of a note that is private."""
    try:
        return await Tasks(memory, memory.clock).open()
    except PathRefused:
        return []


async def is_due(profile: Assistant) -> bool:
    """Return whether a reminder is due: a cheap check of tasks.md and of sent reminders."""
    memory = profile.memory
    if _at_night(profile, memory.clock()) == "wait":
        return False
    now = memory.clock()
    said = await _said(memory, now)
    rings = await _rings(memory, now, said)
    is_new = any(ring.is_due(now) and ring.key not in said for ring in rings)
    return is_new or not said.keys() <= _keys(rings)


async def next_at(profile: Assistant) -> datetime | None:
    """Return when the next reminder is to be sent, past the present moment; None for none."""
    memory = profile.memory
    now = memory.clock()
    said = await _said(memory, now)
    rings = await _rings(memory, now, said)
    later = [ring.at for ring in rings if ring.at > now and ring.key not in said]
    if _at_night(profile, now) == "wait":
        later.append(profile.settings.next_active(now.astimezone(memory.zone)))
    return min(later, default=None)


async def last_sent(memory: Memory) -> tuple[Task, datetime] | None:
    """Return the open task whose reminder was sent last, and when; None for none."""
    said = json.loads(await memory.log.settings.get(SAID) or "{}")
    times = dict[str, str]()
    for key, at in said.items():
        mark = key.rpartition("@")[0] or key.partition("~")[0]
        times[mark] = max(at, times.get(mark, ""))
    open_ = await _public(memory) if times else []
    sent = [(each, times[_mark(each)]) for each in open_ if _mark(each) in times]
    task, at = max(sent, key=lambda each: each[1], default=(None, ""))
    return (task, parse_utc(at)) if task else None


async def snooze(memory: Memory, task: str, until: datetime) -> None:
    """Send the reminder of that task again, at `until`."""
    snoozed = json.loads(await memory.log.settings.get(SNOOZED) or "{}")
    await memory.log.settings.set(SNOOZED, json.dumps(snoozed | {task: utc_text(until)}))


async def forget_snooze(memory: Memory, task: str) -> None:
    """Send the reminder of that task at its own time again."""
    snoozed = json.loads(await memory.log.settings.get(SNOOZED) or "{}")
    if snoozed.pop(task, None) is not None:
        await memory.log.settings.set(SNOOZED, json.dumps(snoozed))


def button_name(task: Task) -> str:
    """Return the name by which a button refers to the task: its id, or else its text."""
    return task.id or task.title


def button_argument(task: Task) -> dict[str, str]:
    """Return what a button keeps of the task: its name, and of a recurring one without an id the
    day as well, since the next occurrence has the same name."""
    day = task.day.isoformat() if task.day and task.get("recurrence") and not task.id else ""
    return {"task": button_name(task)} | ({"day": day} if day else {})


def keyboard(task: Task, *, late: bool) -> Keyboard:
    """Return the buttons below a reminder; `late`: it was missed while Sam was down."""
    named = button_argument(task)

    def later(label: str, minutes: int) -> Button:
        return Button(label, "task.snooze", {**named, "minutes": minutes})

    drop = Button(tr("Drop"), "task.drop", named)
    done = Button(tr("Done"), "task.done", named)
    if late:
        return ((later(tr("Still needed"), 0), drop), (done,))
    tomorrow = Button(tr("Tomorrow"), "task.move", {**named, "days": 1})
    return ((done, later(tr("10 min"), 10), later(tr("1 hour"), 60)), (tomorrow, drop))


def _at_night(profile: Assistant, now: datetime) -> str:
    """Return the setting for reminders in quiet hours; "" in active hours."""
    settings = profile.settings
    quiet = not settings.is_active(now.astimezone(profile.memory.zone))
    return settings.reminders_in_quiet_hours if quiet else ""


@dataclass(frozen=True, slots=True)
class _Ring:
    """A reminder, past or to come. `own`: the key of the task's own time; `key`: the same, or that
    of a snooze."""

    own: str
    key: str
    task: Task
    at: datetime

    def is_due(self, now: datetime) -> bool:
        """Return whether its time has come."""
        return self.at <= now <= self.at + OLD


def _keys(rings: Sequence[_Ring]) -> set[str]:
    return {key for ring in rings for key in (ring.own, ring.key)}


async def _said(memory: Memory, now: datetime) -> dict[str, str]:
    """Return when each reminder was sent, by its key; not those sent in the future, when the clock
    was wrong."""
    said = json.loads(await memory.log.settings.get(SAID) or "{}")
    return {key: at for key, at in said.items() if parse_utc(at) <= now}


async def _rings(memory: Memory, now: datetime, said: Mapping[str, str]) -> list[_Ring]:
    """Return the reminders in the order of the tasks' own times; `said`: when they were sent.

    What was sent stays so if the owner travels to where its time is still to come.
    """
    text = await memory.vault.read_optional(memory.vault.own("tasks.md")) or ""
    if privacy(text) == "sealed":
        return []
    snoozed = json.loads(await memory.log.settings.get(SNOOZED) or "{}")
    found: list[_Ring] = []
    local = now.astimezone(memory.zone)
    timed: list[tuple[datetime, Task]] = []
    for task in task_list.by_date(text):
        last, following = task.ring_times(local)
        if last and following and _own(task, following) in said:
            last = None  # it was sent before that one
        timed += [(each, task) for each in (last, following) if each is not None]
    for moment, task in sorted(timed, key=lambda each: each[0]):
        # A local time that the clock skips is due an hour later; one that comes twice, at first.
        at = moment.replace(tzinfo=memory.zone)
        own = key = _own(task, moment)
        again = snoozed.get(button_name(task))
        begin = parse_utc(said[own]) if own in said else at
        # A snooze from before that time is of an earlier one: the task was moved since.
        if again and begin <= now and parse_utc(again) > begin:
            at, key = parse_utc(again), f"{_mark(task)}~{again}"
        found.append(_Ring(own, key, task, at))
    return found


def _own(task: Task, moment: datetime) -> str:
    """Return the key of one of the task's own times."""
    return f"{_mark(task)}@{moment:%Y-%m-%dT%H:%M}"


def _mark(task: Task) -> str:
    return task.id or hashlib.sha256(task.title.encode()).hexdigest()[:12]


def named_in(shown: str) -> str:
    """Return the title of the task that a reminder, as it is shown, names; "" for other texts."""
    first, _, _ = shown.partition("\n")
    return first.removeprefix(SIGN) if first.startswith(SIGN) else ""


def _text(title: str, at: datetime, now: datetime, *, late: bool) -> str:
    text = f"{SIGN}{escape(title)}"
    if not late:
        return text
    when = day_and_time(at.date(), at.time(), now.astimezone(at.tzinfo).date())
    return f"{text}\n\n*{escape(tr('It was due {when}.', when=when))}*"


# ── the morning ──────────────────────────────────────────────────────────────────────────────


async def morning_is_due(profile: Assistant) -> bool:
    """Return whether the list of the day is still to be sent."""
    memory = profile.memory
    local = memory.clock().astimezone(memory.zone)
    if not (profile.settings.morning_list and profile.settings.is_active(local)):
        return False
    listed = await memory.log.settings.get(LISTED)
    # That of tomorrow was sent where the owner travelled from: it is still today here.
    today, tomorrow = (local.date() + timedelta(days=days) for days in (0, 1))
    return listed not in (today.isoformat(), tomorrow.isoformat())


async def morning(profile: Assistant, speak: Speak) -> None:
    """Send what is due today or overdue, and what is known to fall on today or tomorrow, once a
    day, if there is anything."""
    memory = profile.memory
    today = memory.today(memory.clock())
    tasks = [task for task in await _public(memory) if task.day and task.day <= today]
    rows = [f"- {escape(_of_today(task, today))}" for task in tasks[:LISTED_TASKS]]
    if (left := len(tasks) - LISTED_TASKS) > 0:
        rows.append(tr("- … and {left} more", left=left))
    of_today, of_tomorrow = await _known(memory, today, tasks)
    if rows := [*rows, *of_today]:
        rows = [tr("Today:"), "", *rows]
    if of_tomorrow:
        rows += [*([""] if rows else []), tr("Tomorrow:"), "", *of_tomorrow]
    if not rows:
        await memory.log.settings.set(LISTED, today.isoformat())
        return
    listing = ((Button(tr("Finish or move them"), "task.list"),),) if tasks else ()
    # Noted first: who reads it may end Sam at once, and a list is not worth saying twice.
    before = await memory.log.settings.get(LISTED)
    await memory.log.settings.set(LISTED, today.isoformat())
    try:
        await speak("\n".join(rows), key=f"morning:{today.isoformat()}", keyboard=listing)
    except SamError:
        await memory.log.settings.set(LISTED, before or "")
        raise


async def _known(memory: Memory, today: date, tasks: Sequence[Task]) -> tuple[list[str], list[str]]:
    """Return what is known to fall on today, and on tomorrow, without what a task says already."""
    titles = [{*terms(task.title)} for task in tasks]
    found: dict[date, list[str]] = {today: [], today + timedelta(days=1): []}
    for day, text in await memory.knowledge.falling_on([*found]):
        words = {*terms(text)}
        if len(found[day]) < LISTED_DATES and not any(title and title <= words for title in titles):
            found[day].append(f"- {escape(one_line(text))}")
    first, second = found.values()
    return first, second


def _of_today(task: Task, today: date) -> str:
    if task.day is not None and task.day != today:
        return tr("{title} · overdue since {day}", title=task.title, day=short_day(task.day))
    return f"{task.title} · {task.at:%H:%M}" if task.timed and task.at else task.title
