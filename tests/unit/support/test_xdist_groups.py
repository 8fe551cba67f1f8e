"""Which tests run in the same xdist worker."""

from __future__ import annotations

from tests.support.source import ROOT
from tests.support.xdist_groups import GROUPS, GroupScheduling


def test_each_file_that_is_kept_together_is_there() -> None:
    assert [file for file in GROUPS if not (ROOT / file).is_file()] == []


def test_what_shares_something_is_one_unit_and_all_else_is_single() -> None:
    unit = GroupScheduling.__new__(GroupScheduling)._split_scope
    rooms, rules = "tests/contracts/test_rooms.py", "tests/contracts/test_architecture.py"
    assert unit(f"{rooms}::test_a") == unit(f"{rules}::test_b[x::y]") == "the parsed source"
    assert unit("tests/system/test_web.py::test_a") != unit("tests/system/test_cli.py::test_a")
    assert unit("tests/unit/test_x.py::test_a") != unit("tests/unit/test_x.py::test_b")
