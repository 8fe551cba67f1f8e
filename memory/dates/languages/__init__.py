"""The words for time: each language has a file, and its name here."""

from pathlib import Path

from ...infra.text_encoding import yaml_texts
from .locale import Locale, RepeatWords

__all__ = ["LOCALES", "Locale", "RepeatWords"]

_NAMES = (
    *("english", "german", "french", "spanish", "italian", "portuguese", "dutch", "russian"),
    *("polish", "japanese", "chinese"),
)


def _read(name: str) -> Locale:
    words = yaml_texts(Path(__file__).with_name(f"{name}.yaml"))
    repeats = words.pop("repeats")
    for rule, phrases in repeats["phrases"].items():
        repeats["phrases"][rule] = phrases if isinstance(phrases, str) else "|".join(phrases)
    repeats = RepeatWords(**repeats, spaced=words.get("has_spaces", True))
    return Locale(**words, repeats=repeats)


LOCALES = tuple(map(_read, _NAMES))
