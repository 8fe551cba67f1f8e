"""Patterns that are compiled when they are first used."""

from __future__ import annotations

import re

import pytest

from memory.infra.lazy_pattern import LazyPattern, lazy_pattern


def test_it_is_a_pattern_that_compiles_itself_at_its_first_use() -> None:
    found = lazy_pattern("(?P<day>d[ao]y)", re.IGNORECASE)
    assert isinstance(found, LazyPattern) and "compiled" not in vars(found)
    search = found.search
    match = search("A DAY")
    assert match is not None and match["day"] == "DAY"
    assert found.search is search and [*found.finditer("day doy")]
    assert found.compiled is found.compiled and found.pattern == found.compiled.pattern
    assert found.flags & re.IGNORECASE


def test_a_wrong_one_is_refused_at_its_first_use() -> None:
    wrong = lazy_pattern("(")
    with pytest.raises(re.error, match="unterminated"):
        wrong.search("")
