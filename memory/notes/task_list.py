"""Edit and query the text of a task note: add, complete, postpone, cancel, list, due.

Everything but the task in question keeps its bytes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date, datetime, time, timedelta

from ..errors import EditRefused
from . import recurrence
from .markdown import date_in, fenced, headings, lines, new_id, newline, plain
from .prose import prose
from .task import AT, PRIORITIES, Task, new, parse, render

SHOWN = 50  # tasks in a listing; enough for a model to choose from
CANDIDATES = 5  # tasks named in a refusal


def tasks(text: str) -> Iterator[tuple[int, Task]]:
    """Yield the tasks of a note with their line numbers, from 0, except those in comments and
    code."""
    rows = lines(text)
    seen = prose(rows)
    for number, code in enumerate(fenced(seen)):
        if seen[number] and not code and (task := parse(rows[number])):
            yield number, task


def add(text: str, task: Task, public: Callable[[str], str] = str) -> str:
    """Add the task after the last one of the first section with open tasks; where it would be
    part of code, a comment or a private section there, after the last line that is none of these.

    `public` blanks the private lines of a text; a task that is private itself may stand anywhere.
    Unchanged when a task with its id exists already. Raises EditRefused when it fits nowhere.
    """
    if task.id and re.search(rf"🆔\ufe0f? *{re.escape(task.id)}(?![\w-])", text):
        return text
    line = render(task)
    if not text.strip():
        return f"# Tasks\n\n{line}\n"
    seen = public if public(line).strip() else str
    for after in _with_line(text, line, public(text)):
        if any(render(other) == line for _, other in tasks(seen(after))):
            return after
    raise EditRefused("The task would be part of a code block, a comment or a private section.")


def find_duplicate(text: str, task: Task) -> Task | None:
    """Return the open task of the note that differs from this one at most in its id and the day on
    which it was added; None if there is none."""

    def said(each: Task) -> tuple[str, dict[str, str]]:
        return each.text, {k: v for k, v in each.fields if k not in ("id", "created")}

    return next((each for _, each in tasks(text) if each.open and said(each) == said(task)), None)


def _with_line(text: str, line: str, shown: str) -> Iterator[str]:
    """Yield the text with that line added: in the usual place, then after each line of prose in
    `shown`, its public lines, from the last one, then at the beginning."""
    end, raw = newline(text), text.split("\n")
    yield _usual(text, line, list(tasks(shown)))
    kept = prose(lines(shown))
    code = fenced(kept)
    for number in (*(n for n in reversed(range(len(kept))) if kept[n] and not code[n]), -1):
        above = number < 0 or not raw[number].strip() or parse(kept[number])
        below = [] if number + 1 == len(raw) or not raw[number + 1].strip() else [""]
        added = [*([] if above else [""]), line, *below]
        rows = [*raw[: number + 1], *(row + end.removesuffix("\n") for row in added)]
        yield "\n".join([*rows, *raw[number + 1 :]])


def _usual(text: str, line: str, found: list[tuple[int, Task]]) -> str:
    """Return the text with that line after the last of the found tasks in the first section with
    open ones; without any, at the end."""
    end = newline(text)
    if not found:
        gap = "" if text.endswith("\n") else end
        blank = "" if not lines(text + gap)[-2].strip() else end
        return f"{text}{gap}{blank}{line}{end}"
    raw = text.split("\n")
    at = _behind(lines(text), found)
    if at == len(raw):
        return f"{text}{end}{line}{end}"
    return "\n".join([*raw[:at], line + end.removesuffix("\n"), *raw[at:]])


def complete(text: str, id_or_text: str, today: date, now: datetime | None = None) -> str:
    """Mark the task with that id, or with that whole text, as done; if it recurs, insert its next
    occurrence above it. Unchanged if the task with that id is done already.

    `now`, in the owner's time zone: reminders of a recurring task until then have rung, so the next
    one is later. Raises EditRefused if not exactly one task is meant, or its recurrence is not
    understood.
    """
    found = list(tasks(text))
    chosen = _chosen(found, id_or_text)
    if chosen is None:
        return text
    number, task = chosen
    done = replace(task, status="x").with_fields(done=today.isoformat())
    following = _following(task, today, {other.id for _, other in found}, now)
    return _replaced(text, number, [done, *([following] if following else [])])


def postpone(
    text: str, id_or_text: str, day: date, moment: time | None = None, rule: str = ""
) -> str:
    """Move that open task to another day, and its reminder to that time if one is given; with a
    rule, it repeats by it.

    A reminder without a new time, and a task without a new rule, keep theirs. Raises EditRefused as
    `complete` does.
    """
    chosen = _chosen(list(tasks(text)), id_or_text)
    if chosen is None:
        raise EditRefused("That task is done already: add a new one.")
    number, task = chosen
    at = moment if moment is not None else task.time
    said = " ".join(AT.sub("", task.text).split()) if at is not None or task.at else task.text
    if at is not None:
        said = _with_reminder(said, f"(@{day.isoformat()} {at:%H:%M})")
    dated = "scheduled" if task.get("scheduled") and not task.get("due") else "due"
    moved = replace(task, text=said).with_fields(
        **{dated: day.isoformat(), "recurrence": rule or task.get("recurrence")}
    )
    return _replaced(text, number, [moved])


def rename(text: str, id_or_text: str, title: str) -> str:
    """Give that open task another title; it keeps its reminder, its tags and its fields. The title
    may come from a chat, as in `task.new`. Raises EditRefused as `complete` does.
    """
    chosen = _chosen(list(tasks(text)), id_or_text)
    if chosen is None:
        raise EditRefused("That task is done already: add a new one.")
    number, task = chosen
    named = " ".join(AT.sub("", new(title, today=date.min, id="0").text).split())
    ring = AT.search(task.text)
    tags = [each for each in task.text.split() if each.startswith("#") and each not in named]
    said = " ".join([named, *([ring[0]] if ring else []), *tags])
    return _replaced(text, number, [replace(task, text=said)])


def cancel(text: str, id_or_text: str, today: date) -> str:
    """Mark that task as cancelled; unchanged when it is done or cancelled already.

    Raises EditRefused when it is not exactly one.
    """
    chosen = _chosen(list(tasks(text)), id_or_text)
    if chosen is None:
        return text
    number, task = chosen
    return _replaced(
        text, number, [replace(task, status="-").with_fields(cancelled=today.isoformat())]
    )


def reopen(text: str, id: str, following: str = "") -> str:
    """Undo `complete` or `cancel` of the task with that id; unchanged when it is open.

    `following`: the id of the task that a recurring one left behind; it is removed while it is
    open. Raises EditRefused when no task has the id.
    """
    found = list(tasks(text))
    entry = next(((number, task) for number, task in found if task.id == id), None)
    if entry is None:
        raise EditRefused("That task is not in the list any more.")
    number, task = entry
    if not task.open:
        text = _replaced(
            text, number, [replace(task, status=" ").with_fields(done=None, cancelled=None)]
        )
    for row, other in list(tasks(text)):
        if following and other.id == following and other.open:
            return _replaced(text, row, [])
    return text


def following_id(before: str, after: str) -> str:
    """Return the id of the task that `complete` inserted between the two texts; "" for none."""
    known = {task.id for _, task in tasks(before)}
    return next((task.id for _, task in tasks(after) if task.id and task.id not in known), "")


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
    """List the open tasks, a line each with id, text and fields: overdue first, undated last."""
    found = by_date(text)
    if not found:
        return "No open tasks."
    shown = [_listed(task, today) for task in found]
    if len(shown) > SHOWN:
        shown = [*shown[:SHOWN], f"… and {len(shown) - SHOWN} more."]
    return "\n".join(shown)


def by_date(text: str) -> list[Task]:
    """Return the open tasks by day, undated ones last; those of one day by priority, then by
    time."""
    order = [*PRIORITIES.values()]

    def rank(task: Task) -> tuple[date, int, time]:
        sign = task.get("priority")
        priority = order.index(sign) * 2 if sign else 5
        return task.day or date.max, priority, task.time or time.max

    return sorted((task for _, task in tasks(text) if task.open), key=rank)


def _chosen(found: list[tuple[int, Task]], id_or_text: str) -> tuple[int, Task] | None:
    """Return the one open task with that id, or that whole text, and its line; of open tasks whose
    lines are that text, the first: they are the same.

    None when the task of that id is done already. Raises EditRefused when it is not exactly one.
    """
    for entry in found:
        if entry[1].open and entry[1].line == id_or_text:
            return entry
    wanted = " ".join(id_or_text.split())
    named = [entry for entry in found if entry[1].id and entry[1].id == wanted.lstrip("^")]
    chosen = [entry for entry in named if entry[1].open]
    if named and not chosen:
        return None
    chosen = chosen or [entry for entry in found if entry[1].open and _called(entry[1], wanted)]
    if len(chosen) != 1:
        others = [task for _, task in found if task.open]
        raise EditRefused(_refusal(wanted, [task for _, task in chosen], others))
    return chosen[0]


def _replaced(text: str, number: int, by: list[Task]) -> str:
    """Return the text with these tasks, the last one first, in place of the line."""
    raw = text.split("\n")
    row = lines(text)[number]
    changed = [raw[number].replace(row, render(task)) for task in reversed(by)]
    return "\n".join([*raw[:number], *changed, *raw[number + 1 :]])


def _with_reminder(said: str, reminder: str) -> str:
    """Return the text with a reminder before the tags at its end."""
    words = said.split(" ")
    tags: list[str] = []
    while words and words[-1].startswith("#"):
        tags.insert(0, words.pop())
    return " ".join([*words, reminder, *tags])


def _moment(task: Task) -> datetime:
    return task.at or datetime.combine(task.day or date.max, time.min)


def _listed(task: Task, today: date) -> str:
    remarks = []
    if task.at and task.timed:
        remarks.append(f"at {task.at:%Y-%m-%d %H:%M}")
    if task.day:
        state = "overdue since" if task.day < today else "due"
        remarks.append("due today" if task.day == today else f"{state} {task.day.isoformat()}")
    names = {sign: name for name, sign in PRIORITIES.items()}
    if sign := task.get("priority"):
        remarks.append(f"{names[sign]} priority")
    if rule := task.get("recurrence"):
        remarks.append(rule)
    if task.is_shopping:
        remarks.append("on the shopping list")
    name = f"[{task.id}] " if task.id else ""
    return f"- {name}{task.title}{' (' + ', '.join(remarks) + ')' if remarks else ''}"


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
    """Return whether that is the task's whole text, or its title."""
    return plain(wanted) in (plain(" ".join(task.text.split())), task.title)


