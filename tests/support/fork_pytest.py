"""Run pytest repeatedly, each time in a fork with the libraries already imported.

    python -m tests.support.fork_pytest

Reads a line of JSON for each run, {"arguments": […], "output": a file's path, "seconds": a number},
and answers with pytest's exit code, or null on a timeout. None of our own code is imported here:
each fork reads it from disk.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import sys
import time
from contextlib import suppress

LIBRARIES = (
    *("pytest", "asyncio", "hypothesis", "numpy", "httpx", "yaml"),
    *("aiohttp.web", "anthropic", "apscheduler.schedulers.asyncio", "mcp.server"),
    *("pydantic_settings", "rich.console", "rich.progress", "telegram.ext", "telegramify_markdown"),
    *("voyageai", "watchfiles"),
)
PLUGINS = ("-p", "pytest_asyncio.plugin", "-p", "pytest_timeout", "-p", "_hypothesis_pytestplugin")


def run(arguments: list[str], output: str, seconds: float) -> int | None:
    """Run pytest with these arguments; return its exit code, None if it was killed on a timeout."""
    child = os.fork()
    if not child:
        _be_pytest([*PLUGINS, *arguments], output)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def _be_pytest(arguments: list[str], output: str) -> None:
    import pytest

    os.setsid()
    with open(os.devnull) as nothing, open(output, "w") as out:  # noqa: PTH123 (before any test)
        os.dup2(nothing.fileno(), 0)
        for stream in (1, 2):
            os.dup2(out.fileno(), stream)
    code = 3  # pytest's code for "internal error"
    try:
        code = int(pytest.main(arguments))
        sys.stdout.flush()
    finally:
        os._exit(code)  # never return into the loop of the parent process


def main() -> None:
    """Serve requests until standard input is closed."""
    for name in LIBRARIES:
        importlib.import_module(name)
    for line in sys.stdin:
        print(json.dumps(run(**json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
