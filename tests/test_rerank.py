"""Rerank: candidates with given scores; what each rule alone does."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.rerank import (
    Candidate,
    around,
    in_pairs,
    long_enough,
    rerank,
    said_by,
    said_then,
    telling,
)
from memory.words import flat


def said(
    id_: int, text: str = "tea", keywords: float | None = 1.0, *, author: str = "", day: str = "1"
) -> Candidate:
    return Candidate(id_, text, keywords, message=id_, chat="chat", day=day, author=author)


def best(scores: dict[int, float]) -> int:
    return max(scores, key=lambda id_: scores[id_])


def test_a_message_gets_a_share_of_those_around_it() -> None:
    every = [said(1), said(2), said(4), said(5, day="2"), said(9)]
    scores = around(every, {1: 0.2, 2: 1.0, 4: 0.5, 5: 1.0, 9: 0.4})
    plain = {id_: round(score * 1.9, 6) for id_, score in scores.items()}
    assert plain == {1: 0.6, 2: 1.42, 4: 1.0, 5: 1.3, 9: 0.7}


def test_the_chunks_of_one_message_are_one_neighbour() -> None:
    both = [Candidate(7, "a", 1.0, message=1), Candidate(8, "b", 0.5, message=1)]
    scores = around([*both, Candidate(9, "c", message=2)], {7: 1.0, 8: 0.5, 9: 0.0})
    assert scores[9] == pytest.approx(0.4 / 1.9)


def test_a_note_is_neither_ahead_nor_behind_for_standing_alone() -> None:
    talk = [said(1), said(2)]
    scores = around([*talk, Candidate(3, "note")], {1: 0.5, 2: 0.5, 3: 0.5})
    assert scores[3] == pytest.approx(scores[1]) == pytest.approx(0.7 / 1.9)


def test_a_note_is_not_lifted_by_what_much_weak_talk_gets_from_a_strong_message() -> None:
    talk = [said(1), *[said(id_) for id_ in range(11, 60, 5)]]
    given = {each.id: 1.0 if each.id == 1 else 0.05 for each in talk}
    scores = around([*talk, Candidate(99, "note")], {**given, 99: 1.0})
    assert scores[99] == pytest.approx(scores[1], rel=0.15)


def test_who_says_much_tells_more_than_who_says_wow() -> None:
    wow, story = "Wow, that tea is great!", "We had tea " + "and cake with the neighbours " * 3
    every = [said(1, wow), said(2, story), Candidate(3, "note"), said(4, "我喜欢绿茶")]
    kept = long_enough(every, {each.id: flat(each.text) for each in every})
    assert 0.5 < kept[1] < kept[3] < kept[2] <= 1.0 and kept[4] > 0.7
    assert best(rerank("tea", [said(1, wow), said(20, story)], 0.5)) == 20


def test_pairs_count_by_their_rarity() -> None:
    texts = {1: "green tea", 2: "tea, green", 3: "my green tea", 4: "tea", 5: "x", 6: "y", 7: "z"}
    found = in_pairs("is my green tea here", {id_: flat(text) for id_, text in texts.items()})
    assert found.keys() == {1, 3} and found[3] > 2 * found[1] > 0


def test_what_everybody_says_together_is_no_sign() -> None:
    assert in_pairs("green tea", {n: flat("green tea") for n in range(5)}) == {}


def test_the_one_whom_the_question_names_is_heard_first() -> None:
    both = [said(1, author="Ana Ruiz"), said(2, author="Bob"), Candidate(3, "a note")]
    assert said_by("What does ana like?", both) == {2: 0.8}
    assert said_by("What do Ana and Bob like?", both) == {}
    assert said_by("What do bananas cost?", both) == {}


def test_a_question_tells_less_than_its_answer() -> None:
    assert telling("It is green.") == 1.0
    assert telling("What colour is it?") == 0.35
    assert 0.35 < telling("It is late, good night. Shall we meet tomorrow?") < 1.0
    scores = rerank("colour of the door", [said(1, "Which colour?"), said(2, "A colour.")], 0.5)
    assert best(scores) == 2


def test_what_is_of_another_time_steps_back_but_stays() -> None:
    may = [(date(2023, 5, 1), date(2023, 5, 31))]
    days = ["2023-04-30", "2023-05-31", "2023-06-07", "2023-06-08", ""]
    every = [said(id_, day=day) for id_, day in enumerate(days)]
    assert said_then(may, every) == {0: 0.25, 3: 0.25}
    assert said_then(may, every[3:]) == {} and said_then([], every) == {}


def test_the_whole_question_word_for_word_is_ahead_even_of_better_words() -> None:
    every = [said(1, "Where is it? Is it?", 1.0), said(9, "it", 5.0, day="2"), said(20, "is", 2.0)]
    assert best(rerank("is it", every, 0.5)) == 1
    assert best(rerank("it", every, 0.5)) == 9  # one word is no quotation


def test_what_has_no_vector_yet_is_not_halved_for_it() -> None:
    old = Candidate(1, "a", 4.0, near=1.0)
    low = Candidate(2, "b", 1.0, near=0.3)
    fresh = Candidate(3, "c", 3.9, embedded=False)
    scores = rerank("what", [old, low, fresh], 0.5)
    assert scores[1] > scores[3] > 0.9 * scores[1]


@given(
    st.lists(
        st.builds(
            Candidate,
            st.integers(0, 30),
            st.text(max_size=20),
            st.none() | st.floats(0, 30),
            st.none() | st.floats(0, 1),
            st.booleans(),
            st.none() | st.integers(0, 9),
            st.just("chat"),
            st.sampled_from(["", "2026-02-12", "2026-02-13"]),
            st.sampled_from(["", "Ana", "Bob"]),
        ).filter(lambda each: each.keywords is not None or each.near is not None),
        unique_by=lambda each: each.id,
    ),
    st.floats(0, 1),
)
def test_scores_stay_in_the_unit_interval_and_nobody_is_lost(
    every: list[Candidate], weight: float
) -> None:
    periods = [(date(2026, 2, 13), date(2026, 2, 13))]
    scores = rerank("What does Ana say?", every, weight, periods=periods)
    assert scores.keys() == {each.id for each in every}
    assert all(0.0 <= score <= 1.0 + 1e-9 for score in scores.values())
