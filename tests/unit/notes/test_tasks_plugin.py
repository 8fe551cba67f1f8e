"""Every form in the Tasks plugin's documentation of its emoji format round-trips: line → fields →
line.

The forms are from its pages on dates, priorities, recurrence, dependencies, "on completion" and
statuses; the texts are ours.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from memory.notes.task import Task, parse, render

DATES = {
    "created": "➕ 2026-04-01",
    "start": "🛫 2026-04-02",
    "scheduled": "⏳ 2026-04-03",
    "due": "📅 2026-04-04",
    "cancelled": "❌ 2026-04-05",
    "done": "✅ 2026-04-06",
}
PRIORITIES = "🔺⏫🔼🔽⏬"
RULES = (
    *("every day", "every 3 days", "every weekday", "every week", "every 2 weeks", "every month"),
    *("every week on Sunday", "every 2 weeks on Monday, Wednesday", "every month on the 1st"),
    *("every month on the last", "every month on the last Friday", "every month on the 2nd Monday"),
    *("every 6 months on the 2nd Wednesday", "every year", "every January on the 15th"),
    *("every April and December on the 1st and 24th", "every 10 days when done"),
)
FORMS: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("- [ ] plain", " ", {}),
    *((f"- [ ] on a day {text}", " ", {name: text[2:]}) for name, text in DATES.items()),
    *((f"- [ ] of weight {sign}", " ", {"priority": sign}) for sign in PRIORITIES),
    *((f"- [ ] again 🔁 {rule}", " ", {"recurrence": rule}) for rule in RULES),
    *((f"- [{status}] of status", status, {}) for status in "xX-/>!?"),
    ("- [ ] the first 🆔 dcf64c", " ", {"id": "dcf64c"}),
    ("- [ ] the next ⛔ dcf64c,0h17ye", " ", {"depends": "dcf64c,0h17ye"}),
    ("- [ ] my-own_id 🆔 my-own_id", " ", {"id": "my-own_id"}),
    ("- [ ] let it stay 🏁 keep", " ", {"finish": "keep"}),
    ("- [ ] clean up 🏁 delete", " ", {"finish": "delete"}),
    (
        "- [x] all of it #tag 🆔 ab12cd ⛔ ef34gh 🔼 🔁 every week 🏁 keep ➕ 2026-04-01"
        " 🛫 2026-04-02 ⏳ 2026-04-03 📅 2026-04-04 ✅ 2026-04-06 ^block1",
        "x",
        {
            "id": "ab12cd",
            "depends": "ef34gh",
            "priority": "🔼",
            "recurrence": "every week",
            "finish": "keep",
            "created": "2026-04-01",
            "start": "2026-04-02",
            "scheduled": "2026-04-03",
            "due": "2026-04-04",
            "done": "2026-04-06",
        },
    ),
)


@pytest.mark.parametrize(("line", "status", "fields"), FORMS, ids=[form[0] for form in FORMS])
def test_a_documented_form_is_read_whole_and_written_the_same(
    line: str, status: str, fields: dict[str, str]
) -> None:
    task = parse(line)
    assert task is not None
    assert (task.status, dict(task.fields)) == (status, fields)
    assert not any(sign in task.text for sign in "🆔⛔🔁🏁➕🛫⏳📅❌✅" + PRIORITIES)
    assert render(task) == line
    assert render(replace(task, line="")) == line  # from its parts alone


@pytest.mark.parametrize("lead", ["- ", "* ", "+ ", "1. ", "2) ", "\t- ", "    - ", "  1. "])
def test_every_kind_of_list_item_is_one(lead: str) -> None:
    task = parse(f"{lead}[ ] nested 📅 2026-04-04")
    assert task is not None and task.get("due") == "2026-04-04"
    assert render(task.with_fields(done="2026-04-05")) == (
        f"{lead}[ ] nested 📅 2026-04-04 ✅ 2026-04-05"
    )


def test_a_task_of_parts_is_written_in_the_plugins_order() -> None:
    made = render(Task("in order").with_fields(**{n: t[2:] for n, t in reversed(DATES.items())}))
    signs = [text[0] for text in DATES.values()]
    assert [made.index(sign) for sign in signs] == sorted(made.index(sign) for sign in signs)
