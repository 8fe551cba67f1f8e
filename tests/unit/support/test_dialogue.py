"""The generated conversation of the tests: long, over months, with unique phrases."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

from tests.support import dialogue, locomo


def lines() -> list[locomo.Line]:
    return [
        line for session in locomo.sessions(dialogue.sample()["conversation"]) for line in session
    ]


def test_it_is_long_and_over_months_and_both_begin() -> None:
    said = lines()
    assert len(said) > 400 and len({line.session for line in said}) == dialogue.SESSIONS
    assert said[-1].at - said[0].at > timedelta(days=120)
    moments = [line.at for line in said]
    assert moments == sorted(moments)
    first = Counter(next(iter(each)).speaker for each in locomo.sessions(_talk()))
    assert min(first[dialogue.OWNER], first[dialogue.OTHER]) >= 5
    assert len(dialogue.sample()["qa"]) >= 50


def test_no_six_words_in_a_row_are_said_twice_but_a_good_night_is() -> None:
    said = lines()
    runs = Counter(run for line in said for run in dialogue.in_a_row(line.text))
    assert len(runs) > 5_000 and set(runs.values()) == {1}
    assert max(Counter(line.text for line in said).values()) > 1


def test_a_seed_tells_it_all() -> None:
    dialogue.sample.cache_clear()
    once = dialogue.sample()
    dialogue.sample.cache_clear()
    assert dialogue.sample() == once and dialogue.sample(1) != once


def _talk() -> dict[str, object]:
    found: dict[str, object] = dialogue.sample()["conversation"]
    return found
