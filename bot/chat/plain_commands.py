"""Commands in plain words: "remember that …", "what is due today?".

Without a model they are carried out at once. With one, the model decides what was meant; they are
carried out after its answer if it could not be reached, or has not called the tool. "Don't write
that down" is always handled by code.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, time

from memory import is_group
from memory.text import (
    asked_tasks,
    asks_for_time_left,
    asks_to_undo,
    commands_in,
    is_again,
    privacy_remark,
    recognise_intent,
    reminder_after_time,
    with_colon,
    without_last_and,
)
from memory.tools import (
    Due,
    Tasks,
    arguments,
    bare,
    earlier,
    halves,
    region_of,
    snoozed_for,
    time_range,
)

from ..assistant import Assistant, reminders
from ..turn import Done
from .introduction.timezone import asked_zone
from .promises import reminder_promised
from .protocol import Call, Command, Shown, as_shown
from .tasks.commands import forget_question, reminder_answered, together
from .tasks.following import closes_the_one, corrected, renamed, rings_it_again, shifted
from .tasks.last import shown_task
from .tasks.listing import running
from .tasks.named import asks_for_a_change, closes_a_task, moves_a_task
from .tasks.reading import (
    LONGEST_QUESTION,
    about_it,
    asked_period,
    asked_to_drop,
    asks_again,
    names_a_time,
    names_only_a_time,
    read_due,
    reminder_of,
    title_of,
)
from .tasks.rings import of_ring, only_rings, rings_again
from .tasks.which import chosen, close_question

KINDS = ("remember", "remind", "todo", "forget")  # of wishes: the names of their commands
LONGEST = arguments.TEXT  # characters: longer texts fit in no note, and are kept as messages
LONGEST_TO_FORGET = 2000  # characters; also of "forget it, …" before a story
LONGEST_OF_SEVERAL = 1000  # characters; of a message with several commands
NEEDS_WORDS = ("remind", "todo")  # the others accept a message that is replied to
PROMISED = ("remember", "remind")
_STOPS = (",", ".", ";", "!", "–", "—", "-", "\n", "，", "。")
_ASKS_BACK = frozenset("?？؟")
_ANY_TASK = "task0"  # stands for a title, which may have words that mean something else
_DAILY = ("day", "weekday")  # of a rule "every …"


async def command_in_words(
    profile: Assistant, chat: str, text: str, at: datetime, answered: str = ""
) -> tuple[str, str] | None:
    """Return the command that a message in a chat stands for, and its words, when no model is set
    up; None for an ordinary message. In a group the command is refused, so what is to be remembered
    is an ordinary message there: it is kept in the log.

    `text`: as typed by the sender, at the time `at`; `answered`: the message that it replies to.
    """
    if is_group(profile.name):
        asked = None if profile.claude else await _recognised(profile, text, at, answered)
        return asked if asked and asked[0] != "remember" else None
    said = privacy_remark(text)
    if said is not None and said.kind == "unkept":
        return None if said.rest else ("forget", text)
    if profile.claude is not None:
        return None
    found = None
    if len(text) <= LONGEST_QUESTION:
        found = await shifted(profile, chat, text, at) or await renamed(profile, chat, text, at)
    found = found or await _recognised(profile, text, at, answered)
    if found := found or await _first_of_several(profile, text, at, behind=False):
        await forget_question(profile.memory, chat)
        await close_question(profile.memory, chat)
        return found
    if said is not None:
        return None
    if await chosen(profile.memory, chat, text, at):
        return "tasks", text
    if words := await reminder_answered(profile.memory, chat, text, at):
        return "remind", words
    return await corrected(profile, chat, text, at)


async def carry_out(command: Command, call: Call, commands: Mapping[str, Command]) -> Shown:
    """Carry out the command of a call; of several in one message, each of them, by its name in
    `commands`. A remark that the message is private is about all of it, which stays one then."""
    parts = _commands(call.profile, call.sentence, call.at)
    found = [await _recognised(call.profile, part, call.at, "") for part in parts]
    asked = [each for each in found if each is not None and each[0] in KINDS]
    # Not "dentist on Friday at 3. Remind me the day before. Remind me at 8 to call Ana".
    is_several = len(parts) > 1 and len(asked) == len(parts)
    if not (is_several and (call.sentence.startswith(parts[0]) or call.words == asked[0][1])):
        return as_shown(await command(call))
    shown, before, now = list[Shown](), "", call.at.astimezone(call.profile.memory.zone)
    for part, (name, words) in zip(parts, asked, strict=True):
        said = about_it(words, before, now) if name == "remind" and before else words
        one = replace(call, words=said, sentence=part, whole=call.sentence)
        shown.append(as_shown(await commands[name](one)))
        if said == words:  # otherwise it is about what the one before it is about
            before = title_of(words, now) if name == "remind" else words
    return await together(call, shown)


def _commands(profile: Assistant, text: str, at: datetime) -> list[str]:
    """Return the parts of a message that are commands of their own, also those before and behind
    "and remind me at 5"."""
    if len(text) > LONGEST_OF_SEVERAL or privacy_remark(text) is not None:
        return []
    now = at.astimezone(profile.memory.zone)
    for one, two in halves(text):
        intent = recognise_intent(two)
        if intent is None or intent.kind != "remind" or not names_a_time(intent.words, now):
            continue
        before = commands_in(one)
        # "Remind me at 8 to call Ana and remind me at 9 to call Bob" is one command.
        asked = recognise_intent(before[-1]) if before else None
        if asked is not None and asked.kind != "remind":
            return [*before, *_commands(profile, two, at)]
    return commands_in(text)


async def _first_of_several(
    profile: Assistant, text: str, at: datetime, *, behind: bool
) -> tuple[str, str] | None:
    """Return the first of the commands in a message; None without any. `behind`: what is asked for
    is one behind something else, which is kept as a message: "I moved to Porto. Remind me tomorrow
    at 9 to call Ana"; otherwise the message begins with it."""
    parts = _commands(profile, text, at)
    if not parts or text.startswith(parts[0]) == behind:
        return None
    found = await _recognised(profile, parts[0], at, "")
    return found if found is not None and found[0] in KINDS else None


