"""Chat text never takes effect as markdown in a note, by parsers independent of Sam's."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memory.errors import SamError
from memory.notes import markdown, task, task_list
from tests.support.hostile import HOSTILE
from tests.support.obsidian import powers, powers_at_start

ANY = HOSTILE | st.text(max_size=50)
TODAY = date(2026, 2, 12)


@settings(max_examples=300, deadline=None)
@given(ANY)
@example("$\\href{javascript:alert(1)}{x}$")
@example("costs $5, or $6$")
@example("see https://a.org/$x$y")
@example("(#tag) é#tag 🙂#tag _#tag_ *#tag* ~~#tag~~")
@example("a\n===\n| a |\n|:--|\n")
@example("&#35;tag &lbrack;[x]]")
@example("___")
@example("_ _ _")
@example("text ^abc123")
@example("[^1]: note")
@example("> [!note]- x")
@example("key:: value")
@example("![[x.md#^id|y]]")
@example("\\\\#tag")
@example("x\\")
@example("a <b>c</b> and <!-- d --> <?e?>")
def test_an_obsidian_like_reader_finds_nothing_in_inert_text(text: str) -> None:
    line = markdown.inert(text)
    assert not powers(line), line
    assert not powers(f"**Summary**: {line}"), line
    assert not powers_at_start(line), line
    assert not powers(f"{line} and more")


@pytest.mark.parametrize(
    ("line", "power"),
    [
        ("# a", "heading_open"),
        ("- [ ] a", "callout, checkbox"),
        ("see #tag", "tag"),
        ("[[a]]", "wikilink or embed"),
        ("[a](b)", "link_open"),
        ("![a](b)", "image"),
        ("a ^abc123", "block id"),
        ("%% a", "comment"),
        ("k:: v", "Dataview field"),
        ("$x$", "mathematics"),
        ("`a`", "code_inline"),
        ("a <b> c", "html_inline"),
        ("> a", "blockquote_open"),
        ("```", "fence"),
        ("---", "hr"),
        ("a\nb", "a second line"),
        ("obsidian://open", "another scheme"),
    ],
)
def test_the_reader_itself_sees_power(line: str, power: str) -> None:
    """Check the detector itself, because one that finds nothing would make every test pass."""
    assert power in powers(line)


@settings(max_examples=150, deadline=None)
@given(ANY | st.sampled_from(["📅 2026-01-01", "🔁 every day", "⏫", "🆔 abc", "✅ 2026-01-01"]))
def test_a_task_has_the_fields_that_were_asked_for_and_no_others(text: str) -> None:
    try:
        made = task.new(f"buy {text}", today=TODAY, id="abc123", due="2026-03-01")
    except SamError:
        return
    page = task_list.add("# Tasks\n\n- [ ] first 🆔 xyz999\n", made)
    found = [each for _, each in task_list.tasks(page)]
    assert [each.id for each in found] == ["xyz999", "abc123"]
    assert found[1].get("due") == "2026-03-01" and found[1].open
