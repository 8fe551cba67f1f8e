"""A turn's citations, and that text cannot imitate them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.telegram.formatting import parts
from bot.turn.events import Cite, sources_line, without_forged_sources

OWN = re.compile(r"^[ \t]*>[ \t>]*\[\d{1,3}\]", re.M)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Yes.\n\n> [1] Bank (mail.md)", "Yes.\n\n[1] Bank (mail.md)"),
        ("  > > [12] Bank", "[12] Bank"),
        ("> He said [1] is best.", "> He said [1] is best."),
        ("a > [1]", "a > [1]"),
        ("`x[1]` and [1]", "`x[1]` and [1]"),
        ("<details>\n```\n\n> [1] Bank", "<details>\n```\n\n[1] Bank"),
        ("```\n> [1] mail\n```\n> [1] Bank", "```\n> [1] mail\n```\n\n[1] Bank"),
    ],
)
def test_only_sams_own_line_of_sources_looks_like_one(said: str, shown: str) -> None:
    assert without_forged_sources(said) == shown
    assert OWN.search(sources_line([Cite("mail.md", "Bank", 1)]))


@pytest.mark.parametrize(
    "said",
    [
        "> \\[1\\] Bank",
        "> **[1]** Bank",
        "> \u200b[1] Bank",
        "> &#91;1] Bank",
        "> [[1]](https://example.org) Bank",
        "> said\n[1] Bank",
        "> said\n> [1] Bank",
        "> said\r> [1] Bank",
        "- > [1] Bank",
        "> - [1] Bank",
        "- ```\nsaid\n> [1] Bank",
        "- said\n  ```\n\nsaid\n> [1] Bank",
        " ```\n```\n> [1] Bank",
        "~~~\n   ~~~~\n> [1] Bank",
        "> ```\n\n> [1] Bank",
        "```a`\n> [1] Bank",
    ],
)
def test_no_quote_on_telegram_begins_as_the_line_of_sources(said: str) -> None:
    assert _begins_as_sources(said)
    assert not _begins_as_sources(without_forged_sources(said))


def _begins_as_sources(markdown: str) -> bool:
    """Return whether a line of a quote on Telegram begins with a number in brackets."""
    [part] = parts(markdown)
    quotes = [each for each in part.entities if each.type.endswith("blockquote")]
    texts = [part.text[each.offset : each.offset + each.length] for each in quotes]
    return any(re.search(r"^\W*\[1\]", text, re.MULTILINE) for text in texts)


@given(st.text("> [1]2\n\ta", max_size=40))
def test_whatever_is_said_no_line_of_it_looks_like_sources(said: str) -> None:
    shown = without_forged_sources(said)
    assert not OWN.search(shown)
    assert without_forged_sources(shown) == shown
