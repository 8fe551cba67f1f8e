"""Evidence: the features by which a candidate is scored as an answer. Pure.

The unit is a complete message, or one passage of a note. Of the passages of one message the best
counts, and their words are combined. Sam's short reply to a statement of the owner's counts as a
part of it: "5.8" names nobody, "Dosa is at 5.8 kg." does.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..dates import Span
from ..dates.calendar import add
from ..text.clause_words import grammatical_words, names_of, without_opening
from ..text.tokenize import content_words, flat
from ..text.word_forms import folded
from .candidates.query import LONGEST_REPLY
from .candidates.sql import Background, Coverage

FEATURES = (
    "cover",
    "keywords",
    "vector",
    "both",
    "before",
    "after",
    "sam",
    "note",
    "asks",
    "length",
    "speaker",
    "inside",
    "soon",
    "outside",
    "manual",
    "foreign",
)
"""The features, in the order of `Evidence.features`:

- `cover`: the share, from 0 to 1, of the question's information (its words, weighted by rarity)
  that the words of the passage cover; `before` and `after`: what adjacent messages add to that
- `keywords`: its BM25 as a share of the best candidate's; in hybrid search times the largest
  `cover`, since even the best match is a bad one if no passage covers much of the question
- `vector`: how many standard deviations its cosine is above the question's background, divided by
  4, from -0.5 to 1.5; `both`: the part of `cover` that is not from Sam's reply x vector, or
  `before` x vector if it only continues a message that covers most of the question: that one is
  embedded with it, so its words count twice, too
- `sam`: 1 if Sam said it, but -1 if the question asks for Sam's words
- `note`, `manual`: 1 if it is from a note, if it is about Sam itself
- `asks`: the share of pure questions; `length`: the logarithm of its number of words, 1 at sixty
- `speaker`: 1 if the question names its speaker, -1 if it names another one
- `inside`, `soon`, `outside`: 1 if it is from the period that the question names, from the week
  after, or from another time
- `foreign`: if it is in another language than the question, so that they can hardly have a word in
  common, the share of the candidates that are not; else 0
