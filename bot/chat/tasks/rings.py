"""Read alarms and timers, which are reminders with little else than a time."""

from __future__ import annotations

from datetime import datetime, time, timedelta

from memory.text import (
    asks_to_wake,
    is_of_kind,
    mark,
    ring_of,
    ring_times,
    small_talk_kind,
    tr,
    with_ring,
)
from memory.tools import Due, behind_until, time_of_day

from .reading import (
    NOON,
    asked_period,
    each_reminder,
    hour_of_twelve,
    names_a_time,
    names_only_a_time,
    read_due,
    with_time,
)

ALARM, TIMER = mark("Alarm"), mark("Timer")
SNOOZED = 10  # minutes, unless a message that asks for it says otherwise
_MORNING = 5  # o'clock
_SOON = timedelta(seconds=90)  # to the full minute that is due in a minute


def of_ring(text: str, words: str, now: datetime) -> str:
    """Return the words of a reminder with what "set an alarm for 7" and "set a timer for 10
    minutes" leave out: the preposition, a title, and that it is in the morning. `text`: the whole
    message; of one without such a word, the words are as they were."""
    is_timer, wakes = is_of_kind(text, "timer"), asks_to_wake(text)
    if not (is_timer or wakes or is_of_kind(text, "alarm")):
        return words
    if titled := _titled(words, now, is_timer=is_timer):
        return titled
    every = _ring_times(words, is_timer=is_timer)
    found = next((each for each in every if names_a_time(each, now)), words)
    due = read_due(found, now, rings=time())[-1]
    if isinstance(due, Due) and found.endswith(due.rest):  # "10 minute pasta" of "pasta timer"
        found = found.removesuffix(due.rest) + with_ring(text, due.rest)
    return _in_the_morning(found, now) if wakes else found


def only_rings(text: str, now: datetime) -> str:
    """Return the words of a reminder for a message like "timer 10 minutes" or "alarm at 7"; ""
    for any other one."""
    name, words = ring_of(text)
    words, is_timer = words.rstrip(" .!"), is_of_kind(text, "timer")
    return _titled(words, now, is_timer=is_timer, name=name) if words else ""


def rings_again(words: str, now: datetime) -> str:
    """Return the words of a reminder that rings again from those that say when: "10", "for an
    hour", "until 6", "5pm" or "tomorrow"; without any, it rings in a few minutes. Return "" for
    words that are no such time."""
    said = words.strip()
    until = behind_until(said)
    if not said or said.isdecimal():
        said = " ".join(("in", said or str(SNOOZED), "minutes"))
    is_number = not until and said.split()[-1].isdecimal()  # "for 10" is not at ten
    every = _ring_times(until or said, is_timer=is_number)
    times = [each for each in every if names_only_a_time(each, now)]
    when = min(times, key=lambda each: time_of_day(each).moment is not None, default="")
    rule, _, due = read_due(when, now, rings=time())
    if rule or not isinstance(due, Due):
        return ""
    if due.time is None:
        days = asked_period(when, now)
        if days is None or days[0] != days[1] or days[0] == now.date():
            return ""  # "May", "today"
    return f"{when} again"


def rings_again_alone(text: str, now: datetime, *, is_reply: bool) -> str:
    """Return the words of a reminder that rings again from a message that is only a time: "in 10
    minutes" or "5pm", in a reply also "tomorrow"; "" for any other message. A number may be
    anything, "Morgen!" may be a greeting, "bis nachher" a farewell, and "one minute" may ask to
    wait."""
    if behind_until(text) and not any(map(str.isnumeric, text)):
        return ""
    again = "" if text.isdecimal() or small_talk_kind(text) else rings_again(text, now)
    due = read_due(again, now, rings=time())[-1] if again else None
    if not isinstance(due, Due) or (due.time is None and not is_reply):
        return ""
    is_now = due.time and datetime.combine(due.day, due.time) - now.replace(tzinfo=None) <= _SOON
    return "" if is_now and not names_only_a_time(text, now) else again


def _titled(words: str, now: datetime, *, is_timer: bool, name: str = "") -> str:
    """Return the words of an alarm or a timer with a title, its name if it has one, if they are
    only its time; else ""."""
    alone = [
        each
        for each in _ring_times(words, is_timer=is_timer)
        if all(names_only_a_time(one, now) for one in each_reminder(each, now))
    ]
    if not alone:
        return ""
    said = min(alone, key=lambda each: time_of_day(each).moment is None)
    title = name or tr(TIMER if is_timer else ALARM)
    return f"{said if is_timer else _in_the_morning(said, now)} {title}"


def _ring_times(words: str, *, is_timer: bool) -> list[str]:
    """Return the words with each preposition that they may lack. A timer lacks none before a time
    of day: "timer 5" is not one for 5 o'clock."""
    said = ring_times(words)
    if is_timer:
        said = [each for each in said if each == words or not time_of_day(each).moment]
    return said


def _in_the_morning(words: str, now: datetime) -> str:
    """Return the words with "07:00" for "at 7", which of an alarm is in the morning. Today, or at
    night, the next of 3:00 and 15:00 is meant."""
    moment = hour_of_twelve(words)
    if moment is None:
        return words
    rule, _, due = read_due(words, now, rings=time())
    day = due.day if isinstance(due, Due) and due.has_day else None
    is_next = day == now.date() or (day is None and moment.hour < _MORNING)
    later = moment.replace(hour=moment.hour + NOON)
    if not rule and is_next and moment <= now.time() < later:
        moment = later
    return with_time(words, moment)
