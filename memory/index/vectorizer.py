"""Embed the chunks that have no vector yet, a few at a time.

Chunks and keywords are searchable at once; vectors follow.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from ..embedding import Embedder, question_map
from ..embedding.models import adapters
from ..embedding.packed import pack
from ..errors import EmbedderRefused, StoreError
from ..infra.sqlite import Connection, Database
from ..infra.text_encoding import hash_of
from ..text.catalogue import tr
from ..text.humanize import duration
from . import tables
from .tables import Waiting

RATE = "passages_per_second"  # in `meta`: the recent rate of embedding
_FEW = 20  # passages may wait without a note to the owner: new messages always do
_SHARE = 50  # and one passage in so many

if TYPE_CHECKING:
    from ..embedding.embedder import Vectors
    from .vector_file import VectorFile


async def embed_some(
    db: Database,
    embedder: Embedder,
    count: int,
    *,
    cache: bool = True,
    shared: VectorFile | None = None,
) -> int:
    """Embed up to `count` waiting chunks; return how many. After a failure the finished ones stay.

    `shared`: where other workers store their vectors. Raises EmbedderDown or EmbedderRefused.
    """

    chunks = await db.read(partial(tables.waiting, count=count))
    await embed_chunks(db, embedder, chunks, cache=cache, shared=shared)
    return len(chunks)


async def embed_chunks(
    db: Database,
    embedder: Embedder,
    chunks: Sequence[Waiting],
    *,
    cache: bool,
    shared: VectorFile | None,
) -> None:
    """Embed these chunks. Raises EmbedderDown or EmbedderRefused."""

    def store(db: Connection, chunks: Sequence[Waiting], vectors: Mapping[str, bytes]) -> None:
        _expect_dimension(db, len(next(iter(vectors.values()))) // 4)
        tables.store_vectors(db, chunks, vectors)

    if chunks:
        await _embed(db, embedder, chunks, "document", _blob, store, cache=cache, shared=shared)


async def embed_sentences(
    db: Database, embedder: Embedder, count: int, *, cache: bool, shared: VectorFile | None
) -> None:
    """Embed the sentences of up to `count` chunks. Raises EmbedderDown or EmbedderRefused."""
    chunks = await db.read(partial(tables.waiting_sentences, count=count))
    await _embed(
        db, embedder, chunks, "sentences", pack, tables.store_sentences, cache=cache, shared=shared
    )


async def _embed(
    db: Database,
    embedder: Embedder,
    chunks: Sequence[Waiting],
    input_type: str,
    packed: Callable[[Vectors], bytes],
    store: Callable[[Connection, Sequence[Waiting], Mapping[str, bytes]], None],
    *,
    cache: bool,
    shared: VectorFile | None,
) -> None:
    """Embed the texts of these chunks, unless this index or another worker has their vectors; store
    those of each chunk `packed`, by its text's hash."""
    hashes = {chunk.text_hash for chunk in chunks}
    known = await db.read(partial(tables.cached, hashes=hashes, input_type=input_type))
    if shared is not None:
        known |= await shared.read(hashes - known.keys(), input_type)
    wanted = {c.text_hash: c.texts for c in chunks if c.text_hash not in known}
    fresh: dict[str, bytes] = {}
    if wanted:
        vectors = await embedder.embed([*chain.from_iterable(wanted.values())], "document")
        start = 0
        for key, texts in wanted.items():
            fresh[key] = packed(vectors[start : start + len(texts)])
            start += len(texts)
    every = {**known, **fresh}

    def change(db: Connection) -> None:
        store(db, chunks, every)
        if cache:
            # Skip vectors of deleted chunks: forgotten text must leave none behind.
            standing = tables.existing_hashes(db, every)
            tables.cache(db, {key: every[key] for key in standing}, input_type)
            tables.note_cached(db, len(fresh))

    if chunks:
        await db.write(change)
    if shared is not None:
        await shared.add(db, fresh, input_type)


async def embed_query(
    db: Database, embedder: Embedder, question: str, *, cache: bool, shared: VectorFile | None
) -> bytes:
    """Return the question's vector as float32 bytes, from the cache if it was asked before."""
    key = hash_of(f"{adapters.REVISION}{question_map.REVISION}\0{question}")

    def look(db: Connection) -> tuple[str | None, bytes | None]:
        known = tables.cached(db, [key], "query") if cache else {}
        return tables.meta(db).get("dimension"), known.get(key)

    dimension, known = await db.read(look)
    if known is not None:
        return known
    vector = _blob(await embedder.embed([question], "query"))
    _same_dimension(dimension, len(vector) // 4)

    def change(db: Connection) -> None:
        tables.cache(db, {key: vector}, "query")
        tables.note_cached(db, 1)

    if cache:
        with contextlib.suppress(StoreError):  # the index was replaced, or the disk is full
            await db.write(change)
    if shared is not None:
        shared.add_question(key, vector)
    return vector


def _blob(vectors: Vectors) -> bytes:
    [row] = vectors
    return bytes(row.tobytes())


def _expect_dimension(db: Connection, dimension: int) -> None:
    if not tables.has_vectors(db):
        tables.create_vectors(db, dimension)
    _same_dimension(tables.meta(db).get("dimension"), dimension)


def _same_dimension(known: str | None, given: int) -> None:
    if known is not None and int(known) != given:
        raise EmbedderRefused(
            f"the index has vectors of {known} dimensions, the embedder gives {given}:"
            " run `sam index --rebuild`"
        )


class Backlog(NamedTuple):
    """Passages that wait for their vectors. `rate`: how many are embedded in a second; 0 if that is
    unknown."""

    waiting: int
    total: int
    rate: float

    def described(self) -> str:
        """Return a part of a sentence for the owner, in the chosen language."""
        said = tr(
            "{waiting} of {total} passages can be found by their words so far, and not yet by their"
            " meaning",
            waiting=f"{self.waiting:,}",
            total=f"{self.total:,}",
        )
        if not self.rate:
            return said
        return said + tr(", {duration} of work left", duration=duration(self.waiting / self.rate))


def backlog(db: Connection) -> Backlog | None:
    """Return how many passages wait for their vectors; None if they are few."""
    waiting = tables.count_waiting(db)
    if waiting <= _FEW:
        return None
    total = db.execute("SELECT count(*) FROM chunk").fetchone()[0]
    if waiting * _SHARE <= total:
        return None
    return Backlog(waiting, total, float(tables.meta(db).get(RATE, "0")))
