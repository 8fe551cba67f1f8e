"""What happens in the simulated quarter: what the owner says, corrects, deletes and forgets.

The chat is that of tests/data/everyday.json, and conversations of tests/data/talk.yaml (or
LoCoMo's, if the data is there). The owner's statements that are checked at the end are inserted
between their lines. Everything is determined by the seed.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Literal

import yaml

from tests.support import locomo
from tests.support.dialogue import OWNER, sample

DATA = Path(__file__).parents[2] / "data"
BEGINS = datetime(2026, 3, 2, tzinfo=UTC)
"""The first day of everyday.json."""
_TALKS_EVERY = 4  # days between two sessions of the other conversations
_ISO_DAY = re.compile(r"\d{4}-\d\d")

CorrectionMethod = Literal["chat", "edit", "memory", "remember"]
"""How the owner corrects a value: in the chat, by editing its line in knowledge/ or MEMORY.md, or
by /remember."""
_METHODS: tuple[CorrectionMethod, ...] = (*("chat",) * 6, *("edit",) * 2, "memory", "remember")


@dataclass(frozen=True, slots=True)
class Truth:
    """A fact that a message states. `key`: its subject; two values of one key exclude each other.
    `quote`: a passage of the message."""

    key: str
    category: str
    text: str
    quote: str


@dataclass(frozen=True, slots=True)
class Correction:
    """A value that the owner corrects, and the question that asks for it."""

    of: str
    old: str
    new: str
    method: CorrectionMethod
    question: str


@dataclass(frozen=True, slots=True)
class Says:
    """A message of the owner, and Sam's `answer`."""

    text: str
    answer: str = "Noted."


@dataclass(frozen=True, slots=True)
class Commands:
    """A command in the chat; `press`: the label of a button to press in its answer."""

    name: str
    words: str
    press: str = ""


@dataclass(frozen=True, slots=True)
class Corrects:
    """The owner edits the line with the old value in knowledge/ or MEMORY.md."""

    of: Correction
    instead: str


@dataclass(frozen=True, slots=True)
class Deletes:
    """The owner deletes a line that Sam wrote recently: a fact, or a bullet of a daily note."""

    what: Literal["fact", "bullet"]


@dataclass(frozen=True, slots=True)
class Edits:
    """The owner appends a remark to a recent bullet."""

    remark: str


Event = Says | Commands | Corrects | Deletes | Edits


@dataclass(slots=True)
class Life:
    """The events in order, and the facts to check."""

    days: int
    events: list[tuple[datetime, Event]] = field(default_factory=list)
    truths: dict[str, list[Truth]] = field(default_factory=dict)
    corrections: list[Correction] = field(default_factory=list)
    remembered: set[str] = field(default_factory=set)
    """What MEMORY.md may contain, as the owner said or edited it."""
    forgotten: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


@cache
def _planted() -> dict[str, list[Any]]:
    loaded: dict[str, list[Any]] = yaml.safe_load((DATA / "quarter.yaml").read_text("utf-8"))
    return loaded


def lived(seed: int, days: int, *, with_locomo: bool) -> Life:
    """Return the events of that many days."""
    draw = random.Random(seed)
    life = Life(days)
    share = days / 90
    _everyday(life)
    _talks(life, draw, locomo.load() if with_locomo else [sample()])
    _facts(life, draw)
    _corrections(life, draw, max(6, round(50 * share)))
    _forgets(life, draw, max(2, round(6 * share)))
    for what, count in (("fact", 15), ("bullet", 15)):
        for _ in range(max(3, round(count * share))):
            life.events.append((_at(draw, 3, days - 5), Deletes(what)))  # type: ignore[arg-type]
    for number in range(max(3, round(20 * share))):
        life.remarks.append(f"my own remark {number}")
        life.events.append((_at(draw, 2, days - 1), Edits(life.remarks[-1])))
    for number in range(max(2, round(8 * share))):
        task = f"water the ficus of flat {number + 40}"
        life.events.append((_at(draw, 1, days - 1), Commands("todo", task)))
    life.events.sort(key=lambda pair: pair[0])
    return life


def _at(draw: random.Random, first: int, last: int) -> datetime:
    """Return a random time on a random day in [first, last], in the daytime."""
    day = BEGINS + timedelta(days=draw.randint(first, max(first, last)))
    return day + timedelta(seconds=draw.randrange(9 * 3600, 21 * 3600))


