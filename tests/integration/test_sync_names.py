"""Sync of names that one side cannot have, or takes for another file's, with a real server that
ignores case."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.sync import SyncResult, rclone
from memory.vault import paths
from tests.fakes.rclone_server import Server, served
from tests.support.synced import World, tree


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    config = tmp_path / "rclone.conf"
    monkeypatch.setenv("RCLONE_CONFIG", str(config))
    (tmp_path / "far").mkdir()
    serving = served(rclone.find(), "webdav", tmp_path / "far", config, "--vfs-case-insensitive")
    yield serving
    serving.close()


class Caseless(World):
    """The remote ignores case, as Dropbox, OneDrive and the folders of a Mac do."""

    def __init__(self, tmp_path: Path, server: Server) -> None:
        super().__init__(tmp_path, "far:")
        self.server = server

    async def exchange(self) -> SyncResult:
        self.server.forget()
        return await self.sync.run(agreed=True)


@pytest.fixture
def caseless(tmp_path: Path, server: Server) -> Caseless:
    return Caseless(tmp_path, server)


async def test_two_spellings_on_a_remote_that_ignores_case_are_one_file(
    caseless: Caseless,
) -> None:
    """Each side keeps its own, and none is sent again and again."""
    caseless.here("Plan.md", "one\n")
    caseless.there("plan.md", "one\n")
    await caseless.exchange()
    assert await caseless.exchange() == SyncResult()
    caseless.here("Plan.md", "one\ntwo\n")
    await caseless.exchange()
    assert tree(caseless.far) == {"plan.md": "one\ntwo\n"}
    caseless.there("plan.md", "three\n")
    await caseless.exchange()
    assert tree(caseless.vault.root)["Plan.md"] == "three\n"
    assert await caseless.exchange() == SyncResult()


async def test_a_rename_in_case_only_archives_nothing(caseless: Caseless) -> None:
    """The upload that follows the rename, before a sync of all files, took it for two notes."""
    caseless.here("Plan.md", "one\n")
    await caseless.exchange()
    await caseless.exchange()
    (caseless.vault.root / "Plan.md").rename(caseless.vault.root / "plan.md")
    await caseless.sync.push(["plan.md"])
    for _ in range(2):
        assert await caseless.exchange() == SyncResult()
    assert tree(caseless.vault.root) == {"plan.md": "one\n"}
    assert tree(caseless.far) == {"Plan.md": "one\n"}


async def test_a_rename_in_case_only_by_the_remote_is_applied(caseless: Caseless) -> None:
    for name in ("Projects/a.md", "Projects/b.md", "soul.md"):
        caseless.here(name, f"{name}\n")
    await caseless.exchange()
    (caseless.far / "Projects").rename(caseless.far / "projects")
    (caseless.far / "soul.md").rename(caseless.far / "Soul.md")
    caseless.there("projects/b.md", "edited\n")
    await caseless.exchange()
    assert caseless.same() == {
        "projects/a.md": "Projects/a.md\n",
        "projects/b.md": "edited\n",
        "Soul.md": "soul.md\n",
    }
    assert await caseless.exchange() == SyncResult()


async def test_two_notes_that_the_remote_cannot_both_have_are_named(caseless: Caseless) -> None:
    caseless.here("Plan.md", "one\n")
    caseless.here("plan.md", "other\n")
    caseless.here("good.md", "good\n")
    done = await caseless.exchange()
    assert (done.pushed, done.unsynced) == (["good.md"], ["Plan.md", "plan.md"])
    assert await caseless.exchange() == SyncResult(unsynced=["Plan.md", "plan.md"], lag=1)
    assert caseless.sync.status().unsynced == ("Plan.md", "plan.md")
    (caseless.vault.root / "plan.md").rename(caseless.vault.root / "list.md")
    await caseless.exchange()
    assert caseless.same() == {"Plan.md": "one\n", "good.md": "good\n", "list.md": "other\n"}


async def test_where_both_sides_keep_case_two_spellings_are_two_notes(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.here("Plan.md", "one\n")
    world.there("plan.md", "other\n")
    for _ in range(2):
        await world.sync.run(agreed=True)
    assert world.same() == {"Plan.md": "one\n", "plan.md": "other\n"}


async def test_a_state_of_an_earlier_version_learns_that_case_is_ignored(
    caseless: Caseless,
) -> None:
    for name in ("Plan.md", "Projects/a.md"):
        caseless.here(name, f"{name}\n")
        caseless.there(name, f"{name}\n")
    await caseless.exchange()
    store = caseless.sync._store
    state = store.load("far:")
    assert state.keeps_case is False
    old = {known.path: known.model_copy(update={"path": ""}) for known in state.files.values()}
    store.save(state.model_copy(update={"files": old, "keeps_case": None}))
    (caseless.vault.root / "Plan.md").unlink()
    assert (await caseless.exchange()).removed == ["Plan.md"]
    assert "Plan.md" not in caseless.same() and "Projects/a.md" in caseless.same()


async def test_a_name_that_no_note_can_have_is_named(tmp_path: Path) -> None:
    r"""Linux allows a backslash, control characters and bytes that are no UTF-8."""
    world = World(tmp_path)
    await world.begun()
    world.here("a\\b.md", "here\n")
    world.here("folder\\/line\nbreak.png", "here\n")
    world.here(os.fsdecode(b"latin\xe9.md"), "here\n")
    world.there("c\\d.md", "there\n")
    for private in ("sealed/a\\b.md", ".h\\b.md", "a/.h\\b.md", "a\\b.partial"):
        world.here(private, "private\n")
        world.there(private, "private\n")
    named = ["a\\b.md", "c\\d.md", "folder\\/line\\nbreak.png", "latin\\udce9.md"]
    assert await world.sync.run() == SyncResult(unsynced=named)
    assert world.sync.status().unsynced == tuple(named)


def test_what_case_is_to_a_file_system() -> None:
    assert paths.caseless("Stra\u00dfe.md") != paths.caseless("Strasse.md")
    assert paths.caseless("CAFE\u0301.md") == paths.caseless("caf\u00e9.md")
    assert paths.swap_case("a/\u00c9t\u00e9 1.MD") == "A/\u00c9T\u00e9 1.md"
