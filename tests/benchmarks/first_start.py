"""Measure a first start with a large vault: how long until keyword and vector search find notes.

    python -m tests.benchmarks.first_start [--notes N] [--json]

Sam is started as by `sam run`, without Telegram and without a model, with a vault of notes made of
LoCoMo's turns. Meanwhile two questions are repeated: one with a word that occurs only in the oldest
note, which is indexed last; and one in another language without any common word, which only vector
search can answer. The embedding speed is compared with embedding the same texts at once.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from bot.app import running
from bot.settings import Settings
from memory.core import Memory
from memory.embedding import make_embedder
from memory.index import tables
from tests.support import locomo

NOTES = 3_000
SECTIONS = (1, 5)  # per note, each a chunk
TURNS = 3  # per section
EMBEDDED = 128  # passages whose embedding is timed
OFTEN = 0.25  # seconds between two questions, which also take CPU time from the indexing
BY_WORD = "zyzzyva"
BY_MEANING = "Wer wollte neulich gerne verreisen?"


def write_vault(folder: Path, notes: int, draw: random.Random) -> None:
    """Write notes of one to five sections, modified one hour apart, the newest an hour ago."""
    lines = [
        line.text
        for sample in locomo.load()
        for session in locomo.sessions(sample["conversation"])
        for line in session
    ]
    folder.mkdir(parents=True)
    for number in range(notes):
        sections = [" ".join(draw.sample(lines, TURNS)) for _ in range(draw.randint(*SECTIONS))]
        if number == notes - 1:
            sections.append(f"The {BY_WORD} is a weevil.")
        parts = [f"## Part {n}\n\n{section}\n" for n, section in enumerate(sections)]
        note = folder / f"note-{number:05}.md"
        note.write_text("\n".join(parts), "utf-8")
        written = time.time() - 3600 * (number + 1)
        os.utime(note, (written, written))


async def bench(notes: int) -> dict[str, Any]:
    """Run the measurement; seconds count from when Sam starts to open its stores."""
    with tempfile.TemporaryDirectory(prefix="sam-bench-") as name:
        folder = Path(name)
        write_vault(folder / "vault", notes, random.Random(5))
        settings = Settings(
            _env_file=None,  # type: ignore[call-arg]
            vault_dir=folder / "vault",
            data_dir=folder / "data",
            profiles_dir=folder / "profiles",
            timezone="UTC",
            embedding_provider="local",
        )
        began = time.perf_counter()
        async with running(settings, sole=True) as sam:
            memory = sam.main.memory
            result = {"notes": notes, **await _asked(memory, began)}
            result["chunks"] = (await memory.status()).chunks
            texts, took = await _embedding(memory)
        result["embedded_per_s"] = round(len(texts) / took, 1)
        result["to_embed_all_s"] = round(result["chunks"] * took / len(texts))
        plain = make_embedder(settings)
        assert plain is not None
        await plain.embed(["its model is read now"], "document")
        began = time.perf_counter()
        await plain.embed(texts, "document")
        result["plainly_embedded_per_s"] = round(len(texts) / (time.perf_counter() - began), 1)
        await plain.close()
        result["to_plain"] = round(
            result["plainly_embedded_per_s"] / max(0.1, result["embedded_per_s"]), 2
        )
    return result


async def _asked(memory: Memory, began: float) -> dict[str, Any]:
    """Ask until both questions find a note; return when, and how many vectors there were then."""
    seconds: dict[str, float] = {}
    while len(seconds) < 2:
        for name, question in (("keywords_s", BY_WORD), ("hybrid_s", BY_MEANING)):
            if name in seconds:
                continue
            hits = (await memory.recall(question, limit=200)).hits
            lasted = time.perf_counter() - began
            # By its vector, any note answers to the word; by the word, that one alone.
            found = [hit for hit in hits if name == "hybrid_s" or BY_WORD in hit.text]
            if any(hit.path.startswith("note-") for hit in found):
                seconds[name] = round(lasted, 2)
        await asyncio.sleep(OFTEN)
    return dict(sorted(seconds.items(), reverse=True))


async def _embedding(memory: Memory) -> tuple[list[str], float]:
    """Return the next passages in the queue, and the seconds until Sam has embedded them."""
    db = await memory.index.db()
    before = (await memory.status()).not_embedded
    next_ = await db.read(partial(tables.waiting, count=min(EMBEDDED, before)))
    began = time.perf_counter()
    left = before
    while left > before - len(next_):
        await asyncio.sleep(OFTEN)
        left = (await memory.status()).not_embedded
    share = len(next_) / max(1, before - left)  # the check came a little late
    return [chunk.texts[0] for chunk in next_], (time.perf_counter() - began) * share


def main(words: Sequence[str] | None = None) -> int:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.first_start", description="a first start"
    )
    parser.add_argument("--notes", type=int, default=NOTES)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args(words)
    if not locomo.DATA.exists():
        print("The notes are made of LoCoMo's turns (../shared/data), which are not here.")
        return 2
    result = asyncio.run(bench(asked.notes))
    if asked.json:
        print(json.dumps(result))
    else:
        for name, value in result.items():
            print(f"{name:26} {value}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
