"""Open memories for tests: real stores in a folder, a settable clock, a transparent embedder.

A vector of `WordEmbedder` can be worked out by eye: it counts the text's words, hashed into 64
dimensions.
"""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from memory.config import MemorySettings
from memory.core import Memory
from memory.embedding import Identity, InputType
from memory.errors import EmbedderDown
from memory.log import Said, Turn
from memory.text.tokenize import STOP_WORDS, terms
from tests.support.engines import with_engine

START = datetime(2026, 2, 12, 12, 0, tzinfo=UTC)


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self, now: datetime = START) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **delta: float) -> None:
        self.now += timedelta(**delta)


class WordEmbedder:
    """An embedder that counts words and can be made to fail; it stands in for a remote provider."""

    remote = False
    max_batch_texts = 8
    max_batch_tokens = 100_000

    def __init__(self, dimension: int = 64, model: str = "words") -> None:
        self.identity = Identity("test", model, dimension)
        self.down = False
        self.texts: list[str] = []

    async def identify(self) -> Identity:
        if self.down:
            raise EmbedderDown("the test's embedder is down")
        return self.identity

    async def embed(self, texts: Sequence[str], kind: InputType) -> Any:
        if self.down:
            raise EmbedderDown("the test's embedder is down")
        self.texts += texts
        rows = np.zeros((len(texts), self.identity.dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in terms(text):
                if word not in STOP_WORDS:
                    row[zlib.crc32(word.encode()) % len(row)] += 1.0
            if norm := np.linalg.norm(row):
                row /= norm
        return rows

    async def close(self) -> None:
        return None


def settings(folder: Path, **given: Any) -> MemorySettings:
    """Return settings for a memory below `folder`, independent of the environment."""
    values = {
        "vault_dir": folder / "vault",
        "data_dir": folder / "data",
        "profiles_dir": folder / "profiles",
        "timezone": "UTC",
        "embedding_provider": "none",
        **given,
    }
    return with_engine(MemorySettings(_env_file=None, **values))  # type: ignore[call-arg]


class Died(BaseException):
    """Raised where the process would have been killed."""


def dies_at_write(memory: Memory, number: int) -> None:
    """Raise Died just before the vault's write of that number is recorded in its journal."""
    journal, left = memory.vault.journal, number

    async def record(*given: str | None) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            raise Died
        assert journal is not None
        await journal(*given)  # type: ignore[arg-type]  # as it was given

    memory.vault.journal = record  # type: ignore[assignment]


@asynccontextmanager
async def opened(
    folder: Path,
    *,
    clock: Clock | None = None,
    embedder: WordEmbedder | None = None,
    sole: bool = True,
    **given: Any,
) -> AsyncIterator[Memory]:
    """Open a memory; `embedder`, if given, computes its vectors."""
    from memory.embedding import consent

    asked = consent.embedder
    if not (folder / "vault" / "soul.md").exists() and not given.get("vault_dir"):
        write(folder, "soul.md", "# Soul\n\nBe kind.\n")  # so no starter vault is copied
    if embedder is not None:
        given.setdefault("embedding_provider", "local")

    async def ours(*_: Any) -> Any:
        return None, embedder

    if embedder is not None:
        consent.embedder = ours
    async with AsyncExitStack() as stack:
        try:
            memory = await stack.enter_async_context(
                Memory.open(settings(folder, **given), clock=clock or Clock(), sole=sole)
            )
        finally:
            consent.embedder = asked
        yield memory


async def log_exchange(
    memory: Memory,
    text: str,
    answer: str | None = None,
    *,
    at: datetime | None = None,
    chat: str = "terminal",
    **said: Any,
) -> Turn:
    """Log a message of the owner and, with `answer`, Sam's answer. `said`: more about the
    message, like its `author`."""
    now = at or memory.clock()
    count = (await memory.log.ledger()).messages_total
    turn = await memory.log.messages.begin(Said(f"test:{count}", chat, text, now, **said))
    if answer is not None:
        await memory.log.messages.answer(turn.id, answer, sent_at=now)
    return turn


def write(folder: Path, path: str, text: str) -> None:
    """Write a note as an editor would."""
    note = folder / "vault" / path
    note.parent.mkdir(parents=True, exist_ok=True)
    note.write_text(text, "utf-8")


def write_all(folder: Path, notes: Mapping[str, str]) -> None:
    """Write these notes: path → text."""
    for path, text in notes.items():
        write(folder, path, text)
