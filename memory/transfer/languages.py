"""Detect the languages of conversations from a sample of each."""

from __future__ import annotations

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


def tells(text: str) -> bool:
    """Return whether a text is long enough to detect; one without spaces may be shorter."""
    words = text.strip()
    return len(words) >= LEAST or (len(words) >= LEAST // 3 and not words.isascii())


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
