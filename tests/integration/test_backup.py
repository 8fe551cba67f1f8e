"""Backups made while Sam works, and what restoring them brings back."""

from __future__ import annotations

import asyncio
import errno
import gzip
import io
import json
import random
import sqlite3
import stat
import tarfile
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.assistant import backup as bots
from bot.assistant.backup import settings_lines
from bot.assistant.job_requests import no_jobs
from bot.cli import main
from bot.inbox import Inbox
from bot.settings import Settings
from memory import MemoryTools
from memory.backup import archive, create, restore
from memory.backup.restored_log import exclude_summarised
from memory.backup.retention import DAYS, MONTHS, WEEKS, backups, keep, made_at, name_of, prune
from memory.core import Memory
from memory.errors import (
    BackupDamaged,
    BackupError,
    RestoreRefused,
    StoreCorrupt,
    VaultGone,
)
from memory.infra.file_locks import locked
from memory.summaries import Extract
from tests.fakes.telegram import TOKEN
from tests.support import dialogue
from tests.support.files import tree
from tests.support.homes import Home
from tests.support.locomo import sessions
from tests.support.memories import START, Clock, log_exchange, opened, settings, write
from tests.support.notifications import must_not_notify
from tests.support.world import mounted

ANY_TIME = st.datetimes(datetime(2020, 1, 1), datetime(2029, 12, 31)).map(  # noqa: DTZ001
    lambda at: at.replace(microsecond=0, tzinfo=UTC)
)


def source(folder: Path) -> create.ProfileFolders:
    return create.ProfileFolders("", folder / "vault", folder / "data")


async def backed_up(folder: Path, to: Path, clock: Clock | None = None) -> create.Made:
    """Back up the memory in `folder`."""
    return await create.make(
        to,
        [source(folder)],
        settings="TIMEZONE=UTC\n",
        sam="0",
        clock=clock or Clock(),
        lock=folder / "data/backup.lock",
    )


def places(folder: Path) -> dict[str, Path]:
    return {name: folder / name for name in ("vault", "data", "profiles")}


def put_back(file: Path, folder: Path) -> restore.Plan:
    plan = restore.plan(file, places(folder))
    restore.restore(plan, lambda: None)
    return plan


async def a_life(folder: Path, clock: Clock) -> None:
    """Create messages, summarised and pending, and notes of all kinds."""
    async with opened(folder, clock=clock) as memory:
        for number in range(6):
            await log_exchange(memory, f"The cat number {number} is called Miso.", "Noted.")
        await memory.summarise(Extract(), reason="test")
        await log_exchange(memory, "The router is in the cellar.", "Good to know.")
        await memory.end_session("terminal", clock())
    write(folder, "garden.md", "# Garden\n\nTomatoes.\n")
    write(folder, "sealed/will.md", "The will.\n")
    write(folder, ".obsidian/app.json", "{}")
    write(folder, ".trash/old.md", "gone")
    write(folder, "a/b/c/ünïcode 日本.md", "deep\n")
    (folder / "vault" / "photo.png").write_bytes(bytes(range(256)) * 40)
    (folder / "vault" / "empty").mkdir()
    (folder / "vault" / "link.md").symlink_to("/etc/passwd")


# ── there and back ───────────────────────────────────────────────────────────────────────────────


async def test_a_restore_brings_back_what_was_there(tmp_path: Path) -> None:
    clock = Clock()
    await a_life(tmp_path, clock)
    (tmp_path / "data" / "forgotten").write_text("the hash of what is not to come back\n")
    made = await backed_up(tmp_path, tmp_path / "out")
    assert stat.S_IMODE(made.path.stat().st_mode) == 0o600
    assert made.path.name == name_of(START)
    assert (made.manifest.left_out, made.manifest.links) == ([], ["vault/link.md"])
    assert list((tmp_path / "out").iterdir()) == [made.path], "nothing is left beside it"
    put_back(made.path, tmp_path / "new")
    before, after = tree(tmp_path / "vault"), tree(tmp_path / "new" / "vault")
    del before[".trash/old.md"], before["link.md"]
    assert after == before
    assert (tmp_path / "new" / "vault" / "empty").is_dir()
    assert set(tree(tmp_path / "new" / "data")) == {"log.db", "settings.env", "forgotten"}
    assert "not to come back" in (tmp_path / "new" / "data" / "forgotten").read_text()
    for path in (tmp_path / "new" / "data").rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["data", "vault"]


async def test_a_backup_made_with_the_clock_set_back_stays(tmp_path: Path) -> None:
    clock = Clock()
    await a_life(tmp_path, clock)
    out = tmp_path / "out"
    out.mkdir()
    for days in range(1, 400):
        (out / name_of(START + timedelta(days=days))).touch()
    made = await backed_up(tmp_path, out)
    assert made.path == out / name_of(START) and made.path.stat().st_size == made.size
    assert made.removed


