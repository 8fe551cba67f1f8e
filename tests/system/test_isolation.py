"""Nobody sees another's rows: random statements that omit the tenant, on a real PostgreSQL, with a
canary in the texts of each tenant; and the prompts of people who share one `sam run`."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

from tests.support.canaries import CANARY, fill, intact, leaks
from tests.support.postgres import Cluster
from tests.support.process import wait_until
from tests.support.world import World

TENANTS, STATEMENTS = 20, 1_500
FIRST = 4001  # Telegram's id of the first guest


def test_statements_that_omit_the_tenant_see_and_change_nothing(postgres: Cluster) -> None:
    url = postgres.new_database()
    tables = fill(url, TENANTS)
    assert len(tables) >= 10, "most tables have rows"
    assert leaks(url, tables, TENANTS, STATEMENTS, seed=19) == []
    assert intact(url, tables, TENANTS) == 0


@pytest.mark.parametrize(
    "hole",
    [
        "ALTER TABLE sam_log.message NO FORCE ROW LEVEL SECURITY",
        "ALTER TABLE sam_log.bullet DISABLE ROW LEVEL SECURITY",
        "CREATE POLICY hole ON sam_log.setting USING (true)",
    ],
)
def test_the_search_for_leaks_finds_each_hole(postgres: Cluster, hole: str) -> None:
    url = postgres.new_database()
    tables = fill(url, 3)
    with psycopg.connect(url, autocommit=True) as db:
        db.execute(hole.encode())
    assert leaks(url, tables, 3, STATEMENTS, seed=19)


def test_no_prompt_has_the_words_of_another(tmp_path: Path, postgres: Cluster) -> None:
    """Each person tells a canary, and asks for what everybody has told."""
    people = 6
    names = ",".join(f"{FIRST + n}:guest{n}" for n in range(people))
    with World.running(
        tmp_path, DATABASE_URL=postgres.new_database(), RECALL_REWRITE_SECONDS="0"
    ) as world:
        world.sam.env["TELEGRAM_ALLOWED_USERS"] = names
        world.sam.start()
        for n in range(people):
            world.telegram.receives(f"my boat is called canary-{n:04d}-boat", user=FIRST + n)
        wait_until(lambda: len(world.telegram.sent) == people, "an answer for each")
        asked = len(world.claude.requests)
        for n in range(people):
            world.telegram.receives("what is the boat called? canary", user=FIRST + n)
        wait_until(lambda: len(world.telegram.sent) == 2 * people, "an answer for each")
        shown = [set(CANARY.findall(repr(each.body))) for each in world.claude.requests[asked:]]
        assert sorted(shown, key=sorted) == [{f"{n:04d}"} for n in range(people)]
        for each in world.telegram.sent:
            assert set(CANARY.findall(each.text)) <= {f"{each.chat_id - FIRST:04d}"}
