"""Measure the speed of recall (keywords, vectors, both) against two simple baselines.

    python -m tests.benchmarks.search --chunks N --dim D [--json]

The notes are recombined from LoCoMo's turns. A text's vector is the sum of random directions of its
words, so texts with common words are near each other. The embedding of the question is not timed;
no question is repeated, and each kind of recall starts with an empty cache of words. The
same nearest-neighbour search is done by one NumPy product over all vectors, and by a plain
sqlite-vec table, in the same run: the ratios hold on any machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import resource
import sys
import tempfile
import time
import zlib
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as in `sam run`; read when NumPy is loaded

import numpy as np

from memory.config import MemorySettings
from memory.core import Memory
from memory.embedding import Identity, InputType, consent
from memory.errors import EmbedderRefused
from memory.infra.sqlite import Connection, connect, vec_version
from memory.search import Question
from memory.search.candidates.sql import nearest
from memory.text.tokenize import terms
from tests.support import locomo

SECTIONS = 10  # chunks of one note: 100,000 chunks are 10,000 notes
QUESTIONS = 200
WARM = 10  # questions that are asked first and not counted
COMPARED = 24  # neighbours, with an exact scan's


class WordDirections:
    """Embed a text as the normalized sum of its words' directions. Not timed."""

    remote = False
    max_batch_texts = 2048
    max_batch_tokens = 10_000_000

    def __init__(self, dimension: int) -> None:
        self.identity = Identity("bench", "directions", dimension)
        self._known: dict[str, int] = {}
        self._directions = np.zeros((0, dimension), np.float32)

    async def identify(self) -> Identity:
        return self.identity

    def _direction(self, word: str) -> int:
        if word not in self._known:
            if len(self._known) == len(self._directions):
                more = np.zeros((4096, self.identity.dimension), np.float32)
                self._directions = np.concatenate([self._directions, more])
            draw = np.random.default_rng(zlib.crc32(word.encode()))
            self._known[word] = len(self._known)
            self._directions[self._known[word]] = draw.standard_normal(
                self.identity.dimension, dtype=np.float32
            )
        return self._known[word]

    async def embed(self, texts: Sequence[str], kind: InputType) -> Any:
        known = [[self._direction(word) for word in terms(text)] for text in texts]
        rows = np.stack([self._directions[one].sum(axis=0) + 1e-6 for one in known])
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    async def close(self) -> None:
        return None


def write_vault(folder: Path, chunks: int, draw: random.Random) -> int:
    """Write notes with `chunks` sections of real sentences; return the number of notes."""
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
        note = folder / f"note-{number:06}.md"
        note.write_text("\n\n".join(parts) + "\n", "utf-8")
        os.utime(note, (1_700_000_000, 1_700_000_000))  # old enough not to count as being written
    return notes


async def timed(work: Callable[[str], Awaitable[object]], questions: Sequence[str]) -> list[float]:
    """Return the milliseconds of each call, without the first ones, which warm up."""
    times = []
    for question in questions:
        began = time.perf_counter()
        await work(question)
        times.append((time.perf_counter() - began) * 1000)
    return sorted(times[WARM:])


