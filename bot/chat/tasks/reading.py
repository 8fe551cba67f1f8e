"""Read from a command's words when a task is due, or for which days tasks are asked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from memory.notes import recurrence
from memory.text import (
    TaskKind,
    asked_tasks,
    dropped_kind,
    is_again,
    is_pronoun,
    recognise_intent,
    without_copula,
)
from memory.tools import (
    Due,
    NotDue,
    Span,
    bare,
    definite,
    due_time,
    each_day,
    each_time,
    earlier,
    halves,
    region_of,
    split_ending,
    split_repetition,
    time_of_day,
    time_range,
    with_usual_hour,
)

NOON = 12  # o'clock
LONGEST_QUESTION = 200  # characters; of a question for tasks, or a word about one
_LONGEST_OF_SEVERAL = 300  # characters
_MOST_DIVISIONS = 5  # commas and "and" of several reminders: the time doubles with each


@dataclass(frozen=True, slots=True)
class _Clause:
    """A part of a reminder's words with a time and a title. `since`: from when on later parts have
    their time; `is_first`: its time may be before the title, `is_last`: behind it."""

    words: str
    title: str
    rule: str
    since: datetime
    is_first: bool
    is_last: bool


def read_due(
    words: str, now: datetime, *, rings: time | None = None
) -> tuple[str, str, Due | NotDue | None]:
    """Return a task's rule ("" without one), the words without it, and when the task is due first,
    relative to the local time `now`. `rings`: of a reminder, when it rings if the words name no
    time."""
    words = words if rings is None else with_usual_hour(words)
    rule, rest = _split_rule(words)
    if not rule and rings is not None:
        due = due_time(rest, now)
        if not (isinstance(due, Due) and due.has_day):
            rule, rest = split_repetition(words, is_reminder=True)
    if not rule:
        due = due_time(rest, now)
        if due is None and rings is not None and (text := definite(rest)):
            due = due_time(text, now)
        return "", rest, due
    ending, without = split_ending(rest, now.date(), region=region_of(now.tzinfo))
    if ending is not None:
        first = _first(rule, due_time(without, now, repeats=True), without, now, rings)
        if not isinstance(first, Due):
            return rule, without, first
        last = ending.day(first.day)
        ended = recurrence.ending(rule, last)
        # A length without a second time is part of the task: "every Monday buy food for a week".
        if ending.last is not None or recurrence.after(ended, first.day, first.day) is not None:
            return ended, without, first if first.day <= last else NotDue.PAST
    return rule, rest, _first(rule, due_time(rest, now, repeats=True), rest, now, rings)


def each_reminder(words: str, now: datetime) -> list[str]:
    """Return a reminder's words once for each of its times and days: "on Monday and Thursday at 9
    and 17:00 pills" is four reminders. The days of one that repeats are in its rule."""
    if clauses := _several(words, now):
        return [each for one in clauses for each in each_reminder(one.words, now)]
    for event, before in halves(words):  # "the dentist on Friday at 3 and an hour before"
        if (early := earlier(before)) and _is_all(before, *early[1:]) and names_a_time(event, now):
            return [event, f"{before} {event}"]
    repeats = bool(_split_rule(words)[0])
    times = each_time(words, repeats=repeats)
    if repeats:
        return times if len(times) > 1 else _each_repetition(words, now) or times
    return [each for one in times for each in each_day(one, now)]


def has_several_titles(words: str, now: datetime) -> bool:
    """Return whether a reminder's words are about several things, each at its own time."""
    return bool(_several(words, now))


def _several(words: str, now: datetime) -> list[_Clause]:
    if len(words) > _LONGEST_OF_SEVERAL or len([*halves(words)]) > _MOST_DIVISIONS:
        return []
    found = _clauses(words, now)
    return found if len(found) > 1 else []


def _clauses(words: str, now: datetime, before: _Clause | None = None) -> list[_Clause]:
    """Return the parts of a reminder's words that each have one time and a title: "at 8 to call Ana
    and at 9 to call Bob", "Ana at 8 and Bob at 9"; [] if there is no such division.

    `before`: the clause before them, which has their day and repetition if they name none. All have
    their time at the same end: "at 9 ask Ana and Ben to come at 10" is one.
    """
    alone = _clause(words, now, before)
    found = [[alone]] if alone else []
    for one, two in halves(words):
        if (first := _clause(one, now, before)) is None:
            continue
        asked = recognise_intent(two)  # "… and remind me at 9 to call Bob"
        rest = asked.words if asked is not None and asked.kind == "remind" else two
        if behind := _clauses(rest, now, first):
            found.append([first, *behind])
    # The one that explains most words: "et" may be within a time, "à 9h et quart".
    return min(found, key=lambda each: sum(len(one.title) for one in each), default=[])


