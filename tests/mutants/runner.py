"""Try mutations in a copy of the tree: change the file on disk, and run its tests in a process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import IO, Any

from .measure import TimedTest, environment
from .mutations import Mutation
from .places import Place

SLOWER = 5.0
"""A test counts as hanging after SLOWER times its normal duration plus LEAST seconds."""
LEAST = 30.0


class Runner:
    """One copy of the tree, and its processes."""

    def __init__(self, tree: Path, modules: Sequence[str]) -> None:
        self._tree = tree
        self._stamps = count(1_000_000_000, 10)
        self._worker = _Worker(tree, modules)

    def close(self) -> None:
        """End the worker."""
        self._worker.close()

    def run(self, mutation: Mutation, where: Place, tests: Sequence[TimedTest]) -> str:
        """Return the first of those tests that fails with the mutation; "" if none does.

        A change inside a function is patched into a process that has everything imported. What
        cannot be patched, and what runs at import, is tried in a fresh process.
        """
        file = self._tree / mutation.file
        source = file.read_text("utf-8")
        changed = mutation.applied(source)
        with self._on_disk(file, source, changed):
            if where.function is not None and not where.imported:
                job = {"path": str(file), "source": changed, "function": where.function}
                failed = self._worker.run(tests, job)
                if failed is not None:
                    return failed
            fresh = _Worker(self._tree, sorted({test.module for test in tests}))
            try:
                return fresh.run(tests, {"function": None}) or ""
            finally:
                fresh.close()

    @contextmanager
    def _on_disk(self, file: Path, source: str, changed: str) -> Iterator[None]:
        """Write the change for processes that start meanwhile. Each write gets a different mtime,
        by which Python detects stale bytecode."""
        self._write(file, changed)
        try:
            yield
        finally:
            self._write(file, source)

    def _write(self, file: Path, text: str) -> None:
        file.write_text(text, "utf-8")
        stamp = next(self._stamps)
        os.utime(file, (stamp, stamp))


class _Worker:
    """A process that has collected the tests of some modules."""

    def __init__(self, tree: Path, modules: Iterable[str]) -> None:
        read, there = os.pipe()
        here, write = os.pipe()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.mutants.worker", str(here), str(there), *modules],
            cwd=tree,
            env=environment(tree),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=(here, there),
        )
        os.close(here)
        os.close(there)
        self._answers: IO[str] = os.fdopen(read)
        self._jobs: IO[str] = os.fdopen(write, "w")
        self._collected = bool(self._answers.readline())

    def run(self, tests: Sequence[TimedTest], job: dict[str, Any]) -> str | None:
        """Return the test that failed, "" if none did, None if the function cannot be patched."""
        if not self._collected:
            return "(import)"
        limits = [(test.id, LEAST + SLOWER * test.seconds) for test in tests]
        whole = 2 * LEAST + SLOWER * sum(test.seconds for test in tests)
        self._jobs.write(json.dumps({**job, "tests": limits, "deadline": whole}) + "\n")
        self._jobs.flush()
        answer = self._answers.readline()
        if not answer:
            raise RuntimeError("the process that runs the tests has died")
        failed: str | None = json.loads(answer)["failed"]
        return failed

    def close(self) -> None:
        """End the process."""
        with suppress(BrokenPipeError):
            self._jobs.close()
        self._answers.close()
        self._process.wait()
