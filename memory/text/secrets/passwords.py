"""Find passwords and codes by the words before them: "my password is …", "PIN: …", "密码是…".

The pattern is a word of `words.py`, within forty characters a sign of "is" (a colon, a verb, a line
break), then a value that looks like a secret: letters mixed with digits, symbols, capitals in the
middle. Each word is examined once, with a bounded number of characters after it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import NamedTuple

from . import words
from .keys import is_placeholder
from .labels import PASSWORD

_TAIL = ".,;:!?)]}”»\"'"
_FEW = 3  # words before the introducing one in a cell of a table
_KINDS = {
    "password": words.PASSWORDS,
    "loose": words.LOOSE_PASSWORDS,
    "code": words.CODES,
    "key": words.KEYS,
    "network": words.NETWORK_KEYS,
    "cjk": words.CJK,
}


def _listed(table: str) -> list[str]:
    return [each.strip() for line in table.strip().splitlines() for each in line.split("|")]


def _pattern(table: str) -> str:
    """Return a pattern for the phrases of a table, longest first, grouped by their first letter."""
    by_letter: dict[str, list[str]] = {}
    for phrase in sorted(_listed(table), key=len, reverse=True):
        rest = re.escape(phrase[1:].rstrip("*")).replace(r"\ ", r"[ _-]?")
        by_letter.setdefault(phrase[0].lower(), []).append(
            rest + (r"[^\W\d_]{0,4}" if phrase.endswith("*") else "")
        )
    return "|".join(f"{re.escape(first)}(?:{'|'.join(all_)})" for first, all_ in by_letter.items())


@functools.cache
def _hints() -> tuple[str, ...]:
    """Return lower-case substrings; a text without any has no password. A cheap first check."""
    first = {
        re.split(r"[ '’*]", each)[0].lower() for table in _KINDS.values() for each in _listed(table)
    }
    return tuple(each for each in first if not any(o != each and o in each for o in first))


@functools.cache
def _introduction() -> re.Pattern[str]:
    forms = {kind: _pattern(table) for kind, table in _KINDS.items() if kind != "cjk"}
    forms["network"] += rf"|(?:wi-?fi|wlan)[^\n]{{0,60}}?(?<!\w)(?:{words.NETWORK_WORDS})"
    groups = "|".join(rf"(?P<{kind}>{form})" for kind, form in forms.items())
    return re.compile(
        rf"(?:(?<![^\W_])|(?<=wlan)|(?<=wifi))(?:{groups})(?![^\W_])"
        rf"|(?P<cjk>{_pattern(words.CJK)})|(?-i:(?<!\w)(?P<capital>{words.CAPITAL_CODES})(?!\w))",
        re.I,
    )


_IS = rf"(?<!\w)(?:{_pattern(words.IS)})(?!\w)[ \t]{{0,3}}"
_LINK = re.compile(
    r"(?P<gap>(?:[^\n.!?。！？:=：→()<>{}\"']|\.(?=\S)|(?<=\w)'(?=\w)){0,40}?)"
    r"(?:(?P<sign>[\"'\]*_]{0,3}[ \t]{0,3}(?:=>|->|→|::?|[=：|])(?!//)[ \t*_]{0,4})"
    rf"|(?P<is>{_IS}))"
    rf"(?:(?:{words.STILL})[ \t]{{1,3}})?",
    re.I,
)
_LINK_CJK = re.compile(rf"[^\n。！？!-~]{{0,12}}?\s{{0,3}}(?P<sign>{words.CJK_IS})\s{{0,3}}")
_ITEM = re.compile(r"[ \t]{0,8}\n{1,2}[ \t]{0,8}(?:[-*•>][ \t])?")
_BULLET = re.compile(r"[ \t]{0,8}(?:[-*•>][ \t])?")
_SPACE = re.compile(r"[ \t]{1,4}")
_SHORT_GAP = re.compile(r"(?:[ \t][^\W\d_]{2,12}){1,2}[ \t](?=[^\s\"'`]{4,64}[ \t]{0,4}(?:\n|$))")
_VALUE = re.compile(
    r"(?P<quote>[\"'`“„«‘])(?P<quoted>[^\"'`“”„»’\n]{3,80})[\"'`“”»’]"
    r"|(?P<opened>[\"'`“„«‘]?)(?P<token>[^\s\"'`”“»<>]{3,80})"
)
_VALUE_CJK = re.compile(r"[\"'「“]?([!-~]{4,64})(?!\s?(?:位|文字|桁|자리|글자))")
_CODE = re.compile(
    r"[\"'`“„«‘*#]?(?P<token>(?:[A-Za-z]{0,2}\d[\dA-Za-z]{0,11}|[A-Za-z\d]{3,8}(?=-[A-Za-z\d]))"
    r"(?:[ -](?=[\dA-Za-z]{0,7}\d)[\dA-Za-z]{1,8}){0,5}[#*]?)(?![\w:%€$]|[.,]\d)"
)
_DIGIT_GROUPS = re.compile(r"\d{2,64}(?:[ -]\d{2,8}){0,9}(?!\w)")
_COUNTED = re.compile(rf"[ -]?(?:{words.UNITS})(?!\w)", re.I)
_NO_SECRET_AFTER = frozenset(words.NO_SECRET_AFTER.split())
_FIRST_WORD = re.compile(r"[ _-]?([^\W\d_]{1,20})")
_NO_PASSWORD = re.compile(
    r"https?:|[\w.+-]+@[\w-]+\.\w|\d+(?:st|nd|rd|th|x|k|km|kg|gb|mb|h|am|pm|min|s)\b|\d+[-–]\w+$"
    r"|v?\d+(?:\.\d+)+\b|\d{1,2}:\d\d|[\d.,]+[%€$]|1password|2fa|\(|(?:\w+/)+\w+$",
    re.I,
)
_ASCII_THEN_CJK = re.compile(r"[!-~]+(?=[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af])")
_LINE_END = re.compile(r"[\"'`”“».!]{0,3}[ \t]{0,8}(?:\n|$)")
_LOGIN = (
    "credentials|log-?in|user ?/ ?pass(?:word)?|zugangsdaten|identifiants|credenciales|credenziali"
    "|credenciais|inloggegevens|dane logowania|логин|доступ"
)
_PAIRS = (
    re.compile(
        rf"(?<!\w)(?:{_LOGIN})[^\n/]{{0,25}}?\s[^\s/]{{2,30}}\s?/\s?(?P<value>[^\s/]{{6,64}})", re.I
    ),
    re.compile(
        rf"(?<!\S)[^\s/]{{2,30}}\s?/\s?(?P<value>[^\s/]{{6,64}})\s[^\n./]{{0,20}}?(?:{_LOGIN})",
        re.I,
    ),
)  # "admin / hunter22", with a word for both


class Span(NamedTuple):
    """The position of a secret in a text."""

    start: int
    end: int


def mask_passwords(text: str) -> str:
    """Return the text with its passwords, codes and keys masked; line numbers are unchanged."""
    low = text.lower()
    spans: list[Span] = []
    if any(hint in low for hint in _hints()) or "TAN" in text:
        spans += _spans(text)
    if "/" in text:
        spans += _paired(text)
    pieces, at = [], 0
    for start, end in sorted(spans):
        if start >= at:
            pieces += [text[at:start], PASSWORD]
            at = end
    return "".join([*pieces, text[at:]])


def _spans(text: str) -> Iterator[Span]:
    at = 0
    while found := _introduction().search(text, at):
        at = found.end()
        if text.startswith(", masked)", at):
            continue
        for span in _after(text, found):
            yield span
            at = span.end


def _paired(text: str) -> Iterator[Span]:
    for pattern in _PAIRS:
        for found in pattern.finditer(text):
            value = found["value"].rstrip(_TAIL)
            if _is_strong(value) and not is_placeholder(value) and not _NO_PASSWORD.match(value):
                yield Span(found.start("value"), found.start("value") + len(value))


def _after(text: str, found: re.Match[str]) -> list[Span]:
    """Return the secrets after one match of `_introduction`: several if they are on lines of their
    own."""
    kind = "code" if found.lastgroup == "capital" else found.lastgroup or ""
    end = found.end()
    noun = _FIRST_WORD.match(text, end)
    if noun and noun[1].lower() in _NO_SECRET_AFTER:
        return []
    if kind == "cjk":
        link = _LINK_CJK.match(text, end)
        span = _cjk(text, link.end() if link else _skip(_SPACE, text, end))
        return [span] if span else []
    linked = _linked(text, found, kind)
    return _adjacent(text, end, kind) if linked is None else linked


def _linked(text: str, found: re.Match[str], kind: str) -> list[Span] | None:
    """Return the secrets after a sign of "is" that follows an introduction; None if there is no
    such sign, or no secret right after it."""
    at = found.end()
    for _ in range(3):
        link = _LINK.match(text, at)
        if link is None:
            return None
        sign = link["sign"] or ""
        if "," in link["gap"] and "=" in sign:
            return None  # the next argument of a call
        if "|" in sign and (link["gap"].strip() or not _is_cell(text, found.start())):
            return None  # a pipe of a shell, or a cell that only mentions the word
        at = link.end()
        if line := _ITEM.match(text, at):
            return _lines(text, line.end(), kind, after_sign=bool(sign))
        if span := _value(text, at, kind, sign=bool(sign)):
            return [span]
        if sign:
            return None
    return None


def _adjacent(text: str, end: int, kind: str) -> list[Span]:
    """Return the secrets that follow an introduction without a sign of "is"."""
    if line := _ITEM.match(text, end):
        return _lines(text, line.end(), kind, after_sign=False)
    for gap in (_SPACE, _SHORT_GAP) if kind in ("password", "code") else (_SPACE,):
        found = gap.match(text, end)
        if found and (span := _value(text, found.end(), kind, adjacent=True)):
            return [span]
    return []


def _is_cell(text: str, at: int) -> bool:
    """Return whether a table's cell begins with at most a few words before that place."""
    row = text[text.rfind("\n", 0, at) + 1 : at]
    return row.lstrip().startswith("|") and len(row.rpartition("|")[2].split()) <= _FEW


