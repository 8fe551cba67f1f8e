"""Extract the prose of a note: blank comments, drawings and encoded data.

Every function keeps the number of lines, so that a line is still found by its number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .markdown import Fences, strip_block_id, without_code

_COMMENT = re.compile(r"%%|<!--")
_CLOSES = {"%%": "%%", "<!--": "-->"}
_PAYLOAD = re.compile(r"^\s*(?:`{3,}|~{3,})\s*(?:compressed-json|excalidraw|drawio|xopp)\b", re.I)
_DRAWING = re.compile(r"^#{1,2}\s+Drawing\s*$")
_BANNER = "Switch to EXCALIDRAW VIEW"
_DATA_URI = re.compile(r"data:[\w.+-]+/[\w.+-]+(?:;[\w=.-]+)*,[^\s()\"'<>\[\]]*")
_BLOB = re.compile(
    r"[A-Za-z0-9+/]{200,}={0,2}"
)  # longer than any word, hash or key that is worth searching
_BLOB_LINE = re.compile(r"\s*[A-Za-z0-9+/]{60,}={0,2}\s*")  # as MIME and PEM wrap them
_BLOB_END = re.compile(r"\s*[A-Za-z0-9+/]+={0,2}\s*")


def prose(rows: Sequence[str], *, drawing: bool = False) -> list[str]:
    """Return the lines with everything but prose blanked, block ids included.

    `drawing`: the note is Excalidraw's, so that what follows `## Drawing` is data to its end.
    """
    kept = _without_blobs(_without_comments(rows))
    fences = Fences()
    code = [fences.feed(row) for row in kept]
    kept = _without_drawings(kept, code, drawing)
    return [row if code[n] else strip_block_id(row) for n, row in enumerate(kept)]


def _without_comments(rows: Sequence[str]) -> list[str]:
    """Blank comments, `%%…%%` and `<!--…-->`; an unclosed one is text, and stays."""
    if not any("%%" in row or "<!--" in row for row in rows):
        return list(rows)
    kept: list[str] = []
    fences = Fences()
    unclosed: set[str] = set()
    number = 0
    while number < len(rows):
        rest = rows[number]
        if fences.feed(rest):
            kept.append(rest)
            number += 1
            continue
        line = ""
        while match := _COMMENT.search(without_code(rest)):
            whole = not line.strip() and not rest[: match.start()].strip()
            end = _end(rows, number, rest, match, whole, unclosed)
            if end is None:
                line, rest = line + rest[: match.end()], rest[match.end() :]
                continue
            line += rest[: match.start()]
            if end[0] > number:
                kept += [line, *[""] * (end[0] - number - 1)]
                line = ""
            number, rest = end[0], end[1]
        kept.append(line + rest)
        number += 1
    return kept


def _end(
    rows: Sequence[str],
    number: int,
    rest: str,
    match: re.Match[str],
    whole: bool,
    unclosed: set[str],
) -> tuple[int, str] | None:
    """Return where the comment ends: its line, and the text after it.

    One that begins a line may run over blank lines, one amid a line ends with its paragraph.
    """
    closes = _CLOSES[match[0]]
    at = rest.find(closes, match.end())
    if at >= 0:
        return number, rest[at + len(closes) :]
    if closes in unclosed:
        return None
    for later in range(number + 1, len(rows)):
        if not whole and not rows[later].strip():
            return None
        at = rows[later].find(closes)
        if at >= 0:
            return later, rows[later][at + len(closes) :]
    unclosed.add(closes)
    return None


def _without_drawings(rows: list[str], code: list[bool], drawing: bool) -> list[str]:
    """Blank data fences with the heading above, and all that follows in a drawing's own note."""
    kept = list(rows)
    dropping = False
    heading: int | None = None
    for number, row in enumerate(rows):
        if drawing and not code[number] and _DRAWING.match(row):
            return kept[:number] + [""] * (len(rows) - number)
        starts = code[number] and not (number and code[number - 1])
        if starts or (dropping and not code[number]):
            dropping = starts and bool(_PAYLOAD.match(row))
            if dropping and heading is not None:
                kept[heading] = ""
        if dropping or _BANNER in row:
            kept[number] = ""
        elif row.strip():
            heading = number if _DRAWING.match(row) else None
    return kept


def _without_blobs(rows: list[str]) -> list[str]:
    """Blank data URIs, and base64 on one line or wrapped."""
    kept = [_unencoded(row) if len(row) >= 20 else row for row in rows]
    run: list[int] = []
    for number, row in enumerate([*kept, ""]):
        if _BLOB_LINE.fullmatch(row) and _looks_random(row):
            run.append(number)
            continue
        if len(run) >= 2:
            if _BLOB_END.fullmatch(row) and ("=" in row or _looks_random(row)):
                run.append(number)
            for at in run:
                kept[at] = ""
        run = []
    return kept


def _unencoded(row: str) -> str:
    if "data:" in row:
        row = _DATA_URI.sub("", row)
    if len(row) >= 200:
        row = _BLOB.sub(lambda found: "" if _looks_random(found[0]) else found[0], row)
    return row


def _looks_random(text: str) -> bool:
    """Return whether a text has both cases and digits, like base64 and unlike words and
    hexadecimal."""
    return all(any(map(kind, text)) for kind in (str.islower, str.isupper, str.isdigit))
