"""Map the lines of the core to the tests that run them, also in child processes of Sam.

Measured once per state of the code, in a copy of the tree, and cached in `.mutants/`. If only a
test module changed, it alone is measured again; any other change measures everything.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from tests.features_off import LEFT_OUT, ROOT

KEPT = ROOT / ".mutants"
TESTS = ("tests/unit", "tests/integration", "tests/system")
PACKAGES = ("bot", "memory")
WHOLE = "::*"
"""Suffix of a module's name for the lines that its fixtures run for all its tests."""
AT_ONCE = 2
PORTION = 12
"""Test modules per process; results are saved when the process ends."""
OPTIONS = ("-q", "-p", "no:xdist", "-p", "tests.mutants.recorder", "--timeout", "600")
STARTS = '''\
"""Measures which lines every Python process of this copy runs."""

import atexit
from pathlib import Path

import coverage

_here = Path(__file__).parent
_measured = coverage.Coverage(
    data_file=str(_here / ".measured" / "data"),
    data_suffix=True,
    config_file=False,
    source=[str(_here / "bot"), str(_here / "memory")],
    context=(_here / ".measured" / "test").read_text("utf-8"),
    messages=False,
)
_measured.set_option("run:disable_warnings", ["no-data-collected"])


@atexit.register
def _end() -> None:
    _measured.stop()
    _measured.save()


_measured.start()
'''


class TimedTest(NamedTuple):
    """A test, and its duration in seconds."""

    id: str
    seconds: float

    @property
    def module(self) -> str:
        """Return the test's file."""
        return self.id.split("::")[0]

    @property
    def in_process(self) -> bool:
        """Return whether the test starts no Sam process."""
        return not self.id.startswith("tests/system/")


class Map:
    """Line → the tests that run it, fastest first."""

    def __init__(self, modules: Iterable[Mapping[str, Any]]) -> None:
        self._lines: dict[str, dict[int, set[str]]] = {}
        self.tests: dict[str, TimedTest] = {}
        self.failed: list[str] = []
        self.imported: dict[str, set[int]] = {}
        """Lines that run when the modules are imported, by file."""
        for module in modules:
            for file, numbers in module.get("imported", {}).items():
                self.imported.setdefault(file, set()).update(numbers)
            self.failed += module["failed"]
            passed = module["passed"]
            self.tests |= {id_: TimedTest(id_, seconds) for id_, seconds in passed.items()}
            for file, contexts in module["lines"].items():
                lines = self._lines.setdefault(file, {})
                for context, numbers in contexts.items():
                    ids = passed if context.endswith(WHOLE) else {context} & passed.keys()
                    for number in numbers:
                        lines.setdefault(number, set()).update(ids)

    def of(self, file: str, lines: Iterable[int]) -> list[TimedTest]:
        """Return the tests that run any of those lines: fastest first, with processes last."""
        return self.of_all({file: lines})

    def of_all(self, places: Mapping[str, Iterable[int]]) -> list[TimedTest]:
        """Return the same for lines of several files."""
        ids: set[str] = set()
        for file, lines in places.items():
            for line in lines:
                ids |= self._lines.get(file, {}).get(line, set())
        tests = (self.tests[id_] for id_ in ids)
        return sorted(tests, key=lambda test: (not test.in_process, test.seconds, test.id))


@contextmanager
def copied() -> Iterator[Path]:
    """Yield a temporary copy of the tree."""
    with TemporaryDirectory(prefix="sam-mutants-", ignore_cleanup_errors=True) as folder:
        tree = Path(folder).resolve() / "tree"
        shutil.copytree(ROOT, tree, ignore=_left_out)
        yield tree


def _left_out(folder: str, names: list[str]) -> set[str]:
    return LEFT_OUT(folder, names) | ({KEPT.name} & set(names))


def environment(tree: Path) -> dict[str, str]:
    """Return the environment of a test process in the copy; temporary files lie beside the copy."""
    temporary = tree.parent / "t"
    temporary.mkdir(exist_ok=True)
    others = [
        path for path in os.environ.get("PYTHONPATH", "").split(":") if path not in ("", str(ROOT))
    ]
    path = os.pathsep.join([str(tree), *others])
    return {**os.environ, "PYTHONPATH": path, "TMPDIR": str(temporary)}


def measured(folders: Sequence[str] = TESTS) -> Map:
    """Return the map for the tests in those folders, measuring what is not cached."""
    code = _digest(
        path
        for folder in (*PACKAGES, "vault", "tests/fakes", "tests/support", "tests/data")
        for path in (ROOT / folder).rglob("*")
    )
    files = sorted(path for folder in TESTS for path in (ROOT / folder).rglob("test_*.py"))
    kept = {
        path.relative_to(ROOT).as_posix(): KEPT / f"{code}-{_digest([path])}.json" for path in files
    }
    asked = {module: file for module, file in kept.items() if module.startswith(tuple(folders))}
    missing = [module for module, file in asked.items() if not file.exists()]
    if missing:
        print(f"measuring which lines {len(missing)} test modules run ...", flush=True)
        _measure({module: kept[module] for module in missing})
    for file in set(KEPT.glob("*.json")) - set(kept.values()):
        file.unlink()
    return Map(json.loads(file.read_text("utf-8")) for file in asked.values() if file.exists())


def _digest(paths: Iterable[Path]) -> str:
    found = hashlib.sha256()
    for path in sorted(paths):
        if path.is_file() and "__pycache__" not in path.parts:
            found.update(path.relative_to(ROOT).as_posix().encode())
            found.update(hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()[:20]


def _measure(modules: Mapping[str, Path]) -> None:
    """Run those modules in parallel copies of the tree, and save the lines that each has run.

    An interruption loses only the portions that are running.
    """
    KEPT.mkdir(exist_ok=True)
    ordered = sorted(modules)
    portions = [ordered[at : at + PORTION] for at in range(0, len(ordered), PORTION)]
    done = count(1)
    with copied() as first, copied() as second:
        idle = [first, second]

        def measure(portion: Sequence[str]) -> None:
            tree = idle.pop()  # there are as many copies as threads
            _measure_portion(tree, {module: modules[module] for module in portion})
            idle.append(tree)
            print(f"{next(done)} of {len(portions)} portions are measured", flush=True)

        with ThreadPoolExecutor(AT_ONCE) as threads:
            list(threads.map(measure, portions))


def _measure_portion(tree: Path, modules: Mapping[str, Path]) -> None:
    measured = tree / ".measured"
    shutil.rmtree(measured, ignore_errors=True)
    measured.mkdir()
    (tree / "sitecustomize.py").write_text(STARTS, "utf-8")
    (measured / "test").write_text("", "utf-8")
    kept = {module: str(file) for module, file in modules.items()}
    (measured / "kept.json").write_text(json.dumps(kept), "utf-8")
    subprocess.run(
        [sys.executable, "-m", "pytest", *OPTIONS, *modules],
        cwd=tree,
        env=environment(tree),
        stdout=subprocess.DEVNULL,
        check=False,  # failing tests are not used
    )
