"""/facts: list what Sam knows about its owner, by category, tag and words, and change each."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable
from datetime import date
from itertools import groupby
from typing import TYPE_CHECKING

from memory.notes import fact, plain
from memory.text import clipped, mark, one_line, tr

from ...markdown_escape import escape
from ...turn.incognito import without_embedding
from ..forgetting import forget
from ..protocol import Button, Call, Outcome, Press, Shown, as_shown, in_rows
from .fix import CHANGED, ask_for_words

if TYPE_CHECKING:
    from memory import KnownFact, Memory

    from ...assistant import Assistant

PAST = 40  # facts of a day
PAGE = 20  # facts in one message, each with a button
IN_A_ROW = 5
ABOUT_ONE = 3  # buttons in a row below one fact
MORE = mark("There are more: `sam facts`, or the notes in knowledge/.")
NEEDS_MODEL = mark(
    "I have no facts: to collect them I need a model, and none is set up. What you tell me is kept "
    "all the same, and /search finds it."
)
NONE = mark("I don't know anything of that kind yet. I write down what you tell me after a while.")
OTHERS = mark("I don't know anything of that kind.")
LONGEST = 300  # characters of a fact


async def facts(call: Call) -> Shown | str:
    """List what I know about you: /facts, /facts preference, #home, WORDS, 2026-03 (as of then)"""
    with without_embedding(await call.profile.turns.incognito.is_on(call.chat)):
        return await _listed(call.profile, call.words, 0)


async def more(press: Press) -> Outcome:
    """Show the next facts."""
    words, skip = press.argument["words"], press.argument["skip"]
    return Outcome(message=as_shown(await _listed(press.profile, words, skip)))


async def _listed(profile: Assistant, asked: str, skip: int) -> Shown | str:
    words, tags, category = [], [], ""
    day: date | None = None
    for word in asked.split():
        if day is None and (day := _day_of(word)) is not None:
            continue
        if word.lower() in (*fact.CATEGORIES, fact.RULE) and not category:
            category = word.lower()
        elif word.startswith("#"):
            tags.append(word)
        else:
            words.append(word)
    memory = profile.memory
    # `private`: the owner asks, and no model sees the answer.
    if day is not None:
        return await _of_day(memory, day, " ".join(words), category, tags)
    found = await memory.knowledge.facts(
        category=category, tags=tags, words=" ".join(words), private=True, limit=sys.maxsize
    )
    if not found:
        return await why_none(profile)
    names = list(dict.fromkeys((*fact.CATEGORIES, fact.RULE, *(each.category for each in found))))
    found.sort(key=lambda each: names.index(each.category))
    shown = list(enumerate(found, 1))[skip : skip + PAGE]
    parts = []
    for name, of_name in groupby(shown, key=lambda each: each[1].category):
        rows = [f"{number}. {_line(each)}" for number, each in of_name]
        parts.append("\n".join([f"**{name}**", "", *rows]))
    buttons = [Button(f"{number}", "facts.open", _named(each)) for number, each in shown]
    keyboard = in_rows(buttons, IN_A_ROW)
    if left := len(found) - skip - len(shown):
        parts.append(tr("… and {left} more", left=left))
        rest = {"words": asked, "skip": skip + PAGE}
        keyboard = (*keyboard, (Button(tr("More"), "facts.more", rest),))
    private = any(each.private for _, each in shown)
    return Shown("\n\n".join(parts), keyboard, private=private)


async def open_fact(press: Press) -> Outcome:
    """Show one fact, with buttons to confirm, pin, correct, forget and explain it."""
    known = await _known(press)
    return Outcome(tr(CHANGED)) if known is None else Outcome(message=_one(known))


async def confirm(press: Press) -> Outcome:
    """Take an uncertain fact for true."""
    return await _changed(press, press.profile.memory.knowledge.confirm, tr("Confirmed."))


async def pin(press: Press) -> Outcome:
    """Pin the fact, so that only the owner can change it."""
    said = tr("Pinned: only you can change it.")
    return await _changed(press, press.profile.memory.knowledge.pin, said)


