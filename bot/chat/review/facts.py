"""/facts: list what Sam knows about its owner, by category, tag and words."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from memory.notes import fact, plain
from memory.text import clipped, mark, one_line, tr

from ...markdown_escape import escape
from ...turn.incognito import without_embedding
from ..protocol import Call, Shown

if TYPE_CHECKING:
    from memory import KnownFact, Memory

    from ...assistant import Assistant

FACTS = 40
MORE = mark("There are more: `sam facts`, or the notes in knowledge/.")
NEEDS_MODEL = mark(
    "I have no facts: to collect them I need a model, and none is set up. What you tell me is kept "
    "all the same, and /search finds it."
)
NONE = mark("I don't know anything of that kind yet. I write down what you tell me after a while.")
LONGEST = 300  # characters of a fact


async def facts(call: Call) -> Shown | str:
    """List what I know about you: /facts, /facts preference, #home, WORDS, 2026-03 (as of then)"""
    words, tags, category = [], [], ""
    day: date | None = None
    for word in call.words.split():
        if day is None and (day := _day_of(word)) is not None:
            continue
        if word.lower() in (*fact.CATEGORIES, fact.RULE) and not category:
            category = word.lower()
        elif word.startswith("#"):
            tags.append(word)
        else:
            words.append(word)
    memory = call.profile.memory
    # `private`: the owner asks, and no model sees the answer.
    if day is not None:
        return await _of_day(memory, day, " ".join(words), category, tags)
    with without_embedding(await call.profile.turns.incognito.is_on(call.chat)):
        found = await memory.knowledge.facts(
            category=category, tags=tags, words=" ".join(words), private=True, limit=FACTS + 1
        )
    if not found:
        return why_none(call.profile)
    parts = []
    for name in dict.fromkeys((*fact.CATEGORIES, fact.RULE, *(each.category for each in found))):
        if of_name := [each for each in found[:FACTS] if each.category == name]:
            parts += [f"**{name}**", *(f"- {_line(each)}" for each in of_name), ""]
    if len(found) > FACTS:
        parts.append(tr(MORE))
    return Shown("\n".join(parts).strip(), private=any(each.private for each in found))


def why_none(profile: Assistant) -> str:
    """Return why no fact is found: none was collected yet, or no model can."""
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
        for each in past[:FACTS]
    ]
    rows = [tr("**True on {day}**", day=day), *rows, *[tr(MORE)] * (len(past) > FACTS)]
    return Shown("\n".join(rows), private=any(each.known.private for each in past))


def _line(known: KnownFact) -> str:
    text = clipped(one_line(plain(known.fact.text)), LONGEST)
    until = tr(" (until {expires})", expires=known.fact.expires) if known.fact.expires else ""
    doubt = tr(" (uncertain)") if known.uncertain else ""
    return f"{escape(text)}{until}{doubt}" + (" 📌" if known.fact.pinned else "")
