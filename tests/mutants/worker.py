"""Runs tests against one mutation after another, in a copy of the tree. A process of its own.

    python -m tests.mutants.worker READ WRITE MODULE ...

Collects the tests of those modules once. For each job, a line of JSON from the file descriptor
READ, it forks; the child puts the changed code into the functions that are there already, runs the
job's tests in their order up to the first that fails, and its answer goes to WRITE.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import select
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

MEMORY = 8 << 30  # bytes of address space: a loop without an end is not to take the machine's
PASSED, NOT_THERE = "+", "?"


class Worker:
    """A plugin of pytest that takes the place of its loop."""

    def __init__(self, read: int, write: int) -> None:
        self._jobs, self._answers = os.fdopen(read), os.fdopen(write, "w")
        self._failed = ""

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Serve jobs until there are no more."""
        items = {item.nodeid: item for item in session.items}
        self._answer({"collected": len(items)})
        for line in self._jobs:
            self._answer(self._forked(json.loads(line), items))
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember the first failure."""
        if report.failed and not self._failed:
            self._failed = report.nodeid

    def _answer(self, answer: dict[str, Any]) -> None:
        self._answers.write(json.dumps(answer) + "\n")
        self._answers.flush()

    def _forked(self, job: dict[str, Any], items: dict[str, pytest.Item]) -> dict[str, Any]:
        """The test that failed, "" for none; None where the function is not to be found."""
        said, say = os.pipe()
        child = os.fork()
        if child == 0:
            os.setsid()
            os.close(said)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            try:
                self._child(job, items, say)
            finally:
                signal.pause()  # until it is killed, with its whole group
        os.close(say)
        ready, _, _ = select.select([said], [], [], job["deadline"])
        told = os.read(said, 65536).decode() if ready else ""  # in one write, or none at its death
        os.close(said)
        os.killpg(child, signal.SIGKILL)  # the child, and what its tests have left running
        os.waitpid(child, 0)
        verdicts = {PASSED: "", NOT_THERE: None, "": "(the test process itself)"}
        return {"failed": verdicts.get(told, told)}

    def _child(self, job: dict[str, Any], items: dict[str, pytest.Item], say: int) -> None:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        if job["function"] and not _patch(job["path"], job["source"], tuple(job["function"])):
            os.write(say, NOT_THERE.encode())
            return
        tests = [(items[id_], limit) for id_, limit in job["tests"]]
        for number, (item, limit) in enumerate(tests):
            after = tests[number + 1][0] if number + 1 < len(tests) else None
            item.add_marker(pytest.mark.timeout(limit), append=False)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            if self._failed:
                break
        os.write(say, (self._failed or PASSED).encode())


def _patch(path: str, source: str, function: tuple[str, int]) -> bool:
    """Give the changed code to that function, if it is there already."""
    new = next(
        code
        for code in _codes(compile(source, path, "exec", dont_inherit=True))
        if (code.co_qualname, code.co_firstlineno) == function
    )
    there = False
    for found in gc.get_objects():
        if isinstance(found, FunctionType):
            old = found.__code__
            if old.co_filename == path and (old.co_qualname, old.co_firstlineno) == function:
                found.__code__ = new
                there = True
    return there


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def main() -> int:
    """Collect, and serve."""
    read, write, *modules = sys.argv[1:]
    os.chdir(Path(__file__).parents[2])
    arguments = ["-q", "-p", "no:xdist", "--capture=sys", *modules]
    return int(pytest.main(arguments, plugins=[Worker(int(read), int(write))]))


if __name__ == "__main__":
    sys.exit(main())
