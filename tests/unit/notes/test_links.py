"""Links as shown to the owner in a chat: plain words, without brackets and block ids."""

from __future__ import annotations

import pytest

from memory.notes import unlinked


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("Remembered: likes tea [[MEMORY#^ab12cd]]", "Remembered: likes tea"),
        ("Kept: ![[media/2026/plan.png]] the plan", "Kept: plan.png the plan"),
        ("Dinner with [[people/Ana]] today", "Dinner with Ana today"),
        ("As said [[memories/2026-02-12#^b7k2mq|that day]], no", "As said that day, no"),
        ("See [[Flat#Open points]]", "See Flat"),
        ("a [[ is no link", "a [[ is no link"),
    ],
)
def test_the_words_of_a_link_stay_and_its_syntax_goes(line: str, shown: str) -> None:
    assert unlinked(line) == shown
