"""docs/dev/reliability.md: each promise names existing tests, and says where they run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.chaos.__main__ import PARTS
from tests.support.named_tests import is_there

ROOT = Path(__file__).resolve().parents[2]
SECTIONS = (
    "The ledger",
    "Crashes",
    "Telegram",
    "Claude",
    "Embeddings",
    "Sync",
    "Disk and files",
    "Clock",
    "Other processes",
    "Load",
    "Backup",
    "Access",
    "Poisoning",
    "Secrets",
    "Sync in conflict",
    "Deploy",
    "Recall does not get worse unseen",
)
NAMED = re.compile(r"`([^`]+)`")
RUNS = re.compile(r"CI(?:, chaos ([a-z_]+)|, make systemd-test)?")


class Row(NamedTuple):
    """A row of a table, with its section."""

    section: str
    promise: str
    tests: tuple[str, ...]
    runs: str


def rows_of(text: str) -> list[Row]:
    """Return the rows of the page, without the table heads."""
    found, section = [], ""
    for line in text.splitlines():
        if line.startswith("## "):
            section = line[3:].strip()
        elif line.startswith("|") and not line.startswith(("| Promise ", "| --- ")):
            promise, tests, runs = (cell.strip() for cell in line.strip("|").split("|"))
            found.append(Row(section, promise, tuple(NAMED.findall(tests)), runs))
    return found


def problems(rows: list[Row]) -> list[str]:
    """Return what is wrong with the page."""
    found = []
    for row in rows:
        if not row.promise or not row.tests:
            found.append(f"{row.section}: a row without a promise or a test")
        found += [f"{row.section}: no test {test}" for test in row.tests if not is_there(test)]
        runs = RUNS.fullmatch(row.runs)
        if runs is None or (runs[1] and runs[1] not in PARTS):
            found.append(f"{row.section}: runs in {row.runs!r}")
    return found


def page() -> str:
    return (ROOT / "docs" / "dev" / "reliability.md").read_text("utf-8")


def test_every_promise_names_tests_that_are_there() -> None:
    rows = rows_of(page())
    assert len(rows) > 40
    assert problems(rows) == []


def test_the_sections_stand_in_their_order() -> None:
    assert tuple(re.findall(r"^## (.+)$", page(), re.MULTILINE)) == SECTIONS


@pytest.mark.parametrize(
    ("tests", "runs", "problem"),
    [
        (("tests/contracts/test_reliability.py::test_gone",), "CI", "no test"),
        (("tests/test_gone.py::test_x",), "CI", "no test"),
        (("tests/integration/test_embed.py::TestFaults",), "CI", "no test"),
        ((), "CI", "without"),
        (("tests/contracts/test_reliability.py::test_a_wrong_row_is_seen",), "by hand", "runs in"),
        (
            ("tests/contracts/test_reliability.py::test_a_wrong_row_is_seen",),
            "CI, chaos gone",
            "runs in",
        ),
    ],
)
def test_a_wrong_row_is_seen(tests: tuple[str, ...], runs: str, problem: str) -> None:
    [found] = problems([Row("Load", "it works", tests, runs)])
    assert problem in found
