"""Several Sams on one memory: none takes, duplicates or overwrites another's work."""

from __future__ import annotations

import shutil
import signal
import subprocess
from collections import Counter
from pathlib import Path

from memory.notes.markdown import inert
from tests.support import prefork
from tests.support.files import having
from tests.support.process import SAM, wait_until
from tests.support.world import World, command


def test_summaries_searches_and_a_second_sam_beside_a_running_one(tmp_path: Path) -> None:
    with World.running(tmp_path, SUMMARY_THRESHOLD="4") as world:
        world.sam.start()
        world.asks("one", "two", "three")
        second = command(world, "run")
        assert second.returncode in (1, 2) and "Sam is running already" in second.stderr
        started = [
            prefork.popen(
                [*SAM, *words],
                world.sam.env,
                cwd=world.folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
            )
            for words in (("summarize",), ("summarize",), ("search", "two"), ("index",), ("mcp",))
        ]
        world.asks("four", "five")
        for each in started:
            _, said = each.communicate(timeout=120)
            assert each.returncode == 0 or "holds batch.lock" in said, said
        world.check()


def test_forgotten_beside_a_running_sam_leaves_no_byte_in_any_generation(tmp_path: Path) -> None:
    """Older and unfinished generations of the index contain it as well."""
    with World.running(tmp_path, SUMMARY_THRESHOLD="50") as world:
        world.sam.start()
        world.asks("the wallaby likes quinces", "the wallaby is shy")
        world.telegram.asks("/new", timeout=60)
        world.summarises()
        world.sam.run("index", "--rebuild")
        index = world.data / "index"
        current = (index / "current").read_text().strip()
        shutil.copy(index / current, index / "9.db")  # as a killed rebuild leaves it
        assert any(b"wallaby" in file.read_bytes() for file in index.glob("*.db"))
        world.sam.run("forget", "1", "--yes")
        wait_until(lambda: not found(world, b"wallaby"), f"gone from {found(world, b'wallaby')}")
        assert [file.name for file in index.glob("*.db")] == [current]
        world.asks("and who are you")
        assert world.sam.stop(120) == 0
        assert not found(world, b"wallaby")
        assert world.sam.json("doctor")["ok"]


def found(world: World, word: bytes) -> list[str]:
    """Return the files of the data folder and the vault that contain the word."""
    return [str(file.relative_to(world.folder)) for file in having(word, world.data, world.vault)]


def test_last_nights_backup_over_todays_vault(tmp_path: Path) -> None:
    """The vault is authoritative: a section missing from it is not written again."""
    with World.running(tmp_path) as world:
        world.sam.start()
        world.asks("one", "two")
        world.summarises()
        shutil.copytree(world.vault, tmp_path / "night")
        world.asks("three", "four")
        world.summarises()
        ids = set(world.rows("SELECT id FROM batch"))
        world.asks("five")
        assert world.sam.stop(120) == 0
        shutil.rmtree(world.vault)
        shutil.copytree(tmp_path / "night", world.vault)
        world.sam.start()
        world.asks("six")
        lost = Counter(inert(t) for w in ("three", "four") for t in (w, f"heard: {w}"))
        world.check(gone=lost)
        new = set(world.rows("SELECT id FROM batch WHERE state = 'closed'")) - ids
        text = "".join(file.read_text() for file in (world.vault / "memories").glob("*.md"))
        assert new and all(f"^{id_}" in text for id_ in new) and not new & ids


def test_stopped_while_the_vault_is_looked_through_it_ends_cleanly(tmp_path: Path) -> None:
    with World.running(tmp_path) as world:
        for number in range(800):
            world.write(f"beds/{number}.md", f"# Bed {number}\n\nQuinces by the wall.\n" * 20)
        world.sam.start()
        assert world.sam.process is not None
        wait_until((world.data / "index" / "current").exists, "an index that is begun", nap=0.02)
        world.sam.process.send_signal(signal.SIGINT)
        assert world.sam.process.wait(120) == 0
        assert "Traceback" not in world.sam.log.read_text()
        world.sam.start()
        world.asks("one")
        world.check()
