"""Mails, each a file or a part of one (RFC 5322). Each thread is a conversation.

Only the text of a mail is read, without attachments, quoted replies and signatures. The id of a
thread comes from the headers, so it is the same in every export: the first of the References, else
In-Reply-To, else the Message-ID.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email import errors, message_from_bytes
from email.header import decode_header, make_header
from email.message import Message
from email.parser import BytesHeaderParser
from email.utils import parseaddr, parsedate_to_datetime
from pathlib import Path

from ...text import mark, tr
from .imported_message import LONGEST_MESSAGE, ImportedChat, LeftOut, Read, digest, make_message
from .mail_text import forwarded, is_forwarded, text_of_html, written
from .mbox import is_cut_off, is_marked, unmarked
from .source_file import Progress, SourceFile

SUFFIX = ".eml"
LARGEST = 2_000_000  # bytes read of a mail: its text comes before its attachments
_HEAD = 1 << 16
_NO_TEXT = mark("it has no text to import")
_NO_HEAD = mark("it has no sender or no date that can be read")
_CUT_OFF = mark("it may be cut off, since its file ends within a line (export it again)")
_DELETED = 0x0008  # in X-Mozilla-Status: Thunderbird removes it from the file later
_LONGEST_HEADER = 2_000  # characters
_DEEPEST = 20  # nested parts
_PARAMETERS = ("Content-Type", "Content-Disposition")
_HEAD_ENDS = re.compile(rb"\r?\n\r?\n")
_STATUS = re.compile(r"[0-9A-Fa-f]{1,8}")
_ID = re.compile(r"<([^<>\s]{1,300})>")
_ADDRESS = re.compile(r"<([^<>\s@]{1,200}@[^<>\s@]{1,200})>")
_REPLY = re.compile(r"(?:(?:re|aw|wg|fwd?|sv|antw|rif|tr)(?:\[\d+\])?\s*:\s*)+", re.IGNORECASE)
_FORWARD = re.compile(r"(?:fwd?|wg|tr|rv|i)\s*:", re.IGNORECASE)
_WRONG = (LookupError, ValueError, TypeError, AttributeError, RecursionError, errors.MessageError)
"""The exceptions that the parser raises for invalid or malicious mails."""


@dataclass(frozen=True, slots=True)
class _Head:
    """The parsed headers. `unsafe`: it was received, and its sender was not verified. `forward`: it
    passes another mail on. `via`: the List-Id (RFC 2919) of the mailing list that it came by.
    `of_others`: what follows it in an mbox file may be a text of others' in it. `deleted`: it is
    in its file, but no longer in the mailbox."""

    file: SourceFile
    id: str
    thread: str
    at: datetime
    name: str
    address: str
    subject: str
    unsafe: bool
    forward: bool
    has_id: bool
    via: str
    of_others: bool
    deleted: bool


def read(files: Sequence[SourceFile], progress: Progress) -> Iterator[Read]:
    """Yield the mails by thread, each thread in order of time; leave out those without a sender, a
    date or a text of their own."""
    heads = list[_Head]()
    unsure = set[Path]()  # files in which what looks like a mail may be a text of others'
    for file in files:
        head, is_unsure = _head(file), file.path in unsure
        if file.begins and not is_unsure and (head is None or head.of_others):
            unsure |= set() if is_marked(file) else {file.path}
        if file.begins and is_cut_off(file):
            yield LeftOut(tr(_CUT_OFF), file.name)
        elif head is None:
            yield LeftOut(tr(_NO_HEAD), file.name)
        elif not head.deleted:
            heads.append(replace(head, unsafe=True) if is_unsure else head)
    heads.sort(key=lambda head: (head.at, head.id))
    begun: dict[str, datetime] = {}
    for head in heads:
        begun.setdefault(head.thread, head.at)
    heads.sort(key=lambda head: (begun[head.thread], head.thread))
    authors, chats = _authors(heads), dict[str, ImportedChat]()
    done = 0
    seen: dict[str, set[str]] = {}  # by id: several mails of a careless program may have the same
    # The texts of the last id and time, with the lists that they came by.
    copies: dict[tuple[str, datetime], list[tuple[str, str]]] = {}
    for head in heads:
        done += head.file.size
        chat = chats.setdefault(head.thread, ImportedChat("mail", head.thread, head.subject))
        origin, text = _text(head)
        if not text:
            yield LeftOut(tr(_NO_TEXT), head.file.name)
        texts, same = seen.setdefault(head.id, set()), digest(text)
        id_ = head.id if head.has_id or not texts else digest(head.id, text)
        progress(done)
        copies = {(head.id, head.at): copies.get((head.id, head.at), [])}
        # A mail may be both in the inbox and among the sent ones.
        if (
            text
            and same not in texts
            and not any(_is_copy((text, head.via), each) for each in copies[head.id, head.at])
        ):
            # Anybody can use the owner's name as the sender.
            owners = False if head.unsafe else None
            author = authors[head.address, head.name]
            yield make_message(
                chat, id_, author, head.at, text[:LONGEST_MESSAGE], owners, passed_on_from=origin
            )
        texts.add(same)
        copies[head.id, head.at].append((text, head.via))


def is_mail(file: SourceFile) -> bool:
    """Return whether a file is a mail with a sender and a date."""
    return _head(file) is not None


def _head(file: SourceFile) -> _Head | None:
    raw = _begin(file, _HEAD)
    if not _HEAD_ENDS.search(raw) and len(raw) == _HEAD:
        return None
    try:
        # Not the policy `default`, whose address parser takes minutes for a malicious header.
        head: Message = BytesHeaderParser().parsebytes(raw)
        sender = _header(head, "From")
        name, address = parseaddr(sender)
        if "@" not in address and (bare := _ADDRESS.search(sender)):  # `Smith, John <j@x.org>`
            name, address = sender[: bare.start()], bare[1]
        at = parsedate_to_datetime(_header(head, "Date"))
        at = (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)
        own = _ids(head, "Message-ID")
        earlier = _ids(head, "References") or _ids(head, "In-Reply-To")
        subject = " ".join(_words(_header(head, "Subject")).split())
        received = "Received" in head
        of_others = received or (file.begins > 0 and not _is_closed(file, head))
        name = " ".join(_words(name).split())
    except (*_WRONG, OverflowError):
        return None
    if "@" not in address or not 1970 <= at.year <= 9000:
        return None
    id_ = own[0] if own else digest(address, at.isoformat(), subject)
    return _Head(
        file=file,
        id=id_,
        thread=earlier[0] if earlier else id_,
        at=at,
        name=name,
        address=address.lower(),
        subject=_REPLY.sub("", subject, count=1),
        unsafe=received and not _vouched(_header(head, "Authentication-Results")),
        forward=bool(_FORWARD.match(subject)),
        has_id=bool(own),
        via=_header(head, "List-Id").rpartition("<")[2].rstrip(" >").lower(),
        of_others=of_others,
        deleted=file.begins > 0 and _is_deleted(_header(head, "X-Mozilla-Status")),
    )


def _is_closed(file: SourceFile, head: Message) -> bool:
    """Return whether a mail in an mbox file has its last boundary, if it is of several parts. Who
    wrote an attached mail does not know it."""
    if len(str(head.get("Content-Type", ""))) > _LONGEST_HEADER:
        return False
    if (boundary := head.get_boundary()) is None:
        return head.get_content_maintype() not in ("multipart", "message")
    with file.opened() as stream:
        stream.stream.seek(file.begins + max(0, file.size - _HEAD))
        return f"--{boundary}--".encode("utf-8", "replace") in stream.read(min(file.size, _HEAD))


def _is_deleted(status: str) -> bool:
    return bool(_STATUS.fullmatch(status) and int(status, 16) & _DELETED)


def _is_copy(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Return whether one text is the other with further lines below, as a mailing list adds, or
    both came by different lists and begin alike. With each text goes its list."""
    (short, _), (long, _) = sorted((one, other), key=lambda each: len(each[0]))
    if not short:
        return False
    via = {one[1], other[1]}
    is_of_two = len(via) == 2 and "" not in via
    return long.startswith(f"{short}\n") or (is_of_two and _first_line(long) == _first_line(short))


