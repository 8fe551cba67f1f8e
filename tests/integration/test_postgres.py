"""Log and inbox in a real PostgreSQL: tenants are isolated, and a restart loses nothing.

What both engines have in common is tested in test_log, test_inbox and test_ledger.
"""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, timedelta
from pathlib import Path

import psycopg
import pytest

from bot.inbox import Inbox
from memory.errors import ConfigError, StoreDown, StoreError
from memory.infra.postgres import Tenant, open_store, opening, server
from memory.infra.sqlite import connect, last_written
from memory.log import Log, Usage, spent_in
from tests.support.logs import NOON, said
from tests.support.postgres import DATABASE, Cluster, new_tenant
from tests.support.process import wait_until
from tests.support.stores import Stores

ROOT = Path(__file__).parents[2]
FOLDERS = {
    "log": ROOT / "memory" / "log" / "migrations",
    "inbox": ROOT / "bot" / "inbox" / "migrations",
}


@pytest.fixture
def mine(postgres: Cluster, tmp_path: Path) -> Stores:
    return Stores(tmp_path, new_tenant(postgres))


@pytest.fixture
def others(postgres: Cluster, tmp_path: Path) -> Stores:
    return Stores(tmp_path / "other", new_tenant(postgres))


# ── one person's rows are no other's ─────────────────────────────────────────────────────────


async def test_nobody_sees_the_rows_of_another(mine: Stores, others: Stores) -> None:
    one, two = await mine.log(lambda: NOON), await others.log(lambda: NOON)
    for log, text in ((one, "my canary"), (two, "their canary")):
        turn = await log.messages.begin(said(text))
        await log.messages.answer(turn.id, f"about {text}", sent_at=NOON)
        assert turn.id == turn.message.id == 1, "each counts its own rows"
    assert [m.text for m in await one.messages.recent(9)] == ["my canary", "about my canary"]
    assert await one.changes.all() != await two.changes.all()
    assert (await one.ledger()).messages_total == 2 and (await one.ledger()).adds_up
    await one.messages.edit("telegram:7:1", "mine, corrected", NOON)
    assert [m.text for m in await two.messages.recent(9)] == ["their canary", "about their canary"]
    await one.close()
    await two.close()


@pytest.mark.parametrize("tenant", [None, "", "nobody", "'; SELECT 1", "%"])
async def test_without_a_tenant_nothing_is_read_or_written(
    mine: Stores, tenant: str | None
) -> None:
    log, inbox = await mine.log(lambda: NOON), await mine.inbox(lambda: NOON)
    await log.messages.begin(said("my canary"))
    await inbox.updates.receive(1, "telegram:7", "my canary")
    await log.close()
    await inbox.close()
    assert mine.tenant is not None
    for schema in ("sam_log", "sam_inbox"):
        with psycopg.connect(mine.tenant.url, autocommit=True) as db:
            if tenant is not None:
                db.execute("SELECT set_config('sam.tenant', %s, false)", (tenant,))
            tables = db.execute(
                "SELECT relname FROM pg_class WHERE relkind = 'r'"
                " AND relnamespace = %s::regnamespace AND relname != 'schema_version'",
                (schema,),
            ).fetchall()
            assert len(tables) > 9
            for (table,) in tables:
                name = psycopg.sql.Identifier(schema, table)
                count = psycopg.sql.SQL("SELECT count(*) FROM {}").format(name)
                assert db.execute(count).fetchone() == (0,), table
                delete = psycopg.sql.SQL("DELETE FROM {}").format(name)
                assert db.execute(delete).rowcount == 0, table
    with psycopg.connect(mine.tenant.url, autocommit=True) as db:
        update = "INSERT INTO sam_inbox.incoming (update_id, received_at, state, tenant)"
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            db.execute(f"{update} VALUES (9, '', 'received', %s)".encode(), (mine.tenant.name,))
    assert mine.rows("inbox", "SELECT update_id, payload FROM incoming") == [(1, "my canary")]


async def test_a_name_is_data_and_no_statement(
    mine: Stores, postgres: Cluster, tmp_path: Path
) -> None:
    one = await mine.log(lambda: NOON)
    await one.messages.begin(said("my canary"))
    assert mine.tenant is not None
    names = [
        f"x'; SET LOCAL sam.tenant = '{mine.tenant.name}",
        f"x\\'; SET LOCAL sam.tenant = '{mine.tenant.name}'; --",
    ]
    for number, name in enumerate(names):
        odd = Stores(tmp_path / f"odd{number}", Tenant(postgres.url(), name))
        log = await odd.log(lambda: NOON)
        assert await log.messages.recent(9) == []
        turn = await log.messages.begin(said("their canary"))
        assert [m.text for m in await log.messages.recent(9)] == ["their canary"]
        assert turn.id == 1
        await log.close()
    assert [m.text for m in await one.messages.recent(9)] == ["my canary"]
    await one.close()


