"""Reverting an edit: exact on the text it produced, cautious on a later one."""

from __future__ import annotations

import contextlib
from collections import Counter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from memory.errors import EditRefused
from memory.history.patch import MOST_CHARACTERS, Patch, compare, mark, revert, rows

LINES = st.lists(st.sampled_from(["", "a", "b", "c", "- d ^id1", "- e"]), max_size=8)
TEXTS = st.builds(lambda lines, end: "\n".join(lines) + end, LINES, st.sampled_from(["", "\n"]))


def patch(before: str, after: str) -> Patch:
    found = compare(before, after)
    assert found is not None
    return found


@given(TEXTS, TEXTS)
def test_what_was_edited_is_exactly_what_it_was_before_and_again_what_it_was_after(
    before: str, after: str
) -> None:
    made = patch(before, after)
    assert revert(made, after) == before
    assert revert(made.reversed(), before) == after
    assert made.reversed().reversed() == made


@given(TEXTS, TEXTS, st.lists(st.integers(0, 20), max_size=4))
def test_lines_that_were_written_since_are_all_kept(
    before: str, after: str, places: list[int]
) -> None:
    lines = rows(after)
    mine = [f"mine {number}\n" for number in range(len(places))]
    for place, line in zip(places, mine, strict=True):
        lines.insert(min(place, len(lines)), line)
    now = "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)
    try:
        reverted = revert(patch(before, after), now)
    except EditRefused:
        return
    assert Counter(mine) <= Counter(rows(reverted))
    others = [line for line in rows(reverted) if not line.startswith("mine")]
    assert [line.rstrip("\n") for line in others] == [line.rstrip("\n") for line in rows(before)]


FEW = st.lists(st.sampled_from(["a\n", "a\n", "b\n"]), max_size=7)


@given(FEW, FEW, FEW, FEW, st.data())
def test_of_equal_lines_the_edited_one_changes(
    head: list[str], old: list[str], new: list[str], tail: list[str], data: st.DataObject
) -> None:
    before, after = [*head, *old, *tail], [*head, *new, *tail]
    made = patch("".join(before), "".join(after))
    touched = {n for each in made.hunks for n in range(each.at, each.at + len(each.new) + 1)}
    gaps = sorted({*range(len(after) + 1)} - touched)
    assume(bool(made.hunks) and bool(gaps))
    gap = data.draw(st.sampled_from(gaps))
    moved = sum(len(each.old) - len(each.new) for each in made.hunks if each.at < gap)
    now = [*after[:gap], "mine\n", *after[gap:]]
    wanted = [*before[: gap + moved], "mine\n", *before[gap + moved :]]
    assert revert(made, "".join(now)) == "".join(wanted)


@pytest.mark.parametrize(
    ("before", "after", "now", "wanted"),
    [
        ("x\ny\n", "x\na\ny\n", "x\na\ny\nmine\n", "x\ny\nmine\n"),
        ("z\nx\ny\n", "z\nx\na\ny\n", "z\nx2\na\ny\n", "z\nx2\ny\n"),
        ("x\nold\ny\n", "x\nnew\ny\n", "x\nmine\nnew\nmine\ny\n", "x\nmine\nold\nmine\ny\n"),
        ("x\nold\ny\n", "x\ny\n", "x\nmine\ny\n", "x\nold\nmine\ny\n"),
        ("x\ny\n", "x\na\nb\nc\ny\n", "x\na\nc\ny\n", "x\ny\n"),  # the owner removed b himself
        ("x\ny\n", "x\na\ny\n", "x\ny\n", "x\ny\n"),
        ("x\ny", "x\ny\na", "x\ny\na\nmine", "x\ny\nmine"),
        ("x\ny", "x\ny\na\nb\nc\n", "x\ny\na\nc\n", "x\ny\n"),  # the same, without a last newline
        ("- a (updated:: 2026-01-01) ^a1\n", "", "", "- a (updated:: 2026-01-01) ^a1\n"),
    ],
)
def test_a_later_text_loses_only_the_edit(before: str, after: str, now: str, wanted: str) -> None:
    assert revert(patch(before, after), now) == wanted
    with contextlib.suppress(EditRefused):
        assert revert(patch(before, after), wanted) == wanted, "a second time it changes nothing"


@pytest.mark.parametrize(
    ("before", "after", "now"),
    [
        ("x\nold\ny\n", "x\nnew\ny\n", "x\nmine\ny\n"),
        ("x\nold\ny\n", "x\nnew\ny\n", "x\ny\n"),
        ("x\ny\n", "x\na\nb\ny\n", "x\na\nmine\ny\n"),
        ("x\nold\ny\n", "x\ny\n", "mine\n"),
        ("x\ny", "x\ny\na\nb\n", "x\ny\na\nmine\n"),
        ("x\nold\ny\n", "x\na\nb\ny\n", "x\nold\na\nmine\ny\n"),
    ],
)
def test_lines_of_the_edit_that_were_changed_since_are_refused(
    before: str, after: str, now: str
) -> None:
    with pytest.raises(EditRefused, match="changed since"):
        revert(patch(before, after), now)


def test_a_fact_that_was_said_again_or_pinned_is_the_same_line() -> None:
    line = "- Likes tea (updated:: 2026-02-12) (source:: [[x#^y]]) ^a1"
    again = "- Likes tea (updated:: 2026-03-01) (source:: [[x#^y]]) #sam/pinned ^a1"
    assert mark(line) == mark(again) != mark(line.replace("tea", "coffee"))
    assert revert(patch("", f"{line}\n"), f"- mine\n{again}\n") == "- mine\n"


def test_what_is_too_long_to_compare_is_not_kept() -> None:
    assert compare("", "x\n" * 20_001) is None
    assert compare("", "x" * (MOST_CHARACTERS + 1)) is None
