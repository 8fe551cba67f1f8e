"""What is weighed to decide whether a newer statement replaces an older one."""

from __future__ import annotations

from datetime import date

import pytest

from memory.search import Hit
from memory.search.newest.likeness import Likeness
from memory.search.newest.model import BY_LOCAL_VECTORS, BY_VECTORS, BY_WORDS, Features
from memory.search.newest.order import newest_first
from memory.search.newest.replacement import (
    LEAST_ODDS,
    OTHER_SPEAKER,
    ReplacementOdds,
)

OLD, NEW = date(2026, 2, 1), date(2026, 3, 1)


def hit(id_: int, text: str, day: date | None = OLD, score: float = 0.5) -> Hit:
    return Hit("log/x", 1, 1, "", text, day, "message", "user", score, id_, (id_,), chat="a")


def features(
    old: str,
    new: str,
    question: str = "",
    *,
    day: date = NEW,
    id_: int = 20,
    between: tuple[Hit, ...] = (),
    likeness: Likeness | None = None,
) -> Features:
    """Return the features of two messages, the older one with id 1."""
    first, second = hit(1, old), hit(id_, new, day)
    hits = [first, *between, second]
    return ReplacementOdds(hits, likeness or {}, question).features(second, first)


CHANGES = [
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
    "游泳改到星期五了",
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
]


@pytest.mark.parametrize("told", CHANGES)
def test_a_mention_of_a_change(told: str) -> None:
    assert features("swimming is on Mondays", told).change == 1.0
    assert features("swimming is on Mondays", "swimming on Fridays was fun").change == 0.0
    assert features("游泳是每个星期一下午", "星期五游泳很开心").change == 0.0


def test_a_mention_of_a_change_makes_a_replacement_likelier() -> None:
    old = hit(1, "swimming is on Mondays", OLD, 0.7)
    for likeness in ({}, {1: {2: 3.0}, 2: {1: 3.0}}):
        odds = [
            ReplacementOdds([old, new], likeness, "").odds(new, old)
            for new in (hit(2, f"swimming {end}", NEW, 0.2) for end in ("now Fridays", "was fun"))
        ]
        assert odds[0] > odds[1]


def test_both_scores_and_the_place_below() -> None:
    old, new = hit(1, "the dentist is on 4 May", OLD, 0.7), hit(2, "it is on 11 May", NEW, 0.1)
    between = [hit(n, f"{n} eggs", None, 0.2) for n in range(3, 9)]
    found = ReplacementOdds([old, *between, new], {}, "").features(new, old)
    assert found.score == pytest.approx(-2.302585) and found.old_score == pytest.approx(-0.356675)
    assert found.place == pytest.approx(1.386294)  # eighth: the logarithm of four
    first = ReplacementOdds([old, new], {}, "").features(new, old)
    assert first.place == 0.0
    # Where the hits have the network's score, that of the linear model counts.
    linear = ReplacementOdds([old, new], {}, "", scores={new.chunk_id: 0.02}).features(new, old)
    assert linear.score == pytest.approx(-3.912023) and linear.old_score == found.old_score
    # Scores that were raised in the meantime do not count.
    raised = new._replace(score=0.9)
    assert ReplacementOdds([old, new], {}, "").features(raised, old) == first


def test_how_similar_the_two_are_and_how_much_more_than_with_others() -> None:
    between = (hit(5, "another lesson", date(2026, 2, 20)), hit(6, "a later one", date(2026, 4, 1)))
    likeness = {1: {5: 1.0, 6: 2.5, 20: 3.0}, 20: {1: 3.0, 5: 2.0, 6: 9.0}, 5: {}, 6: {}}
    found = features("piano costs 40", "piano costs 45", between=between, likeness=likeness)
    assert (found.near, found.rival, found.old_rival) == (3.0, 1.0, 0.5)
    sams = tuple(each._replace(role="assistant") for each in between)
    found = features("piano costs 40", "piano costs 45", between=sams, likeness=likeness)
    assert (found.near, found.rival, found.old_rival) == (3.0, 3.0, 3.0), "Sam repeats others"
    none = features("piano costs 40", "piano costs 45", between=between)
    assert (none.near, none.rival, none.old_rival) == (0.0, 0.0, 0.0)


