"""Ground a draft in its messages: bullets in the messages they cite, the summary line in all. Pure.

A bullet is kept only if it cites a message of the batch, its quote occurs in a cited one of these,
and its days, numbers and names occur in the cited messages or in those that they answer. The rest
of its wording is free, because a bullet paraphrases, and may be in another language. The summary
line cites no messages: its days, numbers and names may occur anywhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import tzinfo

from ..infra.clock import local_day
from ..knowledge.evidence.calendar_words import is_month_or_weekday
from ..knowledge.evidence.source_text import SourceText, quotes, unsupported_values, without_days
from ..log import Message
from ..text.clause_words import language_of
from ..text.grammar import has_german, may_be_noun
from ..text.sentences import split_sentences
from ..text.word_forms import folded, is_inflected, is_same_name, is_unspaced, words
from .draft import DraftBullet

_KNOWN = frozenset({"sam", "action", "goal", "done", "next"})
_SENTENCE = 5  # words
_COMPOUND = 4  # minimum letters of a word that may be part of another


@dataclass(frozen=True, slots=True)
class GroundedBullets:
    """The bullets that are grounded, and why others were refused: reason → count."""

    bullets: tuple[DraftBullet, ...]
    refused: Counter[str]


def grounded(
    bullets: Sequence[DraftBullet],
    messages: Sequence[Message],
    zone: tzinfo,
    *,
    first: int = 1,
    translated: bool = False,
) -> GroundedBullets:
    """Return the bullets that the messages support. `messages`: in the order in which the bullets
    number them from 1; from `first` on, those of the batch. `translated`: the bullets are in a
    chosen language, in which names may be spelled differently."""
    kept: list[DraftBullet] = []
    refused: Counter[str] = Counter()
    for bullet in bullets:
        if reason := _why_not(bullet, messages, zone, first=first, translated=translated):
            refused[reason] += 1
        else:
            kept.append(bullet)
    return GroundedBullets(tuple(kept), refused)


def ungrounded(
    summary: str, messages: Sequence[Message], zone: tzinfo, *, translated: bool = False
) -> str:
    """Return the kind of value in a summary line that has no source; "" if it is fully supported.
    The parameters are those of `grounded`."""
    return unsupported(summary, _evidence(messages, messages, zone), translated=translated)


def _why_not(
    bullet: DraftBullet, messages: Sequence[Message], zone: tzinfo, *, first: int, translated: bool
) -> str:
    """Return the kind of value in a bullet that has no source; "" if it is fully supported."""
    named = sorted({n for n in bullet.messages if 1 <= n <= len(messages)})
    if not named:
        return "message"
    quote = bullet.quote.strip() or bullet.text
    if not any(quotes(quote, _said(messages[n - 1])) for n in named if n >= first):
        return "quote"
    # With the previous message: "Yes, do that" means nothing on its own.
    rows = [messages[n - 1] for n in sorted({*named, *(n - 1 for n in named if n > 1)})]
    return unsupported(bullet.text, _evidence(rows, messages, zone), translated=translated)


def unsupported(text: str, evidence: SourceText, *, translated: bool = False) -> str:
    """Return which values of a line its sources do not support: `date`, `number`, `name`, or ""."""
    own = set(words(folded(text)))
    if reason := unsupported_values(
        text, evidence, known={word for word in own if not any(map(str.isdigit, word))}
    ):
        return reason
    if translated:
        return ""
    return "name" if any(_unsaid_names(without_days(text), evidence)) else ""


def _said(row: Message) -> str:
    return row.text if row.privacy == "normal" else ""


def _evidence(rows: Sequence[Message], messages: Sequence[Message], zone: tzinfo) -> SourceText:
    """Return the text of the rows, with the days that they mention or were sent on."""
    texts = [_said(row) for row in rows]
    days = [local_day(row.sent_at, zone) for row in rows]
    authors = tuple({row.author for row in messages if row.author})
    known = {*days, *SourceText(tuple(texts), tuple(days)).calendar.days}
    texts += [day.isoformat() for day in sorted(known)]
    days += sorted(known)
    return SourceText(tuple(texts), tuple(days), authors)


def _is_copied(text: str, evidence: SourceText) -> bool:
    """Return whether three of four words are the sources' own, and these are a sentence."""
    plain = words(folded(text))
    unsaid = sum(word not in evidence.words for word in plain)
    return len(plain) > _SENTENCE and unsaid <= max(1, len(plain) // 4)


def _is_german(text: str, evidence: SourceText) -> bool:
    """Return whether a line is German, or has German in it. One that no word tells has the language
    of its sources."""
    found = has_german(text)
    return language_of(" ".join(evidence.texts)).capitalises_nouns if found is None else found


def _unsaid_names(text: str, evidence: SourceText) -> Iterator[str]:
    """Yield the names in a line that its sources lack: capitalised words that do not start a
    sentence, or that are one by themselves behind another sentence. In German, likely nouns do not
    count, unless nearly everything else is copied from the sources."""
    parts = [words(part) for part in split_sentences(text)]
    is_german = _is_german(text, evidence) and not _is_copied(text, evidence)
    inside = [(part[:at], part[at]) for part in parts for at in range(1, len(part))]
    inside += [([], part[0]) for part in parts[1:] if len(part) == 1]
    for before, word in inside:
        plain = folded(word)
        if not any(map(str.isupper, word)) or is_unspaced(word) or len(plain) < 2:
            continue
        if plain in evidence.words or plain in _KNOWN or any(map(str.isdigit, plain)):
            continue
        if is_month_or_weekday(word):
            continue
        said = evidence.words
        if any(is_same_name(plain, each) or is_inflected(plain, each) for each in said):
            continue
        if len(plain) >= _COMPOUND and plain in evidence.squeezed:
            continue
        if not (is_german and may_be_noun(before, word, said)):
            yield word
