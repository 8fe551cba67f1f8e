"""/facts: list what Sam knows about its owner, by category, tag and words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory.notes import plain
from memory.text import clipped, one_line

from ...markdown_escape import escape
from ...turn.incognito import quietly
from ..protocol import Call

if TYPE_CHECKING:
    from memory.knowledge import KnownFact

FACTS = 40
LONGEST = 300  # characters of a fact


async def facts(call: Call) -> str:
    """List what I know about you: /facts, /facts preference, /facts #home, /facts WORDS"""
    from memory.knowledge import CATEGORIES, RULE  # imported here: Telegram's menu does not need it

    words, tags, category = [], [], ""
    for word in call.words.split():
        if word.lower() in (*CATEGORIES, RULE) and not category:
            category = word.lower()
        elif word.startswith("#"):
            tags.append(word)
        else:
            words.append(word)
    knowledge = call.profile.memory.knowledge
    with quietly(await call.profile.turns.incognito.on(call.chat)):
        # `private`: the owner asks, and no model sees the answer.
        found = await knowledge.facts(
            category=category, tags=tags, words=" ".join(words), private=True, limit=FACTS + 1
        )
    if not found:
        return (
            "I don't know anything of that kind yet. I write down what you tell me after a while."
        )
    parts = []
    for name in dict.fromkeys((*CATEGORIES, RULE, *(each.category for each in found))):
        if of_name := [each for each in found[:FACTS] if each.category == name]:
            parts += [f"**{name}**", *(f"- {_line(each)}" for each in of_name), ""]
    if len(found) > FACTS:
        parts.append("There are more: `sam facts`, or the notes in knowledge/.")
    return "\n".join(parts).strip()


def _line(known: KnownFact) -> str:
    text = clipped(one_line(plain(known.fact.text)), LONGEST)
    until = f" (until {known.fact.expires})" if known.fact.expires else ""
    doubt = " (uncertain)" if known.uncertain else ""
    return f"{escape(text)}{until}{doubt}" + (" 📌" if known.fact.pinned else "")
