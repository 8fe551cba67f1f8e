"""Measure grounding on both sides: true facts that are kept, and misreadings that get through.

    python -m tests.benchmarks.grounding [--show] [--json]

Uses our own facts (tests/data/facts_said.yaml, tests/data/facts_misread.yaml) in over ten
languages, and, if the data (../shared/data) is there, LoCoMo's observations, which people checked,
with the turn of each. For the latter, the second figure covers only those whose words, numbers and
names pass: it is the cost of comparing clauses.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml

from memory.knowledge.draft import DraftFact
from memory.knowledge.grounding import ground
from tests.fakes.log_rows import row
from tests.support import locomo

DATA = Path(__file__).parents[1] / "data"
SAID_AT = datetime(2026, 2, 12, 12, tzinfo=UTC)
_KINDS = "denied averse over positive supposed wished past coming asked subject unit jest"
CLAUSES = frozenset(_KINDS.split())
"""The reasons given when the comparison of clauses refuses a fact."""


def refused(
    text: str, said: str, *, quote: str = "", author: str = "", at: datetime = SAID_AT
) -> str:
    """Return why a fact from a single message is refused; "" if it is kept."""
    draft = DraftFact(text=text, category="biographical", messages=[1], quote=quote or said)
    found = ground([draft], [row(1, said, sent_at=at, author=author or None)], UTC)
    return next(iter(found.refused), "")


def observed() -> Iterator[tuple[str, str, str]]:
    """Yield LoCoMo's observations: (speaker, statement, turn)."""
    for each in locomo.load():
        lines = {line.id: line for part in locomo.sessions(each["conversation"]) for line in part}
        for spoken in each["observation"].values():
            for speaker, rows in spoken.items():
                for text, source in rows:
                    line = lines.get(source if isinstance(source, str) else source[0])
                    if line is not None and line.speaker == speaker:
                        yield speaker, text, line.text


def measured(*, observations: bool) -> dict[str, Any]:
    """Return the figures. `observations`: include LoCoMo's."""
    said = yaml.safe_load((DATA / "facts_said.yaml").read_text("utf-8"))
    wrong = yaml.safe_load((DATA / "facts_misread.yaml").read_text("utf-8"))
    lost = [
        (reason, words, text)
        for _, words, text, quote in said
        if (reason := refused(text, words, quote=quote))
    ]
    found: dict[str, Any] = {"true": len(said), "true_kept": len(said) - len(lost)}
    found |= {"lost": lost, "passed": []}
    for part, rows in wrong.items():
        beside = [(words, true) for _, _, words, _, true in rows if true]
        dropped = [(why, *each) for each in beside if (why := refused(each[1], each[0]))]
        through = [
            (kind, words, text) for kind, _, words, text, _ in rows if not refused(text, words)
        ]
        found[part] = {
            "true": len(beside),
            "true_kept": len(beside) - len(dropped),
            "misreadings": len(rows),
            "through": len(through),
            "through_by_kind": dict(Counter(each[0] for each in through)),
        }
        found["lost"] += dropped
        found["passed"] += through
    if observations:
        every = list(observed())
        reasons = [refused(text, words, author=who) for who, text, words in every]
        pairs = list(zip(reasons, every, strict=True))
        eligible = [(why, each) for why, each in pairs if not why or why in CLAUSES]
        dropped = [(why, said, text) for why, (_, text, said) in eligible if why]
        found |= {
            "observations": len(every),
            "observations_by_words": len(eligible),
            "observations_kept": len(eligible) - len(dropped),
            "observations_lost": dict(Counter(each[0] for each in dropped)),
        }
        found["lost"] += dropped
    return found


def main(words: Sequence[str] | None = None) -> int:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", action="store_true", help="list what was lost and got through")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(words)
    found = measured(observations=locomo.DATA.exists())
    if given.json:
        print(json.dumps(found, ensure_ascii=False, indent=2))
        return 0
    print(f"true facts kept: {found['true_kept']} of {found['true']}")
    for part in ("developed_on", "held_out"):
        figures = found[part]
        print(
            f"{part}: misreadings through: {figures['through']} of {figures['misreadings']}",
            end=" ",
        )
        print(figures["through_by_kind"], end=", ")
        print(f"true facts of the same messages kept: {figures['true_kept']} of {figures['true']}")
    if "observations" in found:
        print(f"LoCoMo's observations kept: {found['observations_kept']}", end=" ")
        print(f"of {found['observations_by_words']} (of {found['observations']})", end=" ")
        print(found["observations_lost"])
    if given.show:
        for kind in ("lost", "passed"):
            for each in found[kind]:
                print(f"{kind}: {' | '.join(each)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
