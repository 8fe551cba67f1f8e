"""Sync with a remote: a real rclone, a second folder, and a real WebDAV server."""

from __future__ import annotations

import asyncio
import os
import random
import re
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.errors import RcloneMissing, RemoteFailed, SyncError, SyncUnasked
from bot.sync import SyncAction, SyncResult, push, rclone, rclone_problem
from bot.sync.remote import Remote, RemoteFile
from bot.sync.state import Known, State, SyncFolder
from memory.errors import VaultError, VaultGone
from memory.infra import atomic_files
from memory.vault import Vault, starter
from tests.fakes.webdav import upload, webdav
from tests.support.synced import NOW, Killed, World, killed, put, rclones, syncing, tree


@pytest.fixture(autouse=True)
def own_rclone_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    config = tmp_path / "rclone.conf"
    config.touch()
    monkeypatch.setenv("RCLONE_CONFIG", str(config))
    return config


@pytest.fixture
def found_anew() -> Iterator[None]:
    """Search the PATH for rclone again, for a test with another one."""
    rclone.find.cache_clear()
    yield
    rclone.find.cache_clear()


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def quiet(done: SyncResult) -> bool:
    return done == SyncResult()


# ── both ways ────────────────────────────────────────────────────────────────────────────────


async def test_the_first_sync_of_two_full_sides_keeps_all_of_both(world: World) -> None:
    world.here("mine.md", "mine\n")
    world.here("both.md", "the same\n")
    world.here("memories/2026-02-12.md", "# Memories — 2026-02-12\n\n## 10:00:00\n\n- Sam's\n")
    world.here("people.md", "Sam's text\n")
    world.there("theirs/deep.md", "theirs\n")
    world.there("both.md", "the same\n")
    world.there("memories/2026-02-12.md", "# Memories — 2026-02-12\n\n## 11:00:00\n\n- mine\n")
    world.there("people.md", "the owner's text\n")
    here, there = tree(world.vault.root), tree(world.far)
    for way in (world.sync.run, world.sync.pull, world.sync.push):
        with pytest.raises(SyncUnasked, match="both have files, and were never synced"):
            await way()
    plan = await world.sync.plan()
    assert plan == {
        "memories/2026-02-12.md": SyncAction.MERGE,
        "mine.md": SyncAction.PUSH,
        "people.md": SyncAction.MERGE,
        "theirs/deep.md": SyncAction.TAKE,
    }
    assert (tree(world.vault.root), tree(world.far)) == (here, there)
    done = await world.sync.run(agreed=True)
    both = world.same()
    assert (both["mine.md"], both["theirs/deep.md"]) == ("mine\n", "theirs\n")
    assert {"- Sam's", "- mine"} <= set(both["memories/2026-02-12.md"].splitlines())
    assert both["people.md"].startswith("the owner's text\n\n> [!warning]- Sync conflict")
    assert both["archive/people (sync conflict 2026-11-21 143000).md"] == "Sam's text\n"
    assert (done.conflicts, done.left, done.lag) == (["people.md"], [], 0)
    assert quiet(await world.sync.run())


async def test_an_upload_that_becomes_visible_late_reverts_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some remotes go on to serve their earlier state for a while."""
    await world.begun(a="one\ntwo\n")
    await world.sync.run()
    frozen = shutil.copytree(world.far, world.far.with_name("frozen"))

    def stale(read: Callable[..., Any]) -> Callable[..., Any]:
        async def call(self: Remote, *given: Any, **named: Any) -> Any:
            name, self._name = self._name, str(frozen)
            try:
                return await read(self, *given, **named)
            finally:
                self._name = name

        return call

    with monkeypatch.context() as late:
        for name in ("list", "fetch", "fetch_readable"):
            late.setattr(Remote, name, stale(getattr(Remote, name)))
        world.here("a.md", "one, which I have rewritten\ntwo\n")
        world.here("new.md", "my new note\n")
        for _ in range(3):
            await world.sync.run()
            assert tree(world.vault.root)["a.md"] == "one, which I have rewritten\ntwo\n"
            assert tree(world.vault.root)["new.md"] == "my new note\n"
    await world.sync.run()
    assert world.same()["new.md"] == "my new note\n"


async def test_a_remote_that_does_not_exist_yet_is_made(world: World) -> None:
    await world.begun(note="one\n")
    assert world.same() == {"home.md": "home\n", "note.md": "one\n"}


async def test_a_new_machine_begins_with_the_remotes_vault(world: World) -> None:
    world.there("note.md", "one\n")
    await world.sync.pull()
    assert world.same() == {"note.md": "one\n"}
    assert world.vault.root.stat().st_mode & 0o777 == 0o700


async def test_a_large_vault_is_fetched_in_parts(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each has its own time: all of it may take longer than one transfer may."""
    monkeypatch.setattr("bot.sync.remote._BATCH", 2)
    parts = []
    run = rclone.Rclone.run

    async def counted(self: rclone.Rclone, *words: str, timeout: float, allow: int = 0) -> object:
        if words[0] == "copy":
            [names] = [word.partition("=")[2] for word in words if "--files-from-raw" in word]
            parts.append(Path(names).read_text().split())
        return await run(self, *words, timeout=timeout, allow=allow)

    monkeypatch.setattr(rclone.Rclone, "run", counted)
    for name in ("a.md", "b.md", "c.md", "d.md", "e.md"):
        world.there(name, name)
    await world.sync.run()
    assert len(world.same()) == 5
    probe, *rest = map(len, parts)
    assert (probe, rest) == (1, [2, 2, 1]), "one file shows whether the remote keeps case"


async def test_what_one_side_changed_reaches_the_other(world: World) -> None:
    await world.begun(a="a\n", b="b\n")
    world.here("a.md", "a, changed here\n")
    world.here("new/here.md", "new\n")
    world.there("b.md", "B\n")  # of the same size
    world.there("picture.png", bytes(range(256)))
    done = await world.sync.run()
    assert (sorted(done.pushed), sorted(done.taken)) == (
        ["a.md", "new/here.md"],
        ["b.md", "picture.png"],
    )
    both = world.same()
    assert (both["a.md"], both["b.md"]) == ("a, changed here\n", "B\n")
    assert quiet(await world.sync.run())


async def test_two_edits_within_one_tick_of_the_remotes_clock_are_both_seen(world: World) -> None:
    await world.begun(a="a\n")
    tick = time.time_ns()
    for text in ("B\n", "C\n"):
        world.there("a.md", text)
        os.utime(world.far / "a.md", ns=(tick, tick))
        assert (await world.sync.run()).taken == ["a.md"]
    assert world.same()["a.md"] == "C\n"


