"""Decode and encode notes such that unchanged parts keep their bytes; read files of words.

The text has no byte order mark, and `\n` at each line's end if all the lines ended in CRLF. A note
with mixed ends, or that is not UTF-8, is shown as it is; UTF-16 is recognised by its byte order
mark, and read, as is Windows-1252, which includes Latin-1.
"""

from __future__ import annotations

import codecs
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from ..errors import EditRefused

_CONTROLS = bytes({*range(32), 127} - {*b"\t\n\v\f\r\x1b"})
_UTF16 = ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))

_LETTERS = "àáâãäåæçèéêëìíîïñòóôõöøœùúûüýßÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØŒÙÚÛÜÝ"
_WESTERN = re.compile(rf"[\x00-\x7f\xa0€…‘’“”–—«»„‚‹›¡¿°ªº§·´{_LETTERS}]*")
_FOREIGN = re.compile(rb"[\x80-\xff]{4}")
"""Words in other alphabets; those of Western languages have few accents in a row."""
_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_FLAGS = ("true", "false")


@dataclass(frozen=True, slots=True)
class Form:
    """The encoding and line ends of a note. `binary`: it is no text."""

    utf8: bool = True
    bom: bool = False
    crlf: bool = False
    binary: bool = False


def decode(raw: bytes) -> tuple[str, Form]:
    """Return the text, and how to write it back. What cannot be read is replaced with U+FFFD."""
    for mark, name in _UTF16:
        if raw.startswith(mark):
            wide = raw[len(mark) :].decode(name, errors="replace")
            return wide.replace("\r\n", "\n"), Form(utf8=False)
    bom = raw.startswith(codecs.BOM_UTF8)
    body = raw[len(codecs.BOM_UTF8) :] if bom else raw
    try:
        text, utf8 = body.decode(), True
    except UnicodeDecodeError:
        text, utf8 = _not_utf8(body), False
    plain = text.replace("\r\n", "\n")
    # a stray \r before a CRLF could not be distinguished when encoding
    crlf = plain != text and text.count("\n") == text.count("\r\n") and "\r\n" not in plain
    return (plain if crlf else text), Form(utf8, bom, crlf, not utf8 and _is_binary(body))


def _is_binary(body: bytes) -> bool:
    """Return whether bytes that are not UTF-8 are no text in any encoding with one byte for ASCII:
    more than one in 50 is a control character. Of compressed data it is one in ten."""
    return len(body.translate(None, _CONTROLS)) < 0.98 * len(body)


def _not_utf8(body: bytes) -> str:
    """Return the text of bytes that are not UTF-8: as Windows-1252, unless most of what is not
    ASCII is UTF-8, which is damaged then."""
    text = body.decode(errors="replace")
    damaged = text.count("\ufffd")
    whole = sum(char > "\x7f" for char in text) - damaged
    return text if whole >= damaged else body.decode("cp1252", errors="replace")


def encode(text: str, form: Form, name: str = "the note") -> bytes:
    """Encode a changed text, in the form that the note had; EditRefused if there is none."""
    if not form.utf8:
        raise EditRefused(f"{name} is not in UTF-8: save it as UTF-8 in an editor first.")
    if form.crlf:
        text = text.replace("\r\n", "\n").replace("\n", "\r\n")
    try:
        body = text.encode()
    except UnicodeEncodeError:
        raise EditRefused(f"The new text of {name} has half a character in it.") from None
    return codecs.BOM_UTF8 + body if form.bom else body


def guess(sample: bytes) -> str:
    """Return the encoding of a text by a part of it, whose last character may be cut: UTF-8, UTF-16
    with its mark, or an older one with a byte for each character; "" for what is no text. A text in
    UTF-8 may be damaged."""
    if any(sample.startswith(mark) for mark, _ in _UTF16):
        return "utf-16"
    if b"\0" in sample:
        return ""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample)
        return "utf-8"
    except UnicodeDecodeError:
        pass
    lenient = sample.decode(errors="replace")
    wrong = lenient.count("\ufffd")
    if sum(letter > "\x7f" for letter in lenient) > 2 * wrong:
        return "utf-8"
    if not _FOREIGN.search(sample) and _WESTERN.fullmatch(sample.decode("cp1252", "replace")):
        return "cp1252"
    from charset_normalizer import from_bytes  # a quarter of a second, and seldom needed

    best = from_bytes(sample).best()
    return "" if best is None else best.encoding


def hash_of(text: str) -> str:
    """Return the hash that identifies a text: 32 hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def yaml_texts(path: Path) -> dict[str, Any]:
    """Return the mapping in a YAML file: `true` and `false` are flags, and everything else is text,
    so that "no" is a word."""
    # A BaseLoader makes nothing but texts.
    fields = yaml.load(path.read_text("utf-8"), Loader=_LOADER)  # nosec B506
    return {name: text == "true" if text in _FLAGS else text for name, text in fields.items()}
