"""Watching a real folder: changes are reported, and the watcher stops when told to."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import watchfiles

from memory.errors import StoreBusy
from memory.vault import FileEvents, file_events
from memory.vault.scanner import RULE_FILES
from memory.vault.watcher import notes, on_network, watch


class Heard:
    """Record what the watcher reports, for assertions."""

    def __init__(self) -> None:
        self.calls: list[frozenset[str] | None] = []
        self.failures = 0
        self.called = asyncio.Event()

    async def __call__(self, paths: frozenset[str] | None) -> None:
        self.calls.append(paths)
        self.called.set()
        if self.failures:
            self.failures -= 1
            raise StoreBusy("another process has the index")

    @property
    def paths(self) -> set[str]:
        return set().union(*(call for call in self.calls if call))

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(60):
            while not condition():
                self.called.clear()
                await self.called.wait()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_events, "CHECK_MS", 150)
    monkeypatch.setattr(file_events, "QUIET_MS", 50)
    monkeypatch.setattr(file_events, "POLL_MS", 100)


@contextlib.asynccontextmanager
async def watched(
    root: Path, polling: bool | None = None, files: FileEvents | None = None
) -> AsyncIterator[Heard]:
    heard = Heard()
    task = asyncio.create_task(watch(root, heard, files or FileEvents(), polling=polling))
    if root.exists():
        await heard.until(lambda: bool(heard.calls))
    try:
        yield heard
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.wait_for(task, 60)


@pytest.mark.parametrize("polling", [False, True])
async def test_notes_that_change_are_named_and_nothing_else(tmp_path: Path, polling: bool) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "old.md").write_text("old")
    (tmp_path / "image.png").write_bytes(b"1")
    async with watched(tmp_path, polling) as heard:
        assert heard.calls == [None]
        (tmp_path / "deep" / "neu.md").write_text("new")
        (tmp_path / "image.png").write_bytes(b"22")
        (tmp_path / ".draft.md").write_text("half a note")
        (tmp_path / "came.md.partial").write_text("half a note")
        (tmp_path / "came.md.partial").rename(tmp_path / "came.md")
        (tmp_path / "old.md").unlink()
        await heard.until(lambda: len(heard.paths) >= 3)
    assert heard.paths == {"deep/neu.md", "old.md", "came.md"}
    assert None not in heard.calls[1:]


async def test_a_note_replaced_by_a_rename_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("1")
    async with watched(tmp_path) as heard:
        (tmp_path / ".a.md.new").write_text("2")
        (tmp_path / ".a.md.new").replace(tmp_path / "a.md")
        await heard.until(lambda: heard.paths == {"a.md"})


async def test_many_writes_come_as_few_calls(tmp_path: Path) -> None:
    async with watched(tmp_path) as heard:
        for number in range(200):
            (tmp_path / f"{number}.md").write_text("x")
        await heard.until(lambda: len(heard.paths) == 200)
    assert len(heard.calls) < 20


async def test_a_folder_moved_out_or_in_asks_for_a_scan(tmp_path: Path) -> None:
    vault, outside = tmp_path / "vault", tmp_path / "outside"
    (vault / "folder").mkdir(parents=True)
    (vault / "folder" / "a.md").write_text("a")
    async with watched(vault) as heard:
        (vault / "folder").rename(outside)
        await heard.until(lambda: None in heard.calls[1:])
        count = len(heard.calls)
        outside.rename(vault / "again")
        await heard.until(lambda: None in heard.calls[count:])


@pytest.mark.parametrize("name", RULE_FILES)
async def test_a_change_of_what_counts_asks_for_a_scan(tmp_path: Path, name: str) -> None:
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    async with watched(tmp_path) as heard:
        (tmp_path / name).write_text("{}\n")
        await heard.until(lambda: None in heard.calls[1:])


@pytest.mark.parametrize("polling", [False, True])
async def test_a_vault_that_vanishes_is_waited_for(tmp_path: Path, polling: bool) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    async with watched(vault, polling) as heard:
        shutil.rmtree(vault)
        await asyncio.sleep(0.5)
        count = len(heard.calls)
        vault.mkdir()
        await heard.until(lambda: None in heard.calls[count:])
        (vault / "back.md").write_text("back")
        await heard.until(lambda: "back.md" in heard.paths)


async def test_a_vault_that_is_not_there_yet_is_waited_for(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    async with watched(vault) as heard:
        assert heard.calls == []
        vault.mkdir()
        await heard.until(lambda: heard.calls == [None])


def native_watchers() -> int:
    """Return this process's native watchers: each has an inotify descriptor."""
    found = 0
    for each in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # closed meanwhile
            found += "inotify" in str(each.readlink())
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="the native watchers are counted in /proc")
async def test_many_vaults_have_one_native_watcher(tmp_path: Path) -> None:
    vaults = [tmp_path / f"vault{number}" for number in range(12)]
    files, before = FileEvents(), native_watchers()
    async with contextlib.AsyncExitStack() as stack:
        heard = []
        for vault in vaults:
            vault.mkdir()
            heard.append(await stack.enter_async_context(watched(vault, files=files)))
        async with asyncio.timeout(60):  # each began before the last one ended
            while native_watchers() != before + 1:  # noqa: ASYNC110 - threads end
                await asyncio.sleep(0.05)
        for number, vault in enumerate(vaults):
            (vault / f"of {number}.md").write_text("x")
        for number, each in enumerate(heard):
            await each.until(lambda each=each: bool(each.paths))  # type: ignore[misc]
            assert each.paths == {f"of {number}.md"}


