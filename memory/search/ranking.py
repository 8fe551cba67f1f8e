"""Rank the candidates of a question: one score for each, best first.

Keyword and vector candidates, and those of the period that the question names, are weighed as
evidence (evidence.py), scored (score_model.py, refinement.py), and cut where a score is too low to
be an answer.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ..infra.sqlite import Connection, Row
from ..text.clause_words import clear_language
from ..text.sentences import begins_like_question, is_marked, is_question
from ..text.tokenize import flat
from . import score_model
from .candidates.absent import in_indexed_words
from .candidates.denials import denied_first
from .candidates.moves import moved_first
from .candidates.of_days import hits_of_days, ids_of_days
from .candidates.query import OF_PERIOD, Hit, Question, hit_of
from .candidates.sql import Candidates, Coverage, sentences, vectors_of
from .candidates.upcoming import upcoming_passages
from .deduplicate import (
    StatedShares,
    drop_asked_before,
    drop_repeating_answers,
    drop_repeating_summaries,
)
from .evidence import Candidate, Evidence, QuestionFeatures, asked_words, weigh
from .fusion import fuse, scaled
from .newest.likeness import likeness_of
from .newest.order import DEPTH, newest_first
from .question_kinds import asks, changeability, for_sams_words, generality, tells_nothing
from .question_words import is_about_owner, is_about_sam, is_keyword_list
from .refinement import LINEAR, refined
from .sams_answers import sams_answers_first
from .unknown_words import unknown_names, unknown_share

CANDIDATES = 150  # minimum, of each kind and in total; twice as many find no more
MOST_CANDIDATES = 1000  # sqlite-vec itself takes at most 4,096
USUAL_WEIGHT = 0.35  # VECTOR_WEIGHT's default: the model's weights were fitted with it
SENTENCE = 0.27
"""A passage counts as similar as its most similar sentence, less so many standard deviations of the
question's background: the best of several sentences is somewhat similar by chance."""
_SPLIT = 64  # best passages, whose sentences are compared: those of all find no more
QUOTED = 0.8  # share of the distance to 1 that a passage gains if it contains the question verbatim
_QUOTE = 3  # minimum number of words
_EMPTY = 25  # words: a longer answer of Sam's tells something, whatever else it does not know
_SPARE = 3  # times the limit: so many units are examined, because some repeat others

Ranked = Callable[[Connection, Question], list[Hit]]
"""`rank` with all arguments bound except the database and the question."""


class RankingOptions(NamedTuple):
    """How to search. `weight`: the vectors' share, 0 to 1."""

    by_keywords: bool
    weight: float
    multiplier: int
    candidates: Candidates


@dataclass(frozen=True, slots=True)
class Examined:
    """The candidates of a question: the rows by passage, the evidence for each unit, and its
    probability by the linear model. `is_refined`: the networks were fitted for such a question
    and weights. `stated`: how much of the question each row states."""

    rows: Mapping[int, Row]
    evidence: Sequence[Evidence]
    asked: QuestionFeatures
    model: score_model.ScoreModel
    chances: Mapping[int, float]
    is_refined: bool
    stated: StatedShares


def rank(
    db: Connection, question: Question, vector: bytes | None, options: RankingOptions
) -> list[Hit]:
    """Return the hits, best first; the newest statement of a subject before those that it replaces.

    There are no hits if nothing is likely to be an answer, unless the question has `every`; a list
    of keywords finds passages with any of them. If the question names only a period, return the
    passages of that period in order; if it asks for all that is known about the owner, the newest
    of that.
    """
    period = question.period
    if period is not None and period.bare and (listed := hits_of_days(db, question, period)):
        return listed
    if is_about_owner(question.text) and (known := _of_owner(db, question)):
        return known
    found = examine(db, question, vector, options)
    quoting = _quoting(question.text, found)
    hits = likely_hits(db, question, found, quoting)
    # What was true then, or is quoted, may have been replaced since, and is asked for all the same.
    if period is not None or (hits and hits[0].chunk_id in quoting):
        return hits[: question.limit]
    if hits:
        likeness = likeness_of(db, hits[:DEPTH], found.asked.background)
        changing = changeability(db, vector) if vector is not None else None
        scores = linear_scores(found, hits[:DEPTH])
        hits = newest_first(hits, likeness, question.text, changing, scores)
    return denied_first(db, question, moved_first(db, question, hits))[: question.limit]


