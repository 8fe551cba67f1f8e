"""How a line is shown in lists of changes."""

from __future__ import annotations

import pytest

from memory.history.changes import line_text


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("- 2026-02-12: likes tea ^ab12", "2026-02-12: likes tea"),
        ("- Remembered [[MEMORY#^ab12]]", ""),  # the line of MEMORY.md is listed
        ("- Remembered (plan.md) [[Sam/MEMORY#^ab12]]", ""),
        ("- Remembered the milk [[Shop]]", "Remembered the milk [[Shop]]"),
        ("- Kept: ![[Sam/attachments/2026-02-12 plan.pdf]] mine", "Kept: 2026-02-12 plan.pdf mine"),
        ("## 14:30:00", ""),
        ("#recipe more salt", "#recipe more salt"),
        ("#1 is sleep", "#1 is sleep"),
    ],
)
def test_the_text_of_a_line_is_without_markup_and_fields(line: str, text: str) -> None:
    assert line_text(line) == text
