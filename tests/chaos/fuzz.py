"""Fuzz names, notes and chat texts with hypothesis: nothing may crash or leave the vault.

Names go through the tools, the MCP server (`fuzz_mcp.py`) and the command line; notes through index
and search; chat texts through `note.inert` to independent markdown parsers
(tests/support/obsidian.py).
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st

from memory.core import Memory
from memory.errors import SamError
from memory.notes import markdown
from memory.tools.memory_tools import TOOLS, MemoryTools
from tests.chaos import Figures, fuzz_mcp
from tests.support.homes import Home
from tests.support.memories import opened, write
from tests.support.obsidian import powers, powers_at_start

CANARY = "the canary outside of the vault"
PARTS = (
    "..", ".", "", "/", "~", "C:", "\\", "etc/passwd", "outside", "secret.md", "soul.md", "way",
    "link.md", "pipe.md", "folder.md", "sealed", "SEALED", "archive", "log", "2026-02-12",
    "x\x00.md", "a\nb.md", "\u00e9.md", "e\u0301.md", "ａ.md", "․․", "‥", "%2e%2e", "..%2f",
    "\u202e", "x" * 300, "a.md", "[[a]]", "a.md:1-9", "#^id", ".obsidian", "$HOME", "*", "-rf",
)  # fmt: skip
NAMES = st.lists(st.sampled_from(PARTS) | st.text(max_size=6), max_size=6).flatmap(
    lambda parts: st.sampled_from(["/", "//", "/./", "\\", ""]).map(lambda by: by.join(parts))
)
PIECES = (
    "# ", "- [ ] ", "#tag ", "[[a]]", "![[a]]", "[a](b)", " ^abc123", "%%", "<!--", "```", "~~~",
    "k:: v", "(k:: v)", "$$", "$x$", "`= x`", "https://a.org/b#c", "obsidian://o", "<% x %>", "\\",
    "1. ", "> ", "---", "===", "|a|b|", "\n", "📅 2026-01-01", "==x==", "[^1]", "[!note]", "&#35;",
)  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=8), max_size=12).map("".join)
LINES = (
    b"---\n", b"privacy: sealed\n", b"a: [\n", b"- [ ] x\n", b"# h\n", b"\xff\xfe", b"> q\n",
    b"\r\n", b"```\n", b"%%\n", b"|a|b|\n", b"^id\n", b"\x00", b"\xc3\xa9\n", b"x:: y\n",
    b"\xef\xbb\xbf",
)  # fmt: skip
NOTES = st.binary(max_size=400) | st.lists(st.sampled_from(LINES), max_size=20).map(b"".join)


def run(seed: int, size: float, folder: Path) -> Figures:
    """Return the number of inputs of each kind; a failure raises with its input."""
    count = max(20, int(20_000 * size))
    inert(seed, count)
    asyncio.run(_stored(seed, folder, names=count // 10, notes=count // 20))
    commands = command_line(seed, folder / "cli", max(4, count // 400))
    asked, refused = server(seed, folder / "mcp", count // 2)
    return {
        "chat texts": count,
        "names, each through every tool": count // 10,
        "notes": count // 20,
        "names on the command line": commands,
        "calls of sam mcp": asked,
        "of them refused": refused,
        "crashes": 0,
    }


def _draws(seed: int, count: int, strategy: st.SearchStrategy[Any]) -> Callable[..., None]:
    """`_draws(…)(check)` calls `check` with `count` inputs, deterministic by seed."""

    def drawn(check: Callable[[Any], None]) -> None:
        @seeded(seed)
        @settings(
            max_examples=count,
            deadline=None,
            database=None,
            phases=[Phase.generate, Phase.shrink],
            suppress_health_check=list(HealthCheck),
        )
        @given(strategy)
        def each(value: Any) -> None:
            check(value)

        each()

    return drawn


def inert(seed: int, count: int) -> None:
    """Check that chat text never takes effect as markdown in a note."""

    def check(text: str) -> None:
        line = markdown.inert(text)
        assert not powers(line) | powers_at_start(line), line
        assert markdown.inert(line) == line

    _draws(seed, count, TEXTS)(check)


async def _stored(seed: int, folder: Path, *, names: int, notes: int) -> None:
    write(folder, "soul.md", "# Soul\n")
    async with opened(folder) as memory:
        await tools(memory, folder, seed=seed, count=names)
        await _notes(memory, folder, seed=seed, count=notes)


async def tools(memory: Memory, folder: Path, *, seed: int, count: int) -> None:
    """Pass hostile paths to every tool that takes one; only our own errors may be raised."""
    outside = folder / "outside"
    outside.mkdir(exist_ok=True)
    (outside / "secret.md").write_text(CANARY)
    _traps(memory.vault.root, outside)
    bound, loop = MemoryTools(memory), asyncio.get_running_loop()

    async def tried(path: str) -> None:
        for call in (
            lambda: bound.get_memory(path),
            lambda: bound.get_memory(path, from_line=-3, lines=10**9),
            lambda: bound.edit_memory(path, "# Soul", "# Other"),
            lambda: bound.edit_memory(path, "canary", ""),
            lambda: bound.read_skill(path),
            lambda: bound.save_memory("a note", source=path),
            lambda: bound.create_note(path, path),
            lambda: bound.list_facts(as_of=path),
            lambda: bound.manage_tasks("add", text=path, due=path),
        ):
            try:
                assert CANARY not in await call()
            except SamError as refused:
                assert CANARY not in str(refused)

    def check(path: str) -> None:
        asyncio.run_coroutine_threadsafe(tried(path), loop).result(60)

    await asyncio.to_thread(_draws(seed, count, NAMES), check)
    assert {p.name: p.read_text() for p in outside.iterdir()} == {"secret.md": CANARY}
    assert sorted(p.name for p in folder.iterdir()) == ["data", "outside", "vault"]


def _traps(vault: Path, outside: Path) -> None:
    """Create links that lead out of the vault, and special files."""
    for name, target in (("way", outside), ("link.md", outside / "secret.md")):
        if not (vault / name).is_symlink():
            (vault / name).symlink_to(target)
    if not (vault / "pipe.md").exists():
        os.mkfifo(vault / "pipe.md")
    (vault / "folder.md").mkdir(exist_ok=True)


async def _notes(memory: Memory, folder: Path, *, seed: int, count: int) -> None:
    """Check that notes of any bytes are indexed, found and reported, and that none is changed."""
    loop = asyncio.get_running_loop()
    file = folder / "vault" / "strange.md"

    async def tried(data: bytes) -> None:
        await memory.reconcile(["strange.md"])
        await memory.recall("x h q é", private=True)
        assert file.read_bytes() == data
        list(memory.vault.unreadable_notes())

    def check(data: bytes) -> None:
        file.write_bytes(data)
        asyncio.run_coroutine_threadsafe(tried(data), loop).result(60)

    await asyncio.to_thread(_draws(seed, count, NOTES), check)


def command_line(seed: int, folder: Path, count: int) -> int:
    """Run `sam` with hostile arguments: it prints one sentence or an answer, never a traceback."""
    home = Home(folder)
    home.write("soul.md", "# Soul\n")
    tried = 0

    def check(text: str) -> None:
        nonlocal tried
        text = text.replace("\x00", "").encode("utf-8", "ignore").decode()
        done = home.sam("search", "--json", "--", text)
        assert "Traceback" not in done.stderr, (text, done.stderr)
        assert done.returncode in (0, 1, 2), (text, done.stderr)
        if done.returncode == 0:
            json.loads(done.stdout)
        tried += 1

    _draws(seed, count, NAMES | TEXTS)(check)
    return tried


def server(seed: int, folder: Path, count: int) -> tuple[int, int]:
    """Call the real `sam mcp`; return the number of calls and of refusals. Each call must be
    answered, none may crash, read or write outside the vault."""
    home = Home(folder)
    home.write("soul.md", "# Soul\n")
    outside = folder / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text(CANARY)
    _traps(home.vault, outside)
    before, asked, refused = fuzz_mcp.outside_of(folder), 0, 0

    def check(call: Any) -> None:
        nonlocal asked, refused
        if isinstance(call, str):
            program.sends(call)
            return
        name, given = call
        failed, said = program.call(name, given)
        assert CANARY not in said and "Traceback" not in said, (call, said)
        assert failed or name in TOOLS, (call, said)
        asked, refused = asked + 1, refused + failed

    with fuzz_mcp.Program(home) as program:
        _draws(seed, count, fuzz_mcp.calls(NAMES, TEXTS))(check)
        failed, said = program.call("get_memory", {"path": "soul.md"})
        assert not failed and "# Soul" in said, said
        assert "Traceback" not in (told := program.end()), told
    assert fuzz_mcp.outside_of(folder) == before
    assert (home.vault / "soul.md").read_text("utf-8") == "# Soul\n"
    return asked, refused
