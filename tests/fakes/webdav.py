"""Serve a folder over WebDAV with rclone, as a process.

It caches the folder, so other writers must also go through it, with `upload`. Without that cache
(`--dir-cache-time 0s`) rclone 1.75 deadlocks now and then.
"""

from __future__ import annotations

import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .rclone_server import listening


@contextmanager
def webdav(rclone: Path, folder: Path) -> Iterator[str]:
    """Serve the folder on loopback; yield the server's address."""
    server, port = listening([str(rclone), "serve", "webdav", str(folder)])
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.kill()
        server.wait()


def upload(address: str, path: str, data: bytes) -> None:
    """Upload a file as another client of the server."""
    request = urllib.request.Request(f"{address}/{urllib.parse.quote(path)}", data, method="PUT")
    with urllib.request.urlopen(request, timeout=60) as answer:
        answer.read()
