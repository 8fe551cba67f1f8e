"""A vandalised or compromised remote, with a real rclone: local files must survive."""

from __future__ import annotations

import asyncio
import random
import resource
from datetime import timedelta
from pathlib import Path

import pytest

from bot.errors import SyncStopped
from bot.sync import Instructions, rclone
from bot.sync.consent import is_many
from bot.sync.incoming import Copies
from bot.sync.incoming import copies as copies_module
from bot.sync.remote import Remote
from memory.errors import NoteMissing, VaultError
from memory.infra import atomic_files
from memory.vault import starter
from tests.fakes.rclone_server import served
from tests.support.synced import NOW, World, put, syncing, tree

GOOD = {
    **{f"pictures/{n:02}.png": bytes([137, 80, 78, 71, n]) * 300 for n in range(30)},
    **{f"short/{n:02}.md": f"note {n}\n".encode() for n in range(30)},
    **{
        f"long/{n:02}.md": f"# Note {n}\n\n".encode() + f"line of {n}\n".encode() * 40
        for n in range(30)
    },
}


@pytest.fixture(autouse=True)
def own_rclone_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rclone.conf").touch()
    monkeypatch.setenv("RCLONE_CONFIG", str(tmp_path / "rclone.conf"))


class Clocked(World):
    """A world with a clock that advances."""

    def __init__(self, tmp_path: Path, instructions: Instructions = "tell") -> None:
        super().__init__(tmp_path)
        self.now = NOW
        self.sync = syncing(self.remote, self.vault, lambda: self.now, instructions=instructions)

    def pass_(self, **span: float) -> None:
        self.now += timedelta(**span)

    def removed(self) -> dict[str, bytes]:
        """Return the saved copies: `TIME/PATH` → content."""
        return {f"{c.folder}/{c.path}": c.place.read_bytes() for c in self.sync.copies()}

    def copied(self, texts: dict[str, bytes]) -> int:
        """Count the files that have an unchanged copy."""
        kept = {(c.path, c.place.read_bytes()) for c in self.sync.copies()}
        return sum((path, text) in kept for path, text in texts.items())

    async def filled(self, texts: dict[str, bytes]) -> None:
        for name, text in texts.items():
            self.here(name, text)
        await self.sync.run()

    def vandalise(self, names: list[str]) -> None:
        for name in names:
            self.there(name, b"pwned " + name.encode() + b"\n")


@pytest.fixture
def world(tmp_path: Path) -> Clocked:
    return Clocked(tmp_path)


async def test_ninety_vandalised_files_wait_for_the_owner_and_leave_ninety_copies(
    world: Clocked,
) -> None:
    await world.filled(GOOD)
    mine = tree(world.vault.root)
    world.vandalise(list(GOOD))
    theirs = tree(world.far)
    for way in (world.sync.run, world.sync.pull, world.sync.push):
        with pytest.raises(SyncStopped, match=r"would change 90 files \(long/00\.md, ") as stop:
            await way()
        assert (tree(world.vault.root), tree(world.far)) == (mine, theirs)
    assert "the vault has 90 synced files" in str(stop.value)
    assert world.sync.status().stopped
    done = await world.sync.run(agreed=True)
    assert (len(done.kept), world.copied(GOOD)) == (90, 90)
    assert not world.sync.status().stopped
    assert world.sync.status().copies == (90, sum(map(len, GOOD.values())))
    world.pass_(minutes=5)
    world.there("short/00.md", "and again\n")
    assert (await world.sync.run()).taken == ["short/00.md"]  # confirmed changes do not count
    assert len(await world.sync.restore("2026-11-21 143000")) == 90
    await world.sync.run()
    here = {name: (world.vault.root / name).read_bytes() for name in GOOD}
    assert here == GOOD == {name: (world.far / name).read_bytes() for name in GOOD}


