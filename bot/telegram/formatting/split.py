"""Split Markdown into pieces that each fit into a message, measured after formatting.

Splitting prefers paragraphs, then lines, then sentences and words, and keeps a heading with what is
below it.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterator, Sequence

from .entities import formatted, utf16_length
from .marks import MarkedLine, with_marks_in_each_line
from .source import TABLE_RULE, fence_after

ENTITIES = 100  # entities of a message; Telegram drops any more
SOURCE_LIMIT = 16_000  # characters of a part's Markdown: half of a rich message's limit
LINES = 450  # lines of a part: each may become one of the 500 blocks of a rich message

_HEADING = re.compile(r"^ {0,3}#{1,6}\s")
_ITEM = re.compile(r"(?:[-*+]|\d{1,9}[.)])\s")


def pieces(source: str, limit: int) -> list[str]:
    """Split Markdown into pieces that each fit into a message."""
    if _fits(source, limit):
        return [source]
    blocks: list[str] = []
    above = ""  # the headings right above a block, for which its pieces leave room
    for block in _blocks(source):
        room_for = above if len(above) <= limit // 2 else ""
        fits = _fits(room_for + block, limit)
        blocks.extend([block] if fits else _cut_block(block, room_for, limit))
        above = f"{above}{block}\n\n" if _HEADING.match(block) else ""
    return _outdented(["\n\n".join(run) for run in _runs(blocks, "\n\n", "", "", limit)], limit)


def _outdented(found: Sequence[str], limit: int) -> list[str]:
    """Return the pieces, without the indentation of a list item's text or sublist at the beginning
    of a piece: without the item above it, that would be a block of code."""
    done, in_item = list[str](), False
    for piece in found:
        cut = _without_indentation(piece) if in_item and piece[:1].isspace() else piece
        done.append(cut if _fits(cut, limit) else piece)
        for line in piece.split("\n"):
            if line[:1].strip():
                in_item = _ITEM.match(line) is not None
    return done


def _without_indentation(piece: str) -> str:
    """Remove the first line's indentation from the indented lines at the beginning of a piece. A
    list below a paragraph needs a blank line before it."""
    rows = piece.split("\n")
    margin = len(piece) - len(piece.lstrip())
    for number, row in enumerate(rows):
        if row[:1].strip():
            if _ITEM.match(row) and not _ITEM.match(rows[0]):
                rows.insert(number, "")
            break
        rows[number] = row[min(margin, len(row) - len(row.lstrip())) :]
    return "\n".join(rows)


def _runs(
    items: Sequence[str], glue: str, before: str, after: str, limit: int
) -> Iterator[Sequence[str]]:
    """Join as many items as fit, with few tries, since formatting is slow; but no run ends with a
    heading that has something below it."""
    start = 0

    def fits(count: int) -> bool:
        run = glue.join(items[start : start + count])
        return start + count <= len(items) and _fits(before + run + after, limit)

    while start < len(items):
        count = step = 1
        while fits(count + step):
            count += step
            step *= 2
        while step := step // 2:
            if fits(count + step):
                count += step
        if start + count < len(items):
            count = _without_last_headings(items[start : start + count])
        yield items[start : start + count]
        start += count


def _without_last_headings(run: Sequence[str]) -> int:
    """Return the length of the run without the headings at its end; of mere headings, with them."""
    count = len(run)
    while count and _HEADING.match(run[count - 1]):
        count -= 1
    return count or len(run)


@functools.lru_cache(maxsize=256)
def _fits(markdown: str, limit: int) -> bool:
    if len(markdown) > SOURCE_LIMIT or sum(map(bool, markdown.split("\n"))) > LINES:
        return False
    text, entities = formatted(markdown)
    return utf16_length(text) <= limit and len(entities) <= ENTITIES


def _blocks(source: str) -> Iterator[str]:
    """Yield the blocks between blank lines, each heading, and each fenced block as a whole."""
    block: list[str] = []
    fence = ""
    for line in source.split("\n"):
        was, fence = fence, fence_after(fence, line)
        begins, ends = fence and not was, was and not fence
        heads = not was and _HEADING.match(line)
        if block and (begins or heads or not (line.strip() or was)):
            yield "\n".join(block)
            block = []
        if line.strip() or was:
            block.append(line)
        if ends or heads:
            yield "\n".join(block)
            block = []
    if block:
        yield "\n".join(block)


def _cut_block(block: str, above: str, limit: int) -> list[str]:
    """Split a long block by lines, into pieces that fit below `above`; each piece of a fenced block
    gets its own fence, and each of a table its heading."""
    lines = block.split("\n")
    before = after = ""
    if not (fence := fence_after("", lines[0])):
        lines = with_marks_in_each_line(block).split("\n")
    if fence:
        before, after = f"{lines[0]}\n", f"\n{fence}"
        lines = lines[1:-1] if fence_after(fence, lines[-1]) == "" else lines[1:]
    elif len(lines) > 2 and "|" in lines[0] and TABLE_RULE.match(lines[1]):
        heading = f"{lines[0]}\n{lines[1]}\n"
        before, lines = (heading, lines[2:]) if len(heading) <= limit // 2 else ("", lines)
    cut: list[str] = []
    for line in lines:
        fits = _fits(above + before + line + after, limit)
        cut.extend([line] if fits else _cut_line(line, above + before, after, limit))
    runs = _runs(cut, "\n", above + before, after, limit)
    return [before + "\n".join(run) + after for run in runs]


def _cut_line(line: str, before: str, after: str, limit: int) -> list[str]:
    """Split a line into pieces that fit: after a sentence, at a space, or anywhere. `after` ends a
    fence: in code, white space stays."""
    cut, row = list[str](), MarkedLine(line, is_code=bool(after))
    likely = limit  # a size that may fit, by the piece before: formatting is slow
    while row.left and (len(row.left) > 2 * likely or not _fits(before + row.rest + after, limit)):
        size = min(len(row.left) - 1, likely)
        while size > 1 and not _fits(before + row.piece(size) + after, limit):
            size = size * 3 // 4
        likely = min(limit, 2 * size)
        cut.append(row.take(_good_end(row.left, max(size, 1))))
    return [*cut, row.rest] if row.rest else cut


def _good_end(line: str, size: int) -> int:
    """Return where to cut within the first `size` characters, in their second half if possible."""
    for stop in (". ", "! ", "? ", "。", "; ", ", ", " "):
        at = line.rfind(stop, size // 2, size)
        if at > 0:
            return at + len(stop)
    end = size
    # Not between a letter and its accent, nor within a composed emoji.
    while end > max(1, size - 12) and _joined(line, end):
        end -= 1
    return end if end > 1 else size


def _joined(line: str, at: int) -> bool:
    if at >= len(line):
        return False
    after, before = line[at], line[at - 1]
    return (
        unicodedata.combining(after) != 0
        or after in "\u200d\ufe0f"
        or before == "\u200d"
        or 0x1F3FB <= ord(after) <= 0x1F3FF
        or 0xE0020 <= ord(after) <= 0xE007F
    )
