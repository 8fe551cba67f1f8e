"""Self-exam: measure whether recall still finds the messages behind each bullet.

Each bullet that Sam wrote names the messages it came from, so it is a question with a known answer:
its words are searched among the messages alone, and the rank of the first of its own messages is
recorded. The same bullets are used each time, so that two runs can be compared probe by probe.

Probes and alarms are plain code, so that a run costs only the tokens of the questions' vectors,
which the index caches.
"""

from __future__ import annotations

import hashlib
import math
import re
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from typing import TYPE_CHECKING

from ..errors import EmbedError
from ..log.evals import Exam, SourcedBullet
from ..notes.markdown import plain
from ..search import Hit, Question, RankingOptions, rank
from ..text.humanize import plural
from ..text.tokenize import STOP_WORDS
from ..text.word_forms import is_unspaced

if TYPE_CHECKING:
    from ..core import Memory

PROBES = 100
DEPTH = 10  # hits that are examined
HIT = 5  # a probe is found when one of its messages is among the first five
RECENT = 14  # runs that a new one is compared with
CHANCE = 0.01
WORDS = 12  # of a probe: a question is seldom longer
CLAUSE = 6  # characters of a Chinese or Japanese clause that asks something
MOST_SOURCES = 6  # a bullet of more messages is about a whole conversation
_WORD = re.compile(r"[^\W_]+")
_LABEL = re.compile(r"^\s*(?:[-*+]\s+)?(?:Action:\s*|\*\*Summary\*\*:\s*)?")


def question_of(text: str) -> str:
    """Return a bullet's words without its label, stop words, and what has a digit: dates, times,
    sums.

    Words and not the sentence, since a bullet may quote a message, and a quotation is too easy to
    find. Empty where fewer than two words are left. Without spaces between words, a clause counts
    as one word: a long one is enough.
    """
    text = _LABEL.sub("", plain(text))
    words = [
        word
        for word in _WORD.findall(text)
        if word.casefold() not in STOP_WORDS and not any(c.isdigit() for c in word)
    ]
    kept = list(dict.fromkeys(words))[:WORDS]
    is_enough = len(kept) > 1 or any(is_unspaced(word) and len(word) >= CLAUSE for word in kept)
    return " ".join(kept) if is_enough else ""


def sample(sources: Iterable[SourcedBullet]) -> list[SourcedBullet]:
    """Choose the same PROBES bullets in each run, apart from new and deleted ones: by a hash of the
    id.

    (The smallest hashes: bottom-k sampling, Cohen and Kaplan, 2007.)
    """
    fit = [each for each in sources if len(each.messages) <= MOST_SOURCES]
    fit = [each for each in fit if question_of(each.text)]
    return sorted(fit, key=lambda each: hashlib.sha256(str(each.id).encode()).digest())[:PROBES]


def hit5(ranks: Mapping[int, int]) -> float:
    """Return the share of probes that are found among the first five; 0 without any."""
    return statistics.fmean(0 < rank <= HIT for rank in ranks.values()) if ranks else 0.0


def mrr(ranks: Mapping[int, int]) -> float:
    """Return the mean of 1 / rank, 0 for those not among the first ten."""
    return statistics.fmean(1 / rank if rank else 0.0 for rank in ranks.values()) if ranks else 0.0


def count_changes(before: Mapping[int, int], now: Mapping[int, int]) -> tuple[int, int]:
    """Return how many of the probes that both runs have are no longer found, and how many are newly
    found."""
    both = [(0 < before[id_] <= HIT, 0 < now[id_] <= HIT) for id_ in before.keys() & now.keys()]
    return sum(was and not is_ for was, is_ in both), sum(is_ and not was for was, is_ in both)


def sign_test(worse: int, better: int) -> float:
    """Return the probability that at least `worse` of all changed probes got worse by chance.

    The exact sign test, one-sided, of paired yes-or-no answers: McNemar, "Note on the sampling
    error of the difference between correlated proportions", Psychometrika 12, 1947. Probes that
    did not change say nothing; so a hundred probes of which seven are lost and none is won are an
    alarm (1/128), and seven lost with five won are not (.39).
    """
    changed = worse + better
    ways: int = sum(math.comb(changed, n) for n in range(worse, changed + 1))
    return float(ways / 2**changed)