def _skip(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at


def _cjk(text: str, at: int) -> Span | None:
    found = _VALUE_CJK.match(text, at)
    if not found or not any(char.isdigit() or char in "!-/:-@[-`{-~" for char in found[1]):
        return None
    value = found[1].rstrip(_TAIL)
    if len(value) < 4 or is_placeholder(value) or _NO_PASSWORD.match(value):
        return None
    return Span(found.start(1), found.start(1) + len(value))


def _lines(text: str, at: int, kind: str, *, after_sign: bool) -> list[Span]:
    """Return the values on the lines that follow, one per line."""
    found: list[Span] = []
    while len(found) < 20:
        end = text.find("\n", at, at + 200)
        end = end if end >= 0 else min(len(text), at + 200)
        line = text[at:end].strip()
        several = kind == "code" and line.count(" ") < 5
        if not line or (" " in line and not several and line[0] not in "\"'`“„«"):
            break
        span = _value(text, at, kind, sign=after_sign, adjacent=not after_sign)
        if span is None or span.end < at + len(text[at:end].rstrip()) - 2:
            break
        found.append(span)
        if kind not in ("code", "key") or end >= len(text):
            break
        at = _skip(_BULLET, text, end + 1)
    return found


def _value(
    text: str, at: int, kind: str, *, sign: bool = False, adjacent: bool = False
) -> Span | None:
    """Return the value at this position if it looks like a secret of this kind."""
    if kind == "code":
        return _code(text, at)
    if kind == "network" and (digits := _DIGIT_GROUPS.match(text, at)):
        return Span(*digits.span()) if len(re.sub(r"\D", "", digits[0])) >= 8 else None
    found = _VALUE.match(text, at)
    if not found:
        return None
    is_quoted = found["quoted"] is not None
    value = found["quoted"] if is_quoted else _bare(found["token"])
    start = found.start("quoted" if is_quoted else "token")
    end = start + len(value)
    if len(value) < 3 or is_placeholder(value) or _NO_PASSWORD.match(value):
        return None
    if ", masked)" in text[at : end + len(PASSWORD)] and "(a" in value:
        return None  # masked already
    is_last = _LINE_END.match(text, end) is not None
    if is_quoted:
        secret = not adjacent or kind == "network" or _is_strong(value)
    elif kind in ("key", "network"):
        secret = len(value) >= 8 and _is_strong(value)
    elif adjacent:
        is_pin = kind == "password" and is_last and value.isdigit() and 4 <= len(value) <= 12
        secret = is_pin or _is_strong(value)
    else:
        counted = value.isdigit() and _COUNTED.match(text, end)
        secret = not counted and _is_password(value, plain=sign and is_last and kind == "password")
    return Span(start, end) if secret else None


def _bare(token: str) -> str:
    """Return a token without the punctuation, or the Chinese, Japanese or Korean, after it."""
    part = _ASCII_THEN_CJK.match(token)
    return (part[0] if part else token).rstrip(_TAIL)


def _code(text: str, at: int) -> Span | None:
    found = _CODE.match(text, at)
    if not found or sum(map(str.isdigit, found["token"])) < 3:
        return None
    if _COUNTED.match(text, found.end()) or re.match(r"\d{4}-\d\d-\d\d", found["token"]):
        return None
    return Span(*found.span("token"))


def _is_strong(value: str) -> bool:
    """Return whether it looks like a password by itself: letters and digits in one word."""
    return len(value) >= 5 and any(map(str.isdigit, value)) and any(map(str.isalpha, value))


def _is_password(value: str, *, plain: bool) -> bool:
    """Return whether it is more than a word of a sentence: "my password is too long", "password:
    ask Bob"."""
    if any(map(str.isdigit, value)):
        return len(value) >= 4
    if not value.isalpha():
        return bool(re.search(r"[^\w'’/-]", value)) and len(value) >= 5
    if not value[1:].islower() and not value.isupper():
        return len(value) > 5
    # a plain word counts only at the end of its line: "password: sunshine"
    return plain and len(value) > 3
