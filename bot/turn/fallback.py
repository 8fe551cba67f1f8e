"""Extractive fallback answer when no model is available: quotes with date and source. Pure. If a
model is set up but does not answer, the reason is included.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta

from memory import Hit, Message
from memory.notes import strip_block_id
from memory.text import (
    STOP_WORDS,
    clipped,
    has_question,
    mark,
    on_day,
    on_weekday,
    one_line,
    split_sentences,
    terms,
    tr,
)

from ..prompt.note_view import passage
from .events import Cite, Done, sources_line, without_forged_sources

MOST = 5  # quotes; more would be a list, not an answer
MOST_DISTANT = 2  # quotes that share no word with the question
STATED = 0.5  # minimum share of a message's words in a quote; otherwise it is about something else
LONGEST = 400  # characters of one quote

NOTHING = mark("I have nothing about that.")
KEPT = mark("Your message is kept, and can be searched.")
DISTANT = mark("I have nothing with these words. This comes nearest:")
WEAK = mark("Nothing fits well. This comes nearest:")
REPEATED = 20  # extra characters around the same words ("Remembered: …") are not new content
ALL = 900  # characters of all quotes; the first one is always included
_A_WEEK = 7  # days: within these, a weekday is unambiguous
_BULLET = re.compile(r"^\s*[-*]\s+(?:\d{4}-\d{2}-\d{2}: )?")
_LINK_TO_NOTE = re.compile(
    r"\[\[[^\[\]\n#]{1,200}#\^[a-z0-9-]{1,40}\]\]"
)  # a link to a line, as Sam writes it


def answer(
    question: str,
    hits: Sequence[Hit],
    messages: Mapping[int, Message],
    today: date,
    *,
    why: str = "",
    nothing: str = "",
    owner: str = "",
) -> Done:
    """Return the answer, with origin `recall`.

    `why`: the sentence that explains why no model answers; `nothing`: the answer when nothing fits;
    `owner`: what the answer calls the owner of the memory; "" for “you”.
    """
    telling = list(_informative(hits))
    wanted = _words(question)
    asked = has_question(question)
    least = 1 if asked else max(1, len(wanted) * STATED)
    listed = [hit for hit in telling if hit.is_of_period]  # it asks only for a period
    near = [hit for hit in telling if _shared(wanted, _words(hit.text)) >= least]
    near = (listed or near)[:MOST]
    sure = [hit for hit in near if not hit.weak]
    chosen = sure or near or telling[: MOST_DISTANT if asked else 0]
    if not chosen:
        text = " ".join(
            filter(None, (why, nothing or (tr(NOTHING) if asked else ""), why and tr(KEPT)))
        )
        return Done(text, text, "recall")
    sources: dict[tuple[str, str], Cite] = {}
    quotes: list[tuple[str, Cite]] = []
    for hit in chosen:
        until = tr(" (until {until})", until=hit.until) if hit.until else ""
        quote = excerpt(_bare(hit), wanted) + until
        if quotes and sum(len(each) for each, _ in quotes) + len(quote) > ALL:
            continue
        found = passage(hit, messages)
        new = Cite(found.source, found.title, len(sources) + 1, hit.text)
        source = sources.setdefault((found.source, found.title), new)
        gap = "\n\n" if "\n" in quote else " "
        quotes.append((f"{_attribution(hit, messages, today, owner)}:{gap}{quote}", source))
    head = " ".join(filter(None, (why, "" if sure else tr(WEAK) if near else tr(DISTANT))))
    text = "\n\n".join(filter(None, [head, *(quote for quote, _ in quotes)]))
    marked = [f"{quote}{source.mark}" for quote, source in quotes]
    shown = without_forged_sources("\n\n".join(filter(None, [head, *marked])))
    line = sources_line([*sources.values()])
    return Done(text, f"{shown}\n\n{line}", "recall", tuple(sources.values()))


def excerpt(text: str, wanted: set[str]) -> str:
    """Return a text; if it is long, only the sentences around the one with most of the words.

    Line breaks are kept; an ellipsis marks omissions.
    """
    text = text.strip()
    if len(text) <= LONGEST:
        return text
    places: list[tuple[int, int]] = []
    for sentence in split_sentences(text):
        start = text.find(sentence, places[-1][1] if places else 0)
        places.append((start, start + len(sentence)))
    overlap = [_shared(wanted, _words(text[start:end])) for start, end in places]
    first = last = max(range(len(places)), key=lambda n: overlap[n])
    while True:
        if last + 1 < len(places) and places[last + 1][1] - places[first][0] <= LONGEST:
            last += 1
        elif first and places[last][1] - places[first - 1][0] <= LONGEST:
            first -= 1
        else:
            break
    kept = text[places[first][0] : places[last][1]]
    if len(kept) > LONGEST or kept.count("```") % 2:  # an incomplete code block
        return clipped(one_line(kept.replace("```", "")), LONGEST)
    before, after = "… " if first else "", " …" if last + 1 < len(places) else ""
    return f"{before}{kept}{after}"


def _attribution(hit: Hit, messages: Mapping[int, Message], today: date, owner: str) -> str:
    """Return who said or wrote it, and when: "You said on Tuesday"."""
    day = _day(hit.date, today) if hit.date else ""
    if not hit.is_message:
        name = hit.heading.rpartition(" > ")[2] or hit.path.rpartition("/")[2].removesuffix(".md")
        return {
            "memory": tr(
                "{who} asked me to remember" if owner else "You asked me to remember", who=owner
            ),
            "task": tr("A task"),
            "summary": tr("I summed up {day}", day=day).rstrip(),
        }.get(hit.kind, tr("In “{name}”", name=name))
    message = messages.get(hit.message_ids[0]) if hit.message_ids else None
    if hit.role == "assistant":
        said = tr("I said {day}", day=day)
    elif message is None or message.origin == "owner":
        said = tr("{who} said {day}" if owner else "You said {day}", who=owner, day=day)
    else:
        said = tr("{who} wrote {day}", who=message.author or tr("Somebody else"), day=day)
    return said


def _day(day: date, today: date) -> str:
    """Return `today`, `on Tuesday`, `on 3 May`; with the year if it is not the current one."""
    if day == today:
        return tr("today")
    if day == today - timedelta(days=1):
        return tr("yesterday")
    if timedelta(0) < today - day < timedelta(days=_A_WEEK):
        return on_weekday(day)
    return on_day(day) + ("" if day.year == today.year else f" {day.year}")


def _bare(hit: Hit) -> str:
    """Return the text of a hit; lines of notes without Sam's marks."""
    if hit.is_message:
        return hit.text.strip()
    rows = [strip_block_id(_LINK_TO_NOTE.sub("", row)).rstrip() for row in hit.text.split("\n")]
    if len(rows) == 1:
        return _BULLET.sub("", rows[0])
    return "\n".join(rows).strip()


def _informative(hits: Sequence[Hit]) -> Iterator[Hit]:
    """Yield each text once, without earlier questions, and without lines that only repeat
    another."""
    seen: list[str] = []
    for hit in hits:
        text = " ".join(_bare(hit).split()).casefold()
        is_question = hit.role == "user" and text.endswith(("?", "？"))
        repeats = any(each in text and len(text) - len(each) < REPEATED for each in seen)
        if not repeats and not is_question:
            seen.append(text)
            yield hit


def _words(text: str) -> set[str]:
    return set(terms(text)) - STOP_WORDS


def _shared(wanted: set[str], others: set[str]) -> int:
    """Count the words that share a prefix with one of the others: `dog` and `dogs` match."""
    return sum(any(_alike(word, other) for other in others) for word in wanted)


def _alike(one: str, other: str) -> bool:
    if min(len(one), len(other)) <= 2:
        return one == other
    return one.startswith(other) or other.startswith(one)
