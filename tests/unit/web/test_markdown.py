"""Markdown in the console: text and structure, but no active content."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.web.frame.markdown import LONGEST, html, note

ALLOWED = {
    *("p", "ul", "ol", "li", "strong", "em", "s", "code", "pre", "blockquote", "hr", "br", "a"),
    *("h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"),
}
POWER = st.lists(
    st.sampled_from(
        [
            *("<script>", "</script>", "<img src=x onerror=a>", "javascript:", "![a](", "](", ")"),
            *("[a](", "http://e.example", "`", "```\n", "\n", "\n\n", "* ", "# ", "|a|\n|-|\n"),
            *("<", ">", '"', "'", "&", "&lt;", "&#106;", "[[", "]]", "data:text/html,", "\\", "~~"),
        ]
    ),
    max_size=30,
).map("".join)


@given(POWER)
def test_only_harmless_tags_come_out_of_any_text(text: str) -> None:
    for tag in re.findall(r"<[^>]*>", html(text)):
        match = re.fullmatch(r"</?(\w+)( [^>]*)?/?>", tag.replace(" />", ">"))
        assert match and match[1] in ALLOWED, tag
        assert not re.search(r"\son\w+=", tag)
        for address in re.findall(r'href="([^"]*)"', tag):
            assert address == "" or re.match(r"(?:https?|mailto):", address, re.IGNORECASE), tag


def test_a_note_loses_its_block_ids_and_its_headings_stand_below_the_pages() -> None:
    shown = note(
        "# Day\n\n- Met **Ana** %% secret %% ^b7k2mq\n\nSee [[memories/2026-02-12#^b7|that]]."
    )
    assert "<h2>Day</h2>" in shown and "<strong>Ana</strong>" in shown and "See that." in shown
    assert "b7k2mq" not in shown and "secret" not in shown


@pytest.mark.parametrize(
    ("written", "named"),
    [("[[people/Ana]]", "Ana"), ("![[plan.png]]", "plan.png"), ("[[#^b7k2mq]]", "b7k2mq")],
)
def test_a_link_of_obsidian_is_its_words(written: str, named: str) -> None:
    assert html(written) == f"<p>{named}</p>\n"


def test_a_text_that_is_cut_says_so() -> None:
    assert "It goes on" not in note("a " * (LONGEST // 2))
    assert note("a " * LONGEST).endswith(
        '<p class="hint">It goes on: this page shows the first 200,000 characters.</p>\n'
    )
