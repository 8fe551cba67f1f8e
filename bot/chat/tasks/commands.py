"""/tasks, /todo and /remind, and the buttons that finish, move, snooze and drop a task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING

from memory.errors import EditRefused
from memory.notes import Task, recurrence
from memory.text import (
    Closing,
    asked_tasks,
    closed_task,
    day_and_time,
    day_month,
    long_day,
    mark,
    on_day,
    on_weekday,
    recognise_intent,
    share_beginning,
    short_day,
    terms,
    tr,
)
from memory.tools import Due, NotDue, Span, Tasks, bare, due_time, split_repetition, time_range

from ...assistant import reminders
from ...markdown_escape import escape
from ...turn.incognito import NOT_NOW
from ..protocol import Button, Call, Outcome, Press, Shown

if TYPE_CHECKING:
    from ...assistant import Assistant

SHOWN = 20  # tasks in a list
WITH_BUTTONS = 8  # tasks with buttons; more rows would hide the list

WHEN = mark(
    "When? Write it with the time: `/remind tomorrow 9:00 call Ana`, `/remind in 20 minutes tea`,"
    " `/remind every Monday 18:00 water the plants`"
)
NOT_DUE = {
    NotDue.PAST: mark("That is in the past."),
    NotDue.NO_SUCH: mark("There is no such day or time."),
}
WHAT = mark(
    "What should I remind you of? Write it after the time, or reply to a message with `/remind`."
)
NO_TIME = mark("At what time? Write it with the day: `/remind today 18:00 call Ana`")
TERMINAL = mark("When one is done, write “{title} is done”. To move one, edit it in {path}.")
NO_RING = mark(
    "It has no time, so I will not remind you of it. For a reminder, write when: `/remind tomorrow "
    "9:00 {title}`"
)
NO_SUCH = mark("You have no open task about that.")
WHICH = mark("Which one? Write its whole text, or press its button:")
WHICH_IN_WORDS = mark("Which one? Write its whole text:")
NONE = mark("You have no open tasks. To add one: `/todo milk`, `/remind tomorrow 9:00 call Ana`")
DUE = mark("This is due {when}:")
NOTHING_DUE = mark("Nothing is due {when}.")
OVERDUE = mark("This is overdue:")
NOTHING_OVERDUE = mark("Nothing is overdue.")
UNDATED = mark("Without a day: {titles}")
GONE = mark("That task is no longer in your list.")


async def tasks(call: Call) -> Shown:
    """Show your tasks, to finish or move them: /tasks, /tasks tomorrow"""
    of, now = _tasks(call), _local_time(call)
    if closing := closed_task(call.words):
        return await _close(call, *closing)
    if (period := asked_period(call.words, now.date())) is not None:
        return _in_period(await of.open(), period, now.date())
    shown = await _list(of, now)
    if not shown.keyboard or call.on_telegram:
        return shown
    named = escape((await of.open())[0].title)
    return Shown(f"{shown.text}\n\n{tr(TERMINAL, title=named, path=escape(of.path))}")


async def closes_a_task(profile: Assistant, text: str) -> bool:
    """Return whether a message closes a task: it says to drop one, or that an open one is done."""
    closing = closed_task(text)
    if closing is None or closing[0] == "dropped":
        return closing is not None
    open_ = await Tasks(profile.memory, profile.memory.clock).open()
    return bool(_about(open_, closing[1]))


async def _close(call: Call, closing: Closing, words: str) -> Shown:
    """Finish or cancel the one task that these words name; ask if there are several."""
    of = _tasks(call)
    found = _about(await of.open(), words)
    if not found:
        return Shown(tr(NO_SUCH))
    if len(found) > 1:
        shown = await _list(of, _local_time(call))
        asked = tr(WHICH) if call.on_telegram else tr(WHICH_IN_WORDS)
        return Shown(f"{asked}\n\n{shown.text}", shown.keyboard if call.on_telegram else ())
    [task], following = found, ""
    if closing == "done":
        _, following = await of.complete(task.id or task.title)
    else:
        await of.cancel(task.id or task.title)
    undo = {"task": task.id, "following": following}
    keyboard = ((Button(tr("Undo"), "task.undo", undo),),) if task.id else ()
    said = tr("Done.") if closing == "done" else tr("Dropped.")
    return Shown(f"{'✅' if closing == 'done' else '❌'} {said} {escape(task.title)}", keyboard)


def _about(open_: Sequence[Task], words: str) -> list[Task]:
    """Return the task with this title, or else those that have all of the words."""
    named = set(terms(words))
    titles = [(task, set(terms(task.title))) for task in open_]
    same = [task for task, title in titles if title == named]
    return same[:1] or [task for task, title in titles if named and _within(named, title)]


def _within(named: set[str], title: set[str]) -> bool:
    """Return whether each word is in the title, also in another form ("bins", "bin")."""
    return all(any(share_beginning(word, other) for other in title) for word in named)


async def todo(call: Call) -> Shown | str:
    """Add a task: /todo milk"""
    if not call.words:
        return await tasks(call)
    if await call.profile.turns.incognito.is_on(call.chat):
        return escape(tr(NOT_NOW))
    now = _local_time(call)
    asked = recognise_intent(call.words)
    reminds = asked is not None and asked.kind == "remind"
    rule, words = _split_rule(bare(asked.words) if asked and reminds else call.words)
    due = _first(rule, due_time(words, now), words, now)
    if not isinstance(due, Due) or not due.rest:
        shown = await _added(call, words, None, rule)
        hint = f"\n\n{tr(NO_RING, title=words.replace('`', ''))}" if reminds else ""
        return Shown(shown.text + hint, shown.keyboard)
    return await _added(call, due.rest, due, rule)


async def remind(call: Call) -> Shown | str:
    """Set a reminder: /remind tomorrow 9:00 call Ana"""
    if await call.profile.turns.incognito.is_on(call.chat):
        return escape(tr(NOT_NOW))
    now = _local_time(call)
    rule, words = _split_rule(call.words)
    due = _first(rule, due_time(words, now), words, now)
    if not isinstance(due, Due):
        return tr(WHEN) if due is None else f"{tr(NOT_DUE[due])}\n\n{tr(WHEN)}"
    what = due.rest or (call.answers.text.strip() if call.answers else "")
    if not what:
        return tr(WHAT)
    moment = due.time or time(call.profile.settings.first_active_hour)
    if datetime.combine(due.day, moment) <= now.replace(tzinfo=None):
        return tr(NO_TIME)
    return await _added(call, what, Due(due.day, moment, what), rule)


def names_a_time(words: str, now: datetime) -> bool:
    """Return whether a reminder's words contain its time, relative to the local time `now`."""
    rule, rest = _split_rule(words)
    return _first(rule, due_time(rest, now), rest, now) is not None


