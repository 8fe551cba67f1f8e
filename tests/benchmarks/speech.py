"""Measure the word error rate of the extra `voice` on English sentences in its own voice.

    python -m tests.benchmarks.speech [--count 40]

The sentences are random messages from tests/data/everyday.json, by a fixed seed. Each passes the
processes that Sam uses, including the loading of the model. A number in digits instead of a word
counts as an error, and so does another spelling of a name. Needs the extra `voice`; nothing is sent
anywhere.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any

from bot.media.speech import local
from tests.support.process import ROOT

DATA = ROOT / "tests" / "data"
BITS = 32_000  # per second of the synthetic voice, roughly


def words(text: str) -> list[str]:
    """Return the words in lower case, without punctuation."""
    return re.findall(r"\w+", re.sub(r"['’]", "", text.lower()))


def errors(said: Sequence[str], heard: Sequence[str]) -> int:
    """Return the fewest insertions, deletions and replacements of words (Levenshtein)."""
    row = list(range(len(heard) + 1))
    for i, word in enumerate(said, 1):
        before, row[0] = row[0], i
        for j, other in enumerate(heard, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (word != other))
    return row[-1]


def sentences(count: int) -> list[str]:
    """Return a sample of messages of 6 to 25 words, without digits, addresses and the like."""
    found = set()
    for each in _messages(json.loads((DATA / "everyday.json").read_text("utf-8"))):
        text = " ".join(each["text"].split())
        fits = 6 <= len(words(text)) <= 25 and not re.search(r"[\d@/:*#_]", text)
        if fits and local.is_english(text):
            found.add(text)
    return random.Random(1).sample(sorted(found), min(count, len(found)))


def _messages(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if value.get("role") == "user":
            yield value
        for each in value.values():
            yield from _messages(each)
    elif isinstance(value, list):
        for each in value:
            yield from _messages(each)


async def measured(count: int) -> dict[str, float]:
    """Speak and transcribe each sentence; print those with errors, and return the figures."""
    wrong = total = 0
    seconds = taken = 0.0
    for text in sentences(count):
        sound = await local.synthesize(text)
        seconds += len(sound) * 8 / BITS
        began = time.perf_counter()
        heard = await local.transcribe(sound)
        taken += time.perf_counter() - began
        missed = errors(words(text), words(heard))
        if missed:
            print(f"{missed}  {text}\n   {heard}", file=sys.stderr)
        wrong, total = wrong + missed, total + len(words(text))
    return {
        "word_error_rate": round(wrong / max(total, 1), 3),
        "words": total,
        "seconds_of_speech": round(seconds, 1),
        "seconds_to_hear": round(taken, 1),
    }


def main() -> int:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--count", type=int, default=40)
    given = parser.parse_args()
    for name, figure in asyncio.run(measured(given.count)).items():
        print(f"{name}: {figure}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