def test_the_words_that_they_share_and_those_of_the_question() -> None:
    old, new = "the code of the bike lock is 073", "the suitcase has a code, 518"
    found = features(old, new, "what is the code of the bike lock?")
    assert found.shared == pytest.approx(1 / 3)
    assert found.cover == pytest.approx(1 / 3) and found.old_cover == 1.0
    assert features(old, new).cover == features(old, new).old_cover == 0.0


@pytest.mark.parametrize(
    ("told", "question", "same", "none"),
    [
        ("in the end the keypad takes 8820# for the door", "", 1.0, 0.0),
        ("in the end the keypad takes 88 seconds for the door", "", 0.0, 0.0),
        ("in the end the keypad takes 8820# for the door", "which door has 4471?", 0.0, 0.0),
        ("the keypad of the practice was fun", "", 0.0, 1.0),
        ("the keypad of the practice was fun", "where is the keypad?", 0.0, 0.0),
    ],
)
def test_numbers_that_are_written_alike_or_missing(
    told: str, question: str, same: float, none: float
) -> None:
    """A question for a place or a person needs no number."""
    found = features("to get in through the door of the practice, I type 4471#", told, question)
    assert (found.same_form, found.no_number) == (same, none)


def test_the_name_of_somebody_else() -> None:
    question = "What is the cat of Chiara called?"
    other = "the neighbours' tortoise is called Freccia now"
    assert features("Chiara's cat is called Pesto", other, question).other_name == 1.0
    same = "Chiara renamed the cat, it is called Freccia now"
    assert features("Chiara's cat is called Pesto", same, question).other_name == 0.0
    assert features("the cat is called Pesto", other, question).other_name == 0.0


def test_lengths() -> None:
    """A line that is kept up to date is short, but mentions nothing in passing."""
    old = "the garage in the yard costs us 80 euros a month with heating"
    assert features(old, "garage 90").shorter == 1.0
    assert features(old, "for the garage we pay 90 euros a month from summer").shorter < 0.2
    assert features(old, "garage 来月から月々九十ユーロになります 90").shorter < 0.5
    first, line = hit(1, old), hit(2, "garage 90", NEW)._replace(kind="fact", role=None)
    assert ReplacementOdds([first, line], {}, "").features(line, first).shorter == 0.0
    assert features(old, "garage 90").wordy == 0.0
    long = "the waiting room was full of people reading old magazines about boats " * 5
    assert features(f"{old} {long}", f"garage 90 {long}").wordy > 1.0
    assert features(old, f"garage 90 {long}").wordy < 0.2


def test_what_only_repeats_the_older_value_replaces_nothing() -> None:
    old = hit(1, "the dentist is on 4 May", OLD, 0.7)
    for told, replaces in (
        ("4 May is the dentist's", False),
        ("the dentist is on the eleventh", True),
        ("4 May is the dentist's now, not 11", True),
    ):
        new = hit(2, told, NEW, 0.6)
        assert ReplacementOdds([old, new], {}, "").is_open(new, old) is replaces


def test_messages_of_one_day_replace_each_other_only_with_a_change() -> None:
    old = hit(1, "lunch with Rafa's mother on the 4th")
    for id_, told, replaces, in_row in (
        (2, "she has a boyfriend, 4 of us for lunch", False, 1.0),
        (20, "lunch for 5 with Rafa's mother", False, 0.0),
        (20, "lunch with Rafa's mother moved to the 5th", True, 0.0),
        (2, "lunch with Rafa's mother moved to the 5th", True, 1.0),
    ):
        new = hit(id_, told)
        found = ReplacementOdds([old, new], {}, "")
        assert found.is_open(new, old) is replaces, told
        assert found.features(new, old).in_row == in_row, told
    correction = hit(2, "sorry, lunch with Rafa's mother is on the 5th")
    found = ReplacementOdds([old, correction], {}, "")
    assert not found.is_open(correction, old), "it is decided"
    assert newest_first([old, correction], {}, "")[0] is not old


