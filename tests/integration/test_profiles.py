"""Isolation of profiles: a canary of one never reaches another by tool, command, MCP or search."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from bot.chat.commands import COMMANDS
from memory.tools.memory_tools import TOOLS
from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import ANA, FakeTelegram
from tests.support.homes import Home
from tests.support.telegram import BOB, claude, quick, sam, telegram

__all__ = ["claude", "quick", "telegram"]

CANARY = "okapi7731"
NOTES = ("MEMORY.md", "user.md", "tasks.md", "knowledge/fact.md", "skills/okapi.md", "zoo.md")
ASKING: dict[str, list[dict[str, Any]]] = {
    "search_memory": [{"query": f"{CANARY} zoo", "limit": 20}, {"query": "zoo", "filter": "all"}],
    "get_memory": [
        *({"path": path} for path in NOTES),
        {"path": "../../vault/zoo.md"},
        {"path": "../profiles/bob/vault/zoo.md"},
        {"path": "log/2026-02-12"},
    ],
    "get_recent_conversations": [{"n": 100}],
    "why": [{"query": f"{CANARY} zoo"}],
    "save_memory": [{"content": "I have asked", "source": "owner"}],
    "create_note": [{"title": "Zoo", "content": "I have asked"}],
    "edit_memory": [{"path": "zoo.md", "old": "zoo", "new": "x"}],
    "manage_tasks": [{"action": "list"}, {"action": "complete", "text": "Feed the zoo"}],
    "list_facts": [{}, {"words": "zoo"}, {"limit": 100}],
    "read_skill": [{"name": "okapi"}],
}


def fill(root: Path) -> None:
    """Create a vault in which every note contains the canary."""
    for path in NOTES:
        note = root / path
        note.parent.mkdir(parents=True, exist_ok=True)
        head = f"---\nname: okapi\ndescription: {CANARY}\n---\n" if "skills" in path else ""
        note.write_text(f"{head}# Zoo\n\n- [ ] Feed the zoo {CANARY}\n- zoo: {CANARY}\n")


def test_every_tool_and_command_is_asked() -> None:
    assert set(ASKING) == set(TOOLS)


@pytest.mark.parametrize("mine", ["owner", "bob"])
async def test_nothing_of_one_profile_reaches_another(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path, mine: str
) -> None:
    """`mine` uses every tool and command; the canary is in the other's notes and messages."""
    asker, other = (ANA, BOB) if mine == "owner" else (BOB, ANA)
    allowed = f"{ANA.id},{BOB.id}:bob"
    options = {"telegram_allowed_users": allowed, "summary_threshold": 2, "rate_limit": 100}
    for name, asked in ASKING.items():
        for number, given in enumerate(asked):
            claude.calls(name, given, when=f"use {name} {number}.", then="Done.")
    homes = {"owner": tmp_path / "vault", "bob": tmp_path / "profiles" / "bob" / "vault"}
    async with sam(telegram, claude, tmp_path, **options) as it:
        theirs = next(name for name in homes if name != mine)
        fill(homes[theirs])
        await it.profiles[theirs].memory.reconcile()
        await telegram.asks(f"my secret is {CANARY}", user=other)
        await it.profiles[theirs].summarise("asked")
        await telegram.asks("/new", user=other)
        found = await telegram.asks(f"/search {CANARY}", user=other)
        assert CANARY in found.text, "the canary sings where it may"
        before, sent = len(claude.requests), len(telegram.sent)
        for name, asked in ASKING.items():
            for number, _ in enumerate(asked):
                await telegram.asks(f"zoo? use {name} {number}.", user=asker, timeout=60)
        for name in COMMANDS:
            await telegram.asks(f"/{name} zoo secret", user=asker, timeout=60)
        await it.at_rest()
        bodies = [json.dumps(request.body) for request in claude.requests[before:]]
        results = [r for request in claude.chats for r in request.tool_results]
        told = [s.text for s in telegram.sent[sent:] if s.chat_id == asker.id]
    assert len({r.id for r in results}) >= sum(map(len, ASKING.values()))
    spoken = [text for text in bodies if CANARY in text.replace(f"{CANARY} zoo", "")]
    assert not spoken, spoken[0][:2000]
    assert not [text for text in told if CANARY in text]
    written = b"".join(p.read_bytes() for p in homes[mine].rglob("*.md"))
    assert CANARY.encode() not in written


async def test_a_profiles_mcp_server_and_search_know_nothing_of_another(tmp_path: Path) -> None:
    """The real `sam mcp` and `sam search` on the owner's folders, next to another profile's."""
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    home = Home(tmp_path, TELEGRAM_ALLOWED_USERS=f"{ANA.id},{BOB.id}:bob")
    home.write("own.md", "# Own\n\nMy zoo is open.\n")
    fill(tmp_path / "Sam" / "profiles" / "bob" / "vault")
    found = home.sam("search", f"zoo {CANARY}", "--json")
    assert found.returncode == 0 and "own.md" in found.stdout
    assert CANARY not in found.stdout.replace(f"zoo {CANARY}", "")
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "bot", "mcp"], env=home.env, cwd=home.folder
    )
    with (tmp_path / "errors").open("w") as errors:
        async with (
            stdio_client(server, errlog=errors) as (reader, writer),
            ClientSession(reader, writer) as client,
        ):
            await client.initialize()
            await _asked_of(client)


async def _asked_of(client: Any) -> None:
    for name, asked in ASKING.items():
        for given in asked:
            said = await client.call_tool(name, given)
            text = "\n".join(getattr(part, "text", "") for part in said.content)
            assert CANARY not in text, (name, given, text)
