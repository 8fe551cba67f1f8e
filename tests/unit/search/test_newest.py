"""The newest statement on a subject ranks first, before those it replaces."""

from __future__ import annotations

from datetime import date

import pytest

from memory.search import Hit
from memory.search.newest.likeness import Likeness
from memory.search.newest.order import newest_first
from memory.search.newest.replacement import ReplacementOdds
from memory.search.newest.subjects import shared

OLD, NEW = date(2026, 2, 1), date(2026, 3, 1)


def hit(id_: int, text: str, day: date | None, score: float, role: str | None = "user") -> Hit:
    return Hit("log/x", 1, 1, "", text, day, "message", role, score, id_, (id_,))


def near(deviations: float) -> Likeness:
    """Make all hits this similar."""
    return {id_: dict.fromkeys(range(10), deviations) for id_ in range(10)}


SAME = near(4.0)


NO_VECTORS = {}


def order(hits: list[Hit], likeness: Likeness = SAME, question: str = "") -> list[int]:
    return [each.chunk_id for each in newest_first(hits, likeness, question)]


def test_the_newer_value_leads_and_the_older_one_says_until_when() -> None:
    old = hit(1, "the dentist is on 4 May", OLD, 0.7)
    new = hit(2, "the dentist moved to 11 May", NEW, 0.3)
    first, second = newest_first([old, new], SAME, "")
    assert (first.chunk_id, first.score, first.until) == (2, 0.7, None)
    assert (second.chunk_id, second.until) == (1, NEW)


def test_of_three_the_newest_leads() -> None:
    hits = [hit(n, f"it costs {n}", date(2026, n, 1), 1 - n / 10) for n in (1, 2, 3)]
    assert order(hits) == [3, 2, 1]


@pytest.mark.parametrize(
    ("id_", "text", "leads"),
    [
        (2, "oh I meant Marta, not Magda", True),
        (2, "no, Marta", False),  # of what is not clear
        (2, "no, Magda for two weeks", True),
        (2, "Magda is in Kraków", False),
        (3, "actually Magda can't, Marta can", True),
        (3, "no, Magda would rather not", False),  # Sam may have asked something
        (4, "actually Magda can't, Marta can", False),
        (2, "I have never actually met Magda, she lives with the twins in a flat in Kraków", True),
        (
            2,
            "I have never actually met Magda, she lives with the two twins in a flat in Kraków",
            False,
        ),
    ],
)
def test_what_is_corrected_at_once_is_replaced(id_: int, text: str, leads: bool) -> None:
    """However little the correction has to do with the question."""
    old = hit(1, "Magda can look after her the first week, until the 16th", OLD, 0.6)
    asked = "Who looks after Halina?"
    found = newest_first([old, hit(id_, text, OLD, 0.05)], near(0.0), asked)
    assert (found[0].chunk_id == id_) is leads
    assert (found[-1].until == OLD) is leads


def test_a_correction_in_chinese_replaces_what_it_corrects() -> None:
    old = hit(1, "妹妹第一周来照顾她", OLD, 0.6)
    new = hit(2, "我说错了，妹妹第二周来", OLD, 0.05)
    found = newest_first([old, new], near(0.0), "谁照顾她")
    assert [each.chunk_id for each in found] == [2, 1]


def test_without_vectors_what_has_no_word_of_the_question_or_the_newer_is_not_replaced() -> None:
    """It was found by the words of the messages around it."""
    old = hit(1, "we had pasta", OLD, 0.5)
    new = hit(2, "actually her birthday is 15 March", NEW, 0.7)
    found = newest_first([new, old], NO_VECTORS, "when is her birthday?")
    assert [each.until for each in found] == [None, None]
    old = hit(1, "her birthday: in May", OLD, 0.5)
    found = newest_first([new, old], NO_VECTORS, "when is her birthday?")
    assert [each.until for each in found] == [None, NEW]


def test_a_word_that_begins_another_one_is_no_form_of_it() -> None:
    """A line of MEMORY.md needs no word that mentions a change."""
    old = hit(1, "Correction: my locksmith is Queiroz.", NEW, 0.7)
    line = hit(2, "My suitcase lock is 716", NEW, 0.7, None)._replace(kind="memory")
    assert order([old, line], question="What is my locksmith?") == [1, 2]
    line = line._replace(text="My locksmiths: Ferraz")
    assert order([old, line], question="What is my locksmith?") == [2, 1]


def test_sam_and_undated_notes_replace_nothing_nor_does_the_same_day() -> None:
    old = hit(1, "it costs 5", OLD, 0.9)
    for other in (
        hit(2, "it costs 6", NEW, 0.8, "assistant"),
        hit(2, "it costs 6", None, 0.8, None),
        hit(2, "it costs 6", OLD, 0.8),
    ):
        assert order([old, other]) == [1, 2]


