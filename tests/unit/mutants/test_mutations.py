"""The mutations of a text, their effects, and the tests selected for them."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from tests.mutants.__main__ import affordable, core, drawn, stale
from tests.mutants.equivalent import EQUIVALENT
from tests.mutants.measure import Map, TimedTest
from tests.mutants.mutations import Mutation, mutations
from tests.mutants.places import candidates, place


def changed(source: str) -> list[str]:
    """Yield the text after each mutation."""
    return [each.applied(source) for each in mutations("x.py", source)]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a < b", ["a <= b"]),
        ("(a) not  in (b)", ["(a) in (b)"]),
        ("a is None", ["a is not None"]),
        ('a == "x"', ['a != "x"', 'a == "?"']),
        ("a and b or c", ["a and b and c", "a or b or c"]),
        ("not a", ["(a)"]),
        ("a if b else c", ["a if not (b) else c"]),
        ("[a for a in b if a]", ["[a for a in b if not (a)]"]),
        ("a + 1", ["a - 1", "a + 0", "a + 2"]),
        ("a[-1]", ["a[-0]", "a[-2]"]),
        ("5000", ["10000"]),
        ("True", ["False"]),
        ("min(a)", ["max(a)"]),
        ('"ä" + a < "ß"', ['"ä" + a < "?"', '"ä" + a <= "ß"']),
        ('f"{a}" + b', []),
        ('"SELECT a WHERE b > 0 AND c ORDER BY d DESC"', 3),
        ('"words AND words"', []),
    ],
)
def test_an_expression_has_these_mutations(before: str, after: list[str] | int) -> None:
    found = changed(f"x = {before}\n")
    if isinstance(after, int):
        assert len(found) == after
    else:
        assert sorted(found) == sorted(f"x = {each}\n" for each in after)


def test_statements_are_left_out_and_turned_round() -> None:
    source = """def f(a):
    for b in a:
        if b:
            continue
        a.c = b
        a.d += b
        await_(b)
        raise ValueError("a sentence", 7)
    return a
"""
    found = {(each.old, each.new) for each in mutations("x.py", source)}
    assert found == {
        ("b", "not (b)"),
        ("continue", "break"),
        ("a.c = b", "pass"),
        ("a.d += b", "pass"),
        ("await_(b)", "pass"),
        ('raise ValueError("a sentence", 7)', "pass"),
        ("return a", "return None"),
    }


def test_what_only_a_reader_a_checker_or_the_log_sees_is_left_alone() -> None:
    source = '''"""A text, 1 < 2."""
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import x
    x.y(1)
__all__ = ["a", "b"]
@dataclass(frozen=True, slots=True)
class A:
    """Of 3."""
    __slots__ = ("a",)
    b: Literal[4]
def f(a: Literal[5]) -> Literal[6]:
    """Of 7."""
    log.warning("gone: %s", a[8])
    self._log.error("gone", 9)
    assert a > 10
    ...
'''
    assert mutations("x.py", source) == []


def test_every_mutation_of_the_core_compiles_and_differs() -> None:
    file = "memory/search/fusion.py"
    source = core([file])[file]
    found = mutations(file, source)
    assert len(found) > 20
    before = ast.dump(ast.parse(source))
    for each in found:
        assert ast.dump(ast.parse(each.applied(source))) != before
        assert each.text in source and each.line == source.count("\n", 0, each.at) + 1


def test_a_seed_draws_one_sample_and_leaves_out_what_is_known_to_change_nothing() -> None:
    files = core(["bot/sync/merge"])
    found = [each for file, text in files.items() for each in mutations(file, text)]
    one, _ = drawn(found, 5, 20)
    assert drawn(found, 5, 20)[0] == one != drawn(found, 6, 20)[0]
    assert len(one) == 20
    whole, equivalent = drawn(found, 5, 10**6)
    assert len(equivalent) == len([each for each in EQUIVALENT if each.file in files]) > 0
    assert {*whole, *equivalent} == set(found)


def test_what_is_known_to_change_nothing_is_there() -> None:
    files = core()
    named = {each.file for each in EQUIVALENT}
    found = [each for file in named for each in mutations(file, files[file])]
    assert stale(found, named) == []
    assert stale([], named) == list(EQUIVALENT)


SOURCE = """LIMIT = 3
TWICE = LIMIT * 2

