"""Extract the visible text of HTML, which may be malicious, without backtracking."""

from __future__ import annotations

import re
from html import unescape
from math import inf
from typing import NamedTuple

_SKIPPED = frozenset({"script", "style", "head", "title", "template", "noscript"})
_BLOCKS = frozenset(
    {
        *("p", "div", "br", "tr", "li", "ul", "ol", "table", "pre", "hr"),
        *("h1", "h2", "h3", "h4", "h5", "h6", "section", "article", "header", "footer"),
        *("dl", "dt", "dd", "center", "main", "aside", "nav", "address", "figure", "figcaption"),
    }
)
_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
)
_CELLS = frozenset({"td", "th"})
_TAG = re.compile(
    r"<(?:(/?)([a-zA-Z][a-zA-Z0-9:-]{0,30})"
    r"((?:=\s*+(?:\"[^\"<]*+\"|'[^'<]*+')|[^<>])*+)|[!?][^<>]*+)>"  # a value may contain ">"
)
_RAW = {name: re.compile(f"</{name}", re.IGNORECASE) for name in ("script", "style", "title")}
_HIDDEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|(?<![\w-])(?:opacity|max-height)\s*:\s*0(?![.\d])",
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"\shidden(?:[\s=]|$)", re.IGNORECASE)
_NESTED = 50
_FONT_SIZE = re.compile(r"font-size\s*:\s*(0(?![.\d]))?", re.IGNORECASE)


def visible_text(html: str, quotes: float = inf) -> str:
    """Return the visible text of an HTML page or body, one line per block.

    `quotes`: the levels of quotations to keep. Does not use `html.parser`, which takes hours for a
    mail that repeats "<!--".
    """
    found = _Visible(quotes)
    at = 0
    while (tag := html.find("<", at)) >= 0:
        found.text(html[at:tag])
        if html.startswith("<!--", tag):
            end = html.find("-->", tag)
            at = end + 3
            if end < 0:
                break
        elif match := _TAG.match(html, tag):
            at = match.end()
            if not match[2]:  # such as <!DOCTYPE html>
                continue
            closing, name, attributes = match[1], match[2].lower(), match[3]
            if closing:
                found.closes(name)
            else:
                found.opens(name, attributes)
            if name in _RAW and not closing:
                raw_end = _RAW[name].search(html, at)
                at = raw_end.start() if raw_end else len(html)
        else:
            found.text("<")
            at = tag + 1
    else:
        found.text(html[at:])
    rows = (" ".join(row.split()) for row in unescape("".join(found.parts)).split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(rows)).strip()


class _Tag(NamedTuple):
    """An open tag. `hidden`: its text is not shown; `tiny`: its font size is 0, unless a tag inside
    sets another; `quotes`: the levels of quotations."""

    name: str
    hidden: bool = False
    tiny: bool = False
    quotes: int = 0


class _Visible:
    """Collect visible text, with that many levels of quotations."""

    def __init__(self, quotes: float) -> None:
        self.parts: list[str] = []
        self._quotes = quotes
        self._open: list[_Tag] = []

    def opens(self, tag: str, attributes: str) -> None:
        """Handle a start tag."""
        if tag == "body":  # </head> may be left out
            self._open = [each for each in self._open if each.name != "head"]
        self._divide(tag)
        if tag in _VOID:
            return
        around = self._open[-1] if self._open else _Tag("")
        bare = re.sub(r"\"[^\"]*\"|'[^']*'", "", attributes)
        hidden = tag in _SKIPPED or bool(_HIDDEN.search(attributes) or _ATTRIBUTE.search(bare))
        sizes = _FONT_SIZE.findall(attributes)
        quotes = around.quotes + (tag == "blockquote" or "gmail_quote" in attributes)
        self._open.append(
            _Tag(
                tag,
                hidden or around.hidden or quotes > self._quotes,
                bool(sizes[-1]) if sizes else around.tiny,
                quotes,
            )
        )

    def closes(self, tag: str) -> None:
        """Handle an end tag, and close the unclosed elements inside."""
        self._divide(tag)
        # Examine a limited number of them: a malicious mail may open any number.
        for number in range(len(self._open) - 1, max(-1, len(self._open) - 1 - _NESTED), -1):
            if self._open[number].name == tag:
                del self._open[number:]
                return

    def text(self, words: str) -> None:
        """Add text if it is visible; its line breaks count as spaces."""
        if not self._open or not (self._open[-1].hidden or self._open[-1].tiny):
            self.parts.append(" ".join(words.split("\n")))

    def _divide(self, tag: str) -> None:
        """Separate the text before a tag from that after it."""
        if tag in _BLOCKS:
            self.parts.append("\n")
        elif tag in _CELLS:
            self.parts.append(" ")
