"""Ask which of several tasks a message means, and take the answer, the chat's next message: its
number, its day or its text.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Literal

from memory import Memory
from memory.infra import parse_utc, utc_text
from memory.notes import Task
from memory.text import (
    has_question,
    is_article,
    is_pronoun,
    mark,
    places_named,
    small_talk_kind,
    stands_for_one,
    terms,
    tr,
    without_last_thanks,
)
from memory.tools import Due, Span, Tasks

from ...assistant import reminders
from ..protocol import Button, Call, Shown, in_rows
from .listing import listed
from .meant import about, of_time, within
from .reading import read_due

Wish = Literal["done", "drop", "move"]

WHICH = mark("Which one? Write its number or its day, or press its button:")
WHICH_IN_WORDS = mark("Which one? Write its number or its day:")
ASKED = "task_which:"  # and a chat: what was asked, and when
ANSWERED_WITHIN = timedelta(minutes=10)
LONGEST_ANSWER = 100  # characters
_ALL = "all"  # in English, unlike "alles" and "tutto", it does not stand for "that is all"
_MOST, _IN_A_ROW = 8, 4  # tasks with buttons


@dataclass(frozen=True, slots=True)
class TaskChoice:
    """The tasks that an answer chooses, and what becomes of them. `to`: when to move them.
    `skipped`: the days on which those that repeat shall not be due; None: drop them."""

    tasks: Sequence[Task]
    wish: Wish
    to: Due | None
    skipped: Span | None


async def ask_which(
    call: Call,
    found: Sequence[Task],
    wish: Wish,
    *,
    to: Due | None = None,
    skipped: Span | None = None,
) -> Shown:
    """Ask which of these tasks is meant. `to` and `skipped`: as in TaskChoice."""
    asked = {
        "wish": wish,
        "tasks": [_name(task) for task in found],
        "to": to and [str(to.day), str(to.time) if to.time else "", to.has_day],
        "skipped": skipped and list(map(str, skipped)),
        "at": utc_text(call.at),
    }
    await call.profile.memory.log.settings.set(ASKED + call.chat, json.dumps(asked))
    rows = listed(call, found).text
    is_skipped = skipped and any(task.get("recurrence") for task in found)
    if not call.on_telegram or wish == "move" or is_skipped:
        return Shown(f"{tr(WHICH_IN_WORDS)}\n\n{rows}")
    sign = "✅" if wish == "done" else "❌"
    buttons = [
        Button(f"{sign} {n}", f"task.{wish}", reminders.button_argument(task))
        for n, task in enumerate(found[:_MOST], 1)
    ]
    return Shown(f"{tr(WHICH)}\n\n{rows}", in_rows(buttons, _IN_A_ROW))


async def chosen(memory: Memory, chat: str, text: str, at: datetime) -> TaskChoice | None:
    """Return what a message chooses, as the answer to the question in its chat. None for any other
    message, after which the question is no longer open."""
    asked = json.loads(await memory.log.settings.get(ASKED + chat) or "{}")
    if not asked:
        return None
    is_soon = timedelta() <= at - parse_utc(asked["at"]) <= ANSWERED_WITHIN
    found = list[Task]()
    if is_soon and len(text) <= LONGEST_ANSWER and not has_question(text):
        open_ = await Tasks(memory, memory.clock).open()
        found = _chosen(open_, asked["tasks"], text, at.astimezone(memory.zone))
    if not found:
        await close_question(memory, chat)
        return None
    to, skipped = None, None
    if asked["to"]:
        day, moment, has_day = asked["to"]
        clock = time.fromisoformat(moment) if moment else None
        to = Due(date.fromisoformat(day), clock, "", has_day)
    if asked["skipped"]:
        first, last = map(date.fromisoformat, asked["skipped"])
        skipped = first, last
    return TaskChoice(found, asked["wish"], to, skipped)


def _chosen(open_: Sequence[Task], shown: list[str], text: str, now: datetime) -> list[Task]:
    """Return those of the tasks that were shown that the text names; [] if it names none, or does
    not tell them apart."""
    by_name, bare = {_name(task): task for task in open_}, without_last_thanks(text)
    # "Alles, danke" and "all ok" end the talk.
    is_all = bare.casefold() == _ALL and small_talk_kind(text[len(bare) :]) == "thanks"
    if bare and (is_all or not is_pronoun(bare)):
        text = bare
    if places := places_named(text, len(shown)):
        return [by_name[name] for n in places if (name := shown[n - 1]) in by_name]
    left = [by_name[name] for name in shown if name in by_name]
    found = of_time(left, text, now, alone=True) or about(left, text)
    return found if len(found) == 1 and _says_nothing_else(text, found[0], now) else []


def _says_nothing_else(text: str, task: Task, now: datetime) -> bool:
    """Return whether a text is only about which task is meant: "I will call the dentist tomorrow"
    is not."""
    due = read_due(text, now)[-1]
    rest = due.rest if isinstance(due, Due) else text
    if stands_for_one(rest) or is_pronoun(rest):
        return True
    said = {word for word in terms(rest) if not is_article(word)}
    return within(said, set(terms(task.title)))


def _name(task: Task) -> str:
    """Return what tells a task from others of the list."""
    return task.id or task.line


async def close_question(memory: Memory, chat: str) -> None:
    """Wait no longer for an answer in that chat."""
    if await memory.log.settings.get(ASKED + chat):
        await memory.log.settings.set(ASKED + chat, "")
