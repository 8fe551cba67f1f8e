"""Temporary home folders for `sam` under test, configured by environment variables only.

`Home.sam` runs the command in a process, as a user does.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.settings import Settings
from tests.support import prefork
from tests.support.engines import environment, with_engine

ROOT = Path(__file__).resolve().parents[2]


STARTED: list[subprocess.Popen[Any]] = []


@pytest.fixture(autouse=True)
def no_process_is_left() -> Iterator[None]:
    """Kill processes that a failed test left running (import this fixture where it is needed)."""
    yield
    while STARTED:
        with STARTED.pop() as process:
            if process.poll() is None:
                process.kill()


class Home:
    """Folders below `folder`, and the environment variables that point Sam to them."""

    def __init__(self, folder: Path, **more: str) -> None:
        self.folder = folder
        self.vault, self.data = folder / "Sam" / "vault", folder / "Sam" / "data"
        given = {
            "HOME": str(folder),
            "PATH": os.environ["PATH"],
            "SAM_ENV_FILE": ".env",  # only this folder's, not the clone's
            "PYTHONPATH": str(ROOT),
            "TIMEZONE": "UTC",
            "EMBEDDING_PROVIDER": "none",
            "VAULT_DIR": str(self.vault),
            "DATA_DIR": str(self.data),
            "PROFILES_DIR": str(folder / "Sam" / "profiles"),
            # On a busy machine recall may exceed the default time limit, and finds nothing then.
            "RECALL_SECONDS": "60",
        }
        self.env = given | more
        folder.mkdir(parents=True, exist_ok=True)

    def write(self, path: str, text: str) -> Path:
        """Write a note in the vault."""
        file = self.vault / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        return file

    def dotenv(self, text: str) -> Path:
        """Write `.env` in Sam's working folder."""
        path = self.folder / ".env"
        path.write_text(text, "utf-8")
        path.chmod(0o600)
        return path

    def sam(
        self, *words: str, stdin: str | None = "", timeout: float = 60, **more: Any
    ) -> subprocess.CompletedProcess[str]:
        """Run `sam WORDS` in the folder; its output is text."""
        return prefork.run(
            [sys.executable, "-m", "bot", *words],
            self.env | environment() | more.pop("env", {}),
            input=stdin,
            timeout=timeout,
            cwd=more.pop("cwd", self.folder),
        )

    def start(self, *words: str) -> subprocess.Popen[str]:
        """Start `sam WORDS` and leave it running, its three streams in pipes."""
        process = prefork.popen(
            [sys.executable, "-m", "bot", *words],
            self.env | environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            bufsize=1,
            cwd=self.folder,
        )
        STARTED.append(process)
        return process

    def settings(self, **given: Any) -> Settings:
        """Return the same settings as an object, for code in the test's own process."""
        values: dict[str, Any] = {
            name.lower(): value for name, value in self.env.items() if name.lower() in FIELDS
        }
        return with_engine(Settings(_env_file=None, **values | given))  # type: ignore[call-arg]


FIELDS = frozenset(Settings.model_fields)