@pytest.mark.parametrize("privilege", ["SUPERUSER", "BYPASSRLS"])
async def test_a_role_that_bypasses_row_security_is_refused(
    postgres: Cluster, tmp_path: Path, privilege: str
) -> None:
    postgres.admin(f"CREATE ROLE mighty LOGIN {privilege}")
    try:
        with pytest.raises(StoreError, match=r"mighty .*bypasses row-level security"):
            await Log.open(
                tmp_path / "log.db",
                lambda: NOON,
                tenant=Tenant(postgres.url("mighty", DATABASE), "a"),
            )
    finally:
        postgres.admin("DROP ROLE mighty")


async def test_a_table_without_forced_row_security_is_refused(
    mine: Stores, postgres: Cluster
) -> None:
    await (await mine.log(lambda: NOON)).close()
    postgres.admin("ALTER TABLE sam_log.fact NO FORCE ROW LEVEL SECURITY", DATABASE)
    try:
        with pytest.raises(StoreError, match=r"do not enforce row-level security.*: fact\."):
            await mine.log(lambda: NOON)
    finally:
        postgres.admin("ALTER TABLE sam_log.fact FORCE ROW LEVEL SECURITY", DATABASE)
    await (await mine.log(lambda: NOON)).close()


async def test_a_database_of_a_newer_sam_is_refused(mine: Stores, postgres: Cluster) -> None:
    await (await mine.log(lambda: NOON)).close()
    change = "UPDATE sam_log.schema_version SET number = number"
    postgres.admin(f"{change} + 1", DATABASE)
    try:
        with pytest.raises(StoreError, match="newer Sam"):
            await mine.log(lambda: NOON)
    finally:
        postgres.admin(f"{change} - 1", DATABASE)


@pytest.mark.parametrize(("store", "kind"), [("log", Log), ("inbox", Inbox)])
async def test_both_engines_have_the_same_tables(
    mine: Stores, tmp_path: Path, store: str, kind: type[Log | Inbox]
) -> None:
    await (await kind.open(tmp_path / f"{store}.db", lambda: NOON)).close()
    other = tmp_path / "other" / f"{store}.db"
    await (await kind.open(other, lambda: NOON, tenant=mine.tenant)).close()
    sqlite = connect(tmp_path / f"{store}.db")
    tables = sqlite.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
    kinds = {"INTEGER": "bigint", "TEXT": "text", "REAL": "double precision", "BLOB": "bytea"}
    theirs = {
        (table, column["name"], kinds[column["type"]], bool(column["notnull"] or column["pk"]))
        for (table,) in tables
        for column in sqlite.execute(f"PRAGMA table_info({table})").fetchall()
    }
    sqlite.close()
    ours = mine.rows(
        store,
        "SELECT table_name, column_name, data_type, is_nullable = 'NO'"
        f" FROM information_schema.columns WHERE table_schema = 'sam_{store}'"
        " AND table_name NOT IN ('schema_version', 'binding')"
        " AND column_name NOT IN ('tenant', 'rowid')",
    )
    assert set(ours) == theirs
    numbers = [
        max(int(re.match(r"\d+", each.name)[0]) for each in folder.glob("*.sql"))  # type: ignore[index]
        for folder in (FOLDERS[store], FOLDERS[store] / "postgres")
    ]
    assert numbers[0] == numbers[1], "a migration of one engine is missing in the other"


# ── a data folder and its rows belong together ───────────────────────────────────────────────


async def test_rows_that_another_folder_uses_are_refused_until_it_is_said_to_be_lost(
    mine: Stores, tmp_path: Path
) -> None:
    log = await mine.log(lambda: NOON)
    await log.messages.begin(said("hello", 1))
    await log.close()
    moved = Stores(tmp_path / "new", mine.tenant)
    with pytest.raises(ConfigError, match="belongs to another data folder") as refused:
        await moved.log(lambda: NOON)
    line = re.search(r"write the line ([0-9a-f]+) into (\S+\.postgres)", str(refused.value))
    assert line is not None and not Path(line[2]).exists()
    Path(line[2]).parent.mkdir(exist_ok=True)
    Path(line[2]).write_text(f"{line[1]}\n", "utf-8")
    log = await moved.log(lambda: NOON)
    assert [each.text for each in await log.messages.recent(5)] == ["hello"]
    await log.close()


