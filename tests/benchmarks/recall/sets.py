"""Load the sets of the benchmark in one format: messages, the owner's notes, and the probes.

Our own sets are in tests/data. Conversations from other sources are read from ../shared/data; if
they are missing, they are left out with a message.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import yaml

from tests.support import locomo

_NOTE = "note:"  # what the id of a note in a probe begins with
OWN = Path(__file__).parents[2] / "data"
TALK = locomo.SHARED / "talk-dev.json"
CLUSTERS = OWN / "question_clusters.jsonl"
"""Statements with two questions each, four at a time about related things: only for training."""
UNSEEN, HELD_OUT = "unseen", "held out"
OTHER = "nothing: asked elsewhere"
INVENTED = "nothing: invented elsewhere"
UNANSWERED = (OTHER, INVENTED)
"""Types of questions that are put to sets that they were not written for."""
MISSPELT = "misspelt"
SAMS_WORDS = "sam's words"
OF_ITS_OWN = ("about_sam", SAMS_WORDS)
"""Types that are put only to their own set, and only as they are written."""
_MISSPELT = 40  # questions of each set that are also asked with a mistake
_OTHERS = 50  # questions of each kind of set that are also put to every other set
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}


@dataclass(frozen=True, slots=True)
class Line:
    """A message. `role`: `user` or `assistant`; `author`: a name if two people talk."""

    id: str
    role: str
    text: str
    at: datetime
    author: str = ""


@dataclass(frozen=True, slots=True)
class Probe:
    """A question. `gold`: groups of alternatives (ids of messages, or `note:PATH`); each group is a
    part of the answer, and there is none without an answer. `old`: superseded statements."""

    question: str
    type: str
    gold: tuple[frozenset[str], ...]
    old: frozenset[str] = frozenset()
    at: date | None = None


@dataclass(frozen=True, slots=True)
class Set:
    """The contents of one store, and the probes to run against it. `has_model`: Sam's messages are
    a model's, and not answers from memory. `members`: the names of the sets that it is pooled of.
    """

    kind: str
    name: str
    zone: str
    sessions: Sequence[Sequence[Line]]
    probes: Sequence[Probe]
    notes: Mapping[str, str]
    has_starter: bool = False
    has_model: bool = True
    members: frozenset[str] = frozenset()

    @property
    def ends(self) -> datetime:
        """The end of the set: an hour after its last message."""
        return self.sessions[-1][-1].at + timedelta(hours=1)


def portfolio(
    data: Path = locomo.DATA, corrected: Path = locomo.CORRECTED, talk: Path = TALK
) -> Iterator[Set]:
    """Yield all available sets that recall is fitted on."""
    yield from own()
    if data.exists():
        yield from conversations(data, corrected)
    if talk.exists():
        yield from talks(talk)


def without_model(each: Set) -> Set:
    """Return the set as it is without a model: Sam's messages are no evidence, so only the probes
    stay that the owner's messages and notes answer."""
    sams = {line.id for session in each.sessions for line in session if line.role == "assistant"}
    probes = [
        replace(probe, gold=tuple(part - sams for part in probe.gold))
        for probe in each.probes
        if not any(part <= sams for part in probe.gold)
    ]
    return replace(each, probes=probes, has_model=False)


def questions_of_others(each: Set, others: Sequence[Set]) -> list[Probe]:
    """Return questions that other sets answer, as probes without an answer in this one: a sample of
    each kind, always the same."""
    chance = random.Random(each.name)
    last = max((probe.at for probe in each.probes if probe.at), default=None)
    found = []
    for kind in sorted({other.kind for other in others}):
        asked = [
            probe
            for other in others
            if other.kind == kind and other.name not in {each.name, *each.members}
            for probe in other.probes
            if probe.gold and probe.type not in OF_ITS_OWN
        ]
        found += chance.sample(asked, min(_OTHERS, len(asked)))
    return [replace(probe, type=OTHER, gold=(), old=frozenset(), at=last) for probe in found]


def invented(each: Set) -> list[Probe]:
    """Return questions about names and things that no set mentions."""
    last = max((probe.at for probe in each.probes if probe.at), default=None)
    found = yaml.safe_load((OWN / "invented.yaml").read_text("utf-8"))
    return [Probe(text, INVENTED, (), at=last) for texts in found.values() for text in texts]


def misspelt(each: Set) -> list[Probe]:
    """Return a sample of the set's questions with one mistake in their longest word, always the
    same: a letter is left out, doubled, replaced, or swapped with the next."""
    chance = random.Random(f"{each.name} {MISSPELT}")
    asked = [
        probe
        for probe in each.probes
        if probe.gold and not probe.old and probe.type not in OF_ITS_OWN
    ]
    return [
        replace(probe, type=MISSPELT, question=_with_mistake(probe.question, chance))
        for probe in chance.sample(asked, min(_MISSPELT, len(asked)))
    ]


def _with_mistake(question: str, chance: random.Random) -> str:
    word = max(re.findall(r"[^\W\d_]+", question), key=len)
    at = chance.randrange(1, len(word)) if len(word) > 1 else 0
    here = word[at]
    changed = chance.choice(
        ("", here * 2, chance.choice("aeiorstn"), "".join(reversed(word[at : at + 2])))
    )
    skip = 2 if len(changed) == 2 and changed != here * 2 else 1
    return question.replace(word, word[:at] + changed + word[at + skip :], 1)


def own() -> Iterator[Set]:
    """Yield our own sets: the everyday life of two people with Sam, and of one in six languages."""
    for name in ("everyday", "workshop", "languages"):
        yield life(OWN / f"{name}.json", "languages" if name == "languages" else "everyday")


