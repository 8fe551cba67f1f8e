"""Detect what a reader like Obsidian would interpret in a line, by an independent parser.

CommonMark is parsed by markdown-it; syntax of Obsidian and its plugins is matched by patterns
written from their documentation. Shares no code with `memory/notes/markdown.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_ESCAPED = re.compile(r"\\[!-/:-@\[-`{-~]")
_ADDRESS = re.compile(r"https?://\S+")
# In a text from which what a backslash escapes was taken out, and web addresses were.
_SYNTAX = {
    "tag": r"(?<![^\s(\[{,;.!?'\"*_~-])#[\w/-]*[^\W\d_][\w/-]*",
    "wikilink or embed": r"!?\[\[",
    "link": r"\[[^\]]*\]\(",
    "footnote": r"\[\^|\^\[",
    "callout, checkbox": r"\[[^\]]\]|\[!",
    "comment": r"%%|<!--",
    "block id": r"(?:^|\s)\^[A-Za-z0-9-]+\s*$",
    "Dataview field": r"[\w*]\s{0,3}::",
    "mathematics": r"\$\$|\$[^\s$](?:[^$]*[^\s$])?\$(?!\d)",
    "inline code": r"`",
    "HTML": r"</?[A-Za-z][^>]*>|<[?!]",
    "Templater": r"<%",
    "another scheme": r"\b(?!https?:)[a-z][a-z0-9+.-]*://",
}
_TEXT = {"text", "text_special", "softbreak", "em_open", "em_close", "strong_open", "strong_close"}
_TEXT |= {"s_open", "s_close"}  # emphasis and strikethrough are harmless
_LINES = {"bullet_list_open", "bullet_list_close", "list_item_open", "list_item_close"}
_LINES |= {"paragraph_open", "paragraph_close", "inline"}


def powers(line: str) -> set[str]:
    """Return the syntax that takes effect in the line; empty if it is inert."""
    bare = _ADDRESS.sub(" address ", _ESCAPED.sub("\x01", line))
    found = {name for name, pattern in _SYNTAX.items() if re.search(pattern, bare)}
    if len(re.split(r"[\n\r\v\f\x85\u2028\u2029]", line)) > 1:
        found.add("a second line")
    return found | set(_structure(f"- before\n- {line}\n- after\n", items=3))


def powers_at_start(line: str) -> set[str]:
    """Return the same for a line that starts a paragraph, follows one, or is inside one."""
    return {
        name
        for page in (f"{line}\n", f"before\n\n{line}\n\nafter\n", f"before\n{line}\nafter\n")
        for name in _structure(page, items=0)
    }


def _structure(page: str, *, items: int) -> Iterator[str]:
    tokens = _parser().parse(page)
    for token in tokens:
        if token.type not in _LINES:
            yield token.type
        for child in token.children or ():
            if child.type not in _TEXT:
                yield child.type
    count = sum(token.type == "list_item_open" for token in tokens)
    if count != items:
        yield f"{count} list items"


def _parser() -> Any:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable(["table", "strikethrough"])
