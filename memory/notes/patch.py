"""Apply a model's edit to a note: an exact and unique match, with inert new text. Pure.

The text to replace must occur in the note once. New words of the replacement are made inert, so
that no chat can write a task, a tag, a link or a heading; existing markup stays active.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Set

from ..errors import EditRefused
from .markdown import block_id, inert

_ID = r"(?:[ \t]+\^[A-Za-z0-9-]+)?[ \t]*"  # a model is not shown block ids: lines match without
_TOKEN = re.compile(r"\n|[^\S\n]+|\S+")
_ITEM = re.compile(r"(\s*(?:[-*+]|\d{1,9}[.)])\s+)(.*)")
_IMAGE = re.compile(r"(?<!\\)(?:\\\\)*!\[")
# Where links, images, their definitions and HTML lead; Obsidian fetches an image when it shows it.
_TARGET = re.compile(
    r"\]\(\s*<?([^\s)>]*)|^[ >]*\[[^\]\n]+\]:\s*<?([^\s>]+)"
    r"|(?:\b(?:src|srcset|href|poster|data)\s*=|\burl\()\s*[\"']?([^\s\"'>)]+)",
    re.IGNORECASE | re.MULTILINE,
)
_EMPTY = re.compile(r"\s*(?:(?:[-*+]|\d{1,9}[.)])\s*)?(?:\^[A-Za-z0-9-]+\s*)?")


def rewrite(text: str, old: str, new: str, *, hidden: Set[int] = frozenset()) -> str:
    """Return the note with `old` replaced by `new`; a line that becomes empty is removed.

    `hidden`: lines (from 1) that are not searched. Block ids at the ends of the lines of `old` may
    be left out, and stay. Raises EditRefused if `old` is empty, missing or not unique, or if a link
    or an image would lead elsewhere.
    """
    old, new = (part.replace("\r\n", "\n").strip("\n") for part in (old, new))
    if not old.strip():
        raise EditRefused("The text to replace is empty: give the exact words that stand there.")
    start, end = _place(text, old, hidden)
    head, found, tail = text[:start], text[start:end], text[end:]
    fresh = _fresh(old, new, line_start=head == "" or head.endswith("\n"))
    after = _joined(head, _with_ids(found, fresh), tail)
    _refuse_targets(text, after)
    return after


def replace_verbatim(text: str, old: str, new: str, *, hidden: Set[int] = frozenset()) -> str:
    """Return the note with `old` replaced by `new` verbatim, for a change that the owner has seen
    and accepted. An empty `old` adds `new` at the end. If it was already made, the note is
    unchanged.

    Raises EditRefused as `rewrite` does.
    """
    old, new = (part.replace("\r\n", "\n").strip("\n") for part in (old, new))
    if new.strip() and _is_made(text, old, new, hidden):
        return text
    if old.strip():
        start, end = _place(text, old, hidden)
        after = _joined(text[:start], new, text[end:])
    else:
        after = text + ("" if text.endswith("\n") or not text else "\n") + new + "\n"
    _refuse_targets(text, after)
    return after


def _is_made(text: str, old: str, new: str, hidden: Set[int]) -> bool:
    """Return whether the change was already made: added lines stand there as whole lines, replaced
    words only as a part of the new ones."""
    if not old.strip():
        return f"\n{new}\n" in f"\n{text}\n"
    rows = enumerate(text.split("\n"), 1)
    seen = "\n".join("" if number in hidden else row for number, row in rows)
    return new in text and old not in seen.replace(new, "\0")


def _refuse_targets(text: str, after: str) -> None:
    if _targets(after) - _targets(text) or len(_IMAGE.findall(after)) > len(_IMAGE.findall(text)):
        raise EditRefused(
            "That would change where a link or an image leads, which only the owner does: tell "
            "them the address, or add it as plain text."
        )


def _targets(text: str) -> set[str]:
    return {target for found in _TARGET.finditer(text) for target in found.groups() if target}


def _place(text: str, old: str, hidden: Set[int]) -> tuple[int, int]:
    """Return the only place of `old` outside of the hidden lines."""
    rows = (_ID + r"\r?\n").join(re.escape(row) for row in old.split("\n"))  # ends may be mixed
    places = [
        span
        for match in re.finditer(f"(?=({rows}))", text)
        if hidden.isdisjoint(_lines(text, *(span := match.span(1))))
    ]
    if not places:
        raise EditRefused(
            "That text does not stand in the note: read it with get_memory, and give the exact "
            "words."
        )
    if len(places) > 1:
        raise EditRefused(
            f"That text stands in the note {len(places)} times: give more of the words around it."
        )
    return places[0]


def _lines(text: str, start: int, end: int) -> range:
    """Return the numbers, from 1, of the lines that [start, end) touches."""
    first = text.count("\n", 0, start) + 1
    return range(first, first + text.count("\n", start, end) + 1)


def _fresh(old: str, new: str, *, line_start: bool) -> str:
    """Return `new` with everything that is not in `old` made inert."""
    before, after = _TOKEN.findall(old), _TOKEN.findall(new)
    made = ""
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for kind, _, _, start, end in matcher.get_opcodes():
        words = "".join(after[start:end])
        at_start = made.endswith("\n") if made else line_start
        made += words if kind == "equal" else "\n".join(_inert(words, at_start))
    return made


def _inert(words: str, at_start: bool) -> Iterator[str]:
    """Yield the inserted lines made inert; a list marker may stay at a line's start."""
    for number, row in enumerate(words.split("\n")):
        body = row.strip()
        if not body:
            yield row
            continue
        lead, trail = row[: len(row) - len(row.lstrip())], row[len(row.rstrip()) :]
        if number == 0 and not at_start:
            # After other words: markup that is active only at a line's start needs no escape here.
            yield lead + inert(f"x {body}")[2:] + trail
        elif item := _ITEM.fullmatch(body):
            yield lead + item[1] + inert(item[2]) + trail
        else:
            yield lead + inert(body) + trail


def _with_ids(found: str, fresh: str) -> str:
    """Keep the block ids of replaced lines at the ends of their lines."""
    ids = [block_id(row) for row in found.split("\n")[:-1]]
    if not any(ids):
        return fresh
    rows = fresh.split("\n")
    if len(rows) != len(ids) + 1:
        raise EditRefused("These lines have ids that others link to: replace them one at a time.")
    return "\n".join(
        f"{row} ^{name}" if name and block_id(row) != name else row
        for row, name in zip(rows, [*ids, None], strict=True)
    )


def _joined(head: str, fresh: str, tail: str) -> str:
    """Join the parts, dropping lines of which only a dash or an id is left."""
    if fresh.strip():
        return head + fresh + tail
    begin = head.rfind("\n") + 1
    stop = tail.find("\n") + 1 or len(tail)
    emptied = _EMPTY.fullmatch(head[begin:] + fresh + tail[:stop])
    return head[:begin] + tail[stop:] if emptied else head + fresh + tail
