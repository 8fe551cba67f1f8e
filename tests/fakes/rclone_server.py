"""Serve a folder with rclone as a remote for sync: WebDAV, SFTP or S3.

Tests write into the folder itself; the server re-reads it after a tenth of a second. Without any
cache (`--dir-cache-time 0s`) rclone 1.75 deadlocks now and then.
"""

from __future__ import annotations

import socket
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from tests.support.process import free_port

_LOOK = ("--dir-cache-time", "100ms")
_USER, _PASS = "sam", "a-test"


@dataclass
class Server:
    """A running server, configured in rclone as the remote `far:`."""

    process: subprocess.Popen[bytes]

    def forget(self) -> None:
        """Wait until its cache of the folder has expired."""
        time.sleep(0.3)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()


def listening(command: list[str]) -> tuple[subprocess.Popen[bytes], int]:
    """Start an rclone server on a free loopback port; return the process and the port.

    If another process takes the port first, rclone exits and is started again on another one.
    """
    for _ in range(5):
        port = free_port()
        process = subprocess.Popen(
            [*command, "--addr", f"127.0.0.1:{port}"], stderr=subprocess.DEVNULL
        )
        end = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < end:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return process, port
            time.sleep(0.02)
        process.kill()
        process.wait()
    raise AssertionError(f"it does not listen: {command}")


def served(rclone: Path, kind: str, folder: Path, config: Path, *options: str) -> Server:
    """Serve the folder by `webdav`, `sftp` or `s3` on loopback; write `far:` to the config."""
    given: tuple[str, ...] = _LOOK + options
    if kind == "sftp":
        given += ("--user", _USER, "--pass", _PASS)
        hidden = subprocess.run([rclone, "obscure", _PASS], capture_output=True, text=True).stdout
        lines = ["type = sftp", "host = 127.0.0.1", "port = {port}", f"user = {_USER}"]
        lines += [f"pass = {hidden.strip()}", "shell_type = none", "disable_hashcheck = true"]
    elif kind == "s3":
        given += ("--auth-key", f"{_USER},{_PASS}")
        lines = ["type = s3", "provider = Rclone", "endpoint = http://127.0.0.1:{port}"]
        lines += [f"access_key_id = {_USER}", f"secret_access_key = {_PASS}"]
    else:
        lines = ["type = webdav", "url = http://127.0.0.1:{port}", "vendor = rclone"]
    process, port = listening([str(rclone), "serve", kind, str(folder), *given])
    config.write_text("\n".join(["[far]", *lines, ""]).format(port=port))
    return Server(process)
