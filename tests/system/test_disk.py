"""Disk failures under a real Sam: full, read-only, unmounted, failing fsync. Nothing is lost."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.fakes.embeddings import FakeEmbeddings
from tests.support.files import tree
from tests.support.homes import Home
from tests.support.process import ROOT, wait_until
from tests.support.world import World, command, full, mounted, unmount


def test_a_full_data_folder_acknowledges_nothing_and_goes_on_when_there_is_room(
    tmp_path: Path,
) -> None:
    """Updates that cannot be stored stay with Telegram."""
    with (
        mounted(tmp_path / "data", "-t", "tmpfs", "-o", "size=6m", "tmpfs"),
        World.running(tmp_path) as world,
    ):
        world.sam.start()
        world.asks("one before")
        notes = world.notes()
        with full(world.data):
            world.sends("two meanwhile", "three meanwhile", "four meanwhile")
            wait_until(lambda: world.logs("cannot be stored"), "a word on what is wrong")
            assert world.telegram.pending
            said = world.sam.run("doctor", check=False)
            assert "free up space" in said, said
        world.see_answered("two meanwhile", "three meanwhile", "four meanwhile")
        assert world.notes() == notes
        world.check()


def test_a_start_on_a_full_disk_ends_in_a_sentence(tmp_path: Path) -> None:
    with (
        mounted(tmp_path / "data", "-t", "tmpfs", "-o", "size=6m", "tmpfs"),
        World.running(tmp_path) as world,
    ):
        with full(world.data):
            done = command(world, "run")
            assert done.returncode == 1 and "Traceback" not in done.stderr, done.stderr
            assert "the disk is full: free up space" in done.stderr, done.stderr
            link = command(world, "web", "--link")
            said = "sam: a file cannot be written (No space left on device): free up space\n"
            assert (link.returncode, link.stdout, link.stderr) == (1, "", said)
        world.sam.start()
        world.asks("with room again")


def test_a_look_at_a_read_only_data_folder_ends_in_a_sentence(tmp_path: Path) -> None:
    with mounted(tmp_path / "Sam" / "data", "-t", "tmpfs", "tmpfs"):
        home = Home(tmp_path)
        with home.start("chat") as chat:  # killed: its database is left open
            assert chat.stdin is not None
            chat.stdin.write("The canoe is red.\n")
            chat.stdin.flush()
            wait_until((home.data / "log.db-wal").exists, "the log")
            chat.kill()
        remount(home.data, "ro")
        done = home.sam("privacy")
        told = f"sam: {home.data}/log.db cannot be written (Read-only file system): make its disk"
        assert (done.returncode, done.stderr) == (1, f"{told} writable\n")


def said_in(log: Path) -> list[str]:
    with closing(sqlite3.connect(log)) as db:
        return [text for (text,) in db.execute("SELECT text FROM message")]


def test_a_chat_on_a_full_disk_says_so_and_prints_nothing_else(tmp_path: Path) -> None:
    with mounted(tmp_path / "Sam" / "data", "-t", "tmpfs", "-o", "size=6m", "tmpfs"):
        home = Home(tmp_path)
        assert home.sam("chat", stdin="The tent is at Eva's.\n/quit\n").returncode == 0
        chat = home.start("chat")
        assert chat.stdin is not None
        chat.stdin.write("The canoe is red.\n")
        chat.stdin.flush()
        wait_until(
            lambda: "The canoe is red." in said_in(home.data / "log.db"), "its first message"
        )
        with full(home.data):
            rows = [f"Kite {n} is blue. {'It flies. ' * 150}" for n in range(12)]
            said, wrong = chat.communicate("\n".join([*rows, "/status", "/quit", ""]), timeout=60)
        assert "disk is full): free some space" in said + wrong
        assert "Traceback" not in said + wrong and "Logging error" not in said + wrong
        assert "I am well" not in said and "free up space, because" in said
        assert len((said + wrong).splitlines()) < 80, said + wrong


def test_a_full_vault_is_said_and_written_when_there_is_room(tmp_path: Path) -> None:
    with (
        mounted(tmp_path / "vault", "-t", "tmpfs", "-o", "size=1m", "tmpfs"),
        World.running(tmp_path) as world,
    ):
        world.sam.start()
        world.asks("one", "two", "three")
        notes = world.notes()
        with full(world.vault):
            for _ in range(2):
                done = command(world, "summarize")
                assert done.returncode == 1 and "the disk is full: free up space" in done.stderr
                assert len(done.stderr.splitlines()) == 1
            world.asks("four, with a full disk")
            assert not world.bullets()
        assert world.notes() == notes
        world.check()


def test_a_read_only_vault_is_said_and_written_when_it_is_one_no_more(tmp_path: Path) -> None:
    world_folder, real = tmp_path / "w", tmp_path / "real"
    real.mkdir()
    with mounted(world_folder / "vault", "--bind", str(real)), World.running(world_folder) as world:
        world.sam.start()
        world.asks("one", "two", "three")
        notes = world.notes()
        remount(world.vault, "ro")
        done = command(world, "summarize")
        assert done.returncode == 1 and "Read-only file system" in done.stderr, done.stderr
        world.asks("four, with a vault that cannot be written")
        report = world.sam.json("doctor")
        assert [p["id"] for p in report["problems"] if p["severity"] == "fatal"] == ["vault"]
        remount(world.vault, "rw")
        assert world.notes() == notes and not world.bullets()
        world.check()


def test_a_vault_that_is_unmounted_and_comes_back_costs_nothing(tmp_path: Path) -> None:
    """Sync refuses and reports it; no passage is deleted or re-embedded, no remote file deleted."""
    folder, real, remote = tmp_path / "w", tmp_path / "real", tmp_path / "remote"
    real.mkdir()
    remote.mkdir()
    with (
        FakeEmbeddings.running() as embeddings,
        mounted(folder / "vault", "--bind", str(real)),
        World.running(
            folder,
            EMBEDDING_PROVIDER="openai",
            EMBEDDING_API_KEY="sk-test",
            EMBEDDING_BASE_URL=embeddings.url,
            RCLONE_REMOTE=str(remote),
        ) as world,
    ):
        for number in range(5):
            world.write(f"garden/{number}.md", f"# Bed {number}\n\nThe quince stands here.\n")
        world.sam.start()
        world.asks("one", "two")
        world.summarises()
        at_rest(world)
        notes, there, bullets = world.notes(), tree(remote), world.bullets()
        before, passages = embeddings_made(embeddings), count_of(world, "chunk")

        unmount(world.vault)
        assert not any(world.vault.iterdir())
        world.sends("three, to a Sam without a vault")
        wait_until(
            lambda: any("mount or restore it" in s.text for s in world.telegram.sent), "it is told"
        )
        for words in (("summarize",), ("sync",), ("search", "quince"), ("index",)):
            done = command(world, *words)
            assert done.returncode == 2 and "is missing or empty" in done.stderr, words
        assert world.sam.stop(120) == 0
        world.sam.start()
        assert world.sam.process is not None and world.sam.process.wait(60) == 2
        assert not any(world.vault.iterdir())
        assert count_of(world, "chunk") == passages and tree(remote) == there
        assert embeddings_made(embeddings) == before, "no question goes out for a turn that fails"

        subprocess.run(["mount", "--bind", str(real), str(world.vault)], check=True)
        world.sam.start()
        at_rest(world)
        assert world.notes() == notes and world.bullets() >= bullets
        assert tree(remote).keys() == there.keys()
        new = embeddings_made(embeddings)[len(before) :]
        assert new and all("three" in text or "quince" not in text for text in new), new
        world.sam.env |= {"EMBEDDING_PROVIDER": "none", "RCLONE_REMOTE": ""}
        world.check(failed=1)


@pytest.mark.parametrize("has_index", [True, False])
def test_a_disk_that_does_not_sync_is_said_and_loses_nothing(
    tmp_path: Path, has_index: bool
) -> None:
    with World.running(tmp_path) as world:
        world.sam.start()
        world.asks("one", "two")
        assert world.sam.stop(120) == 0
        notes = world.notes()
        if not has_index:
            shutil.rmtree(world.data / "index")
        code = (
            "import errno, runpy, sys\n"
            "from tests.fakes.syscalls import refuse\n"
            "refuse('fsync', errno.EIO)\n"
            "sys.argv[1:] = ['summarize']\n"
            "runpy.run_module('bot', run_name='__main__')\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env=world.sam.env,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 1 and len(done.stderr.splitlines()) == 1, done.stderr
        assert "check the disk" in done.stderr or "cannot be written" in done.stderr
        assert world.notes() == notes
        world.check()


def remount(place: Path, how: str) -> None:
    subprocess.run(["mount", "-o", f"remount,bind,{how}", str(place)], check=True)


def embeddings_made(embeddings: FakeEmbeddings) -> list[str]:
    return embeddings.texts


def count_of(world: World, table: str) -> int:
    current = (world.data / "index" / "current").read_text().strip()
    return int(world.rows(f"SELECT count(*) FROM {table}", store=f"index/{current}")[0])


def at_rest(world: World) -> None:
    def rests() -> bool:
        lags = world.sam.on_disk()["ledger"].get("lags")
        return bool(lags) and not any(lags.values())

    wait_until(rests, "nothing to do")
