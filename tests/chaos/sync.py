"""Sync under chaos: two writers, a real rclone and server, kills, stale lists, skewed clocks.

Each written line has a unique word. At the end both sides must be equal, and each word must be in
the vault, in its archive, or where this machine keeps what was removed from it.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Collection, Coroutine, Iterable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import hypothesis.strategies as st
from hypothesis import HealthCheck, Phase, settings
from hypothesis import seed as seeded
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from bot.errors import SyncError, SyncStopped
from bot.sync import Sync
from bot.sync.rclone import find
from bot.sync.remote import Remote, RemoteFile
from memory.errors import SamError
from memory.vault import Vault
from tests.chaos import Figures
from tests.fakes.rclone_server import Server, served
from tests.support import synced

STEPS, SECONDS = 300, 600.0
NOW = datetime(2026, 11, 21, 14, 30, tzinfo=UTC)
WORD = re.compile(r"\b[ht]\d+z\b")
KINDS = {"webdav": "far:", "sftp": "far:", "folder": "", "s3": "far:bucket"}
"""What serves the remote, and its name for rclone."""
STARTED = (
    "notes/plan.md",
    "notes/ideas.md",
    "tasks.md",
    "knowledge/preference.md",
    "memories/2026-11-21.md",
    "soul.md",
)
STEPS_BY_WEIGHT = {
    "edit": 30,
    "edit_both": 15,
    "rename": 6,
    "delete": 6,
    "clocks": 4,
    "vandalise": 3,
    "exchange": 15,
    "exchange_while_both_write": 8,
    "exchange_with_rclone_killed": 6,
    "exchange_by_a_process_that_dies": 2,
}
Dice = st.integers(0, 2**32 - 1)

RUN = """
import asyncio, sys
from pathlib import Path
from tests.chaos.sync import syncing
sync = syncing(Path(sys.argv[1]), sys.argv[2])
print("ready", flush=True)
sys.stdin.readline()
asyncio.run(sync.run(agreed=True))
"""


class Watched(Remote):
    """The remote as seen by the sync: listings may be stale, and uploads are tracked."""

    old: list[RemoteFile] | None = None
    stale = False
    under_way: frozenset[str] = frozenset()
    sending = False

    async def list(self, only: Collection[str] | None = None) -> list[RemoteFile]:
        fresh = await super().list(only)
        if not self.stale or self.old is None:
            if only is None:
                self.old = fresh
            return fresh
        return [file for file in self.old if only is None or file.path in only]

    def outgoing(self) -> Path:
        self.sending = True
        return super().outgoing()

    async def fetch(self, names: Iterable[str], *, again: bool = False) -> Path:
        wanted = frozenset(names)
        if again and self.sending:  # the last check before what is then sent
            self.under_way = wanted
        return await super().fetch(wanted, again=again)

    async def send(self, folder: Path, *, fresh: bool, aside: bool = False) -> None:
        try:
            await super().send(folder, fresh=fresh, aside=aside)
        finally:
            self.rest()

    def rest(self) -> None:
        self.sending, self.under_way = False, frozenset()


def syncing(folder: Path, remote: str, clock: Callable[[], datetime] = lambda: NOW) -> Sync:
    vault = Vault(folder / "vault", data_dir=folder / "data")
    return synced.syncing(remote, vault, clock)


class TwoWriters(RuleBasedStateMachine):
    """One vault, one remote, and all actions on them."""

    kind: ClassVar[str] = "folder"
    seen: ClassVar[Counter[str]] = Counter()

    @initialize(dice=Dice)
    def begin(self, dice: int) -> None:
        self.idle = dice == 0  # hypothesis' first example is always the simplest one
        if self.idle:
            return
        self.chance = random.Random(dice)
        self.loop = asyncio.new_event_loop()
        self.folder = Path(tempfile.mkdtemp(prefix="sync-chaos-"))
        self.live, self.far = self.folder / "vault", self.folder / "far"
        self.words = self.steps = 0
        self.written: set[str] = set()
        self.risky: set[str] = set()
        self.ticked: set[str] = set()
        self.replaced: set[str] = set()
        self.skews = {"h": 0.0, "t": 0.0}
        self.now = NOW
        kind, self.remote = self.kind, KINDS[self.kind]
        root = self.far
        self.far = root / self.remote.partition(":")[2]  # a bucket is a folder of the server's
        for folder in (self.live, self.far):
            folder.mkdir(parents=True)
        self.seen[f"runs on a {kind}"] += 1
        config = self.folder / "rclone.conf"
        config.touch()
        self.before = os.environ.get("RCLONE_CONFIG")
        os.environ["RCLONE_CONFIG"] = str(config)
        self.server: Server | None = None
        if self.remote:
            self.server = served(find(), kind, root, config)
        else:
            self.remote = str(self.far)
        self.sync = syncing(self.folder, self.remote, lambda: self.now)
        old = self.sync._remote
        self.watched = Watched(old._name, old._rclone, old._staging)
        self.sync._remote = self.watched
        for name in STARTED:
            self.put(self.live, name, f"# {name}\n\nmiddle {self.word('h')}\n\nend\n")
        self.run(self.sync.run(agreed=True))

    # ── writing ──────────────────────────────────────────────────────────────────────────────

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        try:
            return self.loop.run_until_complete(work)
        finally:
            self.watched.rest()

    def word(self, side: str) -> str:
        self.words += 1
        word = f"{side}{self.words}z"
        self.written.add(word)
        return word

    def put(self, root: Path, name: str, text: str) -> None:
        """Write as an editor or a cloud drive does: atomically, possibly with a wrong mtime."""
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        spare = path.with_name(".spare.tmp")
        spare.write_text(text, "utf-8", newline="")
        at = time.time_ns() + int(self.skews["h" if root == self.live else "t"] * 1e9)
        os.utime(spare, ns=(at, at))
        spare.replace(path)

    def notes(self, root: Path) -> list[Path]:
        """Return the notes that a person may write: not the archive, nor Sam's hidden folders."""
        return [
            path
            for path in sorted(root.rglob("*.md"))
            if not any(
                part == "archive" or part.startswith(".") for part in path.relative_to(root).parts
            )
        ]

    def scribble(self, side: str, dice: random.Random) -> None:
        root = self.live if side == "h" else self.far
        notes = self.notes(root)
        name = (
            dice.choice(notes).relative_to(root).as_posix()
            if notes and dice.random() < 0.9
            else f"notes/new {dice.randrange(3)}.md"
        )
        if side == "t" and name in self.watched.under_way:
            if self.server:
                return  # its files are incomplete while they are being written
            self.seen["writes while Sam sends that file"] += 1
            self.risky.add(f"t{self.words + 1}z")
        if not (root / name).exists():
            # Deleted and recreated: cannot be told from an edit if the note is short.
            other = (self.far if side == "h" else self.live) / name
            if other.exists() and len(set(other.read_text("utf-8").split("\n")) - {""}) < 3:
                self.replaced.update(WORD.findall(other.read_text("utf-8")))
        word = self.word(side)
        text = (root / name).read_text("utf-8") if (root / name).exists() else ""
        self.put(root, name, _changed(text, name, word, dice, self.ticked))
        self.seen["edits"] += 1

    def sides(self) -> str:
        return "\n".join(_texts(self.live) + _texts(self.far) + _texts(self.removed))

    @property
    def removed(self) -> Path:
        return self.folder / "data" / "sync" / "removed"

    def gone(self, words: set[str]) -> None:
        """Words that only their writer had, and the writer removed, may be missing."""
        self.written -= words - set(WORD.findall(self.sides()))

    def nothing_is_lost(self, after: str) -> None:
        """Check that each word still exists somewhere; called after every step."""
        lost = self.written - set(WORD.findall(self.sides()))
        lost -= self.risky | self.replaced
        assert not lost, f"{after} of step {self.steps} lost {sorted(lost)} in {self.folder}"

    # ── actions ──────────────────────────────────────────────────────────────────────────────

    @rule(dice=Dice)
    def step(self, dice: int) -> None:
        """Take one random action of those below."""
        if not self.idle:
            self.steps += 1
            chance = random.Random(dice)
            (name,) = chance.choices(list(STEPS_BY_WEIGHT), list(STEPS_BY_WEIGHT.values()))
            getattr(self, name)(chance)
            self.nothing_is_lost(name)

    def edit(self, chance: random.Random) -> None:
        for _ in range(chance.randint(1, 3)):
            self.scribble(chance.choice("ht"), chance)

    def edit_both(self, chance: random.Random) -> None:
        """Edit the same note on both sides, in the same place or not."""
        dice = chance.random()
        for side in "ht":
            self.scribble(side, random.Random(dice))

    def rename(self, chance: random.Random) -> None:
        root = chance.choice((self.live, self.far))
        if notes := self.notes(root):
            note = chance.choice(notes)
            to = note.with_name(f"{note.stem[:12]} {chance.randrange(100)}.md")
            if not to.exists():
                note.rename(to)
                self.seen["renames"] += 1

    def delete(self, chance: random.Random) -> None:
        root = chance.choice((self.live, self.far))
        notes = self.notes(root)
        if len(notes) > 4:
            note = chance.choice(notes)
            words = set(WORD.findall(note.read_text("utf-8")))
            note.unlink()
            self.gone(words)
            self.seen["deletions"] += 1

    def vandalise(self, chance: random.Random) -> None:
        """Overwrite or delete most of the remote, as somebody with its password could.

        After the sync each local file must be unchanged, or a copy of it must be left.
        """
        self.attempt(self.sync.run())  # the vandal could destroy what exists on one side only
        if self.server:
            self.server.forget()
        before = {path: text for path, text in _bytes(self.live).items()}
        names = [name for name in _bytes(self.far) if chance.random() < 0.8]
        gone = WORD.findall("\n".join(_texts(self.far)))
        for name in names:
            if chance.random() < 0.5 and name != names[0]:
                (self.far / name).unlink()
            else:
                self.put(self.far, name, f"vandalised {chance.random()}\n")
        self.gone(set(gone))  # what had not been pulled yet
        self.seen["files vandalised"] += len(names)
        self.attempt(self.sync.run())
        left = {*_bytes(self.live).values(), *_bytes(self.removed).values()}
        lost = [name for name, text in before.items() if text not in left]
        assert not lost, f"no copy of {lost} after vandalism in {self.folder}"
        self.seen["copies found"] += len(before)

    def clocks(self, chance: random.Random) -> None:
        for side in "ht":
            self.skews[side] = chance.choice((0, 0, 3600, -3600, 86_400 * 3, -1.5))
        self.now = NOW + timedelta(seconds=chance.randint(-7200, 7200))

    def exchange(self, chance: random.Random) -> None:
        ways = (self.sync.run, self.sync.run, self.sync.pull, self.sync.push)
        self.attempt(chance.choice(ways)(), stale=chance.random() < 0.3)

    def exchange_while_both_write(self, chance: random.Random) -> None:
        async def writing() -> None:
            for _ in range(4):
                await asyncio.sleep(chance.random() * 0.15)
                self.scribble("t", chance)
                note = chance.choice(STARTED)
                word = self.word("h")
                try:
                    await self.sync._vault.edit(note, partial(_appended, word=word), cause="x")
                except SamError:
                    self.written.discard(word)

        async def both() -> None:
            task = asyncio.create_task(self.sync.run())
            await writing()
            with suppress(SyncError):
                await task

        self.seen["syncs while both write"] += 1
        self.run(both())

    def exchange_with_rclone_killed(self, chance: random.Random) -> None:
        async def killed() -> None:
            task = asyncio.create_task(self.sync.run())
            for _ in range(chance.randint(0, 2)):
                await asyncio.sleep(0.02 + chance.random() * 0.2)
            for pid in _rclones() - ({self.server.process.pid} if self.server else set()):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                    self.seen["kills of rclone"] += 1
            with suppress(SyncError):
                await task

        self.run(killed())

    def exchange_by_a_process_that_dies(self, chance: random.Random) -> None:
        worker = subprocess.Popen(
            (sys.executable, "-c", RUN, str(self.folder), self.remote),
            cwd=Path(__file__).parents[2],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        with worker:
            assert worker.stdin and worker.stdout
            worker.stdout.readline()
            worker.stdin.write("go\n")
            worker.stdin.flush()
            time.sleep(chance.random() * 1.2)
            worker.kill()
            worker.wait()
        self.seen["kills of `sam sync`"] += 1

    def attempt(self, work: Coroutine[Any, Any, Any], *, stale: bool = False) -> bool:
        self.watched.stale = stale
        self.seen["syncs with an old list" if stale else "syncs"] += 1
        try:
            self.run(work)
        except SyncStopped:
            self.seen["syncs that asked"] += 1
            return self.agree()
        except SyncError:
            self.seen["syncs that gave up"] += 1
            return False
        finally:
            self.watched.stale = False
        return True

    def agree(self) -> bool:
        """Confirm as the owner that a mass change is intended."""
        try:
            self.run(self.sync.run(agreed=True))
        except SyncError:
            return False
        return True

    # ── final checks ─────────────────────────────────────────────────────────────────────────

    def teardown(self) -> None:
        if getattr(self, "idle", True):
            return
        try:
            self.settle()
            if not self.seen["files vandalised"]:  # also if so few steps were drawn that none did
                self.vandalise(random.Random(self.words))
                self.settle()
            self.check()
        finally:
            if self.server:
                self.server.close()
            self.loop.close()
            if self.before is None:
                os.environ.pop("RCLONE_CONFIG", None)
            else:
                os.environ["RCLONE_CONFIG"] = self.before
        shutil.rmtree(self.folder)

    def settle(self) -> None:
        """Sync until nothing is left to do."""
        if self.server:
            self.server.forget()
        for _ in range(60):
            try:
                done = self.run(self.sync.run(agreed=True))
            except SyncError:  # an rclone of a killed Sam may still be running
                time.sleep(0.2)
                continue
            if not (done.changed or done.pushed or done.removed or done.left):
                return
        raise AssertionError(f"the sync never came to rest: {done}")

    def check(self) -> None:
        here, there = _tree(self.live), _tree(self.far)
        assert here == there, {
            name: (here.get(name), there.get(name))
            for name in here.keys() | there.keys()
            if here.get(name) != there.get(name)
        }
        lost = self.written - set(WORD.findall(self.sides()))
        self.seen["of these lost"] += len(lost & self.risky)
        self.nothing_is_lost("settling")
        self.seen["lines written"] += len(self.written)
        self.seen["conflicts told"] += self.sides().count("Sync conflict,")
        for name, text in here.items():
            if not name.startswith("archive/"):
                _check_tasks(name, text)
        self.seen["runs"] += 1


def _appended(text: str, word: str) -> str:
    return f"{text}- {word}\n"


def _changed(text: str, name: str, word: str, dice: random.Random, ticked: set[str]) -> str:
    lines = text.split("\n")
    plain = [n for n, line in enumerate(lines) if line and not line.startswith((">", "#"))]
    what = dice.choice(("append", "append", "insert", "change", "tick", "section"))
    if name == "tasks.md" and what == "append":
        return f"{text}- [ ] do {word} 🆔 i{word}\n"
    if what == "tick":
        for number in dice.sample(plain, len(plain)):
            if lines[number].startswith("- [ ] "):
                lines[number] = lines[number].replace("[ ]", "[x]", 1).rstrip() + " ✅ 2026-11-21"
                ticked.update(WORD.findall(lines[number]))
                break
        return "\n".join(lines).rstrip("\n") + f"\n- {word}\n"
    if what == "section":
        at = f"{dice.randrange(24):02}:{dice.randrange(60):02}:00"
        return f"{text.rstrip()}\n\n## {at}\n\n- {word}\n"
    if what == "change" and plain:
        number = dice.choice(plain)
        if "🆔" not in lines[number]:
            lines[number] += f" {word}"
            return "\n".join(lines)
    if what == "insert" and plain:
        lines.insert(dice.choice(plain), f"- {word}")
        return "\n".join(lines)
    if name.startswith("knowledge/"):
        return f"{text}- Likes {word} (updated:: 2026-11-21) ^f{word}\n"
    return f"{text}- {word}\n" if text.endswith("\n") or not text else f"{text}\n- {word}\n"


def _check_tasks(name: str, text: str) -> None:
    """Check that no task is both done and open."""
    open_, done = (
        set(re.findall(rf"^\s*- \[{box}\] .*🆔 (\w+)", text, re.M)) for box in (" ", "x")
    )
    assert not open_ & done, f"{name}: {open_ & done} are done and open\n{text}"


def _tree(root: Path) -> dict[str, str]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes().decode("utf-8", "replace")
        for path in sorted(root.rglob("*"))
        if path.is_file() and not path.name.startswith(".") and path.suffix != ".partial"
    }


