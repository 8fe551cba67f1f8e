"""Tasks in Obsidian's format: lines round-trip, and a change affects only its task."""

from __future__ import annotations

from datetime import UTC, date, datetime, time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.errors import EditRefused
from memory.notes import task_list
from memory.notes.task import PRIORITIES, Task, new, parse, parse_due, render
from memory.notes.task_list import add, complete, due, listing

TODAY = date(2026, 11, 21)
LINE = (
    "- [ ] Pay the rent #home 🆔 k3v9ad ⛔ aaa,bbb ⏫ 🔁 every month when done 🏁 delete "
    "➕ 2026-11-01 🛫 2026-11-20 ⏳ 2026-11-25 📅 2026-12-01 ^b7k2mq"
)


def read(line: str) -> Task:
    task = parse(line)
    assert task is not None
    return task


def test_every_field_of_the_plugin_is_read() -> None:
    task = read(LINE)
    assert (task.text, task.id, task.block, task.due) == (
        "Pay the rent #home",
        "k3v9ad",
        "b7k2mq",
        date(2026, 12, 1),
    )
    assert dict(task.fields) == {
        "id": "k3v9ad",
        "depends": "aaa,bbb",
        "priority": "⏫",
        "recurrence": "every month when done",
        "finish": "delete",
        "created": "2026-11-01",
        "start": "2026-11-20",
        "scheduled": "2026-11-25",
        "due": "2026-12-01",
    }


def test_fields_are_written_in_the_plugins_order() -> None:
    task = read("- [ ] a 📅 2026-12-01 🔼 🆔 x1 #tag")
    assert render(task.with_fields(start="2026-11-30")) == (
        "- [ ] a #tag 🆔 x1 🔼 🛫 2026-11-30 📅 2026-12-01"
    )
    assert render(Task("x", "x", (("done", "2026-11-21"),), "b7k2mq")) == (
        "- [x] x ✅ 2026-11-21 ^b7k2mq"
    )


def test_tags_between_fields_keep_their_order_and_a_second_field_stays() -> None:
    assert read("- [ ] a #one 📅 2026-12-01 #two 🔼 #three").text == "a #one #two #three"
    twice = read("- [ ] a 📅 2026-12-01 📅 2026-12-02")
    assert (twice.text, twice.due) == ("a 📅 2026-12-01", date(2026, 12, 2))


def test_what_follows_a_field_hides_it_as_in_the_plugin() -> None:
    task = read("- [ ] a 📅 2026-12-01 and more")
    assert task.due is None and task.text == "a 📅 2026-12-01 and more"
    assert read("- [ ] a 📅️ 2026-12-01").due == date(2026, 12, 1)
    assert read("- [ ] a 🗓 2026-12-01").due == date(2026, 12, 1)
    impossible = read("- [ ] a 📅 2026-13-45")
    assert impossible.due is None and impossible.get("due") == "2026-13-45"
    assert impossible.day is None


@pytest.mark.parametrize(
    "line", ["", "- a", "- [ ]", "- [ ] ", "[ ] a", "# [ ] a", "-[ ] a", "- [] a"]
)
def test_what_is_no_task(line: str) -> None:
    assert parse(line) is None


PIECES = (
    "- [ ] |* [x] |  1. [/] |words |📅 2026-12-01|📅️ 2026-12-01 |🔁 every week|⏫|🆔 ab1 |#tag |"
    "⏳ 2026-1-1|^abc123| |\t|\r|\xa0|(@2026-12-01 09:00) |🗓 2026-12-01 |[due:: 2026-12-01]|\ufe0f|"
    "📅 2026-12-02 "
)


@settings(max_examples=500, deadline=None)
@given(st.lists(st.sampled_from(PIECES.split("|")), max_size=9).map("".join) | st.text(max_size=40))
def test_lines_round_trip_byte_for_byte(line: str) -> None:
    task = parse(line)
    if task is not None:
        assert render(task) == line
        # Changing it back restores everything.
        again = parse(render(task.with_fields(done="2026-11-21"))) if task.text else None
        if again is not None and not task.get("done"):
            assert again.with_fields(done=None).fields == task.fields
            assert again.block == task.block


