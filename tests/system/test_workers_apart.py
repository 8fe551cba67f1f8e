"""What two real `sam run` on one PostgreSQL must not both do, or refuse."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from memory.infra.postgres import Leases
from tests.support import prefork
from tests.support.postgres import Cluster
from tests.support.process import SAM, wait_until
from tests.support.workers import Workers


def test_an_outage_is_reported_by_one_of_them(tmp_path: Path, postgres: Cluster) -> None:
    with Workers.running(tmp_path, postgres) as workers:
        workers.see_ready()
        workers.sends(1001, "before")
        workers.see_answered()
        try:
            postgres.stop()
            wait_until((tmp_path / "data/outage").exists, "the outage is noticed")
            time.sleep(12)
        finally:
            postgres.start()

        def reports() -> list[str]:
            return [each.text for each in workers.telegram.sent if "not answer" in each.text]

        wait_until(reports, "a word on the outage")
        workers.sends(1001, "after")
        workers.see_answered()
        wait_until(lambda: not (tmp_path / "data/outage").exists(), "it is settled")
        time.sleep(8)  # each worker looks every three seconds
        assert len(reports()) == 1
        keys = workers.rows("SELECT key FROM sam_inbox.reply WHERE key LIKE '%outage%'")
        assert len(keys) == 1, keys


def test_nothing_is_moved_while_a_worker_runs(tmp_path: Path, postgres: Cluster) -> None:
    with Workers.running(tmp_path, postgres) as workers:
        workers.see_ready()
        workers.sends(1001, "stay where you are")
        workers.see_answered()
        one, other = workers.all
        assert one.stop(60) == 0

        def moved() -> tuple[int, str]:
            done = prefork.run(
                [*SAM, "migrate", "--to", "sqlite", "--yes"], one.env, cwd=one.folder, timeout=60
            )
            return done.returncode, done.stderr

        code, why = moved()
        assert code == 1 and "running already" in why, why
        assert not (tmp_path / "data/log.db").exists()
        workers.sends(1001, "and go on")
        workers.see_answered()
        assert other.stop(60) == 0
        code, why = moved()
        assert code == 0, why
        assert (tmp_path / "data/log.db").exists()


def test_a_profile_for_other_programs_is_synced_by_the_owners_worker(
    tmp_path: Path, postgres: Cluster
) -> None:
    far = tmp_path / "far"
    given = {"PROFILES_REMOTE": f"{far}/{{profile}}", "SYNC_INTERVAL_MINUTES": "1"}
    with Workers.running(tmp_path, postgres, started=False, **given) as workers:
        one = workers.all[0]
        one.run("profile", "add", "eva")
        one.run("sync", "--profile", "eva", timeout=120)
        (far / "eva/note.md").write_text("written elsewhere\n", "utf-8")
        for worker in workers.all:
            worker.start()
        workers.see_ready()
        note = tmp_path / "profiles/eva/vault/note.md"
        wait_until(note.exists, "it is fetched", timeout=100)
        wait_until(lambda: workers.holder("eva") is None, "the lease is given back")
        assert workers.rows("SELECT 1 FROM sam_workers.lease WHERE name = 'eva'")


def test_a_group_is_not_synced_while_another_worker_serves_it(
    tmp_path: Path, postgres: Cluster
) -> None:
    far = tmp_path / "far/group-100"
    given = {
        "TELEGRAM_ALLOWED_GROUPS": "-100",
        "PROFILE_IDLE_MINUTES": "0.05",
        "SYNC_INTERVAL_MINUTES": "1",
    }
    with Workers.running(tmp_path, postgres, started=False, **given) as workers:
        one = workers.all[0]
        one.start()  # without a remote yet, so that no sync begins before the lease is taken
        workers.see_ready()
        visited = (
            "SELECT 1 FROM sam_workers.lease"
            " WHERE name = 'group-100' AND epoch IS NULL AND times IS NOT NULL"
        )
        wait_until(lambda: workers.rows(visited), "the group is visited and closed")
        workers.audit()
        assert one.stop(60) == 0
        third = asyncio.run(_serving(workers.url, "group-100"))
        try:
            for worker in workers.all:
                worker.start(PROFILES_REMOTE=str(far.with_name("{profile}")))
            workers.sends(1001, "hello")  # opens the owner's profile, whose job it is
            logs = [worker.log for worker in workers.all]
            refused = "sync profile=group-100: group-100 is served by another worker now"
            wait_until(
                lambda: any(refused in log.read_text("utf-8", "replace") for log in logs),
                "the job leaves it",
                timeout=120,
            )
            assert not far.exists()
        finally:
            asyncio.run(third.close())
        wait_until((far / "MEMORY.md").exists, "it is synced", timeout=120)
        wait_until(lambda: workers.holder("group-100") is None, "the lease is given back")
        assert workers.writes_without_lease() == []


async def _serving(url: str, name: str) -> Leases:
    """Return the leases of another worker, which has that one and does nothing."""
    third = await Leases.open(url, name="third")
    await third.take(name)
    return third
