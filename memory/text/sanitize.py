"""Sanitize untrusted text before it is shown to a model, and show line diffs to the owner. Pure.

Invisible characters become visible, and look-alikes of a prompt's tags, turns and fences are marked
with ⟨ ⟩. This is only for display: log and vault keep the original text.
"""

from __future__ import annotations

import difflib
import re
import unicodedata

from .humanize import clipped, one_line

# Unicode's default-ignorable code points, controls, lone surrogates, separators that are invisible
# line breaks, and letters without ink (Hangul fillers, the empty Braille pattern).
_HIDDEN = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0"
    "\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_EMOJI = "\u00a9\u00ae\u203c-\u2049\u2100-\u27bf\u2900-\u2bff\u3030\u303d\u3297\u3299"
_EMOJI += "\U0001f000-\U0001faff"
_JOINING = "\u0600-\u08ff\u0900-\u0dff\u0e80-\u0fff\u1000-\u109f\u1780-\u17b3\ufb50-\ufdff"
_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
# Contexts in which such a character has a visible effect: emoji, flags, joining scripts.
_MEANT = (
    rf"(?<=[{_EMOJI}0-9#*])[\ufe0e\ufe0f](?![\ufe00-\ufe0f\U000e0000-\U000e0fff])"
    rf"|(?<=[{_EMOJI}\ufe0f])\u200d(?=[{_EMOJI}])"
    rf"|(?<=[{_JOINING}])[\u200c\u200d](?=[{_JOINING}])"
    rf"|(?<=[{_HAN}])[\U000e0100-\U000e01ef](?![{_HIDDEN}])"
    "|(?<=\U0001f3f4)\U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067"
    "|\U000e0073\U000e0063\U000e0074|\U000e0077\U000e006c\U000e0073)\U000e007f"
)
_RUN = re.compile(f"({_MEANT})|[{_HIDDEN}]+")
_UNSEEN = re.compile(f"[{_HIDDEN}]")
_HIDDEN_ASCII = bytes(code for code in range(128) if _UNSEEN.match(chr(code)))
_SPELT_OUT = 3  # hidden characters in a row; a longer run is shown as its first one and a count

_TAG = re.compile(r"[<＜﹤](\s*[/／]?\s*)([^\W\d][\w:.-]{1,40})([^<>＜＞\n]{0,200})([>＞﹥]?)")
_PIPED = re.compile(r"[<＜]([|｜][^<>\n]{1,60}[|｜])[>＞]")
_BRACKETED = re.compile(r"\[(\s*(?:/\s*)?(?:INST|SYS)\s*)\]", re.IGNORECASE)
_TURN = re.compile(r"^([^\w\n⟨]{0,8})(\w{3,12})([^\w\n⟩]{0,4}[:：])", re.MULTILINE)
_TURNS = frozenset({"human", "assistant", "system", "developer"})
_OURS = """earlier recalled recall searchresult searchresults toolresult toolresults tooluse
toolcall toolcalls toolresponse toolresponses functioncall functioncalls functionresult
functionresults function functions invoke parameter parameters systemprompt systemmessage
systemreminder reminder user owner sam admin instruction instructions prompt context message
messages thinking document documents memory memories history conversation forwarded quoted
checklist result results imstart imend endoftext sys inst task tasks rule rules"""
_NAMES = _TURNS | frozenset(_OURS.split())
# Lower-case Cyrillic and Greek letters that look like Latin ones.
_ALIKE = str.maketrans("аеорсухіјѕԁһӏԛԝьмткнвοανικρυετηχ", "aeopcyxijsdhlqwbmtkhboavikpuethx")


CONTEXT = 1  # unchanged lines around a change
LONGEST_NAME = 60  # maximum characters, because names are chosen by their owners
_WROTE = re.compile(r"(.{1,70}) wrote:")


def reveal(text: str) -> str:
    """Replace invisible characters by `⟨U+200B⟩`, and line ends by `\\n`. Idempotent.

    Those that belong to emoji, flags and joining scripts are kept.
    """
    if text.isascii() and len(text.encode().translate(None, _HIDDEN_ASCII)) == len(text):
        return text  # fast path for most texts, twenty times faster
    if not _UNSEEN.search(text):
        return text
    return _RUN.sub(_named, text.replace("\r\n", "\n"))


def _named(run: re.Match[str]) -> str:
    if run[1] is not None:
        return run[1]
    codes = [f"U+{ord(character):04X}" for character in run[0]]
    if len(codes) <= _SPELT_OUT:
        return "".join(f"⟨{code}⟩" for code in codes)
    return f"⟨{codes[0]} and {len(codes) - 1} more invisible characters⟩"


