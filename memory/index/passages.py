"""Split notes and messages into the passages that the index stores. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, tzinfo

from ..infra.clock import local_day
from ..infra.text_encoding import hash_of
from ..log import Message
from ..notes.chunker import Chunk, chunks
from ..notes.kinds import Privacy, is_sams, kind_of, relative
from ..notes.markdown import lines
from ..notes.splitter import split_text
from ..text.clause_words import clear_language
from ..text.secrets import mask
from ..text.sentences import (
    is_command,
    is_denial,
    is_marked,
    is_question,
    question_share,
    split_sentences,
)
from ..text.small_talk import follow_up_kind, is_small_talk
from ..text.tokenize import flat, length
from ..vault.starter import is_starter
from .replaced_lines import with_replaced

_OF_SAM = frozenset({"soul", "agent", "skill"})  # kinds that describe Sam itself
_CONTEXT = 300  # last characters of the previous message, which contain the question
_ANSWER = 400  # characters of Sam's answers to embed
_LONG = 400  # characters; longer messages are understandable without the previous one
_SENTENCE = 16  # characters; shorter sentences mean little without the others
_POINTS = 0.9  # what only points to an answer counts almost as a question, which is no answer
_PRIVATE = re.compile(r"telegram:\d")  # the id of a group is negative
_LINKS = re.compile(r"(?:(?:[-*+]|\d{1,9}[.)])\s+)?(?:!?\[\[[^\[\]]+\]\][\s,;·|]*)+")


@dataclass(frozen=True, slots=True)
class Passage:
    """A row of `chunk` to be stored; the columns are described in `schema.sql`."""

    path: str
    heading: str
    start_line: int
    end_line: int
    text: str
    kind: str
    privacy: Privacy
    lead: str = ""
    before: str = ""
    after: str = ""
    role: str | None = None
    author: str = ""
    chat: str | None = None
    date: str | None = None
    expires: str | None = None
    superseded: bool = False
    message_id: int | None = None
    words: int = 0
    asking: float = 0.0
    manual: bool = False
    small_talk: bool = False
    priority: int = 0

    @property
    def embedded_text(self) -> str:
        """The text that is embedded."""
        return in_context(self.lead, self.role, self.author, self.text)

    @property
    def has_sentences(self) -> bool:
        """Whether its sentences are embedded, too. Sam's own texts and questions are not worth the
        time."""
        if self.role == "assistant" or self.manual or self.small_talk or self.asking >= 1.0:
            return False
        return bool(sentences_of(self.author, self.text))

    @property
    def language(self) -> str:
        """The code of the language that it is clearly in, or empty."""
        return clear_language(self.text)

    @property
    def text_hash(self) -> str:
        """The key of its vector in the embedding cache."""
        return hash_of(self.embedded_text)


def in_context(lead: str, role: str | None, author: str, text: str) -> str:
    """Return the text to embed: the lead, the speaker of a message, the passage. Its letters and
    accents are composed, so that a text has one key in the cache.

    Only the start of Sam's own answers is embedded: they are long, and rarely what is searched for.
    """
    speaker = author or ("Sam" if role == "assistant" else "")
    said = f"{speaker}: {text}" if speaker else text
    if role == "assistant" and not author:
        said = said[:_ANSWER]
    return unicodedata.normalize("NFC", f"{lead}\n{said}" if lead else said)


def sentences_of(author: str, text: str) -> list[str]:
    """Return the sentences of a passage that are embedded one by one; none if it is only one.

    A question is often answered by one sentence of a long message, whose vector is the mean of all.
    """
    found = [each for each in split_sentences(text) if len(each) >= _SENTENCE]
    return [in_context("", None, author, each) for each in found] if len(found) > 1 else []


def lead_of(text: str, before: str, continues: bool) -> str:
    """Return the context to embed with a message: alone, "Yes, both of them!" has no useful vector.

    It is the previous part of a statement in several messages, or else the question that it may
    answer; empty if the message is long enough to be understood on its own.
    """
    if len(text) > _LONG:
        return ""
    if continues:
        return before[-_CONTEXT:]
    return " ".join(part for part in split_sentences(before) if is_marked(part))[-_CONTEXT:]


def of_note(
    path: str, text: str, *, sam_dir: str, limit: int, older: Mapping[str, str] | None = None
) -> list[Passage]:
    """Return the passages of one note; none if it is sealed or has no prose. `older`: what lines
    replaced, by block id (replaced_lines.py)."""
    inside, kind = relative(path, sam_dir), kind_of(path, sam_dir)
    own = not sam_dir or inside != path
    found = chunks(text, limit=limit, path=path, sam_dir=sam_dir)
    if older:
        rows = lines(text)
        found = [with_replaced(chunk, rows, older) for chunk in found]
    return [
        Passage(
            path=path,
            heading=chunk.heading,
            lead=chunk.heading,
            start_line=chunk.start_line,
            end_line=chunk.end_line,
            text=chunk.text,
            kind=chunk.kind or kind,
            privacy=chunk.privacy,
            words=length(flat(chunk.text)),
            asking=_POINTS * _pointing(chunk),
            manual=own and (kind in _OF_SAM or is_starter(inside, chunk.text)),
            date=_text(chunk.date),
            expires=_text(chunk.expires),
            superseded=chunk.superseded,
            priority=0 if is_sams(path, sam_dir) else 1,
        )
        for chunk in found
    ]


def _pointing(chunk: Chunk) -> float:
    """Return the share of a note's passage that only points to something: a heading without text,
    and lines of links, as in a table of contents."""
    if chunk.heading.rpartition(" > ")[2] == chunk.text:
        return 1.0
    rows = [row.strip() for row in chunk.text.split("\n") if row.strip()]
    return sum(bool(_LINKS.fullmatch(row)) for row in rows) / len(rows)


def of_message(
    message: Message, *, before: str, after: str, continues: bool, zone: tzinfo, limit: int
) -> list[Passage]:
    """Return the passages of one message: several if it is long; nothing is truncated.

    Secrets are masked: only the log keeps them.
    """
    if message.state == "forgotten" or message.origin == "recall" or message.privacy == "sealed":
        return []
    day = local_day(message.sent_at, zone).isoformat()
    whole, before = mask(message.text), mask(before)
    if continues:  # people do not answer their own questions
        before = " ".join(part for part in split_sentences(before) if not is_question(part))
    idle = is_small_talk(whole) or is_command(whole) or message.reason == "command"
    idle = idle or follow_up_kind(whole) is not None
    # An answer without information is no better evidence than the question that it repeats.
    denied = message.role == "assistant" and is_denial(whole)
    return [
        Passage(
            path=f"log/{day}",
            heading="",
            start_line=first,
            end_line=last,
            text=text,
            kind="message",
            privacy=message.privacy,
            lead=lead_of(whole, before, continues),
            before=before,
            after=mask(after),
            role=message.role,
            author=_speaker(message),
            chat=message.chat,
            date=day,
            message_id=message.id,
            words=length(flat(whole)),
            asking=1.0 if denied else round(question_share(whole), 3),
            small_talk=idle,
        )
        for text, first, last in split_text(whole, limit)
    ]


def _speaker(message: Message) -> str:
    """Return the author's name to index; "" for the user's own words in a private chat.

    There every message would have the same name, which distinguishes nothing and makes each less
    similar to a question.
    """
    own = message.origin in ("owner", "other") and _PRIVATE.match(message.chat)
    return "" if own else message.author


def _text(day: date | None) -> str | None:
    return day.isoformat() if day else None
