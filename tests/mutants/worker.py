"""Worker process that runs tests against one mutation after another, in a copy of the tree.

    python -m tests.mutants.worker READ WRITE MODULE ...

Collects the tests of those modules once. For each job, a line of JSON from the file descriptor
READ, it forks; the child patches the loaded functions with the changed code, runs the job's tests
in order until one fails, and writes its answer to WRITE.
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

MEMORY = 8 << 30  # bytes of address space: contains endless loops
PASSED, NOT_THERE = "+", "?"


class Worker:
    """Pytest plugin that replaces the run loop."""

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
        """Return the test that failed, "" if none did, None if the function cannot be patched."""
        said, say = os.pipe()
        child = os.fork()
        if child == 0:
            os.setsid()
            os.close(said)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            try:
                self._child(job, items, say)
            finally:
                signal.pause()  # until it is killed with its process group
        os.close(say)
        ready, _, _ = select.select([said], [], [], job["deadline"])
        told = os.read(said, 65536).decode() if ready else ""  # written at once, or not at all
        os.close(said)
        os.killpg(child, signal.SIGKILL)  # the child, and processes that its tests left running
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
    """Replace the function's code by the changed code, if the function is loaded."""
    new = next(
        code
        for code in _codes(compile(source, path, "exec", dont_inherit=True))
        if (code.co_qualname, code.co_firstlineno) == function
    )
    there = False
    gc.unfreeze()  # get_objects() leaves out what was frozen after the collection of the tests
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
    """Collect the tests, and serve jobs."""
    read, write, *modules = sys.argv[1:]
    os.chdir(Path(__file__).parents[2])
    arguments = ["-q", "-p", "no:xdist", "--capture=sys", *modules]
    return int(pytest.main(arguments, plugins=[Worker(int(read), int(write))]))


if __name__ == "__main__":
    sys.exit(main())
