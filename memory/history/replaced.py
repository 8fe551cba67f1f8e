"""Mark outdated hits with the day until which they were true, and put what replaced them first.

Recall only compares the wording of passages (memory/search/newest/). For facts the log also has
the messages that each came from, and the line that replaced it. Outdated are then: those messages,
each line of a day's file with the words of the old fact, and each line that has another value for
the same subject than a current line, which the owner may have edited, or than a message that
mentions a change.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime

from ..knowledge.decide import has_other_value, restates, stated_changes
from ..knowledge.folder import KnowledgeFolder
from ..knowledge.notes import superseded_by
from ..log import Log
from ..log.knowledge.facts import FactRow
from ..notes import fact as facts
from ..notes.daily_note import is_summary
from ..notes.markdown import date_in, lines, plain
from ..search import Hit, Question, Recalled
from ..text.clause_words import asking_words
from ..text.grammar import SubjectAndValue
from ..text.tokenize import STOP_WORDS
from ..text.word_forms import folded, is_inflected, words
from ..vault import Vault
from .corrections import corrected_first

_ENDED = ("expired", "merged")
"""Reasons for which a fact is archived that say nothing against it."""
_MOST = 0.6  # share of the question's words that a line has
_NEARLY = 0.5
"""A line comes before a hit that has fewer of the question's words if it has this share of its
score."""
_SHORT = 25  # words of a message that says little else than its fact


@dataclass(frozen=True, slots=True)
class _Outdated:
    """A fact that was replaced or ended. `words`: its content words; `day`: the last day on which
    it was true; `sources`: the ids of its messages; `by`: the id of the line that replaced it, ""
    if it only ended."""

    words: frozenset[str]
    day: date
    sources: frozenset[int]
    by: str


@dataclass(slots=True)
class _Dates:
    """What is outdated in a hit: line number → day, and the texts that replaced it."""

    days: dict[int, date] = field(default_factory=dict)
    by: set[str] = field(default_factory=set)


async def mark_outdated(
    answers: Sequence[Recalled],
    questions: Sequence[Question],
    vault: Vault,
    source: Log,
    day_of: Callable[[datetime], date],
) -> list[Recalled]:
    """Return the answers with outdated hits marked: a hit of which all was replaced gets `until`,
    one of which some lines were replaced gets `past`.

    Unless the question names a period, which asks for what was true then, hits are also reordered:
    a current line moves before the hits that state what it replaced, and a line with most of the
    question's words before hits with fewer. `day_of`: the local day of a moment.
    """
    found, sources = list[Recalled](), dict[str, Mapping[str, Sequence[int]]]()
    for each, asked in zip(answers, questions, strict=True):
        is_of_any_time = asked.period is None
        ordered, corrected = await corrected_first(
            each.hits, asked, source, vault, moved=is_of_any_time, day_of=day_of
        )
        for path in {hit.path for hit in ordered if hit.kind == "summary"} - sources.keys():
            sources[path] = await source.batches.sources_of(path)
        hits, behind = await _with_dates(ordered, vault, source, corrected, sources)
        if is_of_any_time:
            hits = _before_chance(_current_first(hits, behind), asked.text)
        found.append(replace(each, hits=hits))
    return found


async def _with_dates(
    hits: Sequence[Hit],
    vault: Vault,
    source: Log,
    corrected: Mapping[int, date],
    sources: Mapping[str, Mapping[str, Sequence[int]]],
) -> tuple[list[Hit], Mapping[int, set[str]]]:
    """Return the hits, outdated ones marked, and by `chunk_id` the texts that replaced what a hit
    states.

    `corrected`: the days of corrections, by the ids of the messages that were corrected.
    `sources`: the ids of the messages of each line of the summaries' files, by path.
    """
    said = {id_ for hit in hits if hit.is_message for id_ in hit.message_ids}
    days = {hit.path for hit in hits if hit.kind == "summary"}
    said |= {id_ for path in days for ids in sources[path].values() for id_ in ids}
    rows = await source.facts.from_messages(said) if said else []
    old = await _replaced(rows, vault) if any(row.state == "archived" for row in rows) else {}
    names = {each.by for each in old.values()} - {""}
    named = [row for name in names if (row := await source.facts.by_id(name)) is not None]
    texts = {row.id: plain(row.text) for row in named}
    now = [(hit, plain(hit.text)) for hit in hits if hit.is_current and hit.until is None]
    edited = {plain(row.text): {*row.sources} for row in rows if row.state == "owners"}
    stated = [
        (hit.date, said)
        for hit in hits
        if hit.is_message and hit.role == "user" and hit.until is None and hit.date is not None
        for said in stated_changes(hit.text)
    ]
    found, behind = list[Hit](), dict[int, set[str]]()
    for hit in hits:
        if hit.kind == "summary":
            ids = {id_ for each in sources[hit.path].values() for id_ in each}
        else:
            ids = {*hit.message_ids} if hit.is_message else set()
        dates = _by_facts(hit, rows, old, ids, texts)
        if hit.kind == "summary":
            _by_corrections(hit, sources[hit.path], corrected, dates)
        _by_current_lines(hit, now, {text for text in edited if edited[text] & ids}, dates)
        _by_messages(hit, stated, dates)
        found.append(_marked(hit, dates))
        behind[hit.chunk_id] = dates.by
    return found, behind


async def _replaced(rows: Sequence[FactRow], vault: Vault) -> Mapping[str, _Outdated]:
    """Return those of the facts that were replaced or ended, by id."""
    archived = await KnowledgeFolder(vault).archived()
    found = {}
    for row in rows:
        if row.state != "archived" or row.id not in archived:
            continue
        fact = facts.parse(archived[row.id][1])
        day = date_in(fact.get("valid_to")) if fact is not None else None
        if fact is not None and day is not None and fact.get("reason") not in _ENDED:
            by = superseded_by(fact)
            found[row.id] = _Outdated(_content(fact.text), day, frozenset(row.sources), by)
    return found


def _content(text: str) -> frozenset[str]:
    return frozenset(word for word in words(folded(plain(text))) if word not in STOP_WORDS)


def _by_facts(
    hit: Hit,
    rows: Sequence[FactRow],
    old: Mapping[str, _Outdated],
    ids: set[int],
    texts: Mapping[str, str],
) -> _Dates:
    """Return the days of the lines of a hit that state replaced facts from its messages."""
    dates = _Dates()
    mine = [each for each in old.values() if each.sources & ids and _is_before(hit, each.day)]
    if not mine:
        return dates
    for number, row in enumerate(lines(hit.text)):
        said = _content(row)
        for each in mine:
            new = texts.get(each.by, "")
            if _has_all(said, each.words) and not (new and _has_all(said, _content(new))):
                dates.days[number] = max(each.day, dates.days.get(number, each.day))
                dates.by.add(new)
    is_short = hit.is_message and len(words(hit.text)) <= _SHORT
    if is_short and all(row.id in old for row in rows if ids & {*row.sources}):
        day = max(each.day for each in mine)  # its facts may be in other words
        dates.days |= {n: day for n, row in enumerate(lines(hit.text)) if row.strip()}
        dates.by |= {texts.get(each.by, "") for each in mine}
    dates.by.discard("")
    return dates


def _by_corrections(
    hit: Hit, sources: Mapping[str, Sequence[int]], corrected: Mapping[int, date], dates: _Dates
) -> None:
    """Add the days of the lines whose messages the owner has corrected soon after."""
    for number, row in enumerate(lines(hit.text)):
        ids = sources.get(row.removeprefix("- "), ())
        if ids and corrected.keys() >= {*ids}:
            dates.days[number] = max(corrected[id_] for id_ in ids)


def _by_current_lines(
    hit: Hit, now: Sequence[tuple[Hit, str]], edited: Collection[str], dates: _Dates
) -> None:
    """Add the days of the lines that have another value than a current line for the same subject.

    `edited`: the owner's versions of the facts from the same messages; they count as later than the
    hit, also on the same day.
    """
    for line, text in now:
        if line.date is None or hit.date is None or hit.date > line.date:
            continue
        if hit.date == line.date and text not in edited:
            continue
        for number, row in enumerate(lines(hit.text)):
            if restates(text, plain(row)):
                dates.days.setdefault(number, line.date)
                dates.by.add(text)


def _by_messages(hit: Hit, stated: Sequence[tuple[date, SubjectAndValue]], dates: _Dates) -> None:
    """Add the days of the lines for whose subject the owner later stated another value, even if no
    fact was made of that."""
    for day, said in stated:
        if hit.date is None or hit.date >= day:
            continue
        for number, row in enumerate(lines(hit.text)):
            if number in dates.days or said.subject[-1] not in folded(row):
                continue
            if has_other_value(plain(row), said):
                dates.days[number] = day


def _is_before(hit: Hit, day: date) -> bool:
    return hit.date is None or hit.date <= day


def _has_all(said: Iterable[str], of: Iterable[str]) -> bool:
    """Return whether `said` has all the words of `of`, in any form."""
    there = set(said)
    return all(
        word in there or any(not word.isdecimal() and is_inflected(word, each) for each in there)
        for word in of
    )


def _marked(hit: Hit, dates: _Dates) -> Hit:
    """Return the hit with `until` if all its lines are outdated, or with `past` if some are. The
    summary line of a section is outdated if all other lines are."""
    if hit.until is not None or not dates.days:
        return hit
    rows = lines(hit.text)
    telling = {n for n, row in enumerate(rows) if row.strip() and not row.startswith("#")}
    if telling - dates.days.keys() <= {n for n in telling if is_summary(rows[n])} < telling:
        return hit._replace(until=max(dates.days.values()))
    return hit._replace(past=tuple(sorted(dates.days.items())))


def _current_first(hits: Sequence[Hit], behind: Mapping[int, set[str]]) -> list[Hit]:
    """Return the hits with each current line before the first hit that states what it replaced."""
    order = list(hits)
    for line in [hit for hit in hits if hit.is_current]:
        text, at = plain(line.text), order.index(line)
        first = next(
            (
                n
                for n, hit in enumerate(order[:at])
                if any(by in text for by in behind[hit.chunk_id])
            ),
            at,
        )
        if first < at:
            order.insert(first, order.pop(at)._replace(score=max(line.score, order[first].score)))
    return order


def _before_chance(hits: Sequence[Hit], question: str) -> list[Hit]:
    """Move the best current line with most of the question's words before hits that have only some
    of these, and are hardly better: a message may have a word in common by chance. A line with all
    of them comes before hits with at most half, also with a low score: it may have no vector yet.
    The words with which it asks ("do you know my") do not count."""
    if not any(hit.is_current for hit in hits):
        return list(hits)
    asked, order = _content(question), list(hits)
    asked = asked - asking_words(question) or asked
    found = [asked & _content(hit.text) for hit in hits]
    for at, line in enumerate(hits):
        if not line.is_current or line.until is not None:
            continue
        if found[at] and len(found[at]) >= _MOST * len(asked):
            first, has_all = at, 1 < len(asked) == len(found[at])
            while (
                first
                and found[first - 1] < found[at]
                and (
                    line.score >= _NEARLY * hits[first - 1].score
                    or (has_all and 2 * len(found[first - 1]) <= len(asked))
                )
            ):
                first -= 1
            order.insert(first, order.pop(at)._replace(score=hits[first].score))
            break
    return order
