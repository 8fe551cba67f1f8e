"""Format the tools' answers as text for a model. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, tzinfo

from ..history import PastFact
from ..knowledge import KnownFact
from ..log import Message
from ..notes.kinds import relative
from ..notes.markdown import plain
from ..search import Hit, Recalled
from ..text.humanize import clipped, one_line, plural
from .context import ALONE, Around, speaker
from .results import (
    FactList,
    FoundPassage,
    ListedFact,
    MessageList,
    NoteLines,
    Passages,
    ToolResult,
    spoken,
)

PASSAGE = 700
"""Maximum characters of a passage in an answer; `get_memory` returns the rest."""
CONTEXT = 160
"""Maximum characters of an adjacent message."""
MOST = 15_000
"""Maximum characters of a whole answer: a note can have megabytes. A turn shows a little more."""

NOTHING = "I have nothing about that. Other words, or another language, may find more."
CLOSEST = " With `nearest` you see what comes closest all the same."
NOT_THEN = "Nothing about that is known to have been true on {}."
WEAK = "Nothing fits well; the nearest:"


def facts(found: Sequence[KnownFact]) -> ToolResult[FactList]:
    """Format facts, each with category, day, end and id."""
    listed = "\n".join(f"- [{known.category}] {_known(known)}" for known in found)[:MOST]
    rows = [_listed(known, known.fact.updated, known.fact.expires) for known in found]
    return ToolResult(listed or "There are no such facts.", FactList(rows))


def past_facts(found: Sequence[PastFact], day: date) -> ToolResult[FactList]:
    """List the facts that were true on that day, each with its first and its last day."""
    listed = [
        f"- [{each.known.category}] {plain(each.known.fact.text)} (from {each.since}"
        + (f" until {each.until})" if each.until else ", and still)")
        for each in found
    ]
    said = "\n".join([f"True on {day}:", *listed])[:MOST] if listed else NOT_THEN.format(day)
    rows = [_listed(each.known, each.since, each.until) for each in found]
    return ToolResult(said, FactList(rows))


def _listed(known: KnownFact, said: date | None, until: date | None) -> ListedFact:
    fact = known.fact
    return ListedFact(
        fact.id or "",
        known.category,
        plain(fact.text),
        known.path,
        known.number,
        said,
        until,
        known.uncertain,
    )


def _known(known: KnownFact) -> str:
    fact = known.fact
    days = [f"said {fact.updated}"] if fact.updated else []
    days += [f"until {fact.expires}"] if fact.expires else []
    days += ["uncertain"] if known.uncertain else []
    marks = f" ({', '.join(days)})" if days else ""
    return f"{plain(fact.text)}{marks}" + (f" ^{fact.id}" if fact.id else "")


def search(
    recalled: Recalled,
    messages: Mapping[int, Message],
    lines: Mapping[int, int],
    sam_dir: str = "",
    around: Mapping[int, Around] | None = None,
) -> ToolResult[Passages]:
    """List the hits under `## Knowledge` and `## Conversations`, each with the path to open it.

    `messages`: by id; `lines`: the line in the day's conversation at which a message begins;
    `around`: the context by passage.
    """
    weak = recalled.is_weak
    knowledge = [_fact(hit, sam_dir, weak) for hit in recalled.hits if hit.kind != "message"]
    said = [
        row
        for hit in recalled.hits
        if hit.kind == "message" and hit.message_ids and hit.message_ids[0] in messages
        for row in [
            _said(hit, messages[hit.message_ids[0]], lines.get(hit.message_ids[0], 1), weak),
            *(f"    {line}" for line in (around or {}).get(hit.chunk_id, ALONE).lines(CONTEXT)),
        ]
    ]
    parts = []
    if knowledge:
        parts.append("\n".join(["## Knowledge", *knowledge]))
    if said:
        parts.append("\n".join(["## Conversations", *said]))
    if not parts:
        parts.append(NOTHING + (CLOSEST if recalled.nearest else ""))
    elif weak:
        parts.insert(0, WEAK)
    if recalled.degraded:
        parts.append(f"({recalled.degraded})")
    hits = [
        passage
        for hit in recalled.hits
        if (passage := _passage(hit, messages, lines, sam_dir)) is not None
    ]
    found = Passages(hits, recalled.mode, weak, recalled.degraded or "")
    return ToolResult("\n\n".join(parts), found)


def _passage(
    hit: Hit, messages: Mapping[int, Message], lines: Mapping[int, int], sam_dir: str
) -> FoundPassage | None:
    """Return a hit as data; None for a message that may not be shown."""
    first, last, who, where = hit.start_line, hit.end_line, "", ""
    if hit.kind == "message":
        message = messages.get(hit.message_ids[0]) if hit.message_ids else None
        if message is None:
            return None
        first = last = lines.get(message.id, 1)
        who, where = speaker(message), channel(message.chat)
    return FoundPassage(
        hit.path,
        first,
        last,
        hit.heading,
        _short(hit.dated_text),
        hit.kind,
        category(hit, sam_dir),
        hit.date,
        round(hit.score, 3),
        hit.weak,
        hit.until,
        who,
        where,
    )


def _fact(hit: Hit, sam_dir: str, all_weak: bool) -> str:
    day = f"{hit.date}" if hit.date else "no date"
    lines = f"{hit.start_line}-{hit.end_line}" if hit.end_line > hit.start_line else hit.start_line
    where = f"{hit.path}:{lines}" + (f", {hit.section}" if hit.section else "")
    about = ", ".join([day, *marks(hit, all_weak)])
    return f"- [{about}] {_short(hit.dated_text)} ({category(hit, sam_dir)}) — {where}"


def _said(hit: Hit, message: Message, line: int, all_weak: bool) -> str:
    about = ", ".join([f"{hit.date}", channel(message.chat), *marks(hit, all_weak)])
    return f"- [{about}] {speaker(message)}: {_short(hit.dated_text)} — {hit.path}:{line}"


def marks(hit: Hit, all_weak: bool = False) -> list[str]:
    """Return the remarks on a hit; "weak" is omitted if all hits are weak."""
    found = [f"{hit.outdated}; a newer one says otherwise"] if hit.outdated else []
    return found + (["weak"] if hit.weak and not all_weak else [])


def category(hit: Hit, sam_dir: str = "") -> str:
    """Return a fact's category, which is the name of its file; otherwise its kind."""
    inside = relative(hit.path, sam_dir)
    if hit.kind == "fact" and inside.startswith("knowledge/"):
        return inside.removeprefix("knowledge/").removesuffix(".md")
    return hit.kind