def asked_period(words: str, today: date) -> Span | None:
    """Return the days whose tasks are asked for: those that the words name, from today on.

    "Overdue" is everything before today. None for no such time.
    """
    found = time_range(words, today)
    if asked_tasks(found.rest if found else words, dated=found is not None) == "overdue":
        return date.min, today - timedelta(days=1)
    if found is None:
        return None
    later = time_range(words, today + timedelta(days=7))  # "on Friday": the next one
    spans = [*found.spans, *(later.spans if later else ())]
    return next(((max(first, today), last) for first, last in spans if last >= today), None)


def _split_rule(words: str) -> tuple[str, str]:
    """Split the words into a rule of the Tasks plugin and the rest; the rule is "" without one."""
    found = [split(words) for split in (recurrence.split_rule, split_repetition)]
    # The one that explains more words: "every month", or "the first Monday of every month".
    return min(found, key=lambda each: (not each[0], len(each[1])))


def _first(rule: str, due: Due | NotDue | None, words: str, now: datetime) -> Due | NotDue | None:
    """Return the first time of a recurring task, from its rule and the day and time in `words`."""
    if not rule or isinstance(due, NotDue):
        return due
    moment, rest = (due.time, due.rest) if due else (None, words)
    if due and due.has_day:
        day = recurrence.first_on(rule, due.day, or_today=True)
        return Due(day, moment, rest) if day else due
    ahead = moment is None or now.time() < moment
    day = recurrence.first_on(rule, now.date(), or_today=ahead)
    return Due(day, moment, rest) if day else due


async def _added(call: Call, what: str, due: Due | None, rule: str) -> Shown:
    when = f"{due.day:%Y-%m-%d}{f' {due.time:%H:%M}' if due.time else ''}" if due else ""
    added = await _tasks(call).add(what, due=when, repeats=rule)
    today = _local_time(call).date()
    if due is not None and due.time is not None:
        text = f"⏰ {escape(day_and_time(due.day, due.time, today))}: {escape(added.title)}"
    else:
        day = f" ({escape(day_and_time(due.day, None, today))})" if due else ""
        text = tr("Added: {title}{day}", title=escape(added.title), day=day)
    repeats = f" · {escape(rule)}" if rule else ""
    return Shown(text + repeats, ((Button(tr("Undo"), "task.drop", {"task": added.id}),),))


# ── buttons ──────────────────────────────────────────────────────────────────────────────────


async def listed(press: Press) -> Outcome:
    """Replace the message with the list of tasks."""
    return Outcome(replace=await _refreshed(press))


async def done(press: Press) -> Outcome:
    """Finish the task."""
    task = await _open_task(press)
    if _is_over(press, task):
        return await _after(press, None, tr("It was already done."), "", None)
    changed, following = await _tasks(press).complete(_named(press))
    toast = tr("Done.") if changed else tr("It was already done.")
    undo = {"task": _named(press), "following": following}
    return await _after(press, task, toast, "✅", undo if task and task.id else None)


