"""Switch features off, one at a time, and expect a test of each one's row to fail.

    python -m tests.features_off [--only ID ...] [--count N [--seed N]] [--jobs N]

Tests all features by default, in copies of the tree, one per job. tests/data/feature_switches.toml
says how to disable a feature: one exact text of one file is replaced. docs/dev/features.md names
the tests that must fail; they run once with all features on first. The exit code is 1 if the tests
of a row pass without its feature, fail with it, or cannot be collected.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import py_compile
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple, TypeVar

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "docs" / "dev" / "features.md"
DATA = ROOT / "tests" / "data" / "feature_switches.toml"
LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", "__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis"
)
PATIENCE = 240.0  # seconds for a test; one that hangs counts as failed
T = TypeVar("T")
NOTICED, MISSED, BROKEN = "noticed", "NOT NOTICED", "BROKEN"


class Row(NamedTuple):
    """Row of docs/dev/features.md for a built feature."""

    id: str
    feature: str
    places: tuple[str, ...]
    tests: tuple[str, ...]


class Missing(NamedTuple):
    """Row of docs/dev/features.md for a feature that is not built, and what is missing."""

    id: str
    feature: str
    missing: str


class Switch(NamedTuple):
    """How to disable the feature of a row: replace `old`, which occurs once in `file`."""

    id: str
    file: str
    old: str
    new: str


def _cells(count: int) -> list[list[str]]:
    """Yield the rows of the tables with that many columns."""
    found = []
    for line in LIST.read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("| ") and len(cells) == count and cells[0] not in ("Id", "---"):
            found.append(cells)
    return found


def rows() -> list[Row]:
    """Return the built features, in the order of the list."""
    return [
        Row(id_, feature, _parts(places), _parts(tests))
        for id_, feature, places, tests in _cells(4)
    ]


def _parts(cell: str) -> tuple[str, ...]:
    return tuple(part.strip(" `") for part in cell.split(","))


def not_built() -> list[Missing]:
    """Return the features that are not built, in the order of the list."""
    return [Missing(*cells) for cells in _cells(3)]


def switches() -> list[Switch]:
    """Return all switches; a feature may have several."""
    return [Switch(**each) for each in tomllib.loads(DATA.read_text("utf-8"))["switch"]]


def without_switch() -> dict[str, str]:
    """Return the ids of features that cannot be switched off → why."""
    found: dict[str, str] = tomllib.loads(DATA.read_text("utf-8"))["without"]
    return found


class Tree:
    """A compiled copy of the tree, and a process that runs tests in it; `close` ends it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        shutil.copytree(ROOT, root, ignore=LEFT_OUT)
        for folder in ("bot", "memory", "tests"):
            # Hash-based bytecode: a switch may be applied and reverted within one tick of the
            # mtime.
            mode = py_compile.PycInvalidationMode.CHECKED_HASH
            compileall.compile_dir(root / folder, quiet=2, invalidation_mode=mode)
        self._runner = subprocess.Popen(
            [sys.executable, "-m", "tests.support.fork_pytest"],
            cwd=root,
            env={
                **os.environ,
                "PYTHONPATH": str(root),
                "PYTHONDONTWRITEBYTECODE": "1",  # leave no bytecode of a switched-off feature
                "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # compiling our dependencies takes seconds
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def pytest(self, *arguments: str, seconds: float = PATIENCE) -> tuple[int | None, str]:
        """Run pytest; return its exit code (None on a timeout) and its output."""
        assert self._runner.stdin and self._runner.stdout
        output = self.root.with_suffix(".txt")
        given = ["-q", "-rfE", "--tb=short", *arguments]
        order = {"arguments": given, "output": str(output), "seconds": seconds}
        self._runner.stdin.write(json.dumps(order) + "\n")
        self._runner.stdin.flush()
        code: int | None = json.loads(self._runner.stdout.readline())
        return code, output.read_text("utf-8", "replace")

    def close(self) -> None:
        """End the process."""
        assert self._runner.stdin
        self._runner.stdin.close()
        self._runner.wait()


def failing(tree: Tree, tests: Sequence[str]) -> set[str]:
    """Return the tests that fail in the tree as it is; all of them if they cannot be collected."""
    code, output = tree.pytest(*tests, seconds=PATIENCE * len(tests))
    if code == 0:
        return set()
    named = set(re.findall(r"^(?:FAILED|ERROR) (\S+?)(?:\[.*?\])?(?: - .*)?$", output, re.M))
    return {test for test in tests if test in named} or set(tests)


def tried(tree: Tree, switch: Switch, tests: Sequence[str]) -> tuple[str, str]:
    """Run the tests with the feature off; return NOTICED, MISSED or BROKEN, and why it failed."""
    file = tree.root / switch.file
    text = file.read_text("utf-8")
    assert text.count(switch.old) == 1, f"{switch.id}: {switch.file}: {switch.old!r}"
    file.write_text(text.replace(switch.old, switch.new), "utf-8")
    try:
        code, output = tree.pytest("-x", *tests)
    finally:
        file.write_text(text, "utf-8")
    if code == 0:
        return MISSED, ""
    why = re.findall(r"^E +(\S.*)$", output, re.M)
    if code in (1, None):
        return NOTICED, why[0] if why else "it hung" if code is None else ""
    return BROKEN, why[-1] if why else output[-200:]


def drawn(found: Sequence[Switch], seed: int, count: int) -> list[Switch]:
    """Return a seeded sample, in the original order."""
    chosen = set(random.Random(seed).sample(found, min(count, len(found))))
    return [switch for switch in found if switch in chosen]


def main(argv: Sequence[str] | None = None) -> int:
    """Print a line for each switch, then how many were noticed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--count", type=int, help="so many, drawn by the seed")
    parser.add_argument("--only", nargs="*", default=[], metavar="ID")
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args(argv)
    by_id = {row.id: row for row in rows()}
    wanted = [each for each in switches() if not given.only or each.id in given.only]
    if given.count is not None:
        wanted = drawn(wanted, given.seed, given.count)
    tests = list(dict.fromkeys(test for each in wanted for test in by_id[each.id].tests))
    begun = time.monotonic()
    with (
        tempfile.TemporaryDirectory(prefix="sam-features-") as folder,
        ExitStack() as cleanup,
        ThreadPoolExecutor(given.jobs) as pool,
    ):
        trees: SimpleQueue[Tree] = SimpleQueue()
        for number in range(given.jobs):
            trees.put(cleanup.enter_context(closing(Tree(Path(folder) / str(number)))))
        shares = [share for n in range(given.jobs) if (share := tests[n :: given.jobs])]
        broken = set().union(*pool.map(partial(_in_a_tree, trees, failing), shares))
        for test in sorted(broken):
            print(f"fails with all features on: {test}", flush=True)
        print(f"{len(tests)} tests with all features on, {time.monotonic() - begun:.0f} s")

        def one(switch: Switch) -> bool:
            row, begun = by_id[switch.id], time.monotonic()
            if broken.intersection(row.tests):
                return False
            word, why = _in_a_tree(trees, partial(tried, switch=switch, tests=row.tests))
            took = f"{time.monotonic() - begun:.0f} s"
            print(f"{switch.id}  {word:<11}  {took:>5}  {row.feature}", flush=True)
            print(f"        {why[:90] or ', '.join(row.tests)}", flush=True)
            return word == NOTICED

        seen = list(pool.map(one, wanted))
    minutes = (time.monotonic() - begun) / 60
    print(f"{sum(seen)} of {len(seen)} features are missed when they are off; {minutes:.1f} min.")
    return 0 if all(seen) else 1


def _in_a_tree(trees: SimpleQueue[Tree], run: Callable[..., T], *given: object) -> T:
    """Run it in a tree that nobody else is using."""
    tree = trees.get()
    try:
        return run(tree, *given)
    finally:
        trees.put(tree)


if __name__ == "__main__":
    sys.exit(main())
