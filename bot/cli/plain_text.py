"""Text for the terminal: without control characters."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path
from typing import Any

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def printable(text: str) -> str:
    """Remove control characters: no text can steer the terminal."""
    return _CONTROL.sub("", text)


def show(text: str) -> None:
    """Print what notes, messages or names of files are part of, without control characters."""
    print(printable(text))


def escaped(text: str) -> str:
    """Return the text as one line, such as a file's name and what is said of it: characters that
    cannot be printed are escaped, and bytes that are not UTF-8."""
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)


def show_json(document: object) -> None:
    """Print what `--json` asks for: days and times in ISO 8601, paths as text. Bytes of a file's
    name that are not UTF-8 are escaped."""
    text = json.dumps(document, ensure_ascii=False, indent=2, default=_as_text)
    print(text.encode("utf-8", "backslashreplace").decode())


def fields(row: object, *names: str) -> dict[str, Any]:
    """Return these attributes by their names, for `show_json`."""
    return {name: getattr(row, name) for name in names}


def _as_text(value: object) -> str:
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Path):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no form in JSON")
