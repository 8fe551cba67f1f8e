"""Split and format an answer's Markdown into messages within Telegram's limits. Pure.

A part is measured after formatting, in UTF-16 units, as Telegram measures; it has at most 100
entities; its code fences are balanced. Splitting prefers paragraphs, then lines, then sentences and
words, and keeps a heading with what is below it. No text is lost: a tag that Telegram does not have
(`vector<int>`) stays text, where Markdown parsers would drop it, as does the definition of a link
that no link uses (`[TODO]: call`). No image is left, and a link says where it leads.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memory.notes import code_spans
from memory.text import mark, tr

from ...markdown_escape import escape
from .links import may_be_rich, safe_links, shown_host

if TYPE_CHECKING:
    from telegramify_markdown.config import RenderConfig

LIMIT = 4096  # UTF-16 units of a message's text
CAPTION = 1024  # of the text below a picture
PERHAPS_TWICE = mark("↻ Perhaps for the second time: the connection broke while I was sending it.")
REMARK = 100  # the remark in its longest translation, and the blank line before it
ENTITIES = 100  # entities of a message; Telegram drops any more
SOURCE_LIMIT = 16_000  # characters of a part's Markdown: half of a rich message's limit
LINES = 450  # lines of a part: each may become one of the 500 blocks of a rich message

_HEADING = re.compile(r"^ {0,3}#{1,6}\s")
_FENCE = re.compile(r"^\s*(`{3,}|~{3,})(.*)$")
_TAG = re.compile(r"(?<!\\)((?:\\\\)*)<(?!/?(?:details|summary|tg-spoiler)\b)")
_DOLLARS = re.compile(r"(?<![\\$])\${3,}")
_DEFINITION = re.compile(r"((?:[>\s]|[-*+]\s|\d{1,9}[.)]\s)*)\[(?P<label>[^\[\]]+)\]:(?P<to>.*)")
_LABEL = re.compile(r"(?<!\\)\[([^\[\]]+)\]")
_BARS = re.compile(r"(?<=\s)\|\|(?=\s)")  # an "or"; those of a spoiler are next to its text
_DETAILS = re.compile(r"(?<!\\)<(/?details|/?summary)[^>]*>")
_TABLE_RULE = re.compile(r"^\s*(?:\|\s*)?:?-+:?\s*(?:\|\s*:?-+:?\s*)+(?:\|\s*)?$")
_LINKED = re.compile(r"(?<![!\\])\[([^\[\]]*)\]\(<?([^\s()<>]+)>?(?:\s+\"[^\"]*\")?\)")
_SPECIAL = re.compile(r"<|\${3}|\]:|\|\|")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_LINK = re.compile(r"^(https?|tg|mailto|tel):", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Entity:
    """A range of formatted text; offset and length in UTF-16 units."""

    type: str
    offset: int
    length: int
    url: str | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """One message: markdown for a rich one, text and entities for the others.

    `plain`: the formatting adds nothing to the text. `rich` is None where it might
    hold media that Telegram would fetch.
    """

    rich: str | None
    text: str
    entities: tuple[Entity, ...]
    plain: bool


def utf16_length(text: str) -> int:
    """Return the length in UTF-16 code units, as Telegram counts."""
    return len(text) + sum(1 for char in text if ord(char) > 0xFFFF)


def clean(text: str) -> str:
    """Remove what cannot be sent: lone surrogates, control characters."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    kept = (c if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cs") else "�" for c in text)
    return "".join(kept).strip("\n").rstrip()


def balanced(markdown: str) -> str:
    """Close an open code fence, in text that is still streaming or was truncated."""
    fence = functools.reduce(_fence_after, markdown.split("\n"), "")
    return f"{markdown}\n{fence}" if fence else markdown


def parts(markdown: str, *, limit: int = LIMIT) -> list[Part]:
    """Split into as few messages as possible; none for blank text."""
    source = balanced(clean(markdown))
    # A cut can create a new fence.
    found = [_part(balanced(piece)) for piece in _pieces(source, limit)]
    return [part for part in found if part.text.strip()]