@settings(max_examples=200, deadline=None)
@given(
    st.text(alphabet="ab #[]-^📅🔁x1\n").map("do {}".format),
    st.sampled_from(["", *PRIORITIES]),
    st.none() | st.dates(date(2000, 1, 1), date(2100, 1, 1)),
    st.none() | st.times(),
)
def test_a_new_task_is_read_as_it_was_written(
    text: str, priority: str, day: date | None, at: time | None
) -> None:
    moment = f" {at:%H:%M}" if day and at else ""
    task = new(
        text, today=TODAY, id="k3v9ad", priority=priority, due=f"{day}{moment}" if day else ""
    )
    again = read(render(task))
    assert again == task
    assert (again.due, again.id, again.block) == (day, "k3v9ad", None)
    assert again.get("priority") == PRIORITIES.get(priority, "")
    assert again.at == (
        datetime.combine(day, at.replace(second=0, microsecond=0)) if day and at else None
    )


@pytest.mark.parametrize(
    "field",
    [
        *(
            "🆔 mine",
            "⛔ k3v9ad",
            "⏫",
            "🔺",
            "🔁 every day",
            "🏁 delete",
            "➕ 2020-01-01",
            "🛫 2020-01-01",
        ),
        *("⏳ 2020-01-01", "⌛2020-01-01", "📅 2020-01-01", "📆\ufe0f 2020-01-01", "🗓2020-01-01"),
        *("❌ 2020-01-01", "✅ 2020-01-01", "📅 2020-01-01 📅 2021-01-01", "(⏫", "⏫ #tag"),
    ],
)
def test_no_field_comes_out_of_a_chats_text(field: str) -> None:
    """As the plugin parses the line: from its end, as long as it finds fields."""
    task = new(f"Water the plants {field}", today=TODAY, id="k3v9ad")
    again = read(render(task))
    assert dict(again.fields) == {"id": "k3v9ad", "created": "2026-11-21"}
    assert again.text.startswith("Water the plants (")
    assert new(again.text, today=TODAY, id="k3v9ad").text == again.text


def test_a_new_task_may_repeat_and_have_a_filter() -> None:
    task = new(
        "Water the plants", today=TODAY, id="k3v9ad", repeats=" every  week ", tags=("#task",)
    )
    with pytest.raises(EditRefused, match="no rule"):
        new("a", today=TODAY, id="x", repeats="every week 🏁 delete")
    assert render(task) == "- [ ] Water the plants #task 🆔 k3v9ad 🔁 every week ➕ 2026-11-21"
    for text, priority, day in (
        (" ", "", ""),
        ("a", "urgent", ""),
        ("a", "", "tomorrow"),
        ("a", "", "2026-02-30"),
        ("a", "", "2026-02-20 25:00"),
    ):
        with pytest.raises(EditRefused):
            new(text, today=TODAY, id="x", priority=priority, due=day)
    assert parse_due(" 2026-12-01T9:05 ") == (date(2026, 12, 1), time(9, 5))


NOTE = """\
# Tasks

%% - [ ] an example %%

- [ ] Buy milk 🆔 m1 📅 2026-11-20
  - [ ] two litres
  a note

## Later

- [ ] Learn Greek ⏬
- [x] Old 🆔 old ✅ 2026-01-01

```
- [ ] code
```
"""


def test_tasks_of_a_note() -> None:
    assert [task.text for _, task in task_list.tasks(NOTE)] == [
        "Buy milk",
        "two litres",
        "Learn Greek",
        "Old",
    ]


