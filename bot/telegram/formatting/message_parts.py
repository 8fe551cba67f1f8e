"""Convert an answer's Markdown to messages within Telegram's limits. Pure.

A part is measured after formatting, in UTF-16 units, as Telegram measures; it has at most 100
entities; its code fences are balanced. No text is lost.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace

from memory.text import mark, tr

from .entities import Entity, formatted
from .links import may_be_rich
from .source import balanced, for_rich, separated
from .split import ENTITIES, pieces

LIMIT = 4096  # UTF-16 units of a message's text
CAPTION = 1024  # of the text below a picture
PERHAPS_TWICE = mark("↻ Perhaps for the second time: the connection broke while I was sending it.")
REMARK = 100  # the remark in its longest translation, and the blank line before it

_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


@dataclass(frozen=True, slots=True)
class Part:
    """One message: markdown for a rich one, text and entities for the others.

    `plain`: the formatting adds nothing to the text. `rich` is None where it might
    hold media that Telegram would fetch.
    """

    rich: str | None
    text: str
    entities: tuple[Entity, ...]
    plain: bool


def clean(text: str) -> str:
    """Remove what cannot be sent: lone surrogates, control characters."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    kept = (c if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cs") else "�" for c in text)
    return "".join(kept).strip("\n").rstrip()


def parts(markdown: str, *, limit: int = LIMIT) -> list[Part]:
    """Split into as few messages as possible; none for blank text."""
    source = balanced(separated(clean(markdown)))
    # A cut can create a new fence.
    found = [_part(balanced(piece)) for piece in pieces(source, limit)]
    return [part for part in found if part.text.strip()]


def with_repeat_remark(part: Part) -> Part:
    """Return the part with a remark that it may be a repetition; it is REMARK units longer."""
    rich = None if part.rich is None else f"{part.rich}\n\n*{tr(PERHAPS_TWICE)}*"
    return replace(part, rich=rich, text=f"{part.text}\n\n{tr(PERHAPS_TWICE)}")


def tail(markdown: str, *, limit: int = LIMIT) -> Part | None:
    """Return the end of a streaming text as one part; None for blank text."""
    found = parts(markdown, limit=limit)
    return found[-1] if found else None


def _part(markdown: str) -> Part:
    text, entities = formatted(markdown)
    plain = not entities and text == _ESCAPE.sub(r"\1", markdown).rstrip()
    rich = for_rich(markdown)
    return Part(rich if may_be_rich(rich) else None, text, entities[:ENTITIES], plain)