async def test_everybodys_memory_is_in_it_and_nobodys_trouble_costs_the_owner_his(
    tmp_path: Path,
) -> None:
    """With a family's profiles: their folders are restored to their places."""
    clock = Clock()
    home = Home(tmp_path)
    for folder in (home.folder / "Sam", *((home.folder / "Sam" / "profiles" / n) for n in "ab")):
        await a_life(folder, clock)
    settings = home.settings(embedding_provider="none")
    made = await bots.back_up(settings, clock)
    assert made.manifest.rows["profiles/a/data/log.db"] == made.manifest.rows["data/log.db"]
    put_back(made.path, tmp_path / "new")
    for name in ("vault", "profiles/a/vault", "profiles/b/vault"):
        assert tree(tmp_path / "new" / name)["garden.md"] == b"# Garden\n\nTomatoes.\n"
    (home.folder / "Sam" / "profiles" / "a" / "vault").rename(tmp_path / "away")
    clock.forward(days=1)
    made = await bots.back_up(settings, clock)
    assert [line.split(":")[0] for line in made.manifest.left_out] == ["profiles/a/vault"]
    assert "profiles/b/vault/garden.md" in made.manifest.files
    assert made.manifest.rows["profiles/a/data/log.db"] == made.manifest.rows["data/log.db"]


@pytest.mark.parametrize("harm", ["lost", "damaged"])
async def test_without_its_log_a_profiles_vault_is_in_it_all_the_same(
    tmp_path: Path, harm: str
) -> None:
    home = Home(tmp_path)
    profiles = home.folder / "Sam" / "profiles"
    for folder in (home.folder / "Sam", profiles / "a", profiles / "b"):
        await a_life(folder, Clock())
    log = profiles / "a" / "data" / "log.db"
    for beside in log.parent.glob("log.db-*"):
        beside.unlink()
    if harm == "lost":
        log.unlink()
    else:
        log.write_bytes(log.read_bytes()[:8192] + b"x" * (log.stat().st_size - 8192))
    made = await bots.back_up(home.settings(embedding_provider="none"), Clock())
    assert [line.split(":")[0] for line in made.manifest.left_out] == ["profiles/a/data/log.db"]
    assert "profiles/a/data/log.db" not in made.manifest.files
    assert {"profiles/a/vault/garden.md", "profiles/b/data/log.db"} <= made.manifest.files.keys()
    put_back(made.path, tmp_path / "new")
    assert (tmp_path / "new" / "profiles" / "a" / "vault" / "garden.md").exists()


async def hits(memory: Memory, questions: list[str]) -> list[Any]:
    found = [(await memory.recall(question)).hits for question in questions]
    assert sum(map(len, found)) > len(questions)
    return [
        [(h.path, h.start_line, h.text, h.score, h.message_ids) for h in each] for each in found
    ]


async def test_a_restored_memory_answers_as_before_with_the_same_ledger(tmp_path: Path) -> None:
    """Fifty questions about a long conversation give the same hits, with the same scores."""
    told = dialogue.sample()
    questions = [each["question"] for each in told["qa"][:50]]
    assert len(questions) == 50
    clock = Clock()
    async with opened(tmp_path, clock=clock) as memory:
        for session in list(sessions(told["conversation"]))[:8]:
            for line in session:
                await log_exchange(memory, f"{line.speaker}: {line.text}", at=line.at)
                clock.now = line.at
        for turn in await memory.log.turns.open():
            await memory.log.messages.fail(turn.id, "a test")
        await memory.summarise(Extract(), reason="test")
        await memory.reconcile()
        before = await hits(memory, questions)
        ledger = await memory.log.ledger()
        made = await backed_up(tmp_path, tmp_path / "out")
    put_back(made.path, tmp_path / "new")
    async with opened(tmp_path / "new", clock=clock) as memory:
        await memory.catch_up()
        assert await memory.log.ledger() == ledger
        assert await hits(memory, questions) == before


async def test_a_backup_amid_talk_and_summaries_ends_well(tmp_path: Path) -> None:
    """Messages are logged and summarised all the time; a backup of any moment restores cleanly."""
    clock = Clock()
    made: list[create.Made] = []
    stop = asyncio.Event()

    async def talk(memory: Memory) -> None:
        number = 0
        while not stop.is_set():
            number += 1
            await log_exchange(memory, f"Remember that box {number} holds thing {number}.", "Yes.")
            clock.forward(seconds=1)

    async def summarise(memory: Memory) -> None:
        while not stop.is_set():
            try:
                await memory.summarise(Extract(), reason="test")
            except Exception as busy:
                assert "batch.lock" in str(busy), busy
            await asyncio.sleep(0.01)

    async with opened(tmp_path, clock=clock) as memory:
        working = [asyncio.create_task(talk(memory)), asyncio.create_task(summarise(memory))]
        for number in range(4):
            await asyncio.sleep(0.3)
            made.append(
                await backed_up(
                    tmp_path, tmp_path / f"out{number}", Clock(START + timedelta(number))
                )
            )
        stop.set()
        await asyncio.gather(*working)
    assert len({each.manifest.rows["data/log.db"]["message"] for each in made}) > 1
    for number, each in enumerate(made):
        new = tmp_path / f"new{number}"
        put_back(each.path, new)
        async with opened(new, clock=clock) as memory:
            await memory.catch_up()
            for turn in await memory.log.turns.open():
                await memory.log.messages.fail(turn.id, "a test")
            await memory.summarise(Extract(), reason="test")
            ledger = await memory.log.ledger()
            assert ledger.adds_up
            assert set(ledger.messages) == {"closed"}
            days = [p.read_text("utf-8") for p in (new / "vault" / "memories").glob("*.md")]
            for id_ in range(1, ledger.messages_total + 1):
                [message] = await memory.log.messages.by_ids([id_])
                if message.role == "user":
                    sections = sum(text.count(f"{message.text.rstrip('.')}") for text in days)
                    assert sections <= 2, f"{message.text} is summarised twice"  # line and Summary
            for path, text in ((p, p.read_text("utf-8")) for p in (new / "vault").rglob("20*.md")):
                assert "memories" in path.parts
                ids = [id_ for id_ in dayfile_ids(text)]
                assert len(ids) == len(set(ids))


