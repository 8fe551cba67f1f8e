"""Tell Sam's own texts from the owner's: lines of the starter vault, answers without a model."""

from __future__ import annotations

from collections.abc import Collection

from ..log import Message
from ..notes.markdown import plain, strip_block_id
from ..vault import starter
from . import archive_copies as tombs
from .content_words import ContentWords

__all__ = ["is_of_starter", "quotes", "repeats"]

_SHORT = 12  # characters: shorter texts may occur anywhere


def is_of_starter(row: str) -> bool:
    """Return whether a line is one of the starter vault."""
    return starter.comparable(row) in starter.starter_lines()


def quotes(answer: Message, asked: ContentWords, fixed: Collection[str]) -> bool:
    """Return whether an answer without a model quotes one of the words from a text of the owner's.

    `fixed`: Sam's own sentences, and what may precede the colon before a quote.
    """
    if answer.text in fixed:
        return False
    rows = []
    for row in answer.text.splitlines():
        before, colon, said = row.partition(":")
        quote = said if colon and before in fixed else row.rpartition("”:")[2]
        if row not in fixed and not _is_part_of_starter(quote):
            rows.append(quote)
    return asked.shared("\n".join(rows)) > 0


def repeats(said: Message, other: Message) -> bool:
    """Return whether the other message is an answer without a model that quotes this one whole."""
    if said.role != "user" or (other.role, other.origin) != ("assistant", "recall"):
        return False
    return len(said.text) > _SHORT and _plain(said.text) in _plain(other.text)


def _is_part_of_starter(quote: str) -> bool:
    wanted = starter.comparable(quote.strip(" …"))
    known = starter.starter_lines()
    return wanted in known or (len(wanted) > _SHORT and any(wanted in row for row in known))


def _plain(text: str) -> str:
    rows = (plain(strip_block_id(tombs.bullet(row))) for row in text.split("\n"))
    return " ".join(" ".join(rows).split()).casefold()
