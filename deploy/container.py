#!/usr/bin/env python3
"""The first process of Sam's container: run `sam`, and monitor that it is alive.

    container.py run        started by the image: `sam run`; other commands of `sam` work too
    container.py --healthy  the health check: exit with 1 without a recent sign of life

`sam run` reports over systemd's protocol (sd_notify(3)) that its connection and its stores respond.
Here this process is the receiver: it records the time of each sign of life, and terminates a Sam
that sends none, so that the container's restart policy starts it again.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

FOLDER = Path(os.environ.get("SAM_RUN_DIR", "/tmp/sam"))  # a tmpfs, private to this container
WATCHDOG = float(os.environ.get("SAM_WATCHDOG_SECONDS", "60"))
START = 600.0  # seconds until the first sign: a large store may have to be migrated first
STOP = 80.0  # seconds for Sam to finish an answer and close its stores


def main(words: list[str]) -> int:
    """Return the exit code of `sam`, 1 if it had to be terminated, or the health."""
    alive = FOLDER / "alive"
    if words == ["--healthy"]:
        try:
            return int(time.time() - alive.stat().st_mtime > WATCHDOG)
        except FileNotFoundError:
            return 1
    if words[:1] != ["run"]:
        os.execvp("sam", ["sam", *words])
    return keep(words, alive)


def keep(words: list[str], alive: Path) -> int:
    """Run `sam run` until it exits, or until it sends no sign of life."""
    FOLDER.mkdir(mode=0o700, parents=True, exist_ok=True)
    address = FOLDER / "notify"
    address.unlink(missing_ok=True)
    alive.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as signs:
        signs.bind(str(address))
        signs.settimeout(1.0)
        told = {"NOTIFY_SOCKET": str(address), "WATCHDOG_USEC": str(int(WATCHDOG * 1e6))}
        sam = subprocess.Popen(["sam", *words], env=os.environ | told)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda which, _: sam.send_signal(which))
        until = time.monotonic() + START
        while sam.poll() is None:
            try:
                sign = signs.recv(4096).decode("utf-8", "replace").split("\n")
            except TimeoutError:
                sign = []
            if "WATCHDOG=1" in sign or "READY=1" in sign:
                alive.touch()
                until = time.monotonic() + WATCHDOG
            if time.monotonic() > until:
                print("Sam gives no sign of life, and is terminated.", file=sys.stderr, flush=True)
                return end(sam)
        return sam.returncode if sam.returncode >= 0 else 128 - sam.returncode


def end(sam: subprocess.Popen[bytes]) -> int:
    """Terminate a hanging Sam; return 1."""
    sam.terminate()
    try:
        sam.wait(STOP)
    except subprocess.TimeoutExpired:
        sam.kill()
        sam.wait()
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