def spread(times: Sequence[float]) -> dict[str, float]:
    """Return p50, p95 and the minimum, which estimates the time without other load."""
    return {
        "p50_ms": round(times[len(times) // 2], 2),
        "p95_ms": round(times[int(len(times) * 0.95)], 2),
        "least_ms": round(times[0], 2),
    }


async def bench(chunks: int, dimension: int) -> dict[str, Any]:
    """Run the measurement; return all figures."""
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
        questions = _questions()
        asked = await embedder.embed(questions, "query")
        vectors = {q: row.tobytes() for q, row in zip(questions, asked, strict=True)}

        async def known(question: str) -> bytes:
            return vectors[question]

        async def unknown(question: str) -> bytes:
            raise EmbedderRefused("keywords alone")

        async with Memory.open(settings(), sole=True) as memory:
            memory.watching = True
            began, worked = time.perf_counter(), time.process_time()
            await memory.reconcile()
            taken = time.perf_counter() - began, time.process_time() - worked
            result["index_chunks_per_s"] = round(chunks / taken[0])
            result["index_chunks_per_cpu_s"] = round(chunks / taken[1])
            began, worked = time.perf_counter(), time.process_time()
            await memory.reconcile()
            result["unchanged_reconcile_s"] = round(time.perf_counter() - began, 3)
            result["unchanged_reconcile_cpu_s"] = round(time.process_time() - worked, 3)
            began = time.perf_counter()
            while await memory.embeddings.embed(2048):
                pass
            result["vectors_stored_s"] = round(time.perf_counter() - began, 1)
        for kind in ("keyword", "vector", "hybrid"):
            async with Memory.open(settings(fts_enabled=kind != "vector"), sole=True) as memory:
                memory.watching = True
                memory.embeddings.query = known if kind != "keyword" else unknown  # type: ignore[method-assign]
                began = time.perf_counter()
                await memory.searcher.load_cache()
                result["held_s"] = round(time.perf_counter() - began, 2)
                times = await timed(partial(memory.recall, limit=8), questions)
                mode = (await memory.recall(questions[0], limit=8)).mode
                assert mode.startswith(kind), mode
                result[kind] = spread(times)
                if kind == "hybrid":
                    result["vector_recall"] = await _recall(memory, vectors, questions[:40])
                    result |= await _baselines(
                        memory, vectors, questions, dimension, folder / "plain.db"
                    )
        for kind in ("vector", "hybrid"):
            for plain in ("numpy", "sqlite_vec"):
                if plain in result:
                    ratio = result[kind]["p50_ms"] / result[plain]["p50_ms"]
                    result[f"{kind}_to_{plain}"] = round(ratio, 3)
        size = sum(f.stat().st_size for f in (folder / "data" / "index").iterdir())
        result["disk_mb"] = round(size / 1e6)
        result["memory_mb"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    return result


def _questions() -> list[str]:
    asked = [str(entry["question"]) for sample in locomo.load() for entry in sample["qa"]]
    return random.Random(3).sample(list(dict.fromkeys(asked)), QUESTIONS + WARM)


async def _recall(memory: Memory, vectors: dict[str, bytes], questions: Sequence[str]) -> float:
    """Return the share of an exact scan's neighbours that Sam's search finds."""
    db, candidates = await memory.searcher.search_functions()
    found = wanted = 0
    for text in questions:
        question = Question(text, memory.today())
        exact = await db.read(lambda c, q=question: nearest(c, q, vectors[q.text], COMPARED))
        fast = await db.read(
            lambda c, q=question: candidates.nearest(c, q, vectors[q.text], COMPARED)
        )
        wanted, found = wanted + len(exact), found + len(exact.keys() & fast.keys())
    return round(found / max(1, wanted), 4)


async def _baselines(
    memory: Memory,
    vectors: dict[str, bytes],
    questions: Sequence[str],
    dimension: int,
    plain: Path,
) -> dict[str, Any]:
    """Time the baselines for 24 neighbours: a NumPy product, and a plain sqlite-vec table."""
    db = await memory.index.db()

    def load(connection: Connection) -> Any:
        rows = connection.execute("SELECT embedding FROM chunk_vec").fetchall()
        return np.frombuffer(b"".join(row[0] for row in rows), np.float32).reshape(-1, dimension)

    matrix = await db.read(load)

    async def product(question: str) -> Any:
        scores = matrix @ np.frombuffer(vectors[question], np.float32)
        return np.argpartition(-scores, COMPARED)[:COMPARED]

    few = questions[: WARM + 50]
    result: dict[str, Any] = {"numpy": spread(await timed(product, few))}
    if vec_version() is None:
        return result
    store = connect(plain, synchronous="OFF", extension=True)
    store.execute(
        f"CREATE VIRTUAL TABLE plain USING vec0(embedding float[{dimension}]"
        " distance_metric=cosine)"
    )
    store.execute("BEGIN")
    store.executemany(
        "INSERT INTO plain (embedding) VALUES (?)", ((row.tobytes(),) for row in matrix)
    )
    store.execute("COMMIT")

    async def scan(question: str) -> Any:
        return store.execute(
            "SELECT rowid, distance FROM plain WHERE embedding MATCH ? AND k = ?",
            (vectors[question], COMPARED),
        ).fetchall()

    result["sqlite_vec"] = spread(await timed(scan, few))
    store.close()
    return result


def main(words: Sequence[str] | None = None) -> int:
    """Run the benchmark from the command line."""
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
            print(f"{name:26} {value}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
