"""Switches features off, one by one, and expects a test of each one's row to fail.

    python -m tests.features_off [--only ID ...] [--count N [--seed N]] [--jobs N]

All of them by default. In copies of the tree, one a job, never in the tree itself: each switch is
put in and taken out again. tests/data/feature_switches.toml says how a feature is taken away: one
exact text of one file is replaced. docs/dev/features.md says which tests are to notice; before,
each of these runs once with all features on. Exit code 1 when the tests of a row
pass without its feature, fail with it, or cannot even be collected.
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
PATIENCE = 240.0  # seconds a test may take; one that hangs has noticed as well
T = TypeVar("T")
NOTICED, MISSED, BROKEN = "noticed", "NOT NOTICED", "BROKEN"


class Row(NamedTuple):
    """A row of docs/dev/features.md that is built."""

    id: str
    feature: str
    places: tuple[str, ...]
    tests: tuple[str, ...]


class Missing(NamedTuple):
    """A row of docs/dev/features.md that is not built, and what there is to do."""

    id: str
    feature: str
    missing: str


class Switch(NamedTuple):
    """How the feature of a row is taken away: `old` stands once in `file`."""

    id: str
    file: str
    old: str
    new: str


def _cells(count: int) -> list[list[str]]:
    """The rows of the tables that have so many columns."""
    found = []
    for line in LIST.read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("| ") and len(cells) == count and cells[0] not in ("Id", "---"):
            found.append(cells)
    return found


def rows() -> list[Row]:
    """The features that are built, in the order of the list."""
    return [
        Row(id_, feature, _parts(places), _parts(tests))
        for id_, feature, places, tests in _cells(4)
    ]


def _parts(cell: str) -> tuple[str, ...]:
    return tuple(part.strip(" `") for part in cell.split(","))


def not_built() -> list[Missing]:
    """The features that are not built, in the order of the list."""
    return [Missing(*cells) for cells in _cells(3)]


def switches() -> list[Switch]:
    """All of them; a feature may have several."""
    return [Switch(**each) for each in tomllib.loads(DATA.read_text("utf-8"))["switch"]]


def without_switch() -> dict[str, str]:
    """The ids of the features that cannot be switched off here → why."""
    found: dict[str, str] = tomllib.loads(DATA.read_text("utf-8"))["without"]
    return found


class Tree:
    """A copy of the tree, compiled, and a process that runs tests in it. `close` ends that."""

    def __init__(self, root: Path) -> None:
        self.root = root
        shutil.copytree(ROOT, root, ignore=LEFT_OUT)
        for folder in ("bot", "memory", "tests"):
            # By hash: a switch may be put in and out within one tick of a file's time.
            mode = py_compile.PycInvalidationMode.CHECKED_HASH
            compileall.compile_dir(root / folder, quiet=2, invalidation_mode=mode)
        self._runner = subprocess.Popen(
            [sys.executable, "-m", "tests.support.fork_pytest"],
            cwd=root,
            env={
                **os.environ,
                "PYTHONPATH": str(root),
                "PYTHONDONTWRITEBYTECODE": "1",  # what is compiled without a feature must not stay
                "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # those of our dependencies take seconds
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def pytest(self, *arguments: str, seconds: float = PATIENCE) -> tuple[int | None, str]:
        """Run it: its exit code, None where it took longer than that, and what it said."""
        assert self._runner.stdin and self._runner.stdout
        output = self.root.with_suffix(".txt")
        given = ["-q", "-rfE", "--tb=short", *arguments]
        order = {"arguments": given, "output": str(output), "seconds": seconds}
        self._runner.stdin.write(json.dumps(order) + "\n")
        self._runner.stdin.flush()
        code: int | None = json.loads(self._runner.stdout.readline())
        return code, output.read_text("utf-8", "replace")

    def close(self) -> None:
        """End its process."""
        assert self._runner.stdin
        self._runner.stdin.close()
        self._runner.wait()


def failing(tree: Tree, tests: Sequence[str]) -> set[str]:
    """Those of the tests that fail as the tree stands; all, where they cannot be collected."""
    code, output = tree.pytest(*tests, seconds=PATIENCE * len(tests))
    if code == 0:
        return set()
    named = set(re.findall(r"^(?:FAILED|ERROR) (\S+?)(?:\[.*?\])?(?: - .*)?$", output, re.M))
    return {test for test in tests if test in named} or set(tests)


def tried(tree: Tree, switch: Switch, tests: Sequence[str]) -> tuple[str, str]:
    """What the tests say while the feature is off: NOTICED, MISSED or BROKEN, and why it failed."""
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
    """So many of them, in their order."""
    chosen = set(random.Random(seed).sample(found, min(count, len(found))))
    return [switch for switch in found if switch in chosen]


def main(argv: Sequence[str] | None = None) -> int:
    """A line for each switch, then how many were noticed."""
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
    """Run that in a tree that nobody else uses meanwhile."""
    tree = trees.get()
    try:
        return run(tree, *given)
    finally:
        trees.put(tree)


if __name__ == "__main__":
    sys.exit(main())
