"""Parse notes and their lines: front matter, headings, fields, block ids, fences."""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from typing import NamedTuple

import yaml

from .kinds import Privacy

ID_ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789"
MAX_FRONT_MATTER = (
    20_000  # characters; longer front matter is read line by line, to limit YAML's recursion
)
MAX_TITLE = 200  # a longer heading line is prose that begins with `#`

_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_PROPERTY = re.compile(r"^([^\s:#\-][^:]*?)\s*:(?:\s+(.*?))?\s*$")
_LIST_ITEM = re.compile(r"^\s*-\s+(.*\S)")
_ADDED_UP = frozenset({"privacy", "tags", "tag"})
_BLOCK_ID = re.compile(r"\^([A-Za-z0-9-]+)")
_HEADING = re.compile(r"^ {0,3}(#{1,6})(?=\s|$)")
# A fence may be indented at any depth, or open on the line of a list item: nested lists do both.
_FENCE = re.compile(r"^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)*(`{3,}|~{3,})(.*)$")
_DATE = re.compile(r"(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)")
_BACKTICKS = re.compile(r"`+")
_BRACKET = re.compile(r"[()\[\]]")
_FIELD_OPENS = re.compile(r"([(\[])\s{0,4}(\w[\w /-]{0,40}?)\s{0,4}::")

PUNCTUATION = (
    r"!-/:-@\[-`{-~"  # for a character class: ASCII characters that a backslash can escape
)
_ESCAPED = re.compile(rf"\\([{PUNCTUATION}])")
_URL = r"https?://[^\s<>\[\]`\"|^{}\\]+"
# All markup that could become active, in one pass; matches of the first two alternatives may stay.
_POWER = re.compile(
    rf"\\[{PUNCTUATION}]"  # escaped already: inert(inert(x)) == inert(x)
    rf"|{_URL}"
    r"|\\$"  # would escape the character after it
    r"|[\[`]"  # links, tasks, footnotes; code spans, which plugins execute
    r"|(?<![^\W_])(?<!/)\#"  # headings and tags; C# and page#part are neither, _#tag_ is one
    r"|(?<!\S)\^"  # block ids
    r"|(?<=%)%|%(?=%)|(?<=<)[%!]"  # comments; Templater
    r"|(?<=\$)\$|\$(?=\$)|\$(?=\S.*\$)"  # mathematics, in which links hide
    r"|(?<=:):"  # fields
    r"|<(?=[A-Za-z/!?%])"  # HTML
    r"|(?<=:)//"  # links of other schemes
    r"|^(?:[-+*>=~]|_(?=[_ ]*$)|\d{1,9}[.)](?=\s|$))"  # lists, quotes, rules, fences
)


class Heading(NamedTuple):
    """A heading; `line` is an index into the lines that were searched, from 0."""

    line: int
    level: int
    title: str


class Field(NamedTuple):
    """An inline field, `(name:: value)` or `[name:: value]`, at [start, end) of its line."""

    name: str
    value: str
    start: int
    end: int

    @property
    def key(self) -> str:
        """Return the name in lower case, for comparison."""
        return self.name.lower()


def lines(text: str) -> list[str]:
    """Return the lines without their ends, as an editor numbers them (not as str.splitlines
    does)."""
    return [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]


def newline(text: str) -> str:
    """Return the line end that the note uses; a new note's is `\\n`."""
    first = text.find("\n")
    return "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"


def split_front_matter(text: str) -> tuple[dict[str, object], str, int]:
    """Return the fields (keys in lower case, scalars as text), the body, and the number of lines
    before it.

    Broken YAML is read line by line, so that a slip elsewhere does not undo `privacy: sealed`; so
    is a block that is not closed yet, whose lines still count as body. Never raises.
    """
    rows = lines(text)
    if rows[0].rstrip() != "---":
        return {}, text.removeprefix("\ufeff"), 0
    end = next((n for n, row in enumerate(rows[1:], 1) if row.rstrip() == "---"), None)
    if end is None:
        return _by_line(rows[1:]), text.removeprefix("\ufeff"), 0
    body = "\n".join(text.split("\n")[end + 1 :])
    return _fields(rows[1:end]), body, end + 1


def _fields(rows: Sequence[str]) -> dict[str, object]:
    source = "\n".join(rows)
    if len(source) > MAX_FRONT_MATTER:
        return _by_line(rows, whole=True)
    try:
        # BaseLoader leaves every scalar as text: no `no` → False, no ValueError on 2026-13-45
        loader = _LOADER(source)
        try:
            node = loader.get_single_node()
            loaded = None if node is None else loader.construct_document(node)
        finally:
            loader.dispose()
    except (yaml.YAMLError, RecursionError, ValueError):
        return _by_line(rows, whole=True)
    if not isinstance(loaded, dict) or node is None:
        return _by_line(rows, whole=True)
    found = {key.strip().lower(): value for key, value in loaded.items() if isinstance(key, str)}
    return found | _repeated(node.value)


