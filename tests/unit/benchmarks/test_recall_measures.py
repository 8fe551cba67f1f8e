"""The metrics of the recall benchmark, on examples counted by hand."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest
import yaml

from memory.search import score_model
from memory.search.newest import order
from tests.benchmarks.recall import __main__ as command
from tests.benchmarks.recall import fit
from tests.benchmarks.recall.asking import Answer, Fitted, fitted, moment
from tests.benchmarks.recall.baselines import ByVectors, ByWords, Row
from tests.benchmarks.recall.measure import (
    BINS,
    Found,
    calibration_error,
    hit_at,
    is_empty_or_weak,
    is_newest_first,
    mean,
    percentile,
    session_at,
)
from tests.benchmarks.recall.parts import change
from tests.benchmarks.recall.question_kinds import PAIRS
from tests.benchmarks.recall.report import report
from tests.benchmarks.recall.sets import (
    CLUSTERS,
    INVENTED,
    MISSPELT,
    OTHER,
    UNSEEN,
    Line,
    Probe,
    Set,
    held_out,
    invented,
    lives,
    misspelt,
    own,
    people,
    pooled,
    portfolio,
    questions_of_others,
    similar,
    unseen,
)
from tests.benchmarks.recall.table import table


def probe(*gold: str, old: str = "", type: str = "direct") -> Probe:
    """Return a probe; groups and superseded messages are separated by blanks: "m1 m2"."""
    return Probe("who?", type, tuple(frozenset(g.split()) for g in gold), frozenset(old.split()))


def answer(asked: Probe, found: str, *, kind: str = "everyday", **given: object) -> Answer:
    """Return an answer; its hits are separated by blanks, each with score 0.5."""
    hits = [Found(id_, 0.5) for id_ in found.split()]
    values: dict[str, object] = {
        "hits": hits,
        "every": hits,
        "words": ["m9"],
        "vectors": [],
        "sessions": {},
        "ms": 2.0,
    }
    return Answer(kind, "a set", asked, **(values | given))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("found", "k", "share"),
    [
        ("m1 m2 m3", 3, 0.5),  # m1 and m2 are one group; m7 is the other
        ("m7 m2", 1, 0.5),
        ("m7 m2", 2, 1.0),
        ("m3 m4 m5 m1", 3, 0.0),
        ("", 3, 0.0),
    ],
)
def test_hit_at_counts_groups_and_not_their_members(found: str, k: int, share: float) -> None:
    assert hit_at(probe("m1 m2", "m7"), found.split(), k) == share


def test_what_has_no_answer_has_no_recall() -> None:
    with pytest.raises(ValueError, match="nothing answers"):
        hit_at(probe(), ["m1"], 3)


@pytest.mark.parametrize(
    ("found", "right"),
    [
        ("m9 m4 m2", True),
        ("m2 m9", False),  # the old one is first
        ("m5 m6 m9 m2", True),
        ("m5 m6 m7 m9", False),  # not among the first three
        ("m2", False),
        ("", False),
        ("m9", True),
    ],
)
def test_a_correction_is_early_and_before_what_it_corrects(found: str, right: bool) -> None:
    assert is_newest_first(probe("m9", old="m2 m3"), found.split()) is right


def test_a_session_counts_where_any_of_its_messages_is_found() -> None:
    session = {"m1": 0, "m2": 0, "m3": 1, "m4": 2}
    asked = probe("m1", "m4")
    assert session_at(asked, ["m2", "m3"], session, 10) == 0.5
    assert session_at(asked, ["m3", "m2", "m4"], session, 2) == 0.5
    assert session_at(asked, ["note:Cake.md"], session, 10) == 0.0


def test_weak_hits_are_no_answer() -> None:
    assert is_empty_or_weak([])
    assert is_empty_or_weak([Found("m1", weak=True)])
    assert not is_empty_or_weak([Found("m1", weak=True), Found("m2")])


def test_calibration_is_the_mean_gap_by_bins() -> None:
    # (.3, .3) of which one is gold: a gap of .2 each; .9, gold: .1. (.2 + .2 + .1) / 3
    pairs = [(0.3, True), (0.3, False), (0.9, True)]
    assert calibration_error(pairs) == pytest.approx(0.5 / 3)
    assert calibration_error([(1.0, True), (0.0, False)]) == 0.0
    # A bin begins with its lower bound: .2 is with .3, and the two make up for each other.
    assert calibration_error([(0.2, False), (0.3, True)]) == pytest.approx(0.25)
    assert calibration_error([]) == 0.0
    assert fit.calibration.__defaults__ == (BINS,)


def test_means_and_percentiles() -> None:
    assert mean([]) is None
    assert mean([1, 0, 0]) == 0.3333
    assert percentile([5, 1, 3], 0.5) == 3
    assert percentile([5, 1, 3], 0.95) == 5
    assert percentile([], 0.5) == 0.0


def test_words_alone_find_what_shares_the_rarest_of_them() -> None:
    found = ByWords(
        [
            Row("m1", "Ada\nThe cat sleeps."),
            Row("m2", "Ada\nThe cats eat quinces!"),
            Row("note:A.md", "What is the"),
        ]
    )
    try:
        assert found.find('What is the "cat" with the quince?', 10) == ["m2", "m1"]
        assert found.find("cat", 1) == ["m1"]
        assert found.find("what is the?", 10) == []
    finally:
        found.close()


def test_vectors_alone_take_the_nearest_passage_of_a_message() -> None:
    import numpy as np

    def vector(*values: float) -> np.ndarray:
        return np.array(values, np.float32)

    rows = [
        Row("m1", "", [vector(1, 0)]),
        Row("m2", "", [vector(0, 1), vector(0.8, 0.6)]),
        Row("m3", ""),
        Row("m4", "", [vector(-1, 0)]),
    ]
    assert ByVectors(rows).find(vector(3, 4).tobytes(), 2) == ["m2", "m1"]
    assert ByVectors([Row("m3", "")]).find(vector(1, 0).tobytes(), 2) == []


def test_the_report_says_what_was_found_of_what_was_asked() -> None:
    found = report(
        [
            answer(probe("m1"), "m1 m2"),
            answer(probe("m1", type="echo"), "m2 m3 m1"),
            answer(probe("m9", old="m2", type="correction"), "m2 m9"),
            answer(probe(type="nothing: near"), "", ms=20.0),
            answer(
                probe(type="nothing: near"),
                "m1",
                hits=[Found("m1", 0.1, weak=True, noise="question")],
            ),
            answer(probe("m1 m2", "m8", "m9"), "m2 m1 m8", kind="LoCoMo", vectors=["m8"]),
            answer(probe(type=OTHER), "", kind="LoCoMo", every=[], ms=99.0, left_out=[]),
            answer(probe(type=OTHER), "m1", kind="LoCoMo", every=[], ms=99.0, left_out=[]),
        ]
    )
    everyday = found["everyday"]
    assert everyday["everyday"]["probes"] == 2, "neither corrections nor what has no answer"
    assert (everyday["everyday"]["sam@3"], everyday["everyday"]["sam@1"]) == (1.0, 0.5)
    assert everyday["everyday / echo"]["sam@1"] == 0.0
    assert everyday["everyday / correction"]["sam@3"] == 0.0
    assert everyday["everyday / correction"]["fts5@3"] == 1.0
    assert "sam@1" not in everyday["everyday / correction"]
    assert found["nothing"] == {
        "everyday / nothing: near": {
            "probes": 2,
            "empty": 0.5,
            "left empty": None,
            "empty or weak": 1.0,
        },
        f"LoCoMo / {OTHER}": {
            "probes": 2,
            "empty": 0.5,
            "left empty": 1.0,
            "empty or weak": 0.5,
        },
    }
    assert found["kinds"]["LoCoMo"]["ms p95"] == 2.0, "questions of others are not timed"
    assert found["conversations"]["LoCoMo"]["sam@10"] == 0.6667
    assert found["conversations"]["LoCoMo"]["vectors@10"] == 0.3333
    assert found["noise"] == {
        "hits": 8,
        "manual": 0.0,
        "question": 0.125,
        "small talk": 0.0,
    }
    assert found["kinds"]["everyday"]["ms p95"] == 20.0
    shown = table({**found, "absent": ["talk.json"]})
    assert max(map(len, shown.splitlines())) <= 100
    assert "  echo" in shown and "not there, so not measured: talk.json" in shown


def test_other_sets_questions_have_no_answer_here_and_are_always_the_same() -> None:
    def made(name: str, *probes: Probe) -> Set:
        return Set("LoCoMo", name, "UTC", [], probes, {})

    one = made("one", probe("m1"), Probe("mine?", "direct", (frozenset({"m1"}),)))
    asked = [Probe(f"q{number}?", "direct", (frozenset({"m1"}),)) for number in range(80)]
    other = made("other", *asked, Probe("unanswered?", "direct", ()))
    found = questions_of_others(one, [one, other])
    assert len({each.question for each in found}) == 50
    assert {each.question for each in found} <= {each.question for each in asked}
    assert all((each.type, each.gold) == (OTHER, ()) for each in found)
    assert found == questions_of_others(one, [one, other])


def test_invented_names_have_no_answer_in_any_set() -> None:
    for each in own():
        asked = invented(each)
        assert len(asked) >= 50 and {one.type for one in asked} == {INVENTED}
        assert not any(one.gold for one in asked)
        assert {one.at for one in asked} == {max(one.at for one in each.probes if one.at)}


def test_a_misspelt_question_has_one_mistake_and_the_same_answer() -> None:
    for each in own():
        asked = [(one.gold, one.question.split()) for one in each.probes]
        found = misspelt(each)
        assert found == misspelt(each) and len(found) == 40
        for one in found:
            assert one.type == MISSPELT and one.gold and not one.old
            words = one.question.split()
            assert any(
                gold == one.gold
                and len(right) == len(words)
                and sum(a != b for a, b in zip(right, words, strict=True)) <= 1
                for gold, right in asked
            )


def test_similar_statements_are_new_to_recall_and_each_question_has_one_answer() -> None:
    clusters = map(json.loads, CLUSTERS.read_text("utf-8").splitlines())
    trained_on = [*yaml.safe_load(PAIRS.read_text("utf-8"))]
    trained_on += [item for cluster in clusters for item in cluster["items"]]
    fitted_on = {entry["said"] for entry in trained_on}
    assert len(trained_on) == len(fitted_on) == 3050
    for each in similar():
        said = {line.id: line.text for day in each.sessions for line in day}
        assert len(said) == 300 and fitted_on.isdisjoint(said.values())
        assert [line.at for day in each.sessions for line in day] == sorted(
            line.at for day in each.sessions for line in day
        )
        asked = [(one.type, said[id_]) for one in each.probes for (id_,) in one.gold]
        assert sorted(asked) == sorted(
            (type_, text) for text in said.values() for type_ in ("paraphrase", "short")
        )


def test_the_people_to_train_on_are_in_no_set_and_their_answers_exist() -> None:
    measured = {line.text for each in own() for day in each.sessions for line in day}
    for each in people():
        lines = {line.id: line.text for day in each.sessions for line in day}
        known = lines.keys() | {f"note:{path}" for path in each.notes}
        assert len(each.probes) >= 40
        assert all(one.old.union(*one.gold) <= known for one in each.probes)
        long = {text for text in lines.values() if len(text) > 40}
        assert measured.isdisjoint(long)


def test_a_probe_is_asked_on_its_own_day() -> None:
    line = Line("m1", "user", "hello", datetime(2026, 3, 2, 9, tzinfo=UTC))
    each = Set("everyday", "a set", "Europe/Lisbon", [[line]], [], {})
    on = Probe("who?", "time", (), at=datetime(2026, 5, 7, tzinfo=UTC).date())
    assert moment(on, each).isoformat() == "2026-05-07T12:00:00+01:00"
    assert moment(probe("m1"), each) == each.ends


def test_pooled_sets_keep_their_ids_apart_and_their_days_in_order() -> None:
    lines = [Line("m1", "user", "hello", datetime(2026, 3, day, 9, tzinfo=UTC)) for day in (4, 2)]
    asked = [probe("m1"), probe("note:Work/Bike.md", old="m1")]
    one, other = (
        Set(UNSEEN, name, "UTC", [[line]], asked, {"Work/Bike.md": name}, has_starter=True)
        for name, line in zip("ab", lines, strict=True)
    )
    both = pooled([one, other])
    assert [[line.id for line in session] for session in both.sessions] == [["b m1"], ["a m1"]]
    assert [(each.gold, each.old) for each in both.probes[:2]] == [
        ((frozenset({"a m1"}),), frozenset()),
        ((frozenset({"note:a/Work/Bike.md"}),), frozenset({"a m1"})),
    ]
    assert both.notes == {"a/Work/Bike.md": "a", "b/Work/Bike.md": "b"}
    assert (both.kind, both.has_starter, len(both.probes)) == (UNSEEN, True, 4)


def test_what_a_member_of_a_pooled_set_asks_is_not_asked_elsewhere() -> None:
    names = ("a", "b", "c")
    one, two, three = (
        Set("LoCoMo", name, "UTC", [], [replace(probe("m1"), question=f"who is {name}?")], {})
        for name in names
    )
    asked = questions_of_others(pooled([one, two]), [one, two, three])
    assert [each.question for each in asked] == ["who is c?"]


def test_a_size_is_changed_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(score_model, "LEAST", 0.5)
    restore = change("score_model.LEAST=0.1")
    assert score_model.LEAST == 0.1
    restore()
    assert score_model.LEAST == 0.5
    monkeypatch.setattr(order, "LED", 2)
    change("newest.order.LED=0")
    assert order.LED == 0
    sizes = ("score_model.LEAST", "score_model.least=1", "score_model.MOST=1")
    for wrong in (*sizes, "nothing.LEAST=1", "os.X=1", "newest.LED=1", "newest..LED=1"):
        with pytest.raises(ValueError, match="no size of memory/search"):
            change(wrong)


def test_what_was_fitted_on_other_kinds_is_tried_and_put_back() -> None:
    usual = score_model.HYBRID, score_model.KEYWORDS
    other = usual[0]._replace(around=(9.0, 0.0, 0.0, 0.0))
    with pytest.raises(ZeroDivisionError), fitted(Fitted(other, other)):
        assert other == score_model.HYBRID == score_model.KEYWORDS
        raise ZeroDivisionError
    assert usual == (score_model.HYBRID, score_model.KEYWORDS)


def test_sets_are_chosen_by_kind_or_name() -> None:
    line = Line("m1", "user", "hello", datetime(2026, 3, 2, 9, tzinfo=UTC))
    sets = [Set(*each, "UTC", [[line]], [], {}) for each in (("a", "x"), ("a", "y"), ("b", "z"))]
    assert [each.name for each in command.chosen(sets, ["a", "z"])] == ["x", "y", "z"]
    assert command.chosen(sets, []) == sets
    with pytest.raises(ValueError, match="no set is called 'q'; there are a, b, x, y, z"):
        command.chosen(sets, ["q"])


def test_nothing_is_fitted_on_the_held_out_people() -> None:
    fitted_on = [*portfolio(), *people(), *unseen(), *lives(), *similar()]
    questions = {probe.question for each in fitted_on for probe in each.probes if probe.gold}
    for each in held_out():
        assert each.kind not in {one.kind for one in fitted_on}
        assert len(questions & {probe.question for probe in each.probes}) < 0.02 * len(each.probes)
