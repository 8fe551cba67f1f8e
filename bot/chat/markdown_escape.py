"""Escape text for Markdown. Pure."""

from __future__ import annotations

import re

# What means something anywhere in a line; underscores only at a word's edge.
_ANYWHERE = re.compile(r"[\\`*\[\]<>~|$&]|(?<![^\W_])_|_(?![^\W_])")
_AT_START = re.compile(r"^(\s*|\s*\d+)([#+\-=.)])", re.MULTILINE)


def escape(text: str) -> str:
    """Text that is shown as it stands, whatever markdown it would be."""
    return _AT_START.sub(r"\1\\\2", _ANYWHERE.sub(r"\\\g<0>", text))
