"""The buttons that finish, move, snooze and drop a task."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import TypeVar

from memory.errors import EditRefused
from memory.notes import Task
from memory.text import day_and_time, long_day, mark, repetition, short_day, tr
from memory.vault import as_one_change

from ...assistant import reminders
from ...markdown_escape import escape
from ..protocol import EXPIRED, Button, Call, Outcome, Press, Shown
from .listing import local_time, open_tasks, tasks_of

T = TypeVar("T")
GONE = mark("That task is no longer in your list.")


async def listed(press: Press) -> Outcome:
    """Replace the message with the list of tasks."""
    return Outcome(replace=await open_tasks(press))


async def done(press: Press) -> Outcome:
    """Finish the task."""
    task = await _open_task(press)
    if _is_over(press, task):
        return await _after(press, None, tr("It was already done."), "", None)
    changed, following = await _of(task, tasks_of(press).complete(_named(press)))
    toast = tr("Done.") if changed else tr("It was already done.")
    undo = {"task": _named(press), "following": following}
    return await _after(press, task, toast, "✅", undo if task and task.id else None)


async def drop(press: Press) -> Outcome:
    """Cancel the task, or several: they stay in the note, crossed out."""
    if ids := press.argument.get("tasks"):
        return await _drop_several(press, ids)
    task = await _open_task(press)
    if _is_over(press, task):
        return await _after(press, None, tr("It was already closed."), "", None)
    changed = await _of(task, tasks_of(press).cancel(_named(press)))
    toast = tr("Dropped.") if changed else tr("It was already closed.")
    undo = {"task": _named(press), "following": ""}
    return await _after(press, task, toast, "❌", undo if task and task.id else None)


async def _drop_several(press: Press, ids: Sequence[str]) -> Outcome:
    """Cancel those of the tasks that are open, and show them in one message."""
    found = [task for task in await tasks_of(press).open() if task.id in ids]
    if not found:
        return Outcome(toast=tr("It was already closed."))
    return Outcome(toast=tr("Dropped."), replace=await closed(press, found, is_done=False))


@as_one_change
async def closed(asked: Call | Press, open_: Sequence[Task], *, is_done: bool) -> Shown:
    """Finish or cancel these tasks, and show those that were, with one button that opens them again
    if all have ids. Raises EditRefused if none could be closed."""
    of, following = tasks_of(asked), dict[str, str]()
    found = list[Task]()
    for task in open_:
        with suppress(EditRefused):  # the note may have been edited since it was read
            if is_done:
                _, following[task.id] = await of.complete(task.id or task.line)
            else:
                await of.cancel(task.id or task.line)
            found.append(task)
    if not found:
        raise EditRefused(tr(GONE))
    sign, said = ("✅", tr("Done.")) if is_done else ("❌", tr("Dropped."))
    ids = [task.id for task in found]
    undo: dict[str, object] = {"tasks": ids, "following": following}
    text = "\n".join(f"{sign} {task.title}" for task in found)
    if len(open_) == 1:
        undo = {"task": ids[0], "following": following.get(ids[0], "")}
        text = f"{sign} {said} {found[0].title}"
    return Shown(escape(text), ((Button(tr("Undo"), "task.undo", undo),),) if all(ids) else ())


async def move(press: Press) -> Outcome:
    """Move the task to a number of days from today; its reminder keeps the time of day."""
    tasks_, task = tasks_of(press), await _open_task(press)
    if _is_over(press, task):
        return await _after(press, None, tr(GONE), "", None)
    day = tasks_.today + timedelta(days=int(press.argument["days"]))
    await _of(task, tasks_.postpone(_named(press), day))
    await reminders.forget_snooze(press.profile.memory, _named(press))
    toast = tr("Moved to {day}.", day=long_day(day))
    return await _after(press, task, toast, "📅", None, f" → {short_day(day)}")


async def retime(press: Press) -> Outcome:
    """Move the task that was just set to the other time that its words may mean."""
    task, moment = await _open_task(press), datetime.fromisoformat(press.argument["at"])
    if task is None or task.at is None:
        raise EditRefused(tr(GONE))
    before = datetime.fromisoformat(press.argument["other"])
    is_past = moment <= local_time(press).replace(tzinfo=None)
    if is_past or task.at not in (moment, before):
        raise EditRefused(tr(EXPIRED))
    await tasks_of(press).postpone(_named(press), moment.date(), moment.time())
    await reminders.forget_snooze(press.profile.memory, _named(press))
    return Outcome(replace=reminder_set(press, task, moment, before))


def reminder_set(asked: Call | Press, task: Task, moment: datetime, other: datetime) -> Shown:
    """Show a reminder with its full date, and a button for the other time that may be meant, and
    one that drops it."""
    today = local_time(asked).date()
    day = day_and_time(moment.date(), None, today)
    if moment.date() <= today + timedelta(days=1):
        day = f"{day} ({short_day(moment.date())})"
    label = f"{other:%H:%M}"
    if other.date() != moment.date():
        label = day_and_time(other.date(), other.time(), today)
    times = {"at": other.isoformat(), "other": moment.isoformat()}
    change = Button(label, "task.retime", {"task": task.id, **times})
    drop = Button(tr("Undo"), "task.drop", {"task": task.id})
    text = f"⏰ {day} {moment:%H:%M}: {task.title}"
    return Shown(escape(text) + repeats(task.get("recurrence")), ((change, drop),))


def repeats(rule: str) -> str:
    """Return how often a task repeats, to stand behind it; "" for one that does not."""
    return f" · {escape(repetition(rule))}" if rule else ""


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
    """Reopen a finished or cancelled task, or several."""
    if ids := press.argument.get("tasks"):
        following = press.argument.get("following", {})
        for each in ids:
            with suppress(EditRefused):  # it may have been deleted in the note
                await tasks_of(press).reopen(each, following.get(each, ""))
        reopened = [task for task in await tasks_of(press).open() if task.id in ids]
        if not reopened:
            raise EditRefused(tr(GONE))
        drop_ = Button(tr("Undo"), "task.drop", {"tasks": ids})
        text = "\n".join(_with_time(press, task) for task in reopened)
        return Outcome(toast=tr("It is open again."), replace=Shown(escape(text), ((drop_,),)))
    await tasks_of(press).reopen(_named(press), str(press.argument.get("following", "")))
    task = await _open_task(press)
    if task is None:
        raise EditRefused(tr(GONE))
    if press.argument.get("list"):
        return Outcome(toast=tr("It is open again."), replace=await open_tasks(press))
    return Outcome(toast=tr("It is open again."), replace=_open_again(press, task))


def _open_again(press: Press, task: Task) -> Shown:
    """Return a reminder once the time of the task has come, else the task."""
    zone = press.profile.memory.zone
    if task.timed and task.at and task.at.replace(tzinfo=zone) <= press.at:
        return Shown(f"⏰ {escape(task.title)}", reminders.keyboard(task, late=False))
    named = reminders.button_argument(task)
    done, drop = Button(tr("Done"), "task.done", named), Button(tr("Drop"), "task.drop", named)
    return Shown(escape(_with_time(press, task)), ((done, drop),))


def _with_time(press: Press, task: Task) -> str:
    """Return the title of an open task with its day and time, as it was shown when it was set."""
    moment = task.at.time() if task.timed and task.at else None
    text = task.title
    if task.day:
        day = day_and_time(task.day, moment, tasks_of(press).today)
        return f"⏰ {day}: {text}" if moment else f"{text} ({day})"
    return text


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
        return Outcome(toast=toast, replace=await open_tasks(press))
    if task is None:
        return Outcome(toast=toast)
    keyboard = ((Button(tr("Undo"), "task.undo", undo),),) if undo else ()
    return Outcome(toast=toast, replace=Shown(f"{sign} {escape(task.title + more)}", keyboard))


async def _of(task: Task | None, change: Awaitable[T]) -> T:
    """Await the change of a task. Raises EditRefused, in words for the owner if there is no such
    open task: the note may have been edited since the button was shown."""
    try:
        return await change
    except EditRefused:
        if task is None:
            raise EditRefused(tr(GONE)) from None
        raise


async def _open_task(press: Press) -> Task | None:
    named, day = _named(press), press.argument.get("day")
    for task in await tasks_of(press).open():
        if named in (task.id, task.title) and day in (None, str(task.day)):
            return task
    return None


def _is_over(press: Press, task: Task | None) -> bool:
    """Return whether the occurrence that the button is about is not open any more."""
    return task is None and "day" in press.argument


def _named(press: Press) -> str:
    return str(press.argument["task"])