def channel(chat: str) -> str:
    """`telegram:7` → `telegram`."""
    return chat.partition(":")[0]


def recent(messages: Iterable[Message], zone: tzinfo) -> ToolResult[MessageList]:
    """Format the messages, oldest first, one line each."""
    seen = [message for message in messages if visible(message)]
    said = [
        f"- [{message.sent_at.astimezone(zone):%Y-%m-%d %H:%M}, {channel(message.chat)}] "
        f"{speaker(message)}: {_short(message.text)}"
        for message in seen
    ]
    text = "\n".join(["## Conversations", *said]) if said else "Nothing was said yet."
    return ToolResult(text, MessageList(spoken(seen, zone, PASSAGE)))


def conversation(
    day: date, messages: Sequence[Message], zone: tzinfo
) -> tuple[list[str], dict[int, int]]:
    """Return one local day of the log as lines, and the line, from 1, at which each message begins.

    Continuation lines are indented, so that none looks like the start of a message.
    """
    rows = [f"# Conversations — {day}", ""]
    begins = {}
    for message in messages:
        if visible(message):
            begins[message.id] = len(rows) + 1
            at = message.sent_at.astimezone(zone)
            head = f"[{at:%H:%M:%S}, {channel(message.chat)}] {speaker(message)}: "
            rows += (head + message.text).replace("\n", "\n    ").split("\n")
    return rows, begins


def visible(message: Message) -> bool:
    """Return whether a model may see a message that it asks for; recalled answers are not shown."""
    return (
        message.privacy == "normal"
        and message.state != "forgotten"
        and message.origin != "recall"
        and bool(message.text.strip())
    )


def excerpt(name: str, rows: Sequence[str], from_line: int, count: int) -> ToolResult[NoteLines]:
    """Return some lines of a note, with a header line that states their range."""
    total = len(rows) - 1 if len(rows) > 1 and not rows[-1] else len(rows)
    first = max(1, from_line)
    if first > total:
        said = f"{name} has {plural(total, 'line')}: there is none from {first} on."
        return ToolResult(said, NoteLines(name, first, first - 1, total, ""))
    last, size = first - 1, 0
    for row in rows[first - 1 : min(total, first - 1 + max(1, count))]:
        size += len(row) + 1
        if size > MOST and last >= first:
            break
        last += 1
    text = "\n".join(rows[first - 1 : last])[:MOST]
    said = f"{name}, lines {first}-{last} of {total}:\n\n{text}"
    return ToolResult(said, NoteLines(name, first, last, total, text))


def _short(text: str) -> str:
    return clipped(one_line(text), PASSAGE)