async def command_left_undone(
    profile: Assistant, text: str, at: datetime, done: Done, answered: str = ""
) -> tuple[str, str] | None:
    """Return the command that a message stands for, and its words, if it was answered and the
    command was not carried out; None for none. Without a model, it is behind something else.

    After an answer of the model's these are only things to remember, and reminders unless it asks
    back, also those that only its answer names: in anything else it may have had a reason.
    `text`, `at` and `answered` are as above.
    """
    if done.acted or is_group(profile.name):
        return None
    if profile.claude is None:
        return await _first_of_several(profile, text, at, behind=True)
    found = await _recognised(profile, text, at, answered)
    if done.origin == "recall":
        return found
    if found is None:
        if not _ASKS_BACK.isdisjoint(done.text):
            return None
        return await reminder_promised(profile, text, at, done.text)
    name, words = found
    is_clear = (words or answered) if name == "remember" else _ASKS_BACK.isdisjoint(done.text)
    return found if name in PROMISED and is_clear else None


async def _recognised(
    profile: Assistant, text: str, at: datetime, answered: str
) -> tuple[str, str] | None:
    if len(text) > LONGEST:
        return None
    if (said := privacy_remark(text)) is not None and not (text := said.rest):
        return None
    local = at.astimezone(profile.memory.zone)
    if (task := reminders.named_in(answered)) and (done := closes_the_one(task, text)):
        return ("tasks", done) if await closes_a_task(profile, done, local) else None
    if len(text) <= LONGEST_QUESTION and (
        _asks_for_tasks(text, local)
        or await _asks_for_time_left(profile, text, local)
        or asked_to_drop(text, local)
        or await closes_a_task(profile, text, local)
        or await moves_a_task(profile, text, local)
        or asks_for_a_change(text, local)
    ):
        return "tasks", text
    if asks_to_undo(text):
        return "undo", ""
    if place := await asked_zone(text):
        return "timezone", place
    if again := await _snoozed(profile, text, local, answered):
        return "remind", again
    intent = recognise_intent(with_colon(text))
    after_time = reminder_after_time(text) if intent is None else None
    if after_time and names_only_a_time(after_time[0], local):
        return "remind", of_ring(text, " ".join(after_time).strip(), local)
    if after_time and not after_time[1] and asks_again(after_time[0], local):
        return "remind", after_time[0]
    if after_time and (_is_apart(text, *after_time) or _ends_in_time(*after_time, local)):
        rings = time(profile.settings.first_active_hour)
        event = without_last_and(after_time[0]).rstrip(" .")
        if words := reminder_of(event, after_time[1], local, rings):
            return "remind", words
    if intent is None and (ringing := only_rings(text, local)):
        return "remind", ringing
    if intent is None or intent.kind not in KINDS:
        return None
    if intent.kind == "forget" and len(text) > LONGEST_TO_FORGET:
        return None
    if intent.kind in NEEDS_WORDS and not intent.words:
        return ("remind", "") if intent.kind == "remind" and not answered else None
    if intent.kind == "todo":
        return "todo", bare(intent.words)
    if intent.kind != "remind":
        return intent.kind, intent.words
    words = of_ring(text, intent.words, local)
    if not names_a_time(words, local) and earlier(words) is None:
        if is_again(words):
            return "remind", rings_again("", local)
        return "todo", text  # a task, which says that it has no time
    return "remind", words


