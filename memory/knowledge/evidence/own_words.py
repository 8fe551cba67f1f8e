"""Check a line that keeps the words of its sources: also its names, and the share of its words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from ...text.languages.phrase_tables import every_phrase
from ...text.tokenize import STOP_WORDS
from ...text.word_forms import folded, is_inflected, is_same_name, is_unspaced, squeezed, words
from . import calendar_words
from .source_text import SourceText, unsupported_values, without_days

_LEAST_SHARE = 1 / 3  # minimum share of a line's words, in any form, that occur in its sources

_PARTS = re.compile("[\u30a1-\u30fa\u30fc]{2,}|[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]{2,}")
"""Names and terms in Japanese or Chinese text: runs of katakana or of Chinese characters."""
_FRAMES = "予定 好物 苦手 在住 勤務 家族 名前 趣味 仕事 出身 希望 住在 喜欢 工作"
_FRAMING = frozenset(_FRAMES.split())
_CASELESS = re.compile("[\u0590-\u08ff\u0900-\u0dff\uac00-\ud7a3\u10d0-\u10ff\u1200-\u137f]")


def unsupported_kind(text: str, evidence: SourceText) -> str:
    """Return the kind of content in a line that has no source: `date`, `number`, `name`, `words`,
    or ""."""
    rest = without_days(text)
    return (
        unsupported_values(text, evidence, known=evidence.words)
        or ("name" if any(_unsaid_names(rest, evidence)) else "")
        or ("" if _is_about(rest, evidence) else "words")
    )


def _unsaid_names(text: str, evidence: SourceText) -> Iterator[str]:
    """Yield the names of a line that do not occur in its sources. Names are capitalised words; in
    scripts without capitals, all content words."""
    for part in _PARTS.findall(text):
        if part not in _FRAMING and squeezed(part) not in evidence.squeezed:
            yield part
    for number, word in enumerate(words(text)):
        plain = folded(word)
        if is_unspaced(word) or plain in evidence.words or plain.isdecimal():
            continue
        if _CASELESS.search(word):
            if len(plain) > 2 and not any(_is_near(plain, said) for said in evidence.words):
                yield word
        elif any(map(str.isupper, word)):
            if any(is_same_name(plain, said) for said in evidence.words):
                continue
            if calendar_words.is_month_or_weekday(word):  # checked separately
                continue
            is_opener = number == 0 and (
                plain in _openers()
                or plain in STOP_WORDS
                or any(is_inflected(plain, said) for said in evidence.words)
            )
            if not is_opener:
                yield word


@cache
def _openers() -> frozenset[str]:
    """Return the words that commonly begin a fact with a capital, and are not names."""
    return frozenset(map(folded, every_phrase("fact_beginnings")))


def _is_near(word: str, said: str) -> bool:
    """Compare words of a script without capitals, ignoring attached particles."""
    if is_inflected(word, said):
        return True
    if min(len(word), len(said)) < 3:
        return len(said) > 1 and said in word
    # Arabic verbs change their first letter ("I live", "he lives"), Korean nouns their ending.
    return word[:2] == said[:2] or said in word or word in said or word[1:] == said[1:]


def _is_about(text: str, evidence: SourceText) -> bool:
    """Return whether enough of a line's words occur in its sources, in any form."""
    if is_unspaced(text):
        plain = "".join(w for w in words(folded(text)) if is_unspaced(w))
        pairs = [plain[at : at + 2] for at in range(len(plain) - 1)] or [plain]
        return 3 * sum(pair in evidence.squeezed for pair in pairs) >= len(pairs)
    telling = [w for w in words(folded(text)) if w not in STOP_WORDS and not w.isdecimal()]
    if not telling:
        return bool(words(text))
    said = evidence.words
    found = sum(word in said or any(is_inflected(word, w) for w in said) for word in telling)
    return found >= _LEAST_SHARE * len(telling)
