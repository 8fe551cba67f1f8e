"""A plugin of pytest, in a copy of the tree: records what each test ran, and how long it took."""

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
    """Whatever runs from now on, here and in processes that start now, is that test's."""
    _NOW.write_text(context, "utf-8")
    measured = coverage.Coverage.current()
    assert measured is not None
    measured.switch_context(context)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Name the test while it runs."""
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
    """What a fixture of the whole module runs, it runs for all its tests."""
    if fixturedef.scope == "function" or not _running:
        return (yield)
    _switch(_running.split("::")[0] + WHOLE)
    try:
        return (yield)
    finally:
        _switch(_running)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add up what the parts of a test took; a failed or skipped one can notice nothing."""
    _took[report.nodeid] = _took.get(report.nodeid, 0.0) + report.duration
    if not report.passed:
        _failed.add(report.nodeid)


def pytest_sessionfinish(exitstatus: int) -> None:
    """Write what is known of each test module; nothing of a run that was broken off."""
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
            continue  # its process was killed while it wrote
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
