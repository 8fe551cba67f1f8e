"""Split texts into batches within a provider's limits, and normalise vectors. Pure."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ..errors import EmbedderDown, EmbedderRefused

if TYPE_CHECKING:
    from .embedder import Vectors

# From this code point on (CJK radicals, kana, han, hangul, emoji) a character is about one token.
# Other alphabets need about one token for two characters, English words one for four, digits and
# punctuation nearly one each (counted with the tokenizer of multilingual-e5).
WIDE = "\u2e80"
WORDS = re.compile(rb"[A-Za-z\s]+")


def tokens(text: str) -> int:
    """Estimate the number of tokens of a text in any script; errs on the high side."""
    narrow = text.encode("ascii", "ignore")
    marks = len(WORDS.sub(b"", narrow))
    wide = sum(char >= WIDE for char in text) if len(narrow) < len(text) else 0
    other = len(text) - len(narrow) - wide
    return math.ceil((len(narrow) - marks) / 3.5 + marks * 0.9 + other / 2 + wide * 1.1) + 2


def batches(texts: Iterable[str], max_texts: int, max_tokens: int) -> Iterator[list[str]]:
    """Split the texts, in order, into lists within both limits; a text over the limit gets its own
    list."""
    batch: list[str] = []
    size = 0
    for text in texts:
        more = tokens(text)
        if batch and (len(batch) >= max_texts or size + more > max_tokens):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += more
    if batch:
        yield batch


def clean(text: str) -> str:
    """Remove the characters that break C strings and JSON, NUL and lone surrogates; compose letters
    and their accents, which macOS writes apart: models know few of those."""
    whole = text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
    return unicodedata.normalize("NFC", whole)


def truncate(text: str, limit: int) -> str:
    """Truncate a text to about `limit` tokens."""
    size = tokens(text)
    return text if size <= limit else text[: max(1, len(text) * limit // size)]


def unit_rows(vectors: object, count: int, dimension: int, whose: str) -> Vectors:
    """Convert a provider's vectors to (count, dimension) float32 rows of length one.

    `dimension` 0 accepts any. Raises EmbedderRefused if the dimension is not the requested one,
    EmbedderDown if the number of vectors is wrong or a value is not finite.
    """
    import numpy as np

    if not count:
        return np.zeros((0, dimension), dtype=np.float32)
    try:
        rows = np.asarray(vectors, dtype=np.float32)
    except (TypeError, ValueError):
        raise EmbedderDown(f"{whose} gave vectors of different lengths: trying again.") from None
    if rows.ndim != 2 or len(rows) != count:
        raise EmbedderDown(f"{whose} gave {len(rows)} vectors for {count} texts: trying again.")
    if dimension and rows.shape[1] != dimension:
        raise EmbedderRefused(
            f"{whose} gives vectors of {rows.shape[1]} numbers and not {dimension}: set "
            f"EMBEDDING_DIMENSIONS={rows.shape[1]}, or another EMBEDDING_MODEL_NAME."
        )
    if not np.isfinite(rows).all():
        raise EmbedderDown(f"{whose} gave numbers that are none: trying again.")
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    scaled: Vectors = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return scaled


def expand_rows(rows: Vectors, texts: Sequence[str], dimension: int) -> Vectors:
    """Expand the rows of the non-blank texts to one row per text; blank texts get zeros."""
    import numpy as np

    full = np.zeros((len(texts), dimension), dtype=np.float32)
    full[[place for place, text in enumerate(texts) if text.strip()]] = rows
    return full