def _first_line(text: str) -> str:
    return text.partition("\n")[0].strip()


def _begin(file: SourceFile, size: int) -> bytes:
    """Return the beginning of a mail, without a byte order mark."""
    with file.opened() as stream:
        return stream.read(min(size, file.size)).removeprefix(b"\xef\xbb\xbf")


def _header(head: Message, name: str) -> str:
    """Return the first header of that name, undecoded and truncated to `_LONGEST_HEADER`."""
    return str(head.get(name, ""))[:_LONGEST_HEADER]


def _words(encoded: str) -> str:
    """Decode a header's encoded words (`=?utf-8?q?…?=`)."""
    try:
        return str(make_header(decode_header(encoded)))
    except (LookupError, ValueError, errors.MessageError):
        parts = decode_header(encoded)
        return "".join(raw if isinstance(raw, str) else _decoded(raw, cs) for raw, cs in parts)


def _decoded(raw: bytes, charset: str | None) -> str:
    """Decode with replacement characters if the charset is unknown or wrong."""
    try:
        return raw.decode(charset or "utf-8", "replace")
    except LookupError:
        return raw.decode("utf-8", "replace")


def _vouched(results: str) -> bool:
    """Return whether an Authentication-Results header says that the sender was verified."""
    return bool(re.search(r"\b(?:dmarc|dkim)=pass\b", results))