def dayfile_ids(text: str) -> list[str]:
    return [line.rsplit("^", 1)[1] for line in text.splitlines() if "**Summary**" in line]


async def test_what_is_committed_is_in_the_backup_before_it_is_in_the_file(tmp_path: Path) -> None:
    """The commit is only in the WAL, which a plain copy of the file would miss; after it in the WAL
    is an unfinished transaction of another process."""
    log = tmp_path / "data" / "log.db"
    async with opened(tmp_path) as memory:
        for number in range(3):
            await log_exchange(memory, f"The swift number {number} nests in the barn.", "Noted.")
        assert b"swift" not in log.read_bytes(), "nothing was moved to the file yet"
        with closing(sqlite3.connect(log, isolation_level=None)) as other:
            other.execute("PRAGMA cache_size = 1")  # each write reaches the file at once
            committed = other.execute("SELECT id, text FROM message ORDER BY id").fetchall()
            size = log.with_name("log.db-wal").stat().st_size
            other.execute("BEGIN IMMEDIATE")
            other.execute("UPDATE message SET text = 'half-way' || hex(zeroblob(9000))")
            assert log.with_name("log.db-wal").stat().st_size > size, "it stands on the disk"
            made = await backed_up(tmp_path, tmp_path / "out")
            other.execute("ROLLBACK")
        ledger = await memory.log.ledger()
    assert made.manifest.rows["data/log.db"]["message"] == len(committed) == 6
    put_back(made.path, tmp_path / "new")
    with closing(sqlite3.connect(tmp_path / "new" / "data" / "log.db")) as copied:
        assert copied.execute("SELECT id, text FROM message ORDER BY id").fetchall() == committed
    async with opened(tmp_path / "new") as memory:
        assert await memory.log.ledger() == ledger and ledger.adds_up


async def test_a_note_that_moves_while_it_is_copied_is_in_the_backup_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await a_life(tmp_path, Clock())
    walk, vault = create._walk, tmp_path / "vault"
    rounds = 0

    def moving(*given: Any) -> Any:
        nonlocal rounds
        rounds += 1
        found = walk(*given)
        if rounds == 1:  # after the first check, before the one under the lock
            (vault / "garden.md").rename(vault / "archived.md")
            (vault / "soul.md").write_text("# Another soul\n")
            (vault / "photo.png").write_bytes(b"short")
        return found

    monkeypatch.setattr(create, "_walk", moving)
    made = await backed_up(tmp_path, tmp_path / "out")
    put_back(made.path, tmp_path / "new")
    after = tree(tmp_path / "new" / "vault")
    assert "garden.md" not in after and after["archived.md"] == b"# Garden\n\nTomatoes.\n"
    assert after["soul.md"] == b"# Another soul\n" and after["photo.png"] == b"short"


async def test_no_summary_begins_between_log_and_vault(tmp_path: Path) -> None:
    """Otherwise its messages would be pending in the log and summarised in the vault."""
    await a_life(tmp_path, Clock())
    async with locked(tmp_path / "data" / "batch.lock"):
        making = asyncio.create_task(backed_up(tmp_path, tmp_path / "out"))
        await asyncio.sleep(0.3)
        assert not making.done()
    assert (await making).path.exists()


