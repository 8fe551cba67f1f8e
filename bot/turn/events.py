"""The events that a running turn yields.

A consumer keeps one string, the draft: it appends `Text.text`, appends `Cite.mark`, and sets it to
`Restart.text`. `Done` comes last, once, and its `shown` replaces the draft.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
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
    sources."""

    text: str
    shown: str
    origin: Literal["sam", "recall", "web"] = "sam"
    sources: tuple[Cite, ...] = ()


Event = Text | Cite | ToolUse | Read | Notice | Restart | Done


_LIKE_SOURCES = re.compile(r"^[ \t]*(?:>[ \t]*)+(?=\[\d{1,3}\])", re.MULTILINE)


def without_forged_sources(text: str) -> str:
    """Return the answer without lines that imitate the line of sources below it.

    A quoted text may contain such a line, and a model may write one. The prefix that marks Sam's
    own line is removed from it.
    """
    return _LIKE_SOURCES.sub("", text)


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
