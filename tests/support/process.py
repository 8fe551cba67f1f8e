"""Run the real `sam` in processes."""

from __future__ import annotations

import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.support import prefork

ROOT = Path(__file__).parents[2]
SAM = [sys.executable, "-m", "bot"]
PORTS, PORT_PARTS = range(10_000, 32_000), 64
_drawn = itertools.count(os.getpid())  # so that two runs of the tests begin at different ports


def environment(folder: Path, given: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a Sam process: tool paths, its own home, the given settings."""
    kept = {name: os.environ[name] for name in ("PATH", "TMPDIR", "GOGC") if name in os.environ}
    return {
        **kept,
        "LANG": "C.UTF-8",  # without one, Python itself sets LC_CTYPE at its start
        "HOME": str(folder / "home"),
        "PYTHONPATH": str(ROOT),
        "SAM_NO_ENV_FILE": "1",
        "VAULT_DIR": str(folder / "vault"),
        "DATA_DIR": str(folder / "data"),
        "TIMEZONE": "UTC",
        # On a busy machine recall may exceed the default time limit, and the answer then says so.
        "RECALL_SECONDS": "60",
        **given,
    }


class Sam:
    """One installation of Sam in a folder: a killable `sam run`, and its commands."""

    command: Sequence[str] = SAM
    """What starts `sam run`; its commands are always the plain ones."""

    def __init__(self, folder: Path, **given: str) -> None:
        self.folder, self.env = folder, environment(folder, given)
        (folder / "home").mkdir(parents=True, exist_ok=True)
        self.log = folder / "sam.log"
        self.process: subprocess.Popen[bytes] | None = None
        self.starts = 0

    def start(self, **given: str) -> None:
        """Start `sam run`."""
        with self.log.open("ab") as out:
            self.process = prefork.popen(
                [*self.command, "run"],
                {**self.env, **given},
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
            )
        self.starts += 1

    def kill(self) -> None:
        """Send SIGKILL."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def end(self) -> None:
        """Send SIGKILL if it is still running."""
        if self.process is not None and self.process.poll() is None:
            self.kill()

    def stop(self, timeout: float = 60) -> int:
        """Send SIGTERM and return the exit code."""
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout)

    def run(self, *words: str, check: bool = True, timeout: float = 60, **given: str) -> str:
        """Return a command's standard output."""
        done = prefork.run([*SAM, *words], {**self.env, **given}, cwd=self.folder, timeout=timeout)
        if check and done.returncode:
            raise AssertionError(f"sam {' '.join(words)}: {done.returncode}\n{done.stderr}")
        return done.stdout

    def json(self, *words: str, timeout: float = 60, **given: str) -> Any:
        """Return a command's parsed JSON output."""
        return json.loads(self.run(*words, "--json", check=False, timeout=timeout, **given))

    def on_disk(self, timeout: float = 60) -> Any:
        """Return the doctor report on local state only, in a fifth of the time.

        Without a model or a token the doctor makes no requests and imports no SDK.
        """
        nobody = dict.fromkeys(
            ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "TELEGRAM_BOT_TOKEN"), ""
        )
        return self.json("doctor", timeout=timeout, **nobody)

    def story(self) -> str:
        """Return the end of the log, for a failing test."""
        return "\n".join(self.log.read_text("utf-8", "replace").splitlines()[-60:])


def wait_until(
    true: Callable[[], object], what: str, timeout: float = 60, nap: float = 0.2
) -> None:
    """Wait until `true()` is true; raise AssertionError with `what` after `timeout` seconds."""
    deadline = time.monotonic() + timeout
    while not true():
        if time.monotonic() > deadline:
            raise AssertionError(f"never came: {what}")
        time.sleep(nap)


def free_port() -> int:
    """Return a port of this machine that nobody listens on, and that nobody else draws.

    It is below the range from which the system takes ports for port 0 and for connections. Each
    worker of pytest-xdist draws from its own part of it, and never the same port twice.
    """
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % PORT_PARTS
    own = range(PORTS.start + worker, PORTS.stop, PORT_PARTS)
    for _ in own:
        port = own[next(_drawn) % len(own)]
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise AssertionError("every port is in use")