def test_a_task_is_added_to_the_first_section_with_open_ones() -> None:
    task = new("Call Ana", today=TODAY, id="c1")
    written = add(NOTE, task)
    assert written == NOTE.replace("  a note\n", f"  a note\n{render(task)}\n")
    assert add(written, task) == written
    assert add("", task) == f"# Tasks\n\n{render(task)}\n"
    assert add("# Tasks\n\nwords", task) == f"# Tasks\n\nwords\n\n{render(task)}\n"
    assert add("# Tasks\n\n", task) == f"# Tasks\n\n{render(task)}\n"
    assert add("- [ ] a", task) == f"- [ ] a\n{render(task)}\n"
    assert add("- [x] a\r\n\r\nb", task) == f"- [x] a\r\n{render(task)}\r\n\r\nb"


@pytest.mark.parametrize(
    ("note", "wanted"),
    [
        ("# Tasks\n\n```\nold list\n", "# Tasks\n\n{}\n\n```\nold list\n"),
        ("```\r\nold list\r\n", "{}\r\n\r\n```\r\nold list\r\n"),
        ("- [ ] a\n```\n- [ ] b", "- [ ] a\n{}\n```\n- [ ] b"),
        ("---\ntags: [x]\n---\n```\n", "---\ntags: [x]\n---\n\n{}\n\n```\n"),
    ],
)
def test_a_task_is_added_before_a_code_block_that_never_ends(note: str, wanted: str) -> None:
    task = new("Call Ana", today=TODAY, id="c1")
    assert add(note, task) == wanted.format(render(task))


def test_a_task_is_completed_by_its_id_or_its_whole_text() -> None:
    done = complete(NOTE, "m1", TODAY)
    assert done == NOTE.replace(
        "- [ ] Buy milk 🆔 m1 📅 2026-11-20", "- [x] Buy milk 🆔 m1 📅 2026-11-20 ✅ 2026-11-21"
    )
    assert complete(NOTE, "Buy milk", TODAY) == done
    assert complete(done, "m1", TODAY) == done
    windows = NOTE.replace("\n", "\r\n")
    assert complete(windows, "m1", TODAY) == done.replace("\n", "\r\n")
    inert = add("", new("Fix #12 [x]", today=TODAY, id="f1", due="2026-11-21 10:00"))
    assert "- [x]" in complete(inert, "Fix #12 [x]", TODAY)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Buy", "No open task .* `m1` Buy milk; two litres; Learn Greek"),
        ("an example", "No open task"),
        ("code", "No open task"),
        ("Old", "No open task"),
        ("same", "2 open tasks.*`s1` same; `s2` same"),
    ],
)
def test_what_is_not_exactly_one_is_refused_with_candidates(name: str, reason: str) -> None:
    text = NOTE + ("- [ ] same 🆔 s1\n- [ ] same 🆔 s2\n" if name == "same" else "")
    with pytest.raises(EditRefused, match=reason):
        complete(text, name, TODAY)
    with pytest.raises(EditRefused, match="none is open"):
        complete("", name, TODAY)


def test_a_recurring_task_brings_the_next_one() -> None:
    before = (
        "- [ ] Rent (@2026-12-01 09:00) 🆔 r1 🔁 every month ➕ 2026-11-01 ⏳ 2026-11-30 "
        "📅 2026-12-01 ^b7k2mq\r\n"
    )
    following, done, _ = complete(before, "r1", TODAY).split("\r\n")
    assert done == before.rstrip().replace("[ ]", "[x]").replace(" ^b7", " ✅ 2026-11-21 ^b7")
    task = read(following)
    assert task.open and task.id not in ("", "r1") and task.block is None
    assert task.at == datetime(2027, 1, 1, 9)  # noqa: DTZ001
    assert dict(task.fields) | {"id": ""} == {
        "id": "",
        "recurrence": "every month",
        "created": "2026-11-21",
        "scheduled": "2026-12-31",
        "due": "2027-01-01",
    }


