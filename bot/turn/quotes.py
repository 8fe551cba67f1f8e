"""Quotes of what was found: their text, and who said it when. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from memory import Hit, Message
from memory.notes import strip_block_id, task
from memory.text import (
    STOP_WORDS,
    clipped,
    day_and_time,
    mark,
    on_day,
    on_weekday,
    one_line,
    share_beginning,
    split_sentences,
    terms,
    tr,
)

LONGEST = 400  # characters of one quote
A_TASK = mark("A task")
TO_REMEMBER = mark("You asked me to remember")
_A_WEEK = 7  # days: within these, a weekday is unambiguous
_BULLET = re.compile(r"^\s*[-*]\s+(?:\d{4}-\d{2}-\d{2}: )?")
_LINK_TO_NOTE = re.compile(r"\[\[[^\[\]\n#]{1,200}#\^[a-z0-9-]{1,40}\]\]")
"""A link to a line, as Sam writes it."""


def quoted_text(hit: Hit, hits: Sequence[Hit], wanted: set[str], today: date) -> str:
    """Return the part of a hit to quote, and until when it was true."""
    text = bare_text(hit, today)
    if hit.kind == "summary" and not hit.is_of_period:
        text = _bullet(text, wanted)
    is_replaced = hit.until is not None and _is_about(hit, hits, wanted)
    return excerpt(text, wanted) + (f" ({hit.outdated})" if is_replaced else "")


def _is_about(hit: Hit, hits: Sequence[Hit], wanted: set[str]) -> bool:
    """Return whether a replaced hit is about what is asked, or what replaced it.

    Search judges by likeness too, and this answer shows the end of a statement as a fact.
    """
    words = words_of(hit.text)
    later = (each for each in hits if each.date == hit.until and each is not hit)
    return bool(count_shared(wanted, words)) or any(
        count_shared(words_of(e.text), words) for e in later
    )


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
    overlap = [count_shared(wanted, words_of(text[start:end])) for start, end in places]
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
    overlap = [count_shared(wanted, words_of(each)) for each in bullets]
    if len(bullets) < 2 or not (most := max(overlap)):
        return section
    return next(
        _BULLET.sub("", each).strip()
        for each, words in zip(reversed(bullets), reversed(overlap), strict=True)
        if words == most
    )


def bare_text(hit: Hit, today: date) -> str:
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


def attribution(hit: Hit, messages: Mapping[int, Message], today: date, owner: str) -> str:
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
        who = (message.author if message is not None else "") or owner
        said = tr("{who} said {day}" if owner else "You said {day}", who=who, day=day)
    elif message.origin == "file":
        named = message.author and not hit.text.startswith("[")  # the label of its beginning
        said = tr("In “{name}”", name=message.author) if named else tr("Sent {day}", day=day)
    else:
        said = tr("{who} wrote {day}", who=message.author or tr("Somebody else"), day=day)
    return said


def _name(hit: Hit) -> str:
    """Return the name of a note with the last heading of the passage; of a day's, the heading."""
    below = [*filter(None, hit.section.split(" > "))]
    named = hit.heading.split(" > ")
    above = named[: len(named) - len(below)]
    return ", ".join([*above[-1:], *below[-1:]]) or hit.name


def said_on(day: date, today: date) -> str:
    """Return `today`, `on Tuesday`, `on 3 May`; with the year if it is not the current one."""
    if day == today:
        return tr("today")
    if day == today - timedelta(days=1):
        return tr("yesterday")
    if timedelta(0) < today - day < timedelta(days=_A_WEEK):
        return on_weekday(day)
    return on_day(day) + ("" if day.year == today.year else f" {day.year}")


def words_of(text: str) -> set[str]:
    return set(terms(text)) - STOP_WORDS


def count_shared(wanted: set[str], others: set[str]) -> int:
    """Count the words that share a prefix with one of the others: `dog` and `dogs` match."""
    return sum(any(share_beginning(word, other) for other in others) for word in wanted)
