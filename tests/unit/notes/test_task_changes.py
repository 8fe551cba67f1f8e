"""Postpone, cancel and reopen a task: only its line changes, and undo restores the bytes.

And the order in which tasks are listed.
"""

from __future__ import annotations

from datetime import date, time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.errors import EditRefused
from memory.notes import task_list

TODAY = date(2026, 11, 23)
NOTE = """# Tasks

Mine, for the house.
- [ ] Pay the rent (@2026-12-01 09:00) #home 🆔 rent01 🔁 every month 📅 2026-12-01
- [ ] Call Ana 🆔 ana001
  - [ ] About the keys
- [x] Buy milk 🆔 milk01 ✅ 2026-11-20
"""


def changed(after: str) -> list[str]:
    return [row for row in after.split("\n") if row not in NOTE.split("\n")]


def test_a_task_is_moved_to_another_day_and_keeps_its_time() -> None:
    after = task_list.postpone(NOTE, "rent01", date(2026, 12, 3))
    assert changed(after) == [
        "- [ ] Pay the rent (@2026-12-03 09:00) #home 🆔 rent01 🔁 every month 📅 2026-12-03"
    ]


def test_a_time_makes_a_reminder() -> None:
    after = task_list.postpone(NOTE, "Call Ana", TODAY, time(18, 5))
    assert changed(after) == ["- [ ] Call Ana (@2026-11-23 18:05) 🆔 ana001 📅 2026-11-23"]
    found = next(task for _, task in task_list.tasks(after) if task.id == "ana001")
    assert found.at is not None and found.at.hour == 18


def test_a_cancelled_task_is_marked_and_no_longer_open() -> None:
    after = task_list.cancel(NOTE, "ana001", TODAY)
    assert changed(after) == ["- [-] Call Ana 🆔 ana001 ❌ 2026-11-23"]
    assert task_list.cancel(after, "ana001", TODAY) == after


@pytest.mark.parametrize("id", ["rent01", "ana001"])
def test_what_is_reopened_is_as_it_was_byte_for_byte(id: str) -> None:
    done = task_list.complete(NOTE, id, TODAY)
    following = task_list.following_id(NOTE, done)
    assert bool(following) == (id == "rent01")
    assert task_list.reopen(done, id, following) == NOTE
    assert task_list.reopen(task_list.cancel(NOTE, id, TODAY), id) == NOTE
    assert task_list.reopen(NOTE, id) == NOTE


def test_of_a_task_that_is_gone_or_done_it_says_so() -> None:
    with pytest.raises(EditRefused, match="not in the list"):
        task_list.reopen(NOTE, "gone01")
    with pytest.raises(EditRefused, match="done already"):
        task_list.postpone(NOTE, "milk01", TODAY)
    with pytest.raises(EditRefused, match="Open are"):
        task_list.cancel(NOTE, "nothing", TODAY)


@given(st.dates(TODAY, date(2090, 1, 1)), st.none() | st.times())
def test_a_postponed_task_is_due_when_it_was_asked_for(day: date, moment: time | None) -> None:
    moment = moment and moment.replace(second=0, microsecond=0, tzinfo=None)
    after = task_list.postpone(NOTE, "ana001", day, moment)
    found = next(task for _, task in task_list.tasks(after) if task.id == "ana001")
    assert (found.day, found.due) == (day, day)
    assert (found.at.time() if found.at else None) == moment
    assert [t.id for _, t in task_list.tasks(after)] == [t.id for _, t in task_list.tasks(NOTE)]


def test_tasks_of_one_day_are_listed_by_priority_and_time() -> None:
    rows = ["call Ana (@2026-11-24 09:00)", "rent (@2026-11-24 08:00)", "milk 📅 2026-11-24"]
    rows += ["dentist (@2026-11-24 15:00) ⏫", "stretch (@2026-11-23 20:00)"]
    found = task_list.by_date("".join(f"- [ ] {row}\n" for row in rows))
    assert [task.title for task in found] == ["stretch", "dentist", "rent", "call Ana", "milk"]
