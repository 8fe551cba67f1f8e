"""Text for the terminal: without control characters, and without the marks of markdown."""

from __future__ import annotations

import json
import re

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_FENCED = re.compile(r"^(`{3,})\w*\n(.*?)\n\1$", re.MULTILINE | re.DOTALL)
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


def printable(text: str) -> str:
    """Remove control characters: no text can steer the terminal."""
    return _CONTROL.sub("", text)


def show(text: str) -> None:
    """Print what notes, messages or names of files are part of, without control characters."""
    print(printable(text))


def show_json(document: object) -> None:
    """Print what `--json` asks for."""
    print(json.dumps(document, ensure_ascii=False, indent=2))


def plain(markdown: str) -> str:
    """Remove the markup of a command's answer: backslashes, stars around bold and italic words, and
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
