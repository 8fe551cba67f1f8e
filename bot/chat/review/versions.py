"""/versions: list earlier versions of soul.md, identity.md and user.md, and restore one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memory import SamError
from memory.text import changed_lines, difference, mark, tn, tr

from ...errors import described
from ...markdown_escape import code_block, escape
from ...turn.incognito import NOT_NOW
from ..protocol import Button, Call, Outcome, Press, Shown, in_rows

if TYPE_CHECKING:
    from memory import Memory
    from memory.log import Version

LISTED = 10
IN_A_ROW = 5  # buttons
LINES = 60  # of a difference
WHICH = mark("Which file? `/versions soul.md`, `/versions identity.md` or `/versions user.md`")
ALONE = mark("I have no earlier version of {}: it has not changed since I first saw it.")
REFUSED = mark("I keep no copies of {}, because {}.")
GONE = mark("That version is no longer kept.")
SAME = mark("{} is identical to that version: there is nothing to bring back.")
BACK = mark("{} now has the text of {} again. `/versions {}` has the previous one.")


async def versions(call: Call) -> Shown | str:
    """Show earlier versions of your files, and restore one: /versions soul.md"""
    if await call.profile.turns.incognito.is_on(call.chat):
        return escape(tr(NOT_NOW))
    typed, _, number = call.words.partition(" ")
    guidance = call.profile.memory.guidance
    if not (name := guidance.versioned(typed)):
        return tr(WHICH)
    found = await guidance.versions(name)
    current = bool(found) and await guidance.is_current(found[0])
    if not found[current:]:
        why = await guidance.refused(name)
        return escape(tr(REFUSED).format(name, why) if why else tr(ALONE).format(name))
    if number.strip().isdecimal():
        place = int(number) - 1
        if not 0 <= place < len(found):
            return tr("Choose a number from 1 to {count}.", count=len(found))
        version = found[place].id
        return await _preview(call.profile.memory, version) or tr(GONE)
    buttons = [
        Button(f"{place}", "version.show", {"version": each.id})
        for place, each in enumerate(found[current:LISTED], 1 + current)
    ]
    rows = [tr("**{name}**, newest first:", name=escape(name)), ""]
    rows += listing(call.profile.memory, found, current=current)[:LISTED]
    if len(found) > LISTED:
        rows += [
            "",
            tr("… and {count} older: `sam versions {name}`", count=len(found) - LISTED, name=name),
        ]
    return Shown("\n".join(rows), in_rows(buttons, IN_A_ROW))


def listing(memory: Memory, found: Sequence[Version], *, current: bool) -> list[str]:
    """Return a line for each version: its number, when it was first seen, and what it changed in
    the one before. `current`: the first one is the note's present text."""
    rows = []
    for number, each in enumerate(found, 1):
        day = f"{each.seen_at.astimezone(memory.zone):%Y-%m-%d %H:%M}"
        by = tr(" (as I proposed it)") if each.cause.startswith("proposal") else ""
        by = tr(" (brought back)") if each.cause.startswith("restore") else by
        row = f"{number}. {day}{by}"
        if number == 1 and current:
            row += tr(", as it is now")
        if number < len(found):
            added, gone = changed_lines(found[number].text, each.text)
            row += tr(
                ": {lines} added, {gone} removed",
                lines=tn("{count} line", "{count} lines", added),
                gone=gone,
            )
        rows.append(row)
    return rows


async def show(press: Press) -> Outcome:
    """Preview restoring that version."""
    version = int(press.argument["version"])
    shown = await _preview(press.profile.memory, version)
    return Outcome(message=shown) if shown else Outcome(toast=tr(GONE))


async def restore(press: Press) -> Outcome:
    """Restore that version if the note is unchanged since it was shown."""
    memory = press.profile.memory
    number, expected = int(press.argument["version"]), str(press.argument["expected"])
    try:
        done = await memory.guidance.restore(number, expected)
    except SamError as why:
        return Outcome(toast=described(why))
    if done is None:
        return Outcome(toast=tr(GONE))
    path = done.version.path
    text = tr(BACK).format(escape(path), _day(memory, done.version), path)
    return Outcome(tr("Done."), replace=Shown(text))


async def _preview(memory: Memory, version: int) -> Shown | None:
    """Show what bringing that version back would change; None where it is no longer kept."""
    found = await memory.guidance.restoring(version)
    if found is None:
        return None
    path = found.version.path
    if found.before == found.after:
        return Shown(escape(tr(SAME).format(path)))
    head = tr(
        "Bringing back **{path}** from {day} would change:",
        path=escape(path),
        day=_day(memory, found.version),
    )
    changes = "\n".join(difference(found.before, found.after, most=LINES))
    text = f"{head}\n\n{code_block(changes, 'diff')}"
    argument = {"version": found.version.id, "expected": found.expected}
    return Shown(text, ((Button(tr("Bring it back"), "version.restore", argument),),))


def _day(memory: Memory, version: Version) -> str:
    return f"{version.seen_at.astimezone(memory.zone):%Y-%m-%d %H:%M}"
