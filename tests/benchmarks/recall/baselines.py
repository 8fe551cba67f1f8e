"""The baselines for recall, over the passages of the same index: plain FTS5, and vectors alone.

They have none of recall's ranking: no neighbours, no columns, no rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from memory.core import Memory
from memory.infra.sqlite import Connection, driver
from memory.text.tokenize import STOP_WORDS

_WORD = re.compile(r"\w+")


class Row(NamedTuple):
    """A message after its author's name, or a note's passage after its heading.

    `id`: its id in the set. `vectors`: unit vectors of its passages; may be empty.
    """

    id: str
    text: str
    vectors: Sequence[Any] = ()


async def rows(memory: Memory, ids: Mapping[int, str]) -> list[Row]:
    """Return everything in the index. `ids`: message id → id in the set."""
    db = await memory.index.db()
    has_vectors = await memory.index.has_vectors()

    def read(db: Connection) -> list[Row]:
        vectors = (
            dict(db.execute("SELECT chunk_id, embedding FROM chunk_vec")) if has_vectors else {}
        )
        units: dict[object, list[Any]] = {}
        for row in db.execute("SELECT * FROM chunk ORDER BY id"):
            units.setdefault(row["message_id"] or f"passage {row['id']}", []).append(row)
        return [
            Row(
                ids[first["message_id"]] if first["message_id"] else f"note:{first['path']}",
                "\n".join([first["author"] or first["heading"], *(row["text"] for row in unit)]),
                [_unit(vectors[row["id"]]) for row in unit if row["id"] in vectors],
            )
            for unit in units.values()
            for first in unit[:1]
        ]

    return await db.read(read)


class ByWords:
    """Plain FTS5 with the porter stemmer: any of the question's words but stop words, by bm25."""

    def __init__(self, given: Iterable[Row]) -> None:
        self._db = driver().connect(":memory:")
        self._db.execute(
            "CREATE VIRTUAL TABLE row USING fts5 (id UNINDEXED, text, tokenize=porter)"
        )
        self._db.executemany("INSERT INTO row VALUES (?, ?)", ((row.id, row.text) for row in given))

    def find(self, question: str, limit: int) -> list[str]:
        """Return the ids of the best rows."""
        words = [word for word in _WORD.findall(question.lower()) if word not in STOP_WORDS]
        if not words:
            return []
        query = " OR ".join(f'"{word}"' for word in words)
        found = self._db.execute(
            "SELECT id FROM row WHERE row MATCH ? ORDER BY bm25(row), rowid LIMIT ?", (query, limit)
        )
        return [id_ for (id_,) in found.fetchall()]

    def close(self) -> None:
        """Close the database."""
        self._db.close()


class ByVectors:
    """Plain cosine similarity; of the passages of a message, the nearest counts."""

    def __init__(self, given: Iterable[Row]) -> None:
        pairs = [(row.id, at, vector) for at, row in enumerate(given) for vector in row.vectors]
        self._rows = [(at, id_) for id_, at, _ in pairs]
        self._matrix = np.array([vector for _, _, vector in pairs])

    def find(self, vector: bytes, limit: int) -> list[str]:
        """Return the ids of the nearest rows."""
        if not self._rows:
            return []
        order = np.argsort(-(self._matrix @ _unit(vector)), kind="stable")
        nearest = dict.fromkeys(self._rows[at] for at in order[: limit * 8])
        return [id_ for _, id_ in nearest][:limit]


def _unit(vector: bytes) -> Any:
    found = np.frombuffer(vector, np.float32)
    return found / max(float(np.linalg.norm(found)), 1e-12)