async def test_another_vaults_folder_is_not_taken_for_the_remote(world: Clocked) -> None:
    """A small vault loses less than a day's limit to it, but everything that it has."""
    mine = {f"Life/{name}.md": f"my {name}\n".encode() for name in ("Home", "Work", "Money")}
    help_ = "Help/Files of this vault.md"
    await world.filled({**mine, help_: starter.source().joinpath(help_).read_bytes()})
    for name in mine:
        (world.far / name).unlink()
    world.there("Trips/Lisbon.md", b"somebody else's\n")
    theirs = tree(world.far)
    with pytest.raises(SyncStopped, match="none of your files as they were: is it another folder"):
        await world.sync.run()
    assert tree(world.far) == theirs
    assert all((world.vault.root / name).read_bytes() == text for name, text in mine.items())
    world.there("Life/Home.md", mine["Life/Home.md"])  # the owner's folder, in which two are gone
    assert sorted((await world.sync.run()).archived) == ["Life/Money.md", "Life/Work.md"]


def test_half_a_copy_is_none(tmp_path: Path) -> None:
    note, copies = tmp_path / "a.md", Copies(tmp_path / "removed")
    note.write_bytes(b"a long line\n" * 1000)
    whole = atomic_files.file_hash(note)
    assert whole is not None
    kept = copies.keep(note, "a.md", whole, NOW)
    room, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5000, most))  # like a disk that fills up
    try:
        with pytest.raises(VaultError):
            copies.keep(note, "a.md", whole, NOW + timedelta(minutes=5))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, most))
    assert [copy.place for copy in copies.find("a.md")] == [kept]


async def test_deletions_of_less_than_half_a_round_are_stopped_within_the_day(
    world: Clocked,
) -> None:
    await world.filled(GOOD)
    chance = random.Random(7)
    left = sorted(GOOD)
    for share in (0.45, 0.1, 0.1, 0.1):
        gone = chance.sample(left, int(share * len(left)))
        for name in gone:
            (world.far / name).unlink()
        left = [name for name in left if name not in gone]
        with pytest.raises(SyncStopped, match=f"would delete {len(GOOD) - len(left)} files "):
            await world.sync.run()
        world.pass_(minutes=5)
    assert set(GOOD) <= tree(world.vault.root).keys()
    done = await world.sync.run(agreed=True)
    assert len(done.archived) == len(GOOD) - len(left)
    assert world.copied(GOOD) == len(done.archived)


async def test_many_small_rounds_are_one_day(world: Clocked) -> None:
    await world.filled(GOOD)
    names = sorted(GOOD)
    for part in (names[:8], names[8:16], names[16:22]):
        world.vandalise(part)
        assert len((await world.sync.run()).taken) == len(part)
        world.pass_(hours=1)
    world.vandalise(names[22:24])
    with pytest.raises(SyncStopped, match=r"would change 2 files .*, after 22 others within a day"):
        await world.sync.run()
    assert world.copied({name: GOOD[name] for name in names[:22]}) == 22
    world.pass_(hours=23)
    assert len((await world.sync.run()).taken) == 2  # the first ones happened yesterday


async def test_what_is_changed_here_and_what_comes_new_is_not_counted(world: Clocked) -> None:
    await world.filled(GOOD)
    mine = [*GOOD][::3]
    for name in mine:
        world.here(name, b"by me: " + GOOD[name])
    for number in range(60):
        world.there(f"import/{number}.md", f"{number}\n")
    done = await world.sync.run()
    assert (len(done.pushed), len(done.taken), done.kept) == (len(mine), 60, [])
    for number in range(60):
        world.there(f"import/{number}.md", f"{number}, corrected\n")
    assert len((await world.sync.run()).taken) == 60
    (world.far / "long").rename(world.far / "longer")
    (world.far / "short").rename(world.far / "shorter")  # most of the vault is renamed
    assert len((await world.sync.run()).archived) == 60
    world.same()


async def test_a_deleted_file_that_comes_back_stays_counted(world: Clocked) -> None:
    await world.filled(GOOD)
    names = sorted(GOOD)
    for name in names[:20]:
        (world.far / name).unlink()
    await world.sync.run()
    world.vandalise(names[:20])
    await world.sync.run()
    world.vandalise(names[20:30])
    with pytest.raises(SyncStopped, match="after 20 others within a day"):
        await world.sync.run()


async def test_a_new_machine_is_not_stopped(world: Clocked) -> None:
    for name, text in GOOD.items():
        world.there(name, text)
    assert len((await world.sync.run()).taken) == 90
    world.same()


