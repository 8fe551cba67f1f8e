"""Extractive summary without a model: the owner's most informative sentences.

Sentences are scored by rare words (within the batch), names, numbers and dates, and by words that
signal a decision, a preference or a plan. Questions, small talk, commands and code are left out. A
sentence that the owner corrected soon after has the right value. The section is marked as
extractive.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ..history.correction_rules import apply_correction, corrects
from ..history.corrections import FOLLOWING, corrections_among
from ..log import Message
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
_SUMMARY = 160  # characters of the summary line
_LONGEST = 400  # characters of a bullet; longer ones are cut at a word boundary
_TELLING = re.compile(
    r"\b(decid|prefer|always|never|remember|important|deadline|plan|must|need|birthday|allerg|"
    r"live|work|call|name|bought|book|meet|appointment|password|address|favou?rite|love|hate)",
    re.IGNORECASE,
)
_ACTION = re.compile(r"^(i (will|must|need to|have to|should)|todo|remind me|don't forget)\b", re.I)
_IN_BRACKETS = re.compile(r"\[[^\[\]\n]*\]")
"""What came with a message, such as `[picture]` or `[location: Graz]`; the owner did not say it."""
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


@dataclass(frozen=True, slots=True)
class _Sentence:
    """What the owner said. `messages`: the numbers of the messages that say it; `quote`: words of
    one of them, if the text has a correction in it."""

    text: str
    messages: tuple[int, ...]
    quote: str = ""


def extract(request: SummaryRequest) -> SummaryDraft:
    """Return a draft of quoted sentences; empty when there are none."""
    said = _sentences(request.messages)
    if not said:
        return SummaryDraft()
    words = [set(terms(each.text)) - STOP_WORDS for each in said]
    often = Counter(word for each in words for word in each)
    scores = [
        _score(sentence.text, each, often, len(said))
        for sentence, each in zip(said, words, strict=True)
    ]
    best = sorted(range(len(said)), key=lambda n: (-scores[n], n))
    chosen: dict[str, int] = {}
    for n in best:
        if len(chosen) < MOST_BULLETS and words[n]:
            chosen.setdefault(" ".join(said[n].text.lower().split()), n)
    kept = sorted(chosen.values())
    if not kept:
        return SummaryDraft()
    top = max(
        kept,
        key=lambda n: (
            not _IN_BRACKETS.fullmatch(said[n].text),
            len(said[n].text) <= _SUMMARY or not said[n].quote,  # no correction at its end is cut
            scores[n],
        ),
    )
    return SummaryDraft(
        summary=clipped(said[top].text, _SUMMARY),
        bullets=[
            DraftBullet(
                text=clipped(said[n].text, _LONGEST),
                messages=[*said[n].messages],
                quote=said[n].quote,
                action=bool(_ACTION.match(said[n].text)),
            )
            for n in kept
        ],
    )


def _sentences(messages: Sequence[Message]) -> list[_Sentence]:
    """Return the declarative sentences of the owner's open messages, as corrected soon after. What
    only corrects another message is no sentence of its own."""
    rows = {
        number: row._replace(text=own_part(row.text))
        for number, row in enumerate(messages, 1)
        if row.role == "user" and row.origin == "owner" and row.privacy == "normal"
    }
    said = {number: _statements(row.text) for number, row in rows.items()}
    corrections: dict[int, dict[int, str]] = {number: {} for number in rows}
    for number in reversed(rows):  # a correction is of the nearest message that it may be of
        following = {row.id: n for n, row in rows.items() if n > number and row.text}
        later = [rows[n] for n in following.values()][:FOLLOWING]
        for each in corrections_among(later, rows[number]) if said[number] else ():
            right, by = rows[number].text, following[each.id]
            part, rest = _correcting(each.text, right)
            rows[number] = rows[number]._replace(text=_corrected(right, part))
            rows[by] = each._replace(text=rest)
            corrections[number] |= {by: part, **corrections[by]}
    found = []
    for number, row in rows.items():
        for text in _statements(row.text):
            parts = corrections[number] if text not in said[number] else {}
            # The last one is in its message's own words: no other corrects it.
            found.append(_Sentence(text, (number, *parts), ["", *parts.values()][-1]))
    return found


def _correcting(text: str, old: str) -> tuple[str, str]:
    """Split a message that corrects another into the sentences that do so, and the rest."""
    sentences = split_sentences(text)
    part = [each for each in sentences if corrects(each, old, at_once=True)] or sentences
    return " ".join(part), "\n".join(each for each in sentences if each not in part)


def _corrected(text: str, correction: str) -> str:
    """Return a message with a correction applied. Where it is not clear what is wrong, it stands
    behind the last sentence that it may be of."""
    if right := apply_correction(correction, text):
        return right
    said = _statements(text)
    is_of = (each for each in reversed(said) if corrects(correction, each, at_once=True))
    wrong = next(is_of, said[-1])
    return text.replace(wrong, f"{wrong.rstrip(' .!')} – {correction}", 1)


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
