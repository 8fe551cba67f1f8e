"""Fact lines round-trip byte for byte, and are changed one at a time."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.notes import fact as facts
from memory.notes.fact import Fact, parse, render

TODAY = date(2026, 11, 21)
LINE = (
    "- Prefers pytest over unittest (updated:: 2026-02-12) "
    "(source:: [[memories/2026-02-12#^b7k2mq]]) (expires:: 2026-12-01) (confidence:: 0.9) "
    "(stability:: volatile) (supersedes:: [[archive/preference#^f3a1b2]]) "
    "#sam/sensitive #sam/pinned ^f7k2mx"
)


def read(line: str) -> Fact:
    fact = parse(line)
    assert fact is not None
    return fact


def test_a_fact_is_read() -> None:
    fact = read(LINE)
    assert fact.text == "Prefers pytest over unittest"
    assert (fact.id, fact.updated, fact.expires) == ("f7k2mx", date(2026, 2, 12), date(2026, 12, 1))
    assert (fact.confidence, fact.stability) == (0.9, "volatile")
    assert fact.get("source") == "[[memories/2026-02-12#^b7k2mq]]"
    assert fact.get("supersedes") == "[[archive/preference#^f3a1b2]]"
    assert fact.sensitive and fact.pinned and not fact.superseded


def test_both_brackets_and_odd_values_are_read() -> None:
    fact = read("* Likes tea [updated:: soon] (confidence:: 9) (mood:: good) [stability:: never]")
    assert (fact.text, fact.updated, fact.confidence, fact.stability) == ("Likes tea",) + (
        None,
    ) * 3
    assert fact.get("mood") == "good"
    assert not fact.sensitive and not fact.pinned
    assert read("- x (privacy:: sealed)").sensitive


@pytest.mark.parametrize(
    "line", ["", "words", "# Head", "- ", "- [ ] task", "  - [x] task", "-", "- ^abc", "- (a:: b)"]
)
def test_what_is_no_fact(line: str) -> None:
    assert parse(line) is None


PIECES = (
    "- |* |  - |words |(updated:: 2026-02-12) |[expires:: x] |(a:: b (c)) |((|[[n#^x]] |"
    "#sam/pinned |#tag | ^abc123|  |\t|`(a:: b)` |\r|é中\xa0|\\[ |(Due Date:: 1)"
)


@settings(max_examples=500, deadline=None)
@given(
    st.lists(st.sampled_from(PIECES.split("|")), max_size=10).map("".join) | st.text(max_size=40)
)
def test_lines_round_trip_byte_for_byte(line: str) -> None:
    fact = parse(line)
    if fact is not None:
        assert render(fact) == line


WORDS = st.text(alphabet="abc é中\\#", min_size=1).map(str.strip).filter(bool)


@settings(max_examples=200, deadline=None)
@given(WORDS, st.dates(), st.none() | st.dates(), st.none() | st.sampled_from([0, 0.25, 1.0]))
def test_new_facts_are_read_as_they_were_written(
    text: str, updated: date, expires: date | None, confidence: float | None
) -> None:
    fact = facts.new(text, id="f7k2mx", updated=updated, expires=expires, confidence=confidence)
    again = read(render(fact))
    assert again == fact
    assert (again.updated, again.expires, again.confidence) == (updated, expires, confidence)


def test_chat_text_makes_no_fields() -> None:
    fact = facts.new("x (expires:: 2020-01-01) #sam/pinned [[a]] ^fake12", id="f7k2mx")
    again = read(render(fact))
    assert (again.id, again.fields, again.pinned) == ("f7k2mx", (), False)
    with pytest.raises(ValueError, match="colour"):
        facts.new("x", id="a", colour="red")


def test_a_change_keeps_what_it_does_not_know() -> None:
    fact = read("  * Likes tea [mood:: good] (updated:: 2026-02-12) #food ^f7k2mx\r")
    changed = fact.with_field("updated", TODAY).with_field("confidence", 0.5)
    assert render(changed) == (
        "  * Likes tea #food (updated:: 2026-11-21) (confidence:: 0.5) [mood:: good] ^f7k2mx\r"
    )
    assert render(changed.with_field("confidence", None).with_field("mood", None)) == (
        "  * Likes tea #food (updated:: 2026-11-21) ^f7k2mx\r"
    )
    assert render(replace(fact, text="Likes coffee")) == (
        "  * Likes coffee [mood:: good] (updated:: 2026-02-12) ^f7k2mx\r"
    )


def test_when_a_fact_is_active_and_which_problems_it_has() -> None:
    fact = read(LINE)
    assert facts.active(fact, date(2026, 11, 30)) and not facts.active(fact, date(2026, 12, 1))
    assert not facts.active(read("- x (superseded_by:: [[y#^z]])"), TODAY)
    assert facts.problems(fact, "fact") == []
    assert len(facts.problems(read("- x (confidence:: 0.5)"), "rule")) == 2
    assert facts.problems(read("- x (confidence:: 0.8) (evidence:: [[a]])"), "rule") == []


def test_the_lines_of_a_note_of_kind_log_are_lines_of_the_log() -> None:
    line = "- Ran (stability:: volatile)\n"
    assert facts.violations(line, "fact") == [(1, "A volatile fact needs `expires`.")]
    assert facts.violations(f"---\nkind: log\n---\n{line}", "fact") == []


FIRST = date(2026, 1, 1)
ENDS = st.sampled_from(["", "expires", "superseded", "superseded_by"])


@given(
    st.lists(st.tuples(ENDS, st.integers(0, 40), st.sampled_from(["()", "[]"])), max_size=4),
    st.integers(0, 40),
)
def test_active_agrees_with_a_naive_model(marks: list[tuple[str, int, str]], asked: int) -> None:
    """The model goes from day to day, and removes the line on its first end date."""
    line, struck, first_end = "- Rents a boat", False, None
    for key, day, brackets in marks:
        at = FIRST + timedelta(days=day)
        line += f" {brackets[0]}{key or 'note'}:: {at}{brackets[1]}"
        struck = struck or key.startswith("superseded")
        if key == "expires" and first_end is None:  # the first of several counts
            first_end = at
    alive = not struck
    for day in range(asked + 1):
        alive = alive and FIRST + timedelta(days=day) != first_end
    found = parse(line)
    assert found is not None
    assert facts.active(found, FIRST + timedelta(days=asked)) is alive
