"""Locks between tasks, between processes, and with child processes."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from memory.errors import LockHeld, StoreError
from memory.infra import file_locks
from memory.infra.file_locks import RunLock, is_locked, locked, run_to_end

HOLDER = """
import asyncio, sys
from pathlib import Path
from memory.infra.file_locks import locked
async def main():
    async with locked(Path(sys.argv[1])):
        print("held", flush=True)
        sys.stdin.readline()
asyncio.run(main())
"""


def holder(path: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert process.stdout and process.stdout.readline() == "held\n"
    return process


async def test_one_at_a_time_in_a_process(tmp_path: Path) -> None:
    inside, most = 0, 0

    async def work() -> None:
        nonlocal inside, most
        async with locked(tmp_path / "data" / "a.lock"):
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0.002)
            inside -= 1

    await asyncio.gather(*(work() for _ in range(20)))
    assert (inside, most) == (0, 1)


async def test_locks_of_other_names_do_not_wait(tmp_path: Path) -> None:
    async with locked(tmp_path / "a.lock"), locked(tmp_path / "b.lock", timeout=0.5):
        pass


async def test_a_process_waits_for_another_and_gives_up_in_time(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"
    with holder(path) as other:
        begun = time.monotonic()
        with pytest.raises(LockHeld, match=r"Another Sam holds a\.lock"):
            async with locked(path, timeout=0.2):
                pass
        assert 0.15 < time.monotonic() - begun < 20
        other.communicate("go\n")
    async with locked(path, timeout=0.2):
        pass


async def test_a_task_in_the_same_process_gives_up_in_time(tmp_path: Path) -> None:
    async with locked(tmp_path / "a.lock"):
        with pytest.raises(LockHeld):
            async with locked(tmp_path / "a.lock", timeout=0.05):
                pass


async def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    with holder(tmp_path / "a.lock") as other:
        other.kill()
        async with locked(tmp_path / "a.lock", timeout=5):
            pass


async def test_a_cancelled_wait_leaves_no_lock_behind(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"

    async def wait() -> None:
        async with locked(path, timeout=30):
            raise AssertionError("never held")

    with holder(path) as other:
        waiting = asyncio.create_task(wait())
        await asyncio.sleep(0.1)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        # no thread is left polling for it
        await asyncio.wait_for(asyncio.get_running_loop().shutdown_default_executor(), 20)
        other.communicate("go\n")


async def test_a_lock_that_was_taken_while_its_wait_was_cancelled_is_free(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"

    async def wait() -> None:
        async with locked(path, timeout=30):
            raise AssertionError("never held")

    held = RunLock(path)
    held.acquire()
    waiting = asyncio.create_task(wait())
    await asyncio.sleep(0.1)
    held.release()
    time.sleep(0.2)  # noqa: ASYNC251  the thread takes the lock, the loop cannot know yet
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    async with locked(path, timeout=30):
        pass


async def test_without_patience_a_free_lock_is_taken_and_a_held_one_refused(tmp_path: Path) -> None:
    async with locked(tmp_path / "a.lock", timeout=0):
        with pytest.raises(LockHeld):
            async with locked(tmp_path / "a.lock", timeout=0):
                pass


async def test_a_started_program_does_not_inherit_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"
    async with locked(path):
        child = await asyncio.create_subprocess_exec("sleep", "30", close_fds=False)
    try:
        async with locked(path, timeout=30):
            pass
    finally:
        child.kill()
        await child.wait()


async def test_a_folder_that_refuses_is_said(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    with pytest.raises(StoreError, match="make the data folder writable"):
        async with locked(tmp_path / "data" / "a.lock"):
            pass


async def test_unbroken_work_ends_before_its_cancellation() -> None:
    done = []

    async def work() -> None:
        await asyncio.sleep(0.1)
        done.append(True)

    task = asyncio.create_task(run_to_end(work()))
    await asyncio.sleep(0.01)
    for _ in range(3):
        task.cancel()
        await asyncio.sleep(0.01)
    with pytest.raises(asyncio.CancelledError):
        await task
    assert done == [True]


async def test_unbroken_work_hands_on_result_and_error() -> None:
    async def work(fails: bool) -> int:
        if fails:
            raise ValueError("no")
        return 7

    assert await run_to_end(work(False)) == 7
    with pytest.raises(ValueError, match="no"):
        await run_to_end(work(True))


def _refused(path: Path, answer: multiprocessing.Queue[str]) -> None:
    try:
        RunLock(path).acquire()
        answer.put("taken")
    except LockHeld as error:
        answer.put(str(error))


def test_a_second_run_is_refused_with_the_process_id(tmp_path: Path) -> None:
    path = tmp_path / "run.lock"
    process = multiprocessing.get_context("spawn")
    answer: multiprocessing.Queue[str] = process.Queue()
    with RunLock(path) as lock:
        lock.acquire()  # taking it twice counts once
        second = process.Process(target=_refused, args=(path, answer))
        second.start()
        assert answer.get(timeout=60) == (
            f"Sam is running already (process {os.getpid()}): stop that one first."
        )
        second.join()
    lock.release()
    with RunLock(path):
        pass


def test_a_lock_that_another_process_only_probes_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, lock = tmp_path / "run.lock", RunLock(tmp_path / "run.lock")
    for take in (lambda: is_locked(path), lock.acquire):
        probe = RunLock(path)  # by its own descriptor, as in another process
        probe.acquire()
        with monkeypatch.context() as patched:
            patched.setattr(file_locks.time, "sleep", lambda seconds, held=probe: held.release())
            assert not take()
    lock.release()


def test_whether_a_lock_is_held_can_be_seen(tmp_path: Path) -> None:
    path = tmp_path / "run.lock"
    assert not is_locked(path)
    with RunLock(path):
        assert is_locked(path)
    assert not is_locked(path)
