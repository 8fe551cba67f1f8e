"""The transcript of a finished session, `sessions/2026-02-12-143000-telegram-7.md`.

It is not indexed, because its messages are. Each message is a block with an id, by which it can be
found and removed:

    **You** · 14:30:00 ^m12-1770906600
    > what was said, with its lines, lists, tables and code

The text is quoted, so that none of its lines can look like a header, another message or front
matter, and so that an unclosed fence ends with it.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from datetime import tzinfo
from typing import NamedTuple

from ..errors import EditRefused
from ..infra.atomic_files import NOTE_BYTES
from ..notes.markdown import inert
from ..text.secrets import mask
from ..vault import Vault
from .log import Log
from .models import Message, Session

_MARK = re.compile(r"(?:^|(?<=\s))\^(m\d+-\d+)(?=\s*$)")
_QUOTED = re.compile(r"(?:\s*>)*")
_LINE_END = re.compile("\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_FENCE = re.compile(r"(\s*)(?:(?:[-*+]|\d{1,9}[.)])\s+)*(`{3,}(?=[^`]*$)|~{3,})(.*)")
_ITEM = re.compile(r"(\s*)([-*+]|\d{1,9}[.)])\s+(\S.*)")
_DELIMITERS = re.compile(r"\|?(\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*)\|?")
_DOLLAR = re.compile(r"\\.|\$")
_DEEPEST = 12  # spaces of indentation before a list item

# Languages that no plugin executes, unlike dataviewjs, tasks, query or button.
_LANGUAGE = re.compile(
    "bash|c|cpp|cs|csharp|css|diff|dockerfile|go|html|ini|java|javascript|js|json|kotlin|lua"
    "|makefile|markdown|md|nix|perl|php|powershell|py|python|r|ruby|rust|scala|sh|shell|sql|swift"
    "|text|toml|ts|tsx|typescript|xml|yaml|yml|zsh"
)


_PART = "-part"
_PART_BYTES = NOTE_BYTES // 3  # a line is at most doubled by the quotation
_HEADING_BYTES = 200  # of a message, at most

_log = logging.getLogger(__name__)


class Entry(NamedTuple):
    """A message's block with the blank line after it, or any other single line. `line` counts from
    1. `mark`: the message's block id, without `^`; "" for other lines.
    """

    line: int
    rows: tuple[str, ...]
    mark: str


def path_of(session: Session, zone: tzinfo) -> str:
    """Return the path of the session's transcript, made of its local start and its chat."""
    chat = re.sub(r"[^A-Za-z0-9]+", "-", session.chat).strip("-")
    return f"sessions/{session.started_at.astimezone(zone):%Y-%m-%d-%H%M%S}-{chat}.md"


def render(session: Session, messages: Sequence[Message], zone: tzinfo, profile: str) -> str:
    """Render front matter with the session's time, chat and profile, and a block per message."""
    started = session.started_at.astimezone(zone)
    ended = session.ended_at.astimezone(zone) if session.ended_at else None
    head = [
        "---",
        f"session: {started:%Y-%m-%dT%H:%M:%S%z}",
        *([f"ended: {ended:%Y-%m-%dT%H:%M:%S%z}"] if ended else []),
        f"chat: {session.chat}",
        f"profile: {profile}",
        "---",
        "",
        f"# Session of {started:%Y-%m-%d %H:%M}",
        "",
    ]
    day = ""
    rows: list[str] = []
    for message in messages:
        if not message.text:
            continue  # forgotten
        at = message.sent_at.astimezone(zone)
        if f"{at:%Y-%m-%d}" != day:
            day = f"{at:%Y-%m-%d}"
            rows += [f"## {day}", ""]
        name = "Sam" if message.role == "assistant" else message.author or "You"
        rows.append(f"**{inert(name.replace('*', ''))}** · {at:%H:%M:%S} ^{mark_of(message)}")
        rows += [f"> {row}" if row else ">" for row in quotable(mask(message.text))]
        rows.append("")
    return "\n".join([*head, *rows])


def mark_of(message: Message) -> str:
    """Return the id of a message's block. It includes the time, because a recreated log numbers its
    messages from 1 again."""
    return f"m{message.id}-{int(message.sent_at.timestamp())}"


def mark_in(line: str) -> str:
    """Return the id of the message whose block begins with this line; "" if none does."""
    found = _MARK.search(line) if "^m" in line else None
    return found[1] if found else ""


def entries(text: str) -> Iterator[Entry]:
    """Yield the blocks and lines of a note; all their rows, joined by `\\n`, are its text.

    A block is a line with a mark, and the lines below it that are quoted deeper. In copies in the
    archive the whole block may be quoted.
    """
    rows = text.split("\n")
    at = 0
    while at < len(rows):
        begin, mark = at, mark_in(rows[at])
        at += 1
        if mark:
            depth = _depth(rows[begin])
            below = at + _is_blank(rows[at : at + 1], depth)  # linters add a line
            end = below
            while end < len(rows) and _depth(rows[end]) > depth:
                end += 1
            if end > below:
                at = end + _is_blank(rows[end : end + 1], depth)
        yield Entry(begin + 1, tuple(rows[begin:at]), mark)


def _depth(row: str) -> int:
    found = _QUOTED.match(row)
    return found[0].count(">") if found else 0