async def test_a_folder_is_refused_with_a_database_that_is_not_its_own(
    mine: Stores, others: Stores, tmp_path: Path
) -> None:
    await (await mine.log(lambda: NOON)).close()
    with pytest.raises(ConfigError, match="another database than the one"):
        await Stores(tmp_path, others.tenant).log(lambda: NOON)
    with pytest.raises(ConfigError, match="DATABASE_URL is not set, but log"):
        await Stores(tmp_path, None).log(lambda: NOON)
    assert not (tmp_path / "log.db").exists(), "no empty log hides the one in PostgreSQL"


@pytest.mark.parametrize("store", ["log", "inbox"])
async def test_a_log_of_sqlite_is_not_hidden_by_an_empty_one(
    mine: Stores, tmp_path: Path, store: str
) -> None:
    await (await getattr(Stores(tmp_path, None), store)(lambda: NOON)).close()
    with pytest.raises(ConfigError, match=rf"{store}\.db is in use"):
        await getattr(mine, store)(lambda: NOON)


async def test_a_process_killed_before_it_wrote_the_marker_begins_again(
    mine: Stores, tmp_path: Path
) -> None:
    await (await mine.log(lambda: NOON)).close()
    (tmp_path / "log.postgres").unlink()
    await (await mine.log(lambda: NOON)).close()
    assert (tmp_path / "log.postgres").exists()


KILLED_AT_THE_MARKER = """
import asyncio, sys
from datetime import UTC, datetime
from pathlib import Path
from memory.infra import failpoints
from memory.infra.postgres import Tenant
from memory.log import Log
folder, url, name = sys.argv[1:]
failpoints.arm("store_marked")
asyncio.run(Log.open(Path(folder) / "log.db", lambda: datetime.now(UTC), tenant=Tenant(url, name)))
"""


async def test_a_process_killed_before_its_marker_was_confirmed_begins_again(
    mine: Stores, tmp_path: Path
) -> None:
    assert mine.tenant is not None
    words = [str(tmp_path), mine.tenant.url, mine.tenant.name]
    ran = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-c", KILLED_AT_THE_MARKER, *words], cwd=ROOT, timeout=60
    )
    marker = tmp_path / "log.postgres"
    assert ran.returncode == -9 and marker.read_text("utf-8").endswith(" unconfirmed\n")
    await (await mine.log(lambda: NOON)).close()
    assert mine.rows("log", "SELECT id FROM binding") == [(marker.read_text("utf-8").strip(),)]
    await (await mine.log(lambda: NOON)).close()


