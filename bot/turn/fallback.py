"""Extractive fallback answer when no model is available: quotes with date and source. Pure. If a
model is set up but does not answer, the reason is included.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby, pairwise

from memory import Hit, Message
from memory.text import (
    asking_words,
    asks_for_notes,
    has_question,
    is_about_oneself,
    is_no,
    is_question,
    is_yes,
    mark,
    only_supposes,
    recognise_intent,
    small_talk_kind,
    split_sentences,
    terms,
    tr,
)
from memory.tools import Span, time_range

from ..prompt.format_notes import passage, readers_title
from .events import Cite, Done, sources_line, without_forged_sources
from .quotes import attribution, bare_text, count_shared, quoted_text, words_of

MOST = 5  # quotes; more would be a list, not an answer
MOST_DISTANT = 2  # quotes that share no word with the question
STATED = 0.5  # minimum share of a message's words in a quote; otherwise it is about something else
SHORTEST = 2  # words of a quote that shares none with the question
LIKELY, LIKELY_OF_FEW, FEW = 0.15, 0.12, 3
"""Minimum score of a weak hit that is shown as the nearest to a question about oneself; the second
one where at most FEW were found. Measured with 40 short statements in three languages and questions
that share no word with them: among twelve statements the right one is shown for 18 and a wrong one
for 10; of 40 questions without an answer, 6 get one. Of 21 such questions of the recall benchmark,
8 get the right one and 2 a wrong one."""
BEST = 3  # hits, of which one with a word of the question is shown as the nearest
FOR_SAM = ("soul", "agent", "skill")  # kinds: instructions, quoted only if they fit well
SHORT = 3  # characters; shorter words say little in most languages

NOTHING = mark("I have nothing about that.")
NOTHING_THEN = mark("I have nothing from that time.")
NO_MORE = mark("I have nothing more about that.")
KEPT = mark("Your message is kept, and can be searched.")
DISTANT = mark("I have nothing with these words. This comes nearest:")
WEAK = mark("Nothing fits well. This comes nearest:")
REPEATED = 20  # extra characters around the same words ("Remembered: …") are not new content
ALL = 900  # characters of all quotes; the first one is always included
ALL_LISTED = 3_000  # the same of a list: what was said on a day, what is known
_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")
_ALL_YEAR = 364  # days from the first to the last of a year
_STOPS = " .!…。！"  # around a text; they do not make it another one
_ONLY_REMEMBERED = re.compile(r"remembered(?: \([^()]*\))?")


@dataclass(frozen=True, slots=True)
class QuotingAnswer:
    """An answer, with origin `recall`, and the hits that it quotes."""

    done: Done
    hits: tuple[Hit, ...] = ()


def extract(
    question: str,
    hits: Sequence[Hit],
    messages: Mapping[int, Message],
    today: date,
    *,
    why: str = "",
    nothing: str = "",
    lacks: str = "",
    about_oneself: bool = False,
    spans: Sequence[Span] = (),
    owner: str = "",
    is_kept: bool = True,
    more: Sequence[Hit] = (),
    shown: Sequence[str] = (),
    again: bool = False,
) -> QuotingAnswer:
    """Return the answer, and what it quotes.

    `why`: the sentence that explains why no model answers, and `lacks`: what the search had to do
    without, which a question without a good answer says; both are shown and not logged. `nothing`:
    the answer when nothing fits; `about_oneself`: the question is about the one who asks, so the
    nearest may be what is meant; `spans`: the days that it asks for, if for nothing else, of which
    the nearest says nothing; `owner`: what the answer calls the owner of the memory; "" for “you”.
    `is_kept`: the message was logged, which an incognito one is not. `shown`: the texts of earlier
    answers to the same question; then the answer has the next hits, also of `more`, the less likely
    ones, or, with `again`, those of the last one.
    """
    asked = _Question.of(question)
    if any(hit.is_of_period and hit.is_message for hit in hits):
        hits = [hit for hit in hits if hit.kind != "summary"]  # which only repeats them
    every = list(_informative([*hits, *more], today))
    telling = [hit for hit in every if hit in hits]
    listed = [hit for hit in telling if hit.is_of_period]  # it asks for a period, or the owner
    if spans and not listed:
        telling = [hit for hit in telling if _is_about_time(hit, spans, today)]
        listed, nothing = telling[:MOST], tr(NOTHING_THEN)
    fitting = listed or _with_corrections(_fitting(telling, asked), telling)[:MOST]
    sure = [hit for hit in fitting if not hit.weak] if listed or asked.names_a_thing else []
    chosen = sure or fitting
    if not chosen and asked.asks:
        chosen = _distant(telling, today, about_oneself=about_oneself) or _nearest(
            telling, asked, about_oneself=about_oneself
        )
        chosen = _with_corrections(chosen, telling)
    if asked.asks and not only_supposes(question):  # "I would live in Rome" says nothing of a home
        chosen = sorted(chosen, key=lambda hit: hit.role == "user" and only_supposes(hit.text))
    lacking = tr("My memory: {failed}.", failed=lacks) if lacks and asked.asks and not sure else ""
    if not chosen:
        kept = tr(KEPT) if why and is_kept else ""
        text = _joined(" ", nothing or (tr(NOTHING) if asked.asks else ""), kept)
        return QuotingAnswer(
            Done(text, _joined("\n\n", _joined(" ", why, text), lacking), "recall")
        )
    texts = {hit: quoted_text(hit, hits, asked.words, today) for hit in every}
    room = ALL_LISTED if listed else ALL
    if shown and again:
        quoted = [hit for hit in every if _quotes(shown[-1], texts[hit])]
        quoted.sort(key=lambda hit: shown[-1].index(texts[hit]))
        left = []
    else:
        rest = [hit for hit in every if hit not in chosen and _is_next(hit, asked)] if shown else []
        waiting = [
            hit for hit in (*chosen, *rest) if not any(_quotes(each, texts[hit]) for each in shown)
        ]
        quoted = _first_of(waiting if listed or not shown else waiting[:MOST], texts, room)
        left = [hit for hit in waiting if hit not in quoted]
    if not quoted:
        return QuotingAnswer(Done(tr(NO_MORE), tr(NO_MORE), "recall"))
    sources: dict[tuple[str, str], Cite] = {}
    quotes = [
        _Quote(
            attribution(hit, messages, today, owner), texts[hit], _source(hit, messages, sources)
        )
        for hit in quoted
    ]
    has_words = fitting or any(asked.words_in(_text(hit)) for hit in chosen)
    head = "" if sure or (shown and not again) else tr(WEAK) if has_words else tr(DISTANT)
    plain, marked = zip(*_listed(quotes) if listed else map(_paragraph, quotes), strict=True)
    more_left = tr("… and {left} more", left=len(left)) if listed and left else ""
    head_shown = _joined(" ", why, head)
    shown = without_forged_sources(_joined("\n\n", head_shown, *marked, more_left, lacking))
    line = sources_line([*sources.values()])
    text = _joined("\n\n", head, *plain, more_left)
    done = Done(text, f"{shown}\n\n{line}", "recall", tuple(sources.values()))
    return QuotingAnswer(done, tuple(quoted))


def _first_of(hits: Sequence[Hit], texts: Mapping[Hit, str], room: int) -> list[Hit]:
    """Return the first hits whose texts have so many characters; always one, if there is one."""
    found = list[Hit]()
    for hit in hits:
        if found and len(texts[hit]) > room:
            continue
        room -= len(texts[hit])
        found.append(hit)
    return found


def _quotes(shown: str, text: str) -> bool:
    """Return whether an answer quotes a text, behind who said it or in a list."""
    return any(f"{before}{text}" in shown for before in (": ", ":\n\n", "\n- "))


def _is_next(hit: Hit, asked: _Question) -> bool:
    """Return whether a hit that does not answer a question may be shown when more is asked for."""
    return hit.kind not in FOR_SAM and (not hit.weak or bool(asked.words_in(_text(hit))))


def _joined(separator: str, *parts: str) -> str:
    return separator.join(filter(None, parts))


@dataclass(frozen=True, slots=True)
class _Question:
    """A message to answer. `words`: those to look for in quotes; `subjects`: its words without
    those that only ask, such as "when"."""

    text: str
    asks: bool
    words: set[str]
    subjects: set[str]

    @classmethod
    def of(cls, text: str) -> _Question:
        """Return the question in a message, which may also be a statement or a few words."""
        words, asking, asks = words_of(text), asking_words(text), has_question(text)
        subjects = {word for word in words if asking.isdisjoint(word.split())}
        return cls(text, asks, (subjects or words) if asks else words, subjects)

    @property
    def names_a_thing(self) -> bool:
        """Whether a word has a letter: "2 + 2" has none."""
        return any(any(map(str.isalpha, word)) for word in self.words)

    def words_in(self, text: str) -> int:
        """Count its words that occur in a text."""
        return count_shared(self.words, words_of(text))


def _is_about_time(hit: Hit, spans: Sequence[Span], today: date) -> bool:
    """Return whether a hit names a time that is one of the asked ones, as "yesterday" may, or
    "we leave on Saturday"; of a birthday, in any year; for a whole year, "2019: Porto"."""
    years = {str(first.year) for first, last in spans if (last - first).days >= _ALL_YEAR}
    if not years.isdisjoint(_YEAR.findall(hit.text)):
        return True
    said = hit.date or today
    found = [time_range(hit.text, said, is_coming=is_coming) for is_coming in (False, True)]
    named = [span for each in found if each for span in each.spans]
    days = {(begin.month, begin.day) for begin, end in named if begin == end}
    return any(
        (first <= end and begin <= last) or (first == last and (first.month, first.day) in days)
        for begin, end in named
        for first, last in spans
    )


def _fitting(telling: Sequence[Hit], asked: _Question) -> list[Hit]:
    """Return the hits with enough words of the question."""
    least = 1 if asked.asks else max(1, len(asked.words) * STATED)
    fitting = [
        hit
        for hit in telling
        if asked.words_in(_text(hit)) >= least
        and (not hit.weak or (hit.kind not in FOR_SAM and _fits_partly(_text(hit), asked)))
    ]
    return fitting


def _with_corrections(chosen: Sequence[Hit], telling: Sequence[Hit]) -> list[Hit]:
    """Return the hits with those that correct them before them, perhaps without a word of the
    question, and what a correction replaces behind it: "no, red" alone says little."""
    found = [*chosen]
    for hit, behind in reversed([*pairwise(telling)]):
        if (hit in found) == (behind in found) or not _replaces(hit, behind):
            continue
        if behind in found:
            found.insert(found.index(behind), hit)
        else:
            found.insert(found.index(hit) + 1, behind)
    return found


def _distant(telling: Sequence[Hit], today: date, *, about_oneself: bool) -> list[Hit]:
    """Return the best hits without a word of the question, apart from very short ones; but "I'm 34"
    may answer a question about oneself. A summary only repeats messages of its day."""
    said = {hit.date for hit in telling if hit.is_message}
    return [
        hit
        for hit in telling
        if not hit.weak
        and not (hit.kind == "summary" and hit.date in said)
        and (
            len(terms(bare_text(hit, today))) > SHORTEST
            or (about_oneself and hit.role == "user" and is_about_oneself(hit.text))
        )
    ][:MOST_DISTANT]


def _source(
    hit: Hit, messages: Mapping[int, Message], sources: dict[tuple[str, str], Cite]
) -> Cite:
    """Return the source of a hit; add it to `sources` if it is new."""
    found = passage(hit, messages)
    title = readers_title(found.title)
    new = Cite(found.source, title, len(sources) + 1, hit.text)
    return sources.setdefault((found.source, found.title), new)


@dataclass(frozen=True, slots=True)
class _Quote:
    """A quoted text, who said it and when ("You said on Tuesday"), and its source."""

    said: str
    text: str
    source: Cite


def _paragraph(quote: _Quote) -> tuple[str, str]:
    """Return a quote as a paragraph, without and with the mark of its source."""
    gap = "\n\n" if "\n" in quote.text else " "
    text = f"{quote.said}:{gap}{quote.text}"
    return text, _marked(text, quote.source.mark)


def _marked(text: str, mark: str) -> str:
    """Return a text with the mark of its source behind it; below it if it ends with a code block,
    whose last line must have nothing else."""
    return f"{text}\n\n{mark.lstrip()}" if text.endswith(("```", "~~~")) and mark else text + mark


def _listed(quotes: Iterable[_Quote]) -> Iterator[tuple[str, str]]:
    """Yield the quotes of each speaker and day, several as a list, without and with the marks of
    their sources: a single mark for those of one source."""
    for said, group in groupby(quotes, key=lambda quote: quote.said):
        rows = list(group)
        if len(rows) == 1:
            yield _paragraph(rows[0])
            continue
        marks = [row.source.mark for row in rows]
        of_all = marks[0] if len(set(marks)) == 1 else ""
        # Inside a list item, a line like Sam's own line of sources would not be recognised.
        items = [
            "- " + without_forged_sources(row.text).replace("\n", "\n  ").strip() for row in rows
        ]
        ends = [""] * len(rows) if of_all else marks
        marked = "\n".join(map(_marked, items, ends))
        yield "\n".join([f"{said}:", "", *items]), f"{said}{of_all}:\n\n{marked}"


def _nearest(telling: Sequence[Hit], asked: _Question, *, about_oneself: bool) -> list[Hit]:
    """Return a hit that may well be what is meant, although it is weak: one of the best with a word
    of the question, or the best to a question about oneself: "what can't I eat?" shares no word
    with "I'm allergic to sesame"."""
    known = [hit for hit in telling if hit.role != "assistant" and hit.kind not in FOR_SAM]
    least = LIKELY if len(known) > FEW else LIKELY_OF_FEW
    if about_oneself and known and known[0].score >= least:
        return known[:1]
    long = {word for word in asked.subjects if len(word) > SHORT and " " not in word}
    return [hit for hit in known[:BEST] if count_shared(long, words_of(_text(hit)))][:1]


def _replaces(hit: Hit, next_one: Hit) -> bool:
    """Return whether a hit corrects the one behind it, perhaps without a word of the question."""
    return hit.is_message and next_one.until is not None and next_one.until == hit.date


def _fits_partly(text: str, asked: _Question) -> bool:
    """Return whether a weak hit has most of the question's words, or one of its names.

    A single word like "know" or "time" is no reason to quote something.
    """
    found = words_of(text)
    long = {word for word in asked.words if len(word) > SHORT and " " not in word} or asked.words
    if count_shared(long, found) > len(long) * STATED:
        return True
    names = (word for word in asked.text.split()[1:] if word[0].isupper())
    return count_shared(words_of(" ".join(names)), found) > 0


def _text(hit: Hit) -> str:
    """Return the text to look for the question's words in; to a note belong its headings, and to a
    line what it replaced, which is in its heading."""
    has_heading = hit.kind in ("note", "memory", "fact")
    return f"{hit.heading}\n{hit.text}" if has_heading else hit.text


def _informative(hits: Sequence[Hit], today: date) -> Iterator[Hit]:
    """Yield each text once, without earlier questions, requests and small talk.

    Lines that only repeat another are left out; a message of the owner's only if its words are the
    same, apart from a request to remember them.
    """
    seen: list[str] = []
    for hit in hits:
        bare, is_users = bare_text(hit, today), hit.role == "user"
        text = " ".join((_remembered(bare) if is_users else bare).casefold().split()).strip(_STOPS)
        if hit.kind == "summary" and _ONLY_REMEMBERED.fullmatch(text):
            continue  # the line that it links to says what
        if is_users:
            repeats = text in seen
        else:
            repeats = any(each in text and len(text) - len(each) < REPEATED for each in seen)
        # What corrects the hit behind it may read like an apology to somebody: "sorry, York".
        tells = not is_users or hit.chunk_id < 0 or _tells(hit.text)
        if tells and not repeats:
            seen.append(text)
            yield hit


def _remembered(text: str) -> str:
    """Return what a request to remember asks for; other texts as they are."""
    intent = recognise_intent(text)
    if intent is None or intent.kind != "remember":
        return text
    return intent.words or text


def _tells(text: str) -> bool:
    """Return whether a message of the owner's is more than questions, a request or a greeting."""
    if text.strip().endswith(("?", "？")) or small_talk_kind(text) or asks_for_notes(text):
        return False
    intent = recognise_intent(text)
    if (intent is not None and intent.kind in ("order", "recall")) or is_yes(text) or is_no(text):
        return False
    return not all(is_question(e) or small_talk_kind(e) for e in split_sentences(text) or [""])