@pytest.mark.parametrize(
    ("changed", "deleted", "whole", "many"),
    [
        (20, 0, 30, False),
        (21, 0, 30, True),
        (0, 10, 12, False),
        (0, 11, 12, True),
        (15, 6, 30, True),
        (250, 0, 1000, False),
        (200, 51, 1000, True),
        (500, 0, 100_000, False),
        (501, 0, 100_000, True),
    ],
)
def test_many_changes_at_once_are_recognised_by_number_and_share(
    changed: int, deleted: int, whole: int, many: bool
) -> None:
    assert is_many(changed, deleted, whole) is many


# ── copies ───────────────────────────────────────────────────────────────────────────────────


async def test_a_merge_and_a_deletion_leave_a_copy_too(world: Clocked) -> None:
    await world.begun(a="one\ntwo\nthree\n", b="b\n")
    world.here("a.md", "one\ntwo\nthree\nmine\n")
    world.there("a.md", "theirs\none\ntwo\nthree\n")
    (world.far / "b.md").unlink()
    assert sorted((await world.sync.run()).kept) == ["a.md", "b.md"]
    assert world.removed() == {
        "2026-11-21 143000/a.md": b"one\ntwo\nthree\nmine\n",
        "2026-11-21 143000/b.md": b"b\n",
    }
    place = world.sync.copies()[0].place
    assert (place.stat().st_mode & 0o777, place.parent.stat().st_mode & 0o777) == (0o600, 0o700)


