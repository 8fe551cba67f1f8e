"""The score: the weight of each feature, the neighbours, and calibration as a probability."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.search import score_model
from memory.search.candidates.sql import Background, Coverage, covering
from memory.search.evidence import (
    FEATURES,
    Candidate,
    Evidence,
    QuestionFeatures,
    missing_names,
    weigh,
)
from memory.search.question_words import is_about_sam
from memory.text.tokenize import content_words

DAY = "2026-02-12"


def candidate(id_: int, message: int | None = None, **given: object) -> Candidate:
    values = {
        "role": "user" if message else None,
        "author": "",
        "chat": "a" if message else "",
        "day": DAY,
        "words": 12,
        "asking": 0.0,
        "manual": False,
        **given,
    }
    return Candidate(id=id_, message=message, **values)  # type: ignore[arg-type]


def features(found: list[Evidence], id_: int) -> dict[str, float]:
    [one] = [each for each in found if each.id == id_]
    return dict(zip(FEATURES, one.features, strict=True))


NOTHING = Coverage((), (), {})


def test_the_words_of_all_passages_of_a_message_count_together() -> None:
    covered = covering(99, [9, 9], {1: (0b01, 0, 0), 2: (0b10, 0b01, 0), 3: (0b01, 0b10, 0b11)})
    found = weigh(
        QuestionFeatures("a b"), [candidate(1, 7), candidate(2, 7), candidate(3, 8)], covered
    )
    assert len(found) == 2
    assert features(found, found[0].id)["cover"] == pytest.approx(1.0)
    other = features(found, 3)
    assert other["cover"] == pytest.approx(0.5)
    assert (other["before"], other["after"]) == (pytest.approx(0.5), pytest.approx(0.5))


@pytest.mark.parametrize(
    ("later", "words", "both"),
    [
        ({}, 0b00, 1.0),
        ({}, 0b01, 1.0),
        ({}, 0b100, 1 / 3),  # it adds a word of the question
        ({"role": "assistant"}, 0b00, 0.0),
        ({"author": "Ana"}, 0b00, 0.0),
        ({"chat": "b"}, 0b00, 0.0),
        ({"day": "2026-02-13"}, 0b00, 0.0),
    ],
)
def test_what_continues_an_answer_is_no_better_than_the_answer(
    later: dict[str, object], words: int, both: float
) -> None:
    """ "Felix's teacher is Miss Adeyemi" is embedded with "He's allergic to kiwi", too."""
    share = 2 / 3 if words == 0b100 else 1.0
    said = 0b11 if words == 0b100 else 0b111
    covered = covering(99, [9, 9, 9], {1: (said, 0, 0), 2: (words, said, 0)})
    found = weigh(
        QuestionFeatures("a b c", background=Background(0.0, 0.25, 0.0, 0.25)),
        [candidate(1, 7, cosine=1.0), candidate(2, 8, cosine=1.0, **later)],
        covered,
    )
    assert features(found, 1)["both"] == pytest.approx(share)
    assert features(found, 2)["both"] == pytest.approx(both)


def test_what_answers_a_question_or_continues_little_is_no_repetition() -> None:
    ground = Background(0.0, 0.25, 0.0, 0.25)
    for asking, said in ((1.0, 0b111), (0.0, 0b1)):
        covered = covering(99, [9, 9, 9], {1: (said, 0, 0), 2: (0, said, 0)})
        given = [candidate(1, 7, asking=asking), candidate(2, 8, cosine=1.0)]
        found = weigh(QuestionFeatures("a b c", background=ground), given, covered)
        assert features(found, 2)["both"] == 0.0


REPLY = {"role": "assistant", "keywords": 3.0, "cosine": 0.8}


def replied(reply: dict[str, object], **given: object) -> dict[str, float]:
    """Return the features of a message that has neither word of the question, with a reply that has
    one."""
    covered = covering(99, [9, 9], {8: (0b01, 0, 0)})
    asked = QuestionFeatures("a b", background=Background(0.0, 0.1, 0.0, 0.1))
    said = candidate(7, 7, keywords=1.0, cosine=0.2, **given)
    number = int(str(reply.get("message", 8)))
    answer = candidate(8, number, **{**REPLY, **{k: v for k, v in reply.items() if k != "message"}})
    return features(weigh(asked, [said, answer], covered), 7)


def test_a_short_reply_of_sams_counts_as_a_part_of_the_statement() -> None:
    """Of "5.8", Sam's "Dosa is at 5.8 kg." tells who weighs that much."""
    found = replied({})
    assert (found["cover"], found["vector"]) == (pytest.approx(0.5), 1.5)
    assert found["keywords"] == pytest.approx(0.5), "the best BM25, times the best cover"
    assert found["both"] == 0.0, "what the reply covers adds to the vector's evidence"
    assert found["sam"] == 0.0


