"""Text for the terminal: without control characters."""

from __future__ import annotations

import json
import re

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def printable(text: str) -> str:
    """Remove control characters: no text can steer the terminal."""
    return _CONTROL.sub("", text)


def show(text: str) -> None:
    """Print what notes, messages or names of files are part of, without control characters."""
    print(printable(text))


def show_json(document: object) -> None:
    """Print what `--json` asks for."""
    print(json.dumps(document, ensure_ascii=False, indent=2))