def likely_hits(
    db: Connection, question: Question, found: Examined, quoting: Sequence[int] = ()
) -> list[Hit]:
    """Return the hits, best first, without those that only repeat the question or another one, up
    to `_SPARE` times the limit. `quoting`: see `_likely`."""
    likely = _likely(db, question, found, quoting)
    return _without_repetitions(likely, question.text, found.asked)


def _likely(
    db: Connection, question: Question, found: Examined, quoting: Sequence[int]
) -> list[Hit]:
    """Return the hits, best first, `_SPARE` times the limit; [] if nothing is likely to be an
    answer. `quoting`: the passages that contain the question verbatim."""
    chances = _lifted(found.chances, quoting)
    if not chances:
        return []
    features = score_model.related_features(found.evidence, chances, found.asked)
    complete = score_model.has_all_words(found.evidence, chances)
    related, answered = score_model.related(features, found.asked, found.model), None
    if related < score_model.LEAST and not question.every:
        if not is_keyword_list(question.text):
            return []
        chances = {each.id: chances[each.id] for each in found.evidence if each.covered}
    elif found.is_refined:
        by_network = refined(found.evidence, found.asked)
        chances, answered = _lifted(by_network.chances, quoting), by_network.answered
    weak = score_model.is_doubtful(related, answered, complete=complete)
    # Ties: the later one first, since ids grow with time.
    order = sorted(chances, key=lambda id_: (-chances[id_], -id_))
    # A pure question is no answer, nor is one in which Sam only says that it does not know.
    best = [id_ for id_ in order if found.rows[id_]["asking"] < 1.0][: _SPARE * question.limit]
    empty = _empty_answers(db, found.rows, best) if found.asked.background else ()
    best = [id_ for id_ in best if id_ not in empty]
    chances |= _as_stated(found, chances, best)
    best.sort(key=lambda id_: -chances[id_])
    return [hit_of(found.rows[id_], chances[id_], weak=weak) for id_ in best]


def linear_scores(found: Examined, hits: Sequence[Hit]) -> dict[int, float]:
    """Map the hits' passages to their scores by the linear model."""
    return _as_stated(found, found.chances, [hit.chunk_id for hit in hits])


def _as_stated(
    found: Examined, chances: Mapping[int, float], ids: Sequence[int]
) -> dict[int, float]:
    """Return the probabilities, lower for words that are only asked for."""
    return {id_: chances[id_] * found.stated.of(found.rows[id_]) for id_ in ids}


def _lifted(chances: Mapping[int, float], quoting: Sequence[int]) -> dict[int, float]:
    """Return the probabilities, higher for the passages that contain the question verbatim."""
    return {**chances, **{id_: chances[id_] + QUOTED * (1.0 - chances[id_]) for id_ in quoting}}


def _empty_answers(db: Connection, rows: Mapping[int, Row], ids: Sequence[int]) -> set[int]:
    """Return those of the passages in which Sam tells nothing, by their vectors."""
    sams = [id_ for id_ in ids if rows[id_]["role"] == "assistant"]
    short = [id_ for id_ in sams if rows[id_]["words"] <= _EMPTY]
    return {id_ for id_, vector in vectors_of(db, short).items() if tells_nothing(db, vector)}


def _without_repetitions(hits: Sequence[Hit], question: str, asked: QuestionFeatures) -> list[Hit]:
    """Return the hits without those that only repeat the question, or another hit."""
    if asked.asks:  # an earlier one may have been too long to be recognised as pure
        hits = drop_asked_before(hits, question)
    hits = drop_repeating_summaries(hits, question)
    return drop_repeating_answers(hits) if asked.sams_words < 0.5 else sams_answers_first(hits)


