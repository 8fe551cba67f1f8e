"""/proposals: proposed changes to the owner's files, with buttons to decide."""

from __future__ import annotations

from memory import EditRefused
from memory.text import mark, tr

from ...assistant import Assistant, asking
from ...markdown_escape import escape
from ...turn.incognito import NOT_NOW
from ..protocol import Button, Call, Outcome, Press, Shown

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
