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
    ("words", "title", "name"),
    [
        ("an hour before: The dentist is at 3", "The dentist is (15:00)", "The dentist (15:00)"),
        ("le dentiste est demain", "le dentiste est", "le dentiste"),
        (
            "2026-02-13 09:00 der Zahnarzt ist (2026-02-13 15:00)",
            "der Zahnarzt ist (2026-02-13 15:00)",
            "der Zahnarzt (2026-02-13 15:00)",
        ),
        ("ask where Ana is at 3", "ask where Ana is", "ask where Ana is"),
        ("what is at 3", "what is", "what is"),
        ("is at 3", "is", "is"),
        ("mach es um 3", "mach es", "mach es"),
        ("mach das morgen, da ist es um 3", "mach das, da ist es", "mach das, da ist es"),
        ("la reunión es a las 5", "la reunión es", "la reunión"),
        ("mañana las clases son a las 9", "las clases son", "las clases"),
        ("check the tyres at 3", "check the tyres", "check the tyres"),
        (
            "morgen um 8 nachzusehen, ob die Post da ist",
            "nachzusehen, ob die Post da ist",
            "nachzusehen, ob die Post da ist",
        ),
        ("at 3 to call mum if she is", "call mum if she is", "call mum if she is"),
    ],
)
def test_the_verb_before_a_time_is_no_part_of_a_title(words: str, title: str, name: str) -> None:
    assert without_copula(title, words) == name