@pytest.mark.parametrize(
    ("reply", "given"),
    [
        ({"words": 41}, {}),
        ({"role": "user"}, {}),
        ({"chat": "b"}, {}),
        ({"day": "2026-02-13"}, {}),
        ({"message": 9}, {}),
        ({}, {"asking": 0.3}),
        ({}, {"role": "assistant"}),
    ],
)
def test_no_other_message_counts_as_a_part_of_a_statement(
    reply: dict[str, object], given: dict[str, object]
) -> None:
    found = replied(reply, **given)
    assert (found["cover"], found["vector"]) == (0.0, pytest.approx(0.5))


def test_a_rare_word_is_more_of_the_question_than_a_frequent_one() -> None:
    covered = covering(1000, [2, 500], {1: (0b01, 0, 0), 2: (0b10, 0, 0)})
    found = weigh(QuestionFeatures("a b"), [candidate(1, 1), candidate(2, 2)], covered)
    assert features(found, 1)["cover"] > 0.8 > 0.2 > features(found, 2)["cover"]


def test_what_stands_nowhere_is_missing_and_less_so_in_a_small_index() -> None:
    assert sum(covering(1000, [0, 0], {}).missing) == pytest.approx(1.0)
    assert sum(covering(1000, [3, 0], {}).missing) == pytest.approx(0.55, abs=0.06)
    assert sum(covering(20, [0, 0], {}).missing) == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("When does Vexolan arrive?", {"vexolan"}),
        ("What did Yorzik say? Where is Ana?", {"yorzik", "ana"}),
        ("где теперь работает Карим?", {"карим"}),
        ("when does vexolan arrive", set()),
        ("Mongolia?", set()),  # begins a sentence
        ("Which TV did we buy?", set()),  # an acronym
        ("Where Is The Red Box?", set()),  # a title
        ("Wie hoch ist der Mont Blanc?", set()),  # German nouns have capitals
    ],
)
def test_the_names_of_a_question_that_occur_nowhere_count_separately(
    question: str, names: set[str]
) -> None:
    words = content_words(question)
    missing = [1.0 / len(words)] * len(words)
    found = missing_names(question, words, missing)
    assert found == pytest.approx(len(names) / len(words))
    for name in names:  # with a known name, the others may be part of the statement about it
        known = [0.0 if word == name else share for word, share in zip(words, missing, strict=True)]
        assert missing_names(question, words, known) == 0.0


def test_a_question_about_an_unknown_name_is_less_likely_to_have_an_answer() -> None:
    found = weigh(QuestionFeatures("a b"), [candidate(1, 1)], covering(300, [9, 0], {1: (1, 0, 0)}))
    for model in (score_model.HYBRID, score_model.KEYWORDS):
        chances = score_model.chances(found, model)
        asked = [QuestionFeatures("a b", (), None, 0.5, of) for of in (0.0, 0.5)]
        word, name = (score_model.related_features(found, chances, each) for each in asked)
        assert score_model.related(name, asked[1], model) < score_model.related(
            word, asked[0], model
        )


