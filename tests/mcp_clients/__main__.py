"""Run the MCP inspector's CLI and the conformance suite against the real `sam mcp`.

    python -m tests.mcp_clients [--only inspector conformance ...] [--over stdio HTTP ...]

Both are installed from npm into a temporary folder, so node and npm are required. Both test both
transports. They send no token over HTTP, so a proxy adds it; the suite speaks only HTTP, so a
bridge forwards its requests to stdio. Scenarios that need the reference server's tools are skipped.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
from aiohttp import web

from tests.mcp_clients.bridge import over_stdio
from tests.support.homes import Home
from tests.support.mcp import Served, served

PACKAGES = (
    "@modelcontextprotocol/inspector@0.15",
    "@modelcontextprotocol/conformance@0.1",
    "node@22",  # minimum version for the conformance suite
)
SCENARIOS = ("server-initialize", "ping", "tools-list", "resources-list", "prompts-list")
OF_HTTP = ("server-sse-multiple-streams", "dns-rebinding-protection")
ASKED: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("tools/list", (), "search_memory"),
    ("tools/call", ("--tool-name", "search_memory", "--tool-arg", "query=zoo"), "opens at nine"),
    ("tools/call", ("--tool-name", "save_memory", "--tool-arg", "content=Gnus sing"), "Saved in"),
    ("tools/call", ("--tool-name", "forget", "--tool-arg", "words=gnus"), "Gnus sing"),
    ("resources/list", (), "vault:///zoo.md"),
    ("resources/templates/list", (), "vault:///{+path}"),
    ("resources/read", ("--uri", "vault:///zoo.md"), "opens at nine"),
    ("prompts/list", (), "cook"),
    ("prompts/get", ("--prompt-name", "cook"), "Stir well."),
)
"""A method, its arguments, and what its answer must contain."""


PROGRAMS = ("inspector", "conformance")
TRANSPORTS = ("stdio", "HTTP")


def main(argv: Sequence[str] | None = None) -> int:
    """Print a line for each check; return 1 if one failed, 3 if node or npm is missing."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mcp_clients",
        description="Check `sam mcp` with the MCP inspector's CLI and the conformance suite.",
    )
    parser.add_argument("--only", nargs="+", choices=PROGRAMS, default=PROGRAMS, help="programs")
    parser.add_argument("--over", nargs="+", choices=TRANSPORTS, default=TRANSPORTS)
    given = parser.parse_args(argv)
    if not (shutil.which("node") and shutil.which("npm")):
        print("node and npm are not here: nothing was checked.")
        return 3
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bin_ = installed(folder)
        home = Home(folder / "home")
        home.write("zoo.md", "# Zoo\n\nThe zoo opens at nine.\n")
        home.write("skills/cook.md", "---\nname: cook\n---\nStir well.\n")
        checks: list[tuple[str, bool]] = []
        if "stdio" in given.over:
            checks += asyncio.run(over_pipes(bin_, home, given.only))
        if "HTTP" in given.over:
            with served(home) as server:
                checks += asyncio.run(over_http(bin_, home, server, given.only))
    failed = [what for what, passed in checks if not passed]
    print(f"{len(checks) - len(failed)} of {len(checks)} passed.")
    return 1 if failed else 0


def installed(folder: Path) -> Path:
    """Install the packages; return the folder of their programs."""
    subprocess.run(
        ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, *PACKAGES],
        check=True,
    )
    return folder / "node_modules" / ".bin"


async def over_http(
    bin_: Path, home: Home, server: Served, programs: Sequence[str]
) -> list[tuple[str, bool]]:
    """Return the checks of these programs over HTTP."""
    checks: list[tuple[str, bool]] = []
    async with with_token(server) as url:
        if "inspector" in programs:
            checks += await asyncio.to_thread(lambda: list(inspected(bin_, home, url)))
        if "conformance" in programs:
            checks += await conforming(bin_, url, "HTTP", (*SCENARIOS, *OF_HTTP))
    return checks