def people() -> Iterator[Set]:
    """Yield the lives of 74 more people with Sam, and 14 chats: of somebody with an assistant about
    one project, or of two people. They are only for training: nothing is measured on them."""
    for path in sorted((OWN / "people").glob("*.json")):
        yield life(path, "people")
    for path in sorted((OWN / "chats").glob("*.json")):
        yield replace(life(path, "chats"), has_starter=False)


def unseen() -> Iterator[Set]:
    """Yield the lives of 35 people with Sam whom the embedder was not trained on. What weighs
    vectors is fitted on them: of those that it knows, too many questions are similar to answers."""
    for path in sorted((OWN / "unseen").glob("*.json")):
        yield life(path, UNSEEN)


def held_out() -> Iterator[Set]:
    """Yield the lives of people with Sam on whom nothing is fitted or chosen: only they tell how
    well Sam recalls what somebody else will say."""
    for path in sorted((OWN / "held_out").glob("*.json")):
        yield life(path, HELD_OUT)


def life(path: Path, kind: str) -> Set:
    """Return the set in one of our own files; the file's name is its name."""
    found = json.loads(path.read_text("utf-8"))
    return Set(
        kind,
        path.stem,
        found["zone"],
        [[_line(each) for each in session] for session in found["sessions"]],
        [_probe(each) for each in found["probes"]],
        {note["path"]: note["text"] for note in found["notes"]},
        has_starter=True,
    )


def lives() -> Iterator[Set]:
    """Yield the statements of eight people. Nothing is fitted on them; only LEAST_ODDS of
    memory/search/newest/ was chosen on them.

    Of some, another value is said later (`correction`); the others stay true (`unchanged`).

    The name is the seed of the days: a statement in the first five weeks, what replaces it two days
    later or more, and what changes nothing after both.
    """
    for name, entries in yaml.safe_load((OWN / "corrections.yaml").read_text("utf-8")).items():
        chance, said, probes = random.Random(name), [], []
        for number, entry in enumerate(entries):
            first = last = chance.uniform(0.0, 35.0)
            said.append((first, f"said {number}", entry["said"]))
            if "now" in entry:
                last = chance.uniform(first + 2.0, 68.0)
                said.append((last, f"now {number}", entry["now"]))
            for what in sorted({"later", "other"} & entry.keys()):
                said.append((chance.uniform(last + 0.5, 70.0), f"{what} {number}", entry[what]))
            old, new = frozenset({f"said {number}"}), frozenset({f"now {number}"})
            is_new = "now" in entry
            probes.append(
                Probe(
                    entry["asked"],
                    "correction" if is_new else "unchanged",
                    (new if is_new else old,),
                    old if is_new else frozenset(),
                )
            )
        yield Set("corrections", name, "UTC", _by_day(said), probes, {})


def similar() -> Iterator[Set]:
    """Yield statements of which four at a time are about related things, in the same words; only
    one of them answers a question. Nothing is fitted on them; only LEAST_ODDS of
    memory/search/newest/ was chosen on them. The name is the seed of the days."""
    for name, entries in yaml.safe_load((OWN / "similar.yaml").read_text("utf-8")).items():
        chance, said, probes = random.Random(name), [], []
        for number, entry in enumerate(entries):
            id_ = f"said {number}"
            said.append((chance.uniform(0.0, 70.0), id_, entry["said"]))
            for type_, question in zip(("paraphrase", "short"), entry["asked"], strict=True):
                probes.append(Probe(question, type_, (frozenset({id_}),)))
        yield Set("similar", name, "UTC", _by_day(said), probes, {})


def _by_day(said: Sequence[tuple[float, str, str]]) -> list[list[Line]]:
    """Return the owner's messages, each given by days since the start, id and text, by day."""
    begins = datetime(2026, 1, 5, 8, tzinfo=UTC)
    days: dict[int, list[Line]] = {}
    for at, id_, text in sorted(said):
        day, rest = divmod(at, 1.0)
        when = begins + timedelta(days=day, hours=14.0 * rest)
        days.setdefault(int(day), []).append(Line(id_, "user", text, when))
    return list(days.values())


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
    """Yield LoCoMo's conversations, each between two people over months, one store each."""
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
    """Merge sets of one kind into one store, with many more passages to search: as of somebody who
    has used Sam for years. Sessions are in the order of time."""
    sessions = [
        [replace(line, id=f"{each.name} {line.id}") for line in session]
        for each in sets
        for session in each.sessions
    ]
    return replace(
        sets[0],
        name="pooled",
        sessions=sorted(sessions, key=lambda session: session[0].at),
        probes=[_pooled(each, probe) for each in sets for probe in each.probes],
        notes={f"{each.name}/{path}": text for each in sets for path, text in each.notes.items()},
        members=frozenset(each.name for each in sets),
    )


def _pooled(each: Set, probe: Probe) -> Probe:
    """Return a probe of a set with the ids that messages and notes have in a pooled one."""

    def named(ids: frozenset[str]) -> frozenset[str]:
        return frozenset(
            f"{_NOTE}{each.name}/{id_.removeprefix(_NOTE)}"
            if id_.startswith(_NOTE)
            else f"{each.name} {id_}"
            for id_ in ids
        )

    return replace(probe, gold=tuple(map(named, probe.gold)), old=named(probe.old))


def evidence(entry: Mapping[str, Any], corrected: Sequence[str] | None) -> set[str]:
    """Parse the gold ids of a question of LoCoMo, which are written in several ways."""
    listed = corrected if corrected is not None else entry.get("evidence", [])
    return {part for text in listed for part in re.split(r"[;,\s]+", str(text)) if part}


def talks(path: Path = TALK) -> Iterator[Set]:
    """Yield the other conversations: an owner with an assistant, and two acquaintances."""
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
