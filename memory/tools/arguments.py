"""Check and parse what a model, or another program, passes to a tool."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable, Sequence
from datetime import date

from ..errors import NoteMissing, SamError, SearchRefused
from ..text.humanize import one_line

TEXT = 8_000
"""Maximum characters of a text for a note."""
LINE = 1_000
"""Maximum characters of a task, a question, or a text to replace."""
NAME = 300
"""Maximum characters of a path, a name, a date or similar."""
DAY = re.compile(r"log/(\d{4}-\d{2}-\d{2})(?:\.md)?")
_MONTH = re.compile(r"\d{4}-\d\d")
MOST_WORDINGS = 3
"""Maximum number of wordings besides the question itself."""
LONGEST_WORDING = 500
"""Maximum characters of one wording."""
_SPAN = re.compile(r":(\d+)(?:-(\d+))?$")


def check(error: type[SamError], longest: int, **given: str | Sequence[str]) -> None:
    """Raise `error`, naming the argument, for the first argument that is longer; several texts
    count together."""
    for name, text in given.items():
        length = len(text) if isinstance(text, str) else sum(map(len, text))
        if length > longest:
            raise error(f"`{name}` is too long ({length:,} characters): give {longest:,} at most.")


def place(path: str, from_line: int, count: int) -> tuple[str, int, int]:
    """Parse a path as models write it (`[[a/b#^id]]`, `a/b.md:12-20`) into a name and lines."""
    path = path.strip().removeprefix("[[").removesuffix("]]")
    name, suffix, rest = path.rpartition(".md")  # a name may have a #: "C# tips.md"
    path = f"{name}{suffix}{rest.partition('#')[0]}".strip()
    if match := _SPAN.search(path):
        path, first, last = path[: match.start()], int(match[1]), int(match[2] or match[1])
        if from_line == 1:
            from_line, count = first, max(count if last == first else last - first + 1, 1)
    return path, from_line, count


def day(text: str) -> date:
    """Parse a day of the log. Raises NoteMissing."""
    try:
        day_ = date.fromisoformat(text)
    except ValueError:
        raise NoteMissing(f"{text} is no day.") from None
    # The next midnight must be a valid date in any time zone.
    if not 1970 <= day_.year < date.max.year:
        raise NoteMissing(f"Nothing was said on {text}.")
    return day_


def day_meant(text: str) -> date:
    """Return the day that `2026-03-15` or `2026-03` means: of a month, its last one. Raises
    ValueError for any other text."""
    if _MONTH.fullmatch(text):
        first = date.fromisoformat(f"{text}-01")
        return first.replace(day=calendar.monthrange(first.year, first.month)[1])
    return date.fromisoformat(text)


def past_day(text: str) -> date:
    """Return the day that `2026-03-15`, or `2026-03` for its end, means. Raises SearchRefused."""
    try:
        return day_meant(text.strip())
    except ValueError:
        raise SearchRefused(f"{text!r} is no day: give 2026-03-15, or 2026-03.") from None


def wordings(query: str, others: Iterable[str]) -> tuple[str, ...]:
    """Return the other wordings of a question, without duplicates and redundant ones.

    Raises SearchRefused if there are too many, or if one is too long.
    """
    given = [one_line(text) for text in others]
    fresh = tuple(text for text in dict.fromkeys(given) if text and text != one_line(query))
    if len(fresh) > MOST_WORDINGS:
        raise SearchRefused(
            f"Too many wordings: give {MOST_WORDINGS} in `queries` at most, besides the query."
        )
    if any(len(text) > LONGEST_WORDING for text in fresh):
        raise SearchRefused(
            f"A wording is too long: {LONGEST_WORDING} characters are the most. Give its words."
        )
    return fresh
