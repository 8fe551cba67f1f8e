"""Escape text for Markdown. Pure."""

from __future__ import annotations

import re

# Markup that is active anywhere in a line; underscores only at a word's edge.
_ANYWHERE = re.compile(r"[\\`*\[\]<>~|$&]|(?<![^\W_])_|_(?![^\W_])")
_AT_START = re.compile(r"^([^\S\n]*|[^\S\n]*\d+)([#+\-=.)])", re.MULTILINE)

_INDENTED = re.compile(r"^(?: {0,3}\t| {4})[ \t]*", re.MULTILINE)  # it might begin a block of code


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
