"""A real Sam connected to the fakes, for fault injection, and the final check of each scenario.

The model answers `heard: …`, and a summary has one verbatim bullet per message. So after any faults
each message must be in the log once, and in a daily note once.
"""

from __future__ import annotations

import asyncio
import re
import sqlite3
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from memory.notes.markdown import inert
from tests.fakes.claude import FakeClaude
from tests.fakes.claude_request import Request
from tests.fakes.telegram import FakeTelegram
from tests.fakes.violations import assert_no_violations
from tests.support import prefork
from tests.support.day_files import bullets_by_day
from tests.support.fresh_index import chunks, fresh
from tests.support.invariants import summarised, words_of
from tests.support.memories import opened
from tests.support.process import SAM, Sam, wait_until

_SHOWN = re.compile(r"^\[(\d+)\] \d\d:\d\d [^:]+: (.*)$")
WRITES = ("memories", "sessions", "archive")
"""The folders of the vault that Sam writes to."""


def scripted(claude: FakeClaude) -> None:
    """Script the model as the module's docstring says."""

    def answer(request: Request) -> str:
        return f"heard: {request.newest_text.rstrip().splitlines()[-1]}"

    def summary(request: Request) -> dict[str, Any]:
        rows = [m for row in request.newest_text.splitlines() if (m := _SHOWN.match(row))]
        return {
            "summary": f"{len(rows)} messages",
            "bullets": [{"text": m[2], "messages": [int(m[1])], "action": False} for m in rows],
        }

    claude.responds_with("ok", when="Say: ok")
    claude.answers(answer, model="sonnet")
    claude.summaries(summary)


