"""Move a store with all its rows from SQLite to PostgreSQL and back: whatever kills it, the rows
are complete at one place, and equal at the end."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

from memory.errors import ConfigError, StoreBusy, StoreError
from memory.infra.postgres import Tenant, moving
from memory.log import (
    Log,
    copy_rows,
    counts,
    delete_rows,
    has_other_rows,
    rename_tenant,
    to_postgres,
    to_sqlite,
)
from tests.support.logs import NOON, said
from tests.support.moves import MIGRATIONS, dump, filled, filled_inbox, place
from tests.support.postgres import Cluster, new_tenant
from tests.support.stores import Stores

ROOT = Path(__file__).parents[2]


async def test_there_and_back_again_is_the_same(tmp_path: Path, postgres: Cluster) -> None:
    await filled(tmp_path)
    await filled_inbox(tmp_path)
    tenant = new_tenant(postgres)
    before = {store: dump(tmp_path / f"{store}.db") for store in MIGRATIONS}
    assert len(before["log"]) > 150 and len(before["inbox"]) > 20
    for store in MIGRATIONS:
        there = place(tmp_path, tenant, store)
        rows = counts(there)[0]
        moved = to_postgres(there)
        assert moved is not None and rows is not None
        assert {name: rows[name] for name in moved if name != "counter"} == {
            name: count for name, count in moved.items() if name != "counter"
        }
        assert not there.file.exists() and there.marker.exists()
        assert to_postgres(there) is None, "there is nothing left to move"
    log = await Log.open(tmp_path / "log.db", lambda: NOON, tenant=tenant)
    ledger = await log.ledger()
    assert ledger.adds_up and ledger.messages_total > 100 and ledger.messages["forgotten"] == 3
    turn = await log.messages.begin(said("one more", 999))
    assert turn.id == 61, "rows are numbered on"
    await log.messages.answer(turn.id, "yes", sent_at=NOON)
    assert (await log.ledger()).adds_up, "and counted on"
    await log.close()
    for store in MIGRATIONS:
        there = place(tmp_path, tenant, store)
        assert to_sqlite(there) is not None
        assert there.file.exists() and not there.marker.exists()
        assert to_sqlite(there) is None
        assert Stores(tmp_path, tenant).rows(store, "SELECT name FROM counter") == []
    after = {store: dump(tmp_path / f"{store}.db") for store in MIGRATIONS}
    assert after["inbox"] == before["inbox"]
    log = await Log.open(tmp_path / "log.db", lambda: NOON)
    assert (await log.ledger()).adds_up
    assert (await log.messages.recent(1))[0].text == "yes"
    await log.close()


KILLED = """
import sys
from pathlib import Path
from memory.infra import failpoints
from memory.log import to_postgres, to_sqlite
from memory.infra.postgres import StorePlace, Tenant
way, point, folder, url, name, migrations = sys.argv[1:]
failpoints.arm(point)
place = StorePlace(Path(folder) / "log.db", "sam_log", Path(migrations), Tenant(url, name))
(to_postgres if way == "there" else to_sqlite)(place)
"""


@pytest.mark.parametrize(
    ("way", "point"),
    [
        ("there", "move_marked"),
        ("there", "move_copied"),
        ("back", "move_copied"),
        ("back", "move_renamed"),
        ("back", "move_deleted"),
    ],
)
@pytest.mark.parametrize("then", ["again", "taken back"])
async def test_a_move_that_is_killed_is_repeated_or_taken_back(
    tmp_path: Path, postgres: Cluster, way: str, point: str, then: str
) -> None:
    await filled(tmp_path)
    before, tenant = dump(tmp_path / "log.db"), new_tenant(postgres)
    there = place(tmp_path, tenant)
    if way == "back":
        to_postgres(there)
    words = [way, point, str(tmp_path), tenant.url, tenant.name, str(MIGRATIONS["log"])]
    ran = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-c", KILLED, *words], cwd=ROOT, timeout=60
    )
    assert ran.returncode == -9
    if there.file.exists() and there.marker.exists():  # neither is opened as if it were complete
        for engine in (tenant, None):
            with pytest.raises(ConfigError):
                await Log.open(there.file, lambda: NOON, tenant=engine)
    onwards = (way == "there") == (then == "again")
    (to_postgres if onwards else to_sqlite)(there)
    assert there.file.exists() != there.marker.exists()
    to_sqlite(there)
    assert dump(there.file) == before
    assert not list(tmp_path.glob("*.moving*"))


@pytest.mark.parametrize("point", ["move_copied", "move_renamed"])
async def test_what_is_written_during_a_move_is_not_deleted(
    tmp_path: Path, postgres: Cluster, monkeypatch: pytest.MonkeyPatch, point: str
) -> None:
    await filled(tmp_path)
    tenant = new_tenant(postgres)
    there = place(tmp_path, tenant)
    to_postgres(there)
    beside = Stores(tmp_path, tenant)

    def written_to(name: str) -> None:
        if name == point:
            beside.spoil("log", "INSERT INTO setting (name, value) VALUES ('late', 'kept')")

    monkeypatch.setattr(moving, "failpoint", written_to)
    with pytest.raises(StoreBusy, match="written to while it was moved"):
        to_sqlite(there)
    assert not there.file.exists() and there.marker.exists(), "PostgreSQL has the newer rows"
    monkeypatch.undo()
    assert to_sqlite(there) is not None
    assert any("late" in row for row in dump(there.file))


async def test_of_a_file_and_rows_that_differ_none_is_deleted(
    tmp_path: Path, postgres: Cluster
) -> None:
    await filled(tmp_path, 5)
    file, tenant = (tmp_path / "log.db").read_bytes(), new_tenant(postgres)
    there = place(tmp_path, tenant)
    to_postgres(there)
    Stores(tmp_path, tenant).spoil("log", "INSERT INTO setting (name, value) VALUES ('new', 'b')")
    there.file.write_bytes(file)
    with pytest.raises(StoreError, match="differ"):
        to_sqlite(there)
    assert there.file.exists() and there.marker.exists()
    assert Stores(tmp_path, tenant).rows("log", "SELECT 1 FROM setting WHERE name = 'new'")


async def test_looking_for_other_rows_makes_no_tables(tmp_path: Path, postgres: Cluster) -> None:
    postgres.admin("CREATE DATABASE blank OWNER sam")
    try:
        url = postgres.url(database="blank")
        assert not has_other_rows(place(tmp_path, Tenant(url, "owner")))
        with psycopg.connect(url) as db:
            made = db.execute("SELECT count(*) FROM pg_namespace WHERE nspname = 'sam_log'")
            assert made.fetchone() == (0,)
    finally:
        postgres.admin("DROP DATABASE blank WITH (FORCE)")


async def test_a_file_in_use_is_not_moved(tmp_path: Path, postgres: Cluster) -> None:
    await filled(tmp_path, 3)
    log, there = (
        await Log.open(tmp_path / "log.db", lambda: NOON),
        place(tmp_path, new_tenant(postgres)),
    )
    with pytest.raises(StoreBusy, match="in use"):
        to_postgres(there)
    assert not there.marker.exists()
    await log.settings.set("still", "written")
    await log.close()
    assert to_postgres(there) is not None


async def test_rows_are_not_mixed_with_those_of_another_folder(
    tmp_path: Path, postgres: Cluster
) -> None:
    tenant = new_tenant(postgres)
    await filled(tmp_path, 3)
    before = dump(tmp_path / "log.db")
    log = await Log.open(tmp_path / "other" / "log.db", lambda: NOON, tenant=tenant)
    await log.settings.set("theirs", "1")
    await log.close()
    with pytest.raises(StoreError, match="has other rows"):
        to_postgres(place(tmp_path, tenant))
    assert dump(tmp_path / "log.db") == before and not (tmp_path / "log.postgres").exists()


async def test_whoever_has_rows_open_that_were_moved_writes_no_more(
    tmp_path: Path, postgres: Cluster
) -> None:
    tenant = new_tenant(postgres)
    log = await Log.open(tmp_path / "log.db", lambda: NOON, tenant=tenant)
    await log.settings.set("a", "b")
    assert to_sqlite(place(tmp_path, tenant)) is not None
    with pytest.raises(StoreError, match="moved, renamed or removed"):
        await log.settings.set("a", "lost")
    await log.close()
    assert Stores(tmp_path, tenant).rows("log", "SELECT * FROM setting") == []


async def test_rows_are_given_to_another_name_and_deleted(
    tmp_path: Path, postgres: Cluster
) -> None:
    await filled(tmp_path)
    before, tenant = dump(tmp_path / "log.db"), new_tenant(postgres)
    to_postgres(place(tmp_path, tenant))
    taken = new_tenant(postgres)
    log = await Log.open(tmp_path / "other" / "log.db", lambda: NOON, tenant=taken)
    await log.settings.set("theirs", "1")
    await log.close()
    with pytest.raises(StoreError, match="choose another name"):
        rename_tenant(place(tmp_path, tenant), taken.name)
    new = replace(tenant, name=f"{tenant.name}-new")
    rename_tenant(place(tmp_path, tenant), new.name)
    rename_tenant(place(tmp_path, tenant), new.name)
    assert Stores(tmp_path, tenant).rows("log", "SELECT * FROM message") == []
    copy_rows(place(tmp_path, new), tmp_path / "copy.db")
    assert dump(tmp_path / "copy.db") == before
    delete_rows(replace(place(tmp_path, taken)))
    assert len(Stores(tmp_path, taken).rows("log", "SELECT * FROM setting")) == 1, "not ours"
    delete_rows(place(tmp_path, new))
    with pytest.raises(StoreError, match="other rows"):
        copy_rows(place(tmp_path, new), tmp_path / "copy2.db")
    for table in ("message", "turn", "bullet", "counter", "binding"):
        assert Stores(tmp_path, new).rows("log", f"SELECT * FROM {table}") == []
