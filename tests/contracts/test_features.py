"""docs/dev/features.md: each row names a test that is there, and none that must be is missing."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests.features_off import ROOT, SWITCHES
from tests.features_off import Row as FeatureRow
from tests.features_off import rows as rows_of

EXPECTED = frozenset(
    f"{group}-{number:02}"
    for group, count in (("000", 51), ("002", 36), ("003", 13))
    for number in range(1, count + 1)
)
"""What was to be built first, and must never lose its row."""
ID = re.compile(r"00[0-4]-\d{2}|[PX]-\d{2}")
ROWS = rows_of()


@cache
def names_in(file: str) -> frozenset[str]:
    """The tests of a file as pytest names them, without their parameters."""
    path = ROOT / file
    if not path.is_file():
        return frozenset()
    found = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.ClassDef):
            found |= {
                f"{node.name}::{inner.name}"
                for inner in node.body
                if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef)
            }
    return frozenset(name for name in found if name.split("::")[-1].startswith("test_"))


def problems(rows: list[FeatureRow]) -> list[str]:
    """What is wrong with a table of features."""
    found = [f"{row.id}: no such id" for row in rows if not ID.fullmatch(row.id)]
    for row in rows:
        file, _, name = row.test.partition("::")
        if name not in names_in(file):
            found.append(f"{row.id}: no test {row.test}")
        found += [
            f"{row.id}: no file {place}" for place in row.places if not (ROOT / place).exists()
        ]
        if not row.feature:
            found.append(f"{row.id}: says nothing")
    found += [f"{id_}: {n} rows" for id_, n in Counter(r.id for r in rows).items() if n > 1]
    return found + [f"{id_}: missing" for id_ in sorted(EXPECTED - {row.id for row in rows})]


def test_every_row_names_a_test_that_is_there_and_none_is_missing() -> None:
    assert len(EXPECTED) == 100
    assert problems(ROWS) == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"test": "tests/unit/notes/test_day.py::test_that_is_not_there"}, "no test"),
        ({"test": "tests/test_gone.py::test_x"}, "no test"),
        ({"id": "000-02"}, "2 rows"),
        ({"id": "Q-01"}, "000-01: missing"),
        ({"places": ("memory/gone.py",)}, "no file"),
    ],
)
def test_a_wrong_row_is_seen(change: dict[str, object], problem: str) -> None:
    [first, *others] = ROWS
    wrong = FeatureRow(**{**first._asdict(), **change})  # type: ignore[arg-type]
    assert any(problem in found for found in problems([wrong, *others]))


def test_what_is_switched_off_stands_once_in_its_file_and_belongs_to_a_row() -> None:
    known = {row.id for row in ROWS}
    assert len(SWITCHES) >= 30
    for switch in SWITCHES:
        text = Path(ROOT / switch.file).read_text("utf-8")
        assert text.count(switch.old) == 1, f"{switch.id}: {switch.file}: {switch.old!r}"
        without = text.replace(switch.old, switch.new)
        assert without != text
        if switch.file.endswith(".py"):
            compile(without, switch.file, "exec")  # or any test would notice
        assert switch.id in known