async def test_what_the_copied_inbox_has_as_done_is_in_the_copied_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the other order, a message logged between the two copies would be in neither."""
    await a_life(tmp_path, Clock())
    inbox = await Inbox.open(tmp_path / "data" / "inbox.db", Clock())
    await inbox.updates.receive(1, "terminal", "{}")
    real, loop, copied = create.copy, asyncio.get_running_loop(), []

    async def meanwhile() -> None:
        async with opened(tmp_path) as memory:
            await log_exchange(memory, "In between.", "Yes.")
        await inbox.updates.done(1)

    def copy(source: Path, target: Path) -> None:
        real(source, target)
        copied.append(source.name)
        if len(copied) == 1:
            asyncio.run_coroutine_threadsafe(meanwhile(), loop).result(60)

    monkeypatch.setattr(create, "copy", copy)
    made = await backed_up(tmp_path, tmp_path / "out")
    await inbox.close()
    put_back(made.path, tmp_path / "new")
    found = []
    for name, question in (
        ("inbox.db", "SELECT state FROM incoming"),
        ("log.db", "SELECT text FROM message WHERE text = 'In between.'"),
    ):
        with closing(sqlite3.connect(tmp_path / "new" / "data" / name)) as db:
            found += [row[0] for row in db.execute(question)]
    assert found == ["received", "In between."], "it is handled again, and logged once by its key"


async def test_what_was_forgotten_is_not_in_the_copied_log(tmp_path: Path) -> None:
    from memory.maintenance import forget_session

    async with opened(tmp_path) as memory:
        await log_exchange(memory, "The canary is called Tweety-7261.", "Yes.")
        [told] = await forget_session.sessions(memory)
        await forget_session.forget(memory, told.session.id)
        made = await backed_up(tmp_path, tmp_path / "out")
    assert b"Tweety" not in gzip.decompress(made.path.read_bytes())


# ── a file that is not what it should be ─────────────────────────────────────────────────────────


async def test_a_damaged_or_cut_backup_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    await a_life(tmp_path, Clock())
    made = await backed_up(tmp_path, tmp_path / "out")
    whole, draw = made.path.read_bytes(), random.Random(7)
    bad = tmp_path / "bad.tar.gz"
    refused = 0
    for at in [0, 5, 20, *(draw.randrange(len(whole)) for _ in range(25)), len(whole) - 5]:
        for data in (
            whole[:at],
            whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1 :],
        ):
            bad.write_bytes(data)
            try:
                plan = restore.plan(bad, places(tmp_path / "new"))
            except BackupDamaged as said:
                refused += 1
                assert "bad.tar.gz" in str(said)
            else:  # a bit without meaning (gzip's time, its padding)
                assert plan.manifest == made.manifest
            assert not (tmp_path / "new").exists()
    assert refused > 50
    bad.write_text("no backup at all")
    with pytest.raises(BackupDamaged, match="not a complete backup"):
        restore.plan(bad, places(tmp_path / "new"))


def tar_of(path: Path, *added: tuple[tarfile.TarInfo, bytes], manifest: Any = None) -> Path:
    with tarfile.open(path, "w:gz") as tar:
        for info, data in added:
            info.size = len(data) if info.isreg() else 0
            tar.addfile(info, io.BytesIO(data))
        info = tarfile.TarInfo("manifest.json")
        text = json.dumps(
            manifest
            or {
                "format": 1,
                "sam": "",
                "made_at": "",
                "files": {},
                "rows": {},
                "left_out": [],
                "links": [],
            }
        ).encode()
        info.size = len(text)
        tar.addfile(info, io.BytesIO(text))
    return path


def member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, link
    return info


@pytest.mark.parametrize(
    "info",
    [
        member("vault/../../escaped.md"),
        member("../escaped.md"),
        member("/tmp/escaped.md"),
        member("vault//x/../../../escaped.md"),
        member("elsewhere/x.md"),
        member("vault"),
        member("vault/l", tarfile.SYMTYPE, "/etc"),
        member("vault/l", tarfile.LNKTYPE, "/etc/passwd"),
        member("vault/fifo", tarfile.FIFOTYPE),
        member("vault/null", tarfile.CHRTYPE),
        member("vault/..", tarfile.DIRTYPE),
    ],
    ids=lambda info: f"{info.name} {info.type!r}",
)
def test_a_member_that_would_not_stay_in_its_place_is_refused(
    tmp_path: Path, info: tarfile.TarInfo
) -> None:
    hostile = tar_of(tmp_path / "x.tar.gz", (info, b"data"))
    with pytest.raises(BackupDamaged, match="no backup of Sam's"):
        restore.plan(hostile, places(tmp_path / "new"))
    assert [path.name for path in tmp_path.iterdir()] == ["x.tar.gz"]


def test_a_backup_of_a_newer_sam_is_said(tmp_path: Path) -> None:
    newer = tar_of(tmp_path / "x.tar.gz", manifest={"format": 99})
    with pytest.raises(BackupDamaged, match="newer Sam"):
        restore.plan(newer, places(tmp_path / "new"))


async def test_a_whole_file_whose_parts_do_not_agree_is_refused(tmp_path: Path) -> None:
    """Somebody has repacked the archive, so gzip's own checksum is correct."""
    await a_life(tmp_path, Clock())
    made = await backed_up(tmp_path, tmp_path / "out")
    for name, data in (("vault/garden.md", b"# Garten\n\nTomatoes.\n"), ("vault/garden.md", None)):
        repacked(made.path, tmp_path / "bad.tar.gz", name, data)
        with pytest.raises(BackupDamaged, match="is not what it was"):
            restore.plan(tmp_path / "bad.tar.gz", places(tmp_path / "new"))
    repacked(made.path, tmp_path / "bad.tar.gz", archive.MANIFEST, None)
    with pytest.raises(BackupDamaged, match="not a complete backup"):
        restore.plan(tmp_path / "bad.tar.gz", places(tmp_path / "new"))


