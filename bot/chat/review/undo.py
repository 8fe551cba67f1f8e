"""/undo: undo Sam's changes to notes, after a preview; and redo them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, tzinfo
from typing import Any

from memory import ChangeSet, Learned, Memory
from memory.errors import NoteMissing
from memory.text import clipped, mark, one_line, short_day, tn, tr

from ...assistant.learned_list import LONGEST, list_of_button
from ...markdown_escape import escape
from ..protocol import Button, Call, Outcome, Press, Shown, in_rows

LISTED = 10
LINES = 12  # of one change
BEGINS = 80  # characters of a change in the list
IN_A_ROW = 5  # buttons
NOTHING = mark("There is nothing to undo: I have changed no note of yours in the last 30 days.")
FINAL = mark("What was forgotten cannot be brought back.")
BEFORE = mark("My last change before that:")
LEFT = mark("Left as it is.")
LEFT_NOTES = mark("Not undone, because it was renamed, moved or deleted since: {paths}")


async def undo(call: Call) -> Shown | str:
    """Undo my last change, after a preview: /undo, or /undo list to choose"""
    memory = call.profile.memory
    if words := call.words.strip():
        changes = await memory.history.changes(LISTED)
        numbered = {str(number): each for number, each in enumerate(changes, 1)}
        if chosen := numbered.get(words):
            return await preview(memory, chosen, call.at)
        return listed(changes, memory, call.at)
    last = await memory.history.last()
    final = await forgotten_since(memory, last)
    if last is None:
        return "\n\n".join(filter(None, [final, tr(NOTHING)]))
    shown = await preview(memory, last, call.at)
    if final:
        return Shown(f"{final} {tr(BEFORE)}\n\n{shown.text}", shown.keyboard)
    return shown


async def forgotten_since(memory: Memory, last: ChangeSet | None) -> str:
    """Return that forgetting cannot be undone, if something was forgotten after the last change;
    else ""."""
    at = await memory.log.forgetting.last()
    return tr(FINAL) if at and (last is None or last.at <= at) else ""


async def preview(memory: Memory, change: ChangeSet, now: datetime) -> Shown:
    """Return a preview of undoing or redoing a change, with a button."""
    back = not change.undone
    rows = [f"**{change_title(change, now, memory.zone)}**"]
    if why := await reason(memory, change):
        rows.append(f"*{escape(why)}*")
    rows.append(tr("Undoing it would:") if back else tr("It is undone. Redoing it would:"))
    rows.append("\n".join(f"- {escape(line)}" for line in effects(change, memory, back=back)))
    label, action = (tr("Undo it"), "undo.do") if back else (tr("Redo"), "undo.redo")
    do = Button(label, action, {"change": change.key})
    return Shown("\n\n".join(rows), ((do, Button(tr("Leave it"), "undo.leave")),))


def effects(change: ChangeSet, memory: Memory, *, back: bool) -> list[str]:
    """Return the effects of an undo or redo, one line each, by note."""
    found = change.lines(memory.vault.sam_dir)
    shown = [_effect(line.added, line.text, line.path, back=back) for line in found[:LINES]]
    if len(found) > LINES:
        more_lines = tn("{count} more line", "{count} more lines", len(found) - LINES)
        shown.append(tr("… and {more_lines}", more_lines=more_lines))
    return shown or [tr("change only the formatting of some lines")]


def change_title(change: ChangeSet, now: datetime, zone: tzinfo) -> str:
    """Return when Sam did what."""
    at, today = change.at.astimezone(zone), now.astimezone(zone).date()
    day = tr("Today") if at.date() == today else short_day(at)
    return f"{day} {at:%H:%M}: {'; '.join(map(tr, change.did))}"


async def reason(memory: Memory, change: ChangeSet) -> str:
    """Return the reason for the change; "" if it is unknown."""
    if change.key.startswith("batch "):
        return tr("based on our conversation until then")
    if change.turn is None:
        return ""
    turn = await memory.log.turns.find(change.turn)
    text = one_line(turn.message.text) if turn is not None else ""
    return tr("because you wrote: “{text}”", text=clipped(text, LONGEST)) if text else ""


def listed(changes: Sequence[ChangeSet], memory: Memory, now: datetime) -> Shown:
    """Return the last changes, numbered, with a button for each."""
    if not changes:
        return Shown(tr(NOTHING))
    rows, buttons = [tr("**My last changes**"), ""], list[Button]()
    for number, change in enumerate(changes, 1):
        lines = change.lines(memory.vault.sam_dir)
        telling = [line for line in lines if not line.text.startswith("Summary:")]
        telling.sort(key=lambda line: not line.added)
        first = telling[0].text if telling else ""
        about = f": {clipped(one_line(first), BEGINS)}" if first else ""
        undone = tr(" (undone)") if change.undone else ""
        rows.append(f"{number}. {escape(change_title(change, now, memory.zone) + about + undone)}")
        buttons.append(Button(f"{number}", "undo.show", {"change": change.key}))
    return Shown("\n".join(rows), in_rows(buttons, IN_A_ROW))


def preview_line(line: Learned, argument: Mapping[str, Any]) -> Shown:
    """Return a preview of undoing one line of the list."""
    text = escape(clipped(one_line(line.text), LONGEST))
    match line.kind:
        case "added":
            said = tr("remove “{text}”", text=text)
        case "changed":
            before = escape(clipped(one_line(line.before), LONGEST))
            said = tr("change “{text}” back to “{before}”", text=text, before=before)
        case "retired":
            said = tr("restore “{text}”", text=text)
    do = Button(tr("Undo it"), "undo.line", dict(argument))
    place = escape(line.path)
    return Shown(
        tr("Undoing it would {said}, in {place}.", said=said, place=place),
        ((do, Button(tr("Leave it"), "undo.leave")),),
    )


async def show(press: Press) -> Outcome:
    """Show one change of the list."""
    memory = press.profile.memory
    change = await memory.history.find(str(press.argument["change"]))
    if change is None:
        raise NoteMissing(tr("That change is no longer kept."))
    return Outcome(message=await preview(memory, change, press.at))


async def undo_change(press: Press) -> Outcome:
    change = await press.profile.memory.history.undo(str(press.argument["change"]))
    done, left = tr("↩️ Undone"), left_notice(change)
    text = f"{done}. {escape(left)}" if left else done
    shown = _done(change.key, text, tr("Redo"), "undo.redo")
    return Outcome("" if left else tr("Undone."), replace=shown)


def left_notice(change: ChangeSet) -> str:
    """Return which notes the undo of a change left as they are; "" if none."""
    return tr(LEFT_NOTES, paths=", ".join(change.left)) if change.left else ""


async def redo(press: Press) -> Outcome:
    change = await press.profile.memory.history.redo(str(press.argument["change"]))
    shown = _done(change.key, tr("Redone"), tr("Undo"), "undo.do")
    return Outcome(tr("Redone."), replace=shown)


async def line(press: Press) -> Outcome:
    """Undo one line of the list of what was learned."""
    _, found = await list_of_button(press.profile.memory, press.argument)
    if found is None:
        return Outcome(tr("That line has changed since, or is already undone."))
    key = await press.profile.memory.history.revert_line(found)
    again = "undo.redo" if found.part is None else "undo.do"
    text = tr("↩️ Undone: {text}", text=escape(clipped(one_line(found.text), LONGEST)))
    return Outcome(tr("Undone."), replace=_done(key, text, tr("Redo"), again))


def _done(key: str, text: str, label: str, action: str) -> Shown:
    return Shown(text, ((Button(label, action, {"change": key}),),))


def _effect(added: bool, text: str, path: str, *, back: bool) -> str:
    text = clipped(one_line(text), LONGEST)
    if added is back:
        return tr("remove “{text}” ({path})", text=text, path=path)
    if back:
        return tr("restore “{text}” ({path})", text=text, path=path)
    return tr("add “{text}” ({path})", text=text, path=path)
