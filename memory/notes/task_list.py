"""Edit and query the text of a task note: add, complete, list, due.

Everything but the task in question keeps its bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, time, timedelta

from ..errors import EditRefused
from . import recurrence
from .markdown import date_in, fenced, headings, lines, new_id, newline, plain
from .prose import prose
from .task import AT, PRIORITIES, Task, new, parse, parse_due, render

__all__ = [
    "PRIORITIES",
    "Task",
    "add",
    "complete",
    "due",
    "listing",
    "new",
    "parse",
    "parse_due",
    "render",
    "tasks",
]

SHOWN = 50  # tasks in a listing; enough for a model to choose from
CANDIDATES = 5  # tasks named in a refusal


def tasks(text: str) -> Iterator[tuple[int, Task]]:
    """The tasks of a note and their lines, from 0; those in comments and code are none."""
    rows = lines(text)
    seen = prose(rows)
    for number, code in enumerate(fenced(seen)):
        if seen[number] and not code and (task := parse(rows[number])):
            yield number, task


def add(text: str, task: Task) -> str:
    """Add the task after the last one of the first section with open tasks.

    Unchanged when a task with its id exists already.
    """
    found = list(tasks(text))
    if task.id and re.search(rf"🆔\ufe0f? *{re.escape(task.id)}(?![\w-])", text):
        return text
    end = newline(text)
    line = render(task)
    if not text.strip():
        return f"# Tasks\n\n{line}\n"
    if not found:
        gap = "" if text.endswith("\n") else end
        blank = "" if not lines(text + gap)[-2].strip() else end
        return f"{text}{gap}{blank}{line}{end}"
    raw = text.split("\n")
    at = _behind(lines(text), found)
    if at == len(raw):
        return f"{text}{end}{line}{end}"
    return "\n".join([*raw[:at], line + end.removesuffix("\n"), *raw[at:]])


def complete(text: str, id_or_text: str, today: date) -> str:
    """Mark that task as done, and insert the next one above it when it recurs.

    It is found by its id, or by its whole text. Unchanged when the task of that id is done already.
    Raises EditRefused when it is not exactly one, or its recurrence is not understood.
    """
    found = list(tasks(text))
    wanted = " ".join(id_or_text.split())
    named = [entry for entry in found if entry[1].id and entry[1].id == wanted.lstrip("^")]
    chosen = [entry for entry in named if entry[1].open]
    if named and not chosen:
        return text
    chosen = chosen or [entry for entry in found if entry[1].open and _called(entry[1], wanted)]
    if len(chosen) != 1:
        others = [task for _, task in found if task.open]
        raise EditRefused(_refusal(wanted, [task for _, task in chosen], others))
    number, task = chosen[0]
    done = replace(task, status="x").having(done=today.isoformat())
    following = _following(task, today, {other.id for _, other in found})
    raw = text.split("\n")
    row = lines(text)[number]
    changed = [raw[number].replace(row, render(done))]
    if following:
        changed.insert(0, raw[number].replace(row, render(following)))
    return "\n".join([*raw[:number], *changed, *raw[number + 1 :]])


def due(text: str, now: datetime) -> list[Task]:
    """Return the open tasks that are due, oldest first. `now` is the owner's local time.

    A reminder's time takes precedence over 📅 and ⏳, which are due from midnight.
    """
    local = now.replace(tzinfo=None)
    found = [
        task
        for _, task in tasks(text)
        if task.open
        and task.day is not None
        and (task.at <= local if task.at else task.day <= local.date())
    ]
    return sorted(found, key=_moment)


def listing(text: str, today: date) -> str:
    """The open tasks, a line each with id, text and fields: overdue first, undated last."""
    found = [task for _, task in tasks(text) if task.open]
    if not found:
        return "No open tasks."
    order = [*PRIORITIES.values()]

    def rank(task: Task) -> tuple[date, int]:
        sign = task.get("priority")
        return task.day or date.max, order.index(sign) * 2 if sign else 5

    shown = [_listed(task, today) for task in sorted(found, key=rank)]
    if len(shown) > SHOWN:
        shown = [*shown[:SHOWN], f"… and {len(shown) - SHOWN} more."]
    return "\n".join(shown)


def _moment(task: Task) -> datetime:
    return task.at or datetime.combine(task.day or date.max, time.min)


def _listed(task: Task, today: date) -> str:
    remarks = []
    if task.at and task.at.time() != time.min:
        remarks.append(f"at {task.at:%Y-%m-%d %H:%M}")
    if task.day:
        state = "overdue since" if task.day < today else "due"
        remarks.append("due today" if task.day == today else f"{state} {task.day.isoformat()}")
    names = {sign: name for name, sign in PRIORITIES.items()}
    if sign := task.get("priority"):
        remarks.append(f"{names[sign]} priority")
    if rule := task.get("recurrence"):
        remarks.append(rule)
    said = plain(AT.sub("", task.text).strip() or task.text)
    name = f"[{task.id}] " if task.id else ""
    return f"- {name}{said}{' (' + ', '.join(remarks) + ')' if remarks else ''}"


def _behind(rows: list[str], found: list[tuple[int, Task]]) -> int:
    """Return the line after the last task of the section with the first open one."""
    first = next((number for number, task in found if task.open), found[0][0])
    ends = [heading.line for heading in headings(rows) if heading.line > first]
    end = min(ends, default=len(rows))
    before = [number for number, _ in found if number < end]
    outermost = min(_indent(rows[number]) for number in before)
    at = before[-1] + 1
    while at < end and rows[at].strip() and _indent(rows[at]) > outermost:
        at += 1
    return at


def _indent(row: str) -> int:
    return len(row) - len(row.lstrip())


def _called(task: Task, wanted: str) -> bool:
    """Whether that is the task's whole text, with or without its reminder."""
    texts = (task.text, AT.sub("", task.text))
    return plain(wanted) in {plain(" ".join(text.split())) for text in texts}