def repacked(source: Path, target: Path, name: str, data: bytes | None) -> None:
    """Copy the archive with other content under that name, or without the file."""
    with tarfile.open(source) as old, tarfile.open(target, "w:gz") as new:
        for info in old:
            stream = old.extractfile(info)
            kept = stream.read() if stream is not None else b""
            if info.name == name:
                if data is None:
                    continue
                kept, info.size = data, len(data)
            new.addfile(info, io.BytesIO(kept))


async def test_what_came_there_after_the_look_is_not_overwritten(tmp_path: Path) -> None:
    await a_life(tmp_path, Clock())
    made = await backed_up(tmp_path, tmp_path / "out")
    found = restore.plan(made.path, places(tmp_path / "new"))
    note = tmp_path / "new" / "vault" / "garden.md"
    note.parent.mkdir(parents=True)
    note.write_text("mine")
    with pytest.raises(RestoreRefused, match="came there meanwhile"):
        restore.restore(found, lambda: None)
    assert note.read_text() == "mine"


async def test_a_backup_that_lacks_rows_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is verified as it was written."""
    await a_life(tmp_path, Clock())
    copy = create.copy

    def less(origin: Path, target: Path) -> None:
        copy(origin, target)
        monkeypatch.setattr(create, "contents", lambda path: {"message": 10_000})

    monkeypatch.setattr(create, "copy", less)
    with pytest.raises(BackupDamaged, match="rows are missing"):
        await backed_up(tmp_path, tmp_path / "out")
    assert list((tmp_path / "out").iterdir()) == []


async def test_a_damaged_log_makes_no_backup_and_costs_none(tmp_path: Path) -> None:
    await a_life(tmp_path, Clock())
    made = await backed_up(tmp_path, tmp_path / "out")
    for path in (tmp_path / "data").glob("log.db*"):
        path.write_bytes(b"not a database at all" * 1000)
    with pytest.raises(StoreCorrupt):
        await backed_up(tmp_path, tmp_path / "out", Clock(START + timedelta(days=90)))
    assert list((tmp_path / "out").iterdir()) == [made.path]


async def test_a_vault_that_is_gone_makes_no_backup(tmp_path: Path) -> None:
    await a_life(tmp_path, Clock())
    (tmp_path / "vault").rename(tmp_path / "away")
    (tmp_path / "vault").mkdir()
    with pytest.raises(VaultGone):
        await backed_up(tmp_path, tmp_path / "out")


async def test_a_full_disk_makes_no_backup_and_costs_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await a_life(tmp_path, Clock())
    made = await backed_up(tmp_path, tmp_path / "out")

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(archive.Writer, "finish", full)
    with pytest.raises(BackupError, match="No space left"):
        await backed_up(tmp_path, tmp_path / "out", Clock(START + timedelta(days=90)))
    assert list((tmp_path / "out").iterdir()) == [made.path]


async def test_what_a_killed_backup_left_is_swept_by_the_next(tmp_path: Path) -> None:
    await a_life(tmp_path, Clock())
    left = tmp_path / "out" / ".sam-0123456789ab"
    left.mkdir(parents=True)
    (left / "backup").write_bytes(b"half")
    (tmp_path / "out" / "mine.txt").write_text("not Sam's")
    made = await backed_up(tmp_path, tmp_path / "out")
    assert sorted((tmp_path / "out").iterdir()) == sorted(
        [made.path, tmp_path / "out" / "mine.txt"]
    )


# ── into empty places only, and whole ────────────────────────────────────────────────────────────


async def test_a_used_place_is_refused_with_what_to_do(tmp_path: Path) -> None:
    await a_life(tmp_path, Clock())
    made = await backed_up(tmp_path, tmp_path / "data" / "backups")
    before = tree(tmp_path)
    data, vault = tmp_path / "data", tmp_path / "vault"
    moves = f"(mv {data} {data}.old && mv {vault} {vault}.old; backups in the data folder go along)"
    with pytest.raises(RestoreRefused, match=r"is in use .*Move them away first") as both:
        restore.check_targets(restore.plan(made.path, places(tmp_path)))
    assert moves in str(both.value)
    new = tmp_path / "new"
    (new / "vault").mkdir(parents=True)
    (new / "vault" / "mine.md").write_text("mine")
    with pytest.raises(RestoreRefused, match=r"mine\.md.* Move it away first .*vault\.old\)"):
        restore.check_targets(restore.plan(made.path, places(new)))
    (new / "vault" / "mine.md").unlink()
    (new / "data" / "backups").mkdir(parents=True)
    (new / "data" / "run.lock").touch()
    put_back(made.path, new)
    assert {
        name: data for name, data in tree(tmp_path).items() if not name.startswith("new")
    } == before


@pytest.mark.parametrize("after", [0, 1, 5, 8])
async def test_a_restore_that_is_killed_leaves_nothing_half(
    tmp_path: Path, after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sam refuses to start on it, and repeating the restore completes it."""
    await a_life(tmp_path, Clock())
    made = await backed_up(tmp_path, tmp_path / "out")
    (tmp_path / "out2").mkdir()
    other = await backed_up(tmp_path, tmp_path / "out2")
    write(tmp_path, "one more.md", "x")
    later = await backed_up(tmp_path, tmp_path / "out2", Clock(START + timedelta(days=1)))
    new, left = tmp_path / "new", after
    move = restore._move_in

    def killed(*given: Any) -> None:
        nonlocal left
        if left == 0:
            raise KeyboardInterrupt
        left -= 1
        move(*given)

    monkeypatch.setattr(restore, "_move_in", killed)
    with pytest.raises(KeyboardInterrupt):
        put_back(made.path, new)
    monkeypatch.setattr(restore, "_move_in", move)
    with pytest.raises(VaultGone, match="interrupted"):
        async with Memory.open(settings(new)):
            pass
    with pytest.raises(RestoreRefused, match="interrupted"):
        restore.check_targets(restore.plan(later.path, places(new)))
    put_back(other.path, new)  # a different file with the same content is accepted
    put_back(made.path, tmp_path / "straight")
    assert tree(new) == tree(tmp_path / "straight")
    async with opened(new) as memory:
        assert (await memory.log.ledger()).adds_up


