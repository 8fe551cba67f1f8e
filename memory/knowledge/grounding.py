"""Ground the facts that a model proposes in the owner's own words. Pure.

A fact is kept only if the messages that it cites are in the batch, at least one of them is the
owner's, its quote occurs in that one, and every number, date and name of its line occurs in the
owner's messages that it cites. Hallucinations have no such source.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta, tzinfo
from functools import cached_property

from ..infra.clock import local_day
from ..log import Message
from ..log.knowledge.candidates import FactCandidate
from ..notes.fact import RULE
from ..notes.kinds import MIN_RULE_CONFIDENCE
from ..notes.markdown import date_in
from ..text.humanize import one_line
from ..text.sanitize import own_part
from ..text.secrets import mask
from ..text.tokenize import STOP_WORDS
from ..text.word_forms import (
    folded,
    is_inflected,
    is_same_name,
    is_unspaced,
    normal_form,
    squeezed,
    words,
)
from . import calendar_words
from .calendar_words import CalendarWords
from .draft import FILES, DraftFact
from .misreading import misread

LONGEST = 300  # characters of a fact
CONTEXTUAL_DAYS = 30  # the lifetime of contextual facts without a stated end
LONGEST_LIFE = timedelta(days=3 * 366)  # the latest accepted `expires`
LEAST_CONFIDENCE = 0.5
_LEAST_SHARE = 1 / 3  # minimum share of a fact's words, in any form, that occur in its sources

_ELISION = re.compile(r"…|\.\.\.|\[…\]")
_PARTS = re.compile("[\u30a1-\u30fa\u30fc]{2,}|[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]{2,}")
"""Names and terms in Japanese or Chinese text: runs of katakana or of Chinese characters."""
_FRAMES = "予定 好物 苦手 在住 勤務 家族 名前 趣味 仕事 出身 希望 住在 喜欢 工作"
_FRAMING = frozenset(_FRAMES.split())
_CASELESS = re.compile("[\u0590-\u08ff\u0900-\u0dff\uac00-\ud7a3\u10d0-\u10ff\u1200-\u137f]")

# Capitalised words that commonly begin a fact, by language, and are not names.
_BEGINNINGS = """
owner user lives works likes loves hates dislikes prefers has had is was wants needs plans speaks
studies owns drives plays allergic avoids always never usually born married moved started bought
enjoys uses takes eats drinks goes gets wakes sleeps trains learns reads does cannot can favourite
favorite birthday wife husband partner son daughter mother father sister brother dog cat friend boss
colleague appointment flight trip meeting deadline rent called named answer reply write use
wohnt lebt arbeitet mag liebt hasst hat ist war will möchte braucht plant spricht studiert besitzt
fährt spielt vermeidet immer nie geboren verheiratet zieht trinkt isst lernt heißt bevorzugt
allergisch vegetarier veganer geburtstag frau mann tochter sohn mutter vater schwester bruder hund
katze freund chef kollegin kollege termin flug reise miete
habite vit travaille aime adore déteste préfère a est veut doit parle étudie possède conduit joue
évite toujours jamais né née mange boit apprend allergique végétarien végétarienne
vive trabaja gusta ama odia prefiere tiene es quiere necesita habla estudia conduce juega evita
siempre nunca nació come bebe aprende alérgico alérgica le
abita lavora piace preferisce ha è vuole guida gioca sempre mai nato nata mangia beve impara
allergico allergica mora trabalha gosta prefere tem quer fala estuda dirige joga nasceu
woont werkt houdt haat heeft wil spreekt speelt nooit altijd eet drinkt
mieszka pracuje lubi kocha nienawidzi woli ma jest chce mówi gra nigdy zawsze urodził
живет живёт работает любит ненавидит предпочитает есть хочет говорит учит играет никогда всегда
родился родилась ест пьет"""
_OPENERS = frozenset(words(folded(_BEGINNINGS)))


@dataclass(frozen=True, slots=True)
class Grounded:
    """The facts that are grounded, and why others were refused: reason → count."""

    facts: tuple[FactCandidate, ...]
    refused: Counter[str]


@dataclass(frozen=True)
class SourceText:
    """The owner's own words in some messages, and the days of these."""

    texts: tuple[str, ...]
    days: tuple[date, ...]
    authors: tuple[str, ...] = ()

    @cached_property
    def words(self) -> frozenset[str]:
        """Return the folded words, including the speakers' names."""
        return frozenset(w for text in (*self.texts, *self.authors) for w in words(folded(text)))

    @cached_property
    def squeezed(self) -> str:
        """Return all letters and digits without spaces, for scripts that use none."""
        return " ".join(map(squeezed, self.texts))

    @cached_property
    def calendar(self) -> CalendarWords:
        """Return the numbers and dates in the texts."""
        pairs = zip(self.texts, self.days, strict=True)
        return calendar_words.joined(calendar_words.read(text, day) for text, day in pairs)