async def drop(press: Press) -> Outcome:
    """Cancel the task: it stays in the note, crossed out."""
    task = await _open_task(press)
    if _is_over(press, task):
        return await _after(press, None, tr("It was already closed."), "", None)
    changed = await _tasks(press).cancel(_named(press))
    toast = tr("Dropped.") if changed else tr("It was already closed.")
    undo = {"task": _named(press), "following": ""}
    return await _after(press, task, toast, "❌", undo if task and task.id else None)


async def move(press: Press) -> Outcome:
    """Move the task to a number of days from today; its reminder keeps the time of day."""
    tasks_, task = _tasks(press), await _open_task(press)
    if _is_over(press, task):
        return await _after(press, None, tr(GONE), "", None)
    day = tasks_.today + timedelta(days=int(press.argument["days"]))
    await tasks_.postpone(_named(press), day)
    await reminders.forget_snooze(press.profile.memory, _named(press))
    toast = tr("Moved to {day}.", day=long_day(day))
    return await _after(press, task, toast, "📅", None, f" → {short_day(day)}")


async def snooze(press: Press) -> Outcome:
    """Remind again after some minutes; 0: the task is only kept."""
    task, minutes = await _open_task(press), int(press.argument["minutes"])
    if task is None:
        return Outcome(toast=tr(GONE))
    if not minutes:
        kept = Shown(f"⏰ {escape(task.title)}", reminders.keyboard(task, late=False))
        return Outcome(toast=tr("It stays in your tasks."), replace=kept)
    memory = press.profile.memory
    at = press.at + timedelta(minutes=minutes)
    await reminders.snooze(memory, _named(press), at)
    again = f"{at.astimezone(memory.zone):%H:%M}"
    shown = Shown(
        tr("💤 {title} – again at {again}", title=escape(task.title), again=again),
        ((Button(tr("Done"), "task.done", reminders.button_argument(task)),),),
    )
    return Outcome(toast=tr("Again at {again}.", again=again), replace=shown)


async def undo(press: Press) -> Outcome:
    """Reopen a finished or cancelled task."""
    await _tasks(press).reopen(_named(press), str(press.argument.get("following", "")))
    task = await _open_task(press)
    if task is None:
        raise EditRefused(tr(GONE))
    if press.argument.get("list"):
        return Outcome(toast=tr("It is open again."), replace=await _refreshed(press))
    kept = Shown(f"⏰ {escape(task.title)}", reminders.keyboard(task, late=False))
    return Outcome(toast=tr("It is open again."), replace=kept)


async def _after(
    press: Press,
    task: Task | None,
    toast: str,
    sign: str,
    undo: Mapping[str, object] | None,
    more: str = "",
) -> Outcome:
    """Show the result for the task: in its list, or in its own message."""
    if press.argument.get("list"):
        return Outcome(toast=toast, replace=await _refreshed(press))
    if task is None:
        return Outcome(toast=toast)
    keyboard = ((Button(tr("Undo"), "task.undo", undo),),) if undo else ()
    return Outcome(toast=toast, replace=Shown(f"{sign} {escape(task.title + more)}", keyboard))


async def _refreshed(press: Press) -> Shown:
    return await _list(_tasks(press), _local_time(press))


async def _open_task(press: Press) -> Task | None:
    named, day = _named(press), press.argument.get("day")
    for task in await _tasks(press).open():
        if named in (task.id, task.title) and day in (None, str(task.day)):
            return task
    return None


def _is_over(press: Press, task: Task | None) -> bool:
    """Return whether the occurrence that the button is about is not open any more."""
    return task is None and "day" in press.argument


def _named(press: Press) -> str:
    return str(press.argument["task"])


def _tasks(asked: Call | Press) -> Tasks:
    return Tasks(asked.profile.memory, lambda: asked.at)


def _local_time(asked: Call | Press) -> datetime:
    return asked.at.astimezone(asked.profile.memory.zone)


# ── the list ─────────────────────────────────────────────────────────────────────────────────


async def _list(of: Tasks, now: datetime) -> Shown:
    found = await of.open()
    if not found:
        return Shown(tr(NONE))
    rows = [f"{n}. {_line(task, now.date())}" for n, task in enumerate(found[:SHOWN], 1)]
    if len(found) > SHOWN:
        rows.append(
            tr("… and {count} more in {path}.", count=len(found) - SHOWN, path=escape(of.path))
        )
    return Shown(
        "\n".join(rows),
        tuple(_row(number, task) for number, task in enumerate(found[:WITH_BUTTONS], 1)),
    )


def _in_period(every: list[Task], period: Span, today: date) -> Shown:
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
    undated = [task.title for task in every if not task.day] if last >= today else []
    if undated:
        titles = "; ".join(undated[:WITH_BUTTONS]) + (" …" if len(undated) > WITH_BUTTONS else "")
        parts.append(tr(UNDATED, titles=escape(titles)))
    buttons = tuple(_row(number, task) for number, task in enumerate(found[:WITH_BUTTONS], 1))
    return Shown("\n\n".join(parts), buttons)


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
        remarks.append(rule)
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
