"""`.env` is edited line by line, and values round-trip."""

from __future__ import annotations

import stat
from io import StringIO
from pathlib import Path

from dotenv import dotenv_values
from hypothesis import given
from hypothesis import strategies as st

from bot.settings import env_file

OLD = "# mine\nA=1\n\nexport B = two # why\n#C=3\nA=4\n"


def test_a_line_is_changed_where_it_stands_and_nothing_else() -> None:
    assert env_file.with_changes(OLD, {"B": "2"}) == OLD.replace("export B = two # why", "B=2")


def test_the_last_of_two_is_the_one_that_counts() -> None:
    assert env_file.with_changes(OLD, {"A": "5"}) == OLD.replace("A=4", "A=5")


def test_a_proposed_setting_comes_below_its_comment_and_a_new_one_last() -> None:
    assert (
        env_file.with_changes(OLD, {"C": "x", "D": "y"})
        == OLD.replace("#C=3\n", "#C=3\nC=x\n") + "D=y\n"
    )


def test_names_are_those_that_count() -> None:
    assert env_file.names(OLD) == ["A", "B", "A"]


@given(st.text(st.characters(blacklist_categories=("Cs", "Cc")), max_size=40))
def test_a_value_is_read_back_as_given(value: str) -> None:
    text = env_file.with_changes("X=1\n", {"KEY": value, "Y": "2"})
    assert dotenv_values(stream=StringIO(text), interpolate=False) == {
        "X": "1",
        "KEY": value,
        "Y": "2",
    }


def test_the_file_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    path.write_text(OLD)
    path.chmod(0o644)
    env_file.write(path, {"C": "geheim"})
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "C=geheim" in path.read_text()
    assert [p.name for p in tmp_path.iterdir()] == [".env"]
