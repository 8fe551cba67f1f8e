"""Notes and messages → the passages that the index holds. Pure; knows no database and no file."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import date, tzinfo

from ..chunk import chunks, split_text
from ..clock import local_day
from ..kinds import kind_of
from ..log.rows import Message, Privacy
from ..mask import mask

_SAMS = frozenset({"soul", "agent", "user", "memory", "rule", "fact", "summary", "task", "skill"})

_CONTEXT = 300  # characters of the message before: what is answered stands at its end


@dataclass(frozen=True, slots=True)
class Passage:
    """One row of `chunk` to be; the columns are described in `schema/index.sql`."""

    path: str
    heading: str
    start_line: int
    end_line: int
    text: str
    kind: str
    privacy: Privacy
    before: str = ""
    after: str = ""
    role: str | None = None
    author: str = ""
    chat: str | None = None
    date: str | None = None
    expires: str | None = None
    superseded: bool = False
    message_id: int | None = None
    priority: int = 0

    @property
    def embedded_text(self) -> str:
        """What its vector is made from."""
        return in_context(self.heading, self.before, self.role, self.author, self.text)

    @property
    def text_hash(self) -> str:
        """How the embedding cache knows it again."""
        return digest(self.embedded_text)


def in_context(heading: str, before: str, role: str | None, author: str, text: str) -> str:
    """A passage as it is embedded: a note's under its heading; a message after the end of the one
    before it, with its speaker. Alone, "Yes, both of them!" is near to nothing."""
    if role is None:
        return f"{heading}\n{text}" if heading else text
    speaker = author or ("Sam" if role == "assistant" else "")
    said = f"{speaker}: {text}" if speaker else text
    return f"{before[-_CONTEXT:]}\n{said}" if before else said


def digest(text: str) -> str:
    """A short content hash."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def is_sams(path: str, sam_dir: str) -> bool:
    """Whether a note is one of Sam's, by its place; all others are the owner's."""
    inside = path.removeprefix(f"{sam_dir}/") if sam_dir else path
    return (not sam_dir or inside != path) and kind_of(inside) in _SAMS


def of_note(path: str, text: str, *, sam_dir: str, limit: int) -> list[Passage]:
    """The passages of one note; none where it is sealed or holds no prose."""
    inside = path.removeprefix(f"{sam_dir}/") if sam_dir else path
    own = not sam_dir or inside != path
    kind = kind_of(inside) if own else "note"
    return [
        Passage(
            path=path,
            heading=chunk.heading,
            start_line=chunk.start_line,
            end_line=chunk.end_line,
            text=chunk.text,
            kind=chunk.kind or kind,
            privacy=chunk.privacy,
            date=_text(chunk.date),
            expires=_text(chunk.expires),
            superseded=chunk.superseded,
            priority=0 if is_sams(path, sam_dir) else 1,
        )
        for chunk in chunks(text, limit=limit, path=path, sam_dir=sam_dir)
    ]


def of_message(
    message: Message, *, before: str, after: str, zone: tzinfo, limit: int
) -> list[Passage]:
    """The passages of one message: one, or more where it is long; nothing of it is cut off.

    What looks like a secret is masked: it is in the log alone.
    """
    if message.state == "forgotten" or message.origin == "recall" or message.privacy == "sealed":
        return []
    day = local_day(message.sent_at, zone).isoformat()
    return [
        Passage(
            path=f"log/{day}",
            heading="",
            start_line=first,
            end_line=last,
            text=text,
            kind="message",
            privacy=message.privacy,
            before=mask(before),
            after=mask(after),
            role=message.role,
            author=message.author,
            chat=message.chat,
            date=day,
            message_id=message.id,
        )
        for text, first, last in split_text(mask(message.text), limit)
    ]


def _text(day: date | None) -> str | None:
    return day.isoformat() if day else None
