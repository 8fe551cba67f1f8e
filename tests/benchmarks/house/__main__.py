"""`make house`: print the measures of the code's structure with their targets.

    python -m tests.benchmarks.house [--no-trace] [--names]

Exits with 1 if a target is missed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from . import measures
from .trace import trace_message_and_batch

Row = tuple[str, str, str, bool]
"""A measure, its value, its target, and whether the target is reached."""


def rows() -> list[Row]:
    """Return the static measures, from the source."""
    flat, (folder, most) = measures.flat(), measures.largest_folder()
    modules, folders = measures.module_cycles(), measures.folder_cycles()
    imported, edges = measures.into_memory()
    outside, terms = len(measures.set_from_outside()), measures.own_terms()
    shared, count = len(measures.shared_class_names()), measures.lines()
    proven, tests = measures.extensions_proven(), measures.flat_tests()
    return [
        _row("modules directly in bot / memory", tuple(flat.values()), (5, 5)),
        _row(f"modules in the largest folder ({folder})", (most,), (measures.MOST_FILES,)),
        _row("import cycles of modules / folders", (len(modules), len(folders)), (0, 0)),
        _row("packages of memory that bot imports; edges", (imported, edges), (9, 120)),
        _row("attributes set on other objects", (outside,), (0,)),
        ("extension points proven by a test", f"{proven} of 7", "7 of 7", proven == 7),
        _row("lines in bot and memory", (count,), (26_000,)),
        _row("class names with several meanings", (shared,), (2,)),
        _row(" / ".join(terms), tuple(terms.values()), (0, 19, 0, 0, 0)),
        _row("test files directly in tests/", (tests,), (0,)),
    ]


def traced() -> list[Row]:
    """Return the measures of one traced message and one traced batch."""
    message, batch = trace_message_and_batch()
    return [
        _row("files of one Telegram message; moves", (message.files, message.moves), (55, 450)),
        ("files of one batch; moves", f"{batch.files}; {batch.moves}", "", True),
    ]


def _row(name: str, values: Sequence[int], targets: Sequence[int]) -> Row:
    reached = all(value <= target for value, target in zip(values, targets, strict=True))
    return (
        name,
        " / ".join(f"{value:,}" for value in values),
        " / ".join(f"≤ {target:,}" if target else "0" for target in targets),
        reached,
    )


def names() -> None:
    """Yield what is counted, one line each."""
    for group in (*measures.module_cycles(), *measures.folder_cycles()):
        print("cycle:", ", ".join(group))
    for each in measures.set_from_outside():
        print("set from outside:", each)
    for name in measures.shared_class_names():
        print("class name:", name)


def main(words: Sequence[str] | None = None) -> int:
    """Run the command; return 1 if a target is missed."""
    parser = argparse.ArgumentParser(description="how easy the code is to find one's way in")
    parser.add_argument("--no-trace", action="store_true", help="the source alone: seconds")
    parser.add_argument("--names", action="store_true", help="say what is counted, too")
    args = parser.parse_args(words)
    found = rows() + ([] if args.no_trace else traced())
    width = max(len(name) for name, *_ in found)
    for name, value, target, reached in found:
        print(f"{'✓' if reached else '✗'} {name:{width}}  {value:>22}   {target}")
    if args.names:
        names()
    return 0 if all(reached for *_, reached in found) else 1


if __name__ == "__main__":
    sys.exit(main())