def ground(proposed: Sequence[DraftFact], messages: Sequence[Message], zone: tzinfo) -> Grounded:
    """Return the proposed facts that the batch's messages support, each only once.

    `messages`: the batch's, in the order in which the facts number them from 1.
    """
    found: dict[str, FactCandidate] = {}
    refused: Counter[str] = Counter()
    authors = {row.author for row in messages if _is_owners(row) and row.author}
    for draft in proposed:
        numbers = dict.fromkeys(draft.messages)
        named = [messages[n - 1] for n in numbers if 1 <= n <= len(messages)]
        if not named or len(named) < len(numbers):
            refused["message"] += 1
            continue
        own = [row for row in named if _is_owners(row)]
        evidence = SourceText(
            tuple(own_part(row.text) for row in own),
            tuple(local_day(row.sent_at, zone) for row in own),
            tuple({row.author for row in own if row.author}),
        )
        if reason := unsupported_in(draft, evidence) or _nobodys(draft.text, authors):
            refused[reason] += 1
            continue
        made = _candidate(draft, evidence, tuple(row.id for row in own))
        form = normal_form(made.text)
        if (known := found.get(form)) is not None:
            made = replace(known, sources=tuple(sorted({*known.sources, *made.sources})))
        found[form] = made
    return Grounded(tuple(found.values()), refused)


def _nobodys(text: str, authors: Collection[str]) -> str:
    """Return "author" for a fact from a group that does not state whom it is about."""
    if len(authors) < 2:
        return ""
    said = words(folded(text))
    named = (word for author in authors for word in words(folded(author)))
    return "" if any(is_same_name(name, word) for name in named for word in said) else "author"


def unsupported_in(draft: DraftFact, evidence: SourceText) -> str:
    """Return the kind of value in a fact that has no source; "" if it is fully supported."""
    text = one_line(draft.text)
    if draft.category not in FILES or not 0 < len(text) <= LONGEST or mask(text) != text:
        return "form"
    least = MIN_RULE_CONFIDENCE if draft.category == RULE else LEAST_CONFIDENCE
    if not least <= draft.confidence <= 1:
        return "confidence"
    if not evidence.texts:
        return "speaker"
    if not any(quotes(draft.quote, said) for said in evidence.texts):
        return "quote"
    is_goal = draft.category in ("task", RULE)
    return unsupported_kind(text, evidence) or misread(
        text, evidence.texts, authors=evidence.authors, is_goal=is_goal
    )


def unsupported_kind(text: str, evidence: SourceText) -> str:
    """Return the kind of content in a line that has no source: `date`, `number`, `name`, `words`,
    or ""."""
    rest = without_days(text)
    return (
        unsupported_values(text, evidence, known=evidence.words)
        or ("name" if any(_unsaid_names(rest, evidence)) else "")
        or ("" if _is_about(rest, evidence) else "words")
    )


def unsupported_values(text: str, evidence: SourceText, *, known: Collection[str]) -> str:
    """Return which of a line's days and numbers its sources do not support: `date`, `number`, or
    "". Words in `known` are not taken as numbers."""
    if not all(evidence.calendar.names_day(day) for day in calendar_words.iso_days(text)):
        return "date"
    rest = calendar_words.ISO_DAY.sub(" ", text)
    months = [(int(y), int(m)) for y, m in calendar_words.ISO_MONTH.findall(rest)]
    if not all(evidence.calendar.names_month(*each) for each in months):
        return "date"
    rest = without_days(text)
    return _unsaid_time(rest, evidence) or (
        "number" if any(_unsaid_numbers(rest, evidence, known)) else ""
    )


def without_days(text: str) -> str:
    """Return the text without days and months in digits."""
    return calendar_words.ISO_MONTH.sub(" ", calendar_words.ISO_DAY.sub(" ", text))


def _candidate(draft: DraftFact, evidence: SourceText, ids: tuple[int, ...]) -> FactCandidate:
    text = one_line(draft.text).rstrip(".。 ") or one_line(draft.text)
    day = max(evidence.days)
    expires = date_in(draft.expires)
    if expires is not None and not (
        day < expires <= day + LONGEST_LIFE and _names_end(evidence.calendar, expires)
    ):
        expires = None
    if draft.category == "contextual" and expires is None:
        expires = day + timedelta(days=CONTEXTUAL_DAYS)
    if draft.category == RULE:
        expires = None
    return FactCandidate(
        category=draft.category,
        text=text[:1].upper() + text[1:],
        sources=ids,
        day=day,
        expires=expires,
        confidence=round(draft.confidence, 2),
    )


