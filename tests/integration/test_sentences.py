"""Vectors of single sentences: a long message is found by the sentence that answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from memory.core import Memory
from memory.embedding import InputType
from tests.support.memories import WordEmbedder, log_exchange, opened, write

LONG = (
    "We ate soup with rice and beans on the balcony. My sister sails her boat to Corsica."
    " The plumber mended the boiler, the tap and the drain. Ok."
)
SENTENCES = LONG.removesuffix(" Ok.").replace(". ", ".\n").splitlines()


class Kinds(WordEmbedder):
    """Records the texts of each call."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[tuple[str, list[str]]] = []

    async def embed(self, texts: Any, kind: InputType) -> Any:
        self.calls.append((kind, list(texts)))
        return await super().embed(texts, kind)


async def rows(memory: Memory, sql: str) -> list[tuple[Any, ...]]:
    db = await memory.index.db()
    return await db.read(lambda db: [tuple(row) for row in db.execute(sql).fetchall()])


async def embedded(memory: Memory) -> None:
    while await memory.embeddings.embed(4):
        pass


async def test_a_long_message_is_found_by_the_sentence_that_answers(tmp_path: Path) -> None:
    async with opened(tmp_path, embedder=WordEmbedder()) as memory:
        for number in range(12):
            await log_exchange(memory, f"A walk around pond number {number}", "Noted.")
        await log_exchange(memory, LONG, "Noted.")
        await memory.reconcile()
        for _ in range(20):  # the passages alone
            if not (await memory.status()).not_embedded:
                break
            await memory.embeddings.embed(1)
        [before] = [h for h in (await memory.recall("sister boat")).hits if h.text == LONG]
        await embedded(memory)
        [after] = [h for h in (await memory.recall("sister boat")).hits if h.text == LONG]
        assert after.score > before.score + 0.02


async def test_passages_come_first_and_only_what_the_owner_states_is_split(tmp_path: Path) -> None:
    embedder = Kinds()
    async with opened(tmp_path, embedder=embedder) as memory:
        await log_exchange(
            memory, LONG, "Soup is warm and good. Boats are slow and wet. Boilers hum."
        )
        await log_exchange(
            memory, "One sentence about the garden fence", "Noted, it is in the garden."
        )
        await memory.reconcile()
        await embedded(memory)
        texts = [text for kind, texts in embedder.calls if kind == "document" for text in texts]
        assert texts[-3:] == SENTENCES, "after all passages, without the short one"
        assert await rows(memory, "SELECT count(*) FROM sentences") == [(1,)]
        assert await memory.embeddings.waiting() == 0


async def test_a_rebuild_takes_the_vectors_from_the_cache(tmp_path: Path) -> None:
    embedder = Kinds()
    async with opened(tmp_path, embedder=embedder) as memory:
        write(tmp_path, "trip.md", f"# Trip\n\n{LONG}\n")
        await memory.reconcile()
        await embedded(memory)
        made = await rows(memory, "SELECT vectors FROM sentences")
        embedder.calls.clear()
        await memory.index.rebuild()
        await embedded(memory)
        assert await rows(memory, "SELECT vectors FROM sentences") == made != []
        assert embedder.calls == []


async def test_the_vectors_go_with_the_passage(tmp_path: Path) -> None:
    async with opened(tmp_path, embedder=WordEmbedder()) as memory:
        write(tmp_path, "trip.md", f"# Trip\n\n{LONG}\n")
        await memory.reconcile()
        await embedded(memory)
        stored = "SELECT count(*) FROM embedding WHERE input_type = 'sentences'"
        assert await rows(memory, stored) == [(1,)]
        (tmp_path / "vault" / "trip.md").unlink()
        await memory.reconcile()
        async with memory.index.unbuilt(timeout=5):
            await memory.index.forget()
        assert await rows(memory, "SELECT count(*) FROM sentences") == [(0,)]
        assert await rows(memory, stored) == [(0,)]
