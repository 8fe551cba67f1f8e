"""Translate SQLite's SQL to PostgreSQL's; string literals are left alone."""

from __future__ import annotations

import pytest

from memory.infra.postgres.dialect import translate

NUMBERED = frozenset({"message"})


@pytest.mark.parametrize(
    ("sqlite", "postgres"),
    [
        ("SELECT * FROM t WHERE a = ? AND b = ?", "SELECT * FROM t WHERE a = $1 AND b = $2"),
        ("SELECT ?2, ?1, ?2", "SELECT $2, $1, $2"),
        ("SELECT :b, :a, :b", "SELECT $1, $2, $1"),
        ("SELECT 'a ? :b IS c', '''', ?", "SELECT 'a ? :b IS c', '''', $1"),
        (
            "id IN (SELECT value FROM json_each(?)) AND x = ?",
            "id IN (SELECT value FROM json_numbers($1)) AND x = $2",
        ),
        ("FROM json_each(?, '$') WHERE value = ?", "FROM json_texts($1) WHERE value = $2"),
        ("FROM json_each(fact.sources) AS s", "FROM json_numbers(fact.sources) AS s"),
        ("FROM json_each(:m)", "FROM json_numbers($1)"),
        ("a IS NOT 'x' AND b IS NOT c.d", "a IS DISTINCT FROM 'x' AND b IS DISTINCT FROM c.d"),
        ("a IS b", "a IS NOT DISTINCT FROM b"),
        ("a IS NULL AND b IS NOT NULL", "a IS NULL AND b IS NOT NULL"),
        ("a CROSS JOIN b ON a.id = b.id", "a JOIN b ON a.id = b.id"),
        (
            "INSERT INTO t VALUES (?) ON CONFLICT (name, day) DO UPDATE SET a = excluded.a",
            "INSERT INTO t VALUES ($1) ON CONFLICT (tenant, name, day) DO UPDATE SET"
            " a = excluded.a",
        ),
        ("INSERT INTO t VALUES (1) ON CONFLICT DO NOTHING",) * 2,
        ("INSERT INTO message (a) VALUES (?)", "INSERT INTO message (a) VALUES ($1) RETURNING id"),
    ],
)
def test_each_construct_is_translated(sqlite: str, postgres: str) -> None:
    assert translate(sqlite, NUMBERED).sql == postgres


def test_named_values_come_in_the_order_of_their_numbers() -> None:
    statement = translate("SELECT :b, :a, :b", NUMBERED)
    assert statement.values({"a": 1, "b": 2, "unused": 3}) == [2, 1]


def test_values_are_given_as_postgresql_takes_them() -> None:
    statement = translate("SELECT ?, ?, ?", NUMBERED)
    assert statement.values((True, "a\0b", None)) == [1, "a\ufffdb", None]
    assert not any(isinstance(each, bool) for each in statement.values((True, False, 1)))


def test_only_numbered_tables_return_an_id() -> None:
    assert translate("INSERT INTO message (a) VALUES (1)", NUMBERED).returns_id
    assert not translate("INSERT INTO other (a) VALUES (1)", NUMBERED).returns_id
    assert not translate("UPDATE message SET a = 1", NUMBERED).returns_id
