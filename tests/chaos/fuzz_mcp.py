"""Fuzz the real `sam mcp` over standard input: each call is answered and stays in the vault.

A line that is not a message has no id, so there is no answer to expect; the next call shows that
Sam survived it.
"""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from hypothesis import strategies as st

from memory.tools.memory_tools import TOOLS
from tests.support import prefork
from tests.support.homes import Home

SECONDS = 60  # per answer
HUGE = "x" * 200_000
NUMBERS = st.integers() | st.sampled_from([10**40, -(10**40), 0, -1])
WILD: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(max_size=20) | st.sampled_from([HUGE, 1.5e300]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3)
    ),
    max_leaves=5,
)
UNREADABLE = (
    "no JSON",
    "[]",
    "{}",
    "\x00",
    '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "\\ud800"}}',
    "[" * 100_000,
)


def calls(paths: st.SearchStrategy[str], texts: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    """Draw tool names with valid or invalid arguments, or a line that is not a call."""
    words = paths | texts | st.sampled_from([HUGE, "\x00", "", "soul.md", "canary"])
    due = words | st.dates().map(str)
    fitting = {
        "search_memory": {"query": words, "limit": NUMBERS, "filter": st.just("all") | words},
        "get_memory": {"path": words, "from_line": NUMBERS, "lines": NUMBERS},
        "get_recent_conversations": {"n": NUMBERS},
        "why": {"query": words},
        "list_facts": {
            "category": words,
            "tags": st.lists(words, max_size=3),
            "words": words,
            "as_of": words,
        },
        "save_memory": {"content": words, "source": words},
        "create_note": {"title": words, "content": words},
        "edit_memory": {"path": words, "old": words | st.just("# Soul"), "new": words},
        "manage_tasks": {
            "action": st.sampled_from(["add", "complete", "list"]) | words,
            **{"text": words, "priority": words, "due": due, "id": words},
        },
        "read_skill": {"name": words},
    }
    assert fitting.keys() == set(TOOLS)
    named = st.sampled_from(TOOLS)
    return (
        named.flatmap(lambda name: st.tuples(st.just(name), st.fixed_dictionaries(fitting[name])))
        | st.tuples(named | words, WILD)
        | st.sampled_from(UNREADABLE)
    )


class Program:
    """A `sam mcp` and a client that can send what no library's client would."""

    def __init__(self, home: Home) -> None:
        self.errors = home.folder / "mcp.errors"
        with self.errors.open("w") as errors:
            self._process = prefork.popen(
                [sys.executable, "-m", "bot", "mcp"],
                home.env,
                cwd=home.folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
            )
        self._answers: queue.Queue[dict[str, Any]] = queue.Queue()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        self._number = 0
        who = {"name": "fuzz", "version": "1"}
        self.ask(
            "initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": who}
        )
        self.sends(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(BrokenPipeError), self._process:  # closes the pipes
            self._process.kill()
            self._listener.join()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._answers.put(json.loads(line))  # a line that is not JSON ends the answers

    def sends(self, line: str) -> None:
        """Send a line that needs no answer."""
        assert self._process.stdin is not None
        self._process.stdin.write(line.encode("utf-8") + b"\n")
        self._process.stdin.flush()

    def ask(self, method: str, params: Any) -> dict[str, Any]:
        """Send a request and return its answer, with `result` or `error`."""
        self._number += 1
        request = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        self.sends(json.dumps(request))
        while (answer := self._answers.get(timeout=SECONDS)).get("id") != self._number:
            assert "result" not in answer, f"an answer to nothing: {answer}"
        return answer

    def call(self, name: Any, given: Any) -> tuple[bool, str]:
        """Call a tool; return whether it was refused, and the whole text of the answer."""
        answer = self.ask("tools/call", {"name": name, "arguments": given})
        result: Mapping[str, Any] = answer.get("result", {})
        return "error" in answer or bool(result["isError"]), json.dumps(answer, ensure_ascii=False)

    def end(self) -> str:
        """Close its input, as a client does; return its standard error."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        assert self._process.wait(SECONDS) == 0
        return self.errors.read_text("utf-8", "replace")


def outside_of(folder: Path) -> dict[str, bytes]:
    """Return the plain files below `folder`, except for Sam's own two."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not {"Sam", "mcp.errors"} & {*path.relative_to(folder).parts}
    }
