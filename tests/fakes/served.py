"""A remote over a folder: rclone's own server, as a process, with what Sam needs to reach it.

Others write into the folder itself; the server looks at it anew after a tenth of a second. Without
any cache (`--dir-cache-time 0s`) rclone 1.75 blocks itself now and then.
"""

from __future__ import annotations

import socket
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

_LOOK = ("--dir-cache-time", "100ms")
_USER, _PASS = "sam", "a-test"


@dataclass
class Server:
    """`far:` in rclone's configuration leads here."""

    process: subprocess.Popen[bytes]

    def forget(self) -> None:
        """Wait until it has forgotten what it knew of the folder."""
        time.sleep(0.3)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()


def served(rclone: Path, kind: str, folder: Path, config: Path) -> Server:
    """Serve the folder by `webdav`, `sftp` or `s3` on the loopback; write `far:` into a config."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [str(rclone), "serve", kind, str(folder), "--addr", f"127.0.0.1:{port}", *_LOOK]
    if kind == "sftp":
        command += ["--user", _USER, "--pass", _PASS]
        hidden = subprocess.run([rclone, "obscure", _PASS], capture_output=True, text=True).stdout
        lines = ["type = sftp", "host = 127.0.0.1", f"port = {port}", f"user = {_USER}"]
        lines += [f"pass = {hidden.strip()}", "shell_type = none", "disable_hashcheck = true"]
    elif kind == "s3":
        command += ["--auth-key", f"{_USER},{_PASS}"]
        lines = ["type = s3", "provider = Rclone", f"endpoint = http://127.0.0.1:{port}"]
        lines += [f"access_key_id = {_USER}", f"secret_access_key = {_PASS}"]
    else:
        lines = ["type = webdav", f"url = http://127.0.0.1:{port}", "vendor = rclone"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    for _ in range(400):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.05)
    config.write_text("\n".join(["[far]", *lines, ""]))
    return Server(process)