async def test_what_changes_here_meanwhile_leaves_no_copy_and_stays(
    world: Clocked, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.begun(a="a\n")
    world.there("a.md", "theirs\n")
    put = world.vault.put

    async def late(path: str, source: Path, *, expected: str | None, cause: str) -> bool:
        if source.read_bytes() == b"theirs\n" and path == "a.md":
            world.here("a.md", "mine, just now\n")
        return await put(path, source, expected=expected, cause=cause)

    monkeypatch.setattr(world.vault, "put", late)
    done = await world.sync.pull()
    assert b"a\n" not in world.removed().values()
    assert tree(world.vault.root)["a.md"].startswith("mine, just now\n")
    assert (done.conflicts, len(world.removed())) == (["a.md"], len(done.kept))


async def test_a_copy_comes_back_by_path_and_what_was_there_is_kept(world: Clocked) -> None:
    await world.begun(a="first\n")
    for text in ("second\n", "third\n"):
        world.pass_(hours=1)
        world.there("a.md", text)
        await world.sync.run()
    assert await world.sync.restore("a.md") == ["a.md"]
    assert tree(world.vault.root)["a.md"] == "second\n"
    assert await world.sync.restore("2026-11-21 153000/a.md") == ["a.md"]
    assert tree(world.vault.root)["a.md"] == "first\n"
    assert b"third\n" in world.removed().values()
    with pytest.raises(NoteMissing, match=r"There is no copy of b\.md"):
        await world.sync.restore("b.md")


async def test_a_copy_of_a_macs_file_comes_back_by_the_name_that_people_type(
    world: Clocked,
) -> None:
    await world.begun(**{"Cafe\u0301": "was\n"})
    world.there("Cafe\u0301.md", "is\n")
    await world.sync.run()
    folder = world.sync.copies()[0].folder
    for wanted in ("Caf\u00e9.md", f"{folder}/Caf\u00e9.md"):
        assert await world.sync.restore(wanted) == ["Cafe\u0301.md"]
    assert tree(world.vault.root)["Cafe\u0301.md"] == "was\n"


async def test_copies_go_by_age(world: Clocked) -> None:
    await world.begun(a="first\n")
    world.there("a.md", "second\n")
    await world.sync.run()
    world.pass_(days=29, hours=23)
    await world.sync.run()
    assert list(world.removed().values()) == [b"first\n"]
    world.pass_(hours=2)
    await world.sync.run()
    assert world.removed() == {}
    assert list((world.vault.data_dir / "sync" / "removed").iterdir()) == []


async def test_copies_go_by_size_and_never_a_young_one_unasked(
    world: Clocked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copies_module, "ROOM", 250)
    monkeypatch.setattr(copies_module, "VAULTS", 0)
    monkeypatch.setattr("bot.sync.state._TICK", 0)
    await world.begun(a="a" * 100, b="b" * 100, c="c" * 100)

    async def replaced(name: str, letter: str = "X") -> None:
        world.there(f"{name}.md", letter * 100)
        await world.sync.run()

    await replaced("a")
    world.pass_(days=6)
    await replaced("b")
    world.pass_(days=2)
    await replaced("c")  # the one of a is older than a week, and is deleted
    assert [key.split("/")[1] for key in world.removed()] == ["c.md", "b.md"]
    with pytest.raises(SyncStopped, match="there is no room for copies of them in"):
        await replaced("a", "Y")
    assert tree(world.vault.root)["a.md"] == "X" * 100
    await world.sync.run(agreed=True)
    assert [key.split("/")[1] for key in world.removed()] == ["a.md", "c.md"]


# ── how Sam acts ─────────────────────────────────────────────────────────────────────────────

HELD = ("soul.md", "skills/cook/SKILL.md", "knowledge/rules.md")


async def test_what_the_remote_changes_about_how_sam_acts_is_told(world: Clocked) -> None:
    for name in (*HELD, "note.md"):
        world.here(name, "one\ntwo\n")
    assert (await world.sync.run()).instructions == []
    for name in (*HELD, "note.md"):
        world.there(name, "one\nTWO\n")
    done = await world.sync.run()
    assert len(done.taken) == 4
    told = {one.path: (one.lines, one.waiting) for one in done.instructions}
    assert told == dict.fromkeys(HELD, (("-two", "+TWO"), False))
    assert (await world.sync.run()).instructions == []


async def test_held_it_waits_for_the_owner_who_is_told_once(tmp_path: Path) -> None:
    world = Clocked(tmp_path, "hold")
    for name in (*HELD, "note.md", "user.md"):
        world.here(name, "one\n")
    await world.sync.run()
    (world.far / "user.md").unlink()
    for name in (*HELD, "note.md", "skills/new/SKILL.md"):
        world.there(name, "theirs\n")
    waiting = {*HELD, "skills/new/SKILL.md", "user.md"}
    done = await world.sync.run()
    assert done.taken == ["note.md"]
    assert {one.path for one in done.instructions if one.waiting} == waiting
    assert (await world.sync.run()).instructions == []
    assert set(world.sync.status().waiting) == waiting
    here = tree(world.vault.root)
    assert {here[name] for name in (*HELD, "user.md")} == {"one\n"}
    assert "skills/new/SKILL.md" not in here

    held = {name: hash for name, hash, _ in await world.sync.waiting()}
    world.there("skills/cook/SKILL.md", "changed once more\n")
    shown = ("soul.md", "skills/cook/SKILL.md", "user.md")
    done = await world.sync.accept({name: held[name] for name in shown})
    assert (done.taken, done.archived) == (["soul.md"], ["user.md"])
    assert [one.path for one in done.instructions] == ["skills/cook/SKILL.md"]
    assert tree(world.vault.root)["skills/cook/SKILL.md"] == "one\n"  # not as it was shown
    held = {name: hash for name, hash, _ in await world.sync.waiting()}
    await world.sync.accept(held)
    world.same()
    assert world.sync.status().waiting == ()


async def test_a_renamed_note_cannot_become_an_instruction_that_is_held(tmp_path: Path) -> None:
    world = Clocked(tmp_path, "hold")
    await world.begun(note="act so\n")
    (world.far / "skills/x").mkdir(parents=True)
    (world.far / "note.md").rename(world.far / "skills/x/SKILL.md")
    await world.sync.run()
    here = tree(world.vault.root)
    assert "skills/x/SKILL.md" not in here and here["archive/note.md"] == "act so\n"


# ── what another writes while Sam sends ─────────────────────────────────────────────────────


@pytest.mark.parametrize("kind", ["webdav", "sftp", "s3"])
async def test_what_another_writes_between_the_look_and_the_upload_is_in_the_archive(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "far").mkdir()
    server = served(rclone.find(), kind, tmp_path / "far", tmp_path / "rclone.conf")
    try:
        world = World(tmp_path, "far:bucket" if kind == "s3" else "far:")
        if kind == "s3":
            world.far = tmp_path / "far" / "bucket"
        await world.begun(a="a\n", b="b\n")
        real = Remote.send

        async def send(self: Remote, folder: Path, *, fresh: bool, aside: bool = False) -> None:
            if (folder / "a.md").exists():
                world.there("a.md", "the owner's, just now\n")
                server.forget()
            await real(self, folder, fresh=fresh, aside=aside)

        monkeypatch.setattr(Remote, "send", send)
        world.here("a.md", "a, by Sam\n")
        world.here("b.md", "b, by Sam\n")
        done = await world.sync.run()
        assert done.conflicts == ["a.md"]
        here = tree(world.vault.root)
        assert here["archive/a (overwritten 2026-11-21 143000).md"] == "the owner's, just now\n"
        assert (here["a.md"], here["b.md"]) == ("a, by Sam\n", "b, by Sam\n")
        server.forget()
        files = {path.relative_to(world.far) for path in world.far.rglob("*") if path.is_file()}
        assert files == set(map(Path, here))  # the hidden folder there is empty
        assert not (world.vault.data_dir / "sync" / "overwritten").exists()
    finally:
        server.close()


async def test_what_was_put_aside_by_a_sync_that_was_killed_is_found_by_the_next(
    tmp_path: Path,
) -> None:
    (tmp_path / "far").mkdir()
    server = served(rclone.find(), "webdav", tmp_path / "far", tmp_path / "rclone.conf")
    try:
        world = World(tmp_path, "far:")
        await world.begun(a="a\n", b="b\n")
        world.here("a.md", "a, by Sam\n")
        world.sync._store.sends({"a.md": atomic_files.digest(b"a, by Sam\n")})
        # the state after rclone has moved both aside, and sent nothing
        for name, text in (("a.md", "the owner's\n"), ("b.md", "b\n")):
            put(world.far / ".sam-replaced" / name, text)
        (world.far / "a.md").unlink()
        server.forget()
        done = await world.sync.run()
        assert (done.conflicts, sorted(done.pushed)) == (
            ["a.md"],
            ["a.md", "archive/a (overwritten 2026-11-21 143000).md"],
        )
        assert not [path for path in world.far.rglob(".sam-replaced/*")]
    finally:
        server.close()


async def test_what_sam_itself_replaced_before_it_was_killed_is_no_conflict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "far").mkdir()
    server = served(rclone.find(), "webdav", tmp_path / "far", tmp_path / "rclone.conf")
    try:
        world = World(tmp_path, "far:")
        await world.begun(a="a\n")
        world.here("a.md", "a, by Sam\n")

        async def killed(round_: object) -> None:
            raise asyncio.CancelledError

        with monkeypatch.context() as at_the_end:
            at_the_end.setattr("bot.sync.push._rescue", killed)
            with pytest.raises(asyncio.CancelledError):
                await world.sync.run()
        world.here("b.md", "b\n")
        server.forget()
        done = await world.sync.run()
        assert (done.conflicts, done.pushed) == ([], ["b.md"])
        assert tree(world.vault.root).keys() == {"home.md", "a.md", "b.md"}
    finally:
        server.close()


@pytest.mark.parametrize(
    ("remote", "plain"),
    [
        ("dav:Sam", True),
        ("dav,vendor=nextcloud:Sam", False),
        ("cloud:Sam", False),
        ("drive:Sam", False),
        ("bucket:Sam", True),
        ("unknown:Sam", False),
        (":sftp,host=x:Sam", True),
        (":webdav,url='http://x',vendor=owncloud:Sam", False),
        (":drive:Sam", False),
        ("/home/ana/Drive", False),
        ("relative", False),
        ("./a:b", False),
    ],
)
async def test_only_where_no_versions_are_kept_files_are_moved_aside(
    tmp_path: Path, remote: str, plain: bool
) -> None:
    (tmp_path / "rclone.conf").write_text(
        "[dav]\ntype = webdav\nvendor = rclone\nurl = http://x\n\n"
        "[cloud]\ntype = webdav\nvendor = nextcloud\nurl = http://x\npass = abc\n\n"
        "[drive]\ntype = drive\n\n[bucket]\ntype = s3\n"
    )
    found = Remote(remote, rclone.Rclone(tmp_path / "rclone.lock"), tmp_path / "staging")
    assert await found.is_plain() is plain
