"""Detect the languages of conversations from a sample of each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

LEAST = 25  # characters: detection needs at least so many
MOST = 200  # characters of a sample
KNOWN = {
    **{"ar": "Arabic", "bg": "Bulgarian", "ca": "Catalan", "cs": "Czech", "da": "Danish"},
    **{"de": "German", "el": "Greek", "en": "English", "es": "Spanish", "et": "Estonian"},
    **{"fa": "Persian", "fi": "Finnish", "fr": "French", "he": "Hebrew", "hi": "Hindi"},
    **{"hr": "Croatian", "hu": "Hungarian", "id": "Indonesian", "it": "Italian"},
    **{"ja": "Japanese", "ko": "Korean", "lt": "Lithuanian", "lv": "Latvian", "nl": "Dutch"},
    **{"no": "Norwegian", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian"},
    **{"ru": "Russian", "sk": "Slovak", "sl": "Slovenian", "sr": "Serbian", "sv": "Swedish"},
    **{"th": "Thai", "tr": "Turkish", "uk": "Ukrainian", "vi": "Vietnamese", "zh": "Chinese"},
}
"""Codes → names. With few candidates, short texts are detected more reliably."""


_NO_PROSE = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]+`|https?://\S+|(?<!\S)[^\s@]{0,64}@\S+|^\[[^\]\n]+\]$",
    re.DOTALL | re.MULTILINE,
)
_LEAST_LETTERS = 0.7  # of a sample, spaces included: code, formulas and numbers have fewer
_LOOKED_AT = 2_000  # characters


def sample_of(text: str) -> str:
    """Return the prose at the beginning of a text, without links, code and `[photo]`; "" if that is
    too short to detect. One without spaces may be shorter."""
    words = " ".join(_NO_PROSE.sub(" ", text[:_LOOKED_AT]).split())[:MOST]
    enough = len(words) >= (LEAST if words.isascii() else LEAST // 3)
    letters = sum(char.isalpha() or char.isspace() for char in words)
    return words if enough and letters >= _LEAST_LETTERS * len(words) else ""


def languages(samples: Iterable[str]) -> Counter[str]:
    """Count the samples in each language, by its English name."""
    identifier = _identifier()
    return Counter(KNOWN[identifier.classify(sample)[0]] for sample in samples)


@cache
def _identifier() -> LanguageIdentifier:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    made = LanguageIdentifier.from_model_file(MODEL_FILE)
    made.set_languages(list(KNOWN))
    return made
