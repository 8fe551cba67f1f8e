"""A WebDAV server over a folder: rclone's own, as a process. Knows nothing of Sam.

It keeps a cache of the folder, so others write through it too, with `upload`. Without that cache
(`--dir-cache-time 0s`) rclone 1.75 blocks itself now and then.
"""

from __future__ import annotations

import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .served import listening


@contextmanager
def webdav(rclone: Path, folder: Path) -> Iterator[str]:
    """Serve the folder on the loopback; the server's address."""
    server, port = listening([str(rclone), "serve", "webdav", str(folder)])
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.kill()
        server.wait()


def upload(address: str, path: str, data: bytes) -> None:
    """What another client of the server does: put a file there."""
    request = urllib.request.Request(f"{address}/{urllib.parse.quote(path)}", data, method="PUT")
    with urllib.request.urlopen(request, timeout=20) as answer:
        answer.read()
