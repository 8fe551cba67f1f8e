"""A real `sam run` whose log and inbox are in a real PostgreSQL: from the first message to a
restored backup; and what it says where it cannot start there."""

from __future__ import annotations

import json
import time
from pathlib import Path

from memory.infra.postgres import Tenant
from tests.support.homes import Home
from tests.support.postgres import Cluster
from tests.support.process import wait_until
from tests.support.stores import Stores
from tests.support.world import World, command


def test_a_life_on_postgresql(tmp_path: Path, postgres: Cluster) -> None:
    url = postgres.new_database()
    with World.running(tmp_path / "w", DATABASE_URL=url, DATABASE_KEEPS_DAYS="30") as world:
        world.sam.start()
        world.asks("my boat is called Zephyrine", "two", "three")
        world.sends("four, in the middle of which it is killed")
        wait_until(lambda: len(world.rows("SELECT id FROM message")) >= 7, "it is logged", nap=0.02)
        world.sam.kill()
        world.sam.start()
        world.see_answered("four, in the middle of which it is killed")
        assert not (world.data / "log.db").exists() and not (world.data / "inbox.db").exists()
        assert "database: PostgreSQL on" in status(world)
        world.summarises()
        assert "my boat is called Zephyrine" in world.bullets()
        assert "Zephyrine" in world.sam.run("search", "Zephyrine")
        made = Path(world.sam.json("backup")["file"])

        receipt = world.sam.run("forget", "--words", "Zephyrine", "--yes")
        assert "dumps until 20" in receipt and "by DATABASE_KEEPS_DAYS" in receipt, receipt
        assert "Zephyrine" not in world.sam.run("search", "Zephyrine", check=False)
        texts = world.rows("SELECT text FROM message")
        assert not [text for text in texts if "Zephyrine" in (text or "")]
        assert world.sam.stop(120) == 0
        report = world.sam.json("doctor")
        assert report["ok"] and report["ledger"]["adds_up"], report

        again = World(
            tmp_path / "again",
            world.telegram,
            world.claude,
            DATABASE_URL=postgres.new_database(),
        )
        used = command(world, "restore", str(made), "--yes")
        assert used.returncode == 1 and "is in use" in used.stderr, used.stderr
        said = again.sam.run("restore", str(made), "--yes", timeout=120)
        assert "and from there into    PostgreSQL on" in said, said
        assert not (again.data / "log.db").exists() and (again.data / "log.postgres").exists()
        assert "Zephyrine" in again.sam.run("search", "Zephyrine")
        report = again.sam.json("doctor")
        assert report["ok"] and report["ledger"]["adds_up"], report
        assert report["ledger"]["messages_total"] == 8

        again.sam.env["DATA_DIR"] = str(tmp_path / "third")
        again.sam.env["VAULT_DIR"] = str(tmp_path / "third-vault")
        other = command(again, "restore", str(made), "--yes")
        assert other.returncode == 1 and "has rows of owner already" in other.stderr, other.stderr
        assert not (tmp_path / "third-vault").exists()


def status(world: World) -> str:
    """Return the answer to `/status full`. What a kill cut off may be sent again before it."""
    world.telegram.passes(seconds=1)
    before = len(world.telegram.sent)
    world.telegram.receives("/status full")

    def answers() -> list[str]:
        return [s.text for s in world.telegram.sent[before:] if "database:" in s.text]

    wait_until(lambda: answers(), "an answer to /status")
    return answers()[0]


def test_the_whole_history_adds_up(tmp_path: Path, postgres: Cluster) -> None:
    with World.running(tmp_path, DATABASE_URL=postgres.new_database()) as world:
        world.sam.start()
        for number in range(4):
            world.sends(*(f"message {number}.{each}" for each in range(3)))
            world.sam.kill()
            world.sam.start()
        world.see_answered(*world.said)
        world.check()


def test_why_it_cannot_start_is_one_sentence(tmp_path: Path, postgres: Cluster) -> None:
    postgres.admin("CREATE ROLE mighty LOGIN SUPERUSER")
    postgres.admin("CREATE ROLE passing LOGIN BYPASSRLS")
    postgres.admin(
        "CREATE DATABASE latin OWNER sam ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'"
        " TEMPLATE template0"
    )
    newer = postgres.new_database()
    name = newer.partition("?")[0].rpartition("/")[2]
    postgres.admin("UPDATE sam_log.schema_version SET number = number + 1", name)
    try:
        with World.running(tmp_path) as world:
            for url, words in (
                ("mysql://sam@localhost/sam", "env -u DATABASE_URL"),
                ("postgresql://sam:canary@localhost:1/sam", "localhost:1 does not answer"),
                (postgres.url("mighty"), "mighty of DATABASE_URL bypasses row-level security"),
                (postgres.url("passing"), "passing of DATABASE_URL bypasses row-level security"),
                (postgres.url(database="latin"), "encoded in LATIN1"),
                (postgres.url(database="nowhere"), 'database "nowhere" does not exist'),
                (newer, "newer Sam"),
            ):
                world.sam.env["DATABASE_URL"] = url
                done = command(world, "run")
                assert done.returncode in (1, 2) and words in done.stderr, done.stderr
                assert "Traceback" not in done.stderr and "canary" not in done.stderr
                report = world.sam.json("doctor")
                assert not report["ok"] or "new" in [p["id"] for p in report["problems"]]
            world.sam.env["DATABASE_URL"] = postgres.new_database()
            world.sam.start()
            world.asks("now it starts")
    finally:
        postgres.admin("DROP ROLE mighty, passing")
        postgres.admin("DROP DATABASE latin")