def line(id_: int, text: str, day: date, score: float, kind: str) -> Hit:
    return Hit("knowledge/x.md", 1, 1, "", text, day, kind, None, score, id_, ())


@pytest.mark.parametrize("kind", ["fact", "memory"])
@pytest.mark.parametrize(
    ("newer", "leads"),
    [
        ("my library card number is 90457 now", False),
        ("my desk number is 14 now", True),
        ("the desks were swapped, mine has number 14 now", True),
    ],
)
def test_what_a_current_line_still_says_is_only_replaced_by_the_same_subject(
    kind: str, newer: str, leads: bool
) -> None:
    old = hit(1, "My desk number is 92 now", OLD, 0.7)
    current = line(2, "Desk number is 92", OLD, 0.3, kind)
    new = hit(3, newer, NEW, 0.6)
    assert order([old, new, current], question="What is my desk number?")[0] == (3 if leads else 1)
    assert order([old, new], question="What is my desk number?")[0] == 3, "no line says it"
    other = line(2, "Desk number is 77", OLD, 0.3, kind)
    assert order([old, new, other], question="What is my desk number?")[0] == 3, "a stale line"


def test_what_mentions_no_change_does_not_replace_a_current_line() -> None:
    current = line(1, "Yoga class is at Studio Sol", OLD, 0.5, "fact")
    long = "so excited to tell you about a weekend yoga class with a colleague, it is awesome, "
    said = hit(2, long + "I feel great, both mentally and physically after it", NEW, 0.4)
    question = "What is my yoga class?"
    assert order([current, said], near(3.0), question) == [1, 2]
    moved = said._replace(text=f"{said.text}, it moved to the park")
    assert order([current, moved], near(3.0), question) == [2, 1]


def test_a_current_line_that_lacks_words_of_the_question_replaces_nothing_that_has_them() -> None:
    old = hit(1, "My cello teacher is Henrique.", OLD, 0.8)
    other = line(2, "Learning the cello since September", NEW, 0.7, "fact")
    same = line(2, "Beatriz is the teacher for the cello", NEW, 0.7, "fact")
    question = "Who is my cello teacher?"
    assert order([old, other], question=question) == [1, 2]
    assert order([old, same], question=question) == [2, 1]


def test_without_vectors_shared_words_tell_the_subject() -> None:
    old = hit(1, "the door code of the practice is 4471", OLD, 0.7)
    same = hit(2, "door code of the practice is 8820", NEW, 0.1)
    other = hit(2, "parking space is 31", NEW, 0.1)
    assert order([old, same], NO_VECTORS) == [2, 1]
    assert order([old, other], NO_VECTORS) == [1, 2]


@pytest.mark.parametrize(
    ("said", "told", "until"),
    [
        ("Tom wants a red bike", "Tom hates spinach", None),
        ("Tom likes spinach", "Tom hates spinach", NEW),
    ],
)
def test_a_line_without_a_vector_yet_ends_only_what_answers_the_question(
    said: str, told: str, until: date | None
) -> None:
    """Who asks at once after "remember that …" asks before the line has a vector. The date before
    the line is none of its numbers."""
    new = line(2, f"- {NEW}: {told}", NEW, 0.1, "memory")
    found = newest_first([hit(1, said, OLD, 0.5), new], NO_VECTORS, "Does Tom hate spinach?")
    assert {each.chunk_id: each.until for each in found} == {1: until, 2: None}
    old = hit(1, "Tom moved to spinach 4", OLD, 0.5)
    found_features = ReplacementOdds([old, new], NO_VECTORS, "").features(new, old)
    assert (found_features.same_form, found_features.no_number) == (0.0, 1.0)


def test_shared_words_are_a_share_of_the_shorter_text() -> None:
    assert shared("the oak door", "an oak table and a lamp") == 0.5
    assert shared("", "oak") == 0.0


def test_what_leads_already_stays_and_what_it_replaces_says_so() -> None:
    hits = [hit(2, "it costs 6", NEW, 0.9), hit(1, "it costs 5", OLD, 0.5)]
    found = newest_first(hits, SAME, "")
    assert [(each.chunk_id, each.until) for each in found] == [(2, None), (1, NEW)]
    assert newest_first([], SAME, "") == []


def test_a_change_that_is_mentioned_later_on_the_same_day_leads() -> None:
    old = hit(1, "my bike is in Anton's cellar", OLD, 0.9)
    moved = hit(9, "I moved my bike to the office garage", OLD, 0.8)
    first, second = newest_first([old, moved], SAME, "")
    assert (first.chunk_id, second.chunk_id, second.until) == (9, 1, OLD)
    earlier = (
        moved._replace(chunk_id=1, message_ids=(1,)),
        old._replace(chunk_id=9, message_ids=(9,)),
    )
    assert order([earlier[1], earlier[0]]) == [9, 1], "what was said before replaces nothing"
    assert order([old, moved._replace(chat="another")]) == [1, 9], "chats have no common order"
