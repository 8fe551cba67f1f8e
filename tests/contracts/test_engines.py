"""Which tests of log, inbox, ledger and turn do not run on both engines, and why."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.support.engines import MODULES

ROOT = Path(__file__).parents[2]
FILES = "of a file of SQLite, or of its schema; test_postgres.py has those of PostgreSQL"
NO_STORE = "uses no store"
ONLY_ONCE = {
    "test_the_bullets_of_one_day_are_found_without_a_look_at_all_others": FILES,
    "test_a_damaged_log_is_said_and_never_overwritten": FILES,
    "test_a_log_of_a_newer_sam_is_refused": FILES,
    "test_migrations_are_numbered_without_gap_or_double": FILES,
    "test_a_log_from_before_the_counts_adds_up_too": FILES,
    "test_a_burst_in_one_chat_delays_no_other_and_stop_waits_for_nobody": NO_STORE,
    "test_what_has_not_begun_at_the_end_is_left_alone": NO_STORE,
    "test_a_place_has_a_name_in_the_log": NO_STORE,
    "test_what_is_replied_to_is_its_authors_word": NO_STORE,
    "test_nothing_that_a_stranger_or_a_group_wrote_is_stored": NO_STORE,
}
"""Tests that do not run on both engines. On PostgreSQL none is skipped: those on scrubbed bytes
look at the data folder and the vault, since no Sam can overwrite what PostgreSQL has deleted."""


def run_once(source: str) -> set[str]:
    """Return the tests of a module that do not depend on the fixtures `stores` or `engine`."""
    if 'usefixtures("engine")' in source:
        return set()
    wanted = {
        node.name: [each.arg for each in node.args.args]
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }

    def on_both(name: str) -> bool:
        return any(
            each in ("stores", "engine") or (each in wanted and each != name and on_both(each))
            for each in wanted[name]
        )

    return {name for name in wanted if name.startswith("test_") and not on_both(name)}


def test_a_test_that_runs_once_is_seen() -> None:
    source = "def log(stores): ...\ndef test_a(log): ...\ndef test_b(tmp_path): ..."
    assert run_once(source) == {"test_b"}


def test_only_the_named_tests_run_on_one_engine() -> None:
    found = [run_once((ROOT / path).read_text("utf-8")) for path in MODULES]
    assert set().union(*found) == set(ONLY_ONCE)


def test_none_is_skipped_on_postgresql() -> None:
    for path in MODULES:
        assert "skip" not in (ROOT / path).read_text("utf-8"), path
