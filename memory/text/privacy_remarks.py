"""Detect that a message says of itself that it is private, or that it must not be kept.

"This is private: …", "…, but don't tell anyone"; "Off the record, …", "… Forget I said that." The
phrases of each language are `privates` and `unkepts` in `languages/`. A phrase counts only if
punctuation separates it from the rest: "this is private property" is about something else. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from .intents import is_whole, words_in
from .languages.phrase_tables import AROUND, WORD, composed, folded, phrases_of, tables
from .sanitize import own_part

Kind = Literal["private", "unkept"]

_FIELDS: dict[Kind, str] = {"unkept": "unkepts", "private": "privates"}
_LONGEST = 4_000  # characters at each end of a message in which a remark is looked for
_COURTESIES = 6  # words before a remark at the beginning: "Sam, could you please …"
_REPORTING = 3  # words before a remark in which a verb of speech makes it somebody else's
_QUOTED = re.compile(
    r'"[^"\n]*"|“[^“”\n]*”|„[^„“”\n]*[“”]|«[^«»\n]*»|「[^「」\n]*」|『[^『』\n]*』'
)
_ENDS = re.compile(r"[.!?…\n。！？()（）\[\]]")  # between sentences, or around brackets
_SEPARATES = re.compile(r"[.,:;!?…\n。，、：；！？()（）\[\]–—]|\s-\s")
_COLON = re.compile(r"\s*(?:[:：–—]|-\s)\s*")
_CONTACT = re.compile(r"\+?\d[\d\s/().-]{4,}|\S+@\S")  # behind "private:" in an address

_BEFORE, _BEHIND = f"{AROUND}([（".replace("!", "").replace("。", ""), f"{AROUND}.?？…)]）"


@dataclass(frozen=True, slots=True)
class PrivacyRemark:
    """What a message says of itself: it is `private`, or must not be kept (`unkept`). `rest`: the
    message without that remark; "" if it says nothing else."""

    kind: Kind
    rest: str


class _Remarks:
    """The phrases of one kind. `labels` ("private:") are followed by a colon, or are a sentence;
    `openings` ("between you and me *") may begin a message without punctuation behind them."""

    def __init__(self, kind: Kind) -> None:
        known = phrases_of(_FIELDS[kind]).first
        self.phrases = frozenset(each.removesuffix(" *").removesuffix(":") for each in known)
        self.labels = frozenset(each[:-1] for each in known if each.endswith(":"))
        self.openings = frozenset(each[:-2] for each in known if each.endswith(" *"))
        self.first = frozenset(each.partition(" ")[0] for each in self.phrases)
        self.longest = max(each.count(" ") + 1 for each in self.phrases)


@cache
def _remarks(kind: Kind) -> _Remarks:
    return _Remarks(kind)


def privacy_remark(text: str) -> PrivacyRemark | None:
    """Return what a message says of itself; None for an ordinary message. That it must not be kept
    takes precedence."""
    text = own_part(composed(text)).strip()
    if not text or text.startswith("/"):
        return None
    found = _Words(text).remarks()
    if not found:
        return None
    kinds = {kind for kind, _, _ in found}
    rest = _without(text, [(start, end) for _, start, end in found])
    return PrivacyRemark("unkept" if "unkept" in kinds else "private", rest)


def is_last_message(words: str) -> bool:
    """Return whether what is to be forgotten is only "my last message"."""
    return is_whole(words, words_in(words), "last_messages")


class _Words:
    """The words of a message, and the gaps between them. Quotations count as one gap."""

    def __init__(self, text: str) -> None:
        seen = _QUOTED.sub(lambda quoted: "█" * len(quoted[0]), text)
        if len(seen) > 2 * _LONGEST:
            between = len(seen) - 2 * _LONGEST
            seen = seen[:_LONGEST] + "█" * between + seen[-_LONGEST:]
        self._text, self._found = seen, list(WORD.finditer(seen))
        self._words = [folded(match[0].lower()) for match in self._found]
        self._openings = self._courtesies()

    def remarks(self) -> list[tuple[Kind, int, int]]:
        """Return each remark's kind, and where it begins and ends in the text."""
        found: list[tuple[Kind, int, int]] = []
        at = 0
        while at < len(self._words):
            remark = self._remark(at) if self._is_begin(at) else None
            if remark is None:
                at += 1
                continue
            kind, end = remark
            found.append((kind, self._found[at].start(), self._found[end - 1].end()))
            self._openings.add(end)  # "This is private, don't write it down: …"
            at = end
        return found

    def _gap(self, at: int) -> str:
        """Return the text before that word; a line break at both ends of the message."""
        if not 0 < at < len(self._words):
            return f"{self._text[self._found[-1].end() :]}\n" if at else "\n"
        return self._text[self._found[at - 1].end() : self._found[at].start()]

    def _courtesies(self) -> set[int]:
        """Return the positions where the message may begin: its first word, and those behind words
        such as "Sam, please"."""
        at, found = 0, {0}
        while at < min(len(self._words), _COURTESIES):
            size = self._size("greetings", at) or self._size("politeness", at)
            at += size or int(self._words[at] in tables().openers)
            if at in found:
                break
            found.add(at)
        return found

    def _size(self, field: str, at: int) -> int:
        return phrases_of(field).begin(self._words[at:])

    def _is_begin(self, at: int) -> bool:
        return at in self._openings or _SEPARATES.search(self._gap(at)) is not None

    def _remark(self, at: int) -> tuple[Kind, int] | None:
        """Return the kind of the remark that begins with this word, and the position behind it;
        None if it is none."""
        words = self._words
        links = words[at] in phrases_of("breaks").first or words[at] in tables().openers
        links = links and words[at] != "i" and at + 1 < len(words)  # Polish "and"
        first = at + links  # "but keep this private"
        polite = self._size("politeness", first)
        kind, size = self._longest(first + polite)
        if kind is None:
            return None
        end = first + polite + size
        phrase = " ".join(words[end - size : end])
        end += self._size("trailing", end)
        counts = self._counts(_remarks(kind), phrase, at, end, asked=polite > 0)
        return (kind, end) if counts else None

    def _longest(self, at: int) -> tuple[Kind | None, int]:
        """Return the kind and the number of words of the longest phrase at a position."""
        best: tuple[Kind | None, int] = None, 0
        for kind in _FIELDS:
            known = _remarks(kind)
            if at >= len(self._words) or self._words[at] not in known.first:
                continue
            most = min(known.longest, len(self._words) - at)
            for size in range(most, best[1], -1):
                if " ".join(self._words[at : at + size]) in known.phrases:
                    best = kind, size
                    break
        return best

    def _counts(self, known: _Remarks, phrase: str, at: int, end: int, *, asked: bool) -> bool:
        """Return whether a phrase is about the message, by what is around it. `at`, `end`: its
        first word and the one behind it; `asked`: it is a polite question."""
        before, behind = self._gap(at), self._gap(end)
        opens = at in self._openings or _ENDS.search(before) is not None
        if not opens and self._is_reported(at):
            return False
        if behind.lstrip().startswith(("?", "？")) and not asked:
            return False
        if phrase in known.labels:
            colon = _COLON.match(behind)
            if colon is None:
                return opens and _ENDS.search(behind) is not None
            left = self._text[self._found[end - 1].end() + colon.end() :]
            return opens and _CONTACT.match(left) is None
        if not _SEPARATES.search(behind):
            return opens and self._continues(known, phrase, end)
        rest = " ".join(self._words[end:])
        if tables().tags.contain(rest) and self._text.rstrip().endswith(("?", "？")):
            return False  # "This is private, right?"
        return opens or _ENDS.search(behind) is not None

    def _continues(self, known: _Remarks, phrase: str, end: int) -> bool:
        """Return whether the message goes on behind the phrase without punctuation: "off the record
        I think …"; "off the record player …" is about something else."""
        word = self._words[end]
        if phrase in known.openings:
            return word not in phrases_of("auxiliaries").first
        subjects = (*phrases_of("selves").first, *phrases_of("plurals").first)
        links = phrases_of("breaks").first
        return " " in phrase and (word in links or word in subjects)

    def _is_reported(self, at: int) -> bool:
        """Return whether a verb of speech is just before: "Anna said, keep this to yourself"."""
        verbs = phrases_of("reports").first
        return any(word in verbs for word in self._words[max(0, at - _REPORTING) : at])


def _without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return the text without these parts, and the punctuation that separated them."""
    at, parts = 0, list[str]()
    for start, end in [*spans, (len(text), len(text))]:
        part = text[at:start].lstrip(_BEHIND) if at else text[at:start]
        parts.append(part.rstrip(_BEFORE) if end > start else part)
        at = end
    return " ".join(filter(None, parts)).strip()
