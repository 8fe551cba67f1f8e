"""Offer to import a file sent to the chat: a preview, with buttons."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import tzinfo
from typing import TYPE_CHECKING, Any

from memory import SamError
from memory.errors import TransferRefused, UnknownFormat
from memory.text import mark, tn, tr
from memory.transfer import conversations, is_packed, preview

from ...errors import TooLarge, described
from ...markdown_escape import escape
from ...media import Attachment, MediaFiles, Reader
from ..protocol import Button, Outcome, Press, Shown
from .estimate import cost_lines, in_bulk, known_line, languages_line, plain

if TYPE_CHECKING:
    from memory.transfer import ChatPreview, Conversations, Preview

    from ...assistant import Assistant

LISTED = 8  # chats in a preview, and on a page of the choice
PEOPLE = 8
LEFT_OUT = 5
TITLE, NAME = 40, 60  # characters of a chat's title, and of an author's name
EXPORTS = (".zip", ".json", ".txt", ".mbox")  # file name suffixes of exports
TOO_LARGE = mark(
    "If this is mail, or an export from ChatGPT, Claude, Telegram, WhatsApp, Google Keep or Day "
    "One, it is too large for me to fetch from this chat. Copy it to the server and import it "
    "there: `sam import FILE`"
)
OWN = mark(
    "This is an export from Sam. It can only be imported into an empty Sam, and I already have "
    "conversations. On another machine, before the first chat, `sam import FILE` restores all of "
    "it."
)
HALF = mark("Import at half the price")
TO_READ = mark("If you want me to read it instead, send it again with a question in the caption.")
GONE = mark("I no longer have that file: I keep files for 14 days. Send it again.")
CANCELLED = mark("Nothing was imported, and I have deleted the file.")
WHO = mark("Which one are you? The others' messages stay attributed to them.")
OTHERS = mark("If you are someone else: `sam import FILE --me NAME` on the server.")


async def offer(profile: Assistant, reader: Reader, file: Attachment) -> Shown | None:
    """Return the offer for an importable file, or what is wrong with a damaged one; None for an
    ordinary file. It stays in the folder of received files, to be imported from there."""
    try:
        path = await reader.store(profile.memory, file)
    except TooLarge:
        return Shown(tr(TOO_LARGE)) if file.suffix in EXPORTS else None
    except SamError:
        return None  # reading it as an ordinary file reports the error
    if await asyncio.to_thread(is_packed, path):
        await asyncio.to_thread(path.unlink, missing_ok=True)
        return Shown(tr(OWN))
    try:
        found = await asyncio.to_thread(conversations, path, file.name)
        seen = await preview(profile.memory, found)
    except UnknownFormat as unknown:
        if file.suffix == ".zip" and not profile.settings.has_model:  # which would say so
            await asyncio.to_thread(path.unlink, missing_ok=True)
            return Shown(escape(described(unknown)))
        found = None
    except TransferRefused as refused:
        await asyncio.to_thread(path.unlink, missing_ok=True)
        return Shown(escape(described(refused)))
    if found is None or not seen.chats:
        if file.kind == "other":  # nothing else reads it
            await asyncio.to_thread(path.unlink, missing_ok=True)
        return None
    argument = {
        "file": [file.chat_id, file.message_id],
        "name": file.name,
        "people": [in_button(name) for name, _ in seen.unknown.most_common(PEOPLE)],
    }
    spoken = languages_line(await asyncio.to_thread(seen.languages))
    return _shown(profile, found, seen, spoken, argument)


def open_file(press: Press) -> Conversations:
    """Return the file of a button; runs in a thread. Raises TransferRefused."""
    chat_id, message_id = press.argument["file"]
    path = MediaFiles(press.profile.memory.profile.files.media).of(chat_id, message_id)
    if path is None:
        raise TransferRefused(tr(GONE))
    return conversations(path, str(press.argument["name"]))


def chosen_chats(seen: Preview, numbers: Sequence[int] | None) -> list[ChatPreview]:
    """Return the chats with those numbers, from 0; None: all."""
    if numbers is None:
        return seen.chats
    return [seen.chats[number] for number in numbers if number < len(seen.chats)]


async def choose(press: Press) -> Outcome:
    """Show a page of the chats, each with a button to select or deselect it."""
    zone, picked = press.profile.memory.zone, list(press.argument["picked"])
    first = int(press.argument["at"])

    found = await asyncio.to_thread(open_file, press)
    seen = await preview(press.profile.memory, found, look_up=False)
    rows, keyboard = [tr("**Which chats?**"), ""], list[tuple[Button, ...]]()
    for number, chat in enumerate(seen.chats[first : first + LISTED], first):
        is_in = number in picked
        rows.append(f"{number + 1}. {'✅ ' if is_in else ''}{_line(chat, zone)}")
        other = [each for each in picked if each != number] if is_in else sorted([*picked, number])
        label = f"{'✅' if is_in else '▫️'} {number + 1} {_title(chat)}"
        keyboard.append((_turned(press.argument, label, first, other),))
    pages = []
    if first:
        pages.append(_turned(press.argument, tr("← Back"), max(0, first - LISTED), picked))
    if first + LISTED < len(seen.chats):
        pages.append(_turned(press.argument, tr("More →"), first + LISTED, picked))
    if pages:
        keyboard.append(tuple(pages))
    if picked:
        label = tr("Import {chats}", chats=tn("{count} chat", "{count} chats", len(picked)))
        keyboard.append((import_button(label, press.argument, picked),))
    keyboard.append((Button(tr("Cancel"), "import.cancel", _kept(press.argument)),))
    return Outcome(replace=Shown("\n".join(rows), tuple(keyboard)))


async def who(press: Press) -> Outcome:
    """Ask which of the authors the owner is."""
    people = press.argument["people"]
    rows = [(Button(name, "import.run", {**press.argument, "me": name}),) for name in people]
    rows.append((Button(tr("None of them"), "import.run", {**press.argument, "me": ""}),))
    rows.append((Button(tr("Cancel"), "import.cancel", _kept(press.argument)),))
    text = tr(WHO) if len(people) < PEOPLE else f"{tr(WHO)}\n\n{tr(OTHERS)}"
    return Outcome(replace=Shown(text, tuple(rows)))


async def cancel(press: Press) -> Outcome:
    """Import nothing, and delete the file."""
    chat_id, message_id = press.argument["file"]
    files = MediaFiles(press.profile.memory.profile.files.media)
    await asyncio.to_thread(files.forget, chat_id, [message_id])
    return Outcome(replace=Shown(tr(CANCELLED)))


def import_button(
    label: str, argument: Mapping[str, Any], chats: Sequence[int] | None, *, bulk: bool = False
) -> Button:
    """Return the button that imports those chats, asking first which author is the owner if
    unknown. `bulk`: the summaries are ordered in bulk."""
    action = "import.who" if argument["people"] else "import.run"
    return Button(label, action, {**_kept(argument), "chats": chats, "bulk": bulk})


def in_button(name: str) -> str:
    return plain(name, NAME) or tr("(without a name)")


def _shown(
    profile: Assistant,
    found: Conversations,
    seen: Preview,
    spoken: str,
    argument: Mapping[str, Any],
) -> Shown:
    zone, span = profile.memory.zone, seen.span()
    dates = ""
    if span is not None:
        first, last = (at.astimezone(zone) for at in span)
        dates = tr(", from {first:%Y-%m-%d} to {last:%Y-%m-%d}", first=first, last=last)
    name, file = found.importer.name, escape(plain(found.name))
    is_mail = found.importer.source == "mail"
    rows = [
        tr("**This looks like mail** ({plain})", plain=file)
        if is_mail
        else tr("**This looks like an export from {name}** ({plain})", name=name, plain=file),
        ", ".join(
            [
                tn("{count} chat", "{count} chats", len(seen.chats)),
                tn("{count} message", "{count} messages", seen.messages) + f"{dates}:",
            ]
        ),
        "",
        *(f"- {_line(chat, zone)}" for chat in seen.chats[:LISTED]),
    ]
    if len(seen.chats) > LISTED:
        rows.append(tr("- … and {count:,} more", count=len(seen.chats) - LISTED))
    if seen.known:
        rows += ["", known_line(seen)]
    people = seen.people(tr("You"))
    if people:
        most = people.most_common(PEOPLE)
        named = ", ".join(f"{plain(name)} ({count:,})" for name, count in most)
        rows += ["", escape(tr("Who wrote: {named}", named=named))]
    rows += ["", escape(spoken)] if spoken else []
    if seen.left_out:
        rows += ["", *_left_out_lines(seen)]
    costs = [escape(line) for line in cost_lines(profile.settings, seen)]
    rows += ["", *costs] if costs else []
    rows += ["", tr("Should I import it? {to_read}", to_read=tr(TO_READ))]
    choose_ = Button(tr("Choose chats"), "import.choose", {**argument, "at": 0, "picked": []})
    several = (choose_,) if len(seen.chats) > 1 else ()
    now = import_button(tr("Import all") if several else tr("Import"), argument, None)
    keyboard: list[tuple[Button, ...]] = [(now, *several)]
    if in_bulk(profile.settings):
        keyboard.append((import_button(tr(HALF), argument, None, bulk=True),))
    keyboard.append((Button(tr("Cancel"), "import.cancel", argument),))
    return Shown("\n".join(rows), tuple(keyboard))


def _left_out_lines(seen: Preview) -> list[str]:
    """List what cannot be imported, and why."""
    shown = seen.examples[:LEFT_OUT]
    rows = [
        tn("{count} entry is left out:", "{count} entries are left out:", seen.left_out),
        "",
        *(f"- {escape(f'{plain(each.which, NAME)}: {each.why}')}" for each in shown),
    ]
    if more := seen.left_out - len(shown):
        rows.append(tr("- … and {count:,} more", count=more))
    return rows


def _line(chat: ChatPreview, zone: tzinfo) -> str:
    dates = ""
    if chat.first is not None and chat.last is not None:
        first, last = chat.first.astimezone(zone), chat.last.astimezone(zone)
        dates = tr(", {first:%Y-%m-%d} to {last:%Y-%m-%d}", first=first, last=last)
    return (
        f"{escape(_title(chat))}: {tn('{count} message', '{count} messages', chat.messages)}{dates}"
    )


def _title(chat: ChatPreview) -> str:
    return plain(chat.label, TITLE) or tr("(without a title)")


def _turned(argument: Mapping[str, Any], label: str, at: int, picked: Sequence[int]) -> Button:
    return Button(label, "import.choose", {**_kept(argument), "at": at, "picked": picked})


def _kept(argument: Mapping[str, Any]) -> dict[str, Any]:
    return {name: argument[name] for name in ("file", "name", "people")}
