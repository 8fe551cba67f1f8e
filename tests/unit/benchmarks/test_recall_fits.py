"""The regressions that `python -m tests.benchmarks.recall --fit…` fits."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from memory.search.evidence import FEATURES, Evidence, QuestionFeatures
from memory.search.newest.model import Features
from memory.search.refinement import ANSWER_LAYERS, LAYERS, Network
from tests.benchmarks.recall import refinement, replacement
from tests.benchmarks.recall.fit import Case
from tests.benchmarks.recall.logistic import newton
from tests.benchmarks.recall.sets import OTHER, UNSEEN, Probe


def test_newtons_method_finds_the_weights_that_made_the_answers() -> None:
    chance = np.random.default_rng(1)
    made = np.array([1.5, -2.0, 0.0, 0.5])
    x = np.hstack([chance.normal(size=(4000, 3)), np.ones((4000, 1))])
    y = (chance.random(4000) < 1 / (1 + np.exp(-x @ made))).astype(float)
    found = newton(x, y, np.ones(4000), np.full(4, 1e-6))
    assert np.abs(found - made).max() < 0.2
    # What has no share does not count, and a large penalty keeps a weight small.
    y[2000:] = 1.0 - y[2000:]
    half = newton(x, y, np.repeat((1.0, 0.0), 2000), np.full(4, 1e-6))
    assert np.abs(half - made).max() < 0.3
    assert abs(newton(x, y, np.ones(4000), np.array([1e9, 1, 1, 1]))[0]) < 0.01


@pytest.mark.parametrize(
    ("type_", "new", "old", "found"),
    [
        ("correction", "new", "old", (1.0, 1.0)),
        ("correction", "new", "other", (0.0, 0.0)),  # it would only move the answer up
        ("correction", "other", "new", (0.0, replacement.BEFORE_ANSWER)),
        ("correction", "other", "old", (0.0, replacement.BEFORE_OLD)),
        ("correction", "other", "another", (0.0, replacement.AMONG_OTHERS)),
        ("direct", "new", "old", (0.0, 0.0)),
        ("direct", "other", "new", (0.0, replacement.BEFORE_ANSWER)),
    ],
)
def test_which_pairs_are_examples(
    type_: str, new: str, old: str, found: tuple[float, float]
) -> None:
    probe = Probe("?", type_, (frozenset({"new"}),), frozenset({"old"}))
    assert replacement.label(probe, new, old) == found


def test_the_fit_weighs_the_features_and_the_question() -> None:
    """Without questions their part is in the constant alone, and what never varies weighs 0."""
    chance = np.random.default_rng(2)
    count, names = 3000, Features._fields
    x = np.zeros((count, len(names)))
    x[:, names.index("near")] = chance.normal(size=count) * 2
    x[:, names.index("one")] = 1.0
    asked = chance.normal(size=(count, 120))
    asked /= np.linalg.norm(asked, axis=1, keepdims=True)
    odds = 1.5 * x[:, names.index("near")] + 20.0 * asked[:, 0] - 1.0
    y = (chance.random(count) < 1 / (1 + np.exp(-odds))).astype(float)
    given = replacement.Examples(x, asked, y, np.ones(count))
    weights, of_questions = replacement.fitted(given, with_questions=True)
    assert weights.near == pytest.approx(1.5, abs=0.4) and weights.one == weights.score == 0.0
    assert of_questions.dtype == np.dtype("<f4") and of_questions.shape == (121,)
    learned = of_questions[:-1] / np.linalg.norm(of_questions[:-1])
    assert learned[0] > 0.7
    plain, _ = replacement.fitted(given, with_questions=False)
    assert plain.near > 0.5 and plain.one < -0.3
    text = replacement.printed("BY_X", plain)
    assert text.startswith("BY_X = Features(\n    score=0.00,\n") and f"one={plain.one:.2f}" in text


def case(kind: str, number: int, units: int, gold: list[list[int]]) -> Case:
    found = [Evidence(n, n, ("", ""), (n / 100,) * len(FEATURES), 0.0) for n in range(units)]
    x = np.array([each.features for each in found])
    return Case(kind, f"{kind} {number}", Probe("?", "", ()), QuestionFeatures("?"), found, gold, x)


def test_the_network_learns_from_all_unseen_people_and_some_of_each_other_kind() -> None:
    given = [case(kind, n, 3, [[1]]) for kind in (UNSEEN, "chats") for n in range(400)]
    unanswered, alone = case(UNSEEN, 400, 3, []), case(UNSEEN, 401, 1, [[0]])
    chosen = [each.kind for each in refinement.chosen([*given, unanswered, alone])]
    assert (chosen.count(UNSEEN), chosen.count("chats")) == (400, 350)
    fewer = [each.kind for each in refinement.chosen(given, 100)]
    assert (fewer.count(UNSEEN), fewer.count("chats")) == (100, 350)


def test_a_small_store_keeps_the_answer_and_few_others() -> None:
    whole = case(UNSEEN, 1, 90, [[7, 60], [33]])
    sizes = set()
    for seed in range(40):
        small = refinement.smaller(whole, random.Random(seed))
        sizes.add(len(small.found))
        assert [[small.found[n].id for n in group] for group in small.groups] == [[7, 60], [33]]
        assert small.x.tolist() == [list(each.features) for each in small.found]
        assert small.gold.sum() == 3
    assert min(sizes) < 10 and max(sizes) <= 28


def test_the_second_network_learns_from_what_is_found_in_vain_of_others_and_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def asked(type_: str, cosines: list[float], gold: list[list[int]]) -> Case:
        rows = [[cosine * (name == "vector") for name in FEATURES] for cosine in cosines]
        found = [Evidence(n, 9 * n, ("", str(n)), tuple(x), 0.0) for n, x in enumerate(rows)]
        groups = (frozenset("g"),) if gold else ()
        probe = Probe("?", type_, groups)
        return Case(UNSEEN, "", probe, QuestionFeatures("?"), found, gold, np.array(rows))

    adds_nothing = [(np.zeros((LAYERS[0], 1)), np.zeros(1))]
    first = Network(adds_nothing, 1.0, np.array([1.0, 0.0, 0.0, 0.0, 0.0]))
    given = [asked("direct", [0.1, 0.9, 0.2, 0.3, 0.4], [[1]]) for _ in range(6)]
    given += [asked("direct", [0.1, 0.9, 0.2, 0.3, 0.4], [[0]])]  # found, but not among the best
    given += [asked("nothing", [0.5, 0.1], []) for _ in range(3)]
    given += [asked(OTHER, [0.3], []) for _ in range(2)]
    learned: list[tuple[Any, Any, Any]] = []
    monkeypatch.setattr(refinement, "_trained_answered", lambda *each: learned.append(each))
    refinement.fitted_answered(given, first)
    ((rows, wanted, counts),) = learned
    assert rows.shape[1] == ANSWER_LAYERS[0] and wanted.tolist().count(1.0) >= 12
    total = counts.sum()
    for value, share in ((1.0, 1.0), (0.0, 1.0)):
        assert counts[wanted == value].sum() / total == pytest.approx(share / 2)
    best = 11 + [*FEATURES].index("vector")  # the place of the best unit's cosine
    answered, rest = rows[wanted == 1.0][:, best], rows[wanted == 0.0][:, best]
    assert set(answered.tolist()) == {0.9}, "the best unit answers"
    in_vain, of_others, left_out = rest[:3], rest[3:5], rest[5:12]
    assert set(in_vain.tolist()) == {0.5} and set(of_others.tolist()) == {0.3}
    assert sorted(left_out.tolist()) == [0.4] * 6 + [0.9], "without the unit that answers"