@pytest.mark.parametrize(
    ("said", "question", "unrelated"),
    [
        ("my cello teacher is Beatriz now", "who is my hairdresser?", 1.0),
        ("it is Violeta from now on", "who is my hairdresser?", 1.0),
        ("I gave up on Orlando", "who cuts my hair?", 0.0),
        ("all hairdressers are too dear, I do it myself now", "", 0.0),
        ("Violeta is the one who cuts it now", "who cuts my hair?", 0.0),
        ("every single one is closed now", "did you ever go?", 1.0),
    ],
)
def test_another_subject(said: str, question: str, unrelated: float) -> None:
    found = features("by the way, my hairdresser is Orlando", said, question)
    assert found.unrelated == unrelated


def test_two_forms_of_a_word_are_one_subject() -> None:
    found = features("we are rehearsing on Thursdays", "rehearsal moved to Tuesdays")
    assert found.unrelated == 0.0


def test_how_changeable_the_answer_is() -> None:
    """Without that, or without vectors, the weights are others."""
    old, new = hit(1, "piano costs 40", OLD, 0.7), hit(2, "piano costs 45", NEW, 0.3)
    near = {1: {2: 2.0}, 2: {1: 2.0}}
    low, high, unknown = (
        ReplacementOdds([old, new], near, "", changeable).odds(new, old)
        for changeable in (1.0, 9.0, None)
    )
    assert high - low == pytest.approx(8.0) and unknown not in (low, high)
    assert newest_first([old, new], near, "", 9.0)[0] is not old
    assert newest_first([old, new], near, "", -9.0)[0] is old
    words = {ReplacementOdds([old, new], {}, "", each).odds(new, old) for each in (-9.0, 9.0)}
    assert len(words) == 1


def test_another_person_seldom_replaces_what_somebody_said() -> None:
    old, new = hit(1, "swimming is on Mondays"), hit(2, "swimming is on Fridays", NEW)
    of_ana = old._replace(author="Ana")
    same, other = (
        ReplacementOdds([of_ana, each], {}, "").odds(each, of_ana)
        for each in (new._replace(author="Ana"), new._replace(author="Rui"))
    )
    assert other - same == pytest.approx(OTHER_SPEAKER)


def test_odds_count_from_the_least_that_replace() -> None:
    old, new = hit(1, "piano costs 40", OLD, 0.7), hit(2, "piano costs 45", NEW, 0.3)
    near = {1: {2: 2.0}, 2: {1: 2.0}}
    for likeness, changeable, weights, least in (
        ({}, None, BY_WORDS, LEAST_ODDS),
        (near, None, BY_VECTORS, LEAST_ODDS),
        (near, 0.5, BY_LOCAL_VECTORS, LEAST_ODDS - 0.5),
    ):
        found = ReplacementOdds([old, new], likeness, "", changeable)
        weighed = sum(a * b for a, b in zip(weights, found.features(new, old), strict=True))
        assert found.odds(new, old) == pytest.approx(weighed - least)


@pytest.mark.parametrize("changeable", [None, -1.0, 1.0])
@pytest.mark.parametrize("near", [None, -2.0, 0.5, 4.0])
def test_no_replacement_is_missed_by_what_is_known_without_the_texts(
    monkeypatch: pytest.MonkeyPatch, near: float | None, changeable: float | None
) -> None:
    question = "When is Ana's piano lesson, on the 5th?"
    texts = [
        "Ana's piano lesson is on the 4th",
        "piano",
        "no lesson now",
        "it is at 5:30",
        "y " * 90,
    ]
    hits = [hit(n, text, date(2026, n, 1), 0.9 / n) for n, text in enumerate(texts, 1)]
    ids = range(1, len(hits) + 1)
    likeness = {} if near is None else {a: {b: near + 0.1 * abs(a - b) for b in ids} for a in ids}
    pairs = [(new, old) for new in hits for old in hits if new is not old]

    def found() -> list[float]:
        odds = ReplacementOdds(hits, likeness, question, changeable)
        return [max(0.0, odds.odds(new, old)) for new, old in pairs]

    quick = found()
    monkeypatch.setattr(ReplacementOdds, "_at_most", lambda *_: 99.0)
    assert quick == found()
