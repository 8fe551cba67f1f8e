"""Import a file sent to the chat; /import lists imports and undoes them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from memory import Memory
from memory.text import mark, tn, tr
from memory.transfer import import_conversations, preview
from memory.transfer import undo as take_out

from ...markdown_escape import escape
from ..protocol import Button, Call, Desk, Outcome, Press, Shown
from .estimate import plain
from .offer import chosen_chats, in_button, open_file

if TYPE_CHECKING:
    from memory.log import ImportRow
    from memory.transfer import Imported

LISTED = 10
NOTHING = mark(
    "Nothing has been imported. Send me as a file an export from ChatGPT, Claude, Telegram, "
    "WhatsApp, Google Keep or Day One, or your mail (mbox), and I will show you what is in it."
)
NOTHING_HERE = mark(
    "Nothing has been imported. In a shell, `sam import FILE` shows what is in an export from "
    "ChatGPT, Claude, Telegram, WhatsApp, Google Keep or Day One, or in your mail (mbox)."
)
TERMINAL = mark("To undo one: `sam import --undo ID`, in a shell.")
UNKNOWN = mark("There is no import {}: /import lists them.")
DONE = mark(
    "They can be searched now, and are summarised in the background. When that is done, I tell you "
    "what I have learned."
)
KNOWN = mark("All {} in it are already here. /import lists imports, and can undo them.")
ASK_UNDO = mark(
    "This removes its messages and notes, and what was written only from them. Undo it?"
)
GONE = mark("That import no longer exists.")
LEFT = mark("Left as it is.")


async def run(press: Press) -> Outcome:
    """Import the chats that were chosen."""
    memory = press.profile.memory

    async def work(desk: Desk) -> Shown:
        desk.tell(tr("Reading the file …"))
        found = await asyncio.to_thread(open_file, press)
        progress = _progress_callback(desk, tr("Reading"), found.size)
        seen = await preview(memory, found, progress, look_up=False)
        names = {chat.chat.name for chat in chosen_chats(seen, press.argument["chats"])}
        given = press.argument.get("me")
        me = next((name for name in seen.unknown if in_button(name) == given), "")
        done = await import_conversations(
            memory,
            found,
            chats=names,
            me=me,
            bulk=bool(press.argument.get("bulk")),
            progress=_progress_callback(desk, tr("Importing"), found.size),
        )
        if done.id is None and not done.updated:
            return Shown(tr(KNOWN).format(tn("{count} message", "{count} messages", done.known)))
        desk.tell(tr("Indexing …"))
        await memory.reconcile(())
        return _result(done)

    return Outcome(work=work)


def _result(done: Imported) -> Shown:
    """Return what was imported and updated, with a button to undo a new import."""
    rows = []
    if done.id is not None:
        chats = tn("{count} chat", "{count} chats", done.chats)
        counts = f"{chats}, {tn('{count} message', '{count} messages', done.messages)}"
        rows += [tr("✅ **Imported: {counts}.**", counts=counts), tr(DONE)]
    if done.updated:
        updated = tn(
            "{count} message was updated: edited since the last import.",
            "{count} messages were updated: edited since the last import.",
            done.updated,
        )
        rows.append(updated)
    if count := done.known:
        here = tn("{count} message was already here.", "{count} messages were already here.", count)
        rows.append(here)
    back = Button(tr("Undo this import"), "import.undo", {"id": done.id})
    return Shown("\n\n".join(rows), ((back,),) if done.id is not None else ())


async def import_(call: Call) -> Shown | str:
    """List imports, and undo the last one: /import, or /import undo"""
    memory, [what, *more] = call.profile.memory, call.words.lower().split() or [""]
    rows = await memory.log.imports.all()
    if not rows:
        return tr(NOTHING) if call.on_telegram else tr(NOTHING_HERE)
    if not call.on_telegram:
        return "\n".join([*(f"- {_line(row, memory)}" for row in rows), "", tr(TERMINAL)])
    if what == "undo":
        wanted = more[0] if more else str(rows[-1].id)
        row = next((each for each in rows if str(each.id) == wanted), None)
        return _question(row, memory) if row is not None else escape(tr(UNKNOWN).format(wanted))
    shown = rows[-LISTED:]
    keyboard = tuple(
        (Button(tr("Undo {id}", id=row.id), "import.undo", {"id": row.id}),) for row in shown
    )
    lines = [f"- {_line(row, memory)}" for row in shown]
    return Shown("\n".join([tr("**What was imported**"), "", *lines]), keyboard)


async def undo(press: Press) -> Outcome:
    """Show what an undo removes, and ask for confirmation."""
    row = await _found(press)
    return (
        Outcome(tr(GONE)) if row is None else Outcome(message=_question(row, press.profile.memory))
    )


async def undo_now(press: Press) -> Outcome:
    async def work(desk: Desk) -> Shown:
        desk.tell(tr("Looking for what was derived from it …"))
        row = await _found(press)
        if row is None:
            return Shown(tr(GONE))
        done = await take_out(press.profile.memory, row.id)
        gone = tr(
            "{messages} and {notes} removed.",
            messages=tn("{count} message", "{count} messages", done.messages),
            notes=tn("{count} note", "{count} notes", done.notes),
        )
        stay = [
            tr("- kept, because you have changed it: {path}", path=escape(path))
            for path in done.stay
        ]
        return Shown("\n".join([tr("↩️ Undone: {gone}", gone=gone), *stay]))

    return Outcome(work=work)


async def _found(press: Press) -> ImportRow | None:
    rows = await press.profile.memory.log.imports.all()
    return next((row for row in rows if row.id == press.argument["id"]), None)


def _question(row: ImportRow, memory: Memory) -> Shown:
    do = Button(tr("Undo it"), "import.undo.do", {"id": row.id})
    return Shown(
        f"{_line(row, memory)}\n\n{tr(ASK_UNDO)}", ((do, Button(tr("Leave it"), "import.leave")),)
    )


def _line(row: ImportRow, memory: Memory) -> str:
    counts = [tn("{count} chat", "{count} chats", row.chats)] if row.chats else []
    counts += [tn("{count} message", "{count} messages", row.messages)] if row.chats else []
    counts += [tn("{count} note", "{count} notes", row.notes)] if row.notes else []
    counts += [tr("{waiting:,} not summarised yet", waiting=row.waiting)] if row.waiting else []
    counts += [tn("{count} fact", "{count} facts", row.facts)] if row.facts else []
    counts += [tr("interrupted")] if row.ended_at is None else []
    at = row.started_at.astimezone(memory.zone)
    return f"{row.id} · {at:%Y-%m-%d %H:%M} · {escape(plain(row.name))} · {', '.join(counts)}"


def _progress_callback(desk: Desk, what: str, total: int) -> Callable[[int], None]:
    """Return a callback that shows the share of bytes done, and the remaining time."""
    begun = time.monotonic()

    def show(done: int) -> None:
        share, taken = min(1.0, done / max(1, total)), time.monotonic() - begun
        left = ""
        if share > 0.05:
            left = tr(", about {taken:.0f} s left", taken=taken * (1 - share) / share)
        desk.tell(f"{what}: {share:.0%}{left} …")

    return show
