"""Measure how many texts get the right language in the preview of an import.

    python -m tests.benchmarks.languages [--json]

Of `tests/data/parallel.yaml`, twelve sentences in each of fourteen languages: each by itself, the
first thirty characters of each, and chats of twelve sentences, with the share assigned to the right
language. With `../shared/data`, also each message of real English conversations. Texts that are too
short to detect are counted as "left out". The exit code is 1 if less than 95 % of the whole
sentences are right.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path

import yaml

from memory.transfer.languages import KNOWN, languages, sample_of
from tests.support import locomo

PARALLEL = Path(__file__).parents[1] / "data" / "parallel.yaml"
LEAST = 0.95


def figures() -> dict[str, dict[str, float]]:
    """Return the numbers of texts and the share that is right, by kind of text."""
    spoken = yaml.safe_load(PARALLEL.read_text("utf-8"))
    single = [(KNOWN[code], text) for code, texts in spoken.items() for text in texts]
    found = {
        "sentences": _share(single),
        "their first 30 characters": _share((name, text[:30]) for name, text in single),
        "chats": _chats({KNOWN[code]: texts for code, texts in spoken.items()}),
    }
    if locomo.DATA.exists():
        lines = [
            ("English", line.text)
            for each in locomo.load()
            for part in locomo.sessions(each["conversation"])
            for line in part
        ]
        found["English messages"] = _share(lines)
    return found


def _share(texts: Iterable[tuple[str, str]]) -> dict[str, float]:
    samples = [(name, sample_of(text)) for name, text in texts]
    told = [(name, sample) for name, sample in samples if sample]
    right = sum(languages([sample])[name] for name, sample in told)
    return {
        "texts": len(samples),
        "left out": len(samples) - len(told),
        "right": round(right / len(told), 4),
    }


def _chats(texts: dict[str, list[str]]) -> dict[str, float]:
    shares = []
    for name, lines in texts.items():
        counted = languages(filter(None, map(sample_of, lines)))
        shares.append(counted[name] / counted.total())
    return {"texts": len(texts), "left out": 0, "right": round(sum(shares) / len(shares), 4)}


def main() -> int:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.languages")
    parser.add_argument("--json", action="store_true")
    found = figures()
    if parser.parse_args().json:
        print(json.dumps(found, indent=2))
    else:
        for what, row in found.items():
            print(f"{what:<28}" + "".join(f"{name} {row[name]:<10,}" for name in row))
    return int(found["sentences"]["right"] < LEAST)


if __name__ == "__main__":
    sys.exit(main())