def _quoting(question: str, found: Examined) -> list[int]:
    """Return the passages that contain the question verbatim."""
    words = flat(question)
    if len(words.split()) < _QUOTE or found.asked.asks:
        return []  # a question occurs verbatim only where it was asked before
    most = max((each.covered for each in found.evidence), default=0.0)
    # Only passages with the best coverage can have all its words: most need not be read.
    ids = [each.id for each in found.evidence if each.covered >= most]
    return [id_ for id_ in ids if words in flat(found.rows[id_]["text"])]


def examine(
    db: Connection, question: Question, vector: bytes | None, options: RankingOptions
) -> Examined:
    """Collect the candidates of a question and weigh them."""
    by_keywords, weight, multiplier, candidates = options
    period = question.period
    count = min(max(question.limit * multiplier, CANDIDATES), MOST_CANDIDATES)
    text = period.rest if period else question.text
    words = asked_words(text, has_vector=vector is not None) if by_keywords else []
    indexed = in_indexed_words(db, text, words) if vector is None else words
    more = [word for word in indexed if word not in words]
    wider = replace(question, text=" ".join([question.text, *more]))
    keywords = candidates.keywords(db, wider, count) if by_keywords else {}
    cosines = candidates.nearest(db, question, vector, count) if vector is not None else {}
    best = _best_first(db, keywords, cosines, weight)[:count]
    of_period = ids_of_days(db, question, period) if period is not None else []
    rows = _rows(db, list(dict.fromkeys([*best, *of_period])))
    if not question.kinds and not is_about_sam(question.text):
        rows = {id_: row for id_, row in rows.items() if not row["manual"]}
    if vector is not None:
        cosines |= candidates.similar(db, vector, [id_ for id_ in rows if id_ not in cosines])
    background = candidates.background(db, vector) if vector is not None and cosines else None
    if vector is not None and background is not None:
        embedded = [id_ for id_ in rows if id_ in cosines][:_SPLIT]
        for id_, cosine in sentences(db, vector, embedded).items():
            cosines[id_] = max(cosines[id_], cosine - SENTENCE * background.deviation)
    found = [_candidate(row, keywords.get(id_), cosines.get(id_)) for id_, row in rows.items()]
    coverage = candidates.coverage(db, indexed, [*rows]) if indexed else Coverage((), (), {})
    missing = coverage.missing if indexed == words else candidates.coverage(db, words, []).missing
    asked = QuestionFeatures(
        question.text,
        periods=period.spans if period else (),
        background=background,
        missing=sum(missing),
        missing_names=unknown_names(db, question.text, words, missing),
        unknown=unknown_share(db, question.text, words, missing),
        general=generality(db, vector) if vector is not None else 0.0,
        sams_words=for_sams_words(db, question.text, vector),
        asks=_asks(db, question.text, vector),
        language=clear_language(question.text),
    )
    fitted = score_model.HYBRID if background else score_model.KEYWORDS
    model = score_model.shifted(fitted, weight / USUAL_WEIGHT)
    evidence = weigh(asked, found, coverage)
    chances = score_model.chances(evidence, model)
    is_refined = model is LINEAR and not is_keyword_list(question.text)
    stated = StatedShares(question.text, asks=asked.asks)
    return Examined(rows, evidence, asked, model, chances, is_refined, stated)


def _asks(db: Connection, text: str, vector: bytes | None) -> bool:
    """Return whether a text asks, and is not a statement or a list of words."""
    if is_marked(text) or is_question(text) or begins_like_question(text):
        return True
    return vector is not None and not is_keyword_list(text) and asks(db, vector)


def _candidate(row: Row, keywords: float | None, cosine: float | None) -> Candidate:
    return Candidate(
        row["id"],
        row["role"],
        row["author"],
        row["chat"] or "",
        row["date"] or "",
        row["message_id"],
        row["words"],
        row["asking"],
        bool(row["manual"]),
        row["language"],
        keywords,
        cosine,
    )


