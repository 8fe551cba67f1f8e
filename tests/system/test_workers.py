"""Two real `sam run` that share a real PostgreSQL and one bot."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.support.postgres import Cluster
from tests.support.process import SAM, Sam, wait_until
from tests.support.workers import PEOPLE, Workers


def logs(worker: Sam, text: str) -> bool:
    return text in worker.log.read_text("utf-8", "replace")


def pause(worker: Sam, number: int) -> None:
    """Send SIGSTOP or SIGCONT."""
    assert worker.process is not None
    os.kill(worker.process.pid, number)


def test_kills_stops_and_a_restart_of_postgresql_lose_and_double_nothing(
    tmp_path: Path, postgres: Cluster
) -> None:
    draw = random.Random(19)
    with Workers.running(tmp_path, postgres, SUMMARY_THRESHOLD="6") as workers:
        workers.see_ready()
        workers.audit()
        workers.claude.chunk_delay = 0.02
        for number in range(8):
            worker = workers.all[number % 2]
            for user in PEOPLE:
                workers.sends(user, f"message {number} of {user}")
            workers.telegram.repeats()
            if number == 4:
                postgres.stop()
                time.sleep(2)
                postgres.start()
            elif number == 6:
                pause(worker, signal.SIGSTOP)
                time.sleep(13)
                pause(worker, signal.SIGCONT)
            else:
                time.sleep(draw.uniform(0, 1.5))
                worker.kill()
                worker.start()
            if number % 2:
                workers.see_answered(timeout=120)
        workers.see_answered(timeout=120)
        assert workers.writes_without_lease() == []
        workers.check()


def test_another_worker_answers_within_fifteen_seconds(tmp_path: Path, postgres: Cluster) -> None:
    with Workers.running(tmp_path, postgres) as workers:
        workers.see_ready()

        def seconds(text: str) -> float:
            """Return how long everybody has waited for the answer."""
            began = time.monotonic()
            for user in PEOPLE:
                workers.sends(user, f"{text} from {user}")
            workers.see_answered()
            return time.monotonic() - began

        before = seconds("hello")
        poller = workers.rows("SELECT name FROM sam_workers.lease WHERE name LIKE 'poller:%'")
        dying = workers.holder(poller[0][0])
        assert dying is not None
        dying.kill()
        took = seconds("are you there?")
        usual = max(before, seconds("and now?"))
        assert took < 15 + 4 * usual, "a busy machine answers later"
        workers.check()


def test_a_worker_that_was_stopped_for_too_long_writes_nothing(
    tmp_path: Path, postgres: Cluster
) -> None:
    with Workers.running(tmp_path, postgres) as workers:
        workers.see_ready()
        workers.audit()
        workers.sends(3001, "hello")
        workers.see_answered()
        sleeper = workers.holder("ann")
        assert sleeper is not None
        text = "this answer is interrupted"
        hold = workers.claude.holds(5, when=text)
        workers.sends(3001, text)
        assert hold.reached.wait(60), "it begins"
        pause(sleeper, signal.SIGSTOP)
        hold.release()
        workers.see_answered()
        assert workers.holder("ann") not in (None, sleeper)
        pause(sleeper, signal.SIGCONT)
        wait_until(lambda: logs(sleeper, "it closes its profiles, and starts over"), "it notices")
        workers.see_ready()
        workers.sends(3002, "and afterwards")
        workers.see_answered()
        time.sleep(2)
        assert workers.writes_without_lease() == []
        workers.check()


def test_a_reminder_comes_once_although_its_worker_dies(tmp_path: Path, postgres: Cluster) -> None:
    with Workers.running(tmp_path, postgres, PROFILE_IDLE_MINUTES="0.02") as workers:
        workers.see_ready()
        workers.sends(3001, "hello")
        workers.see_answered()
        wait_until(lambda: workers.holder("ann") is None, "its profile is closed")
        now = time.gmtime(time.time() + 75)
        due = time.strftime("%Y-%m-%d", now), time.strftime("%Y-%m-%d %H:%M", now)
        tasks = tmp_path / "profiles/ann/vault/tasks.md"
        tasks.write_text(f"- [ ] Call the doctor (@{due[1]}) 📅 {due[0]}\n", "utf-8")
        time.sleep(3)
        workers.all[0].kill()

        def reminders() -> int:
            sent = [each.text for each in workers.telegram.sent if "⏰" in each.text]
            return sum("Call the doctor" in text for text in sent)  # so does the list of the day

        wait_until(reminders, "the reminder", timeout=150)
        workers.all[0].start()
        time.sleep(12)
        assert reminders() == 1


def test_who_may_run_beside_workers(tmp_path: Path, postgres: Cluster) -> None:
    with Workers.running(tmp_path, postgres) as workers:
        workers.see_ready()
        one, other = workers.all
        for given in ({"CACHE_DIR": ""}, {}, {"CACHE_DIR": str(tmp_path / "data/cache")}):
            second = Sam(tmp_path / "second", **{**one.env, **given})
            second.start()
            assert second.process is not None and second.process.wait(60) in (1, 2)
            assert logs(second, "Sam is running already") or logs(second, "may not lie in")
        refused = one.run("import", str(tmp_path / "worker0/home"), check=False)
        assert "already" in refused or not refused
        workers.sends(1001, "and they go on")
        workers.see_answered()
        assert one.stop(60) == other.stop(60) == 0
        assert workers.rows("SELECT * FROM sam_workers.worker") == []


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="reads /proc")
def test_a_worker_imports_the_sdk_before_anybody_writes(tmp_path: Path, postgres: Cluster) -> None:
    with Workers.running(tmp_path, postgres, started=False) as workers:
        worker = workers.all[0]
        # Not forked from a process that has imported it already.
        with subprocess.Popen([*SAM, "run"], env=worker.env, cwd=worker.folder) as process:
            try:
                maps = Path(f"/proc/{process.pid}/maps")
                # jiter is the SDK's own shared library.
                wait_until(lambda: "jiter" in maps.read_text(), "the SDK is imported")
                assert not workers.claude.requests and not workers.telegram.sent
            finally:
                process.terminate()


def test_without_postgresql_there_is_one_worker(tmp_path: Path) -> None:
    sam = Sam(tmp_path, CACHE_DIR=str(tmp_path / "cache"))
    sam.start()
    assert sam.process is not None and sam.process.wait(60) == 2
    assert logs(sam, "set DATABASE_URL too")
