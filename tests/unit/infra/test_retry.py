"""Backoff delays, and parsing of Retry-After headers."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import islice

from memory.infra.retry import Backoff, retry_after


def test_waits_grow_are_bounded_and_differ() -> None:
    runs = [list(Backoff(first=1, factor=3, tries=5, longest=10).waits()) for _ in range(20)]
    assert {len(run) for run in runs} == {4}
    for run in runs:
        for wait, middle in zip(run, (1, 3, 9, 10), strict=True):
            assert 0.75 * middle <= wait <= 1.25 * middle
    assert len({run[0] for run in runs}) > 1


def test_without_a_number_of_tries_the_longest_wait_comes_again_and_again() -> None:
    waits = list(islice(Backoff(longest=30).waits(), 5000))
    assert all(0.75 * 30 <= wait <= 1.25 * 30 for wait in waits[5:])
    assert waits[4] < 0.75 * 30
    assert list(Backoff(tries=1).waits()) == []


def test_retry_after_is_a_number_a_date_or_nothing() -> None:
    now = datetime(2026, 10, 21, 7, 27, 30, tzinfo=UTC)
    date = "Wed, 21 Oct 2026 07:28:00 GMT"
    said = ("20", "0.5", "-1", date, "Wed, 21 Oct 2015 07:28:00 GMT", "soon", "", None)
    assert [retry_after(header, now) for header in said] == [20, 0.5, 0, 30, 0, None, None, None]