def test_a_cosine_counts_by_its_distance_from_the_background() -> None:
    ground = Background(0.76, 0.02, 0.80, 0.04)
    near, far = candidate(1, 1, cosine=0.84), candidate(2, 2, cosine=0.76)
    waits = candidate(3, 3)
    found = weigh(QuestionFeatures("a", background=ground), [near, far, waits], NOTHING)
    assert features(found, 1)["vector"] == pytest.approx(1.0)
    assert features(found, 2)["vector"] == pytest.approx(0.0)
    assert features(found, 3)["vector"] == pytest.approx(0.15), "neither near nor far"
    assert found[0].likeness == pytest.approx(1.0)


def test_a_named_period_tells_inside_soon_after_and_outside_apart() -> None:
    asked = QuestionFeatures("in May", periods=[(date(2026, 5, 1), date(2026, 5, 3))])
    days = {1: "2026-05-02", 2: "2026-05-09", 3: "2026-06-20", 4: ""}
    found = weigh(asked, [candidate(n, n, day=day) for n, day in days.items()], NOTHING)
    told = {n: [features(found, n)[name] for name in ("inside", "soon", "outside")] for n in days}
    assert told == {1: [1, 0, 0], 2: [0, 1, 0], 3: [0, 0, 1], 4: [0, 0, 1]}


def test_a_named_speaker_is_told_from_the_others() -> None:
    found = weigh(
        QuestionFeatures("What did Ana eat?"),
        [candidate(1, 1, author="Ana Silva"), candidate(2, 2, author="Rui"), candidate(3)],
        NOTHING,
    )
    assert [features(found, n)["speaker"] for n in (1, 2, 3)] == [1.0, -1.0, 0.0]


def test_the_best_of_a_day_lifts_those_around_it() -> None:
    """The two messages on either side of it, and all of its day, but no other day."""
    made = score_model.HYBRID._replace(
        own=(1.0, *[0.0] * (len(FEATURES) - 1)), around=(1.0, 1.0, 0.5)
    )
    cover = {1: 0.0, 2: 0.0, 3: 5.0, 4: 0.0, 9: 0.0}
    found = [
        Evidence(n, n, ("a", DAY if n < 9 else "2026-03-01"), (c, *[0.0] * 14), 0.0)
        for n, c in cover.items()
    ]
    worth = score_model.worths(found, made)
    assert worth[1] > worth[4] > worth[9]
    assert worth[3] == pytest.approx(5.5, abs=0.02)


@given(
    st.lists(  # a share is covered, from 0 to 1
        st.tuples(st.floats(0, 1), *[st.floats(-2, 2) for _ in FEATURES[1:]]),
        min_size=1,
        max_size=30,
    ),
    st.sampled_from([score_model.HYBRID, score_model.KEYWORDS]),
)
def test_chances_are_chances_and_keep_the_order_of_worth(
    rows: list[tuple[float, ...]], made: score_model.ScoreModel
) -> None:
    found = [Evidence(n, None, ("", ""), row, 0.0) for n, row in enumerate(rows)]
    chances, worth = score_model.chances(found, made), score_model.worths(found, made)
    assert chances.keys() == worth.keys() == set(range(len(rows)))
    assert all(0.0 <= chance <= 1.0 for chance in chances.values())
    best = max(worth, key=worth.__getitem__)
    # The covered share is weighted once more, by at most 1.2, and may reorder near ties: 1 / (1 +
    # e^-0.6) - 1 / (1 + e^0.6) is 0.29.
    assert chances[best] >= max(chances.values()) - 0.3


@pytest.mark.parametrize("model", [score_model.HYBRID, score_model.KEYWORDS])
def test_more_evidence_makes_an_answer_more_probable(model: score_model.ScoreModel) -> None:
    def sure(chance: float, **given: float) -> float:
        one = Evidence(1, None, ("", ""), (0.5, *[0.0] * 14), 0.0)
        two = one._replace(id=2)
        asked = QuestionFeatures("", **given)  # type: ignore[arg-type]
        found = score_model.related_features([one, two], {1: chance, 2: 0.1}, asked)
        return score_model.related(found, asked, model)

    assert sure(0.7) > sure(0.2) > sure(0.2, missing=1.0)


