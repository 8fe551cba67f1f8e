"""Escape text for Markdown. Pure."""

from __future__ import annotations

import re

# Markup that is active anywhere in a line; underscores only at a word's edge.
_ANYWHERE = re.compile(r"[\\`*\[\]<>~|$&]|(?<![^\W_])_|_(?![^\W_])")
_AT_START = re.compile(r"^([^\S\n]*|[^\S\n]*\d+)([#+\-=.)])", re.MULTILINE)


def escape(text: str) -> str:
    """Escape text so that it is shown literally."""
    return _AT_START.sub(r"\1\\\2", _ANYWHERE.sub(r"\\\g<0>", text))