def _repeated(pairs: Sequence[tuple[yaml.Node, yaml.Node]]) -> dict[str, object]:
    """Return the fields that decide on privacy; all values of one that occurs several times."""
    said: dict[str, list[str]] = {}
    count: Counter[str] = Counter()
    for key, value in pairs:
        name = key.value.strip().lower() if isinstance(key.value, str) else ""
        if name in _ADDED_UP:
            items = value.value if isinstance(value, yaml.SequenceNode) else [value]
            words = [item.value for item in items if isinstance(item, yaml.ScalarNode)]
            said.setdefault(name, []).extend(word for each in words for word in words_of(each))
            count[name] += 1
    return {name: words for name, words in said.items() if count[name] > 1}


def _by_line(rows: Sequence[str], *, whole: bool = False) -> dict[str, object]:
    """Read `name: value`, and the items of a list below a name, as texts with commas. Where YAML
    cannot be read, an indented name counts, too: of two values of `privacy`, the stricter one."""
    found: dict[str, str] = {}
    name = ""
    for row in rows:
        item = _LIST_ITEM.match(row) if name else None
        if match := _PROPERTY.match(row.lstrip()):
            name = match[1].strip("\"' ").lower()
        elif item is None:
            if whole:
                continue
            break
        value = (item[1] if item else (match and match[2]) or "").strip("\"'[] ")
        added = (item or name in _ADDED_UP) and found.get(name)
        found[name] = f"{found[name]}, {value}" if added else value
    return dict(found)


def words_of(value: object) -> tuple[str, ...]:
    """Return a field's value as texts: from a list, or a text with commas."""
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    if isinstance(value, list):
        return tuple(item.strip() for item in value if isinstance(item, str) and item.strip())
    return ()


def tags_of(fields: Mapping[str, object]) -> tuple[str, ...]:
    """Return the tags in front matter, without `#`. Spaces separate them as well as commas, and
    `tag` means the same as `tags`, as in Obsidian."""
    return (*_parts(fields.get("tags")), *_parts(fields.get("tag")))


def _parts(value: object) -> tuple[str, ...]:
    every = (part.strip("\"'#") for word in words_of(value) for part in word.split())
    return tuple(filter(None, every))


def privacy_of(fields: Mapping[str, object]) -> Privacy:
    """Return the privacy class in front matter; an unknown word counts as sensitive."""
    said = {part.lower() for part in _parts(fields.get("privacy"))}
    tags = {"/".join(tag.lower().split("/")[:2]) for tag in tags_of(fields)}  # without nested ones
    if "sealed" in said or "sam/sealed" in tags:
        return "sealed"
    if said - {"normal", "public"} or "sam/sensitive" in tags:
        return "sensitive"
    return "normal"


def privacy(text: str) -> Privacy:
    """Return the privacy class of a whole note, by its front matter."""
    return privacy_of(split_front_matter(text)[0])


def inert(text: str) -> str:
    """Escape chat text to one line without active Markdown; required before it goes into a note.

    Headings, lists, tasks, tags, links, block ids, comments, fences, fields and HTML become plain
    characters, by backslashes that `plain` removes. URLs are unchanged. Idempotent.
    """
    kept = (c for c in text if c.isspace() or unicodedata.category(c) not in ("Cc", "Cs"))
    return _POWER.sub(_disarm, " ".join("".join(kept).split()))


def _disarm(match: re.Match[str]) -> str:
    found = match[0]
    if found.startswith("http"):
        return found.replace("%%", "%25%25").replace("::", ":%3A").replace("$", "%24")
    if found[0] == "\\" and len(found) == 2:
        return found
    if found[0].isdigit():
        return f"{found[:-1]}\\{found[-1]}"
    return f"\\{found}"


def plain(text: str) -> str:
    """Remove the backslashes of `inert`, for the index and for display."""
    return _ESCAPED.sub(r"\1", text) if "\\" in text else text


def block_id(line: str) -> str | None:
    """Return the id of `… ^id`, a whole token at the end of the line; None if there is none."""
    if "^" not in line:
        return None
    token = line.rsplit(None, 1)[-1]
    match = _BLOCK_ID.fullmatch(token)
    return match[1] if match else None


def strip_block_id(line: str) -> str:
    """Return the line without its block id."""
    name = block_id(line)
    return line if name is None else line.rstrip().removesuffix(f"^{name}").rstrip()


