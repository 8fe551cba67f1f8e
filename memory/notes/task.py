"""One task, a line in the format of Obsidian's Tasks plugin.

- [ ] Pay the rent (@2026-12-01 09:00) 🆔 k3v9ad 🔼 🔁 every month ➕ 2026-11-21 📅 2026-12-01

Fields are at the end of the line, in the plugin's order: text after a field hides it. The time
of day is part of the text, and so is #shopping, the tag of what is on the shopping list. A line is
written back byte for byte unless its task was changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time

from ..errors import EditRefused
from . import recurrence
from .markdown import block_id, date_in, inert, plain, strip_block_id

PRIORITIES = {"highest": "🔺", "high": "⏫", "medium": "🔼", "low": "🔽", "lowest": "⏬"}

_DAY = r"\d{4}-\d{2}-\d{2}"
_SIGNS: dict[str, tuple[str, str]] = {  # in the order in which the plugin writes them
    "id": ("🆔", r"[A-Za-z0-9_-]+"),
    "depends": ("⛔", r"[A-Za-z0-9_-]+(?: *, *[A-Za-z0-9_-]+)*"),
    "priority": ("🔺⏫🔼🔽⏬", ""),
    "recurrence": ("🔁", r"[a-zA-Z0-9,!][a-zA-Z0-9, !]*"),
    "finish": ("🏁", r"[a-zA-Z]+"),
    "created": ("➕", _DAY),
    "start": ("🛫", _DAY),
    "scheduled": ("⏳⌛", _DAY),
    "due": ("📅📆🗓", _DAY),
    "cancelled": ("❌", _DAY),
    "done": ("✅", _DAY),
}
# Some keyboards put U+FE0F after an emoji; it is ignored, and not written.
_FIELDS = {
    name: re.compile(rf"([{signs}])\ufe0f? *({value})$" if value else rf"([{signs}])\ufe0f?()$")
    for name, (signs, value) in _SIGNS.items()
}
_SIGN = re.compile(f"([{''.join(signs for signs, _ in _SIGNS.values())}])(?!\\))")
_LINE = re.compile(r"([ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+)\[(.)\](?:[ \t]+(.*?))?([ \t\r]*)")
SHOPPING = "#shopping"
AT = re.compile(rf"\(@({_DAY})(?: (\d{{1,2}}:\d{{2}}))?\)")
_TAGS_REVERSED = re.compile(r"(?:[^\s#]+#(?:\s+|$))+")  # read from the end: in linear time


@dataclass(frozen=True, slots=True)
class Task:
    """A task. `fields`: pairs of our name for a field and its text as written; `text`: the rest of
    the line."""

    text: str
    status: str = " "
    fields: tuple[tuple[str, str], ...] = ()
    block: str | None = None
    line: str = field(default="", compare=False, repr=False)
    """The line that it was read from; empty for a new one."""

    def get(self, name: str) -> str:
        """Return the text of a field (id, priority, due, …), or an empty one."""
        return next((value for key, value in self.fields if key == name), "")

    def with_fields(self, **changed: str | None) -> Task:
        """Return the task with those fields set; None takes one away."""
        rest = {key: value for key, value in self.fields if key not in changed}
        return replace(self, fields=_ordered(rest | {k: v for k, v in changed.items() if v}))

    @property
    def open(self) -> bool:
        """Return whether the task is neither done nor cancelled."""
        return self.status not in ("x", "X", "-")

    @property
    def id(self) -> str:
        """Return the id for `complete`: the 🆔, else the block id, else ""."""
        return self.get("id") or self.block or ""

    @property
    def title(self) -> str:
        """Return the description, without markup, the reminder and the tag of the shopping list."""
        words = (each for each in AT.sub("", self.text).split() if each != SHOPPING)
        return plain(" ".join(words) or self.text)

    @property
    def is_shopping(self) -> bool:
        """Return whether the task is on the shopping list."""
        return SHOPPING in self.text.split()

    @property
    def due(self) -> date | None:
        """Return the day of 📅; None if it is missing or not a day of the calendar."""
        return date_in(self.get("due"))

    @property
    def at(self) -> datetime | None:
        """Return the moment of `(@2026-12-01 09:00)`, local and naive; without a time, its
        midnight.

        In a recurring task it may be that of an earlier occurrence, because the Tasks plugin
        changes the dates of a task that is done, but not its text. Then it is moved like the dates.
        """
        match = AT.search(self.text)
        day = date_in(match[1]) if match else None
        if match is None or day is None:
            return None
        hour, minute = map(int, (match[2] or "0:00").split(":"))
        if hour > 23 or minute > 59:
            return None
        if (rule := self.get("recurrence")) and self.due and day < self.due:
            day = recurrence.shifted_reminder(rule, day, self.due)
        return datetime.combine(day, time(hour, minute))

    @property
    def timed(self) -> bool:
        """Return whether its reminder has a time of day, and not only a day."""
        match = AT.search(self.text)
        return match is not None and match[2] is not None and self.at is not None

    @property
    def base(self) -> date | None:
        """Return the day from which the next occurrence is counted: 📅, else ⏳, 🛫, or the
        reminder's."""
        fields = (date_in(self.get(name)) for name in ("due", "scheduled", "start"))
        return next(filter(None, fields), self.day)

    def ring_times(self, now: datetime) -> tuple[datetime | None, datetime | None]:
        """Return the last moment up to `now` at which the reminder rings, and the next one, both
        local and naive; None for none. `now`: aware, in the owner's time zone.

        A recurring task that is still open rings at each occurrence.
        """
        if not self.timed or self.at is None or self.base is None:
            return None, None
        if not _has_come(self.at, now):
            return None, self.at
        rule, day, last = self.get("recurrence"), self.base, self.at
        if not rule or recurrence.is_when_done(rule):
            return last, None
        while following := recurrence.after(rule, day, day):
            moment = self.at + (following - self.base)
            if not _has_come(moment, now):
                return last, moment
            day, last = following, moment
        return last, None

    @property
    def time(self) -> time | None:
        """Return the time of day of the reminder; None if it has none."""
        return self.at.time() if self.at and self.timed else None

    @property
    def day(self) -> date | None:
        """Return the first relevant day: the reminder's, else 📅, else ⏳."""
        moment = self.at
        return moment.date() if moment else self.due or date_in(self.get("scheduled"))


