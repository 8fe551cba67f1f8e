"""Words of tasks: things in a list, and titles."""

from __future__ import annotations

import pytest

from memory.text import things_in, without_copula


@pytest.mark.parametrize(
    ("listed", "things"),
    [
        *[("牛乳と卵", ["牛乳", "卵"]), ("牛乳、卵とパン", ["牛乳", "卵", "パン"])],
        *[("たまごと牛乳", ["たまご", "牛乳"]), ("しょうゆと、みりん", ["しょうゆ", "みりん"])],
        *[("さとう", ["さとう"]), ("ひと口チーズ", ["ひと口チーズ"]), ("もやし", ["もやし"])],
        *[("牛奶，鸡蛋跟面包", ["牛奶", "鸡蛋", "面包"]), ("调和油", ["调和油"])],
    ],
)
def test_things_in_scripts_without_spaces_are_divided(listed: str, things: list[str]) -> None:
    assert things_in(listed) == things


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("The dentist is (15:00)", "The dentist (15:00)"),
        ("le dentiste est", "le dentiste"),
        ("der Zahnarzt ist (2026-02-13 15:00)", "der Zahnarzt (2026-02-13 15:00)"),
        ("ask where Ana is", "ask where Ana is"),
        ("what is", "what is"),
        ("is", "is"),
        ("mach es", "mach es"),
        ("check the tyres", "check the tyres"),
    ],
)
def test_the_verb_before_a_time_is_no_part_of_a_title(title: str, name: str) -> None:
    assert without_copula(title) == name
