"""Train both adapters (memory/embedding/models/adapters.py) and the question map, with PyTorch.

    python -m tests.benchmarks.adapters [--data FILE [--corrected FILE]] [--talk FILE]
        [--without KIND_OR_NAME ...] [--continue] [--epochs N] [--kept FILE]

It writes their files. The data are the questions of tests/data/people and chats,
question_pairs.yaml and question_clusters.jsonl, and of the sets of the recall benchmark, except
`--without`, *corrections* and *similar*. The probability that a passage answers a question is a
softmax of their joint vectors' cosines (InfoNCE, van den Oord et al. 2018) over the passages of a
batch, which all are of the same store: those that answer its questions, and for each question the
HARD others that looked most similar when they were last embedded. What is trained are low-rank
changes of e5's last layers, for questions and for passages, and the map. `--continue` begins with
the files that are there. An epoch takes twenty minutes on two cores, after ten to prepare the
passages if their vectors are kept. PyTorch is needed for nothing else: `pip install -e .[train]`
first.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import yaml

from memory.dates.period import time_range
from memory.embedding.batching import clean
from memory.embedding.local import MODELS, Encode, LocalEmbedder, _usem3
from memory.embedding.models import e5_numpy
from memory.embedding.models.adapters import PASSAGES, QUESTIONS
from memory.embedding.question_map import QUESTION_MAP
from memory.index.passages import in_context, sentences_of
from tests.benchmarks.recall.question_kinds import PAIRS
from tests.benchmarks.recall.sets import CLUSTERS, TALK, Set, people, portfolio
from tests.benchmarks.recall.stores import Kept, filled
from tests.support import locomo
from tests.support.e5 import weights

from .towers import UNCHANGED, Example, Lower, Passages, Towers, unit
from .train import SEED, train

EPOCHS = 3


@dataclass(frozen=True, slots=True)
class Store:
    """The questions of one store, its passages and their sentences, their vectors (m, 896), and for
    each question the rows of the passages that answer it."""

    asked: Sequence[str]
    texts: Sequence[str]
    vectors: Any
    gold: Sequence[Any]


async def of_set(each: Set, folder: Path, kept: Path | None) -> Store:
    """Return the questions of a set that vectors can answer, all passages, and their sentences."""
    async with filled(each, folder, embedder="none") as (memory, ids):
        db = await memory.index.db()
        rows = await db.read(
            lambda db: db.execute(
                "SELECT * FROM chunk WHERE manual = 0 AND asking < 1 AND small_talk = 0"
            ).fetchall()
        )
        names = [
            ids[row["message_id"]] if row["message_id"] else f"note:{row['path']}" for row in rows
        ]
        texts = [in_context(row["lead"], row["role"], row["author"], row["text"]) for row in rows]
        for row, name in [*zip(rows, names, strict=True)]:
            said = sentences_of(row["author"], row["text"]) if row["unsplit"] else []
            texts += said
            names += [name] * len(said)
    asked, gold = [], []
    for probe in each.probes:
        wanted = frozenset().union(*probe.gold)
        answers = [at for at, name in enumerate(names) if name in wanted]
        period = time_range(probe.question, probe.at) if probe.at else None
        if answers and not (period and period.bare):  # a mere period has no meaning to embed
            asked.append(probe.question)
            gold.append(np.array(answers))
    return Store(asked, texts, await vectors(texts, kept), gold)


async def statements(entries: Sequence[Any], kept: Path | None) -> Store:
    """Return statements, `said`, and their questions, `asked`, as one store."""
    asked = [(text, at) for at, entry in enumerate(entries) for text in entry["asked"]]
    said = [entry["said"] for entry in entries]
    gold = [np.array([at]) for _, at in asked]
    return Store([text for text, _ in asked], said, await vectors(said, kept), gold)


async def vectors(texts: Sequence[str], kept: Path | None) -> Any:
    """Return the vectors of passages by the shipped adapter, which choose the first hard ones."""
    local = LocalEmbedder(MODELS[0])
    embedder = Kept(local, kept) if kept else local
    try:
        return await embedder.embed(texts, "document")
    finally:
        await embedder.close()


async def stores(asked: argparse.Namespace) -> AsyncIterator[Store]:
    """Yield the stores to train on."""
    for each in (*people(), *portfolio(asked.data, asked.corrected, asked.talk)):
        if not {each.kind, each.name} & set(asked.without):
            with tempfile.TemporaryDirectory() as folder:
                yield await of_set(each, Path(folder), asked.kept)
    yield await statements(yaml.safe_load(PAIRS.read_text("utf-8")), asked.kept)
    groups = map(json.loads, CLUSTERS.read_text("utf-8").splitlines())
    yield await statements([item for each in groups for item in each["items"]], asked.kept)


def examples(lower: Lower, use: Encode, number: int, each: Store) -> Iterator[Example]:
    """Yield the examples of a store."""
    rows = unit(torch.tensor(np.array(use([clean(text) for text in each.asked], "query"))))
    for state, row, gold in zip(lower.states(each.asked), rows, each.gold, strict=True):
        yield Example(state, row, number, gold.tolist())


async def main(words: Sequence[str] | None = None) -> int:
    """Train the adapters and the map, and write their files."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.adapters", description="Train the adapters"
    )
    parser.add_argument("--data", type=Path, default=locomo.DATA, help="LoCoMo's conversations")
    parser.add_argument(
        "--corrected", type=Path, default=locomo.CORRECTED, help="LoCoMo's gold turns, corrected"
    )
    parser.add_argument("--talk", type=Path, default=TALK, help="conversations as in talk-dev.json")
    parser.add_argument("--without", nargs="+", default=[], metavar="KIND_OR_NAME")
    parser.add_argument("--continue", action="store_true", dest="continued")
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--kept", type=Path, help="a file that keeps vectors between runs")
    asked = parser.parse_args(words)
    torch.manual_seed(SEED)
    e5, use = e5_numpy.E5(weights()), _usem3("")
    lower = {kind: Lower(e5, kind) for kind in UNCHANGED}
    found, those, states = list[Example](), list[Passages](), dict[str, Any]()
    async for store in stores(asked):
        found += examples(lower["query"], use, len(those), store)
        those.append(Passages(store.texts, unit(torch.tensor(store.vectors))))
        new = [*dict.fromkeys(text for text in store.texts if text not in states)]
        states |= zip(new, (s.half() for s in lower["document"].states(new)), strict=True)
    towers = Towers(e5, states)
    if asked.continued:
        towers.begin_with_files()
    train(towers, found, those, asked.epochs)
    for path, rows in (
        (QUESTIONS, towers.questions.rows()),
        (PASSAGES, towers.passages.rows()),
        (QUESTION_MAP, np.stack([part.detach().numpy() for part in (towers.down, towers.up)])),
    ):
        np.save(path, rows.astype(np.float16))
        print(f"Wrote {path.name}: {hashlib.sha256(path.read_bytes()).hexdigest()[:8]}")
    print("Write the first and the last into REVISION of adapters.py and question_map.py. Give the")
    print("joint model another name (local.py, question_kinds.py) and add the former to RENAMED.")
    print("Then run the recall benchmark with --fit-kinds, --fit-newest and")
    print("--fit-refinement; for that, tests/data/unseen must not be among these data.")
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