def find_regressions(now: Exam, before: Sequence[Exam]) -> str:
    """Return what got significantly worse, as a sentence; empty if nothing did.

    For recall as it is, and for vectors alone (keywords hide what is wrong with them), the best of
    the last runs on the probes that both share is compared with now, by `sign_test`. At least
    seven must be lost: of fewer probes than that no alarm can come.
    """
    found = []
    pairs = [("recall", now.found, [each.found for each in before])]
    if now.near:
        pairs.append(("search by vectors alone", now.near, [e.near for e in before if e.near]))
    elif any(each.near for each in before[:1]):
        found.append(f"vectors are gone ({now.degraded or 'there is no embedder'})")
    for name, ranks, earlier in pairs:
        runs = [count_changes(each, ranks) for each in earlier[:RECENT]]
        worse, better = max(runs, key=lambda run: run[0] - run[1], default=(0, 0))
        if worse > better and sign_test(worse, better) < CHANCE:
            found.append(
                f"{name} no longer finds {worse} of {plural(len(ranks), 'thing')} that it found"
                + (f" (and finds {better} more)" if better else "")
            )
    return "; ".join(found)


async def run_probes(
    memory: Memory, *, progress: Callable[[int, int], None] = lambda done, all_: None
) -> Exam | None:
    """Run every probe, judge and store the run; return None if there are no probes.

    It searches like recall, one question at a time, and pauses while a turn runs. Raises
    StoreError.
    """
    probes = sample(await memory.log.exams.sources())
    if not probes:
        return None
    await memory.refresh()
    found: dict[int, int] = {}
    near: dict[int, int] = {}
    degraded = ""
    for done, probe in enumerate(probes):
        await memory.embeddings.idle()
        progress(done, len(probes))
        question = question_of(probe.text)
        recalled = await memory.recall(question, limit=DEPTH, filter="conversations")
        found[probe.id] = _rank(recalled.hits, probe)
        degraded = degraded or recalled.degraded or ""
        if recalled.mode != "keywords":
            near[probe.id] = _rank(await _nearest(memory, question), probe)
    progress(len(probes), len(probes))
    identity = memory.embedder.identity if memory.embedder else None
    exam = Exam(
        at=memory.clock(),
        version=version("sam-memory"),
        identity=f"{identity.provider}/{identity.model}" if identity else "",
        degraded=degraded,
        found=found,
        near=near,
    )
    exam = replace(exam, alarm=find_regressions(exam, await memory.log.exams.recent(RECENT)))
    await memory.log.exams.add(exam)
    return exam


async def _nearest(memory: Memory, question: str) -> list[Hit]:
    try:
        vector = await memory.embeddings.query(question)
    except EmbedError:
        return []
    db, candidates = await memory.searcher.search_functions()
    asked = Question(question, memory.today(), DEPTH, "conversations")
    options = RankingOptions(by_keywords=False, weight=1.0, multiplier=1, candidates=candidates)
    return await db.read(lambda db: rank(db, asked, vector, options))


def _rank(hits: Sequence[Hit], probe: SourcedBullet) -> int:
    """Return the rank, from 1, of the first hit that is one of the probe's messages; 0 without
    any."""
    wanted = set(probe.messages)
    return next((at for at, hit in enumerate(hits, 1) if wanted & set(hit.message_ids)), 0)


def describe(exam: Exam) -> str:
    """Return the results of a run as one line."""
    line = (
        f"{exam.at:%Y-%m-%d}: {plural(len(exam.found), 'probe')}, hit@{HIT} {hit5(exam.found):.2f},"
        f" MRR {mrr(exam.found):.2f}"
    )
    return line + (f"; by vectors alone {hit5(exam.near):.2f}" if exam.near else "")