def test_while_postgresql_is_away_nothing_is_acknowledged_or_lost(
    tmp_path: Path, postgres: Cluster
) -> None:
    with World.running(tmp_path, DATABASE_URL=postgres.new_database()) as world:
        world.sam.start()
        world.asks("before one", "before two")
        try:
            postgres.stop()
            world.sends("while it is away", "still away", "away for long")
            wait_until(lambda: world.logs("cannot be stored"), "a word on what is wrong")
            world.telegram.receives("/status")
            wait_until(lambda: told(world, "24 hours"), "/status is answered without it")
            time.sleep(6)
            assert len(world.telegram.pending) == 4, "Telegram still has them"
            [status] = told(world, "24 hours")
            assert "does not answer" in status and "24 hours" in status
            report = world.sam.json("doctor")
            assert not report["ok"]
            [problem] = [p for p in report["problems"] if p["id"] == "stores"]
            assert "does not answer" in problem["what"], problem
            done = command(world, "search", "before")
            assert done.returncode == 1 and "does not answer" in done.stderr, done.stderr
        finally:
            postgres.start()
        world.see_answered("while it is away", "still away", "away for long")
        assert world.sam.process is not None and world.sam.process.poll() is None
        world.asks("and after")
        assert world.sam.starts == 1, "it recovered by itself"
        wait_until(lambda: told(world, "did not answer from"), "a word on the outage")
        time.sleep(4)
        [over] = told(world, "did not answer from")
        assert "none is lost" in over
        assert len(told(world, "24 hours")) == 1
        world.check(unasked=1)


def told(world: World, words: str) -> list[str]:
    """Return what Sam has sent with these words, in order."""
    return [each.text for each in world.telegram.sent if words in each.text]


def test_an_outage_is_reported_once_though_sam_is_killed_and_refuses_to_start_meanwhile(
    tmp_path: Path, postgres: Cluster
) -> None:
    with World.running(tmp_path, DATABASE_URL=postgres.new_database()) as world:
        world.sam.start()
        world.asks("before")
        try:
            postgres.stop()
            wait_until(lambda: (world.data / "outage").exists(), "the outage is noticed")
            world.sends("while it is away")
            world.sam.kill()
            refused = command(world, "run")
            assert refused.returncode == 1 and "does not answer" in refused.stderr
            time.sleep(5)
        finally:
            postgres.start()
        unsettled = "SELECT key FROM reply WHERE settled = 0 AND text LIKE '%did not answer from%'"
        for _ in range(2):
            world.sam.start()
            wait_until(lambda: told(world, "did not answer from"), "a word on the outage")
            wait_until(lambda: not (world.data / "outage").exists(), "it is settled")
            wait_until(lambda: not world.rows(unsettled, store="inbox.db"), "so is the reply")
            world.sam.kill()
        world.sam.start()
        world.see_answered("while it is away")
        world.asks("after")
        assert len(told(world, "did not answer from")) == 1
        world.check(unasked=1)


def test_one_persons_backup_is_restored_beside_the_others(
    tmp_path: Path, postgres: Cluster
) -> None:
    home = Home(tmp_path, DATABASE_URL=postgres.new_database())
    for name in ("owner", "bob"):
        if name != "owner":
            assert home.sam("profile", "add", name).returncode == 0
        said = home.sam("chat", "--profile", name, stdin=f"my boat is called {name}-Zephyrine\n")
        assert said.returncode == 0, said.stderr
    made = json.loads(home.sam("backup", "--profile", "bob", "--json").stdout)["file"]
    used = home.sam("restore", made, "--profile", "bob", "--yes")
    assert used.returncode == 1 and "is in use" in used.stderr, used.stderr
    assert home.sam("profile", "remove", "bob", "--yes").returncode == 0
    tenant = Tenant(home.env["DATABASE_URL"], "bob")
    assert Stores(home.data, tenant).rows("log", "SELECT * FROM message") == []
    back = home.sam("restore", made, "--profile", "bob", "--yes")
    assert back.returncode == 0 and "PostgreSQL on" in back.stdout, back.stderr
    texts = {row[0] for row in Stores(home.data, tenant).rows("log", "SELECT text FROM message")}
    assert "my boat is called bob-Zephyrine" in texts
    assert not [text for text in texts if "owner" in text]
    found = home.sam("search", "Zephyrine", "--profile", "bob").stdout
    assert "bob-Zephyrine" in found and "owner-Zephyrine" not in found
    assert "owner-Zephyrine" in home.sam("search", "Zephyrine").stdout


def test_connections_that_are_cut_cost_nothing(tmp_path: Path, postgres: Cluster) -> None:
    url = postgres.new_database()
    cut = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE application_name = 'sam' AND pid != pg_backend_pid()"
    )
    with World.running(tmp_path, DATABASE_URL=url) as world:
        world.sam.start()
        world.asks("it runs")
        for number in range(12):
            world.sends(f"message {number}")
            for _ in range(3):
                postgres.admin(cut)
                time.sleep(0.05)
        world.see_answered(*world.said)
        world.check()
