"""The newest statement on a subject ranks first, before those it replaces."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

import pytest

from memory.search import Hit
from memory.search.newest import Likeness, newest_first, shared

OLD, NEW = date(2026, 2, 1), date(2026, 3, 1)


def hit(id_: int, text: str, day: date | None, score: float, role: str | None = "user") -> Hit:
    return Hit("log/x", 1, 1, "", text, day, "message", role, score, id_, (id_,))


def near(deviations: float) -> Likeness:
    """Make all hits this similar."""
    return lambda hit: dict.fromkeys(range(10), deviations)


SAME = near(4.0)


def no_vectors(hit: Hit) -> Mapping[int, float]:
    return {}


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


def test_another_persons_statement_must_be_more_alike() -> None:
    old = hit(1, "swimming is on Mondays", OLD, 0.7)._replace(author="Ana")
    for author, deviations, found in (
        ("Ana", 2.0, [2, 1]),
        ("Rui", 2.0, [1, 2]),
        ("Rui", 3.0, [2, 1]),
    ):
        new = hit(2, "swimming is on Fridays", NEW, 0.3)._replace(author=author)
        assert order([old, new], near(deviations)) == found


def test_a_change_in_chinese_need_be_less_alike() -> None:
    old = hit(1, "游泳是每个星期一下午", OLD, 0.7)
    for told, found in (("游泳改到星期五了", [2, 1]), ("星期五游泳很开心", [1, 2])):
        assert order([old, hit(2, told, NEW, 0.2)], near(1.6), question="游泳是哪天") == found


def test_a_correction_in_chinese_replaces_what_it_corrects() -> None:
    old = hit(1, "妹妹第一周来照顾她", OLD, 0.6)
    new = hit(2, "我说错了，妹妹第二周来", OLD, 0.05)
    found = newest_first([old, new], near(0.0), "谁照顾她")
    assert [each.chunk_id for each in found] == [2, 1]


def test_what_only_repeats_the_older_value_replaces_nothing() -> None:
    old = hit(1, "the dentist is on 4 May", OLD, 0.7)
    assert order([old, hit(2, "4 May is the dentist's", NEW, 0.6)]) == [1, 2]
    assert order([old, hit(2, "the dentist is on the eleventh", NEW, 0.6)]) == [2, 1]


def test_without_vectors_what_has_no_word_of_the_question_or_the_newer_is_not_replaced() -> None:
    """It was found by the words of the messages around it."""
    old = hit(1, "we had pasta", OLD, 0.5)
    new = hit(2, "actually her birthday is 15 March", NEW, 0.7)
    found = newest_first([new, old], no_vectors, "when is her birthday?")
    assert [each.until for each in found] == [None, None]
    old = hit(1, "her birthday: in May", OLD, 0.5)
    found = newest_first([new, old], no_vectors, "when is her birthday?")
    assert [each.until for each in found] == [None, NEW]


def test_a_word_that_begins_another_one_is_no_form_of_it() -> None:
    """A line of MEMORY.md needs no word that mentions a change."""
    old = hit(1, "Correction: my locksmith is Queiroz.", NEW, 0.7)
    line = hit(2, "My suitcase lock is 716", NEW, 0.7, None)._replace(kind="memory")
    assert order([old, line], question="What is my locksmith?") == [1, 2]
    line = line._replace(text="My locksmiths: Ferraz")
    assert order([old, line], question="What is my locksmith?") == [2, 1]


def test_a_later_mention_without_a_number_is_no_newer_value() -> None:
    old = hit(1, "the piano lesson costs 40 euros", OLD, 0.7)
    assert order([old, hit(2, "the piano lesson was fun", NEW, 0.6)], near(2.0)) == [1, 2]
    assert order([old, hit(2, "the piano lesson costs 45 euros", NEW, 0.6)], near(2.0)) == [2, 1]
    free = hit(2, "the piano lesson is cancelled", NEW, 0.6)
    assert order([old, free], near(2.0)) == [2, 1]


def test_a_much_shorter_mention_replaces_less_easily_in_any_script() -> None:
    old = hit(1, "the garage in the yard costs us 80 euros a month with heating", OLD, 0.7)
    brief = hit(2, "garage 90", NEW, 0.2)
    full = hit(2, "for the garage we pay 90 euros a month from the summer", NEW, 0.2)
    unspaced = hit(2, "garage 来月から月々九十ユーロになります 90", NEW, 0.2)
    assert order([old, brief], near(2.0)) == [1, 2]
    assert order([old, full], near(2.0)) == order([old, unspaced], near(2.0)) == [2, 1]
    current = line(2, "Garage: 90 euros from now on", NEW, 0.2, "fact")
    assert order([old, current], near(1.5)) == [2, 1], "such a line is short, but no mention"


def test_what_has_fewer_of_the_questions_words_replaces_less_easily() -> None:
    old = hit(1, "the code of the bike lock is 073", OLD, 0.8)
    other = hit(2, "the suitcase has a code for its clasps: 518", NEW, 0.3)
    same = hit(2, "the bike lock has a code with four digits: 5188", NEW, 0.3)
    question = "what is the code of the bike lock?"
    assert order([old, other], near(2.2), question) == [1, 2]
    assert order([old, same], near(2.2), question) == [2, 1]
    assert order([old, other], near(2.2), "which code did I tell you?") == [2, 1]


def test_a_poor_answer_is_replaced_less_easily_than_a_good_one() -> None:
    new = hit(2, "the piano lesson costs 45 euros", NEW, 0.2)
    for score, found in ((0.8, [2, 1]), (0.25, [1, 2])):
        old = hit(1, "the piano lesson costs 40 euros", OLD, score)
        assert order([old, new], near(2.0)) == found


def test_what_stands_far_below_replaces_less_easily() -> None:
    old = hit(1, "the dentist is on 4 May", OLD, 0.7)
    new = hit(2, "the dentist is on 11 May", NEW, 0.1)
    between = [hit(n, f"{n} eggs", None, 0.2) for n in range(3, 10)]
    assert order([old, new], near(2.4)) == [2, 1]
    assert order([old, *between, new], near(2.4))[0] == 1


def test_long_messages_are_alike_without_replacing_each_other() -> None:
    more = "the waiting room was full of people reading old magazines about boats " * 5
    old = hit(1, "the dentist found 2 holes", OLD, 0.7)
    new = hit(2, "the dentist found 3 holes", NEW, 0.3)
    assert order([old, new], near(2.2)) == [2, 1]
    assert order([old, new._replace(text=f"{new.text} {more}")], near(2.2)) == [2, 1]
    long = [each._replace(text=f"{each.text} {more}") for each in (old, new)]
    assert order(long, near(2.2)) == [1, 2]


@pytest.mark.parametrize(
    ("permanence", "found"), [(None, [2, 1]), (-3.0, [2, 1]), (0.0, [1, 2]), (2.0, [1, 2])]
)
def test_what_happened_is_replaced_less_easily(permanence: float | None, found: list[int]) -> None:
    old = hit(1, "the dentist found 2 holes", OLD, 0.7)
    new = hit(2, "the dentist found 3 stains", NEW, 0.3)
    ranked = newest_first([old, new], near(2.2), "what did the dentist find", permanence)
    assert [each.chunk_id for each in ranked] == found


def test_sam_and_undated_notes_replace_nothing_nor_does_the_same_day() -> None:
    old = hit(1, "it costs 5", OLD, 0.9)
    for other in (
        hit(2, "it costs 6", NEW, 0.8, "assistant"),
        hit(2, "it costs 6", None, 0.8, None),
        hit(2, "it costs 6", OLD, 0.8),
    ):
        assert order([old, other]) == [1, 2]


@pytest.mark.parametrize(("score", "found"), [(0.5, [2, 1]), (0.005, [1, 2])])
def test_what_hardly_answers_the_question_replaces_nothing(score: float, found: list[int]) -> None:
    newer = hit(2, "the bench costs 6", NEW, score)
    assert order([hit(1, "it costs 5", OLD, 0.7), newer], near(2.2)) == found


@pytest.mark.parametrize(
    "told",
    [
        "from this week on swimming is on Fridays",
        "swimming is no more on Mondays",
        "swimming on Fridays, starting next month",
        "swimming on Fridays as of September",
        "ab Mai ist Schwimmen am Freitag",
        "la natation a été déplacée au vendredi",
        "la natación cambió al viernes",
        "a natação mudou para sexta",
        "zwemmen is verplaatst naar vrijdag",
        "pływanie jest teraz w piątek",
        "il nuoto è stato spostato a venerdì",
        "плавание перенесли на пятницу",
        "水泳は金曜日に変更",
        "swimming was brought forward to Friday",
        "Schwimmen wurde auf Freitag vorgezogen",
        "la natation est deplacee au vendredi",
        "la natación se movió al viernes",
        "la natacion se adelanta al viernes",
        "a natação foi antecipada para sexta",
        "zwemmen is vervroegd naar vrijdag",
        "plywanie przesunieto na piatek",
        "il nuoto è anticipato a venerdì",
        "плавание сдвинули на пятницу",
    ],
)
def test_what_tells_a_change_need_be_less_alike(told: str) -> None:
    old = hit(1, "swimming is on Mondays", OLD, 0.7)
    plain = hit(2, "swimming on Fridays was fun", NEW, 0.2)
    assert order([old, hit(2, told, NEW, 0.2)], near(1.6), question=told) == [2, 1]
    assert order([old, plain], near(1.6)) == [1, 2]


@pytest.mark.parametrize(
    ("said", "question", "found"),
    [
        ("my cello teacher is Beatriz now", "who is my hairdresser?", [1, 2]),
        ("it is Violeta from now on", "who is my hairdresser?", [1, 2]),
        ("I gave up on Orlando", "who cuts my hair?", [2, 1]),
        ("all hairdressers are too dear, I do it myself now", "", [2, 1]),
        ("Violeta is the one who cuts it now", "who cuts my hair?", [2, 1]),
    ],
)
def test_another_subject_that_is_worded_alike_replaces_nothing(
    said: str, question: str, found: list[int]
) -> None:
    old = hit(1, "by the way, my hairdresser is Orlando", OLD, 0.7)
    assert order([old, hit(2, said, NEW, 0.3)], question=question) == found


def test_a_line_that_is_kept_up_to_date_need_not_mention_the_change() -> None:
    old = hit(1, "my standing order is 75 euros", OLD, 0.7)
    new = hit(2, "standing order is 110 euros", NEW, 0.2)
    assert order([old, new], near(1.6)) == [1, 2]
    assert order([old, new._replace(kind="fact")], near(1.6)) == [2, 1]
    assert order([old, new._replace(kind="memory")], near(1.6)) == [2, 1]


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


def test_a_long_message_does_not_replace_a_current_line_by_its_length() -> None:
    current = line(1, "Yoga class is at Studio Sol", OLD, 0.5, "fact")
    long = "so excited to tell you about a weekend yoga class with a colleague, it is awesome, "
    said = hit(2, long + "I feel great, both mentally and physically after it", NEW, 0.4)
    question = "What is my yoga class?"
    assert order([current, said], near(1.8), question) == [1, 2]
    assert order([current, said], near(3.0), question) == [2, 1]


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
    assert order([old, same], no_vectors) == [2, 1]
    assert order([old, other], no_vectors) == [1, 2]


@pytest.mark.parametrize(
    ("said", "told", "until"),
    [
        ("Tom wants a red bike", "Tom hates spinach", None),
        ("Tom likes spinach", "Tom hates spinach", NEW),
        ("Tom moved to spinach 4", "Tom hates spinach", None),  # it has no other number
    ],
)
def test_a_line_without_a_vector_yet_ends_only_what_answers_the_question(
    said: str, told: str, until: date | None
) -> None:
    """Who asks at once after "remember that …" asks before the line has a vector. The date before
    the line is none of its numbers."""
    new = line(2, f"- {NEW}: {told}", NEW, 0.1, "memory")
    found = newest_first([hit(1, said, OLD, 0.5), new], no_vectors, "Does Tom hate spinach?")
    assert {each.chunk_id: each.until for each in found} == {1: until, 2: None}


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


def test_of_messages_in_a_row_only_a_correction_replaces_another() -> None:
    old = hit(1, "we have lunch with Rafa's mother on the 4th", OLD, 0.9)
    more = hit(2, "she has a new boyfriend, 4 of us for lunch then", OLD, 0.8)
    assert order([old, more]) == [1, 2]
    corrected = hit(2, "sorry, lunch with Rafa's mother is on the 5th now", OLD, 0.8)
    assert order([old, corrected]) == [2, 1]


def test_every_begins_with_ever_and_has_no_stem_in_common_with_it() -> None:
    old = hit(1, "the infusion is at the hospital, every 6 weeks", OLD, 0.8)
    other = hit(2, "and no more ibuprofen ever, she said now", NEW, 0.8)
    assert order([old, other], near(4.0), "when is my next infusion?") == [1, 2]


def test_two_forms_of_a_word_are_one_subject() -> None:
    old = hit(1, "we are rehearsing on Thursdays", OLD, 0.8)
    new = hit(2, "rehearsal moved to Tuesdays", NEW, 0.8)
    assert order([old, new], near(4.0), "on which day?") == [2, 1]


def test_a_statement_without_the_name_in_the_question_is_about_somebody_else() -> None:
    old = hit(1, "Chiara's cat is called Pesto", OLD, 0.7)
    other = hit(2, "the neighbours' tortoise is called Freccia now", NEW, 0.5)
    same = hit(3, "Chiara renamed the cat, it is called Freccia now", NEW, 0.5)
    question = "What is the cat of Chiara called?"
    assert order([old, other], near(2.2), question) == [1, 2]
    assert order([old, same], near(2.2), question) == [3, 1]
    # Without the name in the older statement, its absence from the newer one says nothing.
    unnamed = hit(1, "the cat is called Pesto", OLD, 0.7)
    assert order([unnamed, other], near(2.2), question) == [2, 1]


@pytest.mark.parametrize(
    ("told", "found"),
    [
        ("in the end the keypad takes 8820# for the door", [2, 1]),
        ("in the end the keypad takes 88 seconds for the door", [1, 2]),
    ],
)
def test_a_number_that_is_written_alike_is_more_likely_a_newer_value(
    told: str, found: list[int]
) -> None:
    old = hit(1, "to get in through the door of the practice, I type 4471#", OLD, 0.7)
    assert order([old, hit(2, told, NEW, 0.15)], near(2.2)) == found


def test_a_number_of_the_form_that_the_question_has_is_no_value() -> None:
    old = hit(1, "on ward 17 we had 23 patients in all that month", OLD, 0.7)
    new = hit(2, "on ward 17 we had a party with the patients this month", NEW, 0.3)
    later = [old, new._replace(text=f"{new.text}, 40 in all")]
    assert order(later, near(1.4), "how many patients") == [2, 1]
    assert order(later, near(1.4), "how many patients on ward 17") == [1, 2]
