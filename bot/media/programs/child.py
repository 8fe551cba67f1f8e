"""Run one of Sam's programs as a separate process: bytes in, bytes out.

Untrusted input may crash or hang a parser, and a model's memory is freed when its process ends.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ...settings import environment

PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ", "PYTHONPATH", "LD_LIBRARY_PATH")
"""The environment variables to pass on; none of Sam's keys is among them."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The result of a program: exit code, standard output, and the end of standard error."""

    code: int
    out: bytes
    wrong: str


async def run(program: str, data: bytes, seconds: float) -> Ended:
    """Run a file beside this one with `data` as its standard input. Raises TimeoutError.

    On a timeout or cancellation the process is killed.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",
        str(Path(__file__).with_name(program)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=environment(PASSED_ON),
    )
    try:
        async with asyncio.timeout(seconds):
            out, wrong = await process.communicate(data)
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    return Ended(process.returncode or 0, out, wrong.decode("utf-8", "replace")[-300:].strip())
