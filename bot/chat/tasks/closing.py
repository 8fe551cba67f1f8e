"""Close a task that is named in words: "the milk is done", "drop the milk"."""

from __future__ import annotations

from collections.abc import Sequence

from memory.notes import Task
from memory.text import (
    STOP_WORDS,
    Closing,
    TaskKind,
    closed_task,
    is_of_kind,
    mark,
    share_beginning,
    task_kind,
    terms,
    tr,
)
from memory.tools import Span, Tasks

from ...assistant import Assistant
from ...markdown_escape import escape
from ..protocol import Button, Call, Shown
from .buttons import dropped
from .last import JUST_SET, last_task
from .listing import listed, local_time, tasks_of
from .reading import asked_period

NO_SUCH = mark("You have no open task about that.")
WHICH = mark("Which one? Write its whole text, or press its button:")
WHICH_IN_WORDS = mark("Which one? Write its whole text:")
_RING: tuple[TaskKind, ...] = ("alarm", "timer")


async def closes_a_task(profile: Assistant, text: str) -> bool:
    """Return whether a message closes a task: it says to drop one, or that an open one is done."""
    closing = closed_task(text)
    if closing is None or closing[0] == "dropped":
        return closing is not None
    open_ = await Tasks(profile.memory, profile.memory.clock).open()
    return bool(about(open_, closing[1]))


async def close(call: Call, closing: Closing, words: str) -> Shown:
    """Finish or cancel the one task that these words name; ask if there are several."""
    of = tasks_of(call)
    open_ = await of.open()
    kind = task_kind(words) if closing == "dropped" else None
    found = await _of_kind(call, open_, kind) if kind else about(open_, words)
    if not found and (period := asked_period(words, local_time(call))):
        found = [task for task in open_ if task.day and period[0] <= task.day <= period[1]]
    if not found:
        return Shown(tr(NO_SUCH))
    if len(found) > 1:
        shown = listed(call, found)
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


async def drop_all(call: Call, kind: TaskKind, period: Span | None) -> Shown:
    """Cancel all tasks of a kind that are due in a period, None for any time; show which."""
    found = [
        task
        for task in await tasks_of(call).open()
        if (kind == "task" or task.time)
        and (kind not in _RING or is_of_kind(task.title, kind))
        and (period is None or (task.day and period[0] <= task.day <= period[1]))
    ]
    return await dropped(call, found) if found else Shown(tr(NO_SUCH))


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
    """Return the task with this title, or else those that have all of the telling words."""
    named = set(terms(words))
    titles = [(task, set(terms(task.title))) for task in open_]
    same = [task for task, title in titles if title == named]
    telling = named - STOP_WORDS or named
    return same[:1] or [task for task, title in titles if named and within(telling, title)]


def within(named: set[str], title: set[str]) -> bool:
    """Return whether each word is in the title, also in another form ("bins", "bin")."""
    return all(any(share_beginning(word, other) for other in title) for word in named)
