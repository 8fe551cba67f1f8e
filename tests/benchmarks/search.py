"""How fast recall is: keywords, vectors and both, on real words, against two plain ways to do it.

    python -m tests.benchmarks.search --chunks N --dim D [--json]

The vault's notes are made of LoCoMo's turns, recombined; a text's vector is the sum of its words'
random directions, so that texts with the same words lie near each other. The embedding of the
question is not counted. The same nearest-neighbour search is done by one NumPy product over all
vectors, and by sqlite-vec's own scan, in the same run: the ratios hold on any machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import resource
import sys
import tempfile
import time
import zlib
from collections.abc import Awaitable, Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from memory import consent
from memory.config import MemorySettings
from memory.core import Memory
from memory.db import Connection
from memory.embed import Identity, Kind
from memory.recall import Question
from memory.words import terms
from tests import locomo

SECTIONS = 40  # chunks of one note
QUESTIONS = 200


class WordDirections:
    """A text's vector: the sum of its words' directions, of length one. Not timed."""

    remote = False
    max_batch_texts = 512
    max_batch_tokens = 1_000_000

    def __init__(self, dimension: int) -> None:
        self.identity = Identity("bench", "directions", dimension)
        self._direction = cache(self._make)

    async def identify(self) -> Identity:
        return self.identity

    def _make(self, word: str) -> Any:
        draw = np.random.default_rng(zlib.crc32(word.encode()))
        return draw.standard_normal(self.identity.dimension, dtype=np.float32)

    async def embed(self, texts: Sequence[str], kind: Kind) -> Any:
        rows = np.stack(
            [np.sum([self._direction(w) for w in terms(text)] or [np.ones(1)], 0) for text in texts]
        ).astype(np.float32)
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)

    async def close(self) -> None:
        return None


def write_vault(folder: Path, chunks: int, draw: random.Random) -> int:
    """Notes with that many sections of real sentences; how many notes."""
    lines = [
        line.text
        for sample in locomo.load()
        for session in locomo.sessions(sample["conversation"])
        for line in session
    ]
    folder.mkdir(parents=True)
    (folder / "soul.md").write_text("---\nprivacy: sealed\n---\n", "utf-8")
    notes = -(-chunks // SECTIONS)
    for number in range(notes):
        parts = [
            f"## Part {n}\n\n" + " ".join(draw.sample(lines, 3))
            for n in range(min(SECTIONS, chunks - number * SECTIONS))
        ]
        (folder / f"note-{number:05}.md").write_text("\n\n".join(parts) + "\n", "utf-8")
    return notes


async def timed(work: Callable[[str], Awaitable[object]], questions: Sequence[str]) -> list[float]:
    """Milliseconds of each call; the first ten warm up and are not counted."""
    times = []
    for question in questions:
        began = time.perf_counter()
        await work(question)
        times.append((time.perf_counter() - began) * 1000)
    return sorted(times[10:])


def spread(times: Sequence[float]) -> dict[str, float]:
    """p50 and p95."""
    return {
        "p50_ms": round(times[len(times) // 2], 2),
        "p95_ms": round(times[int(len(times) * 0.95)], 2),
    }


async def bench(chunks: int, dimension: int) -> dict[str, Any]:
    """The whole measurement."""
    embedder = WordDirections(dimension)

    async def ours(*_: object) -> Any:
        return None, embedder

    consent.embedder = ours
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        notes = write_vault(folder / "vault", chunks, random.Random(5))

        def settings(**given: Any) -> MemorySettings:
            return MemorySettings(
                _env_file=None,  # type: ignore[call-arg]
                vault_dir=folder / "vault",
                data_dir=folder / "data",
                timezone="UTC",
                embedding_provider="local",
                embedding_cache_enabled=False,
                **given,
            )

        result: dict[str, Any] = {"chunks": chunks, "dim": dimension, "notes": notes}
        memory = await Memory.open(settings(), sole=True)
        memory.watching = True
        began = time.perf_counter()
        await memory.reconcile()
        result["index_chunks_per_s"] = round(chunks / (time.perf_counter() - began))
        began = time.perf_counter()
        await memory.reconcile()
        result["unchanged_reconcile_s"] = round(time.perf_counter() - began, 3)
        while await memory.embeddings.some(512):
            pass
        questions = _questions()
        vectors = {q: (await embedder.embed([q], "query"))[0].tobytes() for q in questions}

        async def known(question: str) -> bytes:
            return vectors[question]

        memory.embeddings.query = known  # type: ignore[method-assign]
        result["hybrid"] = spread(await timed(lambda q: memory.recall(q, limit=8), questions))
        baseline = await _baselines(memory, vectors, questions, dimension)
        await memory.close()

        memory = await Memory.open(settings(fts_enabled=False), sole=True)
        memory.watching = True
        memory.embeddings.query = known  # type: ignore[method-assign]
        result["vector"] = spread(await timed(lambda q: memory.recall(q, limit=8), questions))
        memory.embedder = None
        memory.settings = settings()
        result["keyword"] = spread(await timed(lambda q: memory.recall(q, limit=8), questions))
        await memory.close()
        result |= baseline
        for plain in ("numpy", "sqlite_vec"):
            result[f"vector_to_{plain}"] = round(
                result["vector"]["p50_ms"] / result[plain]["p50_ms"], 3
            )
        size = sum(f.stat().st_size for f in (folder / "data" / "index").iterdir())
        result["disk_mb"] = round(size / 1e6)
        result["memory_mb"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    return result


def _questions() -> list[str]:
    asked = [str(entry["question"]) for sample in locomo.load() for entry in sample["qa"]]
    return random.Random(3).sample(list(dict.fromkeys(asked)), QUESTIONS + 10)


async def _baselines(
    memory: Memory, vectors: dict[str, bytes], questions: Sequence[str], dimension: int
) -> dict[str, Any]:
    """One product over all vectors, and sqlite-vec's own scan, for the same 24 neighbours."""
    db = await memory.index.db()

    def load(connection: Connection) -> Any:
        rows = connection.execute("SELECT embedding FROM chunk_vec").fetchall()
        return np.frombuffer(b"".join(row[0] for row in rows), np.float32).reshape(-1, dimension)

    matrix = await db.read(load)

    async def product(question: str) -> Any:
        scores = matrix @ np.frombuffer(vectors[question], np.float32)
        return np.argpartition(-scores, 24)[:24]

    where, given = Question("", memory.today()).where()

    async def scan(question: str) -> Any:
        return await db.read(
            lambda c: c.execute(
                "SELECT chunk_id, distance FROM chunk_vec WHERE embedding MATCH ? AND k = 24"
                f" AND chunk_id IN (SELECT id FROM chunk WHERE {where})",
                (vectors[question], *given),
            ).fetchall()
        )

    few = questions[:60]
    return {
        "numpy": spread(await timed(product, few)),
        "sqlite_vec": spread(await timed(scan, few)),
    }


def main(words: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(description="the speed of recall")
    parser.add_argument("--chunks", type=int, default=20_000)
    parser.add_argument("--dim", type=int, default=384)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args(words)
    if not locomo.DATA.exists():
        print("The words come from LoCoMo (../shared/data), which is not here.")
        return 2
    result = asyncio.run(bench(asked.chunks, asked.dim))
    if asked.json:
        print(json.dumps(result))
    else:
        for name, value in result.items():
            print(f"{name:24} {value}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
