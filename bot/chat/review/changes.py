"""/changes: what memory learned, line by line, with buttons: keep, fix, forget, undo, pin, task."""

from __future__ import annotations

from memory.infra import parse_utc
from memory.notes import date_in, fact
from memory.text import mark, one_line, tr
from memory.tools import Tasks

from ...assistant.learned_list import ON_REQUEST, list_of_button, listing, to_do
from ...turn.incognito import without_embedding
from ..forgetting import forget
from ..protocol import Call, Outcome, Press, Shown
from . import undo
from .fix import CHANGED, ask_for_words

NOTHING = mark(
    "I have learned nothing new in the last 24 hours. `/undo list` shows earlier changes."
)


async def changes(call: Call) -> Shown | str:
    """Review what I learned in the last 24 hours"""
    start = call.at - ON_REQUEST
    with without_embedding(await call.profile.turns.incognito.is_on(call.chat)):
        found = await call.profile.memory.history.learned(start, call.at)
    if not found:
        return tr(NOTHING)
    return Shown(*listing(found, start, call.at), private=any(each.private for each in found))


async def keep(press: Press) -> Outcome:
    """Confirm a line."""
    return Outcome(tr("Kept."), replace=await _page(press, str(press.argument["line"])))


async def pin(press: Press) -> Outcome:
    """Pin a fact, so that only the owner can change it."""
    memory = press.profile.memory
    _, line = await list_of_button(memory, press.argument)
    found = fact.parse(line.line) if line is not None else None
    if line is None or found is None or found.id is None:
        return Outcome(tr(CHANGED))
    await memory.knowledge.pin(found.id)
    shown = await _page(press, line.name)
    return Outcome(tr("Pinned: only you can change it."), replace=shown)


async def task(press: Press) -> Outcome:
    """Add what is to be done to the tasks, unless it is one of the open ones."""
    memory = press.profile.memory
    _, line = await list_of_button(memory, press.argument)
    what = to_do(line) if line is not None else ""
    if line is None or not what:
        return Outcome(tr(CHANGED))
    tasks = Tasks(memory, memory.clock)
    day = date_in(what)
    due = day.isoformat() if day is not None and day >= tasks.today else ""
    if all(each.title != one_line(what) for each in await tasks.open()):
        await tasks.add(what, due=due)
    shown = await _page(press, line.name)
    return Outcome(tr("It is in {path}.", path=tasks.path), replace=shown)


async def more(press: Press) -> Outcome:
    """Show the next lines."""
    return Outcome(replace=await _page(press))


async def fix(press: Press) -> Outcome:
    """Ask for the right words."""
    _, line = await list_of_button(press.profile.memory, press.argument)
    if line is None:
        return Outcome(tr(CHANGED))
    text = await press.profile.memory.vault.read_optional(line.path) or ""
    rows = text.split("\n")
    number = next((n for n, row in enumerate(rows, 1) if row.strip() == line.line.strip()), 1)
    where = line.path, number, rows[number - 1].rstrip("\r")
    return Outcome(message=ask_for_words(press, *where, private=line.private))


async def forget_line(press: Press) -> Outcome:
    """Show everything that is kept about the line, for forgetting."""
    _, line = await list_of_button(press.profile.memory, press.argument)
    if line is None:
        return Outcome(tr(CHANGED))
    answer = await forget.list_kept(press.profile, press.chat, line.text)
    return Outcome(message=answer if isinstance(answer, Shown) else Shown(answer))


async def undo_line(press: Press) -> Outcome:
    """Show the effect of undoing the line."""
    _, line = await list_of_button(press.profile.memory, press.argument)
    if line is None:
        return Outcome(tr(CHANGED))
    return Outcome(message=undo.preview_line(line, press.argument))


async def _page(press: Press, *kept: str) -> Shown:
    found, _ = await list_of_button(press.profile.memory, press.argument)
    start, until = parse_utc(press.argument["since"]), parse_utc(press.argument["until"])
    return Shown(
        *listing(
            found,
            start,
            until,
            page=int(press.argument["page"]),
            kept={*map(str, press.argument["kept"]), *kept},
            shows_private=bool(press.argument["private"]),
        )
    )
