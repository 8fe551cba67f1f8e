"""The codes in memory find what an exact scan finds, with the same filters, as things change."""

from __future__ import annotations

import random
from datetime import date, timedelta
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from memory.core import Memory
from memory.index import codes, tables
from memory.index.codes import Codes
from memory.index.passages import Passage
from memory.index.tables import Source, Waiting
from memory.recall import Question, nearest
from tests.memories import WordEmbedder, opened

DIMENSION = 256
COUNT = 4_500
FIRST = date(2025, 1, 1)


async def filled(memory: Memory, count: int, draw: random.Random) -> np.ndarray:
    """Passages with vectors as real ones are: few directions, clusters, some noise."""
    source = np.random.default_rng(1)
    world = source.standard_normal((40, DIMENSION))
    centres = source.standard_normal((60, 40)) @ world
    noise = np.random.default_rng(2)
    db = await memory.index.db()

    def put(connection: object) -> None:
        for number in range(count):
            vector = centres[number % 60] + noise.standard_normal(40) @ world
            vector += 0.5 * noise.standard_normal(DIMENSION)
            add(connection, number, vector, draw)

    await db.write(put)
    return centres


def add(connection: object, number: int, vector: np.ndarray, draw: random.Random) -> None:
    message = number % 3 == 0
    passage = Passage(
        path=f"n{number}.md",
        heading="",
        start_line=1,
        end_line=1,
        text=f"passage {number}",
        kind="message" if message else draw.choice(["note", "fact", "summary"]),
        privacy="sensitive" if number % 50 == 7 else "normal",
        date=(FIRST + timedelta(days=number % 300)).isoformat() if number % 5 else None,
        expires=(FIRST + timedelta(days=number % 700)).isoformat() if number % 11 == 0 else None,
        superseded=number % 97 == 5,
        message_id=number if message else None,
    )
    tables.put(connection, Source(f"n{number}.md", str(number), 1, 1), [passage])
    row = connection.execute(
        "SELECT id, text_hash FROM chunk WHERE path = ?", (passage.path,)
    ).fetchone()
    unit = (vector / np.linalg.norm(vector)).astype(np.float32)
    waiting = Waiting(row["id"], "", row["text_hash"])
    tables.store(connection, [waiting], {row["text_hash"]: unit.tobytes()})


TODAY = FIRST + timedelta(days=200)
QUESTIONS = [
    Question("", TODAY),
    Question("", TODAY, private=True),
    Question("", TODAY, filter="conversations"),
    Question("", TODAY, filter="knowledge", since=FIRST + timedelta(days=100)),
    Question("", TODAY, until=FIRST + timedelta(days=30)),
    Question("", TODAY, kinds=("fact",)),
    Question("", TODAY, without_messages=tuple(range(3, 3000, 3))),
]


async def test_codes_find_what_an_exact_scan_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(codes, "_BY_BITS", 1_000)
    monkeypatch.setattr(codes, "WORTH_IT", 1_000)
    async with opened(tmp_path, embedder=WordEmbedder(DIMENSION)) as memory:
        centres = await filled(memory, COUNT, random.Random(4))
        db, derived = await memory.index.db(), Codes()
        assert await db.read(derived.load)
        noise = np.random.default_rng(3)
        found = wanted = 0
        for number in range(70):
            question = QUESTIONS[number % len(QUESTIONS)]
            vector = centres[number % 60] + 3.0 * noise.standard_normal(DIMENSION)
            asked = (vector / np.linalg.norm(vector)).astype(np.float32).tobytes()
            exact = await db.read(partial(nearest, question=question, vector=asked, count=24))
            fast = await db.read(
                partial(derived.nearest, question=question, vector=asked, count=24)
            )
            wanted += len(exact)
            found += len(exact.keys() & fast.keys())
            for id_ in exact.keys() & fast.keys():
                assert fast[id_] == pytest.approx(exact[id_], abs=1e-4)
        assert wanted > 1_000 and found / wanted >= 0.99, (found, wanted)


async def test_what_comes_goes_and_changes_is_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(codes, "WORTH_IT", 10)
    async with opened(tmp_path, embedder=WordEmbedder(DIMENSION)) as memory:
        await filled(memory, 40, random.Random(4))
        db, derived = await memory.index.db(), Codes()
        assert await db.read(derived.load)
        only = np.zeros(DIMENSION, np.float32)
        only[3] = 1.0
        question = Question("", TODAY)

        async def hits() -> set[int]:
            ask = partial(derived.nearest, question=question, vector=only.tobytes(), count=3)
            return {id_ for id_, score in (await db.read(ask)).items() if score > 0.9}

        assert await hits() == set()
        await db.write(lambda c: add(c, 1001, only, random.Random(1)))
        assert len(await hits()) == 1
        for number in range(2001, 2060):  # beyond the room that was made
            await db.write(lambda c, n=number: add(c, n, -only, random.Random(1)))
        assert len(await hits()) == 1
        await db.write(lambda c: tables.drop(c, "n1001.md"))
        assert await hits() == set()
        # The id of the newest chunk may be given again.
        await db.write(lambda c: tables.drop(c, "n2059.md"))
        await db.write(lambda c: add(c, 3001, only, random.Random(1)))
        assert len(await hits()) == 1


async def test_few_vectors_are_left_to_the_scan(tmp_path: Path) -> None:
    async with opened(tmp_path, embedder=WordEmbedder(DIMENSION)) as memory:
        await filled(memory, 5, random.Random(4))
        derived = Codes()
        assert not await (await memory.index.db()).read(derived.load)
