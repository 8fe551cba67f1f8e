"""Detect words that say that something has changed, or was wrong, and leave them out. Pure.

The words of each language are `changes`, `corrects`, `apologies` and `rephrases` in `languages/`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from .languages.phrase_tables import every_phrase
from .tokenize import terms
from .word_forms import folded, words

_UNSPACED = re.compile(
    r"今は|今後|もう|変わ|変更|引っ越|代わり|実は|訂正|新し|现在|現在|不再|改|换|換|搬|其实|其實|更正|新的"
)
_NOT_SORRY = r"(?<!\bi.m)(?<!\bim)(?<!\bam)(?<!\bso)(?<!\bsay)(?<!\bsaid)(?<!\bfeel)"
"""What an apology that ends a correction without a comma does not follow: "she said sorry"."""
DENIED = re.compile(
    r"\b(?:not|instead of|rather than|nicht|statt|no|en vez de|en lugar de|pas|au lieu de|non"
    r"|invece di|não|em vez de|niet|in plaats van|nie|zamiast|не|вместо)\s+"
    r"(?:(?:the|on|at|in|with|am|um|im|mit|der|den|dem|vom|el|la|a|en|con|las|los|le|les|à|avec|il"
    r"|alle|o|às|em|com|op|de|het|met|na|в|во|w|we) ){0,2}(\w+(?:[.,:/]\w+)?)",
    re.IGNORECASE,
)
"""What a correction says that it is not: "not on the 21st"."""
LONGEST_CORRECTION = 16
"""Words: a longer message says "actually" in passing."""


@cache  # built at the first use: `sam --help` does not need it
def _correcting() -> re.Pattern[str]:
    """Return the pattern of what a correction begins or ends with, or has anywhere; in folded text.
    An asterisk marks one in chats: "*thursday"."""
    begins, apologies, anywhere = map(_either, ("corrects", "apologies", "rephrases"))
    return re.compile(
        r"^\W*(?:(?:oh|ah|ach|hm+|ok|okay|hey|sam)\W+)*"
        rf"(?:(?:{begins})\b\W*)+"
        rf"|,\s*(?:{begins})\W*$"
        rf"|{_NOT_SORRY}\s(?:{apologies})\W*$"
        rf"|\b(?:{anywhere})\b"
        r"|^\s*\*(?=\w)(?!.*\*)"
    )


def _either(field: str) -> str:
    """Return a pattern for one of the phrases in a field of the languages."""
    longest_first = sorted(map(folded, every_phrase(field)), reverse=True)
    return "|".join(map(re.escape, longest_first))


@cache
def _changes() -> frozenset[str]:
    return frozenset(term for word in every_phrase("changes") for term in terms(word))


def says_change(texts: Iterable[str]) -> bool:
    """Return whether any of the texts says that something has changed, or corrects something."""
    return any(
        not _changes().isdisjoint(terms(text)) or _UNSPACED.search(text) is not None
        for text in texts
    )


@lru_cache(maxsize=256)  # recall compares a message with several others
def uncorrected(text: str) -> str:
    """Return the words of a correction without those that say that it is one; any other text as it
    is."""
    plain, count = _correcting().subn(" ", folded(text))
    if not count:
        return text
    left = words(plain)  # as they were written: a capital tells a month from another word
    return " ".join(word for word in words(text) if folded(word) in left)
