"""The shape of an index generation: its layout and embedder, and whether it fits the settings.

The index is rebuilt when its shape does not fit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from ..embedding import Identity
from ..errors import StoreError
from ..infra.sqlite import Connection
from ..infra.text_encoding import hash_of
from ..log.changefeed import NEIGHBOURS
from ..notes.chunker import CHUNKER
from ..text.secrets import MASK
from ..text.sentences import CLASSIFIER
from ..text.tokenize import LETTERS, TOKENIZER
from . import tables


@dataclass(frozen=True, slots=True)
class Shape:
    """The settings that an index depends on; with another shape it is rebuilt."""

    identity: Identity | None
    zone: str
    chunk_chars: int
    sam_dir: str

    def meta(self) -> dict[str, str]:
        """Return the shape as stored in `meta`."""
        named = f"{self.identity.provider}/{self.identity.model}" if self.identity else ""
        words = TOKENIZER + LETTERS
        layout = (
            tables.SCHEMA,
            words,
            tables.vector_store(),
            CHUNKER,
            MASK,
            CLASSIFIER,
            NEIGHBOURS,
        )
        return {
            "layout": _digest("\0".join(layout)),
            "identity": named,
            "zone": self.zone,
            "chunk_chars": str(self.chunk_chars),
            "sam_dir": self.sam_dir,
        }

    def fits(self, meta: Mapping[str, str]) -> bool:
        """Return whether a generation with that `meta` has this shape."""
        return self.has_embedder(meta) and all(
            meta.get(name) == value for name, value in self.meta().items()
        )

    def has_embedder(self, meta: Mapping[str, str]) -> bool:
        """Return whether a generation with that `meta` has vectors of the same embedder."""
        dimension = self.identity.dimension if self.identity else 0
        if dimension and meta.get("dimension", str(dimension)) != str(dimension):
            return False  # the same model with shorter vectors
        return meta.get("identity") == self.meta()["identity"]


_digest = cache(hash_of)  # of the same text, before every question


class Unfit(StoreError):
    """A generation of another layout, which cannot serve keywords either."""


def expect_layout(shape: Shape, *, any_zone: bool) -> Callable[[Connection], None]:
    """Return a function that raises Unfit for a generation of another layout, or, unless
    `any_zone`, of another time zone."""
    ours = shape.meta()
    names = {"layout", "chunk_chars", "sam_dir"} if any_zone else ours.keys() - {"identity"}

    def prepare(db: Connection) -> None:
        made = db.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone()
        meta = tables.meta(db) if made else {}
        for name in names:
            if meta.get(name) != ours[name]:
                raise Unfit(f"its {name} is another")
        # A truncated file may open without an error and fail at the first query.
        db.execute("SELECT count(*) FROM chunk_fts WHERE chunk_fts MATCH 'a'").fetchone()

    return prepare
