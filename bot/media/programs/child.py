"""Run a program of ours as a process of its own: bytes in, bytes out.

What somebody sent may crash a parser, or take forever; and a model's memory is given back.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ...settings import environment

PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ", "PYTHONPATH", "LD_LIBRARY_PATH")
"""Of the environment: no key of Sam's is among them."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How the program ended: its code, what it wrote, and the end of what it complained of."""

    code: int
    out: bytes
    wrong: str


async def run(program: str, data: bytes, seconds: float) -> Ended:
    """Run a file beside this one with `data` as its standard input. Raises TimeoutError.

    Then, and when it is cancelled, the process is killed.
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
