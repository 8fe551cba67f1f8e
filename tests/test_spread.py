"""Spread: given hits; which stay, which step back for another day."""

from __future__ import annotations

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from memory.recall import Hit
from memory.spread import spread


def hit(id_: int, score: float, path: str = "log/2026-02-12", chat: str | None = "chat") -> Hit:
    day = date(2026, 2, 12)
    return Hit(path, 1, 1, "", "tea", day, "message", "user", score, id_, (id_,), "", chat)


def ids(hits: list[Hit]) -> list[int]:
    return [each.chunk_id for each in hits]


OTHERS = [hit(20, 0.4, "log/2026-02-13"), hit(21, 0.39, "log/2026-02-13"), hit(22, 0.38, "a.md")]


def test_the_last_hits_come_from_new_days() -> None:
    talk = [hit(id_, 0.9 - id_ / 15) for id_ in range(5)]
    talk += [hit(5 + id_, 0.6 - id_ / 100) for id_ in range(7)]
    assert ids(spread([*talk, *OTHERS], 10)) == [0, 1, 2, 3, 4, 5, 6, 7, 20, 22]


def test_where_no_place_stands_out_more_of_them_are_shown() -> None:
    talk = [hit(id_, 0.7 - id_ / 100) for id_ in range(12)]
    days = [hit(30 + day, 0.37 - day / 1000, f"log/2026-03-0{day}") for day in range(1, 7)]
    assert ids(spread([*talk, *OTHERS, *days], 10)) == [0, 1, 20, 22, 31, 32, 33, 34, 35, 36]
    ahead = [hit(99, 0.99), *talk]
    assert ids(spread([*ahead, *OTHERS, *days], 10))[:6] == [99, 0, 1, 2, 3, 4]


def test_of_two_hits_the_second_is_the_middle_one() -> None:
    every = [hit(1, 0.9), hit(2, 0.6), hit(3, 0.5, "b.md")]
    assert ids(spread(every, 2)) == [1, 2]
    assert ids(spread([hit(0, 0.8), *every[1:]], 2)) == [0, 3]


def test_the_same_day_of_another_chat_is_another_place() -> None:
    assert ids(spread([hit(1, 0.9), hit(2, 0.8), hit(3, 0.7), hit(4, 0.6, chat="b")], 3)) == [
        1,
        2,
        4,
    ]


def test_what_is_far_worse_takes_nobodys_place() -> None:
    every = [hit(1, 0.9), hit(2, 0.8), hit(3, 0.7), hit(4, 0.34, "b.md")]
    assert ids(spread(every, 3)) == [1, 2, 3]


def test_few_hits_are_all_there_and_one_hit_is_the_best() -> None:
    every = [hit(1, 0.9), hit(2, 0.8), hit(3, 0.7, "b.md")]
    assert ids(spread(every, 10)) == [1, 2, 3] and ids(spread(every, 1)) == [1]


@given(
    st.lists(st.tuples(st.floats(0, 1), st.sampled_from("abc")), max_size=40), st.integers(1, 12)
)
def test_the_first_stay_none_comes_twice_and_the_order_is_by_score(
    given_: list[tuple[float, str]], limit: int
) -> None:
    ranked = sorted(given_, key=lambda each: -each[0])
    every = [hit(id_, score, path) for id_, (score, path) in enumerate(ranked)]
    found = spread(every, limit)
    middle = max(2, (limit + 1) // 2)
    flat = len(every) >= middle and ranked[middle - 1][0] >= 0.7 * ranked[0][0]
    first = limit - int((0.8 if flat else 0.4) * limit)
    assert found[:first] == every[:first]
    assert len(set(ids(found))) == len(found) == min(limit, len(every))
    assert [each.score for each in found] == sorted((each.score for each in found), reverse=True)
