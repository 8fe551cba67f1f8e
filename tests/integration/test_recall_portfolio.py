"""A short sample of the recall benchmark, as a regression test.

`python -m tests.benchmarks.recall` measures everything. This runs ten weeks of one owner with
keyword search only, and parts of them and of the six languages with the local embedder.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from memory.search.newest import order
from tests.benchmarks.recall.asking import answers
from tests.benchmarks.recall.parts import ALL, PARTS, by_part, table
from tests.benchmarks.recall.report import report
from tests.benchmarks.recall.sets import Line, Probe, Set, own

BY_WORDS = {
    "everyday": 0.52,  # measured: .548
    "everyday / direct": 0.88,  # .926
    "everyday / echo": 0.73,  # .769
    "everyday / correction": 0.25,  # .300
    "everyday / time": 0.84,  # .895
    "everyday / cross-language": 0.07,  # .115: names and numbers
    "everyday / note": 0.77,  # .833
    "everyday / multi": 0.40,  # .444
    "everyday / about_sam": 0.44,  # .556
}
"""Minimum hit@3 without vectors: about one probe below the measured value. A paraphrase shares no
word with its answer, so only vectors find it."""
NOTHING_BY_WORDS = {
    "everyday / nothing: nonsense": 0.85,  # measured: 1.000
    "everyday / nothing: world": 0.85,  # 1.000
    "everyday / nothing: near": 0.14,  # .286
}
"""Minimum share of questions without an answer that get no hits, or only weak ones."""
BELOW_FTS5 = 0.02
"""Maximum by which recall may be worse than plain FTS5, for any type."""

BY_VECTORS = {
    "everyday": 0.70,  # measured: .800
    "everyday / direct": 0.80,  # 1.000
    "everyday / paraphrase": 0.60,  # .800
    "everyday / echo": 0.60,  # .800
    "everyday / cross-language": 0.40,  # .600
    "languages": 0.55,  # .667
    "languages / same": 0.80,  # 1.000
    "languages / cross": 0.33,  # .500
    "languages / note": 0.33,  # .500: the threshold costs as much again
}
"""Minimum hit@3 of the sample with the local embedder; some types have only five probes."""
NOTHING_BY_VECTORS = {
    "languages / nothing: nonsense": 0.75,  # measured: 1.000
    "languages / nothing: world": 0.75,  # 1.000
    "languages / nothing: near": 0.75,  # .750
}


async def test_recall_without_an_embedder_reaches_its_limits() -> None:
    found = report(await answers(named("everyday"), embedder="none"))
    rows = found["everyday"]
    holds(rows, "sam@3", BY_WORDS)
    holds(found["nothing"], "empty or weak", NOTHING_BY_WORDS)
    fts5 = {label: row["fts5@3"] - BELOW_FTS5 for label, row in rows.items()}
    holds(rows, "sam@3", fts5)
    assert found["noise"]["hits"] > 500
    assert found["noise"]["small talk"] == 0.0
    assert found["noise"]["question"] <= 0.01  # measured: .000
    assert found["noise"]["manual"] <= 0.02  # measured: .005
    assert found["kinds"]["everyday"]["calibration"] <= 0.08  # measured: .033


async def test_by_the_local_embedder() -> None:
    types = ("direct", "paraphrase", "echo", "cross-language")
    everyday = sample(named("everyday"), 5, types)
    languages = sample(named("languages"), 6)
    asked = [one for each in (everyday, languages) for one in await answers(each, embedder="local")]
    assert all(one.vectors for one in asked), "every question has a vector"
    found = report(asked)
    holds(found["everyday"], "sam@3", BY_VECTORS)
    holds(found["nothing"], "empty or weak", NOTHING_BY_VECTORS)


async def test_who_spoke_is_found_where_two_people_talk() -> None:
    day = datetime(2026, 3, 2, 9, tzinfo=UTC)
    said = [
        Line("m1", "user", "I have my exam on Friday", day, "Paola"),
        Line("m2", "user", "Mine, the exam in maths, is next week", day, "Kevin"),
    ]
    asked = [
        Probe("Paola exam", "direct", (frozenset({"m1"}),)),
        Probe("Kevin exam", "direct", (frozenset({"m2"}),)),
    ]
    found = await answers(Set("two people", "exam", "UTC", [said], asked, {}), embedder="none")
    assert [[hit.id for hit in one.hits][:1] for one in found] == [["m1"], ["m2"]]


def holds(rows: Mapping[str, Any], column: str, least: Mapping[str, float]) -> None:
    """Check that no value is below its minimum; report all that are at once."""
    below = {label: (rows[label][column], value) for label, value in least.items()}
    assert not {label: pair for label, pair in below.items() if pair[0] < pair[1]}


def named(name: str) -> Set:
    """Return one of our own sets."""
    return next(each for each in own() if each.name == name)


def sample(each: Set, probes: int, types: tuple[str, ...] = ()) -> Set:
    """Return the first few probes of each type, or of the given types, with the sessions and notes
    they refer to. Starter notes are left out: they take longer to embed than all the rest."""
    seen: Counter[str] = Counter()
    kept = []
    for probe in each.probes:
        seen[probe.type] += 1
        if seen[probe.type] <= probes and (not types or probe.type in types):
            kept.append(probe)
    about = frozenset().union(*(probe.old.union(*probe.gold) for probe in kept))
    sessions = [session for session in each.sessions if any(line.id in about for line in session)]
    notes = {path: text for path, text in each.notes.items() if f"note:{path}" in about}
    return replace(each, sessions=sessions, probes=kept, notes=notes, has_starter=False)


async def test_without_newest_first_an_old_value_leads() -> None:
    everyday = next(each for each in own() if each.name == "everyday")
    asked = [probe for probe in everyday.probes if probe.type == "correction"]
    found = await by_part([replace(everyday, probes=asked)], embedder="none", kept=None)
    assert [*found["everyday"]] == [ALL, *PARTS]
    line = next(line for line in table(found).splitlines() if "corrections" in line)
    every, _, without_newest, *others = map(float, line.split()[-len(PARTS) - 1 :])
    assert every > without_newest + 0.1 and order.LED
    assert max(others) == every
