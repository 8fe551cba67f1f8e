"""The sets of the portfolio in one form: what was said, the owner's notes, and the probes.

Our own sets are in tests/data. The conversations of others are read from ../shared/data where they
are, and left out, with a word, where they are not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.support import locomo

OWN = Path(__file__).parents[2] / "data"
TALK = locomo.SHARED / "talk-dev.json"
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}


@dataclass(frozen=True, slots=True)
class Line:
    """A message: `role` is `user` or `assistant`; `author` a name where two people talk."""

    id: str
    role: str
    text: str
    at: datetime
    author: str = ""


@dataclass(frozen=True, slots=True)
class Probe:
    """A question. `gold`: groups of alternatives, ids of messages or `note:PATH`, each of which is
    a part of the answer; none where there is no answer. `old`: superseded statements."""

    question: str
    type: str
    gold: tuple[frozenset[str], ...]
    old: frozenset[str] = frozenset()
    at: date | None = None


@dataclass(frozen=True, slots=True)
class Set:
    """One store: its kind, what stands in it, and what it is asked."""

    kind: str
    name: str
    zone: str
    sessions: Sequence[Sequence[Line]]
    probes: Sequence[Probe]
    notes: Mapping[str, str]
    has_starter: bool = False

    @property
    def ends(self) -> datetime:
        """An hour after the last message."""
        return self.sessions[-1][-1].at + timedelta(hours=1)


def portfolio(
    data: Path = locomo.DATA, corrected: Path = locomo.CORRECTED, talk: Path = TALK
) -> Iterator[Set]:
    """All sets that are there."""
    yield from own()
    if data.exists():
        yield from conversations(data, corrected)
    if talk.exists():
        yield from talks(talk)


def own() -> Iterator[Set]:
    """Our own: two people's everyday life with Sam, and one who writes in six languages."""
    for name in ("everyday", "workshop", "languages"):
        found = json.loads((OWN / f"{name}.json").read_text("utf-8"))
        yield Set(
            "languages" if name == "languages" else "everyday",
            name,
            found["zone"],
            [[_line(each) for each in session] for session in found["sessions"]],
            [_probe(each) for each in found["probes"]],
            {note["path"]: note["text"] for note in found["notes"]},
            has_starter=True,
        )


def _probe(given: Mapping[str, Any]) -> Probe:
    kind = f": {given['kind']}" if given["type"] == "nothing" else ""
    return Probe(
        given["question"],
        given["type"] + kind,
        tuple(frozenset(group) for group in given["gold"]),
        frozenset(given.get("old", ())),
        date.fromisoformat(given["at"]),
    )


def _line(given: Mapping[str, Any]) -> Line:
    return Line(
        str(given["id"]),
        given["role"],
        given["text"],
        datetime.fromisoformat(given["at"]),
        given.get("speaker", ""),
    )


def conversations(data: Path, corrected: Path | None = None) -> Iterator[Set]:
    """LoCoMo's: two people over months; each is one store."""
    right = json.loads(corrected.read_text("utf-8")) if corrected and corrected.exists() else {}
    for sample in locomo.load(data):
        name = str(sample["sample_id"])
        sessions = [
            [Line(line.id, "user", line.text, line.at, line.speaker) for line in lines]
            for lines in locomo.sessions(sample["conversation"])
        ]
        known = {line.id for session in sessions for line in session}
        probes = []
        for number, entry in enumerate(sample["qa"]):
            better = right.get(f"{name}:{number}")
            gold = evidence(entry, better["evidence"] if better else None) & known
            if gold:
                category = CATEGORIES[entry["category"]]
                probes.append(Probe(str(entry["question"]), category, _each(gold)))
        yield Set("LoCoMo", name, "UTC", sessions, probes, {})


def pooled(sets: Sequence[Set]) -> Set:
    """Several conversations of one kind in one store: many more passages to tell apart."""

    def named(name: str, id_: str) -> str:
        return f"{name} {id_}"

    return Set(
        sets[0].kind,
        "pooled",
        sets[0].zone,
        [
            [replace(line, id=named(each.name, line.id)) for line in session]
            for each in sets
            for session in each.sessions
        ],
        [
            replace(
                probe,
                gold=tuple(frozenset(named(each.name, id_) for id_ in g) for g in probe.gold),
            )
            for each in sets
            for probe in each.probes
        ],
        {},
    )


def evidence(entry: Mapping[str, Any], corrected: Sequence[str] | None) -> set[str]:
    """The gold ids of a question of LoCoMo, as written in several ways."""
    listed = corrected if corrected is not None else entry.get("evidence", [])
    return {part for text in listed for part in re.split(r"[;,\s]+", str(text)) if part}


def talks(path: Path = TALK) -> Iterator[Set]:
    """An owner with an assistant; two people who know each other."""
    for each in json.loads(path.read_text("utf-8")):
        people = each["kind"] == "two people"
        sessions = [[_line(line) for line in session] for session in each["sessions"]]
        if people:
            sessions = [
                [Line(line.id, "user", line.text, line.at, line.author) for line in session]
                for session in sessions
            ]
        probes = [
            Probe(entry["question"], entry["category"], _each(map(str, entry["gold"])))
            for entry in each["questions"]
        ]
        kind = "two people" if people else "assistant"
        yield Set(kind, each["name"], "UTC", sessions, probes, {})


def _each(gold: Any) -> tuple[frozenset[str], ...]:
    return tuple(frozenset([id_]) for id_ in sorted(gold))
