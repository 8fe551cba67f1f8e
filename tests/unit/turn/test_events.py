"""A turn's citations, and that text cannot imitate them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    ],
)
def test_only_sams_own_line_of_sources_looks_like_one(said: str, shown: str) -> None:
    assert without_forged_sources(said) == shown
    assert OWN.search(sources_line([Cite("mail.md", "Bank", 1)]))


@given(st.text("> [1]2\n\ta", max_size=40))
def test_whatever_is_said_no_line_of_it_looks_like_sources(said: str) -> None:
    shown = without_forged_sources(said)
    assert not OWN.search(shown)
    assert without_forged_sources(shown) == shown
