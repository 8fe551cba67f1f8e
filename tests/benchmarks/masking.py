"""Measure the share of secrets that are masked, and of ordinary lines masked by mistake.

    python -m tests.benchmarks.masking [--json]

Secrets: the samples in tests/data/secrets.yaml, both those used to write the rules and the others.
Ordinary lines: 2,000 random lines of real conversations, by a fixed seed; that part is left out if
the data (../shared/data) is missing. The exit code is 1 if less than 90 % of the secrets, or more
than 1 % of the ordinary lines, are masked.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Sequence
from pathlib import Path

from memory.text.secrets import mask
from tests.support import locomo
from tests.support.secret_samples import developed_on, held_out, samples

TALK = locomo.SHARED / "talk-dev.json"
DRAWN = 2_000
LEAST_MASKED, MOST_MISTAKEN = 0.9, 0.01


def said(data: Path = locomo.DATA, talk: Path = TALK) -> list[str]:
    """Return the lines of all available conversations."""
    found: list[str] = []
    if data.exists():
        told = locomo.load(data)
        found += [
            line.text
            for each in told
            for part in locomo.sessions(each["conversation"])
            for line in part
        ]
    if talk.exists():
        chats = json.loads(talk.read_text("utf-8"))
        found += [
            line
            for chat in chats
            for session in chat["sessions"]
            for message in session
            for line in message["text"].split("\n")
            if line.strip()
        ]
    return found


def measured(seed: int = 1) -> dict[str, float | int]:
    """Return the masked shares; without conversations, that of ordinary lines is left out."""
    every = samples()
    found: dict[str, float | int] = {}
    for name, part in (("developed_on", developed_on(every)), ("held_out", held_out(every))):
        masked = sum(not each.shown_in(mask(each.text)) for each in part)
        found |= {f"{name}_masked": masked, f"{name}": len(part)}
    lines = said()
    if lines:
        drawn = random.Random(seed).sample(lines, min(DRAWN, len(lines)))
        found |= {"ordinary_masked": sum(mask(line) != line for line in drawn)}
        found |= {"ordinary": len(drawn)}
        found |= {"all_ordinary_masked": sum(mask(line) != line for line in lines)}
        found |= {"all_ordinary": len(lines)}
    return found


def main(words: Sequence[str] | None = None) -> int:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(words)
    found = measured()
    if given.json:
        print(json.dumps(found))
    else:
        for name in ("developed_on", "held_out", "ordinary", "all_ordinary"):
            if name in found:
                masked, every = found[f"{name}_masked"], found[name]
                print(f"{name:14} {masked:>5} of {every:>6} masked  {masked / every:.2%}")
            else:
                print(f"{name:14} skipped: no conversations in ../shared/data")
    good = found["held_out_masked"] >= LEAST_MASKED * found["held_out"]
    good &= found.get("ordinary_masked", 0) <= MOST_MISTAKEN * found.get("ordinary", 0)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
