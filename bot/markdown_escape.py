"""Escape text for Markdown, and remove the markup of Markdown. Pure."""

from __future__ import annotations

import re

# Markup that is active anywhere in a line; underscores only at a word's edge.
_ANYWHERE = re.compile(r"[\\`*\[\]<>~|$&]|(?<![^\W_])_|_(?![^\W_])")
_AT_START = re.compile(r"^([^\S\n]*|[^\S\n]*\d+)([#+\-=.)])", re.MULTILINE)

_INDENTED = re.compile(r"^(?: {0,3}\t| {4})[ \t]*", re.MULTILINE)  # it might begin a block of code

_FENCED = re.compile(r"^(`{3,})\w*\n(.*?)\n\1$", re.MULTILINE | re.DOTALL)
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


def escape(text: str) -> str:
    """Escape text so that it is shown literally; deep indentation is of no-break spaces."""
    text = _INDENTED.sub(lambda found: found[0].expandtabs(4).replace(" ", "\u00a0"), text)
    return _AT_START.sub(r"\1\\\2", _ANYWHERE.sub(r"\\\g<0>", text))


def code_block(text: str, kind: str = "") -> str:
    """Return text as a block of code, whatever it holds."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}{kind}\n{text}\n{fence}"


def plain(markdown: str) -> str:
    """Remove the markup of a message of Sam's: backslashes, stars around bold and italic words, and
    the fences of code, which is unchanged."""
    parts = _FENCED.split(markdown)  # text, fence, code, text, …
    return "".join(
        part if place % 3 == 2 else _bare(part)
        for place, part in enumerate(parts)
        if place % 3 != 1
    )


def _bare(markdown: str) -> str:
    bare = re.sub(r"(?<!\\)(\*\*|\*|`)(.+?)(?<!\\)\1", r"\2", markdown)
    return _ESCAPED.sub(r"\1", bare)
