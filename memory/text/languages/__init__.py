"""The supported languages: each has a file, and its name here."""

from functools import cache
from pathlib import Path

from ...infra.text_encoding import yaml_texts
from .language import Language

__all__ = ["Language", "languages"]

_NAMES = (
    *("english", "german", "french", "spanish", "italian", "portuguese", "dutch", "polish"),
    *("russian", "japanese", "chinese"),
)


@cache  # read at the first use: `sam --help` does not need them
def languages() -> tuple[Language, ...]:
    """Return the languages; of those that fit a text equally well, the first counts."""
    folder = Path(__file__).parent
    return tuple(Language(**yaml_texts(folder / f"{name}.yaml")) for name in _NAMES)
