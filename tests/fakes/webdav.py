"""A WebDAV server over a folder: rclone's own, as a process. Knows nothing of Sam.

It keeps a cache of the folder, so others write through it too, with `upload`. Without that cache
(`--dir-cache-time 0s`) rclone 1.75 blocks itself now and then.
"""

from __future__ import annotations

import socket
import subprocess
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def webdav(rclone: Path, folder: Path) -> Iterator[str]:
    """Serve the folder on the loopback; the server's address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"127.0.0.1:{port}"
    command = [rclone, "serve", "webdav", folder, "--addr", address]
    server = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield f"http://{address}"
    finally:
        server.kill()
        server.wait()


def upload(address: str, path: str, data: bytes) -> None:
    """What another client of the server does: put a file there."""
    request = urllib.request.Request(f"{address}/{urllib.parse.quote(path)}", data, method="PUT")
    with urllib.request.urlopen(request, timeout=20) as answer:
        answer.read()
