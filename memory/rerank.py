"""Rerank: candidates that words or vectors found → one score each. Pure; reads no index.

Whole conversations are searched for what answers a question, and that is seldom a message alone:
what stands around it, who says it, and whether it asks or tells decide as much. Each rule was
measured with and without: docs/recall.md.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import NamedTuple

from .fusion import fuse, scaled
from .period import Span
from .words import asked, flat, length, pairs

PAIR = 0.7  # a pair of neighbouring words of the question, in units of BM25
AROUND = (0.1, 0.2)  # the share that a message gets of the scores one and two places from it: the
# message next to it feeds its words already, as a column of the keyword index
TALK = 0.3  # and of the best score of its day in its chat
OTHER = 0.8  # the question names a speaker, and another one says it
ASKING = 0.65  # what a message loses that only asks
ANOTHER_TIME = 0.25  # the question names a time, and it is of another
TELLING = 0.5  # what a message loses that has no words: one has much to tell, or little
MUCH = 60  # words; more tell no more
LATER = timedelta(days=7)  # what happened is told a little later
QUOTED = 0.5  # of the way to 1: where the whole question stands word for word


class Candidate(NamedTuple):  # a hundred are made a question: a tuple takes a quarter of the time
    """A passage that was found. `keywords`: its BM25, larger is better; None: not found by words.

    `near`: how near its vector is, in (0, 1], 1 the nearest of all that were found; None if vectors
    did not find it. `embedded`: whether it has a vector at all yet.
    `message`, `chat` and `author` are empty for notes. `day`: ISO; empty if not known.
    """

    id: int
    text: str
    keywords: float | None = None
    near: float | None = None
    embedded: bool = True
    message: int | None = None
    chat: str = ""
    day: str = ""
    author: str = ""


def rerank(
    question: str,
    candidates: Sequence[Candidate],
    weight: float,
    *,
    periods: Sequence[Span] = (),
) -> dict[int, float]:
    """Ids of candidates → scores in [0, 1]; `weight` is the vectors' share.

    `periods`: those that the question speaks of.
    """
    texts = {each.id: flat(each.text) for each in candidates}
    words = {each.id: each.keywords for each in candidates if each.keywords is not None}
    together = in_pairs(question, {id_: texts[id_] for id_ in words})
    scores = fuse(
        {each.id: each.near for each in candidates if each.near is not None},
        scaled({id_: score + PAIR * together.get(id_, 0.0) for id_, score in words.items()}),
        weight,
        unknown={each.id for each in candidates if not each.embedded},
    )
    supported = around(candidates, scores)
    spoken = said_by(question, candidates)
    dated = said_then(periods, candidates)
    told = long_enough(candidates, texts)
    whole = flat(question)
    quotes = len(whole.split()) > 1
    ranked: dict[int, float] = {}
    for each in candidates:
        score = supported[each.id] * told[each.id]
        score *= spoken.get(each.id, 1.0) * dated.get(each.id, 1.0)
        if quotes and whole in texts[each.id]:
            score += QUOTED * (1.0 - score)
        elif each.message is not None:
            score *= telling(each.text)
        ranked[each.id] = score
    return ranked


def in_pairs(question: str, texts: Mapping[int, str]) -> dict[int, float]:
    """For the question's pairs of neighbouring words in a text: the sum of their rarity.

    Rare is what few of these texts hold; they are `flat`.
    """
    found: dict[int, float] = defaultdict(float)
    for pair in pairs(question):
        holders = [id_ for id_, text in texts.items() if pair in text]
        rarity = math.log((len(texts) - len(holders) + 0.5) / (len(holders) + 0.5))
        for id_ in holders if rarity > 0 else ():
            found[id_] += rarity
    return dict(found)


def around(candidates: Sequence[Candidate], scores: Mapping[int, float]) -> dict[int, float]:
    """Scores with a share of those around: a message is understood by what stands next to it.

    What is around are the two messages before it and after it, and the best of the same day in the
    same chat. A note is long enough to stand alone: it gets what messages of its score get (the
    best fit of their gain), so that neither is ahead for being what it is. All stay in [0, 1].
    """
    best: dict[tuple[str, str], dict[int, float]] = defaultdict(dict)
    for each in candidates:
        if each.message is not None:
            said = best[each.chat, each.day]
            said[each.message] = max(said.get(each.message, 0.0), scores[each.id])
    own = gained = 0.0
    support: dict[tuple[tuple[str, str], int], float] = {}
    steps = [(sign * at, share) for at, share in enumerate(AROUND, 1) for sign in (-1, 1)]
    for place, said in best.items():
        talk = TALK * max(said.values())
        for message, score in said.items():
            share = talk + sum([said.get(message + step, 0.0) * part for step, part in steps])
            support[place, message] = share
            own, gained = own + score * score, gained + score * share
    average = gained / own if own else 0.0
    most = 1.0 + 2 * sum(AROUND) + TALK
    return {
        each.id: min(
            1.0,
            (
                scores[each.id] * (1.0 + average)
                if each.message is None
                else scores[each.id] + support[(each.chat, each.day), each.message]
            )
            / most,
        )
        for each in candidates
    }


def said_by(question: str, candidates: Sequence[Candidate]) -> dict[int, float]:
    """What those keep that another says than the one whom the question names; others are absent."""
    authors = {each.author for each in candidates if each.author}
    text = flat(question)
    named = {author for author in authors if flat(author.split()[0]) in text}
    if not named or named == authors:
        return {}
    return {each.id: OTHER for each in candidates if each.author and each.author not in named}


def said_then(periods: Sequence[Span], candidates: Sequence[Candidate]) -> dict[int, float]:
    """What those keep that are of another time than the question's; others are absent.

    Where none is of that time, time tells nothing; nor does it of what has no date.
    """
    if not periods:
        return {}
    spans = [(one.isoformat(), (other + LATER).isoformat()) for one, other in periods]
    then = {each.id for each in candidates if any(a <= each.day <= b for a, b in spans)}
    if not then:
        return {}
    return {each.id: ANOTHER_TIME for each in candidates if each.day and each.id not in then}


def telling(text: str) -> float:
    """What a text keeps for what it tells: 1, less the more of it only asks."""
    questions = sum(len(sentence) for sentence in asked(text))
    return 1.0 - ASKING * min(1.0, questions / max(1, len(text.strip())))


def long_enough(candidates: Sequence[Candidate], texts: Mapping[int, str]) -> dict[int, float]:
    """What each keeps for how much it says, by the logarithm of its words: "Wow, great!" is seldom
    what is looked for. A note keeps what messages keep on average. The texts are `flat`."""
    kept = {
        each.id: 1.0
        - TELLING * (1.0 - min(1.0, math.log1p(length(texts[each.id])) / math.log(MUCH)))
        for each in candidates
        if each.message is not None
    }
    average = sum(kept.values()) / len(kept) if kept else 1.0
    return {each.id: kept.get(each.id, average) for each in candidates}