async def test_no_event_is_lost_while_other_vaults_come_and_go(tmp_path: Path) -> None:
    mine, other = tmp_path / "mine", tmp_path / "other"
    mine.mkdir()
    other.mkdir()
    files, written = FileEvents(), set()
    async with watched(mine, files=files) as heard:
        for round in range(8):
            async with watched(other, files=files):
                for number in range(20):
                    written.add(f"{round}-{number}.md")
                    (mine / f"{round}-{number}.md").write_text("x")
                    await asyncio.sleep(0.01)
        await heard.until(lambda: len(heard.paths) >= len(written))
    assert heard.paths == written
    assert None not in heard.calls[1:]


async def test_a_vault_that_cannot_be_watched_leaves_the_others_watched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import watchfiles

    real, first, second = watchfiles.awatch, tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()

    def awatch(*roots: str, **options: Any) -> object:
        if str(second) in roots and not options["force_polling"]:
            raise RuntimeError("OS file watch limit reached.")
        return real(*roots, **options)

    monkeypatch.setattr(watchfiles, "awatch", awatch)
    files = FileEvents()
    async with watched(first, files=files) as one, watched(second, files=files) as two:
        (first / "a.md").write_text("a")
        (second / "b.md").write_text("b")
        await one.until(lambda: one.paths == {"a.md"})
        await two.until(lambda: two.paths == {"b.md"})
        assert one.calls.count(None) == 1, "it was watched all the time"


async def test_paths_that_could_not_be_reconciled_are_offered_again(tmp_path: Path) -> None:
    async with watched(tmp_path) as heard:
        heard.failures = 2
        (tmp_path / "a.md").write_text("a")
        await heard.until(lambda: heard.calls.count(frozenset({"a.md"})) == 3)
        (tmp_path / "b.md").write_text("b")
        await heard.until(lambda: heard.calls[-1] == frozenset({"b.md"}))


@pytest.mark.skipif(sys.platform != "linux", reason="other systems allow no such name")
async def test_a_name_that_is_no_utf_8_ends_nothing(tmp_path: Path) -> None:
    async with watched(tmp_path) as heard:
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/bad\xffname.md")).write_text("x")
        await heard.until(lambda: heard.calls.count(None) > 1)  # watched again, after a scan
        (tmp_path / "a.md").write_text("a")
        await heard.until(lambda: "a.md" in heard.paths)


async def test_a_fault_of_ours_ends_it_loudly(tmp_path: Path) -> None:
    async def broken(paths: frozenset[str] | None) -> None:
        raise KeyError("a bug")

    with pytest.raises(KeyError):
        await asyncio.wait_for(watch(tmp_path, broken, FileEvents()), 60)


async def test_it_can_be_cancelled(tmp_path: Path) -> None:
    heard = Heard()
    task = asyncio.create_task(watch(tmp_path, heard, FileEvents()))
    await heard.until(lambda: bool(heard.calls))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(task, 60)


async def test_without_watches_left_it_polls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    import watchfiles

    real, modes = watchfiles.awatch, []

    def awatch(*args: object, **options: object) -> object:
        modes.append(options["force_polling"])
        if not options["force_polling"]:
            raise RuntimeError("OS file watch limit reached.")
        return real(*args, **options)

    monkeypatch.setattr(watchfiles, "awatch", awatch)
    async with watched(tmp_path) as heard:
        (tmp_path / "a.md").write_text("a")
        await heard.until(lambda: heard.paths == {"a.md"})
    assert modes == [False, True]
    assert "next=polling" in caplog.text