async def test_a_disk_without_room_for_it_is_refused_before_anything_is_written(
    tmp_path: Path,
) -> None:
    await a_life(tmp_path / "old", Clock())
    made = await backed_up(tmp_path / "old", tmp_path / "out")
    new = tmp_path / "new"
    with mounted(new / "vault", "-t", "tmpfs", "-o", "size=64k", "tmpfs"):
        with pytest.raises(RestoreRefused, match=r"vault has too little room: .* MB are free"):
            restore.check_targets(restore.plan(made.path, places(new)))
        assert tree(new) == {}
    assert put_back(made.path, new).files


async def test_the_log_alone_comes_back_beside_todays_vault(tmp_path: Path) -> None:
    await a_life(tmp_path, Clock())
    made = await backed_up(tmp_path, tmp_path / "out")
    write(tmp_path, "today.md", "New.\n")
    with pytest.raises(RestoreRefused, match=r"log\.db") as refused:
        restore.check_targets(restore.plan(made.path, places(tmp_path), log_alone=True))
    assert "backups in it" not in str(refused.value), "a file holds none"
    for path in (tmp_path / "data").glob("log.db*"):
        path.unlink()
    vault = tree(tmp_path / "vault")
    plan = restore.plan(made.path, places(tmp_path), log_alone=True)
    restore.restore(plan, lambda: None)
    assert tree(tmp_path / "vault") == vault
    async with opened(tmp_path) as memory:
        assert (await memory.log.ledger()).messages_total == 14


async def test_beside_a_log_of_last_night_todays_summaries_stand_and_are_not_doubled(
    tmp_path: Path,
) -> None:
    clock = Clock()
    async with opened(tmp_path, clock=clock) as memory:
        await log_exchange(memory, "The boat is called Tern.", "A good name.")
        await memory.summarise(Extract(), reason="test")
        for number in range(3):
            clock.forward(minutes=1)
            await log_exchange(memory, f"Bus {number} goes to the harbour.", "I see.")
        await memory.vault.edit(  # a note of that day with its own id covers nothing
            memory.day_path(memory.today()),
            lambda text: text + "\n## 23:59:59\n\n- A note of mine ^abc123\n",
            cause="test",
        )
        made = await backed_up(tmp_path, tmp_path / "out")
        await memory.summarise(Extract(), reason="test")
        clock.forward(minutes=10)
        await log_exchange(memory, "Said after it all, and lost with the log.", "Yes.")
    for path in (tmp_path / "data").glob("log.db*"):
        path.unlink()
    plan = restore.plan(made.path, places(tmp_path), log_alone=True)
    restore.restore(plan, lambda: None)
    async with opened(tmp_path, clock=clock) as memory:
        clock.forward(minutes=10)
        await log_exchange(memory, "The bakery opens at seven.", "Early.")
        assert await exclude_summarised(memory) == 6
        assert await exclude_summarised(memory) == 0
        await memory.summarise(Extract(), reason="test")
        text = await memory.vault.read(memory.day_path(memory.today()))
        ledger = await memory.log.ledger()
    bullets = [line for line in text.splitlines() if line.startswith("- ") and "**" not in line]
    assert sorted(bullets) == sorted({*bullets}) and sum("Bus" in line for line in bullets) == 3
    assert sum("bakery" in line for line in bullets) == 1, "what came after is summarised"
    assert ledger.adds_up and ledger.messages == {"closed": 4, "excluded": 6}


async def test_what_was_pending_beside_a_section_that_the_log_knows_stays_pending(
    tmp_path: Path,
) -> None:
    """Sent before the section's last message, but logged after the batch was claimed."""
    clock = Clock()
    async with opened(tmp_path, clock=clock) as memory:
        await log_exchange(memory, "The boat is called Tern.", "A good name.")
        await memory.summarise(Extract(), reason="test")
        clock.forward(minutes=-5)
        await log_exchange(memory, "The bakery opens at seven.", "Early.")
        made = await backed_up(tmp_path, tmp_path / "out")
    for path in (tmp_path / "data").glob("log.db*"):
        path.unlink()
    plan = restore.plan(made.path, places(tmp_path), log_alone=True)
    restore.restore(plan, lambda: None)
    async with opened(tmp_path, clock=clock) as memory:
        assert await exclude_summarised(memory) == 0
        clock.forward(minutes=10)
        await memory.summarise(Extract(), reason="test")
        assert "bakery" in await memory.vault.read(memory.day_path(memory.today()))
        assert (await memory.log.ledger()).messages == {"closed": 4}


