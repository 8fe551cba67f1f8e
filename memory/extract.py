"""The summary without a model: the owner's own sentences that tell most. Pure; invents nothing.

Sentences are scored by their rare words (within the batch), names, numbers and dates, and by words
that announce a decision, a preference or a plan. It is marked in the day's file as what it is.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass

from .foreign import own_part
from .prose import clipped
from .summarize import DraftBullet, SummaryDraft, SummaryRequest
from .words import STOP_WORDS, terms

MOST_BULLETS = 12
_SENTENCE = re.compile(r"(?<=[.!?…。！？])\s+|\n+")
_LONGEST = 400  # characters of a bullet; beyond, it is cut at a word
_QUESTION = re.compile(r"[?？]\s*$")
_TELLING = re.compile(
    r"\b(decid|prefer|always|never|remember|important|deadline|plan|must|need|birthday|allerg|"
    r"live|work|call|name|bought|book|meet|appointment|password|address|favou?rite|love|hate)",
    re.IGNORECASE,
)
_ACTION = re.compile(r"^(i (will|must|need to|have to|should)|todo|remind me|don't forget)\b", re.I)
_SPECIFIC = re.compile(r"\d|(?<=\s)[^\W\d_a-z]\w+")  # numbers and names inside a sentence


@dataclass(frozen=True, slots=True)
class Extract:
    """The extractive side of `Summarise`."""

    mark: str = "extracted without a model"

    async def __call__(self, request: SummaryRequest) -> SummaryDraft:
        """The best sentences of the user's own messages, in their order."""
        return extract(request)


def extract(request: SummaryRequest) -> SummaryDraft:
    """A draft made of sentences that were said; empty when nobody said any."""
    said = [
        (number, sentence.strip())
        for number, message in enumerate(request.messages, 1)
        if message.role == "user" and message.origin == "owner" and message.privacy == "normal"
        for sentence in _SENTENCE.split(own_part(message.text))
        if len(sentence.strip()) > 3 and not sentence.lstrip().startswith("/")
    ]
    if not said:
        return SummaryDraft()
    words = [set(terms(sentence)) - STOP_WORDS for _, sentence in said]
    often = Counter(word for each in words for word in each)
    scores = [
        _score(sentence, each, often, len(said))
        for (_, sentence), each in zip(said, words, strict=True)
    ]
    best = sorted(range(len(said)), key=lambda n: (-scores[n], n))
    chosen: dict[str, int] = {}
    for n in best:
        if len(chosen) < MOST_BULLETS and words[n]:
            chosen.setdefault(" ".join(said[n][1].lower().split()), n)
    kept = sorted(chosen.values())
    if not kept:
        return SummaryDraft()
    top = max(kept, key=lambda n: scores[n])
    return SummaryDraft(
        summary=clipped(said[top][1], 160),
        bullets=[
            DraftBullet(
                text=clipped(said[n][1], _LONGEST),
                messages=[said[n][0]],
                action=bool(_ACTION.match(said[n][1])),
            )
            for n in kept
        ],
    )


def _score(sentence: str, words: set[str], often: Counter[str], count: int) -> float:
    rare = sum(math.log(1 + count / often[word]) for word in words)
    telling = 1.5 if _TELLING.search(sentence) else 1.0
    specific = 1.0 + 0.2 * min(3, len(_SPECIFIC.findall(sentence)))
    asking = 0.4 if _QUESTION.search(sentence) else 1.0
    # By the root of the length: long sentences hold more, and are not better for it alone.
    return rare / math.sqrt(max(4, len(words))) * telling * specific * asking