def test_paths_outside_and_folders_that_are_touched_say_nothing(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    events = [(True, "/elsewhere/a.md"), (False, f"{tmp_path}/folder"), (True, f"{tmp_path}/B.MD")]
    assert notes(tmp_path, events) == {"B.MD"}


def test_network_mounts_are_told_by_the_innermost_mount(tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(
        "/dev/sda1 / ext4 rw 0 0\n"
        "nas:/v /mnt/my\\040nas nfs4 rw 0 0\n"
        "tmpfs /mnt/my\\040nas/ram tmpfs rw 0 0\n"
        "drive: /home/o/drive fuse.rclone rw 0 0\n"
    )
    asked = {
        place: on_network(Path(place), mounts)
        for place in ("/home/o", "/mnt/my nas/v", "/mnt/my nas/ram/v", "/home/o/drive")
    }
    assert asked == {
        "/home/o": False,
        "/mnt/my nas/v": True,
        "/mnt/my nas/ram/v": False,
        "/home/o/drive": True,
    }
    assert on_network(tmp_path, tmp_path / "none") is False


async def test_a_folder_that_is_watched_already_needs_no_other_native_watcher(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[tuple[object, ...]] = []
    real = watchfiles.awatch

    def counted(*roots: Any, **given: Any) -> Any:
        begun.append(roots)
        return real(*roots, **given)

    monkeypatch.setattr(watchfiles, "awatch", counted)
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    files = FileEvents()
    async with (
        watched(tmp_path / "one", files=files) as first,
        watched(tmp_path / "two", files=files) as other,
    ):
        count = len(begun)
        async with watched(tmp_path / "one", files=files) as second:
            (tmp_path / "one" / "a.md").write_text("1")
            await first.until(lambda: first.paths == {"a.md"})
            await second.until(lambda: second.paths == {"a.md"})
        (tmp_path / "one" / "b.md").write_text("2")
        await first.until(lambda: first.paths == {"a.md", "b.md"})
        (tmp_path / "two" / "c.md").write_text("3")
        await other.until(lambda: other.paths == {"c.md"})
        assert second.paths == {"a.md"}
        assert len(begun) == count


async def test_folders_that_are_wanted_while_a_native_watcher_begins_are_watched(
    tmp_path: Path,
) -> None:
    files = FileEvents()
    async with contextlib.AsyncExitStack() as stack:
        heard = []
        for number in range(6):
            root = tmp_path / f"{number}"
            root.mkdir()
            task = asyncio.create_task(watch(root, one := Heard(), files))
            stack.push_async_callback(asyncio.wait, [task])
            stack.callback(task.cancel)
            heard.append(one)
            if not number:
                await asyncio.sleep(0.02)  # the others are wanted together
        for number, one in enumerate(heard):
            await one.until(lambda one=one: bool(one.calls))  # type: ignore[misc]
            (tmp_path / f"{number}" / "a.md").write_text("1")
        for one in heard:
            await one.until(lambda one=one: one.paths == {"a.md"})  # type: ignore[misc]


async def test_each_of_many_folders_is_checked_in_its_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_events, "FOLDERS_PER_CHECK", 1)
    files = FileEvents()
    async with contextlib.AsyncExitStack() as stack:
        all_heard = []
        for name in ("one", "two", "three"):
            (tmp_path / name).mkdir()
            heard = await stack.enter_async_context(watched(tmp_path / name, files=files))
            all_heard.append((tmp_path / name, heard))
        for root, heard in all_heard:
            count = len(heard.calls)
            root.rename(tmp_path / "away")
            root.mkdir()
            await heard.until(lambda heard=heard, count=count: None in heard.calls[count:])  # type: ignore[misc]
            (tmp_path / "away").rmdir()


async def test_all_folders_that_were_wanted_no_more_can_be_wanted_again(tmp_path: Path) -> None:
    """All at once, while the native watcher for one less of them is about to start."""
    files = FileEvents()
    async with asyncio.timeout(60):
        for _ in range(2):
            async with contextlib.AsyncExitStack() as stack:
                for name in ("one", "two"):
                    (tmp_path / name).mkdir(exist_ok=True)
                    root = (tmp_path / name).resolve()
                    await stack.enter_async_context(files.of(root, polling=False))
