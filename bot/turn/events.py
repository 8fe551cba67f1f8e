"""The events that a running turn yields.

A consumer keeps one string, the draft: it appends `Text.text`, appends `Cite.mark`, and sets it to
`Restart.text`. `Done` comes last, once, and its `shown` replaces the draft.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from .web_pages import web_link


@dataclass(frozen=True, slots=True)
class Text:
    """More of the answer, as Markdown."""

    text: str


@dataclass(frozen=True, slots=True)
class Cite:
    """The text before it comes from `path`. `number` counts the sources of the answer from 1.

    `quote`: the cited words of the source.
    """

    path: str
    title: str
    number: int
    quote: str = field(default="", compare=False)

    @property
    def is_web(self) -> bool:
        """Return whether it is a web page, with `path` as its URL."""
        return self.path.startswith(("https://", "http://"))

    @property
    def mark(self) -> str:
        """Return the mark in the shown text."""
        return f" [{self.number}]"


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A tool is being called; `say` describes it for the user."""

    name: str
    say: str


@dataclass(frozen=True, slots=True)
class ToolDone:
    """A tool has carried out a call of the model's, or refused it (`failed`)."""

    name: str
    arguments: Mapping[str, object]
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Read:
    """The model was shown web content: its known text, and its URL."""

    url: str
    text: str


@dataclass(frozen=True, slots=True)
class Notice:
    """A notice next to the answer, which is not logged."""

    text: str


@dataclass(frozen=True, slots=True)
class Restart:
    """The answer was interrupted and restarts; `text` is the draft to show now."""

    text: str


@dataclass(frozen=True, slots=True)
class Done:
    """The whole answer. `text` is logged; `shown` is sent, with [1] marks and the line of
    sources. `acted`: in this turn a tool wrote something, or found that it is there already."""

    text: str
    shown: str
    origin: Literal["sam", "recall", "web"] = "sam"
    sources: tuple[Cite, ...] = ()
    acted: bool = False


Event = Text | Cite | ToolUse | ToolDone | Read | Notice | Restart | Done


_MARKERS = re.compile(r"(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*")
_FENCE = re.compile(r"`{3,}(?=[^`]*$)|~{3,}")
_INVISIBLE = re.compile(r"<[^<>]*>|!?\[\]\([^()]*\)|\\(?=[!-/:-@\[-`{-~])")
_NUMBERED = re.compile(r"[\W_\u115f\u1160]*\[\s*\d{1,3}\s*\]")


def without_forged_sources(text: str) -> str:
    """Return the answer without lines that imitate the line of sources below it.

    A quoted text may contain such a line, and a model may write one. The prefix that marks Sam's
    own line is removed from it, unless it is code.
    """
    kept: list[str] = []
    fence, knows_fences, in_quote, is_forged = "", True, False, False
    for row in re.split(r"\r\n?|\n", text):
        if fence:
            if re.fullmatch(rf" {{0,3}}{fence[0]}{{{len(fence)},}}[ \t]*", row):
                fence = ""
            kept.append(row)
            continue
        markers = _MARKERS.match(row)
        begin = markers.end() if markers else 0
        found = _FENCE.match(row, begin)
        if found and begin == 0 and knows_fences:
            fence, in_quote = found[0], False
            kept.append(row)
            continue
        # What is in a list or in HTML may end without the fence: all below may be a quote.
        knows_fences = knows_fences and not found and not row.startswith("<", begin)
        quoted = ">" in row[:begin]
        in_quote = quoted or (in_quote and bool(row.strip()))  # a quote goes on without a marker
        if in_quote and _NUMBERED.match(_visible(row[begin:])):
            if kept and kept[-1].strip():
                kept.append("")  # otherwise it would belong to the quote above
            row = re.sub(r">[ \t]*", "", row[:begin]).lstrip() + row[begin:]
            in_quote, is_forged = False, True
        kept.append(row)
    return "\n".join(kept) if is_forged else text


def _visible(row: str) -> str:
    """Return about what is shown of a line of Markdown."""
    shown = unicodedata.normalize("NFKC", html.unescape(_INVISIBLE.sub("", row)))
    return "".join(char for char in shown if unicodedata.category(char) != "Cf")


def sources_line(sources: Sequence[Cite]) -> str:
    """Return the line of sources under an answer; "" without sources.

    For a title that is a path of headings (`A > B`), only the last heading is shown. A web page is
    shown as a link to its host.
    """
    if not sources:
        return ""
    named = (
        f"[{s.number}] {web_link(s.path, s.title)}"
        if s.is_web
        else f"[{s.number}] {s.title.rpartition(' > ')[2]} ({s.path})"
        for s in sources
    )
    return "> " + " · ".join(" ".join(name.split()) for name in named)
