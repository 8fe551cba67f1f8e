"""What `sam mcp --http` refuses: missing or wrong tokens, foreign hosts and origins; and the client
settings that `sam mcp --config` prints."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import Client, StdioServerParameters

from tests.support.homes import Home
from tests.support.mcp import Served, called, over_http, served

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
ACCEPT = {"Accept": "application/json, text/event-stream"}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    made = Home(tmp_path_factory.mktemp("mcp"))
    made.write("zoo.md", "# Zoo\n\nThe zoo opens at nine.\n")
    return made


@pytest.fixture(scope="module")
def server(home: Home) -> Iterator[Served]:
    with served(home) as running:
        yield running


def asked(server: Served, **headers: str) -> httpx.Response:
    return httpx.post(server.url, json=HELLO, headers={**ACCEPT, **headers}, timeout=60)


def test_who_has_no_token_learns_nothing(server: Served) -> None:
    right = f"Bearer {server.token}"
    assert asked(server, Authorization=right).status_code == 200
    for wrong in ("", "Bearer", "Bearer x", f"Basic {server.token}", f"{right}x", right[:-1]):
        answer = asked(server, Authorization=wrong)
        assert answer.status_code == 401, wrong
        assert answer.headers["WWW-Authenticate"] == "Bearer"
        assert "sam-memory" not in answer.text
    assert asked(server, Authorization="Bearer töken".encode("latin-1")).status_code == 401  # type: ignore[arg-type] # bytes that are no ASCII
    for path in ("/", "/mcp?token=" + server.token, "/.well-known/oauth-protected-resource"):
        assert httpx.get(server.url.removesuffix("/mcp") + path, timeout=60).status_code == 401


def test_other_hosts_and_origins_are_refused(server: Served) -> None:
    """They reveal a page of another site whose name was rebound to 127.0.0.1."""
    right, port = f"Bearer {server.token}", server.url.split(":")[2].split("/")[0]
    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "0.0.0.0"):
        assert asked(server, Authorization=right, Host=host).status_code == 421, host
    for origin in ("https://evil.example", "null", f"https://127.0.0.1:{port}", "http://[::1]"):
        assert asked(server, Authorization=right, Origin=origin).status_code == 403, origin
    for mine in (f"http://127.0.0.1:{port}", f"http://localhost:{port}"):
        assert asked(server, Authorization=right, Origin=mine).status_code == 200


def test_the_token_is_shown_once_and_stands_in_no_file(home: Home, server: Served) -> None:
    kept = home.data / "mcp.token"
    assert kept.stat().st_mode & 0o077 == 0
    for file in home.data.rglob("*"):
        assert not file.is_file() or server.token.encode() not in file.read_bytes()
    with served(home) as again:
        assert again.token == "" and "token" not in again.said
        assert asked(again, Authorization=f"Bearer {server.token}").status_code == 200
    token = home.sam("mcp", "--new-token").stdout.strip()
    assert asked(server, Authorization=f"Bearer {token}").status_code == 200
    assert asked(server, Authorization=f"Bearer {server.token}").status_code == 401
    kept.unlink()
    assert asked(server, Authorization=f"Bearer {token}").status_code == 401


async def test_a_token_from_the_settings_is_the_owners_alone(tmp_path: Path) -> None:
    mine = Home(tmp_path, MCP_TOKEN="m" * 40, TELEGRAM_ALLOWED_USERS="7,8:bob")
    mine.write("zoo.md", "# Zoo\n\nThe zoo opens at nine.\n")
    with served(mine) as server:
        assert "m" * 40 not in server.said and server.token == ""
        async with over_http(server.url, "m" * 40) as client:
            assert "nine" in (await called(client, "search_memory", query="zoo"))[0]
    assert mine.sam("mcp", "--new-token").returncode == 2
    with served(mine, "--profile", "bob") as server:
        assert asked(server, Authorization="Bearer " + "m" * 40).status_code == 401
        async with over_http(server.url, server.token) as client:
            assert "nothing" in (await called(client, "search_memory", query="zoo opens"))[0]
            await called(client, "save_memory", content="Bob plays chess")
    assert "Bob plays chess" in "".join(
        note.read_text("utf-8") for note in (tmp_path / "Sam/profiles/bob/vault").rglob("*.md")
    )


def test_a_proxys_address_is_served_and_an_open_one_is_warned_of(tmp_path: Path) -> None:
    mine = Home(tmp_path, MCP_URL="https://mcp.example.org")
    assert mine.sam("mcp", "--http", "nowhere").returncode == 2
    assert "is not a HOST:PORT" in mine.sam("mcp", "--http", "127.0.0.1:x").stderr
    process = mine.start("mcp", "--http", "0")
    assert process.stdout
    said = process.stdout.readline()
    process.kill()
    assert said == "Sam's memory for other programs: https://mcp.example.org/mcp\n"
    with served(Home(tmp_path / "open"), http="0.0.0.0:0") as server:
        assert "is not encrypted" in server.said


@pytest.mark.parametrize("client", ["claude-code", "claude-desktop", "cursor"])
async def test_the_printed_settings_start_it(tmp_path: Path, client: str) -> None:
    """Started in another folder, as clients do: the settings lead to the owner's `.env`."""
    mine = Home(tmp_path / "home", TELEGRAM_ALLOWED_USERS="7,8:bob")
    mine.write("zoo.md", "# Zoo\n\nThe zoo opens at nine.\n")
    mine.dotenv(f"VAULT_DIR={mine.env.pop('VAULT_DIR')}\n")
    printed = mine.sam("mcp", "--config", client)
    assert printed.returncode == 0 and printed.stderr.startswith("# into ")
    server = json.loads(printed.stdout)["mcpServers"]["sam-memory"]
    assert server.get("type") == ("stdio" if client == "claude-code" else None)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    command = StdioServerParameters(
        command=server["command"],
        args=server["args"],
        env=mine.env | server["env"],
        cwd=elsewhere,
    )
    async with Client(command) as it:
        assert "nine" in (await called(it, "search_memory", query="zoo opens"))[0]
    bobs = json.loads(mine.sam("mcp", "--config", client, "--profile", "bob").stdout)
    assert bobs["mcpServers"]["sam-memory-bob"]["args"][-2:] == ["--profile", "bob"]


def test_the_printed_settings_for_http_have_the_address_and_a_place_for_the_token(
    home: Home,
) -> None:
    def of(client: str) -> dict[str, Any]:
        printed = home.sam("mcp", "--config", client, "--http", "127.0.0.1:8766")
        assert printed.returncode == 0
        found = json.loads(printed.stdout)["mcpServers"]["sam-memory"]
        assert isinstance(found, dict)
        return found

    cursor = of("cursor")
    assert cursor["url"] == "http://127.0.0.1:8766/mcp"
    assert cursor["headers"] == {"Authorization": "Bearer YOUR_TOKEN"}
    assert of("claude-code") == {"type": "http", **cursor}
    for words in (("claude-desktop", "--http", "8766"), ("vim",)):
        refused = home.sam("mcp", "--config", *words)
        assert refused.returncode == 2 and refused.stderr.startswith("sam: ")
    assert home.sam("mcp", "--profile", "nobody").returncode == 2


def test_a_token_that_cannot_be_stored_is_said_in_a_line(tmp_path: Path) -> None:
    home = Home(tmp_path)
    (home.data / "mcp.token").mkdir(parents=True)
    done = home.sam("mcp", "--new-token")
    assert (done.returncode, done.stdout) == (1, "")
    [line] = done.stderr.splitlines()
    assert line.startswith(f"sam: {home.data / 'mcp.token'} ") and "Is a directory" in line