async def test_what_was_seen_as_it_is_is_not_fetched_again_until_it_is_listed_otherwise(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An old file is looked at once; a recent one until two looks are far enough apart."""
    fetched: list[str] = []
    fetch = Remote.fetch_readable

    async def counted(self: Remote, names: Iterable[str]) -> tuple[Path, set[str]]:
        fetched.extend(wanted := list(names))
        return await fetch(self, wanted)

    monkeypatch.setattr(Remote, "fetch_readable", counted)
    long_ago = time.time() - 3 * 24 * 3600
    world.there("old.md", "old\n")
    world.there("young.md", "young\n")
    os.utime(world.far / "old.md", (long_ago, long_ago))

    async def looked_into() -> list[str]:
        fetched.clear()
        await world.sync.run()
        return sorted(set(fetched))

    assert await looked_into() == ["old.md", "young.md"]
    assert await looked_into() == ["young.md"]
    monkeypatch.setattr("bot.sync.session.SETTLED", 0.0)  # the two looks are far enough apart
    assert await looked_into() == ["young.md"]
    assert await looked_into() == []
    world.there("old.md", "OLD\n")
    os.utime(world.far / "old.md", (long_ago + 1, long_ago + 1))
    assert await looked_into() == ["old.md"]
    assert await looked_into() == []


async def test_what_is_sent_is_told_file_by_file(world: World) -> None:
    await world.begun(a="a\n", b="b\n")
    told: list[tuple[str, int, int]] = []
    world.sync = syncing(world.remote, world.vault, progress=lambda *step: told.append(step))
    for name in ("a", "b"):
        world.here(f"{name}.md", f"{name}, changed\n")
    for name in ("c", "d"):
        world.here(f"{name}.md", f"{name}\n")
    await world.sync.run()
    # the remote's copies are deleted one by one, new ones there all at once
    assert told == [("sent", 1, 4), ("sent", 2, 4), ("sent", 4, 4)]


async def test_both_sides_of_a_note_are_joined_again_and_again(world: World) -> None:
    await world.begun(note="# Top\n\none\n\ntwo\n\nthree\n")
    for turn in ("first", "second"):
        world.here("note.md", tree(world.vault.root)["note.md"] + f"- Sam's {turn}\n")
        world.there("note.md", f"the owner's {turn}\n" + tree(world.far)["note.md"])
        done = await world.sync.run()
        assert (done.merged, done.conflicts) == (["note.md"], [])
    assert world.same()["note.md"] == (
        "the owner's second\nthe owner's first\n# Top\n\none\n\ntwo\n\nthree\n"
        "- Sam's first\n- Sam's second\n"
    )


async def test_of_a_line_that_both_changed_both_texts_stand_in_the_note(world: World) -> None:
    await world.begun(note="# A\n\nshared\n\n# B\n\nend\n")
    world.here("note.md", "# A\n\nSam's\n\n# B\n\nend, by Sam\n")
    world.there("note.md", "# A\n\n- [ ] the owner's\n\n# B\n\nend\n")
    done = await world.sync.run()
    assert (done.conflicts, done.left) == (["note.md"], [])
    assert world.same()["note.md"] == (
        "# A\n\nSam's\n\n> [!warning]- Sync conflict, 21 Nov 15:30, from the remote\n"
        "> - \\[ ] the owner's\n\n# B\n\nend, by Sam\n"
    )
    assert quiet(await world.sync.run())


async def test_a_kept_text_that_is_damaged_is_no_past_to_join_with(world: World) -> None:
    """Merging with damaged content as the base would drop what one side has written."""
    await world.begun(note="one\n\ntwo\n\nthree\n")
    world.here("note.md", "one, here\n\ntwo\n\nthree\n")
    world.there("note.md", "one\n\ntwo\n\nthree, there\n")
    digest = atomic_files.digest(b"one\n\ntwo\n\nthree\n")
    kept = world.vault.data_dir / "sync" / "base" / digest[:2] / digest
    kept.write_bytes(b"one, here\n\ntwo\n\nthree\n")  # as if nothing had been changed locally
    assert (await world.sync.run()).conflicts == ["note.md"]
    both = world.same()
    assert both["note.md"].startswith("one\n\ntwo\n\nthree, there\n")
    [aside] = [name for name in both if name.startswith("archive/note (sync conflict")]
    assert both[aside] == "one, here\n\ntwo\n\nthree\n"


async def test_in_soul_and_skills_the_humans_words_stand(world: World) -> None:
    names = ("soul.md", "skills/cook/SKILL.md")
    for name in names:
        world.here(name, "shared\n\nmiddle\n\nend\n")
    await world.sync.run()
    for name in names:
        world.here(name, "Sam's\n\nmiddle\n\nend, by Sam\n")
        world.there(name, "the owner's\n\nmiddle\n\nend\n")
    assert sorted((await world.sync.run()).conflicts) == sorted(names)
    both = world.same()
    for name in names:
        stem = name.removesuffix(".md")
        assert both[name] == "the owner's\n\nmiddle\n\nend, by Sam\n"
        kept = both[f"archive/{stem} (sync conflict 2026-11-21 143000).md"]
        assert kept == "Sam's\n\nmiddle\n\nend, by Sam\n"


async def test_of_a_property_that_both_changed_the_humans_stands(world: World) -> None:
    user = "---\ntimezone: {}\nlanguage: de\n---\n# User\n"
    world.here("user.md", user.format("Europe/Berlin"))
    await world.sync.run()
    world.here("user.md", user.format("America/New_York"))
    world.there("user.md", user.format("Asia/Tokyo"))
    assert (await world.sync.run()).conflicts == ["user.md"]
    both = world.same()
    assert both["user.md"] == user.format("Asia/Tokyo")
    kept = both["archive/user (sync conflict 2026-11-21 143000).md"]
    assert kept == user.format("America/New_York")


async def test_what_was_forgotten_does_not_come_back_with_a_conflict(world: World) -> None:
    day = "memories/2026-02-12.md"
    text = "# Memories — 2026-02-12\n\n## 10:00:00\n\n- a secret\n- tea\n"
    world.here(day, text)
    await world.sync.run()
    world.here(day, text.replace("- a secret\n", "- by Sam\n"))
    world.there(day, text.replace("- tea\n", "- a secret\n- cake\n").replace("- a secret\n", "", 1))

    async def entombed(lines: Collection[str]) -> set[str]:
        return {"a secret"} & set(lines)

    world.sync._entombed = entombed
    await world.sync.run()
    assert "secret" not in "".join(world.same().values())
    assert {"- by Sam", "- cake"} <= set(world.same()[day].replace("> ", "").split("\n"))


async def test_a_forgotten_message_does_not_come_back_with_a_conflict(world: World) -> None:
    path, head = "sessions/2026-02-12-100000-terminal.md", "**You** · 10:00:00 ^m1-1770890400"
    first, second = f"{head}\n> a secret\n> tea\n\n", "**Sam** · 10:00:01 ^m2-1770890401\n> tea\n"
    world.here(path, f"# Session\n\n{second}")
    await world.sync.run()
    world.here(path, f"# Session\n\n{second}\nA line of mine.\n")
    world.there(path, f"# Session\n\n{first}{second}")

    async def entombed(lines: Collection[str]) -> set[str]:
        return {head} & set(lines)

    world.sync._entombed = entombed
    await world.sync.run()
    both = world.same()
    assert "secret" not in "".join(both.values())
    assert second in both[path] and "A line of mine." in both[path]


async def test_what_is_no_text_is_never_joined(world: World) -> None:
    names = ("a.png", "b.canvas", "c.md")
    for name in names:
        world.here(name, b"1\n2\n3\n" if name == "b.canvas" else b"1\n2\n3\xff\n")
    await world.sync.run()
    for name in names:  # lines that could be merged
        world.here(name, b"mine" + (world.vault.root / name).read_bytes())
        world.there(name, (world.far / name).read_bytes() + b"theirs\n")
    mine, theirs = tree(world.vault.root), tree(world.far)
    done = await world.sync.run()
    assert sorted(done.conflicts) == list(names)
    both = world.same()
    for name in names:
        stem, _, ending = name.partition(".")
        assert both[name] == theirs[name]
        assert both[f"archive/{stem} (sync conflict 2026-11-21 143000).{ending}"] == mine[name]


async def test_joining_keeps_the_form_of_the_owners_text(world: World) -> None:
    world.here("home.md", "home\n")
    world.here("note.md", b"one\ntwo\n")
    await world.sync.run()
    world.here("note.md", b"one\ntwo\nSam's\n")
    world.there("note.md", b"\xef\xbb\xbfnew\r\none\r\ntwo\r\n")
    await world.sync.run()
    assert (world.far / "note.md").read_bytes() == b"\xef\xbb\xbfnew\r\none\r\ntwo\r\nSam's\r\n"
    world.same()


async def test_a_vault_that_began_with_the_starter_takes_the_owners_texts(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    origin = tmp_path / "starter"
    for name in ("soul.md", "user.md", "tasks.md"):
        put(origin / name, f"the starter's {name}\n\nend\n")
    monkeypatch.setattr(starter, "source", lambda: origin)
    await starter.copy_starter(world.vault)
    world.there("soul.md", "my own soul\n")
    world.there("user.md", "the starter's user.md\n\nend\nAna\n")
    world.here("user.md", "Lisbon\nthe starter's user.md\n\nend\n")
    done = await world.sync.run(agreed=True)
    assert (done.taken, done.merged, done.conflicts) == (["soul.md"], ["user.md"], [])
    both = world.same()
    assert both["soul.md"] == "my own soul\n"
    assert both["user.md"] == "Lisbon\nthe starter's user.md\n\nend\nAna\n"
    assert set(both) == {"soul.md", "user.md", "tasks.md"}


async def test_one_name_in_two_spellings_is_one_file(world: World) -> None:
    world.here("Caf\u00e9.md", "one\ntwo\nthree\n")
    world.there("Cafe\u0301.md", "one\ntwo\nthree\n")
    await world.sync.run()
    world.here("Caf\u00e9.md", "one\ntwo\nthree\nSam's\n")
    await world.sync.run()
    world.there("Cafe\u0301.md", "mac\none\ntwo\nthree\nSam's\n")
    await world.sync.run()
    expected = "mac\none\ntwo\nthree\nSam's\n"
    assert tree(world.vault.root) == {"Caf\u00e9.md": expected}
    assert tree(world.far) == {"Cafe\u0301.md": expected}


@pytest.mark.parametrize("side", ["here", "there"])
async def test_two_files_of_one_name_in_two_spellings_are_named(world: World, side: str) -> None:
    await world.begun()
    write = getattr(world, side)
    write("Caf\u00e9.md", "one\n")
    write("Cafe\u0301.md", "other\n")
    both = ["Cafe\u0301.md", "Caf\u00e9.md"]
    assert await world.sync.run() == SyncResult(unsynced=both, lag=side == "here")
    assert world.sync.status().unsynced == tuple(both)
    root = world.vault.root if side == "here" else world.far
    (root / both[0]).rename(root / "Tea.md")
    assert not (await world.sync.run()).unsynced
    assert world.same()["Tea.md"] == "other\n"


# ── what goes ────────────────────────────────────────────────────────────────────────────────


async def test_deletions_go_to_the_archive_on_both_sides(world: World) -> None:
    await world.begun(a="gone there\n", b="gone here\n")
    (world.far / "a.md").unlink()
    (world.vault.root / "b.md").unlink()
    done = await world.sync.run()
    assert (done.archived, done.removed, done.left) == (["a.md"], ["b.md"], [])
    assert world.same() == {
        "home.md": "home\n",
        "archive/a.md": "gone there\n",
        "archive/deleted 2026-11-21 143000/b.md": "gone here\n",
    }
    assert quiet(await world.sync.run())


async def test_an_edit_wins_over_a_deletion(world: World) -> None:
    await world.begun(a="a\n", b="b\n", c="c\n")
    (world.far / "a.md").unlink()
    world.here("a.md", "a, still needed\n")
    (world.vault.root / "b.md").unlink()
    world.there("b.md", "b, still needed\n")
    (world.vault.root / "c.md").unlink()
    (world.far / "c.md").unlink()
    await world.sync.run()
    assert world.same() == {
        "home.md": "home\n",
        "a.md": "a, still needed\n",
        "b.md": "b, still needed\n",
    }


async def test_a_renamed_note_leaves_no_copy_behind(world: World) -> None:
    await world.begun(a="renamed there\n", b="renamed here\n")
    (world.far / "sub").mkdir()
    (world.far / "a.md").rename(world.far / "sub" / "A.md")
    await world.vault.move("b.md", "sub/B.md", cause="test")
    await world.sync.run()
    assert world.same() == {
        "home.md": "home\n",
        "sub/A.md": "renamed there\n",
        "sub/B.md": "renamed here\n",
    }


async def test_a_note_that_is_sealed_leaves_no_copy_behind(world: World) -> None:
    await world.begun(diary="a secret\n")
    world.here("sealed/2026/Diary.md", "a secret\n")
    (world.vault.root / "diary.md").unlink()
    await world.sync.run()
    assert tree(world.far) == {"home.md": "home\n"}
    assert tree(world.vault.root) == {"home.md": "home\n", "sealed/2026/Diary.md": "a secret\n"}


async def test_what_the_owner_takes_out_of_the_archive_does_not_come_back(world: World) -> None:
    await world.begun(a="old\n", b="older\n")
    for name in ("a.md", "b.md"):
        await world.vault.archive(name, cause="expired")
    await world.sync.run()
    (world.far / "archive/a.md").unlink()
    (world.vault.root / "archive/b.md").unlink()
    await world.sync.run()
    assert world.same() == {"home.md": "home\n"}
    kept = tree(world.vault.data_dir / "sync" / "removed")
    assert {"old\n", "older\n"} <= set(kept.values())


@pytest.mark.parametrize("wiped", ["emptied", "missing"])
async def test_a_remote_that_lost_everything_changes_nothing(world: World, wiped: str) -> None:
    await world.begun(a="a\n")
    before = tree(world.vault.root)
    shutil.rmtree(world.far)
    if wiped == "emptied":
        (world.far).mkdir()
    for way in (world.sync.run, world.sync.pull, world.sync.push):
        with pytest.raises(SyncError, match="is empty, and 2 files were there"):
            await way()
    await world.sync.push(["a.md"])
    world.here("a.md", "a here\n")
    world.here("new.md", "new\n")
    for name in ("a.md", "new.md"):
        with pytest.raises(SyncError, match="is empty, and 2 files were there"):
            await world.sync.push([name])
    assert tree(world.vault.root) == before | {"a.md": "a here\n", "new.md": "new\n"}


async def test_a_mistyped_remote_costs_nothing_of_what_is_known_of_the_right_one(
    world: World,
) -> None:
    await world.begun(a="one\ntwo\nthree\n", b="b\n")
    for name in ("nowhere:Sam", "nowhere:sam"):
        with pytest.raises(SyncError, match="nowhere"):
            await syncing(name, world.vault).run()
        assert syncing(name, world.vault).last()[1], "its failure is known"
    world.here("a.md", "one, here\ntwo\nthree\n")
    world.there("a.md", "one\ntwo\nthree, there\n")
    (world.far / "b.md").unlink()
    await world.sync.run()
    assert world.same()["a.md"] == "one, here\ntwo\nthree, there\n"
    assert "b.md" not in world.same(), "deleted there, and not new here"
    shutil.rmtree(world.far)
    with pytest.raises(SyncError, match="is empty, and"):
        await world.sync.run()
    other = world.far.with_name("other")
    await syncing(str(other), world.vault).run()
    assert tree(other) == tree(world.vault.root)
    await world.sync.run()
    assert world.same() == tree(other), "another one that worked begins anew"


def test_what_a_killed_sync_recorded_outlives_a_mistyped_remote(tmp_path: Path) -> None:
    folder = SyncFolder(tmp_path / "sync")
    right = folder.load("right:Sam")
    right.files["a.md"] = Known(hash="first")
    folder.save(right)
    right.files["a.md"] = Known(hash="second")
    folder.record(right, "a.md")  # and killed before it saves
    folder.save(folder.load("mistyped:Sam"))
    assert folder.load("right:Sam").files["a.md"].hash == "second"


async def test_a_file_that_is_missing_there_alone_is_pushed(world: World) -> None:
    await world.begun(**{f"n{n:02}": "n\n" for n in range(40)})
    for name in [*(f"n{n:02}.md" for n in range(30)), "home.md"]:
        (world.far / name).unlink()
    world.here("n01.md", "n here\n")
    world.here("new.md", "new\n")
    assert sorted((await world.sync.push(["n01.md", "new.md"])).pushed) == ["n01.md", "new.md"]


async def test_a_vault_that_lost_everything_changes_nothing(world: World) -> None:
    await world.begun(a="a\n")
    before = tree(world.far)
    shutil.rmtree(world.vault.root)
    for present in (False, True):
        if present:
            world.vault.root.mkdir()
        with pytest.raises((VaultGone, SyncError)):
            await world.sync.run()
    list_of_notes = [path.name for path in world.vault.root.iterdir()]
    assert (tree(world.far), list_of_notes) == (before, [])


@pytest.mark.parametrize("name", ["a\u201bb.md", "\u2421.md", "x\u2409/y.md"])
async def test_a_name_that_rclone_cannot_carry_holds_nothing_up(world: World, name: str) -> None:
    await world.begun()
    world.here(name, "odd\n")
    world.here("good.md", "good\n")
    assert (await world.sync.run()).pushed == ["good.md"]
    world.there(f"there {name}", "odd\n")
    assert await world.sync.run() == SyncResult(unsynced=sorted([name, f"there {name}"]))
    assert (world.vault.root / name).read_text() == "odd\n"
    status = world.sync.status()
    assert (status.unsynced, status.lag) == (tuple(sorted([name, f"there {name}"])), 0)
    (world.vault.root / name).rename(world.vault.root / "plain.md")
    (world.far / f"there {name}").unlink()
    await world.sync.run()
    assert world.same()["plain.md"] == "odd\n" and not world.sync.status().unsynced


@pytest.mark.parametrize("side", ["here", "there"])
async def test_a_file_becomes_a_folder_and_a_folder_a_file(world: World, side: str) -> None:
    await world.begun(**{"one": "first file\n", "two.md/x": "in the old folder\n"})
    root = world.vault.root if side == "here" else world.far
    (root / "one.md").unlink()
    put(root / "one.md/y.md", "in a folder\n")
    shutil.rmtree(root / "two.md")
    put(root / "two.md", "a file\n")
    await world.sync.run()
    assert quiet(await world.sync.run()) and not world.sync.status().unsynced
    both = world.same()
    assert (both["one.md/y.md"], both["two.md"]) == ("in a folder\n", "a file\n")
    assert sum(path.startswith("archive/") for path in both) == 2


async def test_a_file_here_and_a_folder_there_of_one_name_hold_nothing_up(world: World) -> None:
    await world.begun()
    world.here("plan", "a file\n")
    world.there("plan/a.md", "in a folder\n")
    world.there("list", "a file\n")
    world.here("list/b.md", "in a folder\n")
    world.here("good.md", "good\n")
    done = await world.sync.run()
    assert (done.pushed, done.taken) == (["good.md"], [])
    assert world.sync.status().unsynced == ("list", "list/b.md", "plan", "plan/a.md")
    (world.vault.root / "plan").rename(world.vault.root / "plan.md")
    (world.far / "list").rename(world.far / "list.md")
    await world.sync.run()
    assert world.same().keys() >= {"plan.md", "plan/a.md", "list.md", "list/b.md"}


async def test_a_folder_without_files_there_holds_nothing_up(world: World) -> None:
    await world.begun()
    (world.far / "plan" / "deeper").mkdir(parents=True)
    put(world.far / "list" / ".hidden", "of another program\n")
    for name in ("plan", "list", "good.md"):
        world.here(name, f"{name}\n")
    done = await world.sync.run()
    assert (sorted(done.pushed), done.left, done.unsynced) == (["good.md", "plan"], [], ["list"])
    assert world.sync.status().unsynced == ("list",)
    assert (world.far / "list" / ".hidden").exists() and (world.far / "plan").is_file()
    assert (await world.sync.run()).unsynced == ["list"]
    (world.vault.root / "list").rename(world.vault.root / "list.md")
    await world.sync.run()
    assert tree(world.far)["list.md"] == "list\n" and not world.sync.status().unsynced


async def test_hidden_sealed_and_partial_files_never_travel(world: World) -> None:
    await world.begun()
    secret = ("sealed/s.md", "Sealed/s.md", ".obsidian/app.json", "a/.git/x", ".h.md", "a.partial")
    for name in secret:
        world.here(name, "of this side\n")
    assert (await world.sync.run()).pushed == []
    assert set(tree(world.far)) == {"home.md"}
    shutil.rmtree(world.vault.root)
    world.here("home.md", "home\n")
    for name in secret:
        world.there(name, "of that side\n")
    assert quiet(await world.sync.run())
    assert set(tree(world.vault.root)) == {"home.md"}
    assert len(tree(world.far)) == 7


async def test_in_a_guest_house_sams_folders_are_meant(tmp_path: Path) -> None:
    world = World(tmp_path, sam_dir="Sam")
    world.here("Sam/sealed/s.md", "sealed\n")
    await world.begun(note="the owner's\n")
    (world.far / "note.md").unlink()
    await world.sync.run()
    assert tree(world.far) == {"home.md": "home\n", "Sam/archive/note.md": "the owner's\n"}


@pytest.mark.parametrize("setting", ["Ged\u00e4chtnis", "Geda\u0308chtnis"])
async def test_sams_folder_is_known_in_any_unicode_form(tmp_path: Path, setting: str) -> None:
    here, far = "Geda\u0308chtnis", "Ged\u00e4chtnis"
    (tmp_path / "vault" / here).mkdir(parents=True)
    world = World(tmp_path, sam_dir=setting)
    world.here(f"{here}/soul.md", "kind\n")
    world.here(f"{here}/sealed/s.md", "sealed\n")
    await world.begun()
    world.there(f"{here}/soul.md", "unkind\n")
    world.there(f"{far}/sealed/t.md", "sealed there\n")
    done = await world.sync.run()
    assert [each.lines for each in done.instructions] == [("-kind", "+unkind")]
    assert set(tree(world.vault.root)) == {
        "home.md",
        f"{here}/soul.md",
        f"{here}/sealed/s.md",
    }


# ── one way ──────────────────────────────────────────────────────────────────────────────────


async def test_push_and_pull_each_change_one_side(world: World) -> None:
    await world.begun(a="a\n", b="b\n", c="c\n", d="d\n", e="e\nf\ng\n")
    world.here("a.md", "a here\n")
    world.there("b.md", "b there\n")
    (world.vault.root / "c.md").unlink()
    (world.far / "d.md").unlink()
    world.here("e.md", "E\nf\ng\n")
    world.there("e.md", "e\nf\nG\n")
    here, there = tree(world.vault.root), tree(world.far)
    done = await world.sync.pull()
    assert tree(world.far) == there
    assert (done.taken, done.archived, done.merged) == (["b.md"], ["d.md"], ["e.md"])
    assert done.lag == 3  # a, e and archive/d
    done = await world.sync.push()
    assert sorted(done.pushed) == ["a.md", "archive/d.md", "e.md"]
    assert done.removed == ["c.md"]
    await world.sync.pull()
    assert world.same()["e.md"] == "E\nf\nG\n"
    assert here["a.md"] == "a here\n"


async def test_push_of_some_files_touches_no_others(world: World) -> None:
    await world.begun(a="a\n", b="b\n", c="c\nd\ne\n", gone="x\n")
    world.here("a.md", "a here\n")
    world.here("b.md", "b here\n")
    world.here("c.md", "C\nd\ne\n")
    world.there("c.md", "c\nd\nE\n")
    (world.vault.root / "gone.md").unlink()
    done = await world.sync.push(["a.md", "c.md", "gone.md", "never.md"])
    assert (sorted(done.pushed), done.merged, done.lag) == (["a.md", "c.md"], ["c.md"], 1)
    there = tree(world.far)
    assert (there["a.md"], there["b.md"], there["c.md"]) == ("a here\n", "b\n", "C\nd\nE\n")
    assert there["gone.md"] == "x\n"
    await world.sync.run()
    world.same()


# ── at the same moment ───────────────────────────────────────────────────────────────────────


async def until(found: object, seconds: float = 60) -> None:
    """Wait until the function returns true."""
    assert callable(found)
    for _ in range(int(seconds / 0.02)):
        if found():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("it did not come to that")


def sending(world: World) -> bool:
    """Return whether rclone has begun to write to the remote."""
    return any(path.name.endswith(".partial") for path in world.far.rglob("*"))


async def test_edits_on_both_sides_during_a_transfer_stay(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    filling = "".join(f"line {number} of a long note\n" for number in range(9_000))
    await world.begun(big="x\n", late=filling)
    monkeypatch.setenv("RCLONE_BWLIMIT", "150k")
    big = "y" * 200_000 + "\n"
    world.here("big.md", big)
    world.here("late.md", filling + "Sam's\n")
    task = asyncio.create_task(world.sync.run())
    await until(lambda: sending(world))
    await world.vault.edit("big.md", lambda text: text + "appended here\n", cause="test")
    world.there("late.md", "the owner's\n" + filling)
    world.there("new.md", "new\n")
    monkeypatch.delenv("RCLONE_BWLIMIT")
    done = await task
    assert done.merged == ["late.md"]  # it was left in the first round
    await world.sync.run()
    both = world.same()
    assert both["big.md"] == big + "appended here\n"
    assert both["late.md"] == "the owner's\n" + filling + "Sam's\n"
    assert both["new.md"] == "new\n"


RUN = """
import asyncio, sys
from pathlib import Path
from tests.support.synced import World
asyncio.run(World(Path(sys.argv[1])).sync.run())
"""


async def test_a_sync_that_is_killed_in_the_middle_is_completed_by_the_next(
    world: World, tmp_path: Path
) -> None:
    await world.begun(a="a\n", b="b\n")
    big = "".join(f"{number}\n" for number in range(20_000))
    world.here("big.md", big)
    world.here("a.md", "a here\n")
    world.there("b.md", "b there\n")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", RUN, str(tmp_path)),
        cwd=Path(__file__).parents[2],
        env={**os.environ, "RCLONE_BWLIMIT": "20k"},  # five seconds: time to stop it
    )
    try:
        await until(lambda: sending(world))
        [carrying] = rclones(world.far)
        os.kill(carrying, signal.SIGSTOP)  # or it may be done before the next one begins
    finally:
        process.kill()
        await process.wait()
    world.there("a.md", "a there\n")
    with pytest.raises(SyncError, match="An earlier rclone is still running"):
        await world.sync.run()
    os.kill(carrying, signal.SIGCONT)
    await until(lambda: not sending(world))

    async def over() -> bool:
        try:
            await world.sync.run()
        except SyncError:
            return False
        return True

    for _ in range(100):
        if await over():
            break
        await asyncio.sleep(0.1)
    await world.sync.run()
    both = world.same()
    assert (both["big.md"], both["b.md"]) == (big, "b there\n")
    everything = "".join(both.values())
    assert "a here" in everything and "a there" in everything


async def test_a_cancelled_sync_ends_its_rclone_first(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.begun()
    monkeypatch.setenv("RCLONE_BWLIMIT", "20k")
    world.here("big.md", "y" * 250_000)
    task = asyncio.create_task(world.sync.run())
    await until(lambda: sending(world))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    monkeypatch.delenv("RCLONE_BWLIMIT")
    done = await world.sync.run()  # immediately: none of our rclone processes is left
    assert done.pushed == ["big.md"]


async def test_two_syncs_at_once_take_turns(world: World) -> None:
    await world.begun()
    world.here("a.md", "a\n")
    one, two = await asyncio.gather(world.sync.run(), world.sync.run())
    assert sorted([*one.pushed, *two.pushed]) == ["a.md"]


async def test_a_note_that_cannot_be_written_is_left(world: World) -> None:
    await world.begun(a="a\n")
    (world.vault.root / "way").symlink_to(world.vault.root.parent)
    world.there("way/out.md", "out\n")
    world.there("a.md", "a there\n")
    done = await world.sync.run()
    assert (done.left, done.taken) == (["way/out.md"], ["a.md"])
    assert not (world.vault.root.parent / "out.md").exists()


async def test_what_changes_while_it_is_copied_is_not_sent(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.begun(a="a\n", b="b\n")
    world.here("a.md", "a here\n")
    world.here("b.md", "b here\n")
    real = shutil.copyfile

    def while_copied(source: Path, target: Path) -> None:
        if source.name == "a.md" and source.read_text() == "a here\n":
            world.here("a.md", "half a li")
        real(source, target)

    monkeypatch.setattr(push.shutil, "copyfile", while_copied)
    done = await world.sync.push(["a.md", "b.md"])
    assert done.pushed == ["b.md", "a.md"]  # by then it is a different file, which is uploaded
    turns: list[str] = []

    def never_steady(source: Path, target: Path) -> None:
        turns.append(source.name)
        world.here("a.md", f"change {len(turns)}\n")
        real(source, target)

    monkeypatch.setattr(push.shutil, "copyfile", never_steady)
    world.here("a.md", "steady\n")
    done = await world.sync.push(["a.md"])
    assert (done.pushed, done.left) == ([], ["a.md"])
    assert tree(world.far)["a.md"] == "half a li"


async def killed_before_it_saves(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sync until all is transferred, and lose the state that is saved at the end."""
    with monkeypatch.context() as at_the_end:
        at_the_end.setattr("bot.sync.state.SyncFolder.save", killed)
        with pytest.raises(Killed):
            await world.sync.run()


@pytest.mark.parametrize("name", ["a.md", "new.md"])
@pytest.mark.parametrize("side", ["here", "there"])
async def test_an_edit_after_a_kill_is_no_conflict_with_what_was_transferred(
    world: World, monkeypatch: pytest.MonkeyPatch, side: str, name: str
) -> None:
    await world.begun(a="one\n\nmiddle\n")
    first, second = (world.here, world.there) if side == "here" else (world.there, world.here)
    first(name, "two\n\nmiddle\n")
    await killed_before_it_saves(world, monkeypatch)
    second(name, "two and a half\n\nmiddle\n")
    done = await world.sync.run()
    assert (done.conflicts, done.merged) == ([], [])
    assert world.same()[name] == "two and a half\n\nmiddle\n"
    assert not any(path.startswith("archive/") for path in world.same())


async def test_a_merge_that_was_not_sent_is_not_merged_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.begun(a="one\n")
    world.here("a.md", "mine\n")
    world.there("a.md", "theirs\n")
    with monkeypatch.context() as before_sending:
        before_sending.setattr("bot.sync.sync.send", killed)
        await killed_before_it_saves(world, monkeypatch)
    merged = tree(world.vault.root)
    done = await world.sync.run()
    assert (done.conflicts, done.pushed) == ([], ["a.md"])
    assert world.same() == merged


async def test_a_damaged_line_of_the_syncs_journal_is_skipped(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.begun()
    world.here("a.md", "one\n")
    await killed_before_it_saves(world, monkeypatch)
    journal = world.vault.data_dir / "sync" / "journal.jsonl"
    journal.write_text(journal.read_text() + '["half a li')
    assert quiet(await world.sync.run())
    assert not journal.exists()


async def test_half_of_what_was_being_sent_is_no_edit(world: World) -> None:
    await world.begun(a="one\ntwo\nthree\n", gone="x\n")
    text = "one\ntwo\nthree\nby Sam\n"
    world.here("a.md", text)
    store = world.sync._store
    store.keep(text.encode())
    store.sends({"a.md": atomic_files.digest(text.encode())})
    world.there("a.md", "one\ntw")  # as a server keeps it if the sender is killed
    done = await world.sync.run()
    assert (done.merged, done.conflicts, done.pushed) == ([], [], ["a.md"])
    assert world.same()["a.md"] == text
    world.there("a.md", "one\n")  # this is an edit: no upload is in progress
    assert (await world.sync.run()).taken == ["a.md"]


async def test_a_write_that_the_list_does_not_show_is_seen_before_sending(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.begun(a="one\n\nmiddle\n\nend\n")
    old = await world.sync._remote.list()
    world.here("a.md", "Sam's\n\nmiddle\n\nend\n")
    world.there("a.md", "one\n\nmiddle\n\nthe owner's\n")
    real = Remote.list
    monkeypatch.setattr(Remote, "list", lambda self, only=None: answer(old, only))
    world.sync._store.save(seen_as(world, old))
    done = await world.sync.run()
    assert (done.pushed, done.left) == ([], ["a.md"])
    monkeypatch.setattr(Remote, "list", real)
    await world.sync.run()
    assert world.same()["a.md"] == "Sam's\n\nmiddle\n\nthe owner's\n"


async def answer(old: list[RemoteFile], only: Collection[str] | None) -> list[RemoteFile]:
    return [file for file in old if only is None or file.path in only]


def seen_as(world: World, listed: list[RemoteFile]) -> State:
    """Return the state as derived from these listings."""
    state = world.sync._store.load(world.remote)
    for file in listed:
        known = state.files[file.path]
        state.files[file.path] = known.model_copy(update={"seen": file.shown})
    return state


async def test_what_was_written_over_a_file_just_sent_is_joined_with_it(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.begun(a="one\n\nmiddle\n\nend\n")
    world.here("a.md", "one\n- Sam's\n\nmiddle\n\nend\n")
    world.here("new.md", "Sam's\n")
    real = Remote.send

    async def send(self: Remote, folder: Path, *, fresh: bool, aside: bool = False) -> None:
        names = {path.name for path in folder.iterdir()}
        if "new.md" in names:
            world.there("new.md", "the owner's\n")  # changed just before, so it is not overwritten
        await real(self, folder, fresh=fresh, aside=aside)
        if "a.md" in names:
            world.there("a.md", "one\n\nmiddle\n\nend\n- the owner's, who knew nothing of it\n")

    monkeypatch.setattr(Remote, "send", send)
    with suppress(SyncError):
        await world.sync.run()
    monkeypatch.setattr(Remote, "send", real)
    await world.sync.run()
    both = world.same()
    assert both["a.md"] == (
        "one\n- Sam's\n\nmiddle\n\nend\n- the owner's, who knew nothing of it\n"
    )
    everything = "".join(both.values())
    assert "the owner's\n" in everything and "Sam's\n" in everything
    assert both["new.md"].startswith("the owner's\n")


async def test_what_a_side_replaced_as_a_whole_is_in_the_archive(world: World) -> None:
    await world.begun(a="one\ntwo\nthree\n", b="four\nfive\nsix\n", c="short\n", d="1\n2\n3\n4\n")
    world.here("a.md", "another\n")
    world.there("b.md", "another\n")
    world.here("c.md", "another\n")
    world.here("d.md", "x\n4\n")
    await world.sync.run()
    assert world.same() == {
        "home.md": "home\n",
        "a.md": "another\n",
        "b.md": "another\n",
        "c.md": "another\n",
        "d.md": "x\n4\n",
        "archive/a (replaced 2026-11-21 143000).md": "one\ntwo\nthree\n",
        "archive/b (replaced 2026-11-21 143000).md": "four\nfive\nsix\n",
    }
    assert quiet(await world.sync.run())


async def test_what_was_replaced_is_archived_once_by_two_machines(
    world: World, tmp_path: Path
) -> None:
    await world.begun(plan="one\ntwo\nthree\n")
    other = Vault(tmp_path / "other", data_dir=tmp_path / "other data")
    later = syncing(world.remote, other, lambda: NOW + timedelta(hours=1))
    await later.run()
    world.here("plan.md", "four\nfive\nsix\n")
    await world.sync.run()
    await later.run()
    await world.sync.run()
    assert world.same() == tree(other.root)
    assert list(world.same().values()).count("one\ntwo\nthree\n") == 1


async def test_an_archived_text_that_is_replaced_again_and_again_keeps_its_place(
    world: World,
) -> None:
    """A remote that rewrites the archive must not make a path grow until the sync fails."""
    await world.begun(a="one\ntwo\nthree\n")
    world.here("a.md", "another\n")
    await world.sync.run()
    for n in range(1, 13):
        for name in sorted(world.same()):
            if name.startswith("archive/"):
                world.there(name, f"first {n} {name}\nsecond {n}\nthird {n}\n")
                break
        await world.sync.run()
    names = [name for name in world.same() if name.startswith("archive/")]
    assert len(names) == 13
    assert all(re.fullmatch(r"archive/a \(replaced [\d -]+\)\.md", name) for name in names), names


async def test_of_a_note_with_the_longest_name_both_texts_are_kept(world: World) -> None:
    name = "é" * 126  # bytes: 252, with the suffix 255
    await world.begun(**{name: "one\ntwo\nthree\n"})
    world.here(f"{name}.md", "one\nmine\nthree\n")
    world.there(f"{name}.md", "quite another text\n")
    await world.sync.run()
    texts = "\n".join(world.same().values())
    assert "mine" in texts and "quite another text" in texts
    assert quiet(await world.sync.run())


# ── a real server ────────────────────────────────────────────────────────────────────────────


class Served(World):
    """The remote folder is behind a server, and others write through it too."""

    def __init__(self, tmp_path: Path, address: str) -> None:
        super().__init__(tmp_path, "dav:Sam/vault")
        self.far = tmp_path / "far" / "Sam" / "vault"
        self.address = address

    def there(self, name: str, text: str | bytes) -> None:
        data = text if isinstance(text, bytes) else text.encode()
        upload(self.address, f"Sam/vault/{name}", data)


@pytest.fixture
def served(tmp_path: Path, own_rclone_config: Path) -> Iterator[Served]:
    (tmp_path / "far").mkdir()
    with webdav(rclone.find(), tmp_path / "far") as address:
        own_rclone_config.write_text(f"[dav]\ntype = webdav\nvendor = other\nurl = {address}\n")
        yield Served(tmp_path, address)


async def test_a_webdav_server_is_a_remote_too(served: Served) -> None:
    await served.begun(a="a\n", b="b\n", gone="x\n", note="one\ntwo\nthree\n")
    assert served.same()["a.md"] == "a\n"
    served.here("a.md", "A\n")
    served.there("b.md", "B\n")
    served.here("note.md", "one\ntwo\nthree\nSam's\n")
    served.there("note.md", "owner's\none\ntwo\nthree\n")
    served.there("new [x] #1 100%.md", "new\n")
    (served.vault.root / "gone.md").unlink()
    await served.sync.run()
    both = served.same()
    assert (both["a.md"], both["b.md"]) == ("A\n", "B\n")
    assert both["note.md"] == "owner's\none\ntwo\nthree\nSam's\n"
    assert both["archive/deleted 2026-11-21 143000/gone.md"] == "x\n"
    served.there("a.md", "Z\n")  # same size, within a second of the upload
    await served.sync.run()
    assert served.same()["a.md"] == "Z\n"


async def test_a_server_that_is_gone_is_said_without_its_secrets(served: Served) -> None:
    await served.begun()
    world = World(
        served.vault.root.parent, ":webdav,url='http://ana:hunter2@127.0.0.1:9/dav',pass=sesame:x"
    )
    with pytest.raises(RemoteFailed, match=r"^rclone: ") as failed:
        await world.sync.run()
    status = await asyncio.to_thread(world.sync.status)
    assert status.last_error == str(failed.value)
    assert status.remote == "webdav:…"
    for text in (str(failed.value), repr(status)):
        assert "hunter2" not in text and "sesame" not in text


# ── rclone itself ────────────────────────────────────────────────────────────────────────────


def fake_rclone(folder: Path, script: str) -> None:
    folder.mkdir(exist_ok=True)
    path = folder / "rclone"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


async def test_without_rclone_the_mend_is_said(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, found_anew: None
) -> None:
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(rclone.sysconfig, "get_path", lambda name: str(tmp_path / "none"))
    world.here("home.md", "home\n")
    with pytest.raises(RcloneMissing, match=r"There is no rclone: install it with"):
        await world.sync.run()
    assert rclone_problem().startswith("There is no rclone")
    fake_rclone(tmp_path / "bin", "echo rclone v1.60.1-DEV")
    rclone.find.cache_clear()
    with pytest.raises(RcloneMissing, match=r"rclone 1\.60 is too old: Sam needs 1\.66"):
        await world.sync.run()


def test_the_packages_rclone_stands_in_for_an_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, found_anew: None
) -> None:
    fake_rclone(tmp_path / "bin", "echo rclone v1.60.1-DEV")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    assert rclone_problem() == ""
    found = rclone.find()
    assert found.parent != tmp_path / "bin"
    assert "rclone v1." in subprocess.run([found, "version"], capture_output=True, text=True).stdout


async def test_an_rclone_that_hangs_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, found_anew: None
) -> None:
    fake_rclone(tmp_path / "bin", "trap '' TERM; echo rclone v1.75.2; [ $1 = version ] || sleep 60")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    monkeypatch.setattr(rclone, "_GRACE", 0.2)
    begun = time.monotonic()
    with pytest.raises(RemoteFailed, match="without a result"):
        await rclone.Rclone(tmp_path / "rclone.lock").run("lsjson", "x:", timeout=0.3)
    assert time.monotonic() - begun < 50, "it would sleep for 60"


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("2026/11/21 23:00:12 ERROR : a.md: no space left", "a.md: no space left"),
        ("NOTICE: one\n2026/11/21 23:00:12 CRITICAL: two\n\n", "two"),
        ("", "it ended with code 7"),
        (
            'token {"access_token":"ya29.abc","expiry":"x"}',
            'token {"access_token":***,"expiry":"x"}',
        ),
        ("Get https://x.test/a?sig=abc&q=1: EOF", "Get https://x.test/a?*** EOF"),
        ('"http://ana:pw@x.test/": refused', '"http://***@x.test/": refused'),
        ("Authorization: Bearer abc.def", "Authorization: ***"),
        (':webdav,pass="a b",url=x: bad', ":webdav,pass=***,url=x: bad"),
    ],
)
def test_what_rclone_says_is_shown_without_secrets(said: str, shown: str) -> None:
    assert rclone.last_error_line(said, 7) == shown