def disarm(text: str) -> str:
    """Like `reveal`, and put look-alikes of a prompt's own markup in ⟨ ⟩. Idempotent.

    `</recalled>` becomes `⟨/recalled⟩`, `Human:` at the start of a line `⟨Human⟩:`. Other markup is
    kept.
    """
    seen = reveal(text)
    if "<" in seen or "[" in seen or "＜" in seen or "﹤" in seen:
        seen = _PIPED.sub(r"⟨\1⟩", seen)
        seen = _BRACKETED.sub(r"⟨\1⟩", seen)
        seen = _TAG.sub(_tag, seen)
    return _TURN.sub(_turn, seen)


def _tag(match: re.Match[str]) -> str:
    if not _pretends(match[2], _NAMES):
        return match[0]
    end = "⟩" if match[4] else ""
    return f"⟨{match[1]}{match[2]}{match[3]}{end}"


def _turn(match: re.Match[str]) -> str:
    if not _pretends(match[2], _TURNS):
        return match[0]
    return f"{match[1]}⟨{match[2]}⟩{match[3]}"


def _pretends(name: str, names: frozenset[str]) -> bool:
    """Return whether a name is one of `names`, or looks like one."""
    return re.sub(r"[\W_\d]", "", skeleton(name).rpartition(":")[2]) in names


def skeleton(text: str) -> str:
    """Normalise a text for comparison: no invisible characters, lower case, one form of look-alike
    letters.

    After Unicode's UTS 39, limited to its Cyrillic and Greek letters.
    """
    seen = _RUN.sub("", text)
    if seen.isascii():
        return seen.lower()
    return unicodedata.normalize("NFKC", seen).casefold().translate(_ALIKE)


def quotation(text: str) -> str:
    """Prefix each line with `> `, so that no line can pass for another speaker's."""
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def quote(text: str, author: str | None) -> str:
    """Format a quotation in an owner's message. `author`: None for his own words and Sam's."""
    if not text:
        return ""
    if author is None:
        return quotation(text)
    name = clipped(one_line(reveal(author)), LONGEST_NAME) or "somebody"
    return quotation(f"{name} wrote:\n{text}")


def is_quoted(line: str) -> bool:
    """Return whether the line of a message is a quotation."""
    return line.startswith(">")


def leading_quotation(text: str) -> str:
    """Return the quotation before the rest of a message, as `quote` formats it; "" without one."""
    first, _, _ = text.partition("\n\n")
    return first if all(map(is_quoted, first.split("\n"))) else ""


def own_part(text: str) -> str:
    """Return the owner's message without quotations."""
    return "\n".join(line for line in text.split("\n") if not is_quoted(line))


def quoted_part(text: str) -> tuple[str, str]:
    """Return author and text of the quotation added by `quote`; two "" if another person is not
    quoted."""
    lines = [line[1:].strip() for line in text.split("\n") if is_quoted(line)]
    named = _WROTE.fullmatch(lines[0]) if lines else None
    return (named[1], "\n".join(lines[1:])) if named else ("", "")


def in_own_words(text: str) -> str:
    """Prepare the owner's message for a model: his words unchanged, quotations disarmed."""
    seen = reveal(text)
    if ">" not in seen:
        return seen
    return "\n".join(disarm(line) if is_quoted(line) else line for line in seen.split("\n"))


def difference(before: str, after: str, *, most: int = 200) -> list[str]:
    """Return the changed lines with `-` and `+`, one line of context, and `…` for omissions.
    Invisible characters are named. Beyond `most` lines, the last one states how many follow."""
    rows: list[str] = []
    old, new = reveal(before).splitlines(), reveal(after).splitlines()
    for row in list(difflib.unified_diff(old, new, lineterm="", n=CONTEXT))[2:]:
        if row.startswith("@@"):
            rows += ["…"] if rows else []
        elif row.strip():  # a blank line is no useful context
            rows.append(f"{row[0]} {row[1:]}".rstrip())
    if len(rows) > most:
        rows[most:] = [f"… and {len(rows) - most} more lines"]
    return rows


def changed_lines(before: str, after: str) -> tuple[int, int]:
    """Return the numbers of lines added and removed."""
    rows = list(difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0))
    added = sum(row.startswith("+") for row in rows[2:])
    return added, sum(row.startswith("-") for row in rows[2:])
