"""Fill a real Memory with a set, through the log and the vault, and embed it.

Vectors can be cached in a file between runs, because embedding takes most of the time.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import sqlite3
from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

import numpy as np

from memory.config import MemorySettings
from memory.core import Memory
from memory.embedding import Embedder, Identity, InputType, consent
from memory.embedding.models.adapters import PASSAGES, QUESTIONS
from memory.embedding.question_map import QUESTION_MAP
from memory.log import Said

from .sets import Set


class Kept:
    """An embedder that caches its vectors in a file, by text and kind."""

    def __init__(self, inner: Embedder, path: Path) -> None:
        self._inner = inner
        self.remote = inner.remote
        self.max_batch_texts = inner.max_batch_texts
        self.max_batch_tokens = inner.max_batch_tokens
        self._db = sqlite3.connect(path, timeout=60, check_same_thread=False)
        self._db.execute("CREATE TABLE IF NOT EXISTS e (k TEXT PRIMARY KEY, v BLOB)")

    @property
    def identity(self) -> Identity:
        return self._inner.identity

    async def identify(self) -> Identity:
        return await self._inner.identify()

    async def embed(self, texts: Sequence[str], kind: InputType) -> Any:
        files = (QUESTIONS, QUESTION_MAP) if kind == "query" else (PASSAGES,)
        of = " ".join([self._inner.identity.model, kind, *map(_digest, files)])
        keys = [hashlib.sha1(f"{of}\0{t}".encode("utf-8", "surrogatepass")) for t in texts]
        names = [key.hexdigest() for key in keys]
        known = {name: self._get(name) for name in names}
        new = {n: t for n, t in zip(names, texts, strict=True) if known[n] is None}
        if new:
            rows = await self._inner.embed(list(new.values()), kind)
            for name, row in zip(new, rows, strict=True):
                known[name] = row
                self._db.execute("INSERT OR REPLACE INTO e VALUES (?, ?)", (name, row.tobytes()))
            self._db.commit()
        return np.stack([known[name] for name in names])

    def _get(self, name: str) -> Any:
        row = self._db.execute("SELECT v FROM e WHERE k = ?", (name,)).fetchone()
        return np.frombuffer(row[0], np.float32) if row else None

    async def close(self) -> None:
        self._db.close()
        await self._inner.close()


@functools.cache
def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:8]


@contextlib.asynccontextmanager
async def filled(
    each: Set,
    folder: Path,
    *,
    embedder: str,
    kept: Path | None = None,
    until: datetime | None = None,
) -> AsyncIterator[tuple[Memory, dict[int, str]]]:
    """Provide a memory in `folder` with the set's notes and its messages up to `until`, all
    embedded, and a map from message ids to ids in the set."""
    vault = folder / "vault"
    if not each.has_starter:
        vault.mkdir(parents=True)
        (vault / "soul.md").write_text("---\nprivacy: sealed\n---\n", "utf-8")
    settings = MemorySettings(
        _env_file=None,  # type: ignore[call-arg]
        vault_dir=vault,
        data_dir=folder / "data",
        timezone=each.zone,
        embedding_provider=embedder,
        embedding_cache_enabled=False,
    )
    asked = consent.embedder

    async def keeping(*given: Any) -> Any:
        leaving, inner = await asked(*given)
        return leaving, Kept(inner, kept) if inner and kept else inner

    consent.embedder = keeping
    async with contextlib.AsyncExitStack() as stack:
        try:
            memory = await stack.enter_async_context(
                Memory.open(settings, sole=True, clock=lambda: each.ends)
            )
        finally:
            consent.embedder = asked
        for path, text in each.notes.items():
            place = vault / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, "utf-8")
        ids = await _log(memory, each, until)
        await memory.reconcile()
        memory.watching = True  # nothing changes from here on
        while await memory.embeddings.embed(64):
            pass
        yield memory, ids


async def _log(memory: Memory, each: Set, until: datetime | None) -> dict[int, str]:
    """Log the messages as a chat does: one turn per message of the owner's, with Sam's answer.

    Where people have names, it is a group: in a private chat the owner's is not indexed.
    """
    ids: dict[int, str] = {}
    is_group = any(line.author for session in each.sessions for line in session)
    chat, turn = "telegram:-7" if is_group else "telegram:7", None
    for number, session in enumerate(each.sessions):
        if until and session[0].at > until:
            break
        if number:
            await memory.log.sessions.end(chat, session[0].at)
        for line in session:
            if line.role == "assistant" and turn is not None:
                origin: Literal["sam", "recall"] = "sam" if each.has_model else "recall"
                answer = await memory.log.messages.answer(
                    turn.id, line.text, origin=origin, sent_at=line.at
                )
                ids[answer.id], turn = line.id, None
                continue
            if turn is not None:
                await memory.log.messages.stop(turn.id)
            said = Said(f"{each.name}:{line.id}", chat, line.text, line.at, author=line.author)
            turn = await memory.log.messages.begin(said)
            ids[turn.message.id] = line.id
    if turn is not None:
        await memory.log.messages.stop(turn.id)
    return ids
