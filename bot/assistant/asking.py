"""What Sam asks its owner to decide, with buttons: proposals, contradictions, a long MEMORY.md."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from memory import EditRefused, Memory, is_group
from memory.maintenance import ContradictionResolver, long_memory
from memory.notes import lines, plain, redaction
from memory.text import clipped, difference, one_line, reveal, tn, tr

from ..inbox import Button, Keyboard
from ..markdown_escape import code_block, escape
from ..prompt.token_budget import LONGEST
from ..settings import Settings

if TYPE_CHECKING:
    from memory.log import ProposedChange
    from memory.maintenance import ContradictoryFacts
    from memory.notes import Fact

    from .unprompted import Speak

REASON = 300  # characters
CONTRADICTIONS_EVERY = timedelta(days=1)
LONGEST_FACT = 300  # characters of a fact
LABEL = 40  # characters of a button
ASKED = "long_memory_asked"
LISTED = 5  # entries, with the beginning of their words
SHOWN = 100  # characters of one


async def has_unshown_proposal(memory: Memory) -> bool:
    """Return whether there is a proposal that the owner was not shown."""
    if is_group(memory.profile.name):
        return False
    return bool(await memory.log.proposals.open(not_shown=True))


async def show_proposals(memory: Memory, speak: Speak) -> None:
    """Show each new proposal. Raises ChatError if nobody can be asked."""
    proposals = memory.log.proposals
    guidance = memory.guidance
    for change in await proposals.open(not_shown=True):
        try:
            before, after = await guidance.texts(change)
        except EditRefused:  # the owner has changed the note in the meantime
            await proposals.decide(change.id, "unfit")
            continue
        if before == after:  # or he has made the change himself
            await proposals.decide(change.id, "accepted")
            continue
        text = await format_proposal(memory, change)
        await speak(text, key=f"proposal:{change.id}", keyboard=(buttons([change]),))
        await proposals.mark_shown(change.id)


async def format_proposal(memory: Memory, change: ProposedChange) -> str:
    """Return the proposal as it is shown: the note, the reason, and what would differ, without
    private lines around it. Raises EditRefused where it no longer fits."""
    before, after = await memory.guidance.texts(change)
    head = tr("Should I change **{path}**?", path=escape(change.path))
    if not before:
        head = tr("Should I write **{path}**?", path=escape(change.path))
    reason = escape(clipped(change.reason, REASON))
    hidden = redaction.withheld(before, change.path, memory.vault.sam_dir)
    private = {
        reveal(row).rstrip() for number, row in enumerate(lines(before), 1) if number in hidden
    }
    # What is said in a chat is seen by a model. Changed lines stay: they are its own words.
    rows = [
        row
        for row in difference(before, after)
        if not (row.startswith("  ") and row[2:] in private)
    ]
    return "\n\n".join(filter(None, (head, reason, code_block("\n".join(rows), "diff"))))


def buttons(changes: Sequence[ProposedChange], number: str = "") -> tuple[Button, ...]:
    """Return the two buttons of proposals decided together; `number`: their place in a list."""
    named = {"proposals": [change.id for change in changes]}
    return (
        Button(tr("Accept {number}", number=number).strip(), "proposal.accept", named),
        Button(tr("Reject {number}", number=number).strip(), "proposal.reject", named),
    )


async def question_is_due(memory: Memory, settings: Settings) -> bool:
    """Return whether there is a contradiction, and the owner may be asked about one now."""
    if is_group(memory.profile.name) or not settings.contradiction_questions:
        return False
    now = memory.clock()
    if not settings.is_active(now.astimezone(memory.zone)):
        return False
    last = await memory.log.contradictions.last_asked()
    if last is not None and now - last < CONTRADICTIONS_EVERY:
        return False
    return bool(await memory.log.contradictions.waiting())


async def ask_which(memory: Memory, speak: Speak) -> None:
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
    return escape(clipped(one_line(plain(fact.text)), LONGEST_FACT) + day)


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


async def is_too_long(memory: Memory, settings: Settings) -> bool:
    """Return whether MEMORY.md does not fit, and the owner was not asked. What has fitted again may
    be asked again."""
    if is_group(memory.profile.name):
        return False
    asked = await memory.log.settings.get(ASKED) or ""
    if not await long_memory.surplus(memory, LONGEST):
        if asked:
            await memory.log.settings.set(ASKED, "")
        return False
    return not asked and settings.is_active(memory.clock().astimezone(memory.zone))


async def ask_about_long_memory(memory: Memory, speak: Speak) -> None:
    """Ask him. Raises ChatError where nobody can be asked."""
    entries = await long_memory.surplus(memory, LONGEST)
    if not entries:
        return
    day = memory.today().isoformat()
    button = Button(
        tr("Move {entries}", entries=tn("{count} entry", "{count} entries", len(entries))),
        "memory.move",
    )
    await speak(report(entries), key=f"long-memory:{day}", keyboard=((button,),))
    await memory.log.settings.set(ASKED, day)


def report(entries: Sequence[str]) -> str:
    """Return what does not fit, and what can be done."""
    rows = [f"- {escape(clipped(one_line(plain(each)).lstrip('-*+ '), SHOWN))}" for each in entries]
    more = [tr("- and {count} more", count=len(rows) - LISTED)] if len(rows) > LISTED else []
    head = tr(
        "**MEMORY.md** is longer than the {longest} characters of it that I see with every "
        "message. Nothing is lost, and a search finds all of it. Shall I move these entries "
        "to a note, where I see them when they fit the question?",
        longest=f"{LONGEST:,}",
    )
    return "\n\n".join([head, "\n".join([*rows[:LISTED], *more])])
