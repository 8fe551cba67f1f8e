"""/tasks, /todo and /remind."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, time, timedelta

from memory import Memory
from memory.infra import parse_utc, utc_text
from memory.notes import Task
from memory.text import (
    NO,
    asks_for_all_tasks,
    before_again,
    closed_task,
    day_and_time,
    has_question,
    is_again,
    is_pronoun,
    is_purchase,
    mark,
    names_shopping_list,
    recognise_intent,
    shopping_items,
    small_talk_kind,
    task_kind,
    tr,
    without_copula,
)
from memory.tools import Due, NotDue, bare, earlier, moved_task, renamed_task
from memory.vault import as_one_change

from ...assistant import reminders
from ...markdown_escape import escape
from ...turn.incognito import NOT_NOW
from ..forgetting.forget import ALL
from ..protocol import Button, Call, Shown
from .buttons import reminder_set, repeats
from .last import (
    forget_last_task,
    just_rung,
    keep_last_task,
    last_reminder,
    last_task,
    shown_task,
)
from .listing import (
    NONE,
    NOTHING_TO_BUY,
    listed,
    local_time,
    running,
    said_about,
    tasks_in,
    tasks_of,
    things_to_buy,
    time_left,
    undated,
)
from .meant import about
from .moving import HOW_MUCH, asks_vaguely
from .named import NO_SUCH, answer_which, before_a_task, close, drop_all, move, move_to, rename
from .reading import (
    asked_period,
    asked_to_drop,
    each_reminder,
    has_several_titles,
    other_half,
    read_due,
)
from .which import close_question

WHEN = mark(
    "When? Write it with the time: `/remind tomorrow 9:00 call Ana`, `/remind in 20 minutes tea`,"
    " `/remind every Monday 18:00 water the plants`"
)
NOT_DUE = {
    NotDue.PAST: mark("That is in the past."),
    NotDue.NO_SUCH: mark("There is no such day or time."),
}
WHAT = mark(
    "What should I remind you of? Write it after the time, or reply to a message with `/remind`."
)
NO_TIME = mark("At what time? Write it with the day: `/remind today 18:00 call Ana`")
ASKED = "reminder_asked_about:"  # and a chat: the time, after the question what to remind of
ANSWERED_WITHIN = timedelta(minutes=10)
LONGEST_ANSWER = 200  # characters
TERMINAL = mark(
    "When one is done, write “{title} is done”. To move it, “move {title} to Friday”, "
    "or edit {path}."
)
NO_RING = mark(
    "It has no time, so I will not remind you of it. For a reminder, write when: `/remind tomorrow "
    "9:00 {title}`"
)


async def tasks(call: Call) -> Shown:
    """Show your tasks, to finish or move them: /tasks, /tasks tomorrow"""
    of, now = tasks_of(call), local_time(call)
    if not call.sentence:
        await close_question(call.profile.memory, call.chat)  # the list has other numbers
    elif (answered := await answer_which(call)) is not None:
        return answered
    if call.sentence and asks_vaguely(call.sentence):
        if last := await last_task(call.profile.memory, call.chat):
            await keep_last_task(call, last[0])  # the answer is about it, too
        return Shown(tr(HOW_MUCH))
    if call.sentence and (rings := running(await of.open(), call.words, now)):
        return Shown("\n".join(time_left(each, now) for each in rings))
    for id_, title in renamed_task(call.words) if call.sentence else ():
        return await rename(call, id_, title)
    if all_of := asked_to_drop(call.words, now):
        return await drop_all(call, *all_of)
    if closing := closed_task(call.words):
        return await close(call, *closing)
    if moved_task(call.words) and (moved := await move(call)) is not None:
        return moved
    if (period := asked_period(call.words, now)) is not None:
        shown = tasks_in(await of.open(), period, now.date())
        said = await said_about(call, period)
        return Shown("\n\n".join(filter(None, [shown.text, said])), shown.keyboard)
    to_buy = names_shopping_list(call.words) or is_purchase(call.words)
    open_ = await of.open()
    if not to_buy and open_ and _names_some(call):
        if found := about(open_, call.words):
            return listed(call, found)
        if not asks_for_all_tasks(call.words):
            shown = listed(call, open_)
            return replace(shown, text=f"{tr(NO_SUCH)}\n\n{shown.text}")
    if to_buy and not (open_ := things_to_buy(every := open_)):
        return Shown("\n\n".join(filter(None, [tr(NOTHING_TO_BUY), undated(every)])))
    if not open_:
        return Shown(tr(NONE))
    shown = listed(call, open_)
    if call.on_telegram:
        return shown
    named = escape(open_[0].title)
    return Shown(f"{shown.text}\n\n{tr(TERMINAL, title=named, path=escape(of.path))}")


def _names_some(call: Call) -> bool:
    """Return whether "/tasks WORDS" is typed with words that may be for some of the tasks."""
    words = call.words
    if not any(map(str.isalnum, words)) or call.sentence or words.casefold() in ALL:
        return False
    return task_kind(words) is None


@as_one_change
async def todo(call: Call) -> Shown | str:
    """Add a task: /todo milk"""
    if not call.words:
        return await tasks(call)
    if await call.profile.turns.incognito.is_on(call.chat):
        return escape(tr(NOT_NOW))
    asked = recognise_intent(call.words)
    reminds = asked is not None and asked.kind == "remind"
    typed = bare(asked.words) if asked and reminds else call.words
    rule, words, due = read_due(typed, local_time(call))
    when = due if isinstance(due, Due) and due.rest else None
    around = call.sentence.replace(call.words, " ")
    items = shopping_items(around, when.rest if when else words)
    shopping = names_shopping_list(around)
    made = [await _added(call, each, when, rule, shopping=shopping) for each in items]
    shown = await together(call, made)
    hint = f"\n\n{tr(NO_RING, title=words.replace('`', ''))}" if reminds and not when else ""
    return Shown(shown.text + hint, shown.keyboard)


@as_one_change
async def remind(call: Call) -> Shown | str:
    """Set a reminder: /remind tomorrow 9:00 call Ana"""
    if await call.profile.turns.incognito.is_on(call.chat):
        return escape(tr(NOT_NOW))
    each = each_reminder(call.words, local_time(call))
    if len(each) == 1:
        return await _remind(call, call.words)
    set_ = [await _remind(call, words) for words in each]
    shown = [one for one in set_ if isinstance(one, Shown)]
    if not shown:
        return set_[0]
    done = await together(call, shown)
    if not has_several_titles(call.words, local_time(call)):
        return done  # "today and tomorrow at 9" may be only tomorrow
    refused = [
        f"{escape(words)}: {one}"
        for words, one in zip(each, set_, strict=True)
        if not isinstance(one, Shown)
    ]
    return replace(done, text="\n\n".join([done.text, *refused]))


async def together(call: Call, each: Sequence[Shown]) -> Shown:
    """Show the answers to several commands in one message. New tasks have one button, which drops
    all of them; none of them counts as the last task of the chat."""
    if len(each) == 1:
        return each[0]
    await forget_last_task(call.profile.memory, call.chat)
    buttons = [button for one in each for row in one.keyboard for button in row]
    drops = [button.argument for button in buttons if button.action == "task.drop"]
    ids = [id_ for each in drops for id_ in each.get("tasks", [each.get("task")])]
    undo = ((Button(tr("Undo"), "task.drop", {"tasks": ids}),),) if ids else ()
    return Shown("\n".join(one.text for one in each), undo)


async def reminder_answered(memory: Memory, chat: str, text: str, at: datetime) -> str | None:
    """Return the words of the reminder that a message completes, as the answer to the question what
    to remind of in its chat. None for any other message, after which the question is no longer
    open."""
    asked = json.loads(await memory.log.settings.get(ASKED + chat) or "{}")
    if not asked:
        return None
    is_soon = timedelta() <= at - parse_utc(asked["at"]) <= ANSWERED_WITHIN
    others = has_question(text) or small_talk_kind(text) or recognise_intent(text)
    said = text.strip(" .!")
    if not is_soon or others or not said or said.casefold() in NO or len(said) > LONGEST_ANSWER:
        await forget_question(memory, chat)
        return None
    return f"{asked['words']} {text}"


async def forget_question(memory: Memory, chat: str) -> None:
    """Wait no longer for an answer in that chat to the question what to remind of."""
    if await memory.log.settings.get(ASKED + chat):
        await memory.log.settings.set(ASKED + chat, "")


async def _remind(call: Call, words: str) -> Shown | str:
    """Set the reminder that the words describe, which have one time."""
    now = local_time(call)
    rings = time(call.profile.settings.first_active_hour)
    rule, _, due = read_due(words, now, rings=rings)
    early = earlier(words)
    if early and early[0].hour and isinstance(due, Due) and not due.has_day:
        due = None  # "the evening before the exam" is not this evening
    if due is None or (isinstance(due, Due) and due.time is None and not rule):
        before = await before_a_task(call, due.rest if due else words, rings)
        if isinstance(before, Shown):
            return before
        due = before or due
    if not isinstance(due, Due):
        return tr(WHEN) if due is None else f"{tr(NOT_DUE[due])}\n\n{tr(WHEN)}"
    moment = due.time or rings
    what, last = await _object_of(call, without_copula(due.rest, words))
    if last is not None:
        if not rule and _has_rung(last, now):
            moment = due.time or last.time or rings
            if datetime.combine(due.day, moment) <= now.replace(tzinfo=None):
                return tr(NO_TIME)
            return await move_to(call, last, due.day, due.time)
        what, moment = last.title, due.time or last.time or rings
    if not what:
        # The words of several reminders, or of one that repeats, are read again; "in ten minutes"
        # is counted from now.
        at = call.words if rule or words != call.words else f"{due.day} {moment:%H:%M}"
        asked = json.dumps({"words": at, "at": utc_text(call.at)})
        await call.profile.memory.log.settings.set(ASKED + call.chat, asked)
        return tr(WHAT)
    if datetime.combine(due.day, moment) <= now.replace(tzinfo=None):
        return tr(NO_TIME)
    await forget_question(call.profile.memory, call.chat)
    other = other_half(words, rule, due, now) if words == call.words else None
    is_active = call.profile.settings.is_active
    if other and (is_active(datetime.combine(due.day, moment)) or not is_active(other)):
        other = None  # nobody doubts that "at 9" is in the morning
    return await _added(call, what, Due(due.day, moment, what), rule, other)


async def _object_of(call: Call, said: str) -> tuple[str, Task | None]:
    """Return what to remind of, from a reminder's words without its time ("" if it must be asked),
    and the open task that is meant, None for a new one: the one that "Ana again" or the message
    replied to names, or of which the chat was reminded last."""
    to, again = await call.answered(), is_again(said)
    if said and not again and not is_pronoun(said):
        return said, await _named_again(call, said)
    if to is None:
        if again:
            return "", await last_reminder(call)
        return "", await just_rung(call.profile.memory, call.chat, call.at)
    task = await shown_task(call.profile.memory, to.text)
    return reminders.named_in(to.text) or to.text, task


async def _named_again(call: Call, what: str) -> Task | None:
    """Return the one open task that the words before "again" name; None if there is none."""
    named = before_again(what)
    found = about(await tasks_of(call).open(), named) if named else []
    return found[0] if len(found) == 1 else None


def _has_rung(task: Task, now: datetime) -> bool:
    """Return whether the time of a task that does not repeat is past."""
    is_past = task.at is not None and task.at <= now.replace(tzinfo=None)
    return is_past and not task.get("recurrence")


async def _added(
    call: Call,
    what: str,
    due: Due | None,
    rule: str,
    other: datetime | None = None,
    *,
    shopping: bool = False,
) -> Shown:
    """Add the task, and show it. `other`: when else it may be due, which then has a button;
    `shopping`: it is put on the shopping list."""
    when = f"{due.day:%Y-%m-%d}{f' {due.time:%H:%M}' if due.time else ''}" if due else ""
    # Once: after a crash, or while its answer cannot be stored, the command is carried out again.
    of = tasks_of(call)
    added = await of.add(
        what.rstrip(" .。") or what, due=when, repeats=rule, shopping=shopping, once=True
    )
    await keep_last_task(call, added.id)
    today = local_time(call).date()
    if other and due and due.time and not added.line:
        return reminder_set(call, added, datetime.combine(due.day, due.time), other)
    if due is not None and due.time is not None:
        text = f"⏰ {escape(day_and_time(due.day, due.time, today))}: {escape(added.title)}"
    else:
        day = f" ({escape(day_and_time(due.day, None, today))})" if due else ""
        text = tr("Added: {title}{day}", title=escape(added.title), day=day)
    undo = ((Button(tr("Undo"), "task.drop", {"task": added.id}),),)
    return Shown(text + repeats(rule), () if added.line else undo)  # one that was there stays