# ── which are kept ───────────────────────────────────────────────────────────────────────────────


@given(st.sets(ANY_TIME, max_size=60))
def test_the_newest_is_kept_and_not_too_many(dates: set[datetime]) -> None:
    kept = keep(dates)
    assert kept <= dates
    old = [at for at in kept if max(dates) - at >= timedelta(days=1)]
    assert len(old) <= DAYS + WEEKS + MONTHS
    assert not dates or max(dates) in kept
    assert keep(kept) == kept, "what was kept once is not let go by looking again"


def test_a_year_of_nights_leaves_seven_days_four_weeks_and_twelve_months() -> None:
    nights = [datetime(2025, 11, 22, 4, 40, tzinfo=UTC) + timedelta(days=n) for n in range(366)]
    kept: set[datetime] = set()
    for night in nights:  # as the job does: make one more, then delete the surplus
        kept = keep(kept | {night})
    newest = nights[-1]
    assert {newest - timedelta(days=n) for n in range(7)} <= kept
    assert len({at.isocalendar()[:2] for at in kept if newest - at < timedelta(weeks=4)}) >= 4
    assert len({(at.year, at.month) for at in kept}) == 12
    assert len(kept) <= 7 + 4 + 12


def test_only_files_of_its_own_name_are_deleted(tmp_path: Path) -> None:
    for day in range(1, 29):
        (tmp_path / name_of(datetime(2026, 1, day, tzinfo=UTC))).touch()
    mine = ["sam.tar.gz", "sam-2020-01-01.tar.gz", "sam-2020-13-45T000000Z.tar.gz", "x.md"]
    mine += ["sam-2026-01-02T000001Z.tar.gz.bak"]
    for name in mine:
        (tmp_path / name).touch()
    gone = prune(tmp_path)
    assert gone and all(made_at(path.name) for path in gone)
    left = {path.name for path in tmp_path.iterdir()}
    assert set(mine) <= left
    assert max(backups(tmp_path)) == datetime(2026, 1, 28, tzinfo=UTC)


# ── as a command, a job and a line of the status ─────────────────────────────────────────────────