def _refusal(wanted: str, chosen: list[Task], others: list[Task]) -> str:
    """A sentence that names the tasks to choose from."""
    candidates = chosen or others
    named = "; ".join(
        f"`{task.id}` {plain(task.text)}" if task.id else plain(task.text)
        for task in candidates[:CANDIDATES]
    )
    if len(candidates) > CANDIDATES:
        named = f"{named}; and {len(candidates) - CANDIDATES} more"
    if chosen:
        return f"`{wanted}` is the text of {len(chosen)} open tasks: name one by its id: {named}."
    if others:
        return f"No open task has the id or the whole text `{wanted}`. Open are: {named}."
    return f"No open task has the id or the whole text `{wanted}`: none is open."


def _following(task: Task, today: date, taken: set[str]) -> Task | None:
    """Return the next task of a recurring one: all its dates moved alike, with a new id."""
    rule = task.get("recurrence")
    if not rule:
        return None
    base = next(filter(None, (task.due, date_in(task.get("scheduled")))), None)
    base = base or date_in(task.get("start")) or task.day or today
    day = recurrence.after(rule, base, today)
    if day is None:
        raise EditRefused(
            f"Sam does not understand `🔁 {rule}`, so the task stays open: complete it in Obsidian,"
            " or write a rule like `every week`, `every 2 months` or `every weekday`."
        )
    moved = day - base
    days = {
        name: (was + moved).isoformat()
        for name in ("start", "scheduled", "due")
        if (was := date_in(task.get(name)))
    }
    created = {"created": today.isoformat()} if task.get("created") else {}
    cleared = dict.fromkeys(("depends", "done", "cancelled"))
    named = {"id": new_id(taken.__contains__)} if task.get("id") else {}
    fresh = replace(task, status=" ", block=None, text=_moved(task.text, moved))
    return fresh.having(**days, **created, **cleared, **named)


def _moved(text: str, days: timedelta) -> str:
    """The text with its reminder on another day, at the same time."""
    match = AT.search(text)
    day = date_in(match[1]) if match else None
    if match is None or day is None:
        return text
    start, end = match.span(1)
    return f"{text[:start]}{(day + days).isoformat()}{text[end:]}"
