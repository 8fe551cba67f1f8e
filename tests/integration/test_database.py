"""Databases share a few threads, and each runs its own calls in order."""

from __future__ import annotations

import asyncio
import gc
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing, suppress
from pathlib import Path

from pytest import LogCaptureFixture

from memory.infra.sqlite import Connection, Database

MANY = 30
AT_MOST = 8  # threads of all databases


def _tables(db: Connection) -> None:
    db.execute("CREATE TABLE IF NOT EXISTS line (number INTEGER)")


async def test_many_databases_share_a_few_threads(tmp_path: Path) -> None:
    opened = [await Database.open(tmp_path / f"{n}.db", prepare=_tables) for n in range(MANY)]
    seen: dict[int, list[str]] = {n: [] for n in range(MANY)}

    def add(db: Connection, number: int, to: list[str]) -> None:
        to.append(threading.current_thread().name)
        db.execute("INSERT INTO line VALUES (?)", (number,))

    await asyncio.gather(
        *(
            each.write(lambda db, n=number, to=seen[at]: add(db, n, to))
            for number in range(10)
            for at, each in enumerate(opened)
        )
    )
    names = {name for several in seen.values() for name in several}
    assert 1 < len(names) <= AT_MOST
    for each in opened:
        rows = await each.read(lambda db: [r[0] for r in db.execute("SELECT number FROM line")])
        assert rows == list(range(10)), "in the order in which they were asked for"
        await each.close()


async def test_one_that_waits_holds_up_no_other(tmp_path: Path) -> None:
    slow = await Database.open(tmp_path / "slow.db", prepare=_tables)
    quick = await Database.open(tmp_path / "quick.db", prepare=_tables)
    go = threading.Event()
    waits = [asyncio.create_task(slow.write(lambda db: go.wait(120))) for _ in range(3 * AT_MOST)]
    await asyncio.sleep(0)
    await asyncio.wait_for(quick.write(lambda db: db.execute("INSERT INTO line VALUES (1)")), 60)
    await asyncio.wait_for(slow.read(lambda db: db.execute("SELECT 1").fetchone()), 60)
    assert not any(each.done() for each in waits)
    go.set()
    assert all(await asyncio.gather(*waits))
    await slow.close()
    await quick.close()


async def test_close_lets_what_was_asked_for_end(tmp_path: Path) -> None:
    db = await Database.open(tmp_path / "a.db", prepare=_tables)
    work = [
        asyncio.create_task(
            db.write(lambda db, n=n: db.execute("INSERT INTO line VALUES (?)", (n,)))
        )
        for n in range(20)
    ]
    await asyncio.sleep(0)
    await db.close()
    await asyncio.gather(*work)
    with closing(sqlite3.connect(tmp_path / "a.db")) as found:
        assert found.execute("SELECT count(*) FROM line").fetchone() == (20,)


LEAVES = """
import asyncio, sys, time
from pathlib import Path
from memory.infra.sqlite import Database

def add(db):
    time.sleep(0.3)
    db.execute("INSERT INTO line VALUES (1)")

async def main():
    make = "CREATE TABLE line (number INTEGER)"
    db = await Database.open(Path(sys.argv[1]), prepare=lambda db: db.execute(make))
    works = [asyncio.create_task(db.write(add)) for _ in range(3)]
    await asyncio.sleep(0.1)

asyncio.run(main())
"""


def test_what_was_asked_for_is_done_when_the_program_ends_without_close(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", LEAVES, str(tmp_path / "a.db")], check=True, timeout=60)
    with closing(sqlite3.connect(tmp_path / "a.db")) as found:
        assert found.execute("SELECT count(*) FROM line").fetchone() == (3,)


async def test_an_error_after_its_caller_was_cancelled_is_not_printed(tmp_path: Path) -> None:
    printed: list[dict[str, object]] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, what: printed.append(what))
    database = await Database.open(tmp_path / "a.db", prepare=_tables)
    begun, ended = threading.Event(), threading.Event()

    def fails(db: Connection) -> None:
        begun.set()
        assert ended.wait(60)
        raise FileNotFoundError

    caller = asyncio.create_task(database.read(fails))
    assert await asyncio.to_thread(begun.wait, 60)
    caller.cancel()
    with suppress(asyncio.CancelledError):
        await caller
    ended.set()
    await database.close()
    gc.collect()
    await asyncio.sleep(0)
    assert printed == []


def test_an_interrupted_close_prints_nothing(tmp_path: Path, caplog: LogCaptureFixture) -> None:
    """Ctrl-C cancels who closes the database, and then every task that is left."""
    go = threading.Event()

    async def closes() -> None:
        database = await Database.open(tmp_path / "a.db", prepare=_tables)
        write = asyncio.create_task(database.write(lambda db: go.wait(60)))
        await asyncio.sleep(0)
        task = asyncio.current_task()
        assert task is not None
        asyncio.get_running_loop().call_later(0.05, task.cancel)
        try:
            await database.close()
        finally:
            go.set()
            write.cancel()

    with suppress(asyncio.CancelledError):
        asyncio.run(closes())
    gc.collect()
    assert not caplog.records
