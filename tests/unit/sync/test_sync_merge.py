"""Sync decisions and three-way text merges, by tables and properties. Pure."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import SyncError
from bot.sync.merge import Conflict
from bot.sync.merge.lines import Merged, merge
from bot.sync.plan import (
    SyncAction,
    check_not_empty,
    check_not_mostly_gone,
    decide,
    is_joining,
    renamed,
)

A = SyncAction


@pytest.mark.parametrize(
    ("base", "live", "remote", "action"),
    [
        (None, None, None, A.FORGET),
        ("1", None, None, A.FORGET),
        ("1", "1", "1", A.AGREE),
        ("1", "2", "2", A.AGREE),
        (None, "1", "1", A.AGREE),
        ("1", "1", "2", A.TAKE),
        (None, None, "1", A.TAKE),
        ("1", None, "2", A.TAKE),  # deleted here, edited there: the edit wins
        ("1", "2", "1", A.PUSH),
        (None, "1", None, A.PUSH),
        ("1", "2", None, A.PUSH),  # deleted there, edited here: the edit wins
        ("1", "1", None, A.ARCHIVE),
        ("1", None, "1", A.REMOVE),
        ("1", "2", "3", A.MERGE),
        (None, "1", "2", A.MERGE),
    ],
)
def test_each_case_has_its_action(
    base: str | None, live: str | None, remote: str | None, action: SyncAction
) -> None:
    assert decide(base, live, remote) is action


def test_no_case_loses_a_text() -> None:
    for base, live, remote in product((None, "1", "2", "3"), repeat=3):
        action = decide(base, live, remote)
        if action is A.TAKE:  # over a live text: only a version that the remote has had
            assert live in (None, base) and remote
        if action is A.PUSH:
            assert remote in (None, base) and live
        if action is A.ARCHIVE:
            assert live == base and remote is None
        if action is A.REMOVE:
            assert remote == base and live is None
        if action is A.FORGET:
            assert live is None and remote is None


def test_a_renamed_file_is_known_by_its_content() -> None:
    base = {"a": "1", "b": "2", "c": "2"}
    remote = {"x": "1", "y": "2", "z": "9"}
    actions = {"a": A.ARCHIVE, "b": A.ARCHIVE, "c": A.ARCHIVE, "x": A.TAKE, "y": A.TAKE}
    actions["z"] = A.TAKE
    assert renamed(actions, base, remote) == {"a": "x", "b": "y"}
    assert renamed({"a": A.ARCHIVE, "b": A.TAKE}, base, {"b": "1"}) == {}


def test_a_side_that_lost_everything_stops_the_sync() -> None:
    check_not_empty("The remote", {}, {})
    check_not_empty("The remote", {"a": "1"}, {"b": "1"})
    with pytest.raises(SyncError, match="The remote is empty, and 2 files were there"):
        check_not_empty("The remote", {"a": "1", "b": "1"}, {})


def test_a_side_that_lost_most_of_many_files_stops_the_sync() -> None:
    many = {str(number): "1" for number in range(20)}
    check_not_mostly_gone("The vault", many, dict(list(many.items())[:10]))
    few = dict(list(many.items())[:9])
    with pytest.raises(SyncError, match="The vault has 9 of the 20 files of the last sync"):
        check_not_mostly_gone("The vault", many, few)


def test_only_two_sides_with_something_of_their_own_are_asked_about() -> None:
    assert not is_joining({"a": A.PUSH, "b": A.AGREE}, [])
    assert not is_joining({"a": A.TAKE, "b": A.AGREE}, [])
    assert not is_joining({"soul.md": A.PUSH, "b": A.TAKE}, ["soul.md"])
    assert is_joining({"a": A.PUSH, "b": A.TAKE}, [])
    assert is_joining({"a": A.MERGE}, [])


def lines(text: str) -> str:
    """Return `a b c` as three lines."""
    return "".join(f"{word}\n" for word in text.split())


@pytest.mark.parametrize(
    ("base", "mine", "theirs", "result", "conflicts"),
    [
        ("a b c", "a b c", "a b c", "a b c", 0),
        ("a b c", "a X c", "a b c", "a X c", 0),
        ("a b c", "a b c", "a Y c", "a Y c", 0),
        ("a b c", "a X c", "a X c", "a X c", 0),
        ("a b c d e", "X b c d e", "a b c d Y", "X b c d Y", 0),
        ("a b c", "a c", "a b c d", "a c d", 0),
        ("a", "a X", "a Y", "a Y X", 0),  # both added: the owner's first
        ("a", "a X Y", "a X Y Z", "a X Y Z", 0),
        ("a", "a X Y Z", "a X", "a X Y Z", 0),
        ("", "X", "Y", "Y X", 0),
        ("a b", "X b", "a Y", "X Y", 0),  # adjacent lines, one changed on each side
        ("a b c", "a X c", "a Y c", "a Y c", 1),
        ("a b c d e f g", "X b c d e f g2", "Y b c d e f g", "Y b c d e f g2", 1),
        ("a b c", "a c", "a Y c", "a Y c", 0),  # an edit beats a deletion
        ("a b c", "a Y c", "a c", "a Y c", 0),
        ("a b c d e", "X b c d Z", "Y b c d W", "Y b c d W", 2),
        (None, "a b X", "a b Y", "a b Y X", 0),
        (None, "h 1 2", "h 3", "h 3 1 2", 0),
    ],
)
def test_texts_are_joined_line_by_line(
    base: str | None, mine: str, theirs: str, result: str, conflicts: int
) -> None:
    past = None if base is None else lines(base)
    joined = merge(past, lines(mine), lines(theirs), human=True)
    assert (joined.text.split(), len(joined.conflicts)) == (result.split(), conflicts)


def test_in_a_conflict_the_other_sides_lines_are_handed_back_with_their_place() -> None:
    three = lines("a b c"), lines("a X c d"), lines("a Y c")
    assert merge(*three) == Merged(("a\n", "X\n", "c\n", "d\n"), (Conflict(2, ("Y\n",)),))
    assert merge(*three, human=True).conflicts == (Conflict(2, ("X\n",)),)


def test_a_last_line_without_a_newline_does_not_swallow_the_next() -> None:
    assert merge("a\n", "a\nmine\n", "a\ntheirs").text == "a\ntheirs\nmine\n"
    assert merge("a\n", "a\nmine", "a\ntheirs").text == "a\ntheirs\nmine"


def test_a_day_on_both_sides_keeps_the_sections_of_both() -> None:
    head = "# Memories — 2026-02-12\n"
    old = "\n## 09:00:00\n\n- **Summary**: Breakfast ^aaa111\n- Eggs\n"
    mine = "\n## 10:00:00\n\n- **Summary**: Work ^bbb222\n- Deadline\n"
    theirs = "\n## 11:00:00\n\nMy own thought.\n"
    joined = merge(head + old, head + old + mine, head + old + theirs)
    assert not joined.conflicts
    assert joined.text == head + old + theirs + mine
    new = merge(None, head + mine, head + theirs)
    assert not new.conflicts
    assert sorted(new.text.split()) == sorted((head + mine + theirs).split())


def test_what_is_too_long_to_compare_is_a_conflict() -> None:
    long = "x\n" * 20_001
    assert merge("", long, "y\n") == Merged(("y\n",), whole=True)


words = st.lists(st.sampled_from("abcdexyz"), max_size=8).map(lambda found: lines(" ".join(found)))


@given(words, words, words)
def test_nothing_that_was_added_gets_lost(base: str, mine: str, theirs: str) -> None:
    joined = merge(base, mine, theirs)
    got = joined.text.split()
    assert merge(base, base, theirs).text == theirs
    assert merge(base, mine, base).text == mine
    assert merge(base, mine, mine).text == mine
    known = base.split()
    got += [word for conflict in joined.conflicts for word in "".join(conflict.lines).split()]
    for word in {*theirs.split(), *mine.split()} - set(known):
        assert word in got


@given(st.text("ab\n", max_size=12), st.text("ab\n", max_size=12), st.text("ab\n", max_size=12))
def test_texts_without_a_last_newline_are_joined_too(base: str, mine: str, theirs: str) -> None:
    assert merge(base, base, theirs).text == theirs
    assert merge(base, mine, base).text == mine


@given(words, words, words)
def test_joining_again_after_a_crash_changes_nothing(base: str, mine: str, theirs: str) -> None:
    """The merged text is in the vault, but the remote has not received it yet."""
    joined = merge(base, mine, theirs)
    if not joined.conflicts:
        assert merge(theirs, joined.text, theirs).text == joined.text
