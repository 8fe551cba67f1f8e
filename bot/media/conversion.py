"""Convert a file's bytes to blocks of the Messages API, and to text for the log."""

from __future__ import annotations

import base64
import json
import logging
from dataclasses import dataclass

from memory.infra import text_encoding
from memory.text import storable
from memory.transfer import visible_text

from ..claude.request import Block
from ..prompt.token_budget import shorten
from . import programs

log = logging.getLogger(__name__)

# Limits of the Messages API: 5 MB of base64 a picture; 100 pages, and 32 MB a request.
LARGEST_PICTURE = 3_750_000
MOST_PAGES = 100
PDF_SECONDS = 30.0
PAGES = (".html", ".htm")
SAMPLE = 1 << 18  # bytes of a text that its encoding is guessed from
_MAGIC = (
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)


@dataclass(frozen=True, slots=True)
class Converted:
    """A file for the model and the log. `about` completes the label, such as the number of pages;
    `text`: its text, clipped; `block`: the file itself, if the model can see it.
    """

    about: str = ""
    text: str = ""
    block: Block | None = None


def picture(data: bytes) -> Converted:
    """Convert a picture; its type is detected from its bytes, not from its name."""
    kind = next((kind for magic, kind in _MAGIC if data.startswith(magic)), "")
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        kind = "image/webp"
    if not kind:
        return Converted("not a picture that I can view")
    if len(data) > LARGEST_PICTURE:
        return Converted("too large for me to view")
    return Converted(block={"type": "image", "source": _base64(kind, data)})


def text(data: bytes, suffix: str = "") -> Converted:
    """Convert text in any common encoding; nothing for a file that is not text. A web page, by its
    suffix, is what a browser shows of it."""
    found = _decoded(data)
    if found is None:
        return Converted("not text that I can read")
    if suffix in PAGES:
        found = visible_text(found)
    if not found.strip():
        return Converted("empty")
    return Converted(text=shorten(found.strip()))


async def pdf(data: bytes, name: str) -> Converted:
    """Convert a PDF: as a document, and its text. Reads it in another process."""
    found = await _pdf_text(data)
    if found is None:
        return Converted("damaged: I cannot read it")
    if found.get("encrypted"):
        return Converted("protected by a password: I cannot read it")
    pages, words = int(str(found["pages"])), shorten(storable(str(found["text"])))
    about = f"{pages} page{'' if pages == 1 else 's'}"
    if pages > MOST_PAGES or pages == 0:
        return Converted(about, words)
    block: Block = {"type": "document", "source": _base64("application/pdf", data), "title": name}
    return Converted(about, words, block)


def _base64(kind: str, data: bytes) -> Block:
    encoded = base64.standard_b64encode(data).decode("ascii")
    return {"type": "base64", "media_type": kind, "data": encoded}


def _decoded(data: bytes) -> str | None:
    """Decode UTF-8, UTF-16 or a detected encoding; None for other bytes."""
    found, form = text_encoding.decode(data)
    marked = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    if "\x00" in found:
        return None
    if form.utf8 or marked:
        return found
    encoding = text_encoding.guess(data[:SAMPLE])
    return data.decode(encoding, "replace") if encoding else None


async def _pdf_text(data: bytes) -> dict[str, object] | None:
    try:
        ended = await programs.run("pdf_text.py", data, PDF_SECONDS)
    except TimeoutError:
        log.warning("a PDF of %d bytes took too long to read", len(data))
        return None
    if ended.code != 0:
        log.warning("a PDF of %d bytes cannot be read: %s", len(data), ended.wrong[-60:])
        return None
    found: dict[str, object] = json.loads(ended.out)
    return found