async def test_two_processes_that_begin_together_get_the_same_marker(
    mine: Stores, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second looks while the first has written the marker and not committed its id yet."""
    await (await Stores(tmp_path / "before", mine.tenant).log(lambda: NOON)).close()
    written, go_on = threading.Event(), threading.Event()

    def stops_once(_: str) -> None:
        if not written.is_set():
            written.set()
            assert go_on.wait(30)

    monkeypatch.setattr(opening, "failpoint", stops_once)
    first = asyncio.create_task(mine.log(lambda: NOON))
    assert await asyncio.to_thread(written.wait, 30)
    second = asyncio.create_task(mine.log(lambda: NOON))

    def waits() -> bool:
        """Return whether the second waits for the first, or did not have to."""
        query = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
        return second.done() or bool(mine.rows("log", query))

    await asyncio.to_thread(wait_until, waits, "the second waits", 60, 0.01)
    go_on.set()
    logs = await asyncio.gather(first, second)
    for number, log in enumerate(logs):
        await log.messages.begin(said("hello", number))
        await log.close()
    marker = (tmp_path / "log.postgres").read_text("utf-8")
    assert mine.rows("log", "SELECT id FROM binding") == [(marker.strip(),)]


async def test_each_write_shows_on_the_marker(mine: Stores, tmp_path: Path) -> None:
    log, states = await mine.log(lambda: NOON), set()
    for number in range(20):
        await log.settings.set("a", str(number))
        states.add(last_written(tmp_path / "log.postgres"))
        await log.settings.get("a")
        assert last_written(tmp_path / "log.postgres") in states, "a read is no write"
    assert len(states) == 20
    await log.close()


async def test_what_was_spent_is_read_without_opening_the_log(
    mine: Stores, others: Stores, tmp_path: Path
) -> None:
    for each, usd in ((mine, 0.25), (others, 4.0)):
        log = await each.log(lambda: NOON)
        await log.usage.add(Usage("p", "m", "chat", 1, usd=usd))
        await log.close()
    marker = tmp_path / "log.postgres"
    assert spent_in(marker, mine.tenant, NOON.date(), UTC) == 0.25
    assert spent_in(marker, mine.tenant, NOON.date() + timedelta(days=1), UTC) == 0.0


# ── several processes ────────────────────────────────────────────────────────────────────────


async def test_the_writes_of_two_processes_run_one_after_another(mine: Stores) -> None:
    logs = [await mine.log(lambda: NOON) for _ in range(2)]
    await asyncio.gather(
        *(
            logs[number % 2].messages.begin(said(f"message {number}", number))
            for number in range(40)
        )
    )
    counts = await logs[0].changes.all()
    assert sorted(counts) == list(range(1, 41))
    assert [counts[each] for each in sorted(counts)] == sorted(counts.values())
    again = await asyncio.gather(*(each.messages.begin(said("message 7", 7)) for each in logs))
    assert again[0] == again[1], "the same message twice is logged once"
    assert (await logs[0].ledger()).adds_up
    for each in logs:
        await each.close()


async def test_a_change_that_fails_leaves_nothing_behind(mine: Stores) -> None:
    log = await mine.log(lambda: NOON)

    def change(db: object) -> None:
        db.execute("INSERT INTO setting VALUES ('a', 'b')")  # type: ignore[attr-defined]
        raise KeyError("in the middle")

    with pytest.raises(KeyError):
        await log._db.write(change)
    assert await log.settings.get("a") is None
    await log.settings.set("a", "c")
    assert await log.settings.get("a") == "c"
    await log.close()


async def test_only_a_change_of_rows_is_announced(mine: Stores) -> None:
    log, changed = await mine.log(lambda: NOON), asyncio.Event()
    log.listen(changed)
    await log.messages.fail(99, "there is no such turn")
    await asyncio.sleep(0)
    assert not changed.is_set()
    await log.settings.set("a", "b")
    await asyncio.wait_for(changed.wait(), 60)
    await log.close()


# ── PostgreSQL is away ───────────────────────────────────────────────────────────────────────


@pytest.fixture
def restarted(postgres: Cluster) -> Iterator[Cluster]:
    """Restart it after the test, whatever the test did to it."""
    yield postgres
    postgres.stop()
    postgres.start()


async def test_a_restart_of_postgresql_loses_nothing_and_needs_none_of_sam(
    mine: Stores, restarted: Cluster
) -> None:
    log = await mine.log(lambda: NOON)
    await asyncio.gather(*(log.messages.begin(said(f"{n}", n)) for n in range(6)))
    await log.messages.recent(9)
    restarted.stop()
    restarted.start()
    await log.messages.begin(said("after", 9))
    assert [m.text for m in await log.messages.recent(1)] == ["after"]
    assert (await log.ledger()).turns == {"open": 7}
    await log.close()


async def test_what_cannot_be_stored_is_an_error_until_postgresql_is_back(
    mine: Stores, restarted: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "WAIT", 1.0)
    inbox = await mine.inbox(lambda: NOON)
    assert await inbox.updates.receive(1, None, "before")
    restarted.stop()
    with pytest.raises(StoreDown, match="does not answer"):
        await inbox.updates.receive(2, None, "while it is away")
    restarted.start()
    assert await inbox.updates.receive(2, None, "again")
    assert [each.payload for each in await inbox.updates.received()] == ["before", "again"]
    await inbox.close()


async def test_an_unreachable_database_url_is_reported_without_its_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "WAIT", 1.0)
    tenant = Tenant("postgresql://sam:canary@localhost:1/sam?connect_timeout=1", "owner")
    assert "canary" not in repr(tenant)
    with pytest.raises(StoreDown, match=r"PostgreSQL on localhost:1 does not answer") as refused:
        await Log.open(tmp_path / "log.db", lambda: NOON, tenant=tenant)
    assert "canary" not in str(refused.value)
    with pytest.raises(StoreError, match="DATABASE_URL cannot be read"):
        await Log.open(
            tmp_path / "log.db", lambda: NOON, tenant=replace(tenant, url="postgresql://[")
        )


# ── without DATABASE_URL ─────────────────────────────────────────────────────────────────────


def test_psycopg_is_not_imported_unless_it_is_used(tmp_path: Path) -> None:
    script = (
        "import asyncio, sys; from datetime import datetime, UTC; from pathlib import Path\n"
        "import bot.app, bot.telegram.bot, bot.inbox, memory.core; from memory.log import Log\n"
        f"asyncio.run(Log.open(Path({str(tmp_path / 'log.db')!r}), lambda: datetime.now(UTC)))\n"
        "print([name for name in sys.modules if name.startswith('psycopg')])"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT)
    assert ran.stdout.strip() == "[]", ran.stderr


async def test_without_psycopg_it_is_said_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [each for each in sys.modules if each.startswith("memory.infra.postgres.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(ConfigError, match=r"pip install -e '.\[server\]'"):
        await open_store(
            tmp_path / "log.db", ROOT, schema="sam_log", tenant=Tenant("postgresql:///sam", "owner")
        )
