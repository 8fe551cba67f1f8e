"""/export: everything that Sam keeps, as a ZIP that comes into the chat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory import OWNER
from memory.text import plural, size
from memory.transfer import packed

from ...markdown_escape import escape
from ...turn.incognito import NOT_NOW
from ..protocol import Button, Call, Desk, Outcome, Press, Shown

if TYPE_CHECKING:
    from ...assistant import Assistant

MOST = 50_000_000  # bytes: Telegram takes no larger file from a bot
HOLDS = (
    "I can send you everything that I keep, as one ZIP: your notes and mine, all messages,"
    " what I know with its sources, `me.md` to paste into another assistant, and a page,"
    " `index.html`, that opens in a browser.\n\n"
    "⚠️ It is **not encrypted**, and the vault in it is whole, with `sealed/` and notes that are"
    " marked as private. In this chat it passes Telegram's servers, and stays there until you"
    " delete the message. Keys, tokens and settings are not in it."
)
ON_SERVER = "To keep it off Telegram, write it into a folder on the server: {}"
SENT = "Sent: {}, with {} of the vault, {} and {}. Nothing of it is left on the server."
TOO_LARGE = "It has {}, and a bot may send {} at most. Write it into a folder on the server: {}"
REFUSED = "Telegram did not take the file. Write it into a folder on the server: {}"
LEFT_OUT = "\n\n⚠️ {} could not be read, and is not in it."
LEFT = "Nothing was exported."


async def export(call: Call) -> Shown | str:
    """Send you everything that I keep, as a ZIP"""
    command = _command(call.profile)
    if not call.on_telegram:
        return f"In a shell: {command} writes everything that I keep into a new folder."
    if await call.profile.turns.incognito.on(call.chat):
        return escape(NOT_NOW)
    buttons = (Button("Send it here", "export.make"), Button("Leave it", "export.leave"))
    return Shown(f"{HOLDS}\n\n{ON_SERVER.format(command)}", (buttons,))


async def make(press: Press) -> Outcome:
    """Make it, and send it."""
    profile = press.profile

    async def work(desk: Desk) -> Shown:
        desk.tell("Exporting …")
        async with packed(
            profile.memory, tell=lambda what: desk.tell(f"Exporting: {escape(what)} …")
        ) as made:
            length, manifest = made.size, made.manifest
            if length > MOST:
                return Shown(TOO_LARGE.format(size(length), size(MOST), _command(profile)))
            desk.tell(f"Sending {size(length)} …")
            name = f"sam-{profile.name}-{profile.memory.today(press.at)}.zip"
            sent = await desk.send(made.path, name, "index.html shows it in a browser.")
        if not sent:
            return Shown(REFUSED.format(_command(profile)))
        counts = manifest.counts
        text = SENT.format(
            size(length),
            plural(counts["notes"], "file"),
            plural(counts["messages"], "message"),
            plural(counts["facts"], "fact"),
        )
        if manifest.left_out:
            text += LEFT_OUT.format(plural(len(manifest.left_out), "file"))
        return Shown(text)

    return Outcome(work=work)


async def leave(press: Press) -> Outcome:
    """Export nothing."""
    return Outcome(replace=Shown(LEFT))


def _command(profile: Assistant) -> str:
    whose = "" if profile.name == OWNER else f" --profile {profile.name}"
    return f"`sam export DIR{whose}`"