def test_the_commands_make_list_tell_and_restore(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = Home(tmp_path / "home", TELEGRAM_BOT_TOKEN=TOKEN, ANTHROPIC_API_KEY="sk-ant-canary-1")
    nothing = home.sam("backup")
    assert nothing.returncode == 1 and "nothing to back up" in nothing.stderr
    home.sam("chat", stdin="my cat is called Miso\n/quit\n", env={"ANTHROPIC_API_KEY": ""})
    inside = home.sam("backup", str(home.vault / "backups"))
    assert inside.returncode == 1 and "is in the vault" in inside.stderr
    disk = home.folder / "media" / "disk"
    absent = home.sam("backup", str(disk))
    assert absent.returncode == 1 and "mount its disk" in absent.stderr, absent.stderr
    assert not disk.parent.exists()
    assert home.sam("backup", "--create", str(disk)).returncode == 0
    assert home.sam("backup", str(disk)).returncode == 0 and len(list(disk.iterdir())) >= 1
    for words, told in (((), "is a file, or below one. Give a folder"), (("--list",), "give the")):
        for wrong in (home.folder / "a.txt", home.folder / "a.txt" / "b"):
            (home.folder / "a.txt").write_text("mine")
            done = home.sam("backup", *words, str(wrong))
            assert done.returncode == 1 and f"{wrong} " in done.stderr and told in done.stderr
            assert len(done.stderr.splitlines()) == 1, done.stderr
    assert (home.folder / "a.txt").read_text() == "mine"
    done = home.sam("backup", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    file = Path(told["file"])
    assert file.parent == home.data / "backups"
    assert told["bytes"] == file.stat().st_size
    assert told["rows"]["data/log.db"]["message"] == 2
    listed = json.loads(home.sam("backup", "--list", "--json").stdout)
    assert [each["file"] for each in listed] == [str(file)]
    assert file.name in home.sam("backup", "--list").stdout
    unpacked = gzip.decompress(file.read_bytes())
    assert TOKEN.encode() not in unpacked and b"sk-ant-canary-1" not in unpacked
    new = tmp_path / "new"

    def here(*words: str) -> tuple[int, str, str]:
        code = main.main(["restore", *words])
        return code, *capsys.readouterr()

    code, said, _ = here(str(file), "--to", str(new), "--dry-run")
    assert code == 0 and "2 messages" in said and not new.exists()
    code, _, wrong = here(str(file), "--to", str(new))
    assert code == 1 and "--yes" in wrong and not (new / "vault").exists()
    used = (str(file), "--to", str(home.vault.parent))
    code, _, wrong = here(*used, "--yes")
    assert code == 1 and "is in use" in wrong
    code, said, wrong = here(*used, "--dry-run")  # verifies a backup while Sam is in use
    assert code == 0 and "it is complete" in said and "is in use" in wrong
    code, _, wrong = here("nothing.tar.gz", "--to", str(new))
    assert code == 1 and "There is no" in wrong
    code, _, wrong = here(str(file.parent), "--to", str(new))
    assert code == 1 and "is a folder: name a backup in it" in wrong
    code, said, _ = here(str(file), "--to", str(new), "--yes", "--json")
    assert code == 0 and json.loads(said)["restored"] is True
    there = {"VAULT_DIR": str(new / "vault"), "DATA_DIR": str(new / "data")}
    assert "Miso" in home.sam("search", "cat", env=there).stdout


def test_the_settings_of_a_backup_are_the_settings_without_secrets(tmp_path: Path) -> None:
    home = Home(tmp_path)
    settings = home.settings(
        telegram_bot_token=TOKEN,
        voyage_api_key="pa-canary",
        telegram_allowed_users="12,34:ana",
        anthropic_base_url="https://me:canary@llm.example.org/",
        rclone_remote=":webdav,pass=canary:Sam",
        index_exclude="a/*, b #1",
        models="one@http://localhost:11434, two@http://localhost:11434",
        fts_enabled=False,
        embedding_provider="local",
        backup_dir=str(tmp_path / "b"),
    )
    text = "".join(settings_lines(settings))
    assert "canary" not in text and TOKEN not in text
    for name in ("TELEGRAM_BOT_TOKEN", "VOYAGE_API_KEY", "RCLONE_REMOTE"):
        assert f"#{name}=\n" in text
    env = tmp_path / "settings.env"
    env.write_text(text)
    read = Settings(_env_file=env)  # type: ignore[call-arg]
    secret = {"telegram_bot_token", "voyage_api_key", "rclone_remote", "anthropic_base_url"}
    assert read.model_dump(exclude=secret) == settings.model_dump(exclude=secret)
    assert read.anthropic_base_url == "https://llm.example.org/"


def test_backups_may_not_lie_in_the_vault(tmp_path: Path) -> None:
    home = Home(tmp_path)
    done = home.sam("backup", env={"BACKUP_DIR": str(home.vault / "x")})
    assert done.returncode == 2 and "BACKUP_DIR" in done.stderr


async def test_an_old_backup_is_reported_and_a_new_sam_needs_none(tmp_path: Path) -> None:
    from contextlib import AsyncExitStack

    from bot.assistant import Assistant
    from bot.assistant.jobs import JOBS
    from bot.assistant.status import status_lines

    [job] = [job for job in JOBS if job.name == "backup"]
    clock = Clock()
    async with AsyncExitStack() as stack:
        profile = await Assistant.open(Home(tmp_path).settings(), stack, poke=no_jobs, clock=clock)
        assert not await job.due(profile), "nothing was said yet"
        await log_exchange(profile.memory, "hello", "hello")
        assert not await job.due(profile)
        assert await bots.backup_problem(profile.settings, profile.memory) == ""
        clock.forward(days=3)
        assert await job.due(profile)
        assert any(line.startswith("! there is no backup") for line in await status_lines(profile))
        await job.run(profile, must_not_notify)
        assert not await job.due(profile)
        wrong = clock.now + timedelta(days=900)  # by a clock that was wrong
        (profile.settings.backups / name_of(wrong)).touch()
        assert not await job.due(profile)
        assert f"backup: {clock.now:%Y-%m-%d %H:%M} UTC" in await status_lines(profile)
        clock.forward(days=1)
        assert await job.due(profile)
        assert await bots.backup_problem(profile.settings, profile.memory) == ""
        clock.forward(days=2)
        assert any(
            line.startswith("! the last backup is from") for line in await status_lines(profile)
        )


@pytest.mark.parametrize("who", ["another program", "another person"])
async def test_a_backup_is_due_though_the_owner_never_wrote(tmp_path: Path, who: str) -> None:
    from contextlib import AsyncExitStack

    from bot.assistant import Assistant

    given = Home(tmp_path).settings()
    async with AsyncExitStack() as stack:
        profile = await Assistant.open(given, stack, poke=no_jobs, clock=Clock())
        assert not await bots.is_due(profile)
        if who == "another program":
            await MemoryTools(profile.memory, client="claude-code").save_memory("The gate is red.")
        else:
            async with Memory.open(given, clock=Clock(), profile="bob"):
                pass
        assert await bots.is_due(profile)
        await bots.nightly(profile, must_not_notify)
        assert not await bots.is_due(profile)


def test_doctor_says_once_how_old_the_last_backup_is(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.sam("chat", stdin="hello\n/quit\n")
    home.sam("profile", "add", "bob")
    old = home.data / "backups" / name_of(datetime(2026, 1, 1, tzinfo=UTC))
    old.parent.mkdir(mode=0o700)
    old.touch(mode=0o600)
    found = json.loads(home.sam("doctor", "--json").stdout)
    [problem] = [each for each in found["problems"] if each["id"] == "backup"]
    assert problem["severity"] == "degraded" and "2026-01-01" in problem["what"]
    assert "sam backup" in problem["fix"]
