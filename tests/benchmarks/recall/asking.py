"""Run the probes of a set through Memory.recall, and through the baselines."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from memory.core import Memory
from memory.search import Hit, score_model
from memory.text.sentences import question_share
from memory.text.small_talk import is_small_talk

from .baselines import ByVectors, ByWords, rows
from .measure import Found
from .sets import UNANSWERED, Line, Probe, Set, invented, misspelt, questions_of_others
from .stores import filled

CONVERSATIONS = ("LoCoMo", "two people", "assistant")
"""Kinds measured with ten hits; the others with _SHOWN."""
OWNER = "everyday"
FIRST_WEEK = "everyday, first week"
DEEPEST = 10  # hits examined without the threshold, and of the baselines
_SHOWN = 8  # hits on the owner's screen
_WEEK = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Fitted:
    """The fitted weights: those with vectors, and those without."""

    hybrid: score_model.ScoreModel
    keywords: score_model.ScoreModel


@dataclass(frozen=True, slots=True)
class Answer:
    """A probe with its results.

    `hits`: of recall; `every`: of recall without its threshold; `left_out`: of recall with the
    weights fitted on other kinds, None if not requested. `sessions`: message → session. `ms`:
    the duration of recall. For questions that were not
    written for the set, only recall's hits are there.
    """

    kind: str
    name: str
    probe: Probe
    hits: Sequence[Found]
    sessions: Mapping[str, int]
    ms: float
    left_out: Sequence[Found] | None = None
    every: Sequence[Found] = ()
    words: Sequence[str] = ()
    vectors: Sequence[str] = ()


async def answers(
    each: Set,
    *,
    embedder: str,
    kept: Path | None = None,
    first_week: bool = False,
    left_out: Fitted | None = None,
    others: Sequence[Set] = (),
) -> list[Answer]:
    """Return the results for all probes of the set; with `first_week`, after one week of messages,
    for the probes answered by then.

    `kept`: the file that caches vectors between runs. `left_out`: weights to measure as well.
    `others`: sets of which some questions are asked as well; they have no answer in this one. Then
    questions about invented names and misspelt ones are asked, too.
    """
    until = each.sessions[0][0].at + _WEEK if first_week else None
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        store = filled(each, Path(folder), embedder=embedder, kept=kept, until=until)
        async with store as (memory, ids):
            more = (
                [*questions_of_others(each, others), *invented(each), *misspelt(each)]
                if others
                else []
            )
            asked = replace(each, probes=[*each.probes, *more])
            if first_week:
                known = frozenset(ids.values())
                probes = [probe for probe in each.probes if _is_known(probe, known)]
                asked = replace(each, kind=FIRST_WEEK, probes=probes)
            found = await _asked(memory, ids, asked, left_out)
    took = time.monotonic() - began
    print_progress(
        f"{asked.kind}, {each.name}: {len(ids)} messages, {len(found)} probes, {took:.0f} s"
    )
    return found


def _is_known(probe: Probe, known: frozenset[str]) -> bool:
    """Return whether everything that the probe refers to is a note or a known message."""
    wanted = probe.old.union(*probe.gold)
    return all(id_.startswith("note:") or id_ in known for id_ in wanted)


async def _asked(
    memory: Memory, ids: Mapping[int, str], each: Set, left_out: Fitted | None
) -> list[Answer]:
    given = await rows(memory, ids)
    words, vectors = ByWords(given), ByVectors(given)
    has_vectors = await memory.index.has_vectors()
    named = await _named(memory, ids, each)
    sessions = {line.id: at for at, lines in enumerate(each.sessions) for line in lines}
    found = []
    try:
        for probe in each.probes:
            now, text = moment(probe, each), probe.question
            began = time.perf_counter()
            hits = await recalled(memory, probe, each)
            ms = (time.perf_counter() - began) * 1000
            others: list[Found] | None = None
            if left_out:
                with fitted(left_out):
                    others = [named(hit) for hit in await recalled(memory, probe, each)]
            answer = Answer(
                *(each.kind, each.name, probe), [named(hit) for hit in hits], sessions, ms, others
            )
            if probe.type not in UNANSWERED:
                every = (await memory.recall(text, limit=DEEPEST, now=now, every=True)).hits
                near = await memory.embeddings.query(text) if has_vectors else b""
                answer = replace(
                    answer,
                    every=[named(hit) for hit in every],
                    words=words.find(text, DEEPEST),
                    vectors=vectors.find(near, DEEPEST) if near else [],
                )
            found.append(answer)
    finally:
        words.close()
    return found


async def recalled(memory: Memory, probe: Probe, each: Set) -> Sequence[Hit]:
    """Return the hits of a probe: as many as are measured for this kind of set."""
    limit = DEEPEST if each.kind in CONVERSATIONS else _SHOWN
    return (await memory.recall(probe.question, limit=limit, now=moment(probe, each))).hits


async def _named(memory: Memory, ids: Mapping[int, str], each: Set) -> Callable[[Hit], Found]:
    """Return the function that maps a hit to its id in the set."""
    db = await memory.index.db()
    manual = await db.read(
        lambda db: {id_ for (id_,) in db.execute("SELECT id FROM chunk WHERE manual = 1")}
    )
    lines = {line.id: line for session in each.sessions for line in session}

    def named(hit: Hit) -> Found:
        id_ = name(hit.message_ids, hit.path, ids)
        noise = "manual" if hit.chunk_id in manual else _noise(lines.get(id_))
        return Found(id_, hit.score, hit.weak, noise)

    return named


def name(messages: Sequence[int], path: str, ids: Mapping[int, str]) -> str:
    """Return a hit's id in the set."""
    return ids[messages[0]] if messages else f"note:{path}"


def _noise(line: Line | None) -> str:
    if line is None:
        return ""
    if is_small_talk(line.text):
        return "small talk"
    return "question" if line.role == "user" and question_share(line.text) == 1.0 else ""


def moment(probe: Probe, each: Set) -> datetime:
    """Return the time of the probe: noon of its day, or after the set's last message."""
    if probe.at is None:
        return each.ends
    return datetime(probe.at.year, probe.at.month, probe.at.day, 12, tzinfo=ZoneInfo(each.zone))


@contextmanager
def fitted(by: Fitted) -> Iterator[None]:
    """Use other weights within this context."""
    usual = score_model.HYBRID, score_model.KEYWORDS
    score_model.HYBRID, score_model.KEYWORDS = by.hybrid, by.keywords
    try:
        yield
    finally:
        score_model.HYBRID, score_model.KEYWORDS = usual


def print_progress(text: str) -> None:
    """Print progress."""
    print(text, file=sys.stderr, flush=True)