def _ids(head: Message, name: str) -> list[str]:
    return _ID.findall(_header(head, name))


def _authors(heads: Sequence[_Head]) -> dict[tuple[str, str], str]:
    """Return a name for each sender: one per address, with the address added if another address
    uses the same name."""
    names: dict[str, str] = {}
    for head in heads:
        if not names.get(head.address):
            names[head.address] = head.name
    shown = {address: name or address for address, name in names.items()}
    called = Counter(name.casefold() for name in shown.values())
    for address, name in shown.items():
        if name != address and called[name.casefold()] > 1:
            shown[address] = f"{name} ({address})"
    return {(head.address, head.name): shown[head.address] for head in heads}


def _text(head: _Head) -> tuple[str, str]:
    """Return the author of a mail that this one only passes on, else "", and the text."""
    try:
        whole = _body(message_from_bytes(_begin(head.file, LARGEST)), head.file.begins > 0)
        text = written(whole)
        is_passed_on = not text and (head.forward or is_forwarded(whole))
        return forwarded(whole) if is_passed_on else ("", text)
    except _WRONG:
        return "", ""


def _body(mail: Message, in_mbox: bool, depth: int = 0) -> str:
    """Return the mail's own text, without attachments and attached mails: all parts of it, since a
    picture may be between two, but one of several forms, plain text before HTML."""
    if any(len(str(mail.get(name, ""))) > _LONGEST_HEADER for name in _PARAMETERS):
        return ""  # parsing its parameters would take minutes
    if mail.get_content_maintype() == "multipart":
        parts = mail.get_payload()
        inside = parts if isinstance(parts, list) and depth < _DEEPEST else []
        found = [
            (part, _body(part, in_mbox, depth + 1)) for part in inside if isinstance(part, Message)
        ]
        if mail.get_content_subtype() == "alternative":
            found.sort(key=lambda each: each[0].get_content_type() != "text/plain")
            texts = [text for _, text in found if text.strip()]
            return next(filter(written, texts), texts[0] if texts else "")
        return "\n\n".join(text for _, text in found if text.strip())
    if mail.get_content_disposition() == "attachment" or mail.get_filename():
        return ""
    kind = mail.get_content_type()
    if kind == "text/html":
        return text_of_html(_content(mail))
    # The lines of base64 are none of the text, so that none of these is marked.
    is_coded = str(mail.get("Content-Transfer-Encoding", "")).strip().lower() == "base64"
    text = _content(mail) if kind == "text/plain" else ""
    return unmarked(text) if in_mbox and not is_coded else text


def _content(part: Message) -> str:
    raw = part.get_payload(decode=True)
    return _decoded(raw, part.get_content_charset()) if isinstance(raw, bytes) else ""
