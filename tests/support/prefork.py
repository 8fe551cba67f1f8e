"""Start `python -m …` by forking a server process that has already imported the libraries.

Imports take most of Sam's start-up time, so the server does them once and forks for each request. A
forked process is independent: it can be killed, and has its own environment, working folder and
streams. For programs in COMPLETE all of `bot` and `memory` is preloaded; others import them
themselves. Falls back to a plain start on systems other than Linux, and if variables are set that
Python reads at start.
"""

from __future__ import annotations

import asyncio
import atexit
import fcntl
import gc
import importlib
import json
import os
import pkgutil
import runpy
import selectors
import signal
import socket
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any, NoReturn

ROOT = Path(__file__).parents[2]
LIBRARIES = (
    *("asyncio", "concurrent.futures.thread", "difflib", "email.policy", "ssl", "statistics"),
    *("tarfile", "zoneinfo"),
    *("anthropic", "anyio.streams.tls", "anyio._backends._asyncio", "certifi", "h11"),
    *("apscheduler.schedulers.asyncio", "apscheduler.triggers.cron"),
    *("apscheduler.triggers.interval", "httpcore", "httpcore2", "httpx", "ijson", "lazy_loader"),
    *("markdown_it", "numpy", "pydantic_settings", "rich.console", "rich.progress", "simsimd"),
    *("telegram.ext", "telegramify_markdown", "truststore", "tzlocal", "watchfiles", "yaml"),
)
"""None of our own modules, and none that most commands of Sam would not import."""
OURS = ("memory", "bot")
COMPLETE = (
    *("bot", "tests.support.short_waits", "tests.support.kill_at_write"),
    *("tests.support.early_progress", "tests.support.shifted_clock"),
    "tests.support.poison_message",
)
"""Programs for which all of OURS may be preloaded: they patch nothing before it is imported."""
READ_EARLY = ("PYTHON", "LD_", "LC_", "MALLOC_", "OPENBLAS_", "OMP_", "PYDANTIC_", "ANTHROPIC_LOG")
"""Prefixes of variables that are read at interpreter start or during an import."""
SAID = "Remind me every Monday at 9 to call Ana"
_USAGE = {"input_tokens": 1, "output_tokens": 1}
_MESSAGE = {"id": "1", "type": "message", "role": "assistant", "model": "none", "content": []}
STREAM: tuple[dict[str, Any], ...] = (
    {"type": "message_start", "message": {**_MESSAGE, "usage": _USAGE}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Yes."}},
    {"type": "content_block_stop", "index": 0},
    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": _USAGE},
    {"type": "message_stop"},
)
"""A message, and an answer to one as Claude's API streams it."""
LONGEST = 100_000  # maximum size of a request in bytes
GIVEN = {"cwd", "stdin", "stdout", "stderr", "text", "bufsize", "preexec_fn"}
"""The arguments of `subprocess.Popen` that are supported; as `preexec_fn` only take_terminal."""


def take_terminal() -> None:
    """Make standard input the controlling terminal of a new process, so that Ctrl-C works."""
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


class Preforked(subprocess.Popen[Any]):
    """A `subprocess.Popen` of [sys.executable, "-m", …] that is forked by the server."""

    _status: socket.socket

    def _execute_child(self, args: Sequence[str], *given: Any) -> None:
        """Ask the server for a fork, instead of fork and exec; `given` is as in `subprocess`."""
        cwd, env, streams = given[4], given[5], given[9:15]
        ends = (streams[0], streams[3], streams[5])  # the child's stdin, stdout, stderr
        umask = os.umask(0o022)
        os.umask(umask)
        request = {
            "module": args[2],
            "words": args[3:],
            "cwd": str(cwd or Path.cwd()),
            "env": dict(env),
            "umask": umask,
            "terminal": given[1] is take_terminal,
        }
        self._status, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            with far:
                inherited = [own if end == -1 else end for own, end in enumerate(ends)]
                asked = json.dumps(request).encode()
                socket.send_fds(_server(args[2] in COMPLETE), [asked], [*inherited, far.fileno()])
            self.pid = self._told()
            self._child_created = True
        finally:
            self._close_pipe_fds(*streams)  # type: ignore[attr-defined]  # of subprocess itself

    def _told(self) -> int:
        """Return the next number from the server: the process id, then the exit code."""
        if not (number := self._status.recv(20)):
            raise ChildProcessError("the server has ended")
        return int(number)

    def _wait(self, timeout: float | None) -> int:
        if self.returncode is None:
            self._status.settimeout(None if timeout is None else max(timeout, 0))
            try:
                self.returncode = self._told()
            except (TimeoutError, BlockingIOError):
                assert timeout is not None
                raise subprocess.TimeoutExpired(self.args, timeout) from None
            self._status.close()
        return self.returncode

    def _internal_poll(self, *_: Any, **__: Any) -> int | None:
        with suppress(subprocess.TimeoutExpired):
            self._wait(0)
        return self.returncode


def popen(words: Sequence[str], env: Mapping[str, str], **given: Any) -> subprocess.Popen[Any]:
    """Return a `subprocess.Popen`, forked by the server if possible."""
    supported = given.keys() <= GIVEN and given.get("preexec_fn") in (None, take_terminal)
    kind = Preforked if supported and _can_be_forked(words, env) else subprocess.Popen
    return kind(words, env=env, **given)


def run(
    words: Sequence[str],
    env: Mapping[str, str],
    *,
    input: str | None = None,
    timeout: float | None = None,
    **given: Any,
) -> subprocess.CompletedProcess[str]:
    """Run `subprocess.run` with text output, forked by the server if possible."""
    pipe = subprocess.PIPE
    stdin = subprocess.DEVNULL if input is None else pipe
    with popen(words, env, stdin=stdin, stdout=pipe, stderr=pipe, text=True, **given) as process:
        try:
            out, err = process.communicate(input, timeout=timeout)
        except BaseException:
            process.kill()
            raise
    return subprocess.CompletedProcess(words, process.returncode, out, err)


def _can_be_forked(words: Sequence[str], env: Mapping[str, str]) -> bool:
    return (
        sys.platform == "linux"
        and list(words[:2]) == [sys.executable, "-m"]
        and {name for name in env if name.startswith(READ_EARLY)} == {"PYTHONPATH"}
        and env["PYTHONPATH"] == str(ROOT)
        and env.get("LANG") in (None, os.environ.get("LANG"))
        and not (ROOT / "sitecustomize.py").exists()  # it must run at the start of each process
    )


_started: dict[bool, tuple[socket.socket, subprocess.Popen[bytes]]] = {}


def _server(complete: bool) -> socket.socket:
    """Return the socket to this process's server, starting it on the first call."""
    if complete in _started and _started[complete][1].poll() is None:
        return _started[complete][0]
    near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    env = {name: value for name, value in os.environ.items() if not name.startswith(READ_EARLY)}
    with far:
        process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(far.fileno()), *(OURS if complete else ())],
            env={**env, "PYTHONPATH": str(ROOT)},
            cwd="/",
            pass_fds=(far.fileno(),),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
    _started[complete] = (near, process)
    atexit.register(_end, near, process)
    return near