def _has_come(moment: datetime, now: datetime) -> bool:
    """Return whether a naive moment in the zone of `now` is past. An hour may come twice."""
    return moment.replace(tzinfo=now.tzinfo).astimezone(UTC) <= now.astimezone(UTC)


def new(
    text: str,
    *,
    today: date,
    id: str,
    priority: str = "",
    due: str = "",
    repeats: str = "",
    tags: Iterable[str] = (),
) -> Task:
    """Create a task. The text may come from a chat, so no fields are parsed from it.

    A field's sign in it stands in brackets, `(📅) 2026-12-01`, where the plugin reads none.
    `due` is `2026-12-01` or `2026-12-01 09:00`, `priority` a name, `repeats` a rule in English,
    `tags` such as `SHOPPING` and the owner's global filter.
    """
    said = _SIGN.sub(r"(\1)", inert(text.replace("\ufe0f", "")))
    words: dict[str, str] = {}
    if not plain(said).strip():
        raise EditRefused("A task needs a text: say what is to be done.")
    if rule := " ".join(repeats.split()):
        if not recurrence.is_supported(rule):
            raise EditRefused(
                f"`{rule}` is no rule: write `every week`, `every month on the 15th`."
            )
        words["recurrence"] = rule
    if priority and priority.lower() not in ("normal", "none"):
        if priority.lower() not in PRIORITIES:
            raise EditRefused(f"`{priority}` is no priority: use {', '.join(PRIORITIES)}.")
        words["priority"] = PRIORITIES[priority.lower()]
    if due:
        day, moment = parse_due(due)
        words["due"] = day.isoformat()
        if moment is not None:
            said = f"{AT.sub('', said).strip()} (@{day.isoformat()} {moment:%H:%M})"
    said = " ".join([said, *(tag for tag in tags if tag not in said.split())])
    return Task(said, fields=_ordered({**words, "id": id, "created": today.isoformat()}))


def parse_due(text: str) -> tuple[date, time | None]:
    """Return the day, and the time if one is given, of `2026-12-01` or `2026-12-01 09:00`."""
    match = re.fullmatch(rf"\s*({_DAY})(?:[ T](\d{{1,2}}:\d{{2}}))?\s*", text)
    try:
        if match is None:
            raise ValueError(text)
        moment = datetime.strptime(match[2], "%H:%M").time() if match[2] else None  # noqa: DTZ007
        return date.fromisoformat(match[1]), moment
    except ValueError:
        raise EditRefused(
            f"`{text}` is no day: write 2026-12-01, or 2026-12-01 09:00 with a time."
        ) from None


def parse(line: str) -> Task | None:
    """Return the task of a line; None if it is not one. Unknown fields stay in the text."""
    match = _LINE.fullmatch(line)
    if match is None or not (match[3] or "").strip():
        return None
    body = match[3]
    text, fields = _fields(strip_block_id(body))
    return Task(text, match[2], _ordered(dict(fields)), block_id(body), line)


def render(task: Task) -> str:
    """Return the line of a task, byte for byte unless the task was changed."""
    if task.line and parse(task.line) == task:
        return task.line
    match = _LINE.fullmatch(task.line)
    lead, end = (match[1], match[4].lstrip(" \t")) if match else ("- ", "")
    parts = [task.text] if task.text else []
    for name, value in task.fields:
        parts.append(value if name == "priority" else f"{_SIGNS[name][0][0]} {value}")
    if task.block:
        parts.append(f"^{task.block}")
    return f"{lead}[{task.status}] {' '.join(parts)}{end}"


def _fields(body: str) -> tuple[str, list[tuple[str, str]]]:
    """Return the text before the fields, and the fields, read from the end as the plugin does.

    Tags may stand between fields and belong to the text; a field that comes twice stays in it.
    """
    found: dict[str, str] = {}
    tags: list[str] = []
    rest = body.rstrip()
    while True:
        for name, pattern in _FIELDS.items():
            if name not in found and (match := pattern.search(rest)):
                found[name] = match[2] or match[1]
                rest = rest[: match.start()].rstrip()
                break
        else:
            match = _TAGS_REVERSED.match(rest[::-1])
            if match is None:
                break
            tags.insert(0, match[0][::-1].strip())
            rest = rest[: len(rest) - match.end()].rstrip()
    return " ".join(filter(None, [rest, *tags])), list(found.items())


def _ordered(fields: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple((name, fields[name]) for name in _SIGNS if name in fields)
