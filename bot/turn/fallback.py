"""Extractive fallback answer when no model is available: quotes with date and source. Pure. If a
model is set up but does not answer, the reason is included.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby, pairwise

from memory import Hit, Message
from memory.notes import strip_block_id, task
from memory.text import (
    STOP_WORDS,
    asking_words,
    clipped,
    day_and_time,
    has_question,
    is_question,
    mark,
    on_day,
    on_weekday,
    one_line,
    recognise_intent,
    share_beginning,
    small_talk_kind,
    split_sentences,
    terms,
    tr,
)

from ..prompt.format_notes import passage
from .events import Cite, Done, sources_line, without_forged_sources

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
LONGEST = 400  # characters of one quote

NOTHING = mark("I have nothing about that.")
KEPT = mark("Your message is kept, and can be searched.")
DISTANT = mark("I have nothing with these words. This comes nearest:")
WEAK = mark("Nothing fits well. This comes nearest:")
A_TASK = mark("A task")
TO_REMEMBER = mark("You asked me to remember")
REPEATED = 20  # extra characters around the same words ("Remembered: …") are not new content
ALL = 900  # characters of all quotes; the first one is always included
MOST_LISTED, ALL_LISTED = 20, 3_000  # the same of a list: what was said on a day, what is known
_STOPS = " .!…。！"  # around a text; they do not make it another one
_A_WEEK = 7  # days: within these, a weekday is unambiguous
_BULLET = re.compile(r"^\s*[-*]\s+(?:\d{4}-\d{2}-\d{2}: )?")
_ONLY_REMEMBERED = re.compile(r"remembered(?: \([^()]*\))?")
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
    about_oneself: bool = False,
    owner: str = "",
    is_kept: bool = True,
) -> Done:
    """Return the answer, with origin `recall`.

    `why`: the sentence that explains why no model answers; `nothing`: the answer when nothing fits;
    `about_oneself`: the question is about the one who asks, so the nearest may be what is meant;
    `owner`: what the answer calls the owner of the memory; "" for “you”. `is_kept`: the message was
    logged, which an incognito one is not.
    """
    if any(hit.is_of_period and hit.is_message for hit in hits):
        hits = [hit for hit in hits if hit.kind != "summary"]  # which only repeats them
    telling = list(_informative(hits, today))
    wanted = _words(question)
    asked = has_question(question)
    subjects = {word for word in wanted if asking_words(question).isdisjoint(word.split())}
    if asked:
        wanted = subjects or wanted
    least = 1 if asked else max(1, len(wanted) * STATED)
    listed = [hit for hit in telling if hit.is_of_period]  # it asks for a period, or the owner
    near = [hit for hit in telling if _shared(wanted, _words(_text(hit))) >= least]
    near = [
        hit
        for hit in near
        if not hit.weak or (hit.kind not in FOR_SAM and _fits_partly(_text(hit), question, wanted))
    ]
    for hit, behind in pairwise(telling):
        if behind in near and hit not in near and _replaces(hit, behind):
            near.insert(near.index(behind), hit)
    near = listed[:MOST_LISTED] or near[:MOST]
    names_a_thing = any(any(map(str.isalpha, word)) for word in wanted)  # "2 + 2" names none
    sure = [hit for hit in near if not hit.weak] if names_a_thing or listed else []
    distant = [hit for hit in telling if not hit.weak and len(terms(_bare(hit, today))) > SHORTEST]
    nearest = _nearest(telling, subjects, about_oneself=about_oneself) if asked else []
    chosen = sure or near or (distant[:MOST_DISTANT] if asked else []) or nearest
    if not chosen:
        kept = tr(KEPT) if why and is_kept else ""
        text = " ".join(filter(None, (why, nothing or (tr(NOTHING) if asked else ""), kept)))
        return Done(text, text, "recall")
    sources: dict[tuple[str, str], Cite] = {}
    quotes: list[_Quote] = []
    most = ALL_LISTED if listed else ALL
    for hit in chosen:
        is_replaced = hit.until is not None and _is_about(hit, hits, wanted)
        until = tr(" (until {until})", until=hit.until) if is_replaced else ""
        bare = _bare(hit, today)
        if hit.kind == "summary" and not hit.is_of_period:
            bare = _bullet(bare, wanted)
        quote = excerpt(bare, wanted) + until
        if quotes and sum(len(each.text) for each in quotes) + len(quote) > most:
            continue
        found = passage(hit, messages)
        title = _conversation(hit, messages) if hit.kind == "message" else found.title
        new = Cite(found.source, title, len(sources) + 1, hit.text)
        source = sources.setdefault((found.source, found.title), new)
        quotes.append(_Quote(_attribution(hit, messages, today, owner), quote, source))
    is_near = near or any(_shared(wanted, _words(_text(hit))) for hit in chosen)
    head = " ".join(filter(None, (why, "" if sure else tr(WEAK) if is_near else tr(DISTANT))))
    parts = _listed(quotes) if listed else map(_paragraph, quotes)
    plain, marked = zip(*parts, strict=True)
    left = len(chosen) - len(quotes)
    rest = tr("… and {left} more", left=left) if listed and left else ""
    text = "\n\n".join(filter(None, [head, *plain, rest]))
    shown = without_forged_sources("\n\n".join(filter(None, [head, *marked, rest])))
    line = sources_line([*sources.values()])
    return Done(text, f"{shown}\n\n{line}", "recall", tuple(sources.values()))


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
    return text, text + quote.source.mark


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
        marked = "\n".join(f"{item}{end}" for item, end in zip(items, ends, strict=True))
        yield "\n".join([f"{said}:", "", *items]), f"{said}{of_all}:\n\n{marked}"


def _nearest(telling: Sequence[Hit], subjects: set[str], *, about_oneself: bool) -> list[Hit]:
    """Return a hit that may well be what is meant, although it is weak: one of the best with a word
    of the question, or the best to a question about oneself: "what can't I eat?" shares no word
    with "I'm allergic to sesame"."""
    known = [hit for hit in telling if hit.role != "assistant" and hit.kind not in FOR_SAM]
    least = LIKELY if len(known) > FEW else LIKELY_OF_FEW
    if about_oneself and known and known[0].score >= least:
        return known[:1]
    long = {word for word in subjects if len(word) > SHORT and " " not in word}
    return [hit for hit in known[:BEST] if _shared(long, _words(_text(hit)))][:1]


def _replaces(hit: Hit, next_one: Hit) -> bool:
    """Return whether a hit corrects the one behind it: "make that 10:15, sorry" has no word of the
    question."""
    return hit.is_message and next_one.until is not None and next_one.until == hit.date


def _is_about(hit: Hit, hits: Sequence[Hit], wanted: set[str]) -> bool:
    """Return whether a replaced hit is about what is asked, or what replaced it.

    Search judges by likeness too, and this answer shows the end of a statement as a fact.
    """
    words = _words(hit.text)
    later = (each for each in hits if each.date == hit.until and each is not hit)
    return bool(_shared(wanted, words)) or any(_shared(_words(e.text), words) for e in later)


def _fits_partly(text: str, question: str, wanted: set[str]) -> bool:
    """Return whether a weak hit has most of the question's words, or one of its names.

    A single word like "know" or "time" is no reason to quote something.
    """
    found = _words(text)
    long = {word for word in wanted if len(word) > SHORT and " " not in word} or wanted
    if _shared(long, found) > len(long) * STATED:
        return True
    telling = (word for word in question.split()[1:] if word[0].isupper())
    return _shared(_words(" ".join(telling)), found) > 0


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


def _bullet(section: str, wanted: set[str]) -> str:
    """Return the bullet of a day's section with most of the words, the last of several: the summary
    above them may say the same. A section that has none of them is returned whole."""
    bullets = ["-" + each for each in re.split(r"^-(?= )", section, flags=re.M)[1:]]
    overlap = [_shared(wanted, _words(each)) for each in bullets]
    if len(bullets) < 2 or not (most := max(overlap)):
        return section
    return next(
        _BULLET.sub("", each).strip()
        for each, words in zip(reversed(bullets), reversed(overlap), strict=True)
        if words == most
    )


def _text(hit: Hit) -> str:
    """Return the text to look for the question's words in; to a note belong its headings."""
    return f"{hit.heading}\n{hit.text}" if hit.kind == "note" else hit.text


