"""Put into words what is kept, what was forgotten, and what forgetting cannot reach."""

from __future__ import annotations

from datetime import tzinfo
from typing import TYPE_CHECKING

from memory import Memory
from memory.backup import backups, expiry
from memory.maintenance import Item
from memory.notes import task as task_line
from memory.notes import unlinked, unmarked
from memory.text import clipped, mark, one_line, tn, tr
from memory.tools import quoted

from ...settings import Settings, engine_keeps, remote_of

if TYPE_CHECKING:
    from .choice import Listed
    from .erase import Receipt

SHOWN = 300  # characters of a line
MADE = 30  # lines of what was made of one item
COPIES = mark(
    "An export that you made keeps it, and so does a backup of one profile alone: I do not know "
    "where you put them."
)
EXPIRES = mark("Earlier backups contain it until {last:%Y-%m-%d}, when the last of them expires.")


def described(listed: Listed, zone: tzinfo) -> list[tuple[str, list[str]]]:
    """Return each item that can be chosen, with what was made of it."""
    found: list[tuple[str, list[str]]] = []
    for item in listed.kept.items:
        made = [tr("with it: {made}", made=clipped(_shown(row), SHOWN)) for row in item.made[:MADE]]
        if (more := len(item.made) - MADE) > 0:
            made.append(tr("with it: … and {count:,} more", count=more))
        found.append((_title(item, zone), made))
    for update in listed.updates:
        day = update.received_at.astimezone(zone)
        found.append((tr("a message of {day:%Y-%m-%d %H:%M} that I could not handle", day=day), []))
    return found


def listing(listed: Listed, zone: tzinfo) -> list[str]:
    """Return the kept items as numbered lines; text derived from a message is indented."""
    rows: list[str] = []
    for number, (title, made) in enumerate(described(listed, zone), 1):
        rows += [f"{number}. {title}", *(f"    {each}" for each in made)]
    if yours := ", ".join(listed.kept.yours):
        rows.append(tr("These are your own notes, which I never change: {join}", join=yours))
    return rows


def _title(item: Item, zone: tzinfo) -> str:
    if item.message is not None:
        return quoted(item.message, zone, tr("You"))
    task = task_line.parse(f"- {item.text}")
    text = task.title if task else one_line(_shown(item.text))
    return tr("{place}: “{text}”", place=", ".join(item.where), text=clipped(text, SHOWN))


def _shown(text: str) -> str:
    """Return a line without links to where it came from, and the fields of a fact."""
    return unmarked(unlinked(text)).strip()


def out_of_reach(settings: Settings, memory: Memory) -> list[str]:
    """Return what forgetting cannot reach, one sentence each."""
    now = memory.clock()
    rows = [tr("Search will no longer find it, and buttons that refer to it will stop working.")]
    if settings.telegram_bot_token is not None:
        rows += [tr("Telegram keeps the messages until you delete them in the chat.")]
    if remote_of(settings, memory.profile.name).remote:
        rows.append(
            tr(
                "The remote follows with the next sync. Its own trash and version history you "
                "have to delete yourself."
            )
        )
    rows += [tr(COPIES), *engine_keeps(settings, now)]
    if last := expiry(list(backups(settings.backups)), now):
        rows.append(tr(EXPIRES, last=last))
    return rows


def receipt(done: Receipt, settings: Settings, memory: Memory) -> list[str]:
    """Return lines about what was deleted, what is kept and why, and what is out of reach."""
    if done.nothing:
        rows = [
            tr("It is already forgotten, or has changed since: there was nothing left to forget.")
        ]
    else:
        parts = [
            tn("{count} message", "{count} messages", done.erased.messages),
            tn("{count} line", "{count} lines", done.erased.lines),
        ]
        if done.updates:
            updates = tn("{count} message", "{count} messages", done.updates)
            parts.append(updates + tr(" that I could not handle"))
        rows = [tr("Forgotten: {join}. Search no longer finds them.", join=", ".join(parts))]
    if done.erased.changed:
        messages = tn("{count} message", "{count} messages", done.erased.changed)
        rows.append(tr("Changed since you saw it, and kept: {messages}.", messages=messages))
    if done.left:
        rows.append(tr("The words are still in your own notes: {join}.", join=", ".join(done.left)))
    if done.others:
        join = ", ".join(done.others)
        rows.append(tr("Other things that you kept contain the same words: {join}.", join=join))
    if not (done.left or done.others or done.nothing):
        rows.append(tr("I have searched all my files for the forgotten text: none of it is left."))
    return [*rows, *out_of_reach(settings, memory)[1:]]
