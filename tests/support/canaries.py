"""Canaries of many tenants in all tables of a log, and random statements that omit the tenant.

Every text column of every tenant's rows contains the tenant's own canary. `leaks` then runs
statements as the role of Sam: without a tenant, after another tenant's transaction on the same
connection, or with a tenant that is not the one they ask for; and returns the canaries that they
show, change or betray by an error.
"""

from __future__ import annotations

import asyncio
import random
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg import sql

from memory.infra.postgres import Tenant
from memory.infra.postgres.schema import COPYING, TENANT
from memory.log import to_postgres
from tests.support.moves import filled, place

SCHEMA = "sam_log"
CANARY = re.compile(r"canary-(\d{4})-")
MODEL = "model"
"""The tenant whose rows are copied for each of the others."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table that has rows of each tenant, its columns but for the tenant, and those of text."""

    name: str
    columns: tuple[str, ...]
    texts: tuple[str, ...]


def canary(number: int) -> str:
    return f"canary-{number:04d}-"


def tenant(number: int) -> str:
    return f"tenant{number:04d}"


def fill(url: str, tenants: int) -> list[Table]:
    """Put the rows of so many tenants into the database; return the tables that have some."""
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(filled(Path(folder)))
        to_postgres(place(Path(folder), Tenant(url, MODEL)))
    with psycopg.connect(url) as db:
        _enter(db, MODEL)
        db.execute(f"SET LOCAL {COPYING} = 'on'".encode())
        found = [table for table in _tables(db) if table.texts and _rows(db, table)]
        rows = {table.name: _rows(db, table) for table in found}
        db.commit()
        for number in range(tenants):
            _enter(db, tenant(number))
            db.execute(f"SET LOCAL {COPYING} = 'on'".encode())
            db.execute(b"SET CONSTRAINTS ALL DEFERRED")
            for table in found:
                _insert(db, table, rows[table.name], canary(number))
            db.commit()
        _enter(db, MODEL)
        db.execute(b"SET CONSTRAINTS ALL DEFERRED")
        for table in found:
            db.execute(sql.SQL("DELETE FROM {}").format(sql.Identifier(table.name)))
        db.commit()
        db.autocommit = True
        db.execute(b"ANALYZE")
    return found


def leaks(url: str, tables: list[Table], tenants: int, statements: int, seed: int) -> list[str]:
    """Run random statements; return those that showed, changed or betrayed another's rows."""
    draw = random.Random(seed)
    wrong: list[str] = []
    with psycopg.connect(url) as db:
        for text, whose in _statements(draw, tables, tenants, statements):
            kind = draw.choice(("none", "empty", "after another", "another"))
            allowed = _begin(db, kind, draw.randrange(tenants))
            try:
                shown = set(CANARY.findall(repr(_results(db, text)))) - {allowed}
                if shown:
                    wrong.append(f"{kind}: {text} → {sorted(shown)[:3]}")
            except psycopg.errors.DivisionByZero:
                if whose != allowed:
                    wrong.append(f"{kind}: {text} → an error betrays a row")
            except psycopg.Error as refused:  # as `SET row_security = off` is
                if set(CANARY.findall(str(refused))) - {allowed, whose}:
                    wrong.append(f"{kind}: {text} → {refused}")
            db.rollback()
    return wrong


def _results(db: psycopg.Connection, text: str) -> list[object]:
    cursor = db.execute(text.encode())
    found: list[object] = []
    while True:
        found += cursor.fetchall() if cursor.description else []
        if not cursor.nextset():
            return found


def intact(url: str, tables: list[Table], tenants: int) -> int:
    """Return how many rows of how many tenants lack their canary or are gone: 0."""
    lost = 0
    with psycopg.connect(url) as db:
        expected = None
        for number in range(tenants):
            _enter(db, tenant(number))
            shown = [(table.name, CANARY.findall(repr(_rows(db, table)))) for table in tables]
            lost += sum(each != f"{number:04d}" for _, found in shown for each in found)
            counts = [(name, len(found)) for name, found in shown]
            expected = expected or counts
            lost += counts != expected
            db.commit()
    return lost


def _begin(db: psycopg.Connection, kind: str, number: int) -> str | None:
    """Begin a transaction; return whose canary it may see."""
    match kind:
        case "empty":
            db.execute(b"SELECT set_config($$sam.tenant$$, '', true)")
        case "after another":  # what a pooled connection has been used for before
            _enter(db, tenant(number))
            db.execute(b"SELECT count(*) FROM message")
            db.commit()
        case "another":
            _enter(db, tenant(number))
            return f"{number:04d}"
    db.execute(b"SELECT set_config('search_path', 'sam_log', true)")
    return None