async def over_pipes(bin_: Path, home: Home, programs: Sequence[str]) -> list[tuple[str, bool]]:
    """Return the checks of these programs over stdio; of the suite, what is not about HTTP."""
    checks: list[tuple[str, bool]] = []
    if "inspector" in programs:
        checks += await asyncio.to_thread(lambda: list(inspected(bin_, home)))
    if "conformance" in programs:
        async with over_stdio(home) as url:
            checks += await conforming(bin_, url, "stdio", SCENARIOS)
    return checks


def inspected(bin_: Path, home: Home, url: str = "") -> Iterator[tuple[str, bool]]:
    """Yield each check of the inspector; without a URL it starts `sam mcp` itself."""
    for method, given, says in ASKED:
        words = [url] if url else [sys.executable, "-m", "bot", "mcp"]
        done = run([bin_ / "mcp-inspector", "--cli", *words, "--method", method, *given], home)
        passed = done.returncode == 0 and says in done.stdout
        what = f"inspector, {'HTTP' if url else 'stdio'}, {method} {' '.join(given[1:2])}".strip()
        yield shown(what, passed, done.stdout + done.stderr)


async def conforming(
    bin_: Path, url: str, transport: str, scenarios: Sequence[str]
) -> list[tuple[str, bool]]:
    """Return the checks of these scenarios of the conformance suite."""
    checks = []
    for scenario in scenarios:
        done = await asyncio.to_thread(
            run, [bin_ / "conformance", "server", "--url", url, "--scenario", scenario], None
        )
        passed = done.returncode == 0 and " 0 failed" in done.stdout
        checks.append(
            shown(f"conformance, {transport}, {scenario}", passed, done.stdout + done.stderr)
        )
    return checks


def run(words: Sequence[str | Path], home: Home | None) -> subprocess.CompletedProcess[str]:
    """Run a program of the packages, with their own node."""
    env = dict(home.env) if home else {"HOME": "/nonexistent"}
    env["PATH"] = f"{Path(words[0]).parent}:{os.environ['PATH']}"
    return subprocess.run(
        [str(word) for word in words], env=env, capture_output=True, text=True, timeout=120
    )


@asynccontextmanager
async def with_token(server: Served) -> AsyncIterator[str]:
    """Run a proxy that adds the token; a foreign Host header is passed on unchanged."""
    target = urlsplit(server.url)

    async def passed_on(request: web.Request) -> web.StreamResponse:
        headers = {name: value for name, value in request.headers.items() if name != "Connection"}
        if request.host == f"localhost:{port}":
            headers["Host"] = target.netloc
        if request.headers.get("Origin", "").endswith(f"//localhost:{port}"):
            headers["Origin"] = f"http://{target.netloc}"
        headers["Authorization"] = f"Bearer {server.token}"
        body = await request.read()
        async with client.request(
            request.method, server.url, headers=headers, data=body or None
        ) as answer:
            kept = ("Content-Type", "Mcp-Session-Id", "Allow", "Cache-Control")
            given = {name: answer.headers[name] for name in kept if name in answer.headers}
            back = web.StreamResponse(status=answer.status, headers=given)
            await back.prepare(request)
            with suppress(ConnectionResetError):  # the suite hangs up on a stream that stays open
                async for piece in answer.content.iter_any():
                    await back.write(piece)
        return back

    app = web.Application()
    app.router.add_route("*", "/mcp", passed_on)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "localhost", 0)
    await site.start()
    port = runner.addresses[0][1]
    async with aiohttp.ClientSession() as client:
        yield f"http://localhost:{port}/mcp"
    await runner.cleanup()


def shown(what: str, passed: bool, output: str) -> tuple[str, bool]:
    """Print the outcome of a check, and its output if it failed."""
    print(f"{'ok' if passed else 'FAILED':<7}{what}", flush=True)
    if not passed:
        print("\n".join(f"       {line[:200]}" for line in output.splitlines()[-30:]))
    return what, passed


if __name__ == "__main__":
    sys.exit(main())