def _clause(words: str, now: datetime, before: _Clause | None) -> _Clause | None:
    """Return the words as one of the parts above; None if they are none."""
    given, (rule, _, due) = words, read_due(words, now, rings=time())
    if not isinstance(due, Due) or not any(map(str.isalpha, due.rest)):
        return None
    others = read_due(due.rest, now)
    if others[0] or others[-1] is not None:
        return None
    if any(not one for one, _ in halves(f" {due.rest}")):
        return None  # "am Do, 3.12. und Sa"
    if before is not None and due.time is None and words[0].isdecimal():
        return None  # "at 9 mix 1/2 and 3/4 cups"
    is_first = words.rstrip(" .!").endswith(due.rest.rstrip(" .!"))
    is_last = bare(words).startswith(due.rest)
    if before is not None:
        is_first, is_last = is_first and before.is_first, is_last and before.is_last
    if not (is_first or is_last):
        return None
    if before is not None and not rule and not due.has_day:
        read = read_due(words, before.since)[-1]
        due = read if isinstance(read, Due) else due
        rule = before.rule
        words = f"{rule or due.day} {due.time or time():%H:%M} {due.rest}"
    return _Clause(words, due.rest, rule, _since(given, due, before, now), is_first, is_last)


def _since(words: str, due: Due, before: _Clause | None, now: datetime) -> datetime:
    """Return from when on the parts after these words have their time: from the beginning of a day
    that they name, but after "tonight at 8" from then on."""
    begin, moment = datetime.combine(due.day, time(), now.tzinfo), due.time or time()
    is_of_day = due.has_day if before is None else before.since.time() == time()
    is_as_written = moment.hour < 12 or re.search(rf"(?<!\d){moment.hour}(?!\d)", words)
    return begin if is_of_day and is_as_written else datetime.combine(begin, moment, now.tzinfo)


def _each_repetition(words: str, now: datetime) -> list[str]:
    """Return the words of two repetitions that each have a time: "gym every Monday at 9 and
    Thursday at 10"; [] without them. The words "every" and "at" may be in the first one only."""
    for one, two in halves(words):
        if not _ring_time(one, now):
            continue
        found = list[tuple[int, list[str]]]()
        for each in ("", *one.split()):
            other = f"{each} {two}".strip()
            rests = [due.rest for text in (one, other) if (due := _ring_time(text, now))]
            if len(rests) == 2 and not all(rests):
                texts = [f"{one} {rests[1]}".strip(), f"{other} {rests[0]}".strip()]
                found.append((sum(map(len, rests)), texts))
        if found:  # "at" is in both: of "9 every evening pills", the 9 is part of the task
            return min(found, key=lambda each: each[0])[1]
    return []


def _ring_time(words: str, now: datetime) -> Due | None:
    """Return when a reminder that repeats rings first; None if it does not say that and when."""
    rule, _, due = read_due(words, now)
    return due if rule and isinstance(due, Due) and due.time else None


def names_a_time(words: str, now: datetime) -> bool:
    """Return whether a reminder's words contain its time, relative to the local time `now`."""
    return read_due(words, now, rings=time())[-1] is not None


def names_only_a_time(words: str, now: datetime) -> bool:
    """Return whether the words are the time of a reminder, and nothing else."""
    due = read_due(words, now, rings=time())[-1]
    return isinstance(due, Due) and not due.rest


def asks_again(words: str, now: datetime) -> bool:
    """Return whether the words are the time of a reminder and "again"."""
    due = read_due(words, now, rings=time())[-1]
    return isinstance(due, Due) and is_again(due.rest)


def about_it(words: str, before: str, now: datetime) -> str:
    """Return the words of a reminder that names only its time, or "of it at 5", with what was said
    before it as its object; any other words as they are."""
    rule, _, due = read_due(words, now, rings=time())
    if rule or not isinstance(due, Due) or not (due.rest == "" or is_pronoun(due.rest)):
        return words
    at = f" {due.time:%H:%M}" if due.time else ""
    return f"{due.day}{at} {before}"


def title_of(words: str, now: datetime) -> str:
    """Return a reminder's words without its time; as they are if there is nothing else."""
    due = read_due(words, now, rings=time())[-1]
    return (without_copula(due.rest, words) if isinstance(due, Due) else "") or words


def on_same_side(words: str, old: time) -> str:
    """Return the words with "16:00" for "at 4" if the older time is after noon, or else "04:00"."""
    moment = hour_of_twelve(words)
    if moment is None:
        return words
    return with_time(words, moment.replace(hour=moment.hour + NOON * (old.hour >= NOON)))