def _best_first(
    db: Connection, keywords: Mapping[int, float], cosines: Mapping[int, float], weight: float
) -> list[int]:
    """Return the candidates, best first, by words and vectors together."""
    waiting = _waiting(db, [id_ for id_ in keywords if id_ not in cosines])
    scores = fuse(scaled(cosines), scaled(keywords), weight, unknown=waiting)
    return sorted(scores, key=scores.__getitem__, reverse=True)


def _waiting(db: Connection, ids: Sequence[int]) -> set[int]:
    """Return those of the passages that have no vector yet."""
    waits = db.execute("SELECT 1 FROM chunk WHERE embedded = 0 LIMIT 1").fetchone()
    rows = _by_id(db, "chunk.id, embedded", ids) if waits else []
    return {row["id"] for row in rows if not row["embedded"]}


_COLUMNS = (  # qualified, since json_each has an id and a path too
    "chunk.id, text, message_id, chat, date, author, chunk.path, start_line, end_line, heading,"
    " kind, role, words, asking, manual, language"
)


def _rows(db: Connection, ids: Sequence[int]) -> dict[int, Row]:
    """Read the rows of the passages, and of the other passages of their messages."""
    rows = {row["id"]: row for row in _by_id(db, _COLUMNS, ids)}
    long = [row["message_id"] for row in rows.values() if row["message_id"] and row["words"] > 100]
    if long:  # only long messages have several passages
        others = f"SELECT {_COLUMNS} FROM json_each(?) CROSS JOIN chunk ON message_id = value"
        for row in db.execute(others, (json.dumps(list(set(long))),)).fetchall():
            rows.setdefault(row["id"], row)
    return rows


def _by_id(db: Connection, columns: str, ids: Sequence[int]) -> list[Row]:
    return db.execute(
        f"SELECT {columns} FROM json_each(?) CROSS JOIN chunk ON chunk.id = value",
        (json.dumps(list(ids)),),
    ).fetchall()


# ── questions without a text ─────────────────────────────────────────────────────────────────────


def hits(db: Connection, question: Question, ranked: Ranked) -> list[Hit]:
    """Return the nearest passages, the newest, or both, as the question requests.

    Without a text, return the newest. If the filter admits no passage, nothing is ranked. What was
    said about a day to come that the question names comes before what is ranked; if it asks for
    nothing else, before what is of that day.
    """
    has_text = bool(question.text.strip())
    newest = latest(db, question) if question.and_newest or not has_text else []
    if not has_text or (question.and_newest and not newest):
        return newest
    planned, days = upcoming_passages(db, question)
    first = [hit_of(row, OF_PERIOD) for row in planned]
    known = {hit.chunk_id for hit in first}
    rest = [hit for hit in ranked(db, question) if hit.chunk_id not in known]
    if first and days:
        begins, ends = days
        rest = [hit for hit in rest if hit.is_of_period and hit.date and begins <= hit.date <= ends]
    return [*[*first, *rest][: question.limit], *newest]


def latest(db: Connection, question: Question) -> list[Hit]:
    """Return the newest passages that pass the filter."""
    where, given = question.where()
    rows = db.execute(
        f"SELECT * FROM chunk WHERE {where} ORDER BY date DESC, id DESC LIMIT ?",
        (*given, question.limit),
    ).fetchall()
    return [hit_of(row, 0.0) for row in rows]


_OF_OWNER = ("user", "memory", "fact", "rule", "summary", "message")
"""Kinds that say something about the owner, the most certain first."""


def _of_owner(db: Connection, question: Question) -> list[Hit]:
    """Return what is known about the owner: confirmed lines and facts first, then what was said;
    of each kind the newest."""
    where, given = question.where()
    found: list[Row] = []
    for kind in _OF_OWNER:  # each by itself: messages are many, and newer than most facts
        found += db.execute(
            f"SELECT * FROM chunk WHERE {where} AND kind = ?"
            " AND asking < 1 AND manual = 0 AND coalesce(role, '') != 'assistant'"
            " ORDER BY date DESC, id DESC LIMIT ?",
            (*given, kind, question.limit - len(found)),
        ).fetchall()
    return [hit_of(row, OF_PERIOD) for row in found]
