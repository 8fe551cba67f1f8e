"""Processes forked by `tests.support.prefork` behave like processes started plainly."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support import prefork
from tests.support.process import ROOT, environment

TOLD = """
    import json, os, signal, sys, time, warnings
    modules = {name for name in sys.modules if name.split(".")[0] in ("bot", "memory")}
    print(json.dumps({
        "argv": sys.argv, "cwd": os.getcwd(), "env": dict(os.environ), "path": sys.path[:2],
        "main": [__name__, __file__, vars(sys.modules["__main__"]) is globals()],
        "modules": sorted(modules), "filters": len(warnings.filters), "zone": time.tzname,
        "open": sorted(map(int, os.listdir("/proc/self/fd")))[:4],
        "streams": [[s.encoding, s.errors, s.line_buffering, s.isatty(), s.fileno(), s.mode]
                    for s in (sys.stdin, sys.stdout, sys.stderr, sys.__stdout__)],
        "signals": [str(signal.getsignal(n)) for n in (signal.SIGINT, signal.SIGPIPE,
                    signal.SIGTERM, signal.SIGCHLD)],
        "group": os.getpgrp(), "umask": os.umask(0), "stdin": sys.stdin.read(),
    }, sort_keys=True))
"""
Start = Callable[..., "subprocess.Popen[Any]"]


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], list[str]]:
    """Return a function that writes a program for `python -m` in its working folder."""

    def make(text: str) -> list[str]:
        (tmp_path / "program.py").write_text(textwrap.dedent(text), "utf-8")
        return [sys.executable, "-m", "program", "a word", "é"]

    return make


def plain(words: list[str], env: dict[str, str], **given: Any) -> subprocess.Popen[Any]:
    return subprocess.Popen(words, env=env, **given)


def started(start: Start, words: list[str], folder: Path, **env: str) -> subprocess.Popen[Any]:
    pipe = subprocess.PIPE
    given = {"stdin": pipe, "stdout": pipe, "stderr": pipe, "text": True, "cwd": folder}
    return start(words, environment(folder, {"TZ": "Asia/Tokyo", **env}), **given)


@pytest.mark.skipif(sys.platform != "linux", reason="the server is for Linux")
def test_a_forked_process_finds_what_a_plain_one_does(
    program: Callable[[str], list[str]], tmp_path: Path
) -> None:
    told = []
    for start in (plain, prefork.popen):
        with started(start, program(TOLD), tmp_path) as process:
            out, err = process.communicate("what is said", timeout=60)
        assert (process.returncode, err) == (0, "")
        told.append(json.loads(out))
    for each in told:
        each["filters"] = each["filters"] > 0
    assert told[0] == told[1]
    assert told[1]["stdin"] == "what is said" and told[1]["group"] == os.getpgrp()


@pytest.mark.parametrize(
    "end",
    [
        "import sys; sys.exit(7)",
        "import sys; print('last', end=''); sys.exit('a reason')",
        "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
        "raise KeyboardInterrupt",
        "import os; os._exit(3)",
        "import atexit; atexit.register(print, 'at the end')",
        "import threading as t, time; t.Timer(0.2, lambda: print('late')).start()",
    ],
)
def test_it_ends_as_a_plain_one(
    end: str, program: Callable[[str], list[str]], tmp_path: Path
) -> None:
    ends = []
    for start in (plain, prefork.popen):
        with started(start, program(end), tmp_path) as process:
            out, err = process.communicate(timeout=60)
        ends.append((process.returncode, out, err.splitlines()[-1:]))
    assert ends[0] == ends[1]


def test_it_is_waited_for_and_killed(program: Callable[[str], list[str]], tmp_path: Path) -> None:
    with started(prefork.popen, program("print('up', flush=True); input()"), tmp_path) as process:
        assert process.stdout is not None and process.stdout.readline() == "up\n"
        assert process.poll() is None
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.05)
        process.kill()
        assert process.wait(60) == process.poll() == -9
        with pytest.raises(ProcessLookupError):
            os.kill(process.pid, 0)


@pytest.mark.skipif(sys.platform != "linux", reason="the server is for Linux")
def test_what_a_fork_cannot_keep_is_a_plain_start(
    program: Callable[[str], list[str]], tmp_path: Path
) -> None:
    words = program("")
    for name in ("PYTHONWARNINGS", "LD_PRELOAD", "LC_ALL"):
        with started(prefork.popen, words, tmp_path, **{name: ""}) as process:
            assert not isinstance(process, prefork.Preforked)
    with prefork.popen(
        [sys.executable, "-c", ""], {"PYTHONPATH": str(ROOT)}, cwd=tmp_path
    ) as process:
        assert not isinstance(process, prefork.Preforked)
    with started(prefork.popen, words, tmp_path) as process:
        assert isinstance(process, prefork.Preforked)
