"""Rewrite an answer's Markdown so that Telegram shows all of its text.

A tag that Telegram does not have (`vector<int>`) stays text, where Markdown parsers would drop it,
as does the definition of a link that no link uses (`[TODO]: call`). No image is left, and a link
says where it leads.
"""

from __future__ import annotations

import functools
import re
from collections import Counter, deque
from collections.abc import Callable, Sequence

from memory.notes import code_spans

from ...markdown_escape import escape
from .links import safe_links, shown_host

_TAG = re.compile(r"(?<!\\)((?:\\\\)*)<(?!/?(?:details|summary|tg-spoiler)\b)")
_DOLLARS = re.compile(r"(?<![\\$])\${3,}")
_DEFINITION = re.compile(r"((?:[>\s]|[-*+]\s|\d{1,9}[.)]\s)*)\[(?P<label>[^\[\]]+)\]:(?P<to>.*)")
_LABEL = re.compile(r"(?<!\\)\[([^\[\]]+)\]")
_BARS = re.compile(r"(?<=\s)\|\|(?=\s)")  # an "or"; those of a spoiler are next to its text
_DETAILS = re.compile(r"(?<!\\)<(/?details|/?summary)[^>]*>")
TABLE_RULE = re.compile(r"^\s*(?:\|\s*)?:?-+:?\s*(?:\|\s*:?-+:?\s*)+(?:\|\s*)?$")
_INNER_BLOCK = re.compile(r"\s+(?:`{3}|~{3}|>|#{1,6}\s|\|.*\|\s*$)")
_LINKED = re.compile(r"(?<![!\\])\[([^\[\]]*)\]\(<?([^\s()<>]+)>?(?:\s+\"[^\"]*\")?\)")
_SPECIAL = re.compile(r"<|\${3}|\]:|\|\|")
LINK = re.compile(r"^(https?|tg|mailto|tel):", re.IGNORECASE)
_FENCE = re.compile(r"^\s*(`{3,}|~{3,})(.*)$")
_OPENS_LATE = re.compile(r"^([^`~]*[^`~\s])\s*((`{3,}|~{3,})[^`~\s]*)\s*$")
_CLOSES_EARLY = re.compile(r"^([\s>]*)(`{3,}|~{3,})\s+(\S.*)$")


def for_entities(markdown: str) -> str:
    """Return the source of a message with entities: without `<details>`, with the addresses of
    links in tables, which are shown as code, and with blank lines before the blocks in lists."""
    lines = _outside_code(markdown, lambda prose: _DETAILS.sub("\n\n", prose))
    return safe_links(_with_blank_lines(_with_addresses(_as_text(lines))))


def for_rich(markdown: str) -> str:
    """Return the source of a rich message: with hard line breaks instead of single ones.

    Tables and fences have none, since a hard break would destroy them.
    """
    lines = safe_links(_as_text(markdown)).split("\n")
    fence, tables = "", _in_tables(lines)
    for number, line in enumerate(lines[:-1]):
        was, fence = fence, fence_after(fence, line)
        following = lines[number + 1]
        prose = line.strip() and following.strip() and not following.startswith("<")
        if prose and not (was or fence or number in tables):
            lines[number] = line.rstrip() + "  "
    return "\n".join(lines)


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
        was, fence = fence, fence_after(fence, line)
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
    return labels[_label(found["label"])] > 1 and LINK.match(found["to"].strip()) is not None


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


def _with_blank_lines(markdown: str) -> str:
    """Put a blank line before each block that follows the text of a list item directly: the
    formatter would join both without a space."""
    lines, fence = list[str](), ""
    for line in markdown.split("\n"):
        was, fence = fence, fence_after(fence, line)
        begins = _INNER_BLOCK.match(line) and not was
        if begins and lines and lines[-1].strip() and lines[-1].lstrip()[0] not in ">|":
            lines.append("")
        lines.append(line)
    return "\n".join(lines)


def _address_shown(link: re.Match[str]) -> str:
    text, address = link[1], link[2]
    shows = text.strip() in (address, "") or not shown_host(text, address)
    return escape(address) if shows else f"{text} ({escape(address)})"


def _in_tables(lines: Sequence[str]) -> set[int]:
    """Return the numbers of the lines that belong to a table; its rule included."""
    fence, table, found = "", False, set[int]()
    for number, line in enumerate(lines):
        was, fence = fence, fence_after(fence, line)
        begins = "|" in line and number + 1 < len(lines) and TABLE_RULE.match(lines[number + 1])
        table = bool(line.strip()) and not was and not fence and (table or bool(begins))
        if table:
            found.add(number)
    return found


def separated(markdown: str) -> str:
    """Put the fences of a block that begins in the middle of a line on lines of their own.

    Markdown does not know such a block: its closing fence would begin another one, and the text
    behind it would be lost.
    """
    waiting, lines = deque(markdown.split("\n")), list[str]()
    fence, at, late = "", 0, None
    while waiting:
        line = waiting.popleft()
        was, fence = fence, fence_after(fence, line)
        early = _CLOSES_EARLY.match(line)
        if late and early and early[2].startswith(late[3]):
            margin = early[1]
            lines[at : at + 1] = [late[1], margin + late[2]]
            lines.append(margin + early[2])
            waiting.appendleft(margin + early[3])
            fence, late = "", None
            continue
        if was or fence:
            late = None
        elif opens := _OPENS_LATE.match(line):
            at, late = len(lines), opens
        lines.append(line)
    return "\n".join(lines)


def balanced(markdown: str) -> str:
    """Close an open code fence, in text that is still streaming or was truncated."""
    fence = functools.reduce(fence_after, markdown.split("\n"), "")
    return f"{markdown}\n{fence}" if fence else markdown


def fence_after(fence: str, line: str) -> str:
    """Return the fence that is open after this line, given the one before it; "" for none."""
    found = _FENCE.match(line)
    if not found:
        return fence
    if not fence:
        return found[1] if "`" not in found[2] or found[1][0] == "~" else ""
    return "" if found[1].startswith(fence) and not found[2].strip() else fence