def _end(near: socket.socket, process: subprocess.Popen[bytes]) -> None:
    near.close()
    process.wait()


def _serve(control: socket.socket) -> dict[str, Any] | None:
    """Fork for each request and return it in the child; return None in the parent at the end.

    The parent tells the process's id at once, and its exit code when it has ended.
    """
    waiting = selectors.PollSelector()  # an epoll would be shared with the forks
    waiting.register(control, selectors.EVENT_READ)
    while True:
        for key, _ in waiting.select():
            if key.fileobj is not control:
                _end_of(waiting, key)
                continue
            asked, received, _, _ = socket.recv_fds(control, LONGEST, 4)
            if not asked:
                return None
            *streams, status = received
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # the child's, until _run
            if not (child := os.fork()):
                waiting.unregister(control)
                control.close()
                for other in waiting.get_map().values():
                    _close(other)
                os.close(status)
                request: dict[str, Any] = json.loads(asked)
                _become(request, streams)
                return request
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
            for descriptor in streams:
                os.close(descriptor)
            _tell(status, child)
            waiting.register(os.pidfd_open(child), selectors.EVENT_READ, (child, status))


def _end_of(waiting: selectors.BaseSelector, key: selectors.SelectorKey) -> None:
    """Tell the exit code of the process of that key, which has ended."""
    child, status = key.data
    waiting.unregister(key.fileobj)
    _tell(status, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    _close(key)


def _tell(status: int, number: int) -> None:
    with suppress(OSError):  # the one who asked has ended
        os.write(status, b"%d" % number)


def _close(key: selectors.SelectorKey) -> None:
    """Close the descriptors of a process that is waited for."""
    os.close(key.fd)
    os.close(key.data[1])


def _become(request: Mapping[str, Any], streams: Sequence[int]) -> None:
    """Take over the request's environment, streams, working folder and arguments."""
    for number, descriptor in enumerate(streams):
        os.dup2(descriptor, number)
        os.close(descriptor)
    if request["terminal"]:
        take_terminal()
    same = request["env"].get("LANG") == os.environ.get("LANG")
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        before = getattr(sys, name)
        # As Python opens them: line-buffered on a terminal, and stderr always.
        stream = open(  # noqa: SIM115 (a descriptor, for the whole of the process)
            number,
            "w" if number else "r",
            buffering=1 if number == 2 or os.isatty(number) else -1,
            encoding=before.encoding,
            errors=before.errors if same or number == 2 else "surrogateescape",
            closefd=False,
        )
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    os.environ.clear()
    os.environ.update(request["env"])
    time.tzset()
    os.umask(request["umask"])
    os.chdir(request["cwd"])
    sys.path[0] = request["cwd"]
    sys.argv = [request["module"], *request["words"]]


def _load(packages: Sequence[str]) -> None:
    """Import LIBRARIES, and all modules of those packages except programs."""
    for name in LIBRARIES:
        importlib.import_module(name)
    for package in packages:
        for module in pkgutil.walk_packages([str(ROOT / package)], f"{package}."):
            if not module.name.endswith(".__main__"):
                importlib.import_module(module.name)


def _build_tables() -> None:
    """Build what most commands, or Sam with its first answers, would: tables, catalogues, tool
    schemas, types of the SDK and certificates, which nothing changes later."""
    from bot.claude import client
    from bot.settings import Settings
    from bot.telegram.api import connection
    from bot.turn.audience import ALONE
    from memory import MemoryTools
    from memory.dates import split_repetition, time_range
    from memory.infra.sqlite import driver
    from memory.text import TRANSLATED, clause_words, intents, speaking, task_words, tr
    from memory.text.languages import phrase_tables

    driver()
    phrase_tables.tables()
    clause_words.clear_language("")
    time_range(SAID, date(2026, 1, 1))
    split_repetition(SAID)
    intents.recognise_intent(SAID)
    task_words.asked_tasks(SAID, dated=True)
    task_words.closed_task(SAID)
    intents.small_talk_kind(SAID)
    Settings(_env_file=None)  # type: ignore[call-arg]  # warms the caches of its types
    for code in TRANSLATED:
        with speaking(code):
            tr("")
    connection.trusted()
    asyncio.run(client.Claude.warm())
    tools = object.__new__(MemoryTools)  # only the signatures of its methods are read
    for name in ALONE.memory_tools:
        client.Claude.tool_schema(None, getattr(tools, name), name)  # type: ignore[arg-type]
    _read_stream()


def _read_stream() -> None:
    """Read one streamed answer with the SDK, which builds the types of its events then."""
    from anthropic import Anthropic, DefaultHttpxClient
    from httpx2 import MockTransport, Response

    text = "".join(f"event: {each['type']}\ndata: {json.dumps(each)}\n\n" for each in STREAM)
    answer = Response(200, headers={"content-type": "text/event-stream"}, text=text)
    http = DefaultHttpxClient(transport=MockTransport(lambda _: answer))
    asked: Any = {"role": "user", "content": SAID}
    with (
        Anthropic(api_key="none", base_url="http://none", http_client=http) as sdk,
        sdk.messages.stream(model="none", max_tokens=1, messages=[asked]) as stream,
    ):
        stream.until_done()


def _run(module: str) -> NoReturn:
    """Run the program, and exit without the interpreter's final cleanup.

    The cleanup clears all modules, which copies every page still shared with the server and takes
    longer than most commands.
    """
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
        code: object = 0
    except SystemExit as end:
        code = end.code or 0
    if isinstance(code, int):
        threading._shutdown()  # type: ignore[attr-defined]  # waits for threads, as at any end
        atexit._run_exitfuncs()
        gc.collect()  # report what is found only here to be unclosed or never awaited
        with suppress(OSError, ValueError):
            for stream in (sys.stdout, sys.stderr):
                stream.flush()
            os._exit(code & 0xFF)
    sys.exit(code)  # either it has something to print, or nobody reads its output


if __name__ == "__main__":
    _load(sys.argv[2:])
    if sys.argv[2:]:
        _build_tables()
    gc.collect()
    gc.freeze()  # keep the pages of these objects shared
    _request = None
    with suppress(KeyboardInterrupt):
        _request = _serve(socket.socket(fileno=int(sys.argv[1])))
    if _request is not None:
        _run(_request["module"])
