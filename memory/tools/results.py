"""Results of the memory tools: text for a model, and structured data for programs.

The data contains nothing that the text must not show: nothing sealed, sensitive or forgotten.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from ..log import Message
from ..notes.task import Task
from ..text.humanize import clipped, one_line
from .context import speaker

Data = TypeVar("Data")


class ToolResult(str, Generic[Data]):
    """The text that a tool returns; `data` is the structured equivalent."""

    data: Data

    def __new__(cls, text: str, data: Data) -> ToolResult[Data]:
        """Take the text; `__init__` takes the data."""
        return super().__new__(cls, text)

    def __init__(self, text: str, data: Data) -> None:
        self.data = data


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """One hit. `path` and `line`, from 1, open it with get_memory; `score`: the probability that it
    answers the question; `until`: since that day a newer hit states otherwise. `speaker` and
    `channel`: of a message."""

    path: str
    line: int
    last_line: int
    heading: str
    text: str
    kind: str
    category: str
    date: dt.date | None
    score: float
    weak: bool
    until: dt.date | None
    speaker: str = ""
    channel: str = ""


@dataclass(frozen=True, slots=True)
class Passages:
    """The hits of a search, best first. `degraded`: a sentence on what was not available."""

    hits: list[FoundPassage]
    mode: str
    weak: bool
    degraded: str


@dataclass(frozen=True, slots=True)
class NoteLines:
    """Some lines of a note or of a day's conversations; `text` is empty past its end."""

    path: str
    first_line: int
    last_line: int
    total_lines: int
    text: str


@dataclass(frozen=True, slots=True)
class Spoken:
    """One message of the log. `path`: its day, for get_memory."""

    path: str
    at: dt.datetime
    channel: str
    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class MessageList:
    """Messages, oldest first."""

    messages: list[Spoken]


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of one line. `line` is 0 for a message; `alike`: the line's messages are unknown,
    and these state the same."""

    path: str
    line: int
    text: str
    alike: bool
    messages: list[Spoken]


@dataclass(frozen=True, slots=True)
class OriginList:
    """The lines that match the words, and their origins."""

    origins: list[Origin]


@dataclass(frozen=True, slots=True)
class Saved:
    """Where a text was written. `known`: it was already there; `says`: the words of the line that
    says so, if they are not private."""

    paths: list[str]
    known: bool
    says: str = ""


@dataclass(frozen=True, slots=True)
class ListedFact:
    """One line of knowledge/."""

    id: str
    category: str
    text: str
    path: str
    line: int
    said: dt.date | None
    until: dt.date | None
    uncertain: bool


@dataclass(frozen=True, slots=True)
class FactList:
    """The facts about the user, newest first."""

    facts: list[ListedFact]


@dataclass(frozen=True, slots=True)
class EditResult:
    """The result of a change. `proposed`: the owner is asked, and nothing has changed yet."""

    path: str
    changed: bool
    proposed: bool


@dataclass(frozen=True, slots=True)
class TaskLine:
    """One task. `reminder`: the local time at which the user is reminded, or ""."""

    id: str
    text: str
    priority: str
    due: dt.date | None
    reminder: str

    @classmethod
    def of(cls, task: Task) -> TaskLine:
        """Convert a task."""
        at = f"{task.at:%Y-%m-%d %H:%M}" if task.at and task.timed else ""
        return cls(task.id, task.title, task.get("priority"), task.due, at)


@dataclass(frozen=True, slots=True)
class TaskList:
    """The open tasks, or the one that was added. `changed`: whether a task changed."""

    tasks: list[TaskLine]
    changed: bool


@dataclass(frozen=True, slots=True)
class SkillText:
    """A skill."""

    name: str
    path: str
    text: str


def spoken(messages: Iterable[Message], zone: dt.tzinfo, longest: int) -> list[Spoken]:
    """Return the messages, each on one line of at most `longest` characters."""
    return [
        Spoken(
            f"log/{message.sent_at.astimezone(zone):%Y-%m-%d}",
            message.sent_at.astimezone(zone),
            message.chat.partition(":")[0],
            speaker(message),
            clipped(one_line(message.text), longest),
        )
        for message in messages
    ]