async def _snoozed(profile: Assistant, text: str, now: datetime, answered: str) -> str:
    """Return the words of a reminder that rings again, if a message snoozes the one that was sent
    last, or asks for the one that it replies to in any such words; else ""."""
    if len(text) > LONGEST_QUESTION:
        return ""
    if answered and await shown_task(profile.memory, answered):
        return rings_it_again(text, now, is_reply=True)
    when = snoozed_for(text, rung=False)
    again = "" if when is None else rings_again(when, now)
    return again if again and await reminders.last_sent(profile.memory) else ""


def _is_apart(text: str, before: str, wish: str) -> bool:
    """Return whether "remind me" begins a clause in a message: behind a comma or a full stop, or,
    with "the day before", behind "and". "On Friday Ana will remind me" is a statement."""
    behind = text.partition(before)[2].lstrip(" ")
    if behind.startswith(_STOPS) or before.endswith(_STOPS):
        return True
    if without_last_and(before) != before:
        early = wish
    else:
        early = "" if wish else re.split("[,，]", before)[-1]
    return earlier(early) is not None


def _ends_in_time(before: str, wish: str, now: datetime) -> bool:
    """Return whether a message ends with "remind me", and what is before it with a time: "gym every
    Monday at 7 remind me"."""
    event = bare(before)
    is_joined = without_last_and(before) != before  # "Ana will call on Friday and remind me"
    due = None if wish or is_joined else read_due(event, now)[-1]
    # "On Friday Ana will remind me" begins with it.
    return isinstance(due, Due) and bool(due.rest) and event.startswith(due.rest)


async def _asks_for_time_left(profile: Assistant, text: str, now: datetime) -> bool:
    """Return whether a message asks how long a timer still runs, and one does."""
    if not asks_for_time_left(text):
        return False
    return bool(running(await Tasks(profile.memory, profile.memory.clock).open(), text, now))


def _asks_for_tasks(text: str, now: datetime) -> bool:
    """Return whether a message asks for the owner's tasks, of now or of a time to come."""
    found = time_range(text, now.date(), region=region_of(now.tzinfo))
    if asked_tasks(found.rest if found else text, dated=found is not None) is None:
        return False
    return found is None or asked_period(text, now) is not None
