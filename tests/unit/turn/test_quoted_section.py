"""The extractive answer without a model, from a section of a day's note."""

from __future__ import annotations

from datetime import date
from typing import Any

from bot.turn.fallback import extract
from memory.search import Hit
from memory.search.candidates.query import OF_PERIOD

DAY, TODAY = date(2026, 2, 12), date(2026, 2, 14)
BULLETS = [
    "**Summary**: The tiles from Porto cost 34 euros. (extracted without a model)",
    "The plumber comes on Thursday and brings a boiler valve.",
    "The tiles from Porto cost 43 euros.\n  They are blue.",
    "Miso got her vaccination at Dr. Lopes.",
]


def section(**given: Any) -> Hit:
    text = "\n".join(f"- {each}" for each in BULLETS)
    values: dict[str, Any] = {
        "path": "memories/2026-02-12.md",
        "start_line": 3,
        "end_line": 7,
        "heading": "Memories — 2026-02-12 > 21:10:06",
        "text": text,
        "date": DAY,
        "kind": "summary",
        "role": None,
        "score": 1.0,
        "chunk_id": 1,
        "message_ids": (),
    }
    return Hit(**{**values, **given})


def test_only_the_bullet_that_answers_is_quoted_with_the_note_as_its_source() -> None:
    done = extract("What do the tiles cost?", [section()], {}, TODAY).done
    assert done.text == (
        "Noted on Thursday:\n\nThe tiles from Porto cost 43 euros.\n  They are blue."
    )
    assert done.shown.endswith("> [1] Memories — 2026-02-12, 21:10:06 (memories/2026-02-12.md:3-7)")


def test_a_day_that_is_asked_for_is_quoted_whole() -> None:
    done = extract("What was on Thursday?", [section(score=OF_PERIOD)], {}, TODAY).done
    assert "plumber" in done.text and "Miso" in done.text


def test_a_section_without_a_word_of_the_question_is_quoted_whole() -> None:
    done = extract("Who is the vet?", [section()], {}, TODAY).done
    assert "plumber" in done.text and "Miso" in done.text
