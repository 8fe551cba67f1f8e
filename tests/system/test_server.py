"""`sam mcp` as a process, with a real client over standard input."""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import CallToolResult

from memory.tools.memory_tools import TOOLS, MemoryTools
from tests.support.memories import log_exchange, opened, write


def given(folder: Path) -> dict[str, str]:
    """Return the environment of a server for the vault in `folder`."""
    return {
        "VAULT_DIR": str(folder / "vault"),
        "DATA_DIR": str(folder / "data"),
        "EMBEDDING_PROVIDER": "none",
        "TIMEZONE": "UTC",
        "SAM_NO_ENV_FILE": "1",
        "PATH": os.environ["PATH"],
    }


@asynccontextmanager
async def client(folder: Path, *words: str) -> AsyncIterator[ClientSession]:
    """Return a client of such a server."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "bot", "mcp", *words],
        env=given(folder),
        cwd=Path(__file__).parents[2],
    )
    with (folder / "stderr").open("w") as errors:
        async with (
            stdio_client(server, errlog=errors) as (reader, writer),
            ClientSession(reader, writer) as session,
        ):
            started = await session.initialize()
            assert started.server_info.version == version("sam-memory")
            yield session


def text_of(result: CallToolResult) -> str:
    return "".join(part.text for part in result.content if part.type == "text")


async def test_it_serves_the_tools_with_their_descriptions(tmp_path: Path) -> None:
    write(tmp_path, "soul.md", "# Soul\n")
    async with client(tmp_path) as session:
        listed = (await session.list_tools()).tools
    assert tuple(tool.name for tool in listed) == (*TOOLS, "forget")
    by_name = {tool.name: tool for tool in listed}
    for name, tool in by_name.items():
        assert tool.description and tool.title and tool.output_schema
        if name in TOOLS:
            assert tool.description.strip() in inspect.cleandoc(
                getattr(MemoryTools, name).__doc__ or ""
            )
        for argument in tool.input_schema["properties"].values():
            assert argument["description"]
    search = by_name["search_memory"].input_schema
    assert search["required"] == ["query"]
    assert search["properties"]["limit"]["default"] == 5
    assert search["properties"]["filter"]["enum"] == ["all", "conversations", "knowledge"]
    hints = {name: tool.annotations for name, tool in by_name.items()}
    assert all(each.open_world_hint is False for each in hints.values())
    assert all(isinstance(each.idempotent_hint, bool) for each in hints.values())
    assert {name for name, each in hints.items() if each.read_only_hint} == {
        *("search_memory", "get_memory", "get_recent_conversations", "why"),
        *("list_facts", "read_skill"),
    }
    assert {name for name, each in hints.items() if each.destructive_hint} == {
        *("edit_memory", "forget", "manage_tasks"),
    }


async def test_what_is_saved_is_found_by_the_next_search(tmp_path: Path) -> None:
    write(tmp_path, "soul.md", "# Soul\n")
    async with client(tmp_path) as session:
        saved = await session.call_tool(
            "save_memory", {"content": "Ana is allergic to penicillin", "source": "desktop"}
        )
        assert text_of(saved).startswith("Saved in memories/")
        found = await session.call_tool("search_memory", {"query": "penicillin allergy"})
    assert "Ana is allergic to penicillin" in text_of(found)
    assert not found.is_error


async def test_our_errors_come_as_their_sentences(tmp_path: Path) -> None:
    write(tmp_path, "soul.md", "# Soul\n\nBe kind.\n")
    async with client(tmp_path) as session:
        for name, arguments, words in (
            ("get_memory", {"path": "../../etc/passwd"}, "leaves the vault"),
            ("get_memory", {"path": "missing.md"}, "There is no note missing.md"),
            ("edit_memory", {"path": "soul.md", "old": "cruel", "new": "evil"}, "does not stand"),
            ("manage_tasks", {"action": "complete", "id": "nope"}, "nope"),
            ("manage_tasks", {"action": "dance"}, "dance"),
            ("search_memory", {"query": "tea", "limmit": 3}, "limmit"),
            ("manage_tasks", {"action": "add", "text": "x" * 1_000_000}, "`text` is too long"),
        ):
            result = await session.call_tool(name, arguments)
            assert result.is_error, name
            assert words in text_of(result)
    assert (tmp_path / "vault" / "soul.md").read_text() == "# Soul\n\nBe kind.\n"


def test_a_client_that_disconnects_leaves_no_traceback(tmp_path: Path) -> None:
    write(tmp_path, "soul.md", "# Soul\n")
    with subprocess.Popen(
        [sys.executable, "-m", "bot", "mcp"],
        env=given(tmp_path),
        cwd=Path(__file__).parents[2],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as server:
        assert server.stdin and server.stdout and server.stderr
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}}
        hello["clientInfo"] = {"name": "client", "version": "1"}
        for message in (
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
            {"jsonrpc": "2.0", "method": "notifications/initialized"},
        ):
            server.stdin.write(json.dumps(message).encode() + b"\n")
        server.stdin.flush()
        assert b"serverInfo" in server.stdout.readline()
        server.stdout.close()
        server.stdin.write(b'{"jsonrpc": "2.0", "id": 2, "method": "tools/list"}\n')
        server.stdin.close()
        assert server.stderr.read() == b""
        assert server.wait(60) == 0


async def test_it_works_beside_a_running_sam(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await memory.catch_up()
        async with client(tmp_path) as session:
            await log_exchange(memory, "My dentist is called Dr. Hollowell", "Noted!")
            heard = await session.call_tool("search_memory", {"query": "dentist Hollowell"})
            assert "terminal] User: My dentist is called Dr. Hollowell" in text_of(heard)
            results = await asyncio.gather(
                *(
                    session.call_tool("save_memory", {"content": f"from the client {n}"})
                    for n in range(10)
                ),
                *(MemoryTools(memory).save_memory(f"from Sam {n}") for n in range(10)),
            )
            assert not [r for r in results[:10] if getattr(r, "is_error", False)]
        await memory.reconcile()
        everything = "".join(
            file.read_text() for file in (tmp_path / "vault" / "memories").glob("*.md")
        )
        for n in range(10):
            assert f"- Note (mcp): from the client {n}\n" in everything
            assert f"- Note: from Sam {n}\n" in everything
        recalled = await memory.recall("from the client 7", limit=20)
        assert any("from the client 7" in hit.text for hit in recalled.hits)


async def test_before_the_first_message_it_says_so(tmp_path: Path) -> None:
    write(tmp_path, "soul.md", "# Soul\n")
    async with client(tmp_path) as session:
        recent = await session.call_tool("get_recent_conversations", {"n": 3})
    assert text_of(recent) == "Nothing was said yet."


async def test_nothing_but_the_protocol_goes_to_standard_output(tmp_path: Path) -> None:
    write(tmp_path, "soul.md", "# Soul\n")
    async with client(tmp_path) as session:
        await session.call_tool("get_recent_conversations", {})
        # A line that is not a message would have broken the session by now; errors go to stderr.
        assert (await session.call_tool("get_memory", {"path": "x"})).is_error
    assert "Traceback" not in (tmp_path / "stderr").read_text()
