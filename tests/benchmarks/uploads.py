"""Measure what is lost when a laptop edits a note while Sam uploads it.

    python -m tests.benchmarks.uploads [--edits N] [--seed N] [--json]

rclone serves a folder by WebDAV, SFTP and S3. The laptop writes through the server: it reads the
note, appends a line, and writes it, at random moments. Sam appends lines to the same note and syncs
all the time. An edit is lost if its line is nowhere in the end: not on the remote, in the vault, in
its archive, or among the sync's copies. Each server is measured with Sam's uploads as they are, and
without moving what they replace aside.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from bot.errors import SyncError
from bot.sync import Sync
from bot.sync.rclone import find
from memory.vault import Vault
from tests.fakes.rclone_server import served
from tests.support.synced import syncing, tree

EDITS = 80  # of the laptop on each server
KINDS = {"webdav": "far:", "sftp": "far:", "s3": "far:bucket"}
NOTE = "plan.md"
PAUSE = 0.3  # seconds between two edits of the laptop, at most
WORD = re.compile(r"\b[ls]\d+z\b")
ROUNDS = 40  # syncs until nothing changes, at most


class Laptop:
    """Another client of the server, with an editor for one note."""

    def __init__(self, config: Path, remote: str) -> None:
        self._command = [str(find()), "--config", str(config)]
        self._note = f"{remote}{'' if remote.endswith(':') else '/'}{NOTE}"
        self.written = 0

    def _rclone(self, *words: str, text: str = "") -> str:
        command = [*self._command, *words, self._note]
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        return done.stdout if done.returncode == 0 else ""

    def edit(self) -> None:
        """Append a line to the note; nothing if it is not there, or not whole, at this moment."""
        text = self._rclone("cat")
        if text.startswith("# Plan") and text.endswith("\n"):
            self.written += 1
            self._rclone("rcat", text=f"{text}- l{self.written}z\n")


async def _edited(folder: Path, kind: str, edits: int, seed: int, aside: bool) -> dict[str, int]:
    far, remote, config = folder / "far", KINDS[kind], folder / "rclone.conf"
    root = far / remote.partition(":")[2]
    root.mkdir(parents=True)
    config.touch()
    os.environ["RCLONE_CONFIG"] = str(config)
    server = served(find(), kind, far, config)
    try:
        vault = Vault(folder / "vault", data_dir=folder / "data")
        vault.root.mkdir()
        (vault.root / NOTE).write_text("# Plan\n\n", "utf-8")
        sync = syncing(remote, vault, lambda: datetime.now(UTC))
        if not aside:
            sync._remote._plain = False
        await sync.run()
        chance, laptop = random.Random(seed), Laptop(config, remote)
        mine = conflicts = 0

        async def writes() -> None:
            while laptop.written < edits:
                await asyncio.sleep(chance.random() * PAUSE)
                await asyncio.to_thread(laptop.edit)

        writing = asyncio.create_task(writes())
        while not writing.done():
            mine += 1
            await vault.edit(NOTE, partial(_appended, line=f"- s{mine}z\n"), cause="benchmark")
            with suppress(SyncError):
                conflicts += len((await sync.run(agreed=True)).conflicts)
        await writing
        await _settled(sync)
    finally:
        server.close()
    kept = {
        word
        for place in (vault.root, root, folder / "data" / "sync" / "removed")
        for text in tree(place).values()
        for word in WORD.findall(text)
    }
    return {
        "edits of the laptop": edits,
        "of these lost": sum(f"l{n}z" not in kept for n in range(1, edits + 1)),
        "edits of Sam": mine,
        "of Sam's lost": sum(f"s{n}z" not in kept for n in range(1, mine + 1)),
        "files with a conflict": conflicts,
    }


def _appended(text: str, line: str) -> str:
    return text + line


async def _settled(sync: Sync) -> None:
    for _ in range(ROUNDS):
        with suppress(SyncError):
            done = await sync.run(agreed=True)
            if not (done.changed or done.pushed or done.removed or done.left):
                return
    raise AssertionError("the sync never came to rest")


def main(words: Sequence[str] | None = None) -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.uploads")
    parser.add_argument("--edits", type=int, default=EDITS, help="of the laptop on each server")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(words)
    figures = {}
    for kind in KINDS:
        for aside in (True, False):
            with tempfile.TemporaryDirectory(prefix="sam-uploads-") as folder:
                name = kind if aside else f"{kind}, nothing moved aside"
                run = _edited(Path(folder), kind, given.edits, given.seed, aside)
                figures[name] = asyncio.run(run)
                if not given.json:
                    shown = (f"{what} {figure}" for what, figure in figures[name].items())
                    print(f"{name}: {', '.join(shown)}", flush=True)
    if given.json:
        print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
