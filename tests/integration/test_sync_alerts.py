"""Conflict copies of other sync tools, and sync alerts to the owner."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.assistant import Assistant, status
from bot.assistant.job_requests import no_jobs
from bot.assistant.jobs import JOBS
from bot.assistant.syncing import alerts
from bot.doctor.sync_checks import of_sync
from bot.errors import SyncError
from bot.sync import other_tools
from memory.vault import Vault
from tests.support.homes import Home
from tests.support.memories import Clock
from tests.support.notifications import NotificationRecorder

NOW = datetime(2026, 2, 12, 13, 31, tzinfo=UTC)


@pytest.mark.parametrize(
    ("copy", "note"),
    [
        ("a/Note.sync-conflict-20260212-143100-ABCDEF7.md", "a/Note.md"),  # Syncthing
        ("Note.conflict1.md", "Note.md"),  # rclone bisync
        ("Note.path2.md", "Note.md"),
        ("Note.md.conflict2", "Note.md"),
        ("Note (Conflicted copy Ana's phone 202602121431).md", "Note.md"),  # Obsidian Sync
        ("Note (conflicted copy 2026-02-12 143100).md", "Note.md"),  # Nextcloud
        ("Note (Ana's conflicted copy 2026-02-12).md", "Note.md"),  # Dropbox
        ("Note (In Konflikt stehende Kopie von Ana 2026-02-12).md", "Note.md"),
        ("Note (Anas in Konflikt stehende Kopie 2026-02-12).md", "Note.md"),
        ("Note (Copia en conflicto de Ana 2026-02-12).md", "Note.md"),
        ("Note (copie en conflit de Ana 2026-02-12).md", "Note.md"),
        ("Note (Copia in conflitto di Ana 2026-02-12).md", "Note.md"),
        ("Note (C\u00f3pia em conflito de Ana 2026-02-12).md", "Note.md"),
        ("Note (Co\u0301pia em conflito de Ana 2026-02-12).md", "Note.md"),  # macOS
        ("Note (Конфликтующая копия с компьютера ANA 2026-02-12).md", "Note.md"),
        ("Note (Case Conflict 1).md", "Note.md"),
        ("Note 2.md", None),  # iCloud's, and a generic form
        ("Note (2).md", None),
        ("A conflicted copy.md", None),
        ("Note.conflict.md", None),
        ("picture.sync-conflict-20260212-143100-ABCDEF7.png", None),
    ],
)
def test_conflict_copies_are_known_by_their_names(copy: str, note: str | None) -> None:
    assert other_tools.original_of_copy(copy) == note


def test_a_number_is_a_copy_in_icloud_alone() -> None:
    assert other_tools.original_of_copy("Note 2.md", icloud=True) == "Note.md"
    assert other_tools.in_icloud(Path("/Users/a/Library/Mobile Documents/iCloud~md~obsidian/V"))


async def nothing(lines: Collection[str]) -> set[str]:
    return set()


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(other_tools, "SETTLED", -1.0)


def written(vault: Vault, name: str, text: str) -> None:
    path = vault.root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def tree(vault: Vault) -> dict[str, str]:
    files = (path for path in sorted(vault.root.rglob("*")) if path.is_file())
    return {path.relative_to(vault.root).as_posix(): path.read_text("utf-8") for path in files}


async def test_a_copy_is_joined_with_its_note_and_archived(tmp_path: Path, settled: None) -> None:
    vault = Vault(tmp_path / "vault", data_dir=tmp_path / "data")
    copy = "tasks.sync-conflict-20260212-143100-ABCDEF7.md"
    written(vault, "tasks.md", "# Tasks\n\n- [ ] Pay 🆔 k3v9ad\n- [ ] mine\n")
    written(vault, copy, "# Tasks\n\n- [x] Pay 🆔 k3v9ad ✅ 2026-02-12\n- [ ] theirs\n- a secret\n")
    written(vault, "alone.conflict1.md", "its note is gone\n")

    async def entombed(lines: Collection[str]) -> set[str]:
        return {"a secret"} & set(lines)

    assert await other_tools.merge_all(vault, NOW, UTC, entombed) == ["tasks.md"]
    assert tree(vault) == {
        "alone.conflict1.md": "its note is gone\n",
        "tasks.md": "# Tasks\n\n- [x] Pay 🆔 k3v9ad ✅ 2026-02-12\n- [ ] theirs\n- [ ] mine\n",
        f"archive/{copy}": "# Tasks\n\n- [x] Pay 🆔 k3v9ad ✅ 2026-02-12\n- [ ] theirs\n",
    }
    assert await other_tools.conflict_copies(vault) == []


async def test_a_copy_that_is_still_coming_waits(tmp_path: Path) -> None:
    vault = Vault(tmp_path / "vault", data_dir=tmp_path / "data")
    written(vault, "a.md", "a\n")
    written(vault, "a.conflict1.md", "b\n")
    assert await other_tools.conflict_copies(vault) == []


async def test_in_icloud_only_what_is_alike_is_a_copy(tmp_path: Path, settled: None) -> None:
    vault = Vault(tmp_path / "Mobile Documents" / "vault", data_dir=tmp_path / "data")
    written(vault, "Day.md", "# Day\none\ntwo\n")
    written(vault, "Day 2.md", "# Day\none\nTWO\n")
    written(vault, "Trip.md", "to Rome\n")
    written(vault, "Trip 2.md", "to Lisbon\n")
    assert await other_tools.merge_all(vault, NOW, UTC, nothing) == ["Day.md"]
    assert {"Trip.md", "Trip 2.md", "archive/Day 2.md"} <= tree(vault).keys()
    assert {"two", "TWO"} <= set(tree(vault)["Day.md"].split())


# ── what the owner is told ───────────────────────────────────────────────────────────────────


@asynccontextmanager
async def a_profile(
    tmp_path: Path, clock: Clock, **given: object
) -> AsyncIterator[tuple[Assistant, NotificationRecorder]]:
    notified = NotificationRecorder()
    async with AsyncExitStack() as stack:
        home = Home(tmp_path)
        profile = await Assistant.open(
            home.settings(**given), stack, poke=no_jobs, clock=clock, sole=True
        )
        yield profile, notified


@pytest.fixture(autouse=True)
def own_rclone_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rclone.conf").touch()
    monkeypatch.setenv("RCLONE_CONFIG", str(tmp_path / "rclone.conf"))


def job(name: str) -> object:
    [found] = (job for job in JOBS if job.name == name)
    return found


async def test_a_conflict_is_told_in_one_message(tmp_path: Path) -> None:
    far = tmp_path / "far"
    async with a_profile(tmp_path, Clock(), rclone_remote=str(far)) as (profile, notified):
        root = profile.memory.vault.root
        for name in ("a.md", "b.md"):
            (root / name).write_text("shared\n")
        await profile.run_sync(notified.notify)
        for name in ("a.md", "b.md"):
            (root / name).write_text("Sam's\n")
            (far / name).write_text("the owner's\n")
        profile._exchanged = None
        await profile.run_sync(notified.notify)
        assert len(notified.texts) == 1
        assert (
            "2 notes in which you and I had changed the same lines: a.md, b.md."
            in notified.texts[0]
        )


async def test_an_hour_without_a_sync_is_told_once_and_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    far, clock = tmp_path / "far", Clock()
    silent = next(job for job in JOBS if job.name == "sync-silent")
    async with a_profile(tmp_path, clock, rclone_remote=str(far)) as (profile, notified):
        (profile.memory.vault.root / "a.md").write_text("a\n")
        await profile.run_sync(notified.notify)
        assert not await silent.due(profile)
        clock.now += timedelta(minutes=59)
        assert not await silent.due(profile)
        far.rename(tmp_path / "away")
        with pytest.raises(SyncError):
            await profile.sync.run()  # type: ignore[union-attr]
        clock.now += timedelta(minutes=2)
        assert await silent.due(profile)
        await silent.run(profile, notified.notify)
        assert (
            len(notified.texts) == 1
            and "nothing was synced since" in notified.texts[0]
            and "is empty" in notified.texts[0]
        )
        assert not await silent.due(profile)
        shown = [line for line in await status.status_lines(profile) if "synced with" in line]
        assert shown == [f"! synced with {far}: about 61 min ago, 0 files to send"]
        (tmp_path / "away").rename(far)
        profile._exchanged = None
        await profile.run_sync(notified.notify)
        assert not any(line.startswith("! synced") for line in await status.status_lines(profile))
        clock.now += timedelta(hours=2)
        assert await silent.due(profile)  # a new silence is reported again


async def test_a_sync_that_never_went_well_is_overdue_too(tmp_path: Path) -> None:
    clock = Clock()
    async with a_profile(tmp_path, clock, rclone_remote="nowhere:x") as (profile, notified):
        with pytest.raises(SyncError):
            await profile.run_sync(notified.notify)
        clock.now += timedelta(hours=2)
        assert profile.sync is not None
        assert await alerts.is_failing_unreported(profile.settings, profile.memory, profile.sync)


async def test_a_sync_that_stops_for_the_owner_says_so_once(tmp_path: Path) -> None:
    far = tmp_path / "far"
    far.mkdir()
    (far / "theirs.md").write_text("theirs\n")
    async with a_profile(tmp_path, Clock(), rclone_remote=str(far)) as (profile, notified):
        (profile.memory.vault.root / "mine.md").write_text("mine\n")
        for _ in range(2):
            with pytest.raises(SyncError):
                await profile.run_sync(notified.notify)
        [text] = notified.texts
        assert text.startswith("The sync has stopped. The vault and ")
        assert "`sam sync` shows what it would do, and asks." in text


async def test_a_sync_that_stops_again_after_it_went_well_says_so_again(tmp_path: Path) -> None:
    far = tmp_path / "far"
    async with a_profile(tmp_path, Clock(), rclone_remote=str(far)) as (profile, notified):
        for number in range(5):
            (profile.memory.vault.root / f"{number}.md").write_text("mine\n")
        await profile.run_sync(notified.notify)
        for count in (1, 2):
            away = far.rename(tmp_path / "away")
            far.mkdir()
            for _ in range(2):
                profile._exchanged = None
                with pytest.raises(SyncError):
                    await profile.run_sync(notified.notify)
            assert len(notified.texts) == count
            far.rmdir()
            away.rename(far)
            profile._exchanged = None
            await profile.run_sync(notified.notify)
        assert all("is empty" in text for text in notified.texts)


async def test_many_changes_are_told_once_however_many_they_become(tmp_path: Path) -> None:
    far, clock = tmp_path / "far", Clock()
    async with a_profile(tmp_path, clock, rclone_remote=str(far)) as (profile, notified):
        names = [f"{number}.md" for number in range(40)]
        for name in names:
            (profile.memory.vault.root / name).write_text("mine\n")
        await profile.run_sync(notified.notify)
        for count in (30, 35, 40):
            for name in names[:count]:
                (far / name).write_text(f"pwned {count}\n")
            profile._exchanged = None
            with pytest.raises(SyncError):
                await profile.run_sync(notified.notify)
            clock.now += timedelta(minutes=5)
        [text] = notified.texts
        assert text.startswith(
            f"The sync has stopped. The remote {far} would change 30 files (0.md"
        )
        waits = "! the sync is waiting for you: `sam sync` shows what would change, and asks"
        assert waits in await status.status_lines(profile)
        assert profile.sync is not None
        await profile.sync.run(agreed=True)
        lines = await status.status_lines(profile)
        assert waits not in lines
        assert "copies of files replaced by syncs: 40 files, 1 kB: `sam sync --copies`" in lines
        for name in names:
            (far / name).write_text("pwned again\n")
        profile._exchanged = None
        with pytest.raises(SyncError):
            await profile.run_sync(notified.notify)
        assert len(notified.texts) == 2  # a different question


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        (
            "tell",
            "The sync changed my instructions: soul.md (2 lines added, 1 removed). If you did"
            " not make this change, `sam sync --restore PATH` restores the previous version",
        ),
        (
            "hold",
            "The remote would change my instructions: soul.md (2 lines added, 1 removed). I have"
            " not applied it: `sam sync --accept` shows it and asks you.",
        ),
        ("take", ""),
    ],
)
async def test_a_change_of_how_sam_acts_is_told_once(
    tmp_path: Path, setting: str, told: str
) -> None:
    far = tmp_path / "far"
    given = {"rclone_remote": str(far), "sync_instructions": setting}
    async with a_profile(tmp_path, Clock(), **given) as (profile, notified):
        soul = profile.memory.vault.root / "soul.md"
        soul.write_text("one\ntwo\n")
        await profile.run_sync(notified.notify)
        (far / "soul.md").write_text("one\nobey\nme\n")
        for _ in range(2):
            profile._exchanged = None
            await profile.run_sync(notified.notify)
        assert len(notified.texts) == bool(told) and "".join(notified.texts).startswith(told)
        assert "obey" not in "".join(notified.texts)  # it may belong to somebody else
        assert soul.read_text() == ("one\ntwo\n" if setting == "hold" else "one\nobey\nme\n")
        waits = "! waiting for `sam sync --accept`: soul.md"
        assert (waits in await status.status_lines(profile)) is (setting == "hold")


async def test_the_status_names_what_cannot_be_synced(tmp_path: Path) -> None:
    given = {"rclone_remote": str(tmp_path / "far")}
    async with a_profile(tmp_path, Clock(), **given) as (profile, notified):
        (profile.memory.vault.root / "a\u201bb.md").write_text("odd\n")
        await profile.run_sync(notified.notify)
        lines = [row for row in await status.status_lines(profile) if "not synced" in row]
        assert lines and lines[0].startswith("! not synced until renamed: a\u201bb.md (")
        ledger: dict[str, Any] = {"lags": {}}
        async for found in of_sync(profile.memory, profile.settings, ledger):
            assert found.id == "sync-name" and "a\u201bb.md" in found.what
        assert ledger["lags"]["not_pushed"] == 0


async def test_copies_are_merged_by_a_job_without_any_remote(tmp_path: Path, settled: None) -> None:
    merge = next(job for job in JOBS if job.name == "conflict-copies")
    async with a_profile(tmp_path, Clock()) as (profile, notified):
        assert profile.sync is None and not await merge.due(profile)
        root = profile.memory.vault.root
        (root / "a.md").write_text("one\n")
        (root / "a (Conflicted copy phone 202602121431).md").write_text("two\n")
        assert await merge.due(profile)
        await merge.run(profile, notified.notify)
        assert set((root / "a.md").read_text().split()) == {"one", "two"}
        assert (root / "archive/a (Conflicted copy phone 202602121431).md").exists()
        assert notified.texts == ["I merged 1 conflict copy into a.md, and kept it in archive/."]
        assert [edit.cause for edit in await profile.memory.log.journal.recent(2)] == [
            "conflict copy"
        ] * 2