def _names_end(said: CalendarWords, expires: date) -> bool:
    """Return whether the sources mention the end date, or the day before it."""
    last = expires - timedelta(days=1)
    ends = {end for _, end in said.weeks}
    return said.names_day(expires) or said.names_day(last) or bool({expires, last} & ends)


def _is_owners(row: Message) -> bool:
    return (
        row.role == "user"
        and row.origin == "owner"
        and row.privacy == "normal"
        and bool(own_part(row.text).strip())
    )


def quotes(quote: str, said: str) -> bool:
    """Return whether the words of every part of the quotation occur in a text."""
    parts = [part for part in _ELISION.split(quote) if part.strip()]
    if not parts:
        return False
    if is_unspaced(said):
        source = squeezed(said)
        found = [squeezed(part) for part in parts]
        return all(found) and max(map(len, found)) >= 2 and all(part in source for part in found)
    source = f" {' '.join(words(folded(said)))} "
    spoken = [words(folded(part)) for part in parts]
    if not all(f" {' '.join(part)} " in source for part in spoken if part):
        return False
    every = [word for part in spoken for word in part]
    return any(word not in STOP_WORDS for word in every) or (
        bool(every) and " ".join(every) == source.strip()
    )


def _unsaid_time(text: str, evidence: SourceText) -> str:
    """Return "date" for a month or weekday that the sources do not mention."""
    said = evidence.calendar
    for number, word in enumerate(words(text)):
        plain = folded(word)
        capital = word[:1].isupper() and number > 0
        if plain in evidence.words:
            continue
        months = calendar_words.month_of(word, has_capital=capital)
        weekdays = calendar_words.weekday_of(word, has_capital=capital)
        if (months and not months & said.months) or (
            not months and weekdays and not weekdays & said.weekdays
        ):
            return "date"
    return ""


def _unsaid_numbers(text: str, evidence: SourceText, known: Collection[str]) -> Iterator[str]:
    """Yield the numbers of a line that do not occur in its sources."""
    said = evidence.calendar
    dated = bool(said.months) and any(
        calendar_words.month_of(word, has_capital=word[:1].isupper()) for word in words(text)
    )
    for number in calendar_words.stated_numbers(text, known=known):
        if number in said.numbers:
            continue
        is_year = number.isdecimal() and len(number) == 4
        if not (is_year and dated and said.may_mean_year(int(number))):
            yield number


def _unsaid_names(text: str, evidence: SourceText) -> Iterator[str]:
    """Yield the names of a line that do not occur in its sources. Names are capitalised words; in
    scripts without capitals, all content words."""
    for part in _PARTS.findall(text):
        if part not in _FRAMING and squeezed(part) not in evidence.squeezed:
            yield part
    for number, word in enumerate(words(text)):
        plain = folded(word)
        if is_unspaced(word) or plain in evidence.words or plain.isdecimal():
            continue
        if _CASELESS.search(word):
            if len(plain) > 2 and not any(_is_near(plain, said) for said in evidence.words):
                yield word
        elif any(map(str.isupper, word)):
            if any(is_same_name(plain, said) for said in evidence.words):
                continue
            if calendar_words.is_month_or_weekday(word):  # checked separately
                continue
            is_opener = number == 0 and (
                plain in _OPENERS
                or plain in STOP_WORDS
                or any(is_inflected(plain, said) for said in evidence.words)
            )
            if not is_opener:
                yield word


def _is_near(word: str, said: str) -> bool:
    """Compare words of a script without capitals, ignoring attached particles."""
    if is_inflected(word, said):
        return True
    if min(len(word), len(said)) < 3:
        return len(said) > 1 and said in word
    # Arabic verbs change their first letter ("I live", "he lives"), Korean nouns their ending.
    return word[:2] == said[:2] or said in word or word in said or word[1:] == said[1:]


def _is_about(text: str, evidence: SourceText) -> bool:
    """Return whether enough of a line's words occur in its sources, in any form."""
    if is_unspaced(text):
        plain = "".join(w for w in words(folded(text)) if is_unspaced(w))
        pairs = [plain[at : at + 2] for at in range(len(plain) - 1)] or [plain]
        return 3 * sum(pair in evidence.squeezed for pair in pairs) >= len(pairs)
    telling = [w for w in words(folded(text)) if w not in STOP_WORDS and not w.isdecimal()]
    if not telling:
        return bool(words(text))
    said = evidence.words
    found = sum(word in said or any(is_inflected(word, w) for w in said) for word in telling)
    return found >= _LEAST_SHARE * len(telling)
