"""The daily note: its exact format, and that everything else in it is left alone."""

from __future__ import annotations

from datetime import date, time

from hypothesis import given, settings
from hypothesis import strategies as st

from memory.notes.daily_note import (
    Section,
    append_note,
    bullets,
    has_batch,
    insert,
    lines_of,
    render,
    without,
)
from memory.notes.markdown import headings, lines

DAY = date(2026, 2, 12)
NOON = Section(
    time(14, 30),
    "b7k2mq",
    "Discussed project deadlines and deployment strategy",
    ("Decided to use Hetzner CX22 for VPS hosting",),
    ("Set up DNS for sam.example.org by Friday",),
)
FILE = """\
# Memories — 2026-02-12

## 14:30:00

- **Summary**: Discussed project deadlines and deployment strategy ^b7k2mq
- Decided to use Hetzner CX22 for VPS hosting
- Action: Set up DNS for sam.example.org by Friday
"""


def section(at: time, batch: str, *bullets: str) -> Section:
    return Section(at, batch, f"About {batch}", bullets)


def test_the_format_is_exact() -> None:
    assert insert("", DAY, NOON) == insert(" \n", DAY, NOON) == FILE


def test_the_same_batch_twice_changes_nothing() -> None:
    moved = FILE.replace("Discussed", "Talked about")
    assert insert(FILE, DAY, NOON) == FILE
    assert insert(moved, DAY, NOON) == moved
    assert has_batch(FILE, "b7k2mq")
    assert not has_batch("see [[memories/2026-02-12#^b7k2mq]]\nor ^b7k2mq2", "b7k2mq")


def test_sections_stand_in_order_of_time() -> None:
    text = insert(FILE, DAY, section(time(9, 5), "early1"))
    text = insert(text, DAY, section(time(23, 59, 59), "late11"))
    text = insert(text, DAY, section(time(14, 30), "same11"))
    assert [heading.title for heading in headings(lines(text))] == [
        "Memories — 2026-02-12",
        "09:05:00",
        "14:30:00",
        "14:30:00",
        "23:59:59",
    ]
    assert text.index("b7k2mq") < text.index("same11") < text.index("late11")
    assert "\n\n\n" not in text


def test_midnight_is_written_as_zero() -> None:
    assert render(section(time(0, 5), "aaaaaa")).startswith("## 00:05:00\n")


def test_chat_text_cannot_become_markdown() -> None:
    hostile = Section(
        time(1), "aaaaaa", "x ^fake01", ("[ ] task #tag", "\n## 23:00:00\n"), ("[[l]]",), "a #mark"
    )
    text = insert("", DAY, hostile)
    assert len(headings(lines(text))) == 2
    assert has_batch(text, "aaaaaa") and not has_batch(text, "fake01")
    assert lines(text)[4] == r"- **Summary**: x \^fake01 (a \#mark) ^aaaaaa"
    assert (
        lines_of(text)["aaaaaa"]
        == hostile.lines
        == (
            r"\[ ] task \#tag",
            r"\## 23:00:00".replace("##", r"#\#"),
            r"Action: \[\[l]]",
        )
    )


def test_a_bullet_is_the_same_with_a_block_id_and_another_mark_or_indent() -> None:
    linked = FILE.replace("CX22 for VPS hosting\n", "CX22 for VPS hosting ^37066d\n")
    assert lines_of(linked)["b7k2mq"] == NOON.lines
    for edited in (linked, FILE.replace("- Decided", "\t* Decided")):
        assert set(NOON.lines) <= bullets(edited)
        left = without(edited, "b7k2mq", NOON.lines[:1], summary=None)
        assert left == FILE.replace(f"- {NOON.lines[0]}\n", "")
    assert without(FILE, "b7k2mq", [""], summary=None) == FILE


def test_empty_bullets_are_left_out() -> None:
    assert NOON.lines == lines_of(FILE)["b7k2mq"]
    assert section(time(1), "aaaaaa", " ", "x").lines == ("x",)


def test_lines_of_a_batch_are_those_under_its_heading() -> None:
    text = insert(FILE, DAY, section(time(15), "other1", "other"))
    edited = text.replace("- Decided to use", "* We chose").replace(
        "by Friday\n", "by Friday\n  - a child\n\nWords of mine\n\n### Mine\n\n- more\n"
    )
    assert lines_of(edited)["b7k2mq"] == (
        "We chose Hetzner CX22 for VPS hosting",
        "Action: Set up DNS for sam.example.org by Friday",
        "more",
    )
    assert "nobody" not in lines_of(edited)
    assert lines_of("- **Summary**: x ^aaaaaa\n- y") == {"aaaaaa": ("y",)}


PIECES = (
    "|words|## Mine|## 10:00:00|## 20:00:00|# Top|### 12:00:00|- item|```|## 25:00:00|  |"
    "- [ ] task ^abc123|---"
)
OWNERS = st.lists(st.sampled_from(PIECES.split("|")), max_size=12)


@settings(max_examples=300, deadline=None)
@given(OWNERS, st.sampled_from(["\n", "\r\n"]), st.booleans(), st.times())
def test_what_stood_there_keeps_its_bytes(
    rows: list[str], end: str, closed: bool, at: time
) -> None:
    text = end.join(rows) + (end if closed else "")
    written = insert(text, DAY, section(at, "b7k2mq", "one", "two"))
    assert has_batch(written, "b7k2mq")
    if text.strip():
        place = _inserted(text, written)
        assert place is not None
        assert "- one" in place and "- two" in place
        if "\n" in text:
            assert place.count(end) == place.count("\n")
    assert insert(written, DAY, section(at, "b7k2mq", "one", "two")) == written


def _inserted(before: str, after: str) -> str | None:
    """Return the one piece inserted in `after`, or None if anything else changed."""
    size = len(after) - len(before)
    for at in range(len(before) + 1):
        if after[:at] == before[:at] and after[at + size :] == before[at:]:
            return after[at : at + size]
    return None


def test_a_section_stays_out_of_the_owners_own() -> None:
    text = FILE + "\n## My thoughts\n\nWords\n"
    written = insert(text, DAY, section(time(18), "later1"))
    assert written.index("later1") < written.index("## My thoughts")
    daily = "# 2026-02-12\n\nMy own daily note"
    assert insert(daily, DAY, NOON) == daily + FILE.replace("# Memories — 2026-02-12", "")


def test_a_saved_note_has_its_time() -> None:
    text = append_note("", DAY, time(8, 0, 1), "Bought [[MEMORY#^k2m9xa]]\n a  boat")
    assert text == "# Memories — 2026-02-12\n\n## 08:00:01\n\n- Bought [[MEMORY#^k2m9xa]] a boat\n"
    assert append_note(text, DAY, time(8, 0, 1, 5), "Bought [[MEMORY#^k2m9xa]] a boat") == text
    assert append_note(text, DAY, time(8, 0, 2), "Bought [[MEMORY#^k2m9xa]] a boat") != text
    both = append_note(text, DAY, time(8, 0, 1), "Sold it")
    assert both.startswith(text) and both.endswith("## 08:00:01\n\n- Sold it\n")


@given(st.lists(st.times(), min_size=1, max_size=6, unique_by=lambda at: at.replace(microsecond=0)))
def test_the_order_of_writing_does_not_matter(times: list[time]) -> None:
    def written(order: list[time]) -> str:
        text = ""
        for at in order:
            text = insert(text, DAY, section(at, f"{at:%H%M%S}", "one"))
        return text

    assert written(times) == written(sorted(times))