# ── what is known afterwards ─────────────────────────────────────────────────────────────────


async def test_the_status_tells_age_error_and_lag(world: World) -> None:
    world.vault.root.mkdir()
    status = world.sync.status()
    assert (status.last_ok, status.last_error, status.lag) == (None, "", 0)
    await world.begun()
    world.here("a.md", "a\n")
    assert world.sync.status().lag == 1
    await world.sync.push(["a.md"])
    status = world.sync.status()
    assert (status.remote, status.last_ok, status.lag) == (str(world.far), NOW, 0)
    shutil.rmtree(world.far)
    with pytest.raises(SyncError):
        await world.sync.run()
    assert "is empty" in world.sync.status().last_error


async def test_another_remote_begins_anew(world: World, tmp_path: Path) -> None:
    await world.begun(a="a\n")
    other = World(tmp_path, str(tmp_path / "other"))
    put(tmp_path / "other" / "b.md", "b\n")
    await other.sync.run(agreed=True)
    assert tree(tmp_path / "other") == {"a.md": "a\n", "b.md": "b\n", "home.md": "home\n"}


async def test_a_full_disk_here_is_said(world: World) -> None:
    await world.begun()
    (world.vault.data_dir / "sync" / "staging").write_text("in the way")
    world.here("a.md", "a\n")
    with pytest.raises(VaultError, match="the folder of the sync"):
        await world.sync.run()