class World:
    """One Sam, and all messages sent to it."""

    def __init__(self, folder: Path, telegram: Any, claude: FakeClaude, **given: str) -> None:
        self.telegram, self.claude, self.folder = telegram, claude, folder
        self.vault, self.data = folder / "vault", folder / "data"
        self.said: list[str] = []
        self.sam = Sam(
            folder,
            **{
                **telegram.env,
                "ANTHROPIC_API_KEY": "sk-ant-test",
                "ANTHROPIC_BASE_URL": claude.url,
                "EMBEDDING_PROVIDER": "none",
                "BUDGET_DAILY_USD": "0",
                "HEARTBEAT_MINUTES": "0",
                "PROFILES_DIR": str(folder / "profiles"),
                **given,
            },
        )

    @classmethod
    @contextmanager
    def running(cls, folder: Path, **given: str) -> Iterator[World]:
        """Start the fakes, but not Sam; stop everything at the end."""
        with FakeTelegram.running() as telegram, FakeClaude.running() as claude:
            scripted(claude)
            made = cls(folder, telegram, claude, **given)
            try:
                yield made
            except BaseException:
                if made.sam.log.exists():
                    print(made.sam.story())
                raise
            finally:
                made.sam.end()

    def write(self, path: str, text: str) -> None:
        """Write a note as the owner."""
        (self.vault / path).parent.mkdir(parents=True, exist_ok=True)
        (self.vault / path).write_text(text, "utf-8")

    def sends(self, *texts: str) -> None:
        """Send messages; each must be unique."""
        for text in texts:
            self.said.append(text)
            self.telegram.passes(seconds=1)
            self.telegram.receives(text)

    def answered(self, text: str) -> bool:
        """Return whether the answer to the message was sent."""
        return any(f"heard: {text}" == words_of(sent.text) for sent in self.telegram.sent)

    def asks(self, *texts: str) -> None:
        """Send messages, and wait until they are answered and the answers are in the log."""
        self.sends(*texts)
        self.see_answered(*texts)
        self.see_done()

    def see_answered(self, *texts: str) -> None:
        for text in texts:
            wait_until(lambda text=text: self.answered(text), f"an answer to {text!r}", nap=0.1)

    def see_done(self) -> None:
        """Wait until each update is done: an answer is logged a moment after it is sent."""
        waiting = "SELECT count(*) FROM incoming WHERE state = 'received'"
        wait_until(lambda: self.rows(waiting, store="inbox.db") == [0], "every update is done")

    def summarises(self) -> None:
        """Summarise all that is pending, also while Sam is summarising by itself."""
        summarised(self.sam)

    def logs(self, text: str) -> bool:
        """Return whether Sam's log contains the text."""
        return text in self.sam.log.read_text("utf-8", "replace")

    def notes(self) -> dict[str, bytes]:
        """Return the files of the vault that Sam does not write to."""
        return {
            path.relative_to(self.vault).as_posix(): path.read_bytes()
            for path in self.vault.rglob("*")
            if path.is_file() and path.relative_to(self.vault).parts[0] not in WRITES
        }

    def bullets(self) -> Counter[str]:
        """Count the bullets of all daily notes, except summary lines."""
        return Counter(row for rows in bullets_by_day(self.vault).values() for row in rows)

    def rows(self, question: str, *values: object, store: str = "log.db") -> list[Any]:
        """Return the first column of a read-only query."""
        if url := self.sam.env.get("DATABASE_URL"):
            from memory.infra.postgres import Tenant
            from tests.support.stores import Stores

            name = store.removesuffix(".db")
            tenant = Tenant(url, "owner" if name == "log" else "bot")
            return [row[0] for row in Stores(self.data, tenant).rows(name, question)]
        with closing(sqlite3.connect(f"file:{self.data / store}?mode=ro", uri=True)) as db:
            return [row[0] for row in db.execute(question, values)]

    def check(self, *, gone: Counter[str] | None = None, failed: int = 0, unasked: int = 0) -> None:
        """Check the invariants of every scenario, and stop Sam.

        `gone`: bullets that the owner removed. `failed`: number of answers that reported an error
        instead. `unasked`: number of messages that Sam sent without being asked.
        """
        if self.sam.process is not None:
            if self.sam.process.poll() is None:
                self.see_done()
            assert self.sam.stop(120) == 0
        self.sam.run("summarize", timeout=120)
        report = self.sam.json("doctor")
        assert report["ok"], report["problems"]
        ledger = report["ledger"]
        assert ledger["adds_up"] and not any(ledger["lags"].values()), ledger
        asked = self.rows("SELECT text FROM message WHERE role = 'user'")
        assert Counter(asked) == Counter(self.said)
        told = Counter(self.rows("SELECT text FROM message WHERE role = 'assistant'"))
        assert told.total() == len(self.said) - failed + unasked and set(told.values()) <= {1}
        wanted = Counter(inert(text) for text in [*self.said, *told])
        assert self.bullets() == wanted - (gone or Counter())
        assert_no_violations(self.telegram)
        assert not self.telegram.pending
        asyncio.run(self._is_as_built_from_nothing())

    async def _is_as_built_from_nothing(self) -> None:
        aside = self.folder / "aside"
        folders: dict[str, Any] = {"vault_dir": self.vault, "data_dir": self.data}
        if url := self.sam.env.get("DATABASE_URL"):
            folders["database_url"] = SecretStr(url)
        async with opened(self.folder, sole=False, **folders) as memory:
            await memory.reconcile()
            built = await fresh(memory, aside)
            try:
                assert await chunks(memory.index) == await chunks(built)
            finally:
                await built.close()


@contextmanager
def mounted(place: Path, *how: str) -> Iterator[None]:
    """Run `mount HOW place` for the block; skip the test where that is refused."""
    place.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(["mount", *how, str(place)], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"a small disk cannot be mounted here: {done.stderr.strip()}")
    try:
        yield
    finally:
        unmount(place)


def unmount(place: Path) -> None:
    """Unmount lazily, even if it is in use; ignore a missing mount."""
    subprocess.run(["umount", "-l", str(place)], capture_output=True, check=False)


@contextmanager
def full(place: Path) -> Iterator[None]:
    """Fill the disk of that folder to the last byte for the block."""
    filler = place / ".filler"
    try:
        with filler.open("wb", buffering=0) as file:
            for size in (65_536, 4_096, 1):
                try:
                    while True:
                        file.write(bytes(size))
                except OSError:
                    continue
        yield
    finally:
        filler.unlink()


def command(world: World, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command of `sam`, and capture its output."""
    return prefork.run([*SAM, *words], world.sam.env, cwd=world.folder, timeout=60)
