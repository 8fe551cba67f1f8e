"""/export: send everything that Sam keeps as a ZIP into the chat."""

from __future__ import annotations

from memory import OWNER
from memory.text import mark, size, tn, tr
from memory.transfer import packed_export

from ...assistant import Assistant
from ...markdown_escape import escape
from ...turn.incognito import NOT_NOW
from ..protocol import Button, Call, Desk, Outcome, Press, Shown

MOST = 50_000_000  # bytes: Telegram's limit for files from bots
HOLDS = mark(
    "I can send you everything that I keep as one ZIP: your notes and mine, all messages, all "
    "facts with their sources, `me.md` to paste into another assistant, and `index.html`, a page "
    "for your browser.\n\n"
    "⚠️ It is **not encrypted**, and contains the whole vault, with `sealed/` and notes marked as "
    "private. In this chat it passes through Telegram's servers, and stays there until you delete "
    "the message. It contains no keys, tokens or settings."
)
ON_SERVER = mark("To keep it off Telegram, export it to a folder on the server: {}")
SENT = mark("Sent: {}, with {} of the vault, {} and {}. No copy is left on the server.")
TOO_LARGE = mark(
    "Its size is {}, and a bot can send at most {}. Export it to a folder on the server: {}"
)
REFUSED = mark("Telegram did not accept the file. Export it to a folder on the server: {}")
LEFT_OUT = mark("\n\n⚠️ {} could not be read, and is not in it.")
LEFT = mark("Nothing was exported.")


async def export(call: Call) -> Shown | str:
    """Send you everything that I keep, as a ZIP"""
    command = _command(call.profile)
    if not call.on_telegram:
        return tr(
            "In a shell: {command} writes everything that I keep into a new folder.",
            command=command,
        )
    if await call.profile.turns.incognito.is_on(call.chat):
        return escape(tr(NOT_NOW))
    buttons = (Button(tr("Send it here"), "export.make"), Button(tr("Leave it"), "export.leave"))
    return Shown(f"{tr(HOLDS)}\n\n{tr(ON_SERVER).format(command)}", (buttons,))


async def make(press: Press) -> Outcome:
    """Create the export and send it."""
    profile = press.profile

    async def work(desk: Desk) -> Shown:
        desk.tell(tr("Exporting …"))
        async with packed_export(
            profile.memory,
            tell=lambda what: desk.tell(tr("Exporting: {what} …", what=escape(what))),
        ) as made:
            length, manifest = made.size, made.manifest
            if length > MOST:
                return Shown(tr(TOO_LARGE).format(size(length), size(MOST), _command(profile)))
            desk.tell(tr("Sending {size} …", size=size(length)))
            name = f"sam-{profile.name}-{profile.memory.today(press.at)}.zip"
            sent = await desk.send(made.path, name, tr("index.html shows it in a browser."))
        if not sent:
            return Shown(tr(REFUSED).format(_command(profile)))
        counts = manifest.counts
        text = tr(SENT).format(
            size(length),
            tn("{count} file", "{count} files", counts["notes"]),
            tn("{count} message", "{count} messages", counts["messages"]),
            tn("{count} fact", "{count} facts", counts["facts"]),
        )
        if manifest.left_out:
            text += tr(LEFT_OUT).format(tn("{count} file", "{count} files", len(manifest.left_out)))
        return Shown(text)

    return Outcome(work=work)


def _command(profile: Assistant) -> str:
    whose = "" if profile.name == OWNER else f" --profile {profile.name}"
    return f"`sam export DIR{whose}`"
