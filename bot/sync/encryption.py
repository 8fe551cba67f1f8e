"""Whether a remote keeps what it is sent encrypted: rclone's `crypt`, maybe below others."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from ..errors import RemoteFailed
from .rclone import Rclone

_DUMP_SECONDS = 20.0
_DEEPEST = 10  # remotes inside of each other
_REMOTE = re.compile(r"(:?[\w.+@ -]+)[:,]")


async def is_encrypted(remote: str, lock: Path) -> bool | None:
    """Return whether rclone encrypts what goes to `remote`; None for a folder of this machine.

    `lock`: that of the rclone at work. Raises SyncError. rclone's configuration has passwords in
    it: nothing of it is kept.
    """
    if remote.startswith((".", "/", "~")) or not _REMOTE.match(remote):
        return None
    _, said = await Rclone(lock).run("config", "dump", timeout=_DUMP_SECONDS)
    try:
        known = json.loads(said or "{}")
    except json.JSONDecodeError as wrong:
        raise RemoteFailed("rclone does not say how its remotes are made.") from wrong
    return _leads_to_crypt(remote, known if isinstance(known, dict) else {})


def _leads_to_crypt(remote: str, known: dict[str, Any]) -> bool:
    for _ in range(_DEEPEST):
        found = _REMOTE.match(remote)
        if not found:
            return False
        name = found[1]
        if name.startswith(":"):  # made on the spot: its name is its kind
            return name == ":crypt"
        section = known.get(name)
        if not isinstance(section, dict):
            raise RemoteFailed(f"rclone's configuration does not name {name}.")
        if section.get("type") == "crypt":
            return True
        remote = str(section.get("remote") or "")
    return False
