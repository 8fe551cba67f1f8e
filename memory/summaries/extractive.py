"""Extractive summary without a model: the owner's most informative sentences.

Sentences are scored by rare words (within the batch), names, numbers and dates, and by words that
signal a decision, a preference or a plan. Questions, small talk, commands and code are left out.
The section is marked as extractive.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass

from ..notes.markdown import fenced
from ..text.humanize import clipped
from ..text.intents import recognise_intent, small_talk_kind
from ..text.sanitize import own_part
from ..text.secrets import CARD, KEY, PASSWORD
from ..text.sentences import is_command, is_question, split_sentences
from ..text.small_talk import is_small_talk
from ..text.tokenize import STOP_WORDS, terms
from .draft import DraftBullet, SummaryDraft, SummaryRequest

MOST_BULLETS = 12
_SHORTEST = 3  # minimum characters of a sentence
_LONGEST = 400  # characters of a bullet; longer ones are cut at a word boundary
_TELLING = re.compile(
    r"\b(decid|prefer|always|never|remember|important|deadline|plan|must|need|birthday|allerg|"
    r"live|work|call|name|bought|book|meet|appointment|password|address|favou?rite|love|hate)",
    re.IGNORECASE,
)
_ACTION = re.compile(r"^(i (will|must|need to|have to|should)|todo|remind me|don't forget)\b", re.I)
_MASKED = re.compile("|".join(map(re.escape, (KEY, CARD, PASSWORD))))
_BESIDE_SECRET = 22  # letters: with fewer a sentence only says what the secret opens
_INSIDE = re.compile(r"\d|(?<=\s)[^\W\d_]\w+")


@dataclass(frozen=True, slots=True)
class Extract:
    """The extractive implementation of `Summarise`."""

    mark: str = "extracted without a model"

    async def __call__(self, request: SummaryRequest) -> SummaryDraft:
        """Return the best sentences of the user's own messages, in their order."""
        return extract(request)


def extract(request: SummaryRequest) -> SummaryDraft:
    """Return a draft of quoted sentences; empty when there are none."""
    said = [
        (number, sentence)
        for number, message in enumerate(request.messages, 1)
        if message.role == "user" and message.origin == "owner" and message.privacy == "normal"
        for sentence in _statements(own_part(message.text))
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


def _statements(text: str) -> list[str]:
    """Return the declarative sentences of a message."""
    if is_command(text):
        return []
    rows = text.split("\n")
    prose = "\n".join(row for row, is_code in zip(rows, fenced(rows), strict=True) if not is_code)
    return [
        sentence
        for sentence in split_sentences(prose)
        if len(sentence) > _SHORTEST
        and not (is_question(sentence) or is_small_talk(sentence) or is_command(sentence))
        and not _is_for_sam(sentence)
        and not _is_only_secret(sentence)
    ]


def _is_for_sam(sentence: str) -> bool:
    """Return whether it only asks a model for something ("Write me a poem"), or says that an answer
    is wrong."""
    intent = recognise_intent(sentence)
    return (intent is not None and intent.kind == "order") or small_talk_kind(sentence) is not None


def _is_only_secret(sentence: str) -> bool:
    """Return whether it says hardly more than a masked secret: "My PIN is (a password, masked)"."""
    rest = _MASKED.sub(" ", sentence)
    return rest != sentence and sum(map(str.isalpha, rest)) < _BESIDE_SECRET


def _score(sentence: str, words: set[str], often: Counter[str], count: int) -> float:
    rare = sum(math.log(1 + count / often[word]) for word in words)
    telling = 1.5 if _TELLING.search(sentence) else 1.0
    # Digits and names; a capital at the start of a sentence does not count.
    first = (found[0][0] for found in _INSIDE.finditer(sentence))
    specific = sum(letter.isupper() or letter.isdigit() for letter in first)
    # Divided by the root of the length, because long sentences have more words without being
    # better.
    return rare / math.sqrt(max(4, len(words))) * telling * (1.0 + 0.2 * min(3, specific))