async def _changed(press: Press, change: Callable[[str], Awaitable[None]], said: str) -> Outcome:
    known = await _known(press)
    if known is None or known.fact.id is None:
        return Outcome(tr(CHANGED))
    await change(known.fact.id)
    now = await press.profile.memory.knowledge.find(known.fact.id)
    return Outcome(said, replace=_one(now or known))


async def fix(press: Press) -> Outcome:
    """Ask for the right words."""
    known = await _known(press)
    if known is None:
        return Outcome(tr(CHANGED))
    where = known.path, known.number, known.fact.line
    return Outcome(message=ask_for_words(press, *where, private=known.private))


async def forget_fact(press: Press) -> Outcome:
    """Show everything that is kept about the fact, for forgetting."""
    known = await _known(press)
    if known is None:
        return Outcome(tr(CHANGED))
    kept = await forget.list_kept(press.profile, press.chat, plain(known.fact.text))
    return Outcome(message=as_shown(kept))


def _named(known: KnownFact) -> dict[str, object]:
    return {"path": known.path, "line": known.fact.line}


async def _known(press: Press) -> KnownFact | None:
    """Return the fact of a button: of that id, or of that line if it has none; None if it is gone,
    or its note is sealed."""
    path, line = press.argument["path"], press.argument["line"]
    asked = fact.parse(line)
    for each in await press.profile.memory.knowledge.facts(private=True, limit=sys.maxsize):
        same = asked is not None and asked.id is not None and each.fact.id == asked.id
        if same or (each.path, each.fact.line) == (path, line):
            return each
    return None


def _one(known: KnownFact) -> Shown:
    marks = [f"{escape(known.path)}:{known.number}", known.fact.get("updated")]
    about = _named(known)
    rows = [(tr("Fix"), "facts.fix", about), (tr("Forget"), "facts.forget", about)]
    if known.fact.id is not None and not known.fact.pinned:
        rows.insert(0, (tr("Pin"), "facts.pin", about))
        rows[:0] = [(tr("Confirm"), "facts.confirm", about)] * known.uncertain
    rows.append((tr("Why"), "why", {"path": known.path, "from": known.number, "to": known.number}))
    text = f"{_line(known)}\n\n{' · '.join(filter(None, marks))}"
    return Shown(text, in_rows([Button(*row) for row in rows], ABOUT_ONE), private=known.private)


async def why_none(profile: Assistant) -> str:
    """Return why no fact is found: only others are known, none was collected yet, or no model
    can."""
    if await profile.memory.knowledge.facts(private=True, limit=1):
        return tr(OTHERS)
    return tr(NEEDS_MODEL if profile.claude is None else NONE)


def _day_of(word: str) -> date | None:
    from memory.tools import day_meant

    try:
        return day_meant(word)
    except ValueError:
        return None


async def _of_day(
    memory: Memory, day: date, words: str, category: str, tags: list[str]
) -> Shown | str:
    """Format the facts that were true on that day, each with its first and its last day."""
    every = await memory.history.as_of(day, words, day_of=memory.today)
    past = [each for each in every if each.known.fits(category, tags, private=True)]
    if not past:
        return tr("I know of nothing like that on {day}.", day=day)
    rows = [
        tr(
            "- {plain} (from {since}",
            plain=escape(clipped(one_line(plain(each.known.fact.text)), LONGEST)),
            since=each.since,
        )
        + (tr(" until {until})", until=each.until) if each.until else tr(", and still)"))
        for each in past[:PAST]
    ]
    rows = [tr("**True on {day}**", day=day), *rows, *[tr(MORE)] * (len(past) > PAST)]
    return Shown("\n".join(rows), private=any(each.known.private for each in past))


def _line(known: KnownFact) -> str:
    text = clipped(one_line(plain(known.fact.text)), LONGEST)
    until = tr(" (until {expires})", expires=known.fact.expires) if known.fact.expires else ""
    doubt = tr(" (uncertain)") if known.uncertain else ""
    return f"{escape(text)}{until}{doubt}" + (" 📌" if known.fact.pinned else "")