def new_id(taken: Callable[[str], bool]) -> str:
    """Return a random id of [a-z0-9] that is not `taken`; it gets longer if too many are taken."""
    for attempt in range(1000):
        name = "".join(secrets.choice(ID_ALPHABET) for _ in range(6 + attempt // 50))
        if not taken(name):
            return name
    raise ValueError("every id is said to be taken")


_WIKI = re.compile(
    r"(?P<gap> ?)!?\[\[(?P<note>[^\[\]|#\n]{1,200})(?P<block>#\^[a-z0-9-]{1,40})?"
    r"(?:#[^\[\]|\n]{0,200})?(?:\|(?P<words>[^\[\]\n]{1,200}))?\]\]"
)


def unlinked(text: str) -> str:
    """Return the text without link syntax. Of a link to a note its words stay; a link to a line, as
    Sam writes it, is removed."""
    return _WIKI.sub(_words_of_link, text) if "[[" in text else text


def _words_of_link(match: re.Match[str]) -> str:
    if match["words"]:
        return f"{match['gap']}{match['words']}"
    return "" if match["block"] else f"{match['gap']}{match['note'].rpartition('/')[2]}"


def wikilink(path: str, block: str = "") -> str:
    """Return a link to a note or to the line with that block id: `[[memories/2026-02-12#^b7k2mq]]`,
    always with the path."""
    return f"[[{path.removesuffix('.md')}{'#^' + block if block else ''}]]"


class Fences:
    """Track code fences line by line; `feed` returns whether a line belongs to one."""

    def __init__(self) -> None:
        self._open = ""

    def feed(self, row: str) -> bool:
        """Return whether the line is code, or the fence around it."""
        match = _FENCE.match(row) if "```" in row or "~~~" in row else None
        if self._open:
            bare = row.strip()
            if match and bare.startswith(self._open) and not bare.strip(self._open[0]):
                self._open = ""
            return True
        if match and not (match[1][0] == "`" and "`" in match[2]):
            self._open = match[1]
        return bool(self._open)


def fenced(rows: Sequence[str]) -> list[bool]:
    """Return for each line whether it belongs to a code fence, the fence's own lines included."""
    fences = Fences()
    return [fences.feed(row) for row in rows]


def headings(rows: Sequence[str]) -> list[Heading]:
    """Return the headings (`# …` to `###### …`) outside fences."""
    code = fenced(rows)
    return list(_headings(rows, code))


def _headings(rows: Sequence[str], code: Sequence[bool]) -> Iterator[Heading]:
    for number, row in enumerate(rows):
        if "#" in row[:4] and not code[number] and (match := _HEADING.match(row)):
            title = strip_block_id(row[match.end() :]).strip()
            bare = title.rstrip("#")
            if not bare or bare[-1].isspace():
                title = bare.rstrip()
            if len(title) <= MAX_TITLE:
                yield Heading(number, len(match[1]), title)


def without_code(line: str) -> str:
    """Blank the code spans of a line; every other character keeps its place."""
    if "`" not in line:
        return line
    kept, at = [], 0
    for start, end in code_spans(line):
        kept += [line[at:start], " " * (end - start)]
        at = end
    return "".join([*kept, line[at:]])


def code_spans(line: str) -> list[tuple[int, int]]:
    """Return the code spans of a line, including backticks, as [start, end).

    A span ends at the next run of as many backticks (CommonMark 6.1); found in linear time.
    """
    runs = [match.span() for match in _BACKTICKS.finditer(line)]
    following: dict[int, int] = {}
    closing = [-1] * len(runs)
    for number in range(len(runs) - 1, -1, -1):
        length = runs[number][1] - runs[number][0]
        closing[number] = following.get(length, -1)
        following[length] = number
    found, number = [], 0
    while number < len(runs):
        last, start = closing[number], runs[number][0]
        if last >= 0 and line[start - 1 : start] != "\\":
            found.append((start, runs[last][1]))
            number = last
        number += 1
    return found


def date_in(value: object) -> date | None:
    """Return the first valid `YYYY-MM-DD` in a text; anything else is None, never an error."""
    for match in _DATE.finditer(value) if isinstance(value, str) else ():
        try:
            return date(int(match[1]), int(match[2]), int(match[3]))
        except ValueError:
            continue
    return None


def inline_fields(line: str) -> list[Field]:
    """Return the fields of a line, in both kinds of brackets, outside of code spans."""
    if "::" not in line:
        return []
    seen = without_code(line)
    ends = _brackets(seen)
    found: list[Field] = []
    at = 0
    while match := _FIELD_OPENS.search(seen, at):
        end = ends.get(match.start())
        if end is None:
            at = match.start() + 1
            continue
        value = line[match.end() : end - 1].strip()
        found.append(Field(match[2], value, match.start(), end))
        at = end
    return found


def _brackets(line: str) -> dict[int, int]:
    """Map the start of each closed bracket to the place after its end."""
    ends: dict[int, int] = {}
    open_: dict[str, list[int]] = {")": [], "]": []}
    for match in _BRACKET.finditer(line):
        char = match[0]
        if char in "([":
            open_[")" if char == "(" else "]"].append(match.start())
        elif open_[char]:
            ends[open_[char].pop()] = match.end()
    return ends


def has_only_titles(text: str) -> bool:
    """Return whether a note has no lines but front matter and titles."""
    body = split_front_matter(text)[1]
    return not any(row.strip() and not row.startswith("# ") for row in body.splitlines())
