"""The language that user.md names for Sam's own texts. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping

NAMES: Mapping[str, tuple[str, ...]] = {
    "en": ("english", "englisch", "inglés", "anglais", "английский", "英语", "英文"),
    "de": ("german", "deutsch", "alemán", "allemand", "немецкий", "德语"),
    "es": ("spanish", "español", "castellano", "spanisch", "espagnol", "испанский", "西班牙语"),
    "fr": ("french", "français", "französisch", "francés", "французский", "法语"),
    "ru": ("russian", "русский", "russisch", "ruso", "russe", "俄语"),
    "zh": ("chinese", "中文", "汉语", "chinesisch", "chino", "chinois", "китайский"),
}
"""By code: the names of each language in those that have a catalogue."""
_LINE = re.compile(
    r"\s*[-*]\s+\**(?:Language|Sprache|Idioma|Langue|Язык|语言)\**\s*[:：]\**\s*(.*)"
)


def named_language(user: str) -> str:
    """Return the code of the language in the line “- Language: …” of user.md.

    "" without such a line; "en" where it names a language without a catalogue.
    """
    for row in user.split("\n"):
        if (found := _LINE.fullmatch(row)) and (words := found[1].casefold().strip()):
            for code, names in NAMES.items():
                if words == code or any(words.startswith(name) for name in names):
                    return code
            return "en"
    return ""
