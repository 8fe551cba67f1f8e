"""Add saved notes to the texts of MEMORY.md and the day's file.

What the owner asked to remember goes to MEMORY.md for good, and the day's file links to it;
everything else goes to the day's file.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Literal

from ..errors import EditRefused
from ..knowledge.draft import RULE
from ..notes import fact as facts
from ..notes.markdown import block_id, inert, lines, newline, strip_block_id, wikilink
from ..trust.provenance import Foreign
from .results import Saved, ToolResult

if TYPE_CHECKING:
    from ..knowledge import Knowledge

OWNER = "owner"
"""The source of what the owner asked to remember."""


Kind = Literal[
    "note", "log", "biographical", "preference", "task", "relationship", "contextual", "rule"
]
"""What a saved text becomes: a note of the day, a line of the log, or a fact of that category."""

UNCONFIRMED = 0.6
"""The confidence of a fact that the owner has not said in this turn."""


@dataclass(frozen=True, slots=True)
class SaveMarks:
    """What a saved text is marked with. `expires`: the first day on which it is no longer so."""

    kind: Kind
    tags: tuple[str, ...]
    expires: date | None
    sensitive: bool

    @property
    def of_fact(self) -> bool:
        """Whether it is saved as a fact."""
        return self.kind != "note"

    @property
    def fields(self) -> str:
        """The marks as the end of a line in the day's file."""
        expires = f" (expires:: {self.expires})" if self.expires else ""
        return expires + (" #sam/sensitive" if self.sensitive else "")


async def fact(
    knowledge: Knowledge,
    content: str,
    marks: SaveMarks,
    sources: Iterable[int],
    *,
    is_owners: bool,
) -> ToolResult[Saved]:
    """Write a fact that came from these messages; return what to tell the model. Raises
    EditRefused for one that its kind forbids, and for a rule that the owner did not give."""
    if marks.kind == RULE and not is_owners:
        raise EditRefused("A rule is the owner's to give: ask him to say it in words of his own.")
    known, is_new = await knowledge.save(
        content,
        marks.kind,
        expires=marks.expires,
        tags=marks.tags,
        sensitive=marks.sensitive,
        confidence=1.0 if marks.kind == RULE else None if is_owners else UNCONFIRMED,
        evidence="what the owner asked for" if marks.kind == RULE else "",
        sources=sources,
    )
    said = "" if is_owners else ", as not confirmed: the owner has not said so in this turn"
    text = f"Saved in {known.path}{said}." if is_new else f"{known.path} says so already."
    return ToolResult(text, Saved([known.path], known=not is_new))


def check_facts(before: str, after: str, kind: str) -> None:
    """Raise EditRefused for an edit that leaves a fact or rule without what it needs."""
    if kind in ("fact", "rule"):
        there = {sentence for _, sentence in facts.misfits(before, kind)}
        wrong = [sentence for _, sentence in facts.misfits(after, kind) if sentence not in there]
        if wrong:
            raise EditRefused(" ".join(dict.fromkeys(wrong)))


def remembered(content: str, day: date) -> str:
    """The dated line of MEMORY.md, without its dash and id."""
    return f"{day.isoformat()}: {inert(content)}"


def known(text: str, content: str) -> str | None:
    """The block id of the line that says the same already, on whatever day; "" if it has none."""
    said = inert(content).casefold()
    for row in lines(text):
        body = strip_block_id(row).strip().removeprefix("- ")
        dated, _, rest = body.partition(": ")
        if said in (body.casefold(), rest.casefold() if len(dated) == 10 else ""):
            return block_id(row) or ""
    return None


def remember(text: str, line: str, block: str) -> str:
    """MEMORY.md with one more item at its end."""
    end = newline(text)
    if not text.strip():
        return f"# Memory{end * 2}- {line} ^{block}{end}"
    before = text if text.endswith("\n") else text + end
    rows = lines(before)
    gap = "" if rows[-2].lstrip().startswith("- ") or not rows[-2].strip() else end
    return f"{before}{gap}- {line} ^{block}{end}"


def day_line(content: str, source: str, link: tuple[str, str] | None, client: str = "") -> str:
    """The line of the day's file, without its dash. `link`: path and block id in MEMORY.md;
    `client`: the program that wrote it, which is its source where it names none."""
    named = client if source in ("", "manual", OWNER) else source
    named = f" ({inert(named)})" if named else ""
    if link is not None:
        return f"Remembered{named}: {inert(content)} {wikilink(*link)}"
    return f"Note{named}: {inert(content)}"


def as_theirs(source: Foreign | None) -> str:
    """Return the notice that a note was saved as another person's words."""
    if source is None:
        return ""
    return (
        f", as what {source.who} said. It is not the owner's word, and does not stand in MEMORY.md:"
        " tell him so, and that it can once he says it himself"
    )


def has_item(text: str, item: str) -> bool:
    """Whether the note has that list item."""
    return f"- {item}" in (row.rstrip() for row in lines(text))


def ids(texts: Iterable[str]) -> set[str]:
    """The block ids in some notes."""
    return {name for text in texts for row in lines(text) if (name := block_id(row))}
