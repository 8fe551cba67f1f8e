"""Which tests run in the same xdist worker."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

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


def test_each_test_runs_once_and_what_is_complete_is_forgotten() -> None:
    tests = [f"tests/system/test_web.py::test_{n}" for n in range(30)]
    tests += [f"tests/unit/test_x.py::test_{n}" for n in range(100)]
    schedule = scheduling(workers=3)
    for node in schedule.nodes:
        schedule.add_node_collection(node, tests)
    schedule.schedule()
    ran: list[int] = []
    while waiting := [node for node in schedule.nodes if node.sent]:
        for node in waiting:
            ran.append(node.sent.pop(0))
            schedule.mark_test_complete(node, ran[-1])
            assert sum(map(len, schedule.assigned_work[node].values())) <= 30 + 3
    assert sorted(ran) == list(range(len(tests)))
    assert schedule.tests_finished and not schedule.has_pending
    assert all(node.shutting_down for node in schedule.nodes)


def scheduling(workers: int) -> Any:
    """Return a schedule with workers that keep in `sent` what they were sent."""
    option = SimpleNamespace(loadscopereorder=True)
    config = SimpleNamespace(option=option, getvalue=lambda name: [f"{workers}*popen"])
    schedule: Any = GroupScheduling(config)  # type: ignore[arg-type]
    for _ in range(workers):
        schedule.add_node(Worker())
    return schedule


class Worker:
    """A worker without a process."""

    def __init__(self) -> None:
        self.sent: list[int] = []
        self.shutting_down = False
        self.gateway = SimpleNamespace(id="worker")

    def send_runtest_some(self, indices: list[int]) -> None:
        self.sent += indices

    def shutdown(self) -> None:
        self.shutting_down = True
