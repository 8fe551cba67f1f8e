"""Ask which of two contradictory facts is true: at most one question a day, in active hours.

The newer fact is already in effect, as uncertain: an unanswered question changes nothing.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from memory import Memory, is_group
from memory.maintenance import ContradictionResolver
from memory.notes import plain
from memory.text import clipped, one_line, tr

from ...inbox import Button, Keyboard
from ...markdown_escape import escape
from ...settings import Settings
from .proposals import Say

if TYPE_CHECKING:
    from memory.maintenance import ContradictoryFacts
    from memory.notes import Fact

EVERY = timedelta(days=1)
LONGEST = 300  # characters of a fact
LABEL = 40  # characters of a button


async def question_is_due(memory: Memory, settings: Settings) -> bool:
    """Return whether there is a contradiction, and the owner may be asked about one now."""
    if is_group(memory.profile.name) or not settings.contradiction_questions:
        return False
    now = memory.clock()
    if not settings.is_active(now.astimezone(memory.zone)):
        return False
    last = await memory.log.contradictions.last_asked()
    if last is not None and now - last < EVERY:
        return False
    return bool(await memory.log.contradictions.waiting())


async def ask_which(memory: Memory, speak: Say) -> None:
    """Ask the oldest question. Raises ChatError if nobody can be asked."""
    doubt = await contradictions_of(memory).next()
    if doubt is None:
        return
    text = "\n\n".join(
        [
            tr("You said two things that contradict each other. Which is right?"),
            f"1. {_statement(doubt.older)}\n2. {_statement(doubt.newer)}",
            tr(
                "Until you decide, I use the second, marked as uncertain. You can also just tell "
                "me."
            ),
        ]
    )
    await speak(text, key=f"contradiction:{doubt.fact}", keyboard=_keyboard(doubt))
    await memory.log.contradictions.mark_asked(doubt.fact)


def contradictions_of(memory: Memory) -> ContradictionResolver:
    return ContradictionResolver(
        memory.vault, memory.log, memory.profile.files.batch_lock, memory.today
    )


def _statement(fact: Fact) -> str:
    day = tr(" (said {updated})", updated=fact.updated) if fact.updated else ""
    return escape(clipped(one_line(plain(fact.text)), LONGEST) + day)


def _keyboard(doubt: ContradictoryFacts) -> Keyboard:
    def button(label: str, answer: str) -> Button:
        return Button(
            clipped(one_line(label), LABEL),
            "contradiction.answer",
            {"fact": doubt.fact, "answer": answer},
        )

    return (
        (button(plain(doubt.older.text), "first"),),
        (button(plain(doubt.newer.text), "second"),),
        (button(tr("Both are true"), "both"), button(tr("Don't ask again"), "neither")),
    )
