"""Where tests are placed and what they may import. Each rule is first tried on a violation."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

import pytest

from tests.support.source import ROOT

ROOMS = ("contracts", "fakes", "integration", "system", "unit")
"""The folders of tests/ that contain tests; those of unit/ are named after packages."""
OUTSIDE = (
    *(
        "subprocess",
        "multiprocessing",
        "socket",
        "httpx",
        "httpx2",
        "aiohttp",
        "tests.fakes.claude",
    ),
    *("tests.fakes.embeddings", "tests.fakes.telegram", "tests.support.homes"),
    *("tests.support.process", "tests.support.all_fakes", "tests.support.world"),
)
"""Modules that start processes or open connections, which unit tests must not import."""
EXCEPTIONS = {"tests/unit/embedding/test_e5_numpy.py: subprocess"}
"""Known violations of a rule. An entry that no longer applies fails as well: remove it."""
TESTS = {
    path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
    for path in sorted((ROOT / "tests").rglob("test_*.py"))
}


def imported(text: str) -> Iterator[str]:
    """Return the modules that a file imports anywhere; `from a import b` yields `a` and `a.b`."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def outside_of_rooms(paths: Iterable[str]) -> list[str]:
    """Return the tests outside of the folders in ROOMS."""
    return [path for path in paths if path.split("/")[1] not in ROOMS]


def imported_tests(text: str) -> set[str]:
    """Return the test modules that a file imports."""
    parts = (name.split(".") for name in imported(text))
    return {".".join(p) for p in parts if p[0] == "tests" and p[-1].startswith("test_")}


def opened(text: str) -> set[str]:
    """Return the modules of OUTSIDE that a file imports."""
    return {name for name in imported(text) if name in OUTSIDE}


def test_each_test_lies_in_a_room() -> None:
    assert outside_of_rooms(["tests/test_a.py", "tests/unit/text/test_b.py"]) == ["tests/test_a.py"]
    assert len(TESTS) > 100
    assert outside_of_rooms(TESTS) == []


@pytest.mark.parametrize(
    "text",
    [
        "from tests.unit.log.test_log import said",
        "def f():\n    from tests.unit.log import test_log",
        "import tests.unit.log.test_log as log",
    ],
)
def test_an_import_of_a_test_module_is_seen(text: str) -> None:
    assert imported_tests(text) == {"tests.unit.log.test_log"}


def test_no_test_module_is_imported_by_another_file() -> None:
    """Code shared by several tests belongs in tests/support."""
    files = {p.relative_to(ROOT).as_posix(): p for p in (ROOT / "tests").rglob("*.py")}
    broken = {path: imported_tests(file.read_text("utf-8")) for path, file in files.items()}
    assert {path: names for path, names in broken.items() if names} == {}


def test_a_unit_test_starts_no_process_and_opens_no_connection() -> None:
    assert opened("def f():\n    from tests.support import process") == {"tests.support.process"}
    units = {path: text for path, text in TESTS.items() if path.startswith("tests/unit/")}
    assert len(units) > 30
    assert {f"{path}: {name}" for path, text in units.items() for name in opened(text)} == (
        EXCEPTIONS
    )