def _everyday(life: Life) -> None:
    told = json.loads((DATA / "everyday.json").read_text("utf-8"))
    for session in told["sessions"]:
        for row, following in zip(session, [*session[1:], None], strict=True):
            at = datetime.fromisoformat(row["at"])
            if row["role"] == "user" and at < BEGINS + timedelta(days=life.days):
                answered = following is not None and following["role"] == "assistant"
                answer = following["text"] if answered else "Noted."
                life.events.append((at, Says(row["text"], answer)))


def _talks(life: Life, draw: random.Random, talks: Sequence[dict[str, Any]]) -> None:
    """Add sessions in which one of two people talks to Sam, who answers as the other."""
    sessions = [session for talk in talks for session in locomo.sessions(talk["conversation"])]
    for day in range(1, life.days, _TALKS_EVERY):
        session = sessions[draw.randrange(len(sessions))]
        owner = OWNER if any(line.speaker == OWNER for line in session) else session[0].speaker
        at = BEGINS + timedelta(days=day, hours=draw.randrange(9, 20))
        for line, following in zip(session, [*session[1:], None], strict=True):
            if line.speaker == owner:
                answered = following is not None and following.speaker != owner
                answer = following.text if following is not None and answered else "Noted."
                life.events.append((at, Says(line.text, answer)))
                at += timedelta(seconds=50)


def _facts(life: Life, draw: random.Random) -> None:
    """Add the facts of tests/data/facts_said.yaml, except those that hold for one day only."""
    said = yaml.safe_load((DATA / "facts_said.yaml").read_text("utf-8"))
    kept = [row for row in said if not _ISO_DAY.search(row[2])]
    for _, words, text, quote in draw.sample(kept, max(12, round(len(kept) * life.days / 90))):
        life.truths[words] = [Truth(text, "biographical", text, quote)]
        at = _at(draw, 0, life.days - 2)
        life.events.append((at, Says(words)))
        if draw.random() < 0.3:
            life.events.append((_at(draw, (at - BEGINS).days, life.days - 1), Says(words)))


def _corrections(life: Life, draw: random.Random, count: int) -> None:
    planted = _planted()
    chosen = draw.sample(planted["corrected"], count)
    for number, (of, category, old, new) in enumerate(chosen):
        method = _METHODS[number % len(_METHODS)]
        words = {"of": of, "old": old, "new": new}
        question = planted["asked"][number % len(planted["asked"])].format(**words)
        made = Correction(of, old, new, method, question)
        life.corrections.append(made)
        first = planted["first"][number % len(planted["first"])].format(**words)
        then = planted["then"][number % len(planted["then"])].format(**words)
        began = _at(draw, 0, life.days // 2)
        later = _at(draw, (began - BEGINS).days + 3, life.days - 2)
        begins = Says(first) if method != "memory" else Commands("remember", first)
        life.events.append((began, begins))
        life.truths[first] = [Truth(of, category, f"{of} is {old}", first)]
        if method == "memory":
            life.remembered |= {first, first.replace(old, new)}
        _correct(life, later, made, then, category)
        if draw.random() < 0.5:
            life.events.append((_at(draw, 0, life.days - 1), Says(question)))


def _correct(life: Life, at: datetime, made: Correction, then: str, category: str) -> None:
    match made.method:
        case "chat":
            life.events.append((at, Says(then)))
            life.truths[then] = [Truth(made.of, category, f"{made.of} is {made.new}", then)]
        case "remember":
            said = f"My {made.of} is {made.new}"
            life.events.append((at, Commands("remember", said)))
            life.remembered.add(said)
        case "edit" | "memory":
            life.events.append((at, Corrects(made, then)))
            life.truths[then] = [Truth(made.of, category, f"{made.of} is {made.new}", then)]


def _forgets(life: Life, draw: random.Random, count: int) -> None:
    for said, words in draw.sample(_planted()["forgotten"], count):
        at = _at(draw, 1, life.days - 4)
        life.truths[said] = [Truth(said, "biographical", said, said)]
        life.events.append((at, Says(said)))
        later = at + timedelta(days=2)
        life.events.append((later, Commands("forget", words, press="forget")))
        life.forgotten.append(words)


def days_of(life: Life) -> Sequence[datetime]:
    """Return the midnights at which a day of it begins."""
    return [
        datetime.combine((BEGINS + timedelta(days=day)).date(), time(), UTC)
        for day in range(life.days)
    ]
