"""Put the better of two adjacent messages first, if both were found. Pure.

The score of a single message cannot tell which of them is better. A message is embedded together
with the one that it continues, so both may be equally similar to the question. And if the question
was asked before, the earlier question shares its words, while the answer may not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from .evidence import FEATURES

if TYPE_CHECKING:
    from .candidates.query import Hit
    from .evidence import Evidence, QuestionFeatures

ADDS = 0.19
"""How much larger the `vector` feature of a message must be (0.19 is 0.75 standard deviations) than
that of the message it continues, to count as adding something. Chosen on seven people's
conversations that are not part of the benchmark."""
LIKELY = 0.5
"""Minimum score of the message that is continued, as a share of the score of the one after it."""
ASKS = 0.5
"""Sam's answer comes first if the share of the message that asks, or the probability that the
question asks for Sam's words, is at least this."""
_BEST = 3  # hits before which others are put
_COVER, _VECTOR, _ASKS = map(FEATURES.index, ("cover", "vector", "asks"))


def better_adjacent_first(
    hits: Sequence[Hit], evidence: Sequence[Evidence], asked: QuestionFeatures
) -> list[Hit]:
    """Return the hits, best first; each of the best few that is a message of the owner's may be
    preceded by an adjacent hit.

    That hit is the message that it continues without adding anything, or Sam's answer to it if the
    message asks something or the question asks for Sam's words. The one that comes first gets the
    better score.
    """
    features = {each.id: each.features for each in evidence}
    order = list(hits)
    for hit in hits[:_BEST]:
        if hit.is_message and hit.role == "user":
            better = _better(hits, hit, features, asked)
            if better is not None:
                _put_before(order, better, hit)
    return order


def _better(
    hits: Sequence[Hit], hit: Hit, features: Mapping[int, Sequence[float]], asked: QuestionFeatures
) -> Hit | None:
    """Return the hit that comes before a message of the owner's, if any."""
    own = features[hit.chunk_id]
    said, answer = _adjacent(hits, hit, -1), _adjacent(hits, hit, 1)
    if said is not None and asked.background is not None:
        of_one = (said.role, said.author) == (hit.role, hit.author)
        is_likely = said.score >= LIKELY * hit.score
        if of_one and is_likely and _adds_nothing(own, features[said.chunk_id]):
            return said
    asks = max(own[_ASKS], asked.sams_words) >= ASKS
    return answer if asks and answer is not None and answer.role == "assistant" else None


def _adjacent(hits: Sequence[Hit], hit: Hit, step: int) -> Hit | None:
    """Return the hit that is the next (1) or the previous (-1) message of that chat and day."""
    wanted = ((hit.message_ids[0] + step,), hit.chat, hit.date)
    found = (each for each in hits if (each.message_ids, each.chat, each.date) == wanted)
    return next(found, None)


def _adds_nothing(features: Sequence[float], continued: Sequence[float]) -> bool:
    """Return whether a message has fewer of the question's words than the one that it continues,
    and is hardly more similar to the question."""
    fewer = features[_COVER] < continued[_COVER]
    return fewer and features[_VECTOR] - continued[_VECTOR] < ADDS


def _put_before(order: list[Hit], first: Hit, second: Hit) -> None:
    places = {hit.chunk_id: place for place, hit in enumerate(order)}
    at, now_at = places[second.chunk_id], places[first.chunk_id]
    if at < now_at:
        hit = order.pop(now_at)
        order.insert(at, hit._replace(score=max(hit.score, order[at].score)))