class A:
    size: int = 4

    @property
    def f(self, a=5):
        b = (
            6
        )
        def inner():
            return 7
        if b > 8:
            return LIMIT
        return TWICE
"""


@pytest.mark.parametrize(
    ("old", "function", "lines", "names"),
    [
        ("3", None, (1, 1), {"LIMIT"}),
        ("2", None, (2, 2), {"TWICE"}),
        ("4", None, (5, 5), {"size"}),
        ("5", None, (9, 16), {"f"}),
        ("6", ("A.f", 7), (9, 11), {"b"}),
        ("7", ("A.f", 7), (13, 13), set()),
        ("8", ("A.f", 7), (14, 14), set()),
    ],
)
def test_the_place_of_a_mutation(
    old: str, function: tuple[str, int] | None, lines: tuple[int, int], names: set[str]
) -> None:
    mutation = next(each for each in mutations("m.py", SOURCE) if each.old == old)
    where = place(mutation, SOURCE, set())
    assert where.function == function
    assert (where.lines[0], where.lines[-1]) == lines
    assert where.names == names
    assert not where.imported and place(mutation, SOURCE, set(where.lines)).imported


def known(**lines: Any) -> Map:
    """Return a map of two tests of one module, and of one that failed."""
    passed = {"tests/unit/t.py::a": 0.5, "tests/system/t.py::b": 0.1, "tests/unit/t.py::c": 0.2}
    contexts = {f"tests/unit/t.py::{name}": numbers for name, numbers in lines.items()}
    module = {
        "passed": passed,
        "failed": ["tests/unit/t.py::bad"],
        "lines": {"m.py": {**contexts, "tests/system/t.py::b": [9]}},
        "imported": {"m.py": [1, 2, 5]},
    }
    return Map([module])


def test_the_tests_of_a_mutation_are_the_quickest_first_and_processes_last() -> None:
    found = known(a=[14, 15], bad=[14], c=[9, 15, 16])
    assert [test.id[-1] for test in found.of("m.py", [14])] == ["a"]
    assert [test.id[-1] for test in found.of("m.py", range(9, 17))] == ["c", "a", "b"]

    def noticing(old: str) -> list[str]:
        mutation = next(each for each in mutations("m.py", SOURCE) if each.old == old)
        where = place(mutation, SOURCE, found.imported["m.py"])
        return [test.id[-1] for test in candidates(mutation, where, found, {"m.py": SOURCE})]

    assert noticing("8") == ["a"]
    assert noticing("7") == []
    assert noticing("3") == ["c", "a"], "who uses it, or what is made of it"
    assert noticing("2") == ["c"]
    assert noticing("4") == ["c", "a", "b"], "nobody names it: all of its file"


def test_the_tests_of_a_field_are_first_those_that_use_its_class() -> None:
    sources = {"m.py": SOURCE, "other.py": "size = 1\n", "user.py": "a = A()\nprint(a.size)\n"}
    module = {
        "passed": {"t.py::other": 0.1, "t.py::user": 0.5, "t.py::both": 0.9},
        "failed": [],
        "lines": {
            "other.py": {"t.py::other": [1], "t.py::both": [1]},
            "user.py": {"t.py::user": [1, 2], "t.py::both": [1, 2]},
        },
    }
    mutation = next(each for each in mutations("m.py", SOURCE) if each.old == "4")
    where = place(mutation, SOURCE, {5})
    assert where.owner == "A"
    found = candidates(mutation, where, Map([module]), sources)
    assert [test.id.split("::")[1] for test in found] == ["user", "both", "other"]


def test_of_many_tests_the_quickest_are_run_and_one_process_at_least() -> None:
    many = [TimedTest(f"tests/unit/t.py::{n}", 25.0) for n in range(4)]
    slow = [TimedTest(f"tests/system/t.py::{n}", 100.0) for n in range(2)]
    assert affordable([*many, *slow]) == [*many[:2], slow[0]]


def test_a_change_is_shown_on_one_line() -> None:
    each = Mutation("m.py", 1, 0, "a(\n    b\n)", "", "a(")
    assert each.change == "a( b ) → (nothing)"
