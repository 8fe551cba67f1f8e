"""The answer without a model: what is quoted, and what is claimed."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from bot.turn.fallback import DISTANT, LONGEST, MOST, MOST_DISTANT, NOTHING, SOMETHING, WEAK, answer
from memory.search import Hit
from tests.fakes.rows import row

WHY = "No model is set up (ANTHROPIC_API_KEY)."


def hit(text: str, number: int = 1, **given: Any) -> Hit:
    values: dict[str, Any] = {
        "path": f"notes/{number}.md",
        "start_line": number,
        "end_line": number,
        "heading": f"Note {number}",
        "text": text,
        "date": None,
        "kind": "note",
        "role": None,
        "score": 1.0,
        "chunk_id": number,
        "message_ids": (),
    }
    return Hit(**{**values, **given})


def said(text: str, number: int, role: str = "user") -> Hit:
    return hit(
        text,
        number,
        path="log/2026-02-12",
        kind="message",
        role=role,
        date=date(2026, 2, 12),
        message_ids=(number,),
    )


def test_it_quotes_with_its_sources_and_says_why_it_only_quotes() -> None:
    done = answer(WHY, "Where is the cello?", [hit("The cello is in the attic.", 7)], {})
    assert done.text == f"{WHY} {SOMETHING}\n\n- The cello is in the attic."
    assert done.shown == (
        f"{WHY} {SOMETHING}\n\n- The cello is in the attic. [1]\n\n> [1] Note 7 (notes/7.md:7)"
    )
    assert done.origin == "recall"


@pytest.mark.parametrize("hits", [[], [said("Where is the cello?", 3)]])
def test_a_question_that_was_asked_before_is_no_answer(hits: list[Hit]) -> None:
    done = answer(WHY, "Where is the cello?", hits, {})
    assert done.text == done.shown == f"{WHY} {NOTHING}"
    assert done.sources == ()


def test_what_shares_no_word_is_not_passed_off_as_an_answer() -> None:
    far = [hit(f"It rained on day {n}.", n) for n in range(5)]
    done = answer(WHY, "Where is the cello?", far, {})
    assert DISTANT in done.text and done.text.count("It rained") == MOST_DISTANT
    done = answer(WHY, "Where are my cellos?", [*far, hit("One cello is lent out.", 9)], {})
    assert SOMETHING in done.text and "rained" not in done.text and "lent out" in done.text


def test_what_was_no_question_is_met_only_with_what_is_about_the_same() -> None:
    notes = [hit("What a cat does when it is called.", 1), hit("Miso is a cat.", 2)]
    done = answer(WHY, "Today Miso the cat caught a mouse", notes, {})
    assert done.text == f"{WHY} {NOTHING}"
    done = answer(WHY, "Miso is my old cat", notes, {})
    assert "Miso is a cat." in done.text and "called" not in done.text
    done = answer(WHY, "cat names", notes, {})
    assert "Miso is a cat." in done.text, "a few words are a search"


def test_each_text_is_quoted_once_and_each_source_has_one_number() -> None:
    hits = [
        said("The cello is in the attic.", 3),
        said("the cello  is in the attic.", 4),
        said("My cello is brown.", 5),
        said("Your cello is brown.", 6, "assistant"),
        said("Eve says the cello is hers.", 7),
    ]
    done = answer(WHY, "cello?", hits, {7: row(7, "", origin="forwarded")})
    assert done.text.count("attic") == 1
    assert [s.title for s in done.sources] == [
        "Conversation of 2026-02-12: the owner",
        "Conversation of 2026-02-12: Sam",
        "Conversation of 2026-02-12: not the owner's own words: forwarded",
    ]
    assert "My cello is brown. [1]" in done.shown and "Your cello is brown. [2]" in done.shown


def test_of_a_path_of_headings_the_last_is_named() -> None:
    done = answer(WHY, "cello?", [hit("My cello.", heading="House > Attic", path="house.md")], {})
    assert done.shown.endswith("> [1] Attic (house.md:1)")


def test_it_is_bounded() -> None:
    hits = [hit(f"cello {n} " + "word " * 500, n) for n in range(20)]
    done = answer(WHY, "cello?", hits, {})
    assert done.text.count("\n- ") == MOST
    assert len(done.text) < MOST * (LONGEST + 20) + 200


def test_what_fits_little_is_said_to_and_gives_way_to_what_fits() -> None:
    weak = [hit(f"One cello of {n}.", n, weak=True) for n in range(3)]
    done = answer(WHY, "Where are my cellos?", weak, {})
    assert WEAK in done.text and "One cello of 0." in done.text and SOMETHING not in done.text
    done = answer(WHY, "Where are my cellos?", [*weak, hit("My cello is in the attic.", 7)], {})
    assert SOMETHING in done.text and "attic" in done.text and "One cello" not in done.text


def test_what_held_until_a_day_is_quoted_with_it() -> None:
    old = hit("My cello is in the attic.", 7, until=date(2026, 2, 3))
    done = answer(WHY, "Where is the cello?", [old], {})
    assert done.text.endswith("- My cello is in the attic. (until 2026-02-03)")