def _statements(
    draw: random.Random, tables: list[Table], tenants: int, count: int
) -> Iterator[tuple[str, str]]:
    """Yield statements, each with the number of the tenant that it asks for."""
    for _ in range(count):
        one, two = draw.choice(tables), draw.choice(tables)
        column, other = draw.choice(one.texts), draw.choice(two.texts)
        whose = draw.randrange(tenants)
        name, wanted = tenant(whose), canary(whose)
        text = draw.choice(
            (
                f"SELECT * FROM {one.name}",
                f"SELECT * FROM {one.name} WHERE tenant = '{name}'",
                f"SELECT * FROM {one.name} WHERE {column} LIKE '{wanted}%'",
                f"SELECT * FROM {one.name} TABLESAMPLE SYSTEM (100)",
                f"SELECT string_agg({column}::text, ',') FROM {one.name}",
                f"SELECT a.{column}, b.{other} FROM {one.name} a CROSS JOIN {two.name} b LIMIT 50",
                f"SELECT a.* FROM {one.name} a JOIN {two.name} b ON a.tenant = b.tenant LIMIT 50",
                f"SELECT * FROM {one.name} UNION ALL SELECT * FROM {one.name}",
                f"WITH found AS MATERIALIZED (SELECT {column} FROM {one.name}) SELECT * FROM found",
                f"SELECT (SELECT max({column}::text) FROM {one.name}), count(*) FROM {two.name}",
                f"SELECT * FROM {one.name} WHERE EXISTS (SELECT 1 FROM {two.name})"
                f" OR {column} IS NOT NULL ORDER BY 1",
                f"SELECT count(*) FROM {one.name} WHERE 1 / (CASE WHEN"
                f" strpos({column}::text, '{wanted}') > 0 THEN 0 ELSE 1 END) > 0",
                f"SELECT * FROM {one.name} FOR UPDATE",
                f"UPDATE {one.name} SET {column} = {column} WHERE tenant = '{name}'"
                f" AND current_setting('{TENANT}', true) IS DISTINCT FROM '{name}'"
                f" RETURNING {column}",
                f"DELETE FROM {one.name} WHERE tenant = '{name}'"
                f" AND current_setting('{TENANT}', true) IS DISTINCT FROM '{name}'"
                f" RETURNING {column}",
                f"DELETE FROM {one.name} USING {two.name} b WHERE b.tenant = {one.name}.tenant"
                f" RETURNING {one.name}.{column}",
                f"SET LOCAL row_security = off; SELECT * FROM {one.name}",
                f"SELECT most_common_vals::text, histogram_bounds::text FROM pg_stats"
                f" WHERE tablename = '{one.name}'",
                "SELECT query FROM pg_stat_activity",
                f"EXPLAIN (ANALYZE, VERBOSE) SELECT * FROM {one.name}",
                f"SELECT next_number('{one.name}', '{column}')",
            )
        )
        yield text, f"{whose:04d}"


def _enter(db: psycopg.Connection, name: str) -> None:
    db.execute(
        "SELECT set_config('search_path', %s, true), set_config(%s, %s, true)",
        (SCHEMA, TENANT, name),
    )


def _tables(db: psycopg.Connection) -> list[Table]:
    ruled = {
        (table, column)
        for table, column in db.execute(
            "SELECT c.conrelid::regclass::text, a.attname FROM pg_constraint c"
            " JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)"
            " WHERE c.contype = 'c' AND c.connamespace = %s::regnamespace",
            (SCHEMA,),
        )
    }
    found: dict[str, list[tuple[str, str]]] = {}
    for name, column, kind in db.execute(
        "SELECT table_name, column_name, data_type FROM information_schema.columns"
        " WHERE table_schema = %s AND table_name NOT IN ('schema_version', 'counter')"
        " AND column_name != 'tenant' ORDER BY table_name, ordinal_position",
        (SCHEMA,),
    ):
        found.setdefault(name, []).append((column, kind))
    return [
        Table(
            name,
            tuple(column for column, _ in columns),
            tuple(c for c, kind in columns if kind == "text" and (name, c) not in ruled),
        )
        for name, columns in found.items()
    ]


def _rows(db: psycopg.Connection, table: Table) -> list[tuple[object, ...]]:
    columns = sql.SQL(", ").join(map(sql.Identifier, table.columns))
    query = sql.SQL("SELECT {} FROM {}").format(columns, sql.Identifier(table.name))
    return db.execute(query).fetchall()


def _insert(
    db: psycopg.Connection, table: Table, rows: list[tuple[object, ...]], mark: str
) -> None:
    """Insert the rows, with the mark before each text that no rule of the table forbids."""
    marked = [
        [
            f"{mark}{value}" if column in table.texts and isinstance(value, str) else value
            for column, value in zip(table.columns, row, strict=True)
        ]
        for row in rows
    ]
    query = sql.SQL("INSERT INTO {} ({}) VALUES ({})").format(
        sql.Identifier(table.name),
        sql.SQL(", ").join(map(sql.Identifier, table.columns)),
        sql.SQL(", ").join([sql.Placeholder()] * len(table.columns)),
    )
    with db.cursor() as cursor:
        cursor.executemany(query, marked)