"""

UNKNOWN = (0.15, 0.5)
"""The vector feature of a passage without a vector yet: the typical value for its `cover`."""
_MOST = 0.5  # share of the question that a message covers which is the better answer than the next
_SOON = 7  # days
_NOWHERE = (0, 0, 0)  # no word of the question in a passage and those around it
_MUCH = (60, 120)  # words: `length` is 1 at the first, and constant beyond the second


class Candidate(NamedTuple):  # a hundred per question: creating a tuple takes a quarter of the time
    """A passage that was found, or another passage of the same message.

    `keywords`: its BM25, larger is better; `cosine`: with the question, None without a vector.
    `words`: number of words of the complete message. `message`, `chat` and `author` are empty for
    notes. `day`: ISO date; empty if unknown. `language`: empty if it is not clear.
    """

    id: int
    role: str | None
    author: str
    chat: str
    day: str
    message: int | None
    words: int
    asking: float
    manual: bool
    language: str = ""
    keywords: float | None = None
    cosine: float | None = None


@dataclass(frozen=True, slots=True)
class QuestionFeatures:
    """The properties of a question: its text, the days it names, its background, the share of its
    information that occurs nowhere in the index, that of its names if none of them occurs, that of
    its words that no language knows either (unknown_words.py), the log-odds that it is about
    general knowledge and how clearly it asks for Sam's words (question_kinds.py), whether it asks
    at all, and its language if it is clear."""

    text: str
    periods: Sequence[Span] = ()
    background: Background | None = None
    missing: float = 0.0
    missing_names: float = 0.0
    unknown: float = 0.0
    general: float = 0.0
    sams_words: float = 0.0
    asks: bool = False
    language: str = ""


class Evidence(NamedTuple):
    """One unit: the passage to show, its position in the conversation, and its features.

    `likeness`: its cosine in standard deviations above the mean cosine between passages of the
    index, which is comparable between questions; 0 without vectors.
    """

    id: int
    message: int | None
    place: tuple[str, str]
    features: tuple[float, ...]
    likeness: float

    @property
    def covered(self) -> float:
        """The share of the question's information that the unit's words cover."""
        return self.features[0]


def weigh(
    asked: QuestionFeatures, candidates: Sequence[Candidate], coverage: Coverage
) -> list[Evidence]:
    """Return the evidence for each message and each note's passage among the candidates."""
    units: dict[object, list[Candidate]] = {}
    for each in candidates:
        units.setdefault(each.message or -each.id, []).append(each)
    best_keywords = max((each.keywords or 0.0 for each in candidates), default=0.0) or 1.0
    speaker = _speakers(asked.text, candidates)
    periods = _Periods(asked.periods)
    share = _Share(coverage.idf)
    replies = {key: _reply(passages[0], units) for key, passages in units.items()}
    covers = {
        key: _covered(passages, replies[key], coverage, share) for key, passages in units.items()
    }
    most_covered = 1.0
    if asked.background:
        most_covered = max((cover.own for cover in covers.values()), default=0.0)
    foreign = {
        key
        for key, (first, *_) in units.items()
        if asked.language and first.language not in ("", asked.language)
    }
    rare = 1.0 - len(foreign) / max(1, len(units))
    found = []
    for key, passages in units.items():
        first = passages[0]
        cover = covers[key]
        continues = cover.continued >= _MOST and _continues(first, units)
        keywords, cosine = _best_scores([*passages, *replies[key]])
        vector, likeness = _nearness(cosine, asked.background, cover.own)
        found.append(
            Evidence(
                _shown(passages),
                first.message,
                (first.chat, first.day),
                (
                    cover.own,
                    keywords * (most_covered / best_keywords),
                    vector,
                    (cover.continued if continues else cover.alone) * vector,
                    cover.before,
                    cover.after,
                    (1.0 - 2.0 * asked.sams_words) * (first.role == "assistant"),
                    float(first.message is None),
                    first.asking,
                    min(math.log1p(first.words), math.log(_MUCH[1])) / math.log(_MUCH[0]),
                    speaker.get(first.author, 0.0),
                    *periods.features(first.day),
                    float(first.manual),
                    rare if key in foreign else 0.0,
                ),
                likeness,
            )
        )
    return found


def _best_scores(passages: Sequence[Candidate]) -> tuple[float, float | None]:
    """Return the largest BM25 and the largest cosine of the passages."""
    keywords, cosine = passages[0].keywords or 0.0, passages[0].cosine
    for each in passages[1:]:
        keywords = max(keywords, each.keywords or 0.0)
        if each.cosine is not None and (cosine is None or each.cosine > cosine):
            cosine = each.cosine
    return keywords, cosine


def _nearness(cosine: float | None, ground: Background | None, own: float) -> tuple[float, float]:
    """Return the feature `vector` of a unit that covers `own` of the question, and its likeness."""
    if ground is None:
        return 0.0, 0.0
    if cosine is None:
        return UNKNOWN[0] + UNKNOWN[1] * own, 0.0
    margin = (cosine - ground.mean) / max(ground.deviation, 1e-6)
    likeness = (cosine - ground.pairs) / max(ground.pairs_deviation, 1e-6)
    return max(-0.5, min(1.5, margin / 4.0)), likeness


class _Periods:
    """The periods that a question names, and the week after each."""

    def __init__(self, periods: Sequence[Span]) -> None:
        self._named = [(first.isoformat(), last.isoformat()) for first, last in periods]
        self._soon = [(last.isoformat(), add(last, _SOON).isoformat()) for _, last in periods]

    def features(self, day: str) -> tuple[float, float, float]:
        """Return `inside`, `soon` and `outside` of a day."""
        if not self._named:
            return 0.0, 0.0, 0.0
        if any(first <= day <= last for first, last in self._named):
            return 1.0, 0.0, 0.0
        is_soon = any(last < day <= end for last, end in self._soon)
        return 0.0, float(is_soon), float(not is_soon)


