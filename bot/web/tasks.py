"""The tasks: open ones with the same actions as in a chat, and closed ones."""

from __future__ import annotations

from datetime import date

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from memory import EditRefused, SamError
from memory.notes import Task, plain, task_list
from memory.tools import Tasks

from ..assistant.reminders import button_argument
from ..chat.actions import ACTIONS
from ..chat.protocol import as_shown
from ..chat.tasks.commands import todo
from . import notes
from .frame.guard import visit_of
from .frame.pages import Console, console_of, page, redirect

CLOSED = 30  # closed tasks that are shown
DONE = ("x", "X")
STEPS = {
    "done": ("task.done", {}),
    "drop": ("task.drop", {}),
    "tomorrow": ("task.move", {"days": 1}),
    "week": ("task.move", {"days": 7}),
    "hour": ("task.snooze", {"minutes": 60}),
    "reopen": ("task.undo", {}),
}
"""The page's buttons: the action of the chat's button, and its argument."""


async def listing(request: Request) -> Response:
    """Show the open tasks, the earliest first, then the closed ones, the latest first."""
    console = console_of(request)
    of = Tasks(console.memory, console.clock)
    found = await of.open()
    text = await notes.readable(console.memory, of.path) or ""
    closed = [task for _, task in task_list.tasks(text) if not task.open]
    closed = [task for task in closed if "#sam/" not in task.line]
    closed.sort(key=_closed_on, reverse=True)
    return page(
        request,
        "tasks.html",
        open=[(task, when(task, of.today), overdue(task, of.today)) for task in found],
        closed=[(task, _closed_on(task), task.status in DONE) for task in closed[:CLOSED]],
        named=button_argument,
    )


def _closed_on(task: Task) -> str:
    return task.get("done") or task.get("cancelled")


def overdue(task: Task, today: date) -> bool:
    """Return whether its day is over."""
    return task.day is not None and task.day < today


def when(task: Task, today: date) -> str:
    """Return when it is due, in words; "" for one without a day."""
    if task.day is None:
        return ""
    days = (task.day - today).days
    near = {-1: "yesterday", 0: "today", 1: "tomorrow"}
    year = "" if task.day.year == today.year else f" {task.day.year}"
    said = near.get(days) or f"{task.day:%a} {task.day.day} {task.day:%b}{year}"
    return f"{said} {task.time:%H:%M}" if task.time is not None else said


async def add(request: Request) -> Response:
    """Add a task, as `/todo` does: a day and a time in its words become its reminder."""
    console, words = console_of(request), visit_of(request).form_value("text").strip()
    if not words:
        raise EditRefused("What is to be done? Write it into the field.")
    shown = as_shown(await todo(console.call(" ".join(words.split())[:2000])))
    return redirect(request, "/tasks", plain(shown.text))


async def step(request: Request) -> Response:
    """Run the action of a task's button."""
    console, visit = console_of(request), visit_of(request)
    name, task = request.url.path.rpartition("/")[2], visit.form_value("task")
    action, argument = STEPS[name]
    if name == "reopen" and await _is_open(console, task):
        raise SamError("It is already open.")
    of = {"day": day} if (day := visit.form_value("day")) else {}
    outcome = await ACTIONS[action].run(console.press(task=task, **of, **argument))
    return redirect(request, "/tasks", outcome.toast)


async def _is_open(console: Console, named: str) -> bool:
    found = await Tasks(console.memory, console.clock).open()
    return any(named in (each.id, each.title) for each in found)


ROUTES = (
    Route("/tasks", listing),
    Route("/tasks/add", add, methods=["POST"]),
    *(Route(f"/tasks/{name}", step, methods=["POST"]) for name in STEPS),
)
