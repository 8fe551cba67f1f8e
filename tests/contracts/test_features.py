"""docs/dev/features.md has a row for each required feature, and each row is correct.

`python -m tests.features_off` checks that the tests of a row fail without its feature.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import pytest

from tests.features_off import (
    ROOT,
    Missing,
    Row,
    Switch,
    not_built,
    rows,
    switches,
    without_switch,
)
from tests.support.named_tests import is_there

GROUPS = {"000": 51, "001": 37, "002": 36, "003": 42, "004": 27, "P": 20, "X": 18}
"""The number of features of each design document; docs/dev/features.md names the documents."""
NOT_FOR_US = frozenset({"003-31", "003-32", "003-33"})
"""A fallback for full-text search, which is always available."""
WANTED = frozenset(
    f"{group}-{number:02}" for group, count in GROUPS.items() for number in range(1, count + 1)
).difference(NOT_FOR_US)
BUILT = rows()


def problems(built: Sequence[Row], missing: Sequence[Missing]) -> list[str]:
    """Return what is wrong with the tables."""
    found = []
    for row in built:
        found += [f"{row.id}: no test {test}" for test in row.tests if not is_there(test)]
        found += [
            f"{row.id}: no file {place}" for place in row.places if not (ROOT / place).exists()
        ]
    told = [*((row.id, row.feature) for row in built), *((row.id, row.missing) for row in missing)]
    found += [f"{id_}: says nothing" for id_, said in told if not said]
    times = Counter(id_ for id_, _ in told)
    found += [f"{id_}: {count} rows" for id_, count in times.items() if count > 1]
    found += [f"{id_}: no such id" for id_ in sorted(times.keys() - WANTED)]
    return found + [f"{id_}: no row" for id_ in sorted(WANTED - times.keys())]


def test_every_feature_that_was_asked_for_has_one_row_that_holds() -> None:
    assert len(WANTED) == 228
    assert problems(BUILT, not_built()) == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"tests": ("tests/unit/notes/test_day.py::test_that_is_not_there",)}, "no test"),
        ({"tests": ("tests/test_gone.py::test_x",)}, "no test"),
        ({"tests": ("",)}, "no test"),
        ({"id": "000-02"}, "2 rows"),
        ({"id": "003-31"}, "no such id"),
        ({"id": "Q-01"}, "000-01: no row"),
        ({"places": ("memory/gone.py",)}, "no file"),
        ({"feature": ""}, "says nothing"),
    ],
)
def test_a_wrong_row_is_seen(change: dict[str, object], problem: str) -> None:
    [first, *others] = BUILT
    wrong = Row(**{**first._asdict(), **change})  # type: ignore[arg-type]  # by name
    assert any(problem in found for found in problems([wrong, *others], not_built()))


def test_a_row_stands_among_its_own_in_order() -> None:
    """Rows are sorted within their group; features that are not built come last."""
    for ids in ([row.id for row in BUILT], [row.id for row in not_built()]):
        groups = list(dict.fromkeys(id_.partition("-")[0] for id_ in ids))
        assert ids == sorted(ids, key=lambda id_: (groups.index(id_.partition("-")[0]), id_))


def broken(switch: Switch) -> str:
    """Return why the switch cannot be used; "" if it can."""
    text = (ROOT / switch.file).read_text("utf-8")
    if text.count(switch.old) != 1:
        return f"{switch.id}: {switch.old!r} stands {text.count(switch.old)} times in {switch.file}"
    if switch.new == switch.old:
        return f"{switch.id}: changes nothing"
    if switch.file.endswith(".py"):
        try:
            compile(text.replace(switch.old, switch.new), switch.file, "exec")
        except SyntaxError as wrong:
            return f"{switch.id}: any test would notice: {wrong}"
    return ""


def test_every_switch_can_be_used_and_is_of_a_row() -> None:
    found = switches()
    assert list(filter(None, map(broken, found))) == []
    assert {switch.id for switch in found} <= {row.id for row in BUILT}
    assert len(set(found)) == len(found)


def test_an_unusable_switch_is_seen() -> None:
    [first, *_] = switches()
    assert "stands 0 times" in broken(first._replace(old="no such text"))
    assert "changes nothing" in broken(first._replace(new=first.old))
    assert "any test" in broken(first._replace(new="if (:"))


def test_every_feature_can_be_taken_away_or_it_is_said_why_not() -> None:
    off, why = {switch.id for switch in switches()}, without_switch()
    assert [row.id for row in BUILT if row.id not in off and row.id not in why] == []
    assert off.isdisjoint(why) and why.keys() <= {row.id for row in BUILT}
    assert all(len(reason) > 20 for reason in why.values())
    assert len(why) <= 3, "most of what is built can be taken away"


def test_what_switches_replace_is_code_or_text_of_ours_and_no_test() -> None:
    for switch in switches():
        assert re.match(r"(bot|memory|vault|docs|deploy)/", switch.file), switch
