"""Mutate the core, and expect a test to fail for each mutation.

    python -m tests.mutants [--seed N] [--count 150] [--only PATH ...] [--at FILE:LINE ...]
        [--tests FOLDER ...]

Works in a copy of the tree. The seed selects a sample of all mutations of CORE. For each mutation
the tests that cover its line run, fastest first, until one fails. The exit code is 1 if a mutation
survives that is not known to be equivalent.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from .equivalent import EQUIVALENT, Known
from .measure import ROOT, TESTS, Map, TimedTest, copied, measured
from .mutations import Mutation, mutations
from .places import candidates, place
from .runner import Runner

CORE = (
    *(f"memory/{name}" for name in ("log", "index", "search", "notes", "vault", "summaries")),
    *(f"memory/{name}" for name in ("trust", "text", "backup", "infra")),
    *("bot/sync", "bot/inbox", "bot/turn"),
    *(f"bot/telegram/api/{name}.py" for name in ("sender", "delivery", "connection")),
    "bot/telegram/parse.py",
)
PATIENCE = 60.0
"""Seconds of tests, by their time without a mutation, that run against one mutation; then as many
seconds of tests that start processes, but at least one of those."""


def core(only: Sequence[str] = ()) -> dict[str, str]:
    """Return the files to mutate, in order: path → text."""
    found = {}
    for name in CORE:
        paths = sorted((ROOT / name).rglob("*.py")) if (ROOT / name).is_dir() else [ROOT / name]
        found |= {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in paths}
    return {path: text for path, text in found.items() if not only or path.startswith(tuple(only))}


def drawn(
    found: Sequence[Mutation], seed: int, count: int
) -> tuple[list[Mutation], list[Mutation]]:
    """Return a seeded sample of non-equivalent mutations, and the equivalent ones passed over."""
    known = {(each.file, each.text, each.change) for each in EQUIVALENT}
    shuffled = random.Random(seed).sample(found, len(found))
    chosen: list[Mutation] = []
    equivalent: list[Mutation] = []
    for mutation in shuffled:
        if len(chosen) == count:
            break
        of = (mutation.file, mutation.text, mutation.change)
        (equivalent if of in known else chosen).append(mutation)
    return sorted(chosen), equivalent


def stale(found: Iterable[Mutation], files: Iterable[str]) -> list[Known]:
    """Return the entries of EQUIVALENT for those files that no longer match a mutation."""
    there = {(each.file, each.text, each.change) for each in found}
    return [
        each
        for each in EQUIVALENT
        if each.file in files and (each.file, each.text, each.change) not in there
    ]


def affordable(noticing: Sequence[TimedTest]) -> list[TimedTest]:
    """Return the fastest of the tests, within PATIENCE."""
    chosen: list[TimedTest] = []
    for in_process in (True, False):
        spent = 0.0
        for test in noticing:
            if test.in_process is in_process:
                if spent + test.seconds > PATIENCE and (spent or in_process):
                    break
                chosen.append(test)
                spent += test.seconds
    return chosen


def _tried(chosen: Sequence[Mutation], known: Map) -> list[tuple[Mutation, str]]:
    """Run the mutations, printing a line for each; return the survivors and all that were tried."""
    sources = {
        path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
        for package in ("bot", "memory")
        for path in sorted((ROOT / package).rglob("*.py"))
    }
    survived: list[tuple[Mutation, str]] = []
    with copied() as tree:
        runner = Runner(tree, sorted({test.module for test in known.tests.values()}))
        try:
            for number, mutation in enumerate(chosen, 1):
                begun = time.monotonic()
                imported = known.imported.get(mutation.file, set())
                source = sources[mutation.file]
                compile(mutation.applied(source), mutation.file, "exec", dont_inherit=True)
                where = place(mutation, source, imported)
                noticing = candidates(mutation, where, known, sources)
                run = affordable(noticing)
                failed = runner.run(mutation, where, run) if run else ""
                took = time.monotonic() - begun
                word = "killed  " if failed else "SURVIVED"
                by = failed or f"{len(run)} of {len(noticing)} tests that run it"
                print(f"{number:>4}  {word}  {took:4.0f} s  {_shown(mutation)}  [{by}]", flush=True)
                if not failed:
                    survived.append((mutation, by))
        finally:
            runner.close()
    return survived


def _shown(mutation: Mutation) -> str:
    return f"{mutation.file}:{mutation.line}  {mutation.change}"


def main(argv: Sequence[str] | None = None) -> int:
    """Print a line per mutation, then the survivors with their source lines, and the counts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--only", nargs="*", default=[], metavar="PATH")
    parser.add_argument("--at", nargs="*", default=[], metavar="FILE:LINE", help="all of a line")
    parser.add_argument("--tests", nargs="*", default=TESTS, metavar="FOLDER", help="which to run")
    given = parser.parse_args(argv)
    files = core(given.only)
    found = [each for file, text in files.items() for each in mutations(file, text)]
    gone = stale(found, files)
    for each in gone:
        print(f"tests/mutants/equivalent.py names what is no more: {each.file}  {each.change}")
    if given.at:
        found = [each for each in found if f"{each.file}:{each.line}" in given.at]
        given.count = len(found)
    chosen, equivalent = drawn(found, given.seed, given.count)
    known = measured(given.tests)
    if known.failed:
        print(f"{len(known.failed)} tests did not pass without a mutation, and are not used")
    begun = time.monotonic()
    survived = _tried(chosen, known)
    print(f"\nseed {given.seed}: {len(chosen)} of {len(found)} mutations tried in", end=" ")
    print(f"{(time.monotonic() - begun) / 60:.0f} min; {len(equivalent)} more are known to be")
    print("equivalent (tests/mutants/equivalent.py)")
    for mutation, by in survived:
        print(f"\nSURVIVED  {_shown(mutation)}  [{by}]\n    {mutation.text}")
    by_folder = Counter(str(Path(mutation.file).parent) for mutation, _ in survived)
    if by_folder:
        print("\n" + ", ".join(f"{folder}: {n}" for folder, n in by_folder.most_common()))
    killed = len(chosen) - len(survived)
    share = 100 * killed / max(1, len(chosen))
    print(f"{killed} of {len(chosen)} killed ({share:.1f} %), {len(survived)} survived.")
    return 1 if survived or gone else 0


if __name__ == "__main__":
    sys.exit(main())
