"""`sam restore` as a process: killed at its steps, and with a missing or damaged log."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory.backup.restore import ROOM
from tests.support import invariants, prefork
from tests.support.damage import gone, zeroed
from tests.support.files import tree
from tests.support.noon import noon_somewhere
from tests.support.process import Sam
from tests.support.world import World

COMMAND = re.compile(r"`(sam restore [^`]+)`")
MOVE = re.compile(r"\(mv (\S+) ([^\s;)]+)[;)]")


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """Provide a Sam with a backup that lacks the latest messages, all of today, so no day ends."""
    given = {"SUMMARY_THRESHOLD": "200", "TIMEZONE": noon_somewhere()[0]}
    with World.running(tmp_path, **given) as made:
        made.telegram.clock = datetime.now(UTC)
        yield made


def backup_of(world: World) -> Path:
    return Path(world.sam.json("backup")["file"])


def restored(sam: Sam, *words: str, dies: str = "") -> subprocess.CompletedProcess[str]:
    """Run `sam restore WORDS --yes`, killed just before that file operation."""
    folder = sam.folder
    given = {
        "SAM_TEST_BELOW": str(folder),
        "SAM_TEST_TRACE": str(folder / "trace"),
        "SAM_TEST_DIES": dies,
    }
    killed = [sys.executable, "-m", "tests.support.kill_at_write", "restore", *words, "--yes"]
    return prefork.run(killed, sam.env | given, cwd=folder, timeout=120)


def what_to_do(sam: Sam) -> list[str]:
    """Return the command that Sam recommends after an interrupted restore, without `sam`."""
    told = sam.on_disk()
    [command] = COMMAND.findall(" ".join(problem["what"] for problem in told["problems"]))
    assert sam.run("search", "anything", check=False) == "", "it does not start on half of it"
    return shlex.split(command)[2:]


def put(folder: Path) -> dict[str, bytes]:
    """Return the permanent files: neither locks nor what is being unpacked."""
    return {
        path: data
        for path, data in tree(folder).items()
        if ROOM not in path and path.startswith(("vault/", "data/")) and ".lock" not in path
    }


def test_killed_at_any_step_it_is_run_again_and_ends_as_if_nothing_had_happened(
    world: World, tmp_path: Path
) -> None:
    """Each restore resumes one that was killed, and is killed itself."""
    world.write("garden.md", "The quince stands by the wall.\n")
    world.sam.start()
    world.asks("one", "two")
    world.summarises()
    world.asks("three")
    file = str(backup_of(world))
    ledger = world.sam.on_disk()["ledger"]
    assert world.sam.stop(60) == 0
    straight, new = (
        Sam(tmp_path / name, **{k: v for k, v in world.sam.env.items() if "_DIR" not in k})
        for name in ("straight", "new")
    )
    assert restored(straight, file).returncode == 0
    whole = put(straight.folder)
    last = (straight.folder / "trace").read_text().count("os.rename:")
    words = [file]
    for step in (
        "os.mkdir:2",  # nothing has been created
        "os.rename:1",  # the mark is written, but not renamed into place
        "open:log.db",  # unpacking, from here on
        "open:garden.md",
        "os.rename:2",  # nothing has been moved in
        "os.rename:4",  # half of it has
        f"os.rename:{last}",  # all of it has, but the mark does not say so
        "os.remove:restoring",  # nothing is left to do
    ):
        killed = restored(new, *words, dies=step)
        assert killed.returncode == -9, (step, killed.stdout, killed.stderr)
        here = put(new.folder)
        strange = {name for name, data in here.items() if whole.get(name) != data}
        assert all(name.startswith(("data/restoring", "data/.sam-")) for name in strange), strange
        if "data/restoring" in here:
            words = what_to_do(new)
            assert words == [file]
    done = restored(new, *words)
    assert done.returncode == 0, done.stderr
    assert put(new.folder) == whole
    found = new.on_disk()["ledger"]
    assert found["adds_up"] and found["messages"] == ledger["messages"]
    assert found["turns"] == ledger["turns"] and found["updates"] == ledger["updates"]


@pytest.mark.parametrize("damage", [gone, zeroed])
def test_the_log_alone_comes_back_killed_or_not_and_nothing_is_summarised_twice(
    world: World, damage: Callable[[Path], None]
) -> None:
    """The vault keeps what came after the backup, although the log does not know it."""
    sam = world.sam
    sam.start()
    world.asks("one", "two")
    world.summarises()
    world.asks("three")  # pending in the backup, and summarised after it
    file = str(backup_of(world))
    history = world.rows("SELECT text FROM message ORDER BY id")
    world.summarises()
    world.asks("four")
    world.summarises()
    assert sam.stop(60) == 0
    damage(world.data / "log.db")
    vault, words = tree(world.vault), [file, "--only-log"]
    while (refused := restored(sam, *words)).returncode:  # whatever is there stays there
        damaged = tree(world.data)
        [(what, where)] = MOVE.findall(refused.stderr)
        assert len(list(world.data.glob("log.db*.old"))) < 3, refused.stderr
        assert restored(sam, *words).returncode == 1 and tree(world.data) == damaged
        Path(what).rename(where)
    if damage is gone:
        (world.data / "log.db").unlink()
        for step in (
            "open:log.db",  # unpacking
            "os.rename:2",  # before it is moved in
            "os.rename:3",  # after that, but the mark does not say so
            "open:batch.lock",  # the vault's later sections have not been looked up
            "os.remove:restoring",  # everything is done
        ):
            killed = restored(sam, *words, dies=step)
            assert killed.returncode == -9, (step, killed.stdout, killed.stderr)
            assert tree(world.vault) == vault
            words = what_to_do(sam)
            assert words == [file, "--only-log"]
        assert restored(sam, *words).returncode == 0
    assert tree(world.vault) == vault
    assert world.rows("SELECT text FROM message ORDER BY id") == history
    ledger = sam.on_disk()["ledger"]
    assert ledger["adds_up"] and ledger["messages"] == {"closed": 4, "excluded": 2}
    sam.start()
    world.asks("five")
    answers = [f"heard: {text}" for text in world.said]
    invariants.check(sam, world.said, answers, (each.text for each in world.telegram.sent))
