"""Leases of workers on a real PostgreSQL; a worker is a URL of its own in this process."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.pq.abc import PGresult

from bot.assistant.profiles import Leased
from bot.inbox import Inbox
from memory.errors import ServedElsewhere, StoreDown
from memory.infra.postgres import Leases, Tenant, open_store
from memory.infra.postgres.server import run
from memory.infra.store import Connection, Store
from tests.support.logs import NOON
from tests.support.postgres import ADMIN, Cluster

LOG = Path(__file__).parents[2] / "memory/log/migrations"
VALUE = "INSERT INTO setting (name, value) VALUES ('a', 'b') ON CONFLICT (name) DO NOTHING"


class Workers:
    """Opens workers, and what they write to."""

    def __init__(self, cluster: Cluster, folder: Path, stack: AsyncExitStack) -> None:
        self.cluster, self.folder, self.stack = cluster, folder, stack
        self.url = cluster.new_database()

    def url_of(self, name: str) -> str:
        return f"{self.url}&application_name={name}"

    async def opens(self, name: str) -> Leases:
        made = await Leases.open(self.url_of(name), name=name)
        self.stack.push_async_callback(made.close)
        return made

    async def store(self, name: str, tenant: str = "ann") -> Store:
        """Open the log of a tenant in the process of that worker."""
        file = self.folder / tenant / "log.db"
        file.parent.mkdir(exist_ok=True)
        made = await open_store(
            file, LOG, schema="sam_log", tenant=Tenant(self.url_of(name), tenant)
        )
        self.stack.push_async_callback(made.close)
        return made

    def admin(self, statement: str) -> None:
        self.cluster.admin(statement, self._database)

    @property
    def _database(self) -> str:
        return self.url.partition("?")[0].rpartition("/")[2]

    def connect(self) -> psycopg.Connection[Any]:
        """Return a connection of the superuser in a transaction."""
        return psycopg.connect(self.cluster.url(ADMIN, self._database))

    def ages(self, *names: str) -> None:
        """Let the registrations of workers be too old, at the same moment."""
        old = ", ".join(f"'{name}'" for name in names)
        self.admin(
            "UPDATE sam_workers.worker SET expires_at = clock_timestamp() - interval '1 s'"
            f" WHERE name IN ({old})"
        )


@pytest.fixture
async def workers(postgres: Cluster, tmp_path: Path) -> AsyncIterator[Workers]:
    async with AsyncExitStack() as stack:
        yield Workers(postgres, tmp_path, stack)


async def until_free(leases: Leases, name: str) -> None:
    """Wait until nobody has that lease."""
    async with asyncio.timeout(60):
        while True:
            if (await leases.holders([name]))[name].epoch is None:
                return
            await asyncio.sleep(0.1)


async def test_a_profile_has_one_worker_at_a_time(workers: Workers) -> None:
    one, other = await workers.opens("one"), await workers.opens("other")
    assert await one.take("ann") is None
    with pytest.raises(ServedElsewhere, match="ann is served by another worker"):
        await other.take("ann")
    assert await other.take("ben") is None
    found = await other.holders(["ann", "ben", "eve"])
    assert found["ann"].epoch == one.epoch and found["ben"].epoch == other.epoch
    assert found["eve"].epoch is None and found["eve"].best in (one.epoch, other.epoch)
    freed = asyncio.Event()
    other.listen(freed)
    await one.give_back("ann")
    async with asyncio.timeout(60):
        await freed.wait()
    assert await other.take("ann") is None


async def test_what_is_free_falls_to_each_worker(workers: Workers) -> None:
    one, other = await workers.opens("one"), await workers.opens("other")
    found = await one.holders([f"guest{n}" for n in range(100)])
    best = [holder.best for holder in found.values()]
    assert 20 < best.count(one.epoch) < 80 and set(best) == {one.epoch, other.epoch}


async def test_a_restarted_worker_gets_what_it_had(workers: Workers) -> None:
    """It still has the search indexes of those."""
    names = [f"guest{n}" for n in range(50)]
    before, other = await workers.opens("one"), await workers.opens("other")
    fell = {name: each.best == before.epoch for name, each in (await other.holders(names)).items()}
    again = await Leases.open(workers.url_of("again"), name="one")
    workers.stack.push_async_callback(again.close)
    found = await other.holders(names)
    assert {name: each.best == again.epoch for name, each in found.items()} == fell


async def test_each_worker_takes_its_own_first(workers: Workers) -> None:
    one, other = await workers.opens("one"), await workers.opens("other")
    names = [f"guest{n}" for n in range(40)]
    mine = {name for name, each in (await one.holders(names)).items() if each.best == one.epoch}
    await one.plan(names)
    await asyncio.sleep(4)
    assert set(await one.due(names, 40)) == mine
    assert set(await other.due(names, 40)) == set(names) - mine
    left = [name for name in names if name not in mine]
    assert set(await one.due(left, 40)) == set(left), "what the other one has left for a while"


async def test_only_the_holder_writes(workers: Workers) -> None:
    one, other = await workers.opens("one"), await workers.opens("other")
    await one.take("ann")
    mine = await workers.store("one")
    await mine.write(lambda db: db.execute(VALUE))
    theirs = await workers.store("other")
    with pytest.raises(ServedElsewhere, match="ann is not served by this worker"):
        await theirs.write(lambda db: db.execute(VALUE))
    await one.give_back("ann")
    with pytest.raises(ServedElsewhere):
        await mine.write(lambda db: db.execute(VALUE))
    await other.take("ann")
    await theirs.write(lambda db: db.execute(VALUE))
    command = await workers.store("command")
    await command.write(lambda db: db.execute(VALUE))


async def test_an_update_wakes_all_workers_once_it_is_stored(workers: Workers) -> None:
    await workers.opens("one")
    other, woken, freed = await workers.opens("other"), asyncio.Event(), asyncio.Event()
    other.listen(woken)
    other.listen(freed, freed_alone=True)
    tenant = Tenant(workers.url_of("one"), "bot", leased=False)
    inbox = await Inbox.open(workers.folder / "inbox.db", lambda: NOON, tenant=tenant)
    workers.stack.push_async_callback(inbox.close)

    async def stays_asleep() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(woken.wait(), 0.3)

    def fails(db: Connection) -> None:
        db.execute("INSERT INTO remembered VALUES ('a', 'b')")
        raise KeyError("in the middle")

    async with asyncio.timeout(60):  # until it listens, which wakes it once
        await freed.wait()
    woken.clear()
    freed.clear()
    with pytest.raises(KeyError):
        await inbox._db.write(fails, wake=True)
    await stays_asleep()
    assert await inbox.updates.receive(7, "telegram:1", "{}")
    await asyncio.wait_for(woken.wait(), 60)
    assert not freed.is_set(), "nothing was freed"
    woken.clear()
    assert not await inbox.updates.receive(7, "telegram:1", "{}"), "delivered twice"
    await inbox.updates.begin(7)
    await stays_asleep()


async def test_the_leases_of_a_dead_worker_are_free(workers: Workers) -> None:
    one = await workers.opens("one")
    await one.take("ann")
    one._ending.set()  # as if the process slept: nothing is renewed, and nothing freed
    await asyncio.to_thread(one._thread.join)
    mine = await workers.store("one")
    workers.ages("one")
    other = await workers.opens("other")
    with pytest.raises(ServedElsewhere, match="did not answer for too long"):
        await mine.write(lambda db: db.execute(VALUE))
    await until_free(other, "ann")
    assert await other.due(["ann"], 5) == ["ann"], "what it was about to do is not known"
    await other.take("ann")
    with pytest.raises(ServedElsewhere):
        await mine.write(lambda db: db.execute(VALUE))


@pytest.mark.parametrize("is_copy", [True, False])
async def test_a_removed_worker_says_why(
    workers: Workers, caplog: pytest.LogCaptureFixture, is_copy: bool
) -> None:
    one = await workers.opens("one")
    if is_copy:  # a worker on a copy of its CACHE_DIR, with its name
        copy = await Leases.open(workers.url_of("copy"), name="one")
        workers.stack.push_async_callback(copy.close)
    else:
        workers.admin("DELETE FROM sam_workers.worker")
    async with asyncio.timeout(60):
        await one.lost.wait()
    assert ("CACHE_DIR" in caplog.text) is is_copy
    assert ("did not answer for 10 seconds" in caplog.text) is not is_copy


async def test_nobody_takes_a_lease_in_the_middle_of_a_write(workers: Workers) -> None:
    one = await workers.opens("one")
    await one.take("ann")
    mine = await workers.store("one")
    other = await workers.opens("other")
    seen: list[int | None] = []

    def change(db: Connection) -> None:
        one._ending.set()
        one._thread.join()
        workers.ages("one")
        until = time.monotonic() + 4.5  # two looks of the other one
        while time.monotonic() < until:
            future = asyncio.run_coroutine_threadsafe(other.holders(["ann"]), loop)
            seen.append(future.result()["ann"].epoch)
            db.execute("SELECT 1")  # or PostgreSQL would take it for stopped
            time.sleep(0.2)

    loop = asyncio.get_running_loop()
    await mine.write(change)
    assert set(seen) == {one.epoch}
    await until_free(other, "ann")


async def test_an_outage_costs_no_lease(workers: Workers, postgres: Cluster) -> None:
    one, other = await workers.opens("one"), await workers.opens("other")
    await one.take("ann")
    postgres.stop()
    postgres.start()
    workers.ages("one", "other")  # as after an outage that is longer than any lease
    await asyncio.sleep(5)
    assert (await other.holders(["ann"]))["ann"].epoch == one.epoch
    assert not one.lost.is_set() and not other.lost.is_set()


async def test_a_restarted_worker_frees_what_it_held_before(workers: Workers) -> None:
    before = await workers.opens("one")
    await before.take("ann")
    before._ending.set()
    await asyncio.to_thread(before._thread.join)
    again = await Leases.open(workers.url_of("again"), name="one")
    workers.stack.push_async_callback(again.close)
    assert await again.take("ann") is None


async def test_each_profile_is_due_after_a_time_without_any_worker(workers: Workers) -> None:
    first = await Leases.open(workers.url_of("first"), name="first")
    await first.take("ann")
    await first.give_back("ann", {})
    one = await Leases.open(workers.url_of("one"), name="one")
    await asyncio.sleep(4)
    assert await one.due(["ann"], 5) == [], "a worker was alive all the time"
    await one.close()
    await first.close()
    # Both have registered before either plans.
    two, three = await workers.opens("two"), await workers.opens("three")
    await two.plan(["ann"])
    await three.plan(["ann"])
    await asyncio.sleep(4)  # before that, it is left to the worker that it falls to
    assert await two.due(["ann"], 5) == await three.due(["ann"], 5) == ["ann"]


async def test_what_is_due_is_known_to_all(workers: Workers) -> None:
    one, other = await workers.opens("one"), await workers.opens("other")
    await one.plan(["ann", "ben"])
    await asyncio.sleep(4)  # before that, each is left to the worker that it falls to
    assert await other.due(["ann"], 5) == ["ann"] and await other.due(["ben"], 5) == ["ben"]
    now = time.time()
    await one.take("ann")
    await one.take("ben")
    assert await other.due(["ann", "ben"], 5) == []
    await one.give_back("ann", {"remind": now + 3600.0})
    await one.give_back("ben", {"remind": now + 3600.0}, now - 60)
    assert await other.due(["ann", "ben"], 5) == ["ben"]
    assert await other.take("ann") == {"remind": now + 3600.0}
    await other.give_back("ann", {})
    assert await other.due(["ann"], 5) == [], "it has no jobs"


@contextmanager
def losing_the_answer_to(wanted: bytes) -> Iterator[None]:
    """Lose PostgreSQL's answer to that statement, whenever leases change."""

    def lost(db: psycopg.Connection[Any], statements: bytes) -> PGresult:
        result = run(db, statements)
        if statements == wanted:
            raise psycopg.OperationalError("server closed the connection unexpectedly")
        return result

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("memory.infra.postgres.leases.run", lost)
        yield


async def test_a_lease_that_may_have_been_given_back_is_looked_up(workers: Workers) -> None:
    one, other = await workers.opens("one"), await workers.opens("other")
    await one.take("ann")
    with losing_the_answer_to(b"COMMIT"), pytest.raises(StoreDown):
        await one.give_back("ann", {})
    await other.take("ann")
    assert (await one.holders(["ann"]))["ann"].epoch == other.epoch
    with pytest.raises(ServedElsewhere):
        await one.take("ann")


async def test_a_profile_that_is_opened_again_keeps_its_lease(workers: Workers) -> None:
    one, other = await workers.opens("one"), await workers.opens("other")
    leased = Leased(one, lambda: ["ann"])
    await leased.opening("ann")
    with losing_the_answer_to(b"BEGIN"):
        await leased.closed("ann", {}, None, workers.folder)
    with workers.connect() as db:
        db.execute("SELECT FROM sam_workers.lease FOR UPDATE")
        trying_again = asyncio.create_task(leased.due())
        await asyncio.sleep(0.5)
        opening = asyncio.create_task(leased.opening("ann"))
        await asyncio.sleep(0.5)
    await asyncio.gather(trying_again, opening)
    assert (await other.holders(["ann"]))["ann"].epoch == one.epoch