def _is_blank(rows: Sequence[str], depth: int) -> bool:
    return any(not row.replace(">", "").strip() and _depth(row) <= depth for row in rows)


def quotable(text: str) -> list[str]:
    """Return the text as lines of a quote, without `> `, as inert Markdown.

    Line breaks, lists, tables and fenced code are kept; everything else is escaped by `inert`.
    """
    rows = [_CONTROL.sub("", row) for row in _LINE_END.split(text.strip("\r\n"))]
    shown: list[str] = []
    at, in_list = 0, False
    while at < len(rows):
        row = rows[at]
        if fence := _FENCE.fullmatch(row):
            end = next((n for n in range(at + 1, len(rows)) if _closes(rows[n], fence[2])), None)
            shown += _code(rows[at + 1 : end], len(fence[1]), fence[3])
            at = len(rows) if end is None else end + 1
        elif "|" in row and (columns := _columns(rows[at + 1 : at + 2])):
            end = next((n for n in range(at + 2, len(rows)) if "|" not in rows[n]), len(rows))
            shown += [""] if shown and shown[-1] else []  # Obsidian requires it before a table
            shown += [_line(row), columns, *map(_line, rows[at + 2 : end])]
            at = end
        else:
            item = _ITEM.fullmatch(row)
            if item:
                indent = item[1].expandtabs(4)[:_DEEPEST] if in_list else ""
                shown.append(f"{indent}{item[2]} {_line(item[3])}")
            else:
                shown.append(_line(row))
            in_list = item is not None or (in_list and not row.strip())
            at += 1
    return shown


def _line(row: str) -> str:
    # Mathematics may span lines, and `inert` sees only one line at a time.
    return _DOLLAR.sub(lambda found: "\\$" if found[0] == "$" else found[0], inert(row))


def _closes(row: str, fence: str) -> bool:
    bare = row.strip()
    return bare.startswith(fence) and not bare.strip(fence[0])


def _code(rows: Sequence[str], indent: int, info: str) -> list[str]:
    """Return a fenced block that no line of the code can close; escape what would still be
    executed."""
    longest = max((len(run) for row in rows for run in re.findall("`+", row)), default=0)
    fence = "`" * max(3, longest + 1)
    name = (info.split() or [""])[0].lower()
    code = [row[min(indent, len(row) - len(row.lstrip())) :] for row in rows]
    code = [_MARK.sub(r"^ \1", row.replace("<%", "< %")) for row in code]  # Templater runs <% … %>
    return [fence + (name if _LANGUAGE.fullmatch(name) else ""), *code, fence]


def _columns(rows: Sequence[str]) -> str:
    """Return the delimiter row below a table's header, with a bar at each end; "" if there is
    none."""
    found = _DELIMITERS.fullmatch(rows[0].strip()) if rows and "|" in rows[0] else None
    return f"|{found[1]}|" if found else ""


def line_of(message: Message, zone: tzinfo) -> str:
    """Return the message's line in transcripts from before 2026-11, which had one line per
    message."""
    at = message.sent_at.astimezone(zone)
    return f"{at:%H:%M:%S} {inert(message.author or message.role)}: {inert(mask(message.text))}"


async def write_ended(log: Log, vault: Vault, zone: tzinfo, profile: str) -> None:
    """Write the transcripts of ended sessions that have none yet; idempotent. One that cannot be
    written is left for the next time."""
    for session in await log.sessions.without_transcript():
        messages = await log.messages.of_session(session.id)
        if not messages:
            await log.sessions.set_transcript(session.id, "")
            continue
        stem = vault.own(path_of(session, zone)).removesuffix(".md")
        texts = [render(session, part, zone, profile) for part in _parts(messages)]
        try:
            try:
                await _write(vault, stem, texts, session)
            except EditRefused:  # there is another transcript of this second
                stem += f"-{session.id}"
                await _write(vault, stem, texts, session)
        except EditRefused as why:
            _log.warning("session=%d has no transcript yet: %s", session.id, why)
            continue
        await log.sessions.set_transcript(session.id, f"{stem}.md")


async def _write(vault: Vault, stem: str, texts: Sequence[str], session: Session) -> None:
    for number, text in enumerate(texts, 1):

        def change(there: str, text: str = text) -> str:
            if there not in ("", text):
                raise EditRefused("there is another transcript of this second")
            return text

        part = f"{_PART}{number}" if number > 1 else ""
        await vault.edit(f"{stem}{part}.md", change, cause=f"session {session.id}")


def _parts(messages: Sequence[Message]) -> Iterator[list[Message]]:
    """Yield the messages in parts that are small enough for one note each."""
    part: list[Message] = []
    size = 0
    for message in messages:
        length = len(message.text.encode()) + _HEADING_BYTES
        if part and size + length > _PART_BYTES:
            yield part
            part, size = [], 0
        part.append(message)
        size += length
    yield part


def parts_of(vault: Vault, paths: Sequence[str | None]) -> list[list[str]]:
    """Return for each transcript the paths of its notes: a long session has several, and None is no
    transcript. For a thread."""
    found = {path: [path] for path in paths if path}
    for file in vault.files() if found else ():
        name, _, part = file.path.rpartition(_PART)
        if part and (notes := found.get(f"{name}.md")):
            notes.append(file.path)
    return [found[path] if path else [] for path in paths]
