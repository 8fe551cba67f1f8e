"""Tell the owner what an answer has written, by the edit history: a model may say that something is
saved without having saved it."""

from __future__ import annotations

from datetime import date
from pathlib import PurePosixPath

from memory import ChangeSet, Memory
from memory.notes import Task
from memory.text import clipped, day_and_time, mark, one_line, repetition, tr

WRITTEN = mark("{what}. /undo takes it back.")
WROTE_NOTHING = mark("This answer has saved and changed nothing.")
_LISTED = 3  # tasks
_LONGEST = 120  # characters of a task
_TASKS = "tasks.md"


async def written_notice(memory: Memory, turn_id: int) -> str:
    """Return a sentence with the notes that this turn has changed, and the tasks as they are now;
    "" if it has changed none."""
    change = await memory.history.of_turn(turn_id)
    what = ""
    if change is not None:
        what = _described(change, memory.vault.sam_dir, memory.today(change.at))
    return tr(WRITTEN, what=what) if what else ""


def _described(change: ChangeSet, sam_dir: str, today: date) -> str:
    tasks = [_task(each, today) for each in change.tasks(sam_dir)]
    notes = [each for each in change.lines(sam_dir) if not _is_of_tasks(each.path)]
    saved = dict.fromkeys(each.path for each in notes if each.added)
    removed = dict.fromkeys(each.path for each in notes if each.path not in saved)
    said = [clipped(one_line(each), _LONGEST) for each in tasks[:_LISTED]]
    said += ["…"] if len(tasks) > _LISTED else []
    parts = [
        tr("Task: {text}", text="; ".join(said)) if said else "",
        tr("Saved in {where}", where=tr(" and ").join(saved)) if saved else "",
        tr("Removed from {where}", where=tr(" and ").join(removed)) if removed else "",
    ]
    return ". ".join(filter(None, parts))


def _task(task: Task, today: date) -> str:
    remarks = [
        day_and_time(task.day, task.time, today) if task.day else "",
        repetition(task.get("recurrence")),
        "" if task.open else tr("no longer open"),
    ]
    return " · ".join(filter(None, (task.title, *remarks)))


def _is_of_tasks(path: str) -> bool:
    return PurePosixPath(path).name == _TASKS
