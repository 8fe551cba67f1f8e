"""Send Ctrl-C at random moments to commands that write: no damage, no traceback, resumable.

Each command runs once to the end, then repeatedly in homes of the same content with a SIGINT at a
random moment of that time. After each, the ledger must add up, and the command's result must be
complete or absent. At the end it runs through, and its result must be the same as without
interruptions.
"""

from __future__ import annotations

import asyncio
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, TypedDict

from memory.backup import backups
from memory.backup.archive import verify
from memory.infra.clock import system_clock
from memory.infra.sqlite import connect
from memory.log import Log
from memory.transfer import read_manifest
from tests.support import exports, prefork
from tests.support.homes import ROOT, Home

MOMENTS = 60  # per command, at full size
TALKS, LINES, NOTES = 30, 100, 400  # at full size; at least a third of the talks and notes
ENDED = (0, 130)


def run(seed: int, size: float, folder: Path) -> dict[str, Any]:
    """Interrupt every command; raise AssertionError if one did damage."""
    chance, figures = random.Random(seed), Counter[str]()
    home = Home(folder / "home")
    talks = {
        f"Talk {number}": [("user", f"Boat {number}-{n} is called Coco.") for n in range(LINES)]
        for number in range(round(TALKS * max(1 / 3, size)))
    }
    file = exports.dump(folder / "conversations.json", exports.chatgpt(talks))
    (folder / "backups").mkdir()
    for number in range(round(NOTES * max(1 / 3, size))):
        home.write(f"notes/{number}.md", f"# Note {number}\n\nThe shed {number} is green.\n")
    assert home.sam("chat", stdin="My bike is red.\n").returncode == 0

    def whole(*words: str) -> float:
        began = time.monotonic()
        done = home.sam(*words, timeout=120)
        assert done.returncode == 0, (words, done.stderr)
        return time.monotonic() - began

    start = start_seconds(home)

    def again(words: tuple[str, ...], seconds: float, check: Callable[[], None]) -> None:
        for _ in range(max(2, round(MOMENTS * size))):
            code = interrupted(home, words, **moment(chance, seconds, start))
            figures["interrupted" if code == 130 else "ran through"] += 1
            assert asyncio.run(adds_up(home)), (words, "the ledger does not add up")
            check()

    out, kept = folder / "out", folder / "backups"

    def exported() -> None:
        assert not list(folder.glob(".out*")), "a part of an export is left"
        if out.exists():
            assert read_manifest(out).counts["messages"] == len(talks) * LINES + 2
            shutil.rmtree(out)

    def backed_up() -> None:
        for path in backups(kept).values():
            with tempfile.TemporaryDirectory(dir=folder) as room:
                verify(path, Path(room))
        left = {path.name for path in kept.iterdir()} - {p.name for p in backups(kept).values()}
        assert not left, f"a part of a backup is left: {left}"

    def found() -> None:
        assert "green" in home.sam("search", "shed", "39").stdout

    commands: tuple[tuple[tuple[str, ...], Callable[[], None]], ...] = (
        (("export", str(out)), exported),
        (("backup", str(kept)), backed_up),
        (("index", "--rebuild"), found),
    )
    before = _state(home)
    seconds = whole("import", str(file), "--yes")
    wanted = _state(home)
    undone = whole("import", "--undo", "1", "--yes")
    assert _state(home) == before
    again(("import", str(file), "--yes"), seconds, lambda: None)
    whole("import", str(file), "--yes")
    assert _state(home) == wanted
    for words, check in commands:
        seconds = whole(*words)
        check()
        again(words, seconds, check)
        whole(*words)
        check()
    [row] = _rows(home, "SELECT max(id) FROM import")
    again(("import", "--undo", str(row[0]), "--yes"), undone, lambda: None)
    if _rows(home, "SELECT id FROM import"):
        whole("import", "--undo", str(row[0]), "--yes")
    assert _state(home) == before
    found()
    return dict(figures)


class Moment(TypedDict):
    """When to interrupt, in seconds, and whether in a fork, which needs no imports."""

    after: float
    forked: bool


def moment(chance: random.Random, seconds: float, start: float) -> Moment:
    """Draw a moment: mostly of the command itself, which takes so many seconds, or of its start."""
    if chance.random() < 0.8:
        return Moment(after=chance.uniform(0, 1.1 * seconds), forked=True)
    return Moment(after=chance.uniform(0, start), forked=False)


def start_seconds(home: Home) -> float:
    """Return how long a command takes that does little besides its imports."""
    began = time.monotonic()
    interrupted(home, ("search", "x"), 0, forked=False, wait=False)
    return time.monotonic() - began


def interrupted(
    home: Home,
    words: tuple[str, ...],
    after: float,
    *,
    forked: bool,
    wait: bool = True,
    typed: str = "",
) -> int:
    """Run a command, and interrupt it after that many seconds, unless `wait` is off; return its
    exit code, 130 also for one that was interrupted before Sam's own code ran."""
    process = (prefork.popen if forked else subprocess.Popen)(
        [sys.executable, "-m", "bot", *words],
        env=home.env,
        cwd=home.folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdin
        process.stdin.write(typed)
        process.stdin.flush()
        if wait:
            time.sleep(after)
            process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=120)
    finally:
        process.kill()
    code = process.returncode
    frames = said.replace(f"{sys.prefix}/", "")  # the libraries may be in a folder of the project
    sams = re.search(rf'"{re.escape(str(ROOT))}/(?!bot/__(?:init|main)__\.py|tests/)', frames)
    if (code == -signal.SIGINT or "Traceback" in said) and not sams:
        return 130  # Python has not started Sam yet
    gone = words[:2] == ("import", "--undo") and "There is no import" in said
    assert code in ENDED or gone, (words, after, code, said)
    assert "Traceback" not in said, (words, after, said)
    return code


async def adds_up(home: Home) -> bool:
    """Return whether the ledger of the log adds up."""
    log = await Log.open(home.data / "log.db", system_clock)
    try:
        return (await log.ledger()).adds_up
    finally:
        await log.close()


def _rows(home: Home, sql: str) -> list[Any]:
    # With Sam's own SQLite: two copies of it in one process must not open the same file, since
    # closing it in one drops the locks of the other (https://sqlite.org/howtocorrupt.html, 2.2.1).
    with closing(connect(home.data / "log.db")) as log:
        return [tuple(row) for row in log.execute(sql).fetchall()]


def _state(home: Home) -> dict[str, Any]:
    """Return the content of the log and the vault, without ids and times."""
    tables = {
        "message": "key, origin, sent_at, text, state",
        "session": "chat, started_at, ended_at",
        "turn": "chat, state",
        "import": "source, ended_at IS NULL",
        "import_chat": "chat, title",
        "tombstone": "text_hash",
    }
    found: dict[str, Any] = {
        table: sorted(map(repr, _rows(home, f"SELECT {columns} FROM {table}")))
        for table, columns in tables.items()
    }
    found["vault"] = sorted(str(path) for path in home.vault.rglob("*") if path.is_file())
    return found