def other_half(words: str, rule: str, due: Due, now: datetime) -> datetime | None:
    """Return when a reminder with that rule is due first, local and naive, if "at 6" in its words
    means the other half of the day than `due` does; None if it means no other time, or one that is
    past."""
    said = hour_of_twelve(words)
    moment = due.time and due.time.replace(hour=(due.time.hour + NOON) % (2 * NOON))
    if said is None or moment is None or moment not in (said, said.replace(hour=said.hour + NOON)):
        return None
    same, _, other = read_due(with_time(words, moment), now, rings=time())
    if same != rule or not isinstance(other, Due):
        return None
    at = datetime.combine(other.day, moment)
    return at if at > now.replace(tzinfo=None) else None


def hour_of_twelve(words: str) -> time | None:
    """Return the time of day in the words if it may be before and after noon."""
    clock = time_of_day(words)
    is_either = clock.is_twelve_hour and clock.place >= 0
    return clock.moment if is_either and clock.moment and 1 <= clock.moment.hour < NOON else None


def with_time(words: str, moment: time) -> str:
    """Return the words with another time of day."""
    _, rest, place, *_ = time_of_day(words)
    return f"{rest[:place]} {moment:%H:%M} {rest[place:].lstrip()}".strip()


def reminder_of(event: str, wish: str, now: datetime, rings: time) -> str | None:
    """Return the words of a reminder of an event to come: "dentist on Friday at 3pm" and the wish
    "the day before", "at noon" or "" in the message. None if one of them says anything else.

    `rings`: when a reminder rings on a day without a time; `now` is the local time.
    """
    due = due_time(event, now)
    if not isinstance(due, Due) or not due.has_day or not due.rest:
        return None
    if not wish:
        head, _, tail = event.replace("，", ",").rpartition(",")
        early = earlier(tail)  # the order of "the dentist on Friday, a day before remind me"
        return f"{tail} {head}" if head and early and _is_all(tail, *early[1:]) else event
    if early := earlier(wish):
        begin, end = early[1:]
        return f"{wish[begin:end]} {event}" if _is_all(wish, begin, end) else None
    asked = due_time(wish, now)
    if not isinstance(asked, Due) or not (asked.rest == "" or is_pronoun(asked.rest)):
        return None
    day = asked.day if asked.has_day else due.day
    clock = f" {due.time:%H:%M}" if due.time else ""
    return f"{day} {asked.time or rings:%H:%M} {due.rest} ({due.day}{clock})"


def _is_all(text: str, begin: int, end: int) -> bool:
    """Return whether a part of a text is all of it, apart from a word like "it"."""
    rest = bare(f"{text[:begin]} {text[end:]}").strip(" .!")
    return not rest or is_pronoun(rest)


def asked_period(words: str, now: datetime) -> Span | None:
    """Return the days whose tasks are asked for: those that the words name, from the day of `now`
    on. `now` is the local time with the owner's zone, which decides whether "12/5" is in May.

    "Overdue" is everything before today. None for no such time.
    """
    today, region = now.date(), region_of(now.tzinfo)
    found = time_range(words, today, region=region, is_coming=True)
    if asked_tasks(found.rest if found else words, dated=found is not None) == "overdue":
        return date.min, today - timedelta(days=1)
    if found is None:
        return None
    return next(((max(first, today), last) for first, last in found.spans if last >= today), None)


def asked_to_drop(text: str, now: datetime) -> tuple[TaskKind, Span | None] | None:
    """Return the kind of which a message asks to drop all tasks, and the days that it names, None
    for none; None for any other message. `now`: as above."""
    found = time_range(text, now.date(), region=region_of(now.tzinfo), is_coming=True)
    kind = dropped_kind(found.rest if found else text, dated=found is not None)
    period = asked_period(text, now)
    return (kind, period) if kind and (found is None or period) else None


def _split_rule(words: str) -> tuple[str, str]:
    """Split the words into a rule of the Tasks plugin and the rest; the rule is "" without one."""
    found = [split(words) for split in (recurrence.split_rule, split_repetition)]
    # The one that explains more words: "every month", or "the first Monday of every month".
    return min(found, key=lambda each: (not each[0], len(each[1])))


def _first(
    rule: str, due: Due | NotDue | None, words: str, now: datetime, rings: time | None
) -> Due | NotDue | None:
    """Return the first time of a recurring task, from its rule and the day and time in `words`."""
    if isinstance(due, NotDue):
        return due
    moment, rest = (due.time, due.rest) if due else (None, bare(words))
    if due and due.has_day:
        day = recurrence.first_on(rule, due.day, or_today=True)
        return Due(day, moment, rest) if day else due
    at = moment or rings
    ahead = at is None or now.time() < at
    day = recurrence.first_on(rule, now.date(), or_today=ahead)
    return Due(day, moment, rest) if day else due