def scribble(root: Path, side: str, turn: int, chance: random.Random) -> set[str]:
    """Edit as an owner may between two syncs; return the words that were written."""
    written = set()
    fresh = set()
    for number in range(5):
        notes = [path for path in sorted(root.rglob("*.md")) if "archive" not in path.parts]
        note = chance.choice(notes)
        word = f"{side}-{turn}-{number}"
        match chance.choice(("edit", "edit", "edit", "new", "delete", "rename")):
            case "new" if not (made := root / f"new-{turn}-{chance.randrange(2)}.md").exists():
                put(made, f"{word}\n")
                fresh.add(made)
                written.add(word)
            # what no sync has seen, and what both sides delete, is gone as intended
            case "delete" if len(notes) > 3 and note not in fresh and (side == "here") == turn % 2:
                note.unlink()
            case "rename":
                to = note.with_name(f"{note.stem[:20]}-{side}-{turn}-{number}.md")
                note.rename(to)
                fresh.add(to)
            case _:
                lines = note.read_text().splitlines()
                lines.insert(chance.randrange(len(lines) + 1), word)
                note.write_text("\n".join(lines) + "\n")
                fresh.add(note)
                written.add(word)
    return written


@pytest.mark.parametrize("start", [1, 2])
async def test_whatever_both_sides_do_no_line_is_lost(world: World, start: int) -> None:
    chance = random.Random(start)
    texts = {name: f"{name} begins\n\nmiddle\n\nend of {name}\n" for name in "abcde"}
    await world.begun(**texts)
    written = set()
    for turn in range(2):
        for side, root in (("here", world.vault.root), ("there", world.far)):
            written |= scribble(root, side, turn, chance)
        await world.sync.run()
        everything = " ".join(world.same().values())
        everything += " ".join(tree(world.vault.data_dir / "sync" / "removed").values())
        assert written <= set(everything.split())
    assert quiet(await world.sync.run())