def with_repeat_remark(part: Part) -> Part:
    """Return the part with a remark that it may be a repetition; it is REMARK units longer."""
    rich = None if part.rich is None else f"{part.rich}\n\n*{tr(PERHAPS_TWICE)}*"
    return replace(part, rich=rich, text=f"{part.text}\n\n{tr(PERHAPS_TWICE)}")


def tail(markdown: str, *, limit: int = LIMIT) -> Part | None:
    """Return the end of a streaming text as one part; None for blank text."""
    found = parts(markdown, limit=limit)
    return found[-1] if found else None


def _pieces(source: str, limit: int) -> list[str]:
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
    return ["\n\n".join(run) for run in _runs(blocks, "\n\n", "", "", limit)]


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
    """Return the length of the run without the headings at its end; its length if it has nothing
    else."""
    count = len(run)
    while count and _HEADING.match(run[count - 1]):
        count -= 1
    return count or len(run)


@functools.lru_cache(maxsize=256)
def _fits(markdown: str, limit: int) -> bool:
    if len(markdown) > SOURCE_LIMIT or sum(map(bool, markdown.split("\n"))) > LINES:
        return False
    text, entities = _format(markdown)
    return utf16_length(text) <= limit and len(entities) <= ENTITIES


def _fence_after(fence: str, line: str) -> str:
    """Return the fence that is open after this line, given the one before it; "" for none."""
    found = _FENCE.match(line)
    if not found:
        return fence
    if not fence:
        return found[1] if "`" not in found[2] or found[1][0] == "~" else ""
    return "" if found[1].startswith(fence) and not found[2].strip() else fence


