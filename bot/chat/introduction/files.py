"""The changes of the answers to user.md and identity.md. Pure."""

from __future__ import annotations

import re

from memory.notes import inert, split_front_matter

_COMMENT = re.compile(r"%%.*?%%", re.DOTALL)
_HEADING = re.compile(r"#{1,6}\s")
_NAME_HEADING = re.compile(r"#{1,6}\s+Name\s*")
_TIMEZONE = re.compile(r"timezone:.*")
_VOICE = re.compile(r"(\s*[-*]\s+\*\*Voice\*\*:).*")
EMPTY_USER = "---\ntimezone:\n---\n\n# You\n\n## Name\n"
EMPTY_IDENTITY = "# Identity\n"


def is_filled(user: str) -> bool:
    """Return whether the owner has written anything into user.md besides the time zone."""
    body = _COMMENT.sub("", split_front_matter(user)[1])
    return any(row.strip() and not _HEADING.match(row) for row in body.split("\n"))


def voice_of(identity: str) -> str:
    """Return the line of identity.md that says how Sam sounds; "" without one."""
    return next((row.strip() for row in identity.split("\n") if _VOICE.fullmatch(row)), "")


def update_user(text: str, *, name: str, language: str, zone: str) -> str:
    """Return user.md with the answers; "" leaves one out."""
    rows = (text or EMPTY_USER).split("\n")
    added = [f"- {label}: {inert(words)}" for label, words in _named(name, language) if words]
    if added:
        rows = _below_name(rows, added)
    return "\n".join(_with_zone(rows, zone) if zone else rows)


def _named(name: str, language: str) -> tuple[tuple[str, str], ...]:
    return ("Name", name), ("Language", language)


def _below_name(rows: list[str], added: list[str]) -> list[str]:
    """Return the rows with others at the end of the section “Name”."""
    start = next((n for n, row in enumerate(rows) if _NAME_HEADING.fullmatch(row)), None)
    if start is None:
        while rows and not rows[-1].strip():
            rows = rows[:-1]
        return [*rows, "", "## Name", "", *added, ""]
    later = range(start + 1, len(rows))
    end = next((n for n in later if _HEADING.match(rows[n])), len(rows))
    while not rows[end - 1].strip():
        end -= 1
    return [*rows[:end], "", *added, *(rows[end:] or [""])]


def _with_zone(rows: list[str], zone: str) -> list[str]:
    line = f"timezone: {zone}"
    if rows[0].rstrip() != "---":
        return ["---", line, "---", "", *rows]
    end = next((n for n in range(1, len(rows)) if rows[n].rstrip() == "---"), len(rows))
    at = next((n for n in range(1, end) if _TIMEZONE.fullmatch(rows[n])), None)
    return [*rows[:end], line, *rows[end:]] if at is None else [*rows[:at], line, *rows[at + 1 :]]


def update_voice(text: str, tone: str) -> str:
    """Return identity.md with that tone as Sam's voice."""
    rows = (text or EMPTY_IDENTITY).split("\n")
    words = inert(tone)
    for number, row in enumerate(rows):
        if found := _VOICE.fullmatch(row):
            rows[number] = f"{found[1]} {words}"
            return "\n".join(rows)
    return "\n".join(rows).rstrip("\n") + f"\n\n- **Voice**: {words}\n"


def replacement(before: str, after: str) -> tuple[str, str]:
    """Return lines that occur once in `before`, and their replacement.

    Both begin and end with the same line of text if possible, so that blank lines at their ends may
    be dropped.
    """
    old, new = before.split("\n"), after.split("\n")
    start = end = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    start, end = _to_text(old, start, -1), len(old) - _to_text(old, len(old) - end - 1, 1) - 1
    while start and before.count("\n".join(old[start : len(old) - end])) > 1:
        start -= 1
    return "\n".join(old[start : len(old) - end]), "\n".join(new[start : len(new) - end])


def _to_text(rows: list[str], at: int, step: int) -> int:
    """Return the next line with text beyond one, or the last there is."""
    at += step
    while 0 < at < len(rows) - 1 and not rows[at].strip():
        at += step
    return max(0, min(at, len(rows) - 1))