def test_what_tells_whether_something_is_related() -> None:
    """The best unit and the best three, by their probability."""

    def unit(id_: int, cover: float, *, inside: float = 0.0) -> Evidence:
        row = dict.fromkeys(FEATURES, 0.0) | {"cover": cover, "inside": inside}
        return Evidence(id_, id_, ("c", "2026-01-01"), tuple(row.values()), 0.0)

    units = [unit(1, 0.4), unit(2, 0.9), unit(3, 0.1, inside=1.0), unit(4, 1.0)]
    chances = {1: 0.8, 2: 0.5, 3: 0.2, 4: 0.1}
    asked = QuestionFeatures("", missing=0.3, missing_names=0.2)
    found = score_model.related_features(units, chances, asked)
    assert found == score_model.RelatedFeatures(0.8, 0.9, 0.3, 0.2, 1.0, 1.0)
    assert not score_model.has_all_words(units, chances)
    assert score_model.has_all_words(units[1:], chances)


def test_a_likely_answer_or_a_complete_one_is_not_doubtful() -> None:
    bar, lower = score_model.SURE, score_model.SURE_BY_NETWORK
    for related, answered, doubtful in (
        (bar - 0.01, None, True),
        (bar + 0.01, None, False),
        (bar - 0.01, lower + 0.01, False),  # a network decides, too, with a lower threshold
        (0.9, lower - 0.01, True),
        (lower - 0.01, 0.9, True),
    ):
        assert score_model.is_doubtful(related, answered, complete=False) is doubtful
        assert not score_model.is_doubtful(related, answered, complete=True)


def test_vector_weight_changes_the_vectors_share_alone() -> None:
    twice = score_model.shifted(score_model.HYBRID, 2.0)
    for name, one, other in zip(FEATURES, score_model.HYBRID.own, twice.own, strict=True):
        assert other == (2 * one if name in ("vector", "both") else one)
    assert score_model.shifted(score_model.HYBRID, 1.0) is score_model.HYBRID


@pytest.mark.parametrize(
    ("question", "of_sam"),
    [
        ("How do I make you forget something?", True),
        ("What is in your soul file?", True),
        ("Wie funktioniert dein Heartbeat?", True),
        ("Which commands are there?", True),
        ("What do you know about me?", False),
        ("Where is my bike?", False),
        ("wo ist mein Rad", False),
        ("¿Dónde está mi bici?", False),
        ("где мой велосипед", False),
        ("Who won the world cup?", False),
        ("What does Miso hate?", False),
        ("What can Sam do?", True),
        ("Sam, how do you remember things?", True),
        ("Hi Sam! I'm Marta, I live in Leipzig.", False),
        ("Sam, when is the dentist?", False),
        ("When is the dentist, Sam?", False),
    ],
)
def test_of_whom_a_question_speaks(question: str, of_sam: bool) -> None:
    assert is_about_sam(question) == of_sam


def test_a_passage_in_a_rarer_language_than_the_question_is_worth_more() -> None:
    asked = QuestionFeatures("where is the key", language="en")
    passages = [
        candidate(id_, id_, language=language)
        for id_, language in enumerate(("pt", "en", "en", ""), 1)
    ]
    found = weigh(asked, passages, NOTHING)
    assert [features(found, id_)["foreign"] for id_ in (1, 2, 3, 4)] == [0.75, 0.0, 0.0, 0.0]
    for model in (score_model.HYBRID, score_model.KEYWORDS):
        worths = score_model.worths(found, model)
        assert worths[1] > worths[2] == worths[4]
    unclear = weigh(QuestionFeatures("key"), passages, NOTHING)
    assert features(unclear, 1)["foreign"] == 0.0
