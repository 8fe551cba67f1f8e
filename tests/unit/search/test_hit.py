"""What a hit says of itself."""

from __future__ import annotations

import pytest

from memory.search import Hit


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
