"""A WebDAV server over a folder: rclone's own, as a process. Knows nothing of Sam."""

from __future__ import annotations

import socket
import subprocess
import time
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
    command = [rclone, "serve", "webdav", folder, "--addr", address, "--dir-cache-time", "0s"]
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
