"""What `sam import` shows and asks before it begins: chats, people, a sample, the cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import tzinfo
from typing import TYPE_CHECKING

from memory import ConfigError
from memory.text import plural

from ..chat.transfer.estimate import known_line, languages_line, plain
from .questions import ask

if TYPE_CHECKING:
    from memory.transfer import ChatPreview, Conversations, Preview

LISTED = 40  # chats, unless all are asked for
PEOPLE = 8
LEFT_OUT = 10


def preview_lines(
    found: Conversations, seen: Preview, offset: int, zone: tzinfo, *, all_of: bool
) -> list[str]:
    """Describe a file: counts, its chats by number from `offset` + 1, people and a sample."""
    dates = ""
    if span := seen.span():
        dates = f", {span[0].astimezone(zone):%Y-%m-%d} to {span[1].astimezone(zone):%Y-%m-%d}"
    lines = [
        f"{found.importer.name}: {plain(found.path.name)}",
        f"{plural(len(seen.chats), 'conversation')}, {plural(seen.messages, 'message')}{dates}",
    ]
    numbered = list(enumerate(seen.chats, offset + 1))
    if not all_of and len(numbered) > LISTED:
        numbered = sorted(sorted(numbered, key=lambda each: -each[1].messages)[:LISTED])
    lines += [_chat_line(number, chat, zone) for number, chat in numbered]
    if len(numbered) < len(seen.chats):
        lines.append(f"      … and {len(seen.chats) - len(numbered):,} more: --dry-run lists all")
    if seen.known:
        lines.append(known_line(seen))
    people = seen.people("you")
    if people:
        most = [f"{plain(name)} ({count:,})" for name, count in people.most_common(PEOPLE)]
        more = f" and {len(people) - PEOPLE:,} more" if len(people) > PEOPLE else ""
        lines.append(f"Who wrote: {', '.join(most)}{more}")
    if named := languages_line(seen.languages()):
        lines.append(named)
    lines += left_out_lines(seen)
    sample = max(seen.chats, key=lambda chat: chat.messages).sample if seen.chats else []
    lines += ["For example:"] if sample else []
    for message in sample:
        who = plain(message.author) or "you"
        at = message.at.astimezone(zone)
        lines.append(f"  {at:%Y-%m-%d %H:%M}  {who}: {plain(message.text, 70)}")
    return lines


def left_out_lines(seen: Preview) -> list[str]:
    """List what of a file cannot be imported, and why."""
    shown = seen.examples[:LEFT_OUT]
    lines = [f"  left out, {plain(str(each), 160)}" for each in shown]
    if more := seen.left_out - len(shown):
        lines.append(f"  … and {more:,} more")
    return lines


def chosen_chats(text: str | None, chats: Sequence[ChatPreview]) -> list[ChatPreview]:
    """Return the chats of a list of numbers like `1,3-5`; all for None. Raises ConfigError."""
    if text is None:
        return list(chats)
    numbers: set[int] = set()
    for part in text.replace(" ", "").split(","):
        first, dash, last = part.partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            raise ConfigError([f"{text!r} is not a list of chats like 1,3-5"])
        begin, end = int(first), int(last or first)
        if not 1 <= begin <= end <= len(chats):
            raise ConfigError([f"there is no chat {part}: they are 1 to {len(chats)}"])
        numbers |= set(range(begin, end + 1))
    return [chats[number - 1] for number in sorted(numbers)]


def owner_in(people: Counter[str], given: str | None, *, may_ask: bool) -> str:
    """Return which of these people the owner is; "" where the file tells. Raises ConfigError."""
    if not people:
        return ""
    names = [name for name, _ in people.most_common()]
    shown = ", ".join(plain(name) for name in names[:20])
    if given is not None:
        match = [name for name in names if name.casefold() == given.strip().casefold()]
        if not match:
            raise ConfigError([f"nobody in it is called {given!r}: --me must be one of {shown}"])
        return match[0]
    if not may_ask:
        raise ConfigError([f"say which one you are with --me NAME: {shown}"])
    for number, name in enumerate(names[:20], 1):
        print(f"  {number}  {plain(name)}")
    answer = ask("Which one are you? ")
    if answer.isdecimal() and 1 <= int(answer) <= len(names[:20]):
        return names[int(answer) - 1]
    return owner_in(people, answer, may_ask=False)


def _chat_line(number: int, chat: ChatPreview, zone: tzinfo) -> str:
    first, last = (at.astimezone(zone) for at in (chat.first, chat.last) if at)
    title = plain(chat.label) or "(without a title)"
    return f"{number:>4}  {title:<40}  {chat.messages:>7,}  {first:%Y-%m-%d} to {last:%Y-%m-%d}"