class _Share(dict[int, float]):
    """Map a set of the question's words, as bits, to its share of the question's information."""

    def __init__(self, idf: Sequence[float]) -> None:
        super().__init__()
        self._idf, self._total = idf, sum(idf) or 1.0

    def __missing__(self, words: int) -> float:
        covered = (each for bit, each in enumerate(self._idf) if words >> bit & 1)
        self[words] = share = sum(covered) / self._total
        return share


class _Covered(NamedTuple):
    """The shares of the question's information that a unit covers.

    `own`: with Sam's reply; `alone`: without it. `before`, `after`: what adjacent messages add.
    `continued`: that of the previous message if the unit adds nothing to it, else 0.
    """

    own: float
    alone: float
    before: float
    after: float
    continued: float


def _covered(
    passages: Sequence[Candidate], reply: Sequence[Candidate], coverage: Coverage, share: _Share
) -> _Covered:
    """Return the shares of the question that a unit covers. `reply`: see `_reply`."""
    alone = before = after = 0
    for each in passages:
        places = coverage.places.get(each.id, _NOWHERE)
        alone, before, after = alone | places[0], before | places[1], after | places[2]
    own = alone
    for each in reply:
        own |= coverage.places.get(each.id, _NOWHERE)[0]
    continued = 0 if alone & ~before else before
    return _Covered(
        share[own], share[alone], share[before & ~own], share[after & ~own], share[continued]
    )


def _reply(each: Candidate, units: Mapping[object, Sequence[Candidate]]) -> Sequence[Candidate]:
    """Return Sam's short reply to a statement of the owner's, if it is a candidate, else ().

    A message that asks is no statement: the reply is an answer, with something else to say.
    """
    if each.message is None or each.role != "user" or each.asking > 0.0:
        return ()
    reply = units.get(each.message + 1, ())
    if not reply or reply[0].words > LONGEST_REPLY:
        return ()
    said = (reply[0].role, reply[0].chat, reply[0].day)
    return reply if said == ("assistant", each.chat, each.day) else ()


def _continues(each: Candidate, units: Mapping[object, Sequence[Candidate]]) -> bool:
    """Return whether the same speaker said the previous message on that day, and it is a candidate
    that states something."""
    previous = units.get(each.message - 1) if each.message else None
    if previous is None or previous[0].asking >= 1.0:
        return False
    other = previous[0]
    return (each.role, each.author, each.chat, each.day) == (
        other.role,
        other.author,
        other.chat,
        other.day,
    )


def _shown(passages: Sequence[Candidate]) -> int:
    """Return the best-ranked passage of a message."""
    if len(passages) == 1:
        return passages[0].id
    most = max(each.keywords or 0.0 for each in passages) or 1.0
    return max(passages, key=lambda each: (each.keywords or 0.0) / most + (each.cosine or 0.0)).id


def _speakers(question: str, candidates: Sequence[Candidate]) -> Mapping[str, float]:
    """Map each author to 1 if the question names them, -1 if only others; {} if it names none."""
    authors = {each.author for each in candidates if each.author.strip()}
    text = flat(question)
    named = {author for author in authors if flat(author.split()[0]) in text}
    if not named or named == authors:
        return {}
    return {author: 1.0 if author in named else -1.0 for author in authors}


def asked_words(question: str, *, has_vector: bool) -> list[str]:
    """Return the words of a question that an answer should have.

    Without vectors the grammatical words of its language do not count: "wer ist" would be half of
    "Wer ist Herr Strobel?". With vectors that changes nothing.
    """
    words = content_words(without_opening(question))
    if has_vector:
        return words
    small = grammatical_words(question)
    return [word for word in words if folded(word) not in small] or words


def missing_names(question: str, words: Sequence[str], missing: Sequence[float]) -> float:
    """Return the share of the question's information in names, if none of them occurs in the index.

    A question with a known name ("did Ana like Lisbon?") may be answered by what is said of that
    one. `missing`: the share of each of the `words` (`Coverage.missing`).
    """
    shares = dict(zip(words, missing, strict=True))
    names = names_of(question) & shares.keys() if any(missing) else set[str]()
    return sum(shares[name] for name in names) if all(shares[name] for name in names) else 0.0
