"""Merge two versions of a note: tasks, facts, sections, properties, conflicts. Pure."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.sync.merge import merge_note

TITLE = "Sync conflict, 12 Feb 14:31, from the remote"
HEAD = f"> [!warning]- {TITLE}\n"
DAY = "# Memories — 2026-02-12\n"


def joined(base: str | None, mine: str, theirs: str, **given: bool) -> str:
    return merge_note(base, mine, theirs, title=TITLE, **given).text


# ── tasks ────────────────────────────────────────────────────────────────────────────────────

RENT = "- [ ] Pay the rent 🆔 k3v9ad ➕ 2026-02-01 📅 2026-02-12"


@pytest.mark.parametrize("swapped", [False, True])
def test_a_task_that_one_side_has_twice_stays_twice(swapped: bool) -> None:
    base, one, other = f"{DAY}\nan end\n", f"{DAY}{RENT}\n{RENT}\n\nan end\n", f"{DAY}\nthe end\n"
    got = joined(base, other, one) if swapped else joined(base, one, other)
    assert got == f"{DAY}{RENT}\n{RENT}\n\nthe end\n"


def test_where_one_side_changed_nothing_there_is_no_conflict() -> None:
    for base, mine, theirs in (("a\n", "a\n", "b\n"), ("a\n", "b\n", "a\n"), ("a\n", "b\n", "b\n")):
        merged = merge_note(base, mine, theirs, title=TITLE)
        assert (merged.text, merged.conflicts) == ("b\n", 0)


@pytest.mark.parametrize(
    ("mine", "theirs", "result"),
    [
        (  # ticked here, another day there
            "- [x] Pay the rent 🆔 k3v9ad ➕ 2026-02-01 📅 2026-02-12 ✅ 2026-02-11",
            "- [ ] Pay the rent 🆔 k3v9ad ➕ 2026-02-01 📅 2026-02-20",
            "- [x] Pay the rent 🆔 k3v9ad ➕ 2026-02-01 📅 2026-02-20 ✅ 2026-02-11",
        ),
        (  # a priority here, other words there
            "- [ ] Pay the rent 🆔 k3v9ad ⏫ ➕ 2026-02-01 📅 2026-02-12",
            "- [ ] Pay rent and power 🆔 k3v9ad ➕ 2026-02-01 📅 2026-02-12",
            "- [ ] Pay rent and power 🆔 k3v9ad ⏫ ➕ 2026-02-01 📅 2026-02-12",
        ),
        (  # done on both sides, on two days
            "- [x] Pay the rent 🆔 k3v9ad ➕ 2026-02-01 📅 2026-02-12 ✅ 2026-02-11",
            "- [x] Pay the rent 🆔 k3v9ad ➕ 2026-02-01 📅 2026-02-12 ✅ 2026-02-12",
            "- [x] Pay the rent 🆔 k3v9ad ➕ 2026-02-01 📅 2026-02-12 ✅ 2026-02-11",
        ),
        (  # a field taken away here, the line indented there
            "- [ ] Pay the rent 🆔 k3v9ad ➕ 2026-02-01",
            f"    {RENT}",
            "    - [ ] Pay the rent 🆔 k3v9ad ➕ 2026-02-01",
        ),
    ],
)
def test_a_task_is_joined_by_its_fields(mine: str, theirs: str, result: str) -> None:
    other = "- [ ] Call Ana 🆔 a1b2c3\n"
    base = f"# Tasks\n\n{RENT}\n{other}"
    got = joined(base, base.replace(RENT, mine), base.replace(RENT, theirs))
    assert got == base.replace(RENT, result)


def test_both_sides_may_change_one_field_of_a_task_and_both_days_are_kept() -> None:
    base = f"# Tasks\n\n{RENT}\n"
    got = joined(base, base.replace("02-12", "02-13"), base.replace("02-12", "02-14"))
    quoted = RENT.replace("02-12", "02-14").replace("[ ]", "\\[ ]")
    assert got == f"# Tasks\n\n{RENT.replace('02-12', '02-13')}\n\n{HEAD}> {quoted}\n"


def test_a_task_moved_here_and_ticked_there_is_once_and_done() -> None:
    base = f"# Tasks\n\n{RENT}\n- [ ] Call Ana 🆔 a1b2c3\n\n## Later\n\n- [ ] Sleep 🆔 zzzzzz\n"
    moved = base.replace(f"{RENT}\n", "") + f"{RENT}\n"
    got = joined(base, moved, base.replace("- [ ] Pay", "- [x] Pay"))
    assert got == moved.replace("- [ ] Pay", "- [x] Pay")
    twice = joined(base, moved, base.replace(f"{RENT}\n", "").replace("# Tasks\n", f"{RENT}\n"))
    assert twice.count("k3v9ad") == 1


def test_a_task_without_an_id_is_known_by_its_words() -> None:
    base = "- [ ] Call Ana\n- [ ] Sleep\n"
    got = joined(
        base,
        "- [x] Call Ana ✅ 2026-02-12\n- [ ] Sleep\n",
        base.replace("Ana", "Ana 📅 2026-03-01"),
    )
    assert got == "- [x] Call Ana 📅 2026-03-01 ✅ 2026-02-12\n- [ ] Sleep\n"


def test_an_edit_of_a_task_beats_its_deletion() -> None:
    base = f"{RENT}\n- [ ] Sleep 🆔 zzzzzz\n"
    changed = base.replace("02-12", "02-20")
    assert joined(base, "- [ ] Sleep 🆔 zzzzzz\n", changed) == changed
    assert joined(base, changed, "- [ ] Sleep 🆔 zzzzzz\n") == changed
    assert joined(base, "- [ ] Sleep 🆔 zzzzzz\n", base) == "- [ ] Sleep 🆔 zzzzzz\n"


def test_tasks_in_a_fence_are_text() -> None:
    base = f"```\n{RENT}\n```\n{RENT}\n"
    got = joined(base, base + "- [ ] a\n", "b\n" + base)
    assert got == "b\n" + base + "- [ ] a\n"


@pytest.mark.parametrize(("sign", "mark"), [("x", "✅"), ("-", "❌")])
def test_a_task_that_is_open_again_has_no_day_of_its_end(sign: str, mark: str) -> None:
    """One side corrected its completion date, the other reopened it."""
    base = f"- [{sign}] Pay 🆔 k3v9ad {mark} 2026-02-11\n"
    mended, again = base.replace("02-11", "02-12"), "- [ ] Pay 🆔 k3v9ad\n"
    assert joined(base, mended, again) == again
    assert joined(base, again, mended) == again


STATES = st.sampled_from(
    [
        "- [ ] Pay 🆔 k3v9ad",
        "- [x] Pay 🆔 k3v9ad ✅ 2026-02-12",
        "- [-] Pay 🆔 k3v9ad ❌ 2026-02-12",
        "- [ ] Pay 🆔 k3v9ad 📅 2026-02-12",
        "- [/] Pay more 🆔 k3v9ad",
        "",
    ]
)
PLACES = st.integers(0, 2)


@given(base=STATES, mine=STATES, theirs=STATES, places=st.tuples(PLACES, PLACES, PLACES))
def test_a_task_is_never_done_and_open(
    base: str, mine: str, theirs: str, places: tuple[int, int, int]
) -> None:
    def text(line: str, place: int) -> str:
        rows = ["- [ ] one 🆔 aaaaaa", "- [ ] two 🆔 bbbbbb"]
        return "".join(f"{row}\n" for row in [*rows[:place], *filter(None, [line]), *rows[place:]])

    got = joined(*(text(*one) for one in zip((base, mine, theirs), places, strict=True)))
    boxes = [row for row in got.split("\n") if row.startswith("- [") and "k3v9ad" in row]
    assert len(boxes) <= 1
    assert got.count("aaaaaa") == got.count("bbbbbb") == 1
    if mine and theirs and mine != base != theirs and "[x]" in mine + theirs:
        assert boxes[0].startswith("- [x]") or "[-]" in boxes[0]


# ── facts ────────────────────────────────────────────────────────────────────────────────────


def test_a_fact_is_joined_by_its_fields_in_knowledge_alone() -> None:
    base = "- Lives in Rome (updated:: 2026-01-01) (confidence:: 0.8) ^f7k2mx\n"
    mine = base.replace("0.8", "0.9").replace("2026-01-01", "2026-02-01")
    theirs = base.replace("Rome", "Lisbon").replace("2026-01-01", "2026-01-15")
    got = joined(base, mine, theirs, knowledge=True)
    assert got == "- Lives in Lisbon (updated:: 2026-02-01) (confidence:: 0.9) ^f7k2mx\n"
    assert HEAD in joined(base, mine, theirs)


def test_of_two_new_words_of_a_fact_both_are_kept() -> None:
    base = "- Lives in Rome ^f7k2mx\n- Likes tea ^f00000\n"
    got = joined(
        base, base.replace("Rome", "Lisbon"), base.replace("Rome", "Porto"), knowledge=True
    )
    assert got == (
        f"- Lives in Lisbon ^f7k2mx\n- Likes tea ^f00000\n\n{HEAD}> - Lives in Porto \\^f7k2mx\n"
    )


def test_a_sensitive_fact_stays_so() -> None:
    base = "- Is ill #sam/sensitive ^f7k2mx\n"
    got = joined(
        base, "- Is ill ^f7k2mx\n", "- Is very ill #sam/sensitive ^f7k2mx\n", knowledge=True
    )
    assert got == "- Is very ill #sam/sensitive ^f7k2mx\n"


def test_a_fact_that_both_sides_made_less_sensitive_is_so() -> None:
    base = "- Is ill #sam/sensitive ^f7k2mx\n"
    got = joined(base, "- Is ill ^f7k2mx\n", "- Is very ill ^f7k2mx\n", knowledge=True)
    assert got == "- Is very ill ^f7k2mx\n"


def test_a_tag_that_one_side_took_away_goes_and_a_new_one_comes() -> None:
    base = "- Is ill #sam/pinned ^f7k2mx\n"
    mine = "- Is ill #sam/sensitive ^f7k2mx\n"
    theirs = "- Is very ill #sam/pinned ^f7k2mx\n"
    got = joined(base, mine, theirs, knowledge=True)
    assert got == "- Is very ill #sam/sensitive ^f7k2mx\n"


# ── sections ─────────────────────────────────────────────────────────────────────────────────


def section(at: str, word: str) -> str:
    return f"\n## {at}\n\n- {word} ^{word}\n"


def test_sections_of_both_sides_stand_in_the_order_of_time() -> None:
    base = DAY + section("09:00:00", "nine")
    mine = base + section("10:00:00", "ten") + section("14:00:00", "two")
    theirs = DAY + section("08:00:00", "eight") + section("09:00:00", "nine")
    theirs += section("12:00:00", "noon")
    whole = section("08:00:00", "eight") + section("09:00:00", "nine") + section("10:00:00", "ten")
    whole += section("12:00:00", "noon") + section("14:00:00", "two")
    for past in (base, None):
        got = merge_note(past, mine, theirs, title=TITLE)
        assert (got.text, got.conflicts) == (DAY + whole, 0)


def test_two_sections_of_one_time_both_stand() -> None:
    got = joined(DAY, DAY + section("10:00:00", "mine"), DAY + section("10:00:00", "theirs"))
    assert got == DAY + section("10:00:00", "theirs") + section("10:00:00", "mine")


def test_a_section_without_a_last_newline_swallows_none_and_is_not_swallowed() -> None:
    mine, theirs = section("10:00:00", "ten"), section("12:00:00", "noon")
    assert joined(DAY, DAY + mine.rstrip("\n"), DAY + theirs) == DAY + mine + theirs
    mine = section("14:00:00", "two")
    for ours in (mine, mine.rstrip("\n")):
        assert joined(DAY, DAY + ours, DAY + theirs.rstrip("\n")) == DAY + theirs + mine


def test_headings_below_the_sections_end_none() -> None:
    """A section of a day may contain headings, and moves as a whole."""
    ten = section("10:00:00", "ten") + "\n### More\n\n- even more\n"
    noon = section("12:00:00", "noon")
    assert joined(DAY, DAY + ten, DAY + noon) == DAY + ten + noon


# ── properties ───────────────────────────────────────────────────────────────────────────────


def test_front_matter_is_compared_by_value() -> None:
    base = "---\ntags: [a, b]\ntimezone: Europe/Rome\n---\ntext\n"
    mine = base.replace("Rome", "Lisbon")
    theirs = '---\ntags:\n  - a\n  - b\ntimezone: "Europe/Rome"\nname: Ana\n---\ntext\n'
    got = merge_note(base, mine, theirs, title=TITLE)
    assert got.text == "---\ntags:\n  - a\n  - b\ntimezone: Europe/Lisbon\nname: Ana\n---\ntext\n"
    assert got.conflicts == 0


def test_a_property_that_both_changed_is_kept_twice() -> None:
    base = "---\nmood: fine\n---\n# One\n\ntext\n\n# Two\n"
    got = joined(base, base.replace("fine", "good"), base.replace("fine", "bad"))
    assert got == f"---\nmood: good\n---\n\n{HEAD}> mood: bad\n\n# One\n\ntext\n\n# Two\n"


def test_a_property_taken_away_here_stays_away_and_one_changed_there_stays() -> None:
    base = "---\na: 1\nb: 2\n---\ntext\n"
    assert joined(base, base.replace("a: 1\n", ""), base + "x\n") == "---\nb: 2\n---\ntext\nx\n"
    got = joined(base, base.replace("a: 1\n", ""), base.replace("a: 1", "a: 9"))
    assert got == "---\na: 9\nb: 2\n---\ntext\n"


def test_of_two_forms_of_one_value_the_owners_newer_one_stands() -> None:
    base = "---\ntags: [a, b]\n---\ntext\n"
    other = "---\ntags:\n  - a\n  - b\n---\ntext\n"
    assert joined(base, other.replace("text", "mine"), base + "x\n").startswith(other[:-5])
    assert joined(base, base.replace("text", "mine"), other + "x\n").startswith(other[:-5])


def test_broken_front_matter_is_joined_line_by_line() -> None:
    base = "---\na: [1\n---\none\ntwo\nthree\n"
    assert joined(base, base + "mine\n", base.replace("one", "ONE")) == (
        base.replace("one", "ONE") + "mine\n"
    )


# ── conflicts ────────────────────────────────────────────────────────────────────────────────


def test_a_line_that_both_changed_stands_twice_the_other_behind_its_section() -> None:
    base = "# One\n\nshared ^abc123\n\nend\n\n# Two\n\nlast\n"
    mine = base.replace("shared", "Sam's")
    theirs = base.replace("shared ^abc123", "- [ ] the owner's ^abc123")
    got = merge_note(base, mine, theirs, title=TITLE)
    callout = f"{HEAD}> - \\[ ] the owner's \\^abc123\n"
    assert got.text == mine.replace("end\n", f"end\n\n{callout}")
    assert (got.conflicts, got.gone) == (1, False)
    again = merge_note(base, got.text, theirs, title=TITLE.replace("31", "40"))
    assert again.text == got.text  # done again after a crash
    assert merge_note(theirs, got.text, theirs, title=TITLE).text == got.text


def test_a_conflict_stays_behind_its_section_where_a_line_goes_that_was_there_twice() -> None:
    """A task moved by both sides first occurs twice, and one of the two is removed."""
    task = "- [ ] Pay 🆔 k3v9ad\n"
    base = f"# One\n{task}a\n# Two\nb\n# Three\nc\n"
    mine = f"# One\na\n# Two\nB\n# Three\n{task}c\n"
    theirs = f"{task}# One\na\n# Two\nbb\n# Three\nc\n"
    got = joined(base, mine, theirs)
    assert got.count("k3v9ad") == 1
    assert f"# Two\nB\n\n{HEAD}> bb\n\n# Three\n" in got


def test_a_conflict_stays_before_a_section_that_is_put_right_behind_it() -> None:
    nine = section("09:00:00", "nine")
    mine = DAY + nine.replace("- nine", "- nine, here") + "## 10:00:00\n\n- ten ^ten\n"
    theirs = DAY + nine.replace("- nine", "- nine, there") + "## 12:00:00\n\n- noon ^noon\n"
    got = joined(DAY + nine, mine, theirs)
    head, _, behind = got.partition("## 10:00:00")
    assert f"- nine, here ^nine\n\n{HEAD}> - nine, there" in head
    assert behind == "\n\n- ten ^ten\n"


def test_each_conflict_is_told_in_its_own_section() -> None:
    base = "# One\n\na\n\n# Two\n\nb"
    mine, theirs = (
        base.replace("a", "A").replace("b", "B"),
        base.replace("a", "á").replace("b", "ƀ"),
    )
    got = joined(base, mine, theirs)
    assert got == f"# One\n\nA\n\n{HEAD}> á\n\n# Two\n\nB\n\n{HEAD}> ƀ\n"


def test_texts_of_too_many_lines_are_not_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.sync.merge.lines.MOST_LINES", 3)
    got = merge_note("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n", title=TITLE)
    assert (got.text, got.conflicts, got.gone, got.apart) == ("A\nb\nC\n", 0, False, False)
    for mine, theirs in (("A\nb\nc\nd\n", "a\nb\nC\n"), ("A\nb\nc\n", "a\nb\nc\nd\n")):
        got = merge_note("a\nb\nc\n", mine, theirs, title=TITLE)
        assert (got.text, got.conflicts, got.gone, got.apart) == (theirs, 1, True, True)


def test_in_the_owners_own_files_the_humans_line_stands() -> None:
    base = "I am kind.\n\nI am brief.\n\nend\n"
    got = merge_note(
        base, base.replace("kind", "curt"), base.replace("kind", "warm"), title=TITLE, human=True
    )
    assert (got.text, got.gone) == (base.replace("kind", "warm"), True)


@pytest.mark.parametrize(
    ("base", "mine", "theirs"),
    [
        (
            "---\ntimezone: Europe/Berlin\nlanguage: de\n---\n# User\n",
            ("Berlin", "Paris"),
            ("Europe/Berlin", "Asia/Tokyo"),
        ),
        ("- [ ] tea 🆔 tea001\n", ("tea 🆔", "green tea 🆔"), ("tea 🆔", "black tea 🆔")),
    ],
)
def test_of_a_property_or_task_that_both_changed_the_humans_stands(
    base: str, mine: tuple[str, str], theirs: tuple[str, str]
) -> None:
    owners = base.replace(*theirs)
    got = merge_note(base, base.replace(*mine), owners, title=TITLE, human=True)
    assert (got.text, got.conflicts, got.gone) == (owners, 1, True)


def test_what_stands_in_a_callout_has_no_power() -> None:
    base = "x\n"
    theirs = "# Head\n- [x] done 🆔 k3v9ad\n* [ ] open\n1. [ ] first ^b00000\n```\n> - [ ] quoted\n"
    got = joined(base, "mine\n", theirs)
    assert got == (
        f"mine\n\n{HEAD}> \\# Head\n> - \\[x] done 🆔 k3v9ad\n> * \\[ ] open\n"
        "> 1. \\[ ] first \\^b00000\n> \\```\n> - \\[ ] quoted\n"
    )


_WORDS = """a|b|- [ ] c 🆔 cccccc|- [x] c 🆔 cccccc|- d ^dddddd|- dd ^dddddd|# H||---|k: 1|k: 2
## 10:00:00|## 11:00:00"""
WORDS = st.sampled_from(re.split(r"[|\n]", _WORDS))
TEXTS = st.lists(WORDS, max_size=9).map(lambda rows: "".join(f"{row}\n" for row in rows))


@given(TEXTS, TEXTS, TEXTS, st.booleans(), st.booleans())
def test_one_side_alone_is_taken_as_it_is(
    base: str, mine: str, theirs: str, human: bool, knowledge: bool
) -> None:
    how = {"human": human, "knowledge": knowledge}
    assert joined(base, base, theirs, **how) == theirs
    assert joined(base, mine, base, **how) == mine
    assert joined(base, mine, mine, **how) == mine


@given(TEXTS, TEXTS, st.lists(st.sampled_from("uvwxyz"), max_size=5, unique=True), st.data())
def test_every_line_that_a_side_added_is_there(
    base: str, mine: str, new: list[str], data: st.DataObject
) -> None:
    rows, others = mine.splitlines(keepends=True), base.splitlines(keepends=True)
    for word in new:
        side = data.draw(st.sampled_from([rows, others]))
        side.insert(data.draw(st.integers(0, len(side))), f"line {word}\n")
    got = joined(base, "".join(rows), "".join(others))
    for word in new:
        assert f"line {word}" in got
