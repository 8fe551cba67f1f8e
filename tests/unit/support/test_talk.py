"""The conversation that the tests hold: long, over months, and with phrases that tell its lines."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

from tests.support import locomo, talk


def lines() -> list[locomo.Line]:
    return [line for session in locomo.sessions(talk.sample()["conversation"]) for line in session]


def test_it_is_long_and_over_months_and_both_begin() -> None:
    said = lines()
    assert len(said) > 400 and len({line.session for line in said}) == talk.SESSIONS
    assert said[-1].at - said[0].at > timedelta(days=120)
    moments = [line.at for line in said]
    assert moments == sorted(moments)
    first = Counter(next(iter(each)).speaker for each in locomo.sessions(_talk()))
    assert min(first[talk.OWNER], first[talk.OTHER]) >= 5
    assert len(talk.sample()["qa"]) >= 50


def test_no_six_words_in_a_row_are_said_twice_but_a_good_night_is() -> None:
    said = lines()
    runs = Counter(run for line in said for run in talk.in_a_row(line.text))
    assert len(runs) > 5_000 and set(runs.values()) == {1}
    assert max(Counter(line.text for line in said).values()) > 1


def test_a_seed_tells_it_all() -> None:
    talk.sample.cache_clear()
    once = talk.sample()
    talk.sample.cache_clear()
    assert talk.sample() == once and talk.sample(1) != once


def _talk() -> dict[str, object]:
    found: dict[str, object] = talk.sample()["conversation"]
    return found
