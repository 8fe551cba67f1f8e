"""How PostgreSQL works out the log's queries: not by comparing each message with each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from memory.infra.store import Connection
from memory.log.imports.versions import logged_versions
from memory.log.neighbours import neighbours
from tests.support.logs import NOON, said
from tests.support.postgres import Cluster, new_tenant
from tests.support.stores import Stores

MESSAGES = 60
HITS = 8


class Explained:
    """A connection that keeps the plan of each query, as PostgreSQL has carried it out."""

    def __init__(self, db: Connection) -> None:
        self._db = db
        self.plans: list[dict[str, Any]] = []

    def execute(self, sql: str, parameters: Any = (), /) -> Any:
        found = self._db.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}", parameters).fetchone()
        self.plans.append(found[0][0]["Plan"])
        return self._db.execute(sql, parameters)


def _steps(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for below in plan.get("Plans", ()):
        yield from _steps(below)


async def test_neighbours_are_looked_up_for_the_hits_alone(
    postgres: Cluster, tmp_path: Path
) -> None:
    log = await Stores(tmp_path, new_tenant(postgres)).log(lambda: NOON)
    for number in range(MESSAGES // 2):
        turn = await log.messages.begin(said(f"question {number}", number))
        await log.messages.answer(turn.id, f"answer {number}", sent_at=NOON)
    hits = range(MESSAGES // 2, MESSAGES // 2 + HITS)

    def look(db: Connection) -> tuple[Any, list[dict[str, Any]]]:
        explained = Explained(db)
        return neighbours(explained, hits), explained.plans  # type: ignore[arg-type]

    found, plans = await log._db.read(look)
    assert found[30][0].text == "question 14" and found[30][1].text == "question 15"
    assert plans, "something was asked"
    often = max(step["Actual Loops"] for plan in plans for step in _steps(plan))
    assert often <= 2 * MESSAGES, "a step for each hit, and not for each pair of messages"


async def test_imported_messages_are_looked_up_by_their_keys(
    postgres: Cluster, tmp_path: Path
) -> None:
    # A database without statistics: with those of other tests, tenants may be so small that to read
    # all messages of one is cheaper.
    alone = replace(new_tenant(postgres), url=postgres.new_database())
    log = await Stores(tmp_path, alone).log(lambda: NOON)
    await log._db.write(
        lambda db: db.execute("ALTER TABLE message SET (autovacuum_enabled = false)")
    )
    for number in range(MESSAGES):
        await log.messages.begin(said(f"question {number}", number))
    keys = [said("", number).key for number in range(MESSAGES - HITS, MESSAGES + HITS)]

    def look(db: Connection) -> tuple[Any, list[dict[str, Any]]]:
        explained = Explained(db)
        return logged_versions(explained, None, keys), explained.plans  # type: ignore[arg-type]

    found, plans = await log._db.read(look)
    assert sum(len(each) for each in found.values()) == HITS
    assert plans, "something was asked"
    for step in (step for plan in plans for step in _steps(plan)):
        assert not step.get("Rows Removed by Filter"), "no other message is read"
    await log.close()


async def test_a_query_that_is_repeated_is_not_planned_again(
    postgres: Cluster, tmp_path: Path
) -> None:
    log = await Stores(tmp_path, new_tenant(postgres)).log(lambda: NOON)
    await log.messages.begin(said("question", 1))

    def look(db: Connection) -> Any:
        for _ in range(10):
            neighbours(db, [1])
        return db.execute(
            "SELECT sum(generic_plans), sum(custom_plans) FROM pg_prepared_statements"
            " WHERE statement LIKE '%json_numbers%'"
        ).fetchone()

    generic, custom = await log._db.read(look)
    assert generic and not custom
    await log.close()
