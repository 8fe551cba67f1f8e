"""What the owner decides: proposed changes of their files, contradictions, a long MEMORY.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from memory import EditRefused
from memory.maintenance import long_memory
from memory.notes import plain
from memory.text import clipped, mark, one_line, tn, tr

from ...assistant import Assistant, asking
from ...markdown_escape import escape
from ...prompt.token_budget import LONGEST
from ...turn.incognito import NOT_NOW
from ..protocol import Button, Call, Outcome, Press, Shown

if TYPE_CHECKING:
    from memory.maintenance import Answer

AT_ONCE = 5
NONE = mark(
    "There are no open proposals. When I want to change soul.md, identity.md, user.md, "
    "heartbeat.md or a skill, I show you the change here, and you decide."
)
HOW = mark("To decide: `/proposals accept {0}`, `/proposals reject {0}`")
GONE = mark("That proposal is no longer kept.")
UNFIT = mark("The text that this would replace in {} is no longer there, so it cannot be applied.")
DONE = {
    "accepted": mark("Done: {} is changed."),
    "rejected": mark("Rejected: {} stays as it is, and I will not propose that again."),
}
CHANGED = mark(
    "Those facts have changed since, so I left them as they are. /facts lists what I know."
)
SAID = {
    "first": mark("Noted: {0}. The other one is in archive/."),
    "second": mark("Noted: {1}."),
    "both": mark("Noted, both: {0}; {1}."),
    "neither": mark(
        "I will keep “{1}”, marked as uncertain. To turn these questions off, set "
        "CONTRADICTION_QUESTIONS=false."
    ),
}
FITS = mark("All of MEMORY.md fits: nothing was moved.")


async def proposals(call: Call) -> Shown | str:
    """Show the changes to your files that I propose: /proposals, /proposals accept ID"""
    if await call.profile.turns.incognito.is_on(call.chat):
        return escape(tr(NOT_NOW))
    what, _, name = call.words.partition(" ")
    if what in ("accept", "reject") and name.strip():
        return await _decided(call.profile, name.strip(), accept=what == "accept")
    waiting = await call.profile.memory.guidance.open()
    rows, keyboard = list[str](), list[tuple[Button, ...]]()
    for number, change in enumerate(waiting[:AT_ONCE], 1):
        try:
            rows.append(f"{number}. {await asking.format_proposal(call.profile.memory, change)}")
        except EditRefused:
            rows.append(f"{number}. {escape(tr(UNFIT).format(change.path))}")
            await call.profile.memory.log.proposals.decide(change.id, "unfit")
            continue
        if not call.on_telegram:
            rows.append(tr(HOW).format(change.id))
        keyboard.append(asking.buttons([change], str(number) if len(waiting) > 1 else ""))
    if len(waiting) > AT_ONCE:
        rows.append(tr("{count} more are waiting.", count=len(waiting) - AT_ONCE))
    return Shown("\n\n".join(rows), tuple(keyboard)) if rows else tr(NONE)


async def decide(press: Press, *, accept: bool) -> Outcome:
    """Apply the change or changes, or leave the note as it is."""
    one = press.argument.get("proposal")  # format of older buttons, for a single change
    ids = [one] if one is not None else press.argument["proposals"]
    rows = [await _decided(press.profile, str(each), accept=accept) for each in ids]
    return Outcome(replace=Shown("\n\n".join(rows)))


async def _decided(profile: Assistant, name: str, *, accept: bool) -> str:
    guidance = profile.memory.guidance
    change, state = await (guidance.accept(name) if accept else guidance.reject(name))
    if change is None or state is None:
        return tr(GONE)
    text = tr(DONE.get(state, UNFIT)).format(escape(change.path))
    if state == "accepted" and change.old and guidance.versioned(change.path):
        text += tr(" The previous text: `/versions {path}`", path=change.path)
    return text


async def answer_contradiction(press: Press) -> Outcome:
    """Apply the owner's answer to a contradiction."""
    given = str(press.argument["answer"])
    if given not in SAID:
        return Outcome(toast=tr(CHANGED))
    doubts = asking.contradictions_of(press.profile.memory)
    doubt = await doubts.settle(str(press.argument["fact"]), cast("Answer", given))
    if doubt is None:
        return Outcome(replace=Shown(escape(tr(CHANGED))))
    texts = [
        clipped(one_line(plain(t)), asking.LONGEST_FACT)
        for t in (doubt.older.text, doubt.newer.text)
    ]
    return Outcome(tr("Thank you."), replace=Shown(escape(tr(SAID[given]).format(*texts))))


async def move_entries(press: Press) -> Outcome:
    """Move the entries of MEMORY.md that do not fit now to a note."""
    note, count = await long_memory.move(press.profile.memory, LONGEST)
    if not count:
        return Outcome(toast=tr(FITS))
    moved = tn("{count} entry", "{count} entries", count)
    text = tr("Moved {moved} to {note}. /undo brings them back.", moved=moved, note=note)
    return Outcome(tr("Moved."), replace=Shown(escape(text)))