def _name(hit: Hit) -> str:
    """Return the name of a note with the last heading of the passage; of a day's, the heading."""
    below = [*filter(None, hit.section.split(" > "))]
    named = hit.heading.split(" > ")
    above = named[: len(named) - len(below)]
    return ", ".join([*above[-1:], *below[-1:]]) or hit.name


def _attribution(hit: Hit, messages: Mapping[int, Message], today: date, owner: str) -> str:
    """Return who said or wrote it, and when: "You said on Tuesday"."""
    day = said_on(hit.date, today) if hit.date else ""
    if not hit.is_message:
        return {
            "memory": tr("{who} asked me to remember", who=owner) if owner else tr(TO_REMEMBER),
            "task": tr(A_TASK),
            "summary": tr("Noted {day}", day=day).rstrip(),
        }.get(hit.kind, tr("In “{name}”", name=_name(hit)))
    message = messages.get(hit.message_ids[0]) if hit.message_ids else None
    if hit.role == "assistant":
        said = tr("I said {day}", day=day)
    elif message is None or message.origin == "owner":
        said = tr("{who} said {day}" if owner else "You said {day}", who=owner, day=day)
    elif message.origin == "file":
        named = message.author and not hit.text.startswith("[")  # the label of its beginning
        said = tr("In “{name}”", name=message.author) if named else tr("Sent {day}", day=day)
    else:
        said = tr("{who} wrote {day}", who=message.author or tr("Somebody else"), day=day)
    return said


