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
    things_in,
    tr,
)
from memory.tools import Span, Tasks

from ...assistant import Assistant
from ..protocol import Call, Shown
from .buttons import closed
from .last import JUST_SET, last_task
from .listing import listed, local_time, tasks_of, things_to_buy
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
    return bool(_meant(await Tasks(profile.memory, profile.memory.clock).open(), *closing))


async def close(call: Call, closing: Closing, words: str) -> Shown:
    """Finish or cancel the tasks that these words name; ask where one may be several."""
    open_ = await tasks_of(call).open()
    kind = task_kind(words) if closing == "dropped" else None
    meant = [await _of_kind(call, open_, kind)] if kind else _meant(open_, closing, words)
    if not any(meant) and (period := asked_period(words, local_time(call))):
        meant = [[task for task in open_ if task.day and period[0] <= task.day <= period[1]]]
    if not any(meant):
        return Shown(tr(NO_SUCH))
    found = list({task.line: task for each in meant for task in each}.values())
    titles = {task.title for task in found}
    # "Cancel the pills", which are at 8 and at 20.
    at_all_times = closing not in ("done", "bought") and not kind
    if any(len(each) > 1 for each in meant) and not (at_all_times and len(titles) == 1):
        shown = listed(call, found)
        asked = tr(WHICH) if call.on_telegram else tr(WHICH_IN_WORDS)
        return Shown(f"{asked}\n\n{shown.text}", shown.keyboard if call.on_telegram else ())
    if at_all_times:
        found = [task for task in open_ if task.title in titles]
    return await closed(call, found, is_done=closing in ("done", "bought"))


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
    """Return the task with this title, or else those that have all of the telling words."""
    named = set(terms(words))
    titles = [(task, set(terms(task.title))) for task in open_]
    same = [task for task, title in titles if title == named]
    telling = named - STOP_WORDS or named
    return same[:1] or [task for task, title in titles if named and within(telling, title)]


def within(named: set[str], title: set[str]) -> bool:
    """Return whether each word is in the title, also in another form ("bins", "bin")."""
    return all(any(share_beginning(word, other) for other in title) for word in named)
