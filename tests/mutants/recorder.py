"""Pytest plugin for a copy of the tree: record the lines that each test runs, and its duration."""

from __future__ import annotations

import json
from collections.abc import Generator
from pathlib import Path

import coverage
import pytest

from .measure import WHOLE

_HERE = Path(__file__).parents[2]
_NOW = _HERE / ".measured" / "test"
_took: dict[str, float] = {}
_failed: set[str] = set()
_running = ""


def _switch(context: str) -> None:
    """Attribute all lines run from now on, also in processes that start now, to that test."""
    _NOW.write_text(context, "utf-8")
    measured = coverage.Coverage.current()
    assert measured is not None
    measured.switch_context(context)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Set the current test while it runs."""
    global _running
    _running = item.nodeid
    _switch(_running)
    try:
        return (yield)
    finally:
        _running = ""
        _switch("")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[object], request: pytest.FixtureRequest
) -> Generator[None, object, object]:
    """Attribute lines run by a module-scoped fixture to all tests of the module."""
    if fixturedef.scope == "function" or not _running:
        return (yield)
    _switch(_running.split("::")[0] + WHOLE)
    try:
        return (yield)
    finally:
        _switch(_running)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add up the phases of a test; exclude failed and skipped tests, which catch nothing."""
    _took[report.nodeid] = _took.get(report.nodeid, 0.0) + report.duration
    if not report.passed:
        _failed.add(report.nodeid)


def pytest_sessionfinish(exitstatus: int) -> None:
    """Save the results of each test module, unless the run was aborted."""
    if exitstatus not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        return
    measured = coverage.Coverage.current()
    assert measured is not None
    measured.stop()
    measured.save()
    lines: dict[str, dict[str, dict[str, list[int]]]] = {}
    imported: dict[str, set[int]] = {}
    for part in (_HERE / ".measured").glob("data.*"):
        data = coverage.CoverageData(str(part))
        try:
            data.read()
        except coverage.CoverageException:
            continue  # its process was killed while writing
        for name in data.measured_files():
            file = Path(name).relative_to(_HERE).as_posix()
            for line, contexts in data.contexts_by_lineno(name).items():
                for id_ in (context.rpartition("|")[2] for context in contexts):
                    if not id_:
                        imported.setdefault(file, set()).add(line)
                        continue
                    module = lines.setdefault(id_.split("::")[0], {})
                    module.setdefault(file, {}).setdefault(id_, []).append(line)
    for module, kept in json.loads((_HERE / ".measured" / "kept.json").read_text("utf-8")).items():
        took = {id_: seconds for id_, seconds in _took.items() if id_.split("::")[0] == module}
        found = {
            "passed": {id_: round(took[id_], 3) for id_ in sorted(took.keys() - _failed)},
            "failed": sorted(took.keys() & _failed),
            "lines": lines.get(module, {}),
            "imported": {file: sorted(numbers) for file, numbers in imported.items()},
        }
        Path(kept).write_text(json.dumps(found), "utf-8")