def _blocks(source: str) -> Iterator[str]:
    """Yield the blocks between blank lines, each heading, and each fenced block as a whole."""
    block: list[str] = []
    fence = ""
    for line in source.split("\n"):
        was, fence = fence, _fence_after(fence, line)
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
    gets its own fence."""
    lines = block.split("\n")
    before = after = ""
    if fence := _fence_after("", lines[0]):
        before, after = f"{lines[0]}\n", f"\n{fence}"
        lines = lines[1:-1] if _fence_after(fence, lines[-1]) == "" else lines[1:]
    cut: list[str] = []
    for line in lines:
        fits = _fits(above + before + line + after, limit)
        cut.extend([line] if fits else _cut_line(line, above + before, after, limit))
    runs = _runs(cut, "\n", above + before, after, limit)
    return [before + "\n".join(run) + after for run in runs]


def _cut_line(line: str, before: str, after: str, limit: int) -> list[str]:
    """Split a line into pieces that fit: after a sentence, at a space, or anywhere. `after` ends a
    fence: in code, white space stays."""
    cut: list[str] = []
    likely = limit  # a size that may fit, by the piece before: formatting is slow
    while len(line) > 2 * likely or not _fits(before + line + after, limit):
        size = min(len(line) - 1, likely)
        while size > 1 and not _fits(before + line[:size] + after, limit):
            size = size * 3 // 4
        likely = min(limit, 2 * size)
        size = _good_end(line, max(size, 1))
        cut.append(line[:size].rstrip() if not after else line[:size])
        line = line[size:].lstrip() if not after else line[size:]
        if not line:
            return cut
    return [*cut, line]


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


def _part(markdown: str) -> Part:
    text, entities = _format(markdown)
    plain = not entities and text == _ESCAPE.sub(r"\1", markdown).rstrip()
    rich = _rich(markdown)
    return Part(rich if may_be_rich(rich) else None, text, entities[:ENTITIES], plain)


@functools.cache
def _config() -> RenderConfig:
    from telegramify_markdown.config import RenderConfig, Symbol

    class Symbols(Symbol):
        def __init__(self) -> None:
            super().__init__()  # type: ignore[no-untyped-call]  # the library's own
            self.heading_level_1 = self.heading_level_2 = self.heading_level_3 = ""
            self.heading_level_4 = self.heading_level_5 = self.heading_level_6 = ""
            self.unordered_list_item = "•"
            self.task_uncompleted = "☐"

    class Config(RenderConfig):
        markdown_symbol = Symbols()

    return Config.isolated()


@functools.lru_cache(maxsize=64)
def _format(markdown: str) -> tuple[str, tuple[Entity, ...]]:
    """Convert Markdown to text and entities."""
    from telegramify_markdown import convert

    source = _DETAILS.sub("\n\n", safe_links(_with_addresses(_as_text(markdown))))
    text, found = convert(source, latex_escape=False, config=_config())
    text = text.rstrip()
    if not text.strip():  # a comment: nothing visible
        return markdown, ()
    end = utf16_length(text)
    return text, tuple(
        Entity(e.type, e.offset, min(e.length, end - e.offset), e.url, e.language)
        for e in found
        if e.offset < end and e.length > 0 and (e.url is None or _LINK.match(e.url))
    )


def _as_text(markdown: str) -> str:
    """Escape what is text although it looks like markup: `<` wherever it would open a tag that
    Telegram does not have, definitions of links that no link uses, `||` between words, and runs of
    dollars.

    Three or more dollars are empty formulas, for which the formatter takes quadratic time.
    """
    lines = markdown.split("\n")
    labels = Counter(map(_label, _LABEL.findall(markdown))) if "]:" in markdown else Counter[str]()
    fence, before = "", ""
    for number, line in enumerate(lines):
        was, fence = fence, _fence_after(fence, line)
        indented = line.startswith(("    ", "\t")) and not before.strip()
        if not was and not fence and not indented and _SPECIAL.search(line):
            if (found := _DEFINITION.match(line)) and not _is_definition(found, labels):
                line = f"{found[1]}\\{line[found.end(1) :]}"
            if not line.lstrip().startswith("|"):  # in a table they are an empty cell
                line = _outside_code(line, lambda prose: _BARS.sub(r"\\|\\|", prose))
            lines[number] = _outside_code(line, _without_tags)
        before = line
    return "\n".join(lines)


def _outside_code(line: str, change: Callable[[str], str]) -> str:
    """Return the line with a change of what is outside of its code spans."""
    pieces, at = list[str](), 0
    for start, end in [*code_spans(line), (len(line), len(line))]:
        pieces += [change(line[at:start]), line[start:end]]
        at = end
    return "".join(pieces)


def _without_tags(prose: str) -> str:
    dollars = _DOLLARS.sub(lambda found: "\\$" * len(found[0]), prose)
    return _TAG.sub(r"\1\\<", dollars)


def _is_definition(found: re.Match[str], labels: Counter[str]) -> bool:
    """Return whether it defines the address of a link. `labels`: what is in brackets, counted."""
    return labels[_label(found["label"])] > 1 and _LINK.match(found["to"].strip()) is not None


def _label(text: str) -> str:
    return " ".join(text.split()).casefold()


def _with_addresses(markdown: str) -> str:
    """Write out the addresses of the links in tables, which are shown as code."""
    if "](" not in markdown:
        return markdown
    lines = markdown.split("\n")
    for number in _in_tables(lines):
        lines[number] = _outside_code(
            lines[number], lambda prose: _LINKED.sub(_address_shown, prose)
        )
    return "\n".join(lines)


def _address_shown(link: re.Match[str]) -> str:
    text, address = link[1], link[2]
    shows = text.strip() in (address, "") or not shown_host(text, address)
    return escape(address) if shows else f"{text} ({escape(address)})"


def _in_tables(lines: Sequence[str]) -> set[int]:
    """Return the numbers of the lines that belong to a table; its rule included."""
    fence, table, found = "", False, set[int]()
    for number, line in enumerate(lines):
        was, fence = fence, _fence_after(fence, line)
        begins = "|" in line and number + 1 < len(lines) and _TABLE_RULE.match(lines[number + 1])
        table = bool(line.strip()) and not was and not fence and (table or bool(begins))
        if table:
            found.add(number)
    return found


def _rich(markdown: str) -> str:
    """Convert single line breaks to hard ones, for a rich message.

    Tables and fences stay unchanged, since a hard break would destroy them.
    """
    lines = safe_links(_as_text(markdown)).split("\n")
    fence, tables = "", _in_tables(lines)
    for number, line in enumerate(lines[:-1]):
        was, fence = fence, _fence_after(fence, line)
        following = lines[number + 1]
        prose = line.strip() and following.strip() and not following.startswith("<")
        if prose and not (was or fence or number in tables):
            lines[number] = line.rstrip() + "  "
    return "\n".join(lines)