def _refusal(wanted: str, chosen: list[Task], others: list[Task]) -> str:
    """Return a sentence that names the tasks to choose from."""
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


def _following(
    task: Task, today: date, taken: set[str], now: datetime | None = None
) -> Task | None:
    """Return the next occurrence of a recurring task: all dates shifted equally, with a new id;
    None after the last one."""
    rule = task.get("recurrence")
    if not rule:
        return None
    base = task.base or today
    if not recurrence.is_supported(rule):
        raise EditRefused(
            f"Sam does not understand `🔁 {rule}`, so the task stays open: complete it in Obsidian,"
            " or write a rule like `every week`, `every 2 months` or `every weekday`."
        )
    day = recurrence.after(rule, base, today)
    last, coming = task.ring_times(now) if now is not None else (None, None)
    if last is not None and task.at is not None and not recurrence.is_when_done(rule):
        day = base + (coming - task.at) if coming is not None else None
    if day is None:
        return None
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
    return fresh.with_fields(**days, **created, **cleared, **named)


def _moved(text: str, days: timedelta) -> str:
    """Return the text with its reminder on another day, at the same time."""
    match = AT.search(text)
    day = date_in(match[1]) if match else None
    if match is None or day is None:
        return text
    start, end = match.span(1)
    return f"{text[:start]}{(day + days).isoformat()}{text[end:]}"