def _bytes(root: Path) -> dict[str, bytes]:
    return {name: (root / name).read_bytes() for name in _tree(root)}


def _texts(root: Path) -> list[str]:
    return list(_tree(root).values())


def _rclones() -> set[int]:
    """Return the rclone child processes of this process."""
    found = set()
    for children in Path("/proc/self/task").glob("*/children"):
        with suppress(OSError):
            for pid in children.read_text().split():
                if Path(f"/proc/{pid}/comm").read_text().strip() == "rclone":
                    found.add(int(pid))
    return found


def run(seed: int, size: float, folder: Path) -> Figures:
    """Run as many sequences of 300 steps as fit in ten minutes; a small fraction in CI."""
    steps, end = max(18, round(STEPS * min(1.0, size * 4))), time.monotonic() + SECONDS * size
    TwoWriters.seen = Counter()
    before = tempfile.tempdir
    tempfile.tempdir = str(folder)
    number = 0
    try:
        while number < 2 or time.monotonic() < end:
            once = settings(
                max_examples=2,
                stateful_step_count=steps,
                deadline=None,
                database=None,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
                print_blob=False,
            )
            given = {"kind": list(KINDS)[number % len(KINDS)]}
            machine = seeded(seed + number)(type("Run", (TwoWriters,), given))
            run_state_machine_as_test(machine, settings=once, _min_steps=steps)
            number += 1
    finally:
        tempfile.tempdir = before
    return {"steps a run": steps, **dict(sorted(TwoWriters.seen.items()))}
