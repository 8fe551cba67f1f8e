"""LoCoMo through the real Memory: each turn is logged as a message, indexed, and asked for.

    python -m tests.benchmarks.locomo --data FILE [--corrected FILE] [--pooled]
        [--embedder local|none|voyage|openai] [--json] [--with rerank.TALK=0] [--weight 0.5]

`--with` sets a size of memory/rerank.py, spread.py or recall.py: what a rule is worth.
R@k is the mean share of a question's gold turns among the first k messages hit. No model is asked.
"""

from __future__ import annotations

import argparse
import ast
import asyncio
import json
import re
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from memory.config import MemorySettings
from memory.core import Memory
from memory.log import Said
from tests import locomo

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the ids of the turns that hold its answer, and what was found."""

    conversation: str
    category: int
    gold: frozenset[str]
    gold_sessions: frozenset[int]
    found: tuple[str, ...]
    found_sessions: tuple[int, ...]


@dataclass(slots=True)
class Run:
    """What one run gave."""

    asked: list[Asked] = field(default_factory=list)
    skipped: int = 0
    index_s: float = 0.0
    query_ms: list[float] = field(default_factory=list)


def evidence(entry: dict[str, Any], corrected: Sequence[str] | None) -> set[str]:
    """The gold ids of a question, as written in several ways."""
    listed = corrected if corrected is not None else entry.get("evidence", [])
    return {part for text in listed for part in re.split(r"[;,\s]+", str(text)) if part}


async def ingest(memory: Memory, name: str, lines: Iterable[locomo.Line]) -> dict[int, str]:
    """Log each turn as a message of its speaker; message id → turn id."""
    ids: dict[int, str] = {}
    session = 0
    for line in lines:
        chat = f"bench:{name}"
        if session and line.session != session:
            await memory.log.sessions.end(chat, line.at)
        session = line.session
        said = Said(f"{name}:{line.id}", chat, line.text, line.at, author=line.speaker)
        turn = await memory.log.messages.begin(said)
        await memory.log.messages.stop(turn.id)
        ids[turn.message.id] = f"{name} {line.id}"
    return ids


async def bench(
    samples: Sequence[dict[str, Any]],
    corrected: dict[str, Any],
    *,
    embedder: str,
    pooled: bool,
    **given: Any,
) -> Run:
    """One store for each conversation, or one for all of them."""
    run = Run()
    for group in [samples] if pooled else [[sample] for sample in samples]:
        with tempfile.TemporaryDirectory() as folder:
            vault = Path(folder) / "vault"
            vault.mkdir()
            (vault / "soul.md").write_text("---\nprivacy: sealed\n---\n", "utf-8")
            settings = MemorySettings(
                _env_file=None,  # type: ignore[call-arg]
                vault_dir=vault,
                data_dir=Path(folder) / "data",
                timezone="UTC",
                embedding_provider=embedder,
                **given,
            )
            memory = await Memory.open(settings, sole=True)
            memory.watching = True
            try:
                await _one_store(memory, group, corrected, run)
            finally:
                await memory.close()
    return run


async def _one_store(
    memory: Memory, group: Sequence[dict[str, Any]], corrected: dict[str, Any], run: Run
) -> None:
    turns: dict[int, str] = {}
    for sample in group:
        lines = [line for each in locomo.sessions(sample["conversation"]) for line in each]
        turns |= await ingest(memory, str(sample["sample_id"]), lines)
    began = time.perf_counter()
    await memory.reconcile()
    while await memory.embeddings.some(64):
        pass
    run.index_s += time.perf_counter() - began
    known = set(turns.values())
    for sample in group:
        name = str(sample["sample_id"])
        for number, entry in enumerate(sample["qa"]):
            right = corrected.get(f"{name}:{number}")
            listed = evidence(entry, right["evidence"] if right else None)
            gold = {f"{name} {id_}" for id_ in listed} & known
            if not gold:
                run.skipped += 1
                continue
            began = time.perf_counter()
            recalled = await memory.recall(str(entry["question"]), limit=10)
            run.query_ms.append((time.perf_counter() - began) * 1000)
            found = tuple(turns[hit.message_ids[0]] for hit in recalled.hits if hit.message_ids)
            run.asked.append(
                Asked(
                    name,
                    entry["category"],
                    frozenset(gold),
                    frozenset(map(_session, gold)),
                    found,
                    tuple(map(_session, found)),
                )
            )


def _session(turn: str) -> int:
    return int(turn.rsplit(" D", 1)[1].split(":")[0])


def measures(asked: Sequence[Asked]) -> dict[str, float]:
    """R@1/5/10, any@10, MRR and session R@10 of these questions."""

    def mean(values: Iterable[float]) -> float:
        return round(statistics.fmean(list(values) or [0.0]), 4)

    def share(one: Asked, k: int) -> float:
        return len(one.gold.intersection(one.found[:k])) / len(one.gold)

    def rank(one: Asked) -> float:
        return next((1 / at for at, id_ in enumerate(one.found, 1) if id_ in one.gold), 0.0)

    return {
        "questions": len(asked),
        "r1": mean(share(one, 1) for one in asked),
        "r5": mean(share(one, 5) for one in asked),
        "r10": mean(share(one, 10) for one in asked),
        "any10": mean(bool(one.gold.intersection(one.found[:10])) for one in asked),
        "mrr": mean(rank(one) for one in asked),
        "session_r10": mean(
            len(one.gold_sessions.intersection(one.found_sessions)) / len(one.gold_sessions)
            for one in asked
        ),
    }


def report(run: Run) -> dict[str, Any]:
    """The whole result as one document."""
    groups: dict[str, list[Asked]] = defaultdict(list)
    for one in run.asked:
        groups[CATEGORIES[one.category]].append(one)
    talks: dict[str, list[Asked]] = defaultdict(list)
    for one in run.asked:
        talks[one.conversation].append(one)
    times = sorted(run.query_ms) or [0.0]
    return {
        **measures(run.asked),
        "skipped": run.skipped,
        "by_category": {name: measures(groups[name]) for name in CATEGORIES.values()},
        "by_conversation": {name: measures(asked) for name, asked in talks.items()},
        "categories_1_to_4": measures([one for one in run.asked if one.category != 5]),
        "index_s": round(run.index_s, 2),
        "query_p50_ms": round(times[len(times) // 2], 2),
        "query_p95_ms": round(times[int(len(times) * 0.95)], 2),
    }


def table(result: dict[str, Any]) -> str:
    """The result for a person."""
    names = ("questions", "r1", "r5", "r10", "any10", "mrr", "session_r10")
    rows = {"all": result, "1-4": result["categories_1_to_4"]}
    rows |= result["by_category"] | result["by_conversation"]
    lines = [f"{'':12}" + "".join(f"{name:>12}" for name in names)]
    lines += [
        f"{name:12}" + "".join(f"{row[column]:>12}" for column in names)
        for name, row in rows.items()
    ]
    lines.append(
        f"skipped {result['skipped']}, indexed in {result['index_s']} s, a query "
        f"{result['query_p50_ms']} ms (p50), {result['query_p95_ms']} ms (p95)"
    )
    return "\n".join(lines)


def change(setting: str) -> None:
    """`rerank.TALK=0` → that size is another one in this process. ValueError if there is none."""
    name, _, value = setting.partition("=")
    module, _, constant = name.partition(".")
    if module not in ("rerank", "spread", "recall", "folding") or not constant.isupper():
        raise ValueError(f"{setting!r} is no size like rerank.TALK=0")
    changed = import_module(f"memory.{module}")
    if not hasattr(changed, constant):
        raise ValueError(f"memory/{module}.py has no {constant}")
    setattr(changed, constant, ast.literal_eval(value))


def main(words: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(description="LoCoMo through Sam's memory")
    parser.add_argument("--data", type=Path, default=locomo.DATA)
    parser.add_argument("--corrected", type=Path)
    parser.add_argument("--pooled", action="store_true", help="all conversations in one store")
    parser.add_argument(
        "--embedder", default="local", choices=("local", "none", "voyage", "openai")
    )
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--with", dest="sizes", action="append", default=[], metavar="RULE=SIZE")
    parser.add_argument("--weight", type=float, help="of vectors, in place of VECTOR_WEIGHT")
    asked = parser.parse_args(words)
    for size in asked.sizes:
        change(size)
    if not asked.data.exists():
        print(f"There is no {asked.data}: name a file in LoCoMo's format with --data.")
        return 2
    corrected = json.loads(asked.corrected.read_text("utf-8")) if asked.corrected else {}
    given = {} if asked.weight is None else {"vector_weight": asked.weight}
    run = asyncio.run(
        bench(
            locomo.load(asked.data),
            corrected,
            embedder=asked.embedder,
            pooled=asked.pooled,
            **given,
        )
    )
    print(json.dumps(report(run)) if asked.json else table(report(run)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