def _conversation(hit: Hit, messages: Mapping[int, Message]) -> str:
    """Return the title of a message as a source, in the reader's language: that of a passage is
    written for models."""
    said = messages.get(hit.message_ids[0]) if hit.message_ids else None
    title = tr("Conversation of {day}", day=hit.date)
    if hit.role == "assistant":
        return f"{title}: Sam"
    is_owners = said is None or said.origin == "owner"
    return title if is_owners else f"{title}: {tr('Somebody else')}"


def said_on(day: date, today: date) -> str:
    """Return `today`, `on Tuesday`, `on 3 May`; with the year if it is not the current one."""
    if day == today:
        return tr("today")
    if day == today - timedelta(days=1):
        return tr("yesterday")
    if timedelta(0) < today - day < timedelta(days=_A_WEEK):
        return on_weekday(day)
    return on_day(day) + ("" if day.year == today.year else f" {day.year}")


def _bare(hit: Hit, today: date) -> str:
    """Return the text of a hit; lines of notes without Sam's marks, tasks without their fields."""
    if hit.is_message:
        return hit.text.strip()
    if hit.kind == "task" and (found := task.parse(f"- {hit.text.removeprefix('- ')}")):
        moment = found.at.time() if found.timed and found.at else None
        due = [day_and_time(found.day, moment, today)] if found.day else []
        return " · ".join([found.title, *due, *([tr("done")] if found.status == "x" else [])])
    rows = [
        strip_block_id(_LINK_TO_NOTE.sub("", row)).rstrip() for row in hit.dated_text.split("\n")
    ]
    if len(rows) == 1:
        return _BULLET.sub("", rows[0])
    return "\n".join(rows).strip()


def _informative(hits: Sequence[Hit], today: date) -> Iterator[Hit]:
    """Yield each text once, without earlier questions, requests and small talk.

    Lines that only repeat another are left out; a message of the owner's only if its words are the
    same, apart from a request to remember them.
    """
    seen: list[str] = []
    for hit in hits:
        bare, is_users = _bare(hit, today), hit.role == "user"
        text = " ".join((_remembered(bare) if is_users else bare).casefold().split()).strip(_STOPS)
        if hit.kind == "summary" and _ONLY_REMEMBERED.fullmatch(text):
            continue  # the line that it links to says what
        if is_users:
            repeats = text in seen
        else:
            repeats = any(each in text and len(text) - len(each) < REPEATED for each in seen)
        tells = not is_users or _tells(hit.text)
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
    if text.strip().endswith(("?", "？")) or small_talk_kind(text) is not None:
        return False
    intent = recognise_intent(text)
    if intent is not None and intent.kind in ("order", "recall"):
        return False
    return not all(is_question(e) or small_talk_kind(e) for e in split_sentences(text) or [""])


def _words(text: str) -> set[str]:
    return set(terms(text)) - STOP_WORDS


def _shared(wanted: set[str], others: set[str]) -> int:
    """Count the words that share a prefix with one of the others: `dog` and `dogs` match."""
    return sum(any(share_beginning(word, other) for other in others) for word in wanted)
