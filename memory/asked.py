"""A place as a model names it: a note with lines, a day of the log. Knows no vault and no log."""

from __future__ import annotations

import re
from datetime import date

from .errors import NoteMissing

DAY = re.compile(r"log/(\d{4}-\d{2}-\d{2})(?:\.md)?")
_SPAN = re.compile(r":(\d+)(?:-(\d+))?$")


def place(path: str, from_line: int, count: int) -> tuple[str, int, int]:
    """A path as models write it (`[[a/b#^id]]`, `a/b.md:12-20`) → a name and lines."""
    path = path.strip().removeprefix("[[").removesuffix("]]").partition("#")[0].strip()
    if match := _SPAN.search(path):
        path, first, last = path[: match.start()], int(match[1]), int(match[2] or match[1])
        if from_line == 1:
            from_line, count = first, max(count if last == first else last - first + 1, 1)
    return path, from_line, count


def day(text: str) -> date:
    """A day of the log. Raises NoteMissing."""
    try:
        day_ = date.fromisoformat(text)
    except ValueError:
        raise NoteMissing(f"{text} is no day.") from None
    if not 1970 <= day_.year < date.max.year:  # the next midnight must be one, in any zone
        raise NoteMissing(f"Nothing was said on {text}.")
    return day_