def test_the_last_of_a_series_brings_no_next_one() -> None:
    line = "- [ ] Pills (@{day} 08:00) 🆔 r1 🔁 every day until November 23, 2026 📅 {day}"
    following = complete(line.format(day="2026-11-22"), "r1", TODAY).splitlines()[0]
    assert read(following).due == date(2026, 11, 23)
    last = line.format(day="2026-11-23")
    assert complete(last, "r1", TODAY) == last.replace("[ ]", "[x]") + " ✅ 2026-11-21"


def test_an_unknown_recurrence_is_refused_and_nothing_is_lost() -> None:
    with pytest.raises(EditRefused, match=r"every blue moon.*stays open"):
        complete("- [ ] a 🆔 r1 🔁 every blue moon", "r1", TODAY)


def test_what_is_due() -> None:
    text = (
        "- [ ] tomorrow 📅 2026-11-22\n- [ ] late 📅 2026-11-01\n- [ ] planned ⏳ 2026-11-21\n"
        "- [ ] at nine (@2026-11-21 09:00) 📅 2026-11-21\n- [ ] someday\n- [x] done 📅 2026-11-01\n"
        "- [-] dropped 📅 2026-11-01\n- [/] begun 📅 2026-11-20\n- [ ] odd (@2026-11-20 99:99)\n"
    )
    early = datetime(2026, 11, 21, 8, 59, tzinfo=UTC)
    assert [task.text for task in due(text, early)] == ["late", "begun", "planned"]
    nine = [task.text for task in due(text, early.replace(hour=9, minute=0))]
    assert nine == ["late", "begun", "planned", "at nine (@2026-11-21 09:00)"]


def test_the_listing_is_for_a_model_and_for_eyes() -> None:
    text = (
        "- [ ] Learn Greek ⏬\n- [ ] Ring \\#2 (@2026-11-25 09:30) 🆔 t1 📅 2026-11-25\n"
        "- [ ] Rent 🆔 r1 🔁 every month 📅 2026-11-20\n- [ ] Now ⏫ 📅 2026-11-21\n- [x] Gone\n"
    )
    assert listing(text, TODAY) == (
        "- [r1] Rent (overdue since 2026-11-20, every month)\n"
        "- Now (due today, high priority)\n"
        "- [t1] Ring #2 (at 2026-11-25 09:30, due 2026-11-25)\n"
        "- Learn Greek (lowest priority)"
    )
    assert listing("", TODAY) == "No open tasks."
    assert listing("- [ ] a\n" * 60, TODAY).endswith("\n… and 10 more.")


OWNERS = st.lists(
    st.sampled_from(
        ["", "words", "# Head", "- [ ] a", "- [x] b", "  - c", "```", "%%", "- [ ] d 🆔 d1", "  e"]
    ),
    max_size=10,
)


@settings(max_examples=200, deadline=None)
@given(OWNERS, st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_what_stood_there_keeps_its_bytes(rows: list[str], end: str, closed: bool) -> None:
    text = end.join(rows) + (end if closed else "")
    line = render(new("added", today=TODAY, id="k3v9ad"))
    written = add(text, new("added", today=TODAY, id="k3v9ad"))
    assert "k3v9ad" in {task.id for _, task in task_list.tasks(written)}
    if text.strip():
        head, _, tail = written.partition(line)
        assert any(
            text == head.removesuffix(gap) + tail.removeprefix(cut)
            for gap in ("", "\n", "\n\n", end, end * 2)
            for cut in ("", "\n", "\n\n", end, end * 2)
        )
        assert add(written, new("again", today=TODAY, id="k3v9ad")) == written
        assert "\r\n" not in text or "\n" not in written.replace("\r\n", "")
    if (
        any(task.id == "d1" for _, task in task_list.tasks(text))
        and rows.count("- [ ] d 🆔 d1") == 1
    ):
        assert complete(text, "d1", TODAY) == text.replace(
            "- [ ] d 🆔 d1", "- [x] d 🆔 d1 ✅ 2026-11-21"
        )
