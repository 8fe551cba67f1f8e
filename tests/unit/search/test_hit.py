"""What a hit says of itself."""

from __future__ import annotations

from datetime import date

import pytest

from memory.search import Hit
from memory.text import speaking


@pytest.mark.parametrize(
    ("path", "heading", "section"),
    [
        ("House/Stopcock.md", "Stopcock", ""),
        ("House/Stopcock.md", "stopcock > In winter", "In winter"),
        ("House/Stopcock.md", "tap #water > Stopcock > In winter > Frost", "In winter > Frost"),
        ("2026-02-12.md", "Plumber", "Plumber"),
        ("log/2026-02-12", "", ""),
    ],
)
def test_its_section_leaves_out_the_name_of_the_note(path: str, heading: str, section: str) -> None:
    hit = Hit(path, 1, 1, heading, "text", None, "note", None, 0.5, 1, ())
    assert hit.section == section


def test_what_was_replaced_on_its_own_day_was_never_true() -> None:
    day, later = date(2026, 2, 12), date(2026, 2, 13)
    text = "- The plumber costs 120\n- Tom likes tuna\n- The rent is 960"
    hit = Hit("a.md", 1, 3, "", text, day, "summary", None, 0.5, 1, ())
    assert hit.outdated == "" and hit.dated_text == text
    assert hit._replace(until=day).outdated == "corrected later that day"
    assert hit._replace(until=later).outdated == "until 2026-02-13"
    with speaking("de"):
        rows = hit._replace(past=((0, day), (2, later))).dated_text.split("\n")
    assert rows == [
        "- The plumber costs 120 (noch am selben Tag berichtigt)",
        "- Tom likes tuna",
        "- The rent is 960 (bis 2026-02-13)",
    ]
