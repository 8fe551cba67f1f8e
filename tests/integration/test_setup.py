"""`sam setup` with a scripted owner and real HTTP, up to the finished `.env`."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import pty
import select
import signal
import stat
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from dotenv import dotenv_values

from bot.errors import TelegramDown
from bot.inbox import Inbox
from bot.settings import Settings, env_file, load
from bot.setup import ollama, pairing, wizard
from bot.setup.bot_token import username
from bot.setup.pairing import deep_link, qr_code
from bot.setup.prompts import TRY, masked
from memory import ConfigError, config
from memory.config import read
from memory.infra.clock import system_clock
from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import ANA, TOKEN, FakeTelegram, Person
from tests.fakes.violations import assert_no_violations
from tests.fakes.wire import Running
from tests.support.homes import Home
from tests.support.setup_owner import Owner

WRONG = "999999:a-token-that-nobody-has-given"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """Provide a home whose environment is this process's."""
    made = Home(tmp_path)
    for name in ("VAULT_DIR", "TIMEZONE"):
        del made.env[name]
    for name, value in made.env.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(ollama, "PORT", 1)  # nothing listens on this port
    return made


@pytest.fixture
def claude() -> Iterator[FakeClaude]:
    with FakeClaude.running() as fake:
        yield fake


async def test_a_bot_is_made_known_tried_and_paired(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with FakeTelegram() as telegram:
        monkeypatch.setenv("TELEGRAM_BASE_URL", telegram.url)
        owner = Owner(("Token", "not a token"), ("Token", WRONG), ("Token", TOKEN), ("Folder", "v"))
        running = asyncio.create_task(wizard.run(owner.talk(), Path(".env")))
        async with asyncio.timeout(60):
            while not (code := [line for line in owner.heard if "/pair" in line]):  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        await telegram.receives("good morning")
        await telegram.receives("/pair 0000-0000", user=Person(1002, "Eve"))
        await telegram.receives(code[0].strip())
        await running
        assert "does not look like a bot token" in owner.all
        assert "does not accept TELEGRAM_BOT_TOKEN" in owner.all
        assert "That is @sam_the_bot." in owner.all
        assert f"Telegram's user {ANA.id} is the owner" in owner.all
        link = f"https://t.me/sam_the_bot?start={code[0].strip()[len('/pair ') :].replace('-', '')}"
        assert link in owner.all
        assert all(f"   {row}" in owner.heard for row in qr_code(link).split("\n"))
        assert [(sent.chat_id, sent.text) for sent in telegram.sent] == [(ANA.id, wizard.HELLO)]
        assert "Three things to try:" in owner.all and TRY[2] in owner.all
        assert WRONG not in owner.all and TOKEN not in owner.all
        # Nothing was confirmed, so a running Sam receives all three.
        assert len(telegram.pending) == 3
        assert_no_violations(telegram)
    settings = dotenv_values(".env")
    assert settings["TELEGRAM_BOT_TOKEN"] == TOKEN
    assert settings["VAULT_DIR"] == str(Path("v").absolute())  # for `sam` in another folder
    assert stat.S_IMODE(Path(".env").stat().st_mode) == 0o600
    inbox = await Inbox.open(home.data / "inbox.db", system_clock)
    assert await inbox.people.paired() == {ANA.id: "owner"}
    await inbox.close()


async def test_a_running_sam_is_left_to_take_the_code(tmp_path: Path) -> None:
    inbox = await Inbox.open(tmp_path / "inbox.db", system_clock)
    code = await inbox.people.new_code()
    nowhere = "http://127.0.0.1:1"
    waiting = asyncio.create_task(
        pairing.wait(inbox.people, TOKEN, nowhere, running=True, poll_seconds=0.02)
    )
    await asyncio.sleep(0.1)
    await inbox.people.pair(code, 77)
    assert await waiting == 77
    again = pairing.wait(
        inbox.people,
        TOKEN,
        nowhere,
        running=False,
        patience=timedelta(seconds=0.2),
        poll_seconds=0.02,
    )
    assert await again is None, "nobody new came, and Telegram did not answer"
    await inbox.close()


async def test_a_code_takes_five_tries(tmp_path: Path) -> None:
    async with FakeTelegram() as telegram:
        inbox = await Inbox.open(tmp_path / "inbox.db", system_clock)
        code = await inbox.people.new_code()
        for _ in range(5):
            await telegram.receives("/pair 1111-1111")
        await telegram.receives(f"/pair {code}")
        wait = pairing.wait(
            inbox.people,
            TOKEN,
            telegram.url,
            running=False,
            patience=timedelta(seconds=0.5),
            poll_seconds=0.02,
        )
        assert await wait is None
        assert await inbox.people.paired() == {}
        await inbox.close()


async def test_a_claude_key_is_tried_and_asked_for_again(
    home: Home, claude: FakeClaude, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", claude.url)
    claude.keys = {"sk-right"}
    owner = Owner(("Key [keep]", "sk-wrong"), ("Key [keep]", "sk-right"))
    await wizard.run(owner.talk(), Path(".env"))
    assert "does not accept the key" in owner.all
    assert "claude-sonnet-5-5 answers." in owner.all
    assert dotenv_values(".env") == {"ANTHROPIC_API_KEY": "sk-right"}
    assert "sk-right" not in owner.all


async def test_what_cannot_be_tried_is_kept_only_if_wanted(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TELEGRAM_BASE_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("TELEGRAM_ALLOWED_USERS", "5")
    owner = Owner(("Token", TOKEN), ("Keep it", "n"), ("Token", ""))
    await wizard.run(owner.talk(), Path(".env"))
    assert "Telegram cannot be reached" in owner.all
    assert not Path(".env").exists()
    owner = Owner(("Token", TOKEN), ("Keep it", "y"))
    await wizard.run(owner.talk(), Path(".env"))
    assert dotenv_values(".env") == {"TELEGRAM_BOT_TOKEN": TOKEN}


async def test_another_server_at_the_address_is_not_taken_for_a_wrong_token() -> None:
    async with Running(Ollama(None)) as other:  # type: ignore[type-var]  # it answers 404
        with pytest.raises(TelegramDown, match="TELEGRAM_BASE_URL"):
            await username(TOKEN, f"http://127.0.0.1:{other.port}")


class Portal:
    """A network that answers every request with its own page, which is not in UTF-8."""

    port = 0

    def app(self) -> object:
        from aiohttp import web

        async def page(request: web.Request) -> web.Response:
            return web.Response(body="<p>Bitte bestätigen</p>".encode("latin-1"))

        app = web.Application()
        app.router.add_route("*", "/{path:.*}", page)
        return app

    def check(self) -> None:
        pass


async def test_the_page_of_a_portal_is_taken_for_no_answer(home: Home) -> None:
    async with Running(Portal()) as portal:  # type: ignore[type-var]
        url = f"http://127.0.0.1:{portal.port}"
        with pytest.raises(TelegramDown, match="check the network"):
            await username(TOKEN, url)
        inbox = await Inbox.of(home.settings(), system_clock)
        try:
            assert not await pairing.wait(
                inbox.people, TOKEN, url, running=False, patience=timedelta(seconds=0.3)
            )
        finally:
            await inbox.close()


async def test_lines_of_ones_own_stay_and_mistakes_are_named(home: Home) -> None:
    Path(".env").write_text("# mine\nRECALL_HITS=many\nLOG_LEVEL=DEBUG\n")
    owner = Owner(("Folder", str(home.folder / "notes")))
    await wizard.run(owner.talk(), Path(".env"))
    assert "RECALL_HITS" in owner.all
    assert Path(".env").read_text() == (
        f"# mine\nRECALL_HITS=many\nLOG_LEVEL=DEBUG\nVAULT_DIR={home.folder / 'notes'}\n"
    )


async def test_the_file_that_is_named_is_made_although_nothing_is_answered(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = home.folder / "sam.env"
    monkeypatch.setenv("SAM_ENV_FILE", str(path))
    monkeypatch.delenv("SAM_NO_ENV_FILE", raising=False)
    with pytest.raises(ConfigError, match="`sam setup` would create it"):
        load()
    await wizard.run(Owner().talk(), path)
    load()
    assert path.read_text().split() == []


async def test_a_vault_of_ones_own_gets_a_guest(home: Home) -> None:
    root = home.folder / "notes"
    (root / ".obsidian").mkdir(parents=True)
    (root / "Daily").mkdir()
    (root / "Daily" / "2026-02-12.md").write_text("my day\n")
    owner = Owner(("Folder", str(root)))
    await wizard.run(owner.talk(), Path(".env"))
    written = dotenv_values(".env")
    assert written["SAM_DIR"] == "Sam"
    assert written["MEMORY_FILE"] == "memories/%Y-%m-%d Sam.md"
    done = home.sam("chat", stdin="/remember the key is under the mat\n/quit\n")
    assert done.returncode == 0, done.stderr
    assert {path.name for path in root.iterdir()} == {".obsidian", "Daily", "Sam"}
    [day] = (root / "Sam" / "memories").glob("* Sam.md")
    assert "[[Sam/MEMORY#^" in day.read_text()
    assert "the mat" in (root / "Sam" / "MEMORY.md").read_text()


@pytest.mark.parametrize(
    ("settings", "own"),
    [
        ({"daily-notes.json": {"folder": "Journal"}}, True),
        ({"daily-notes.json": {"format": "YYYY/MM/YYYY-MM-DD"}, "core-plugins.json": []}, False),
        ({"daily-notes.json": {"format": "YYYY/YYYY-MM-DD"}}, True),
        ({"daily-notes.json": {"format": "DD.MM.YYYY"}}, False),
        ({"plugins/periodic-notes/data.json": {"daily": {"enabled": True}}}, True),
        ({"daily-notes.json": "no object"}, False),
        ({}, False),
    ],
)
async def test_obsidians_settings_decide_before_there_is_a_daily_note(
    home: Home, settings: dict[str, object], own: bool
) -> None:
    root = home.folder / "notes"
    given = {"app.json": {"userIgnoreFilters": ["Private/"]}, **settings}
    for name, value in given.items():
        file = root / ".obsidian" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(value))
    (root / "Ideas.md").write_text("an idea\n")
    owner = Owner(("Folder", str(root)))
    await wizard.run(owner.talk(), Path(".env"))
    written = dotenv_values(".env")
    assert written["SAM_DIR"] == "Sam" and ("MEMORY_FILE" in written) is own
    assert "exclude in Obsidian: Private/" in owner.all


async def test_a_second_setup_leaves_the_names_of_sams_days_alone(home: Home) -> None:
    root = home.folder / "notes"
    (root / ".obsidian").mkdir(parents=True)
    (root / "Ideas.md").write_text("an idea\n")
    await wizard.run(Owner(("Folder", str(root))).talk(), Path(".env"))
    done = home.sam("chat", stdin="/remember the key is under the mat\n/quit\n")
    assert done.returncode == 0, done.stderr
    [day] = (root / "Sam" / "memories").glob("*.md")
    deleted = root / "Sam" / "archive" / "deleted 2026-02-14 120000" / "memories"
    deleted.mkdir(parents=True)
    (deleted / "2026-02-12.md").write_bytes(day.read_bytes())
    await wizard.run(Owner().talk(), Path(".env"))
    assert "MEMORY_FILE" not in dotenv_values(".env")


async def test_a_name_that_was_chosen_for_sams_days_stays(home: Home) -> None:
    root = home.folder / "notes"
    (root / ".obsidian").mkdir(parents=True)
    (root / "2026-02-12.md").write_text("my day\n")
    Path(".env").write_text("MEMORY_FILE='diary/%Y-%m-%d of Sam.md'\n")
    await wizard.run(Owner(("Folder", str(root))).talk(), Path(".env"))
    assert dotenv_values(".env")["MEMORY_FILE"] == "diary/%Y-%m-%d of Sam.md"


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("'{}/My notes'", "My notes"),
        ("{}/My\\ notes", "My notes"),
        ("{}/My notes", "My notes"),
        ("{}/Ana's notes", "Ana's notes"),
    ],
)
async def test_a_folder_may_be_dropped_on_the_terminal(home: Home, typed: str, name: str) -> None:
    owner = Owner(("Folder", typed.format(home.folder)))
    await wizard.run(owner.talk(), Path(".env"))
    assert dotenv_values(".env")["VAULT_DIR"] == str(home.folder / name)


@pytest.mark.parametrize("typed", ["~/Notes", "$HOME/Notes", "${HOME}/Notes"])
async def test_the_home_folder_may_be_written_as_in_a_shell(
    home: Home, typed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(home.folder / "me"))
    await wizard.run(Owner(("Folder", typed)).talk(), Path(".env"))
    assert dotenv_values(".env")["VAULT_DIR"] == str(home.folder / "me" / "Notes")


async def test_a_file_or_a_data_folder_is_no_vault(home: Home) -> None:
    file = home.folder / "file"
    file.write_text("")
    owner = Owner(("Folder", str(file)), ("Folder", str(home.folder / "Sam")), ("Folder", "v"))
    await wizard.run(owner.talk(), Path(".env"))
    assert "is a file" in owner.all
    assert "DATA_DIR may not lie in VAULT_DIR" in owner.all
    assert dotenv_values(".env") == {"VAULT_DIR": str(home.folder / "v")}


class Ollama:
    """Ollama as far as Sam uses it: list, describe and load models by its own API, and the Messages
    API of a fake Claude, unless it is an old version without that."""

    def __init__(self, claude: FakeClaude | None, **capabilities: list[str]) -> None:
        self.port = 0
        self.claude, self.capabilities, self.context = claude, capabilities, 4096

    def app(self) -> object:
        from aiohttp import ClientSession, web

        names = list(self.capabilities)

        async def tags(request: web.Request) -> web.Response:
            models = [{"name": name, "size": 10 + at} for at, name in enumerate(names)]
            return web.json_response({"models": models})

        async def show(request: web.Request) -> web.Response:
            name = (await request.json())["model"]
            return web.json_response({"capabilities": self.capabilities[name]})

        async def loaded(request: web.Request) -> web.Response:
            models = [{"name": name, "context_length": self.context} for name in names]
            return web.json_response({"models": models})

        async def messages(request: web.Request) -> web.Response:
            assert self.claude is not None
            body = {**await request.json(), "model": "claude-haiku-5-5"}
            version = request.headers["anthropic-version"]
            kept = {"x-api-key": "local", "anthropic-version": version}
            async with (
                ClientSession() as session,
                session.post(f"{self.claude.url}/v1/messages", json=body, headers=kept) as answer,
            ):
                return web.Response(
                    body=await answer.read(),
                    status=answer.status,
                    content_type=answer.content_type,
                )

        app = web.Application()
        app.router.add_get("/api/tags", tags)
        app.router.add_post("/api/show", show)
        app.router.add_get("/api/ps", loaded)
        if self.claude is not None:
            app.router.add_post("/v1/messages", messages)
        return app

    def check(self) -> None:
        """Do nothing: nothing is scripted."""


CHAT, CALLS_TOOLS = ["completion"], ["completion", "tools"]


@contextlib.asynccontextmanager
async def listening(
    monkeypatch: pytest.MonkeyPatch, claude: FakeClaude | None, **capabilities: list[str]
) -> AsyncIterator[Ollama]:
    async with Running(Ollama(claude, **capabilities)) as fake:  # type: ignore[type-var]
        monkeypatch.setattr(ollama, "PORT", fake.port)
        yield fake  # type: ignore[misc]


async def test_ollama_is_proposed_where_it_listens(
    home: Home, monkeypatch: pytest.MonkeyPatch, claude: FakeClaude
) -> None:
    models = {"small": CALLS_TOOLS, "large": CALLS_TOOLS, "huge": CHAT, "embeds": ["embedding"]}
    async with listening(monkeypatch, claude, **models) as fake:
        owner = Owner(("Use its large?", "y"))
        await wizard.run(owner.talk(), Path(".env"))
        wanted = {"ANTHROPIC_BASE_URL": f"http://127.0.0.1:{fake.port}", "CHAT_MODEL": "large"}
        assert dotenv_values(".env") == wanted
        assert "large answers." in owner.all and "embeds" not in owner.all
        assert "OLLAMA_CONTEXT_LENGTH=16384" in owner.all, "4096 tokens would be cut off"
        # Two lines suffice: the chat model also writes the summaries.
        assert read(Settings).summary_model == "large"
    Path(".env").unlink()
    async with listening(monkeypatch, claude, **models) as fake:
        fake.context = 32_768
        owner = Owner(("Use its large?", "n"), ("Another one (small, huge)", "huge"))
        await wizard.run(owner.talk(), Path(".env"))
        assert dotenv_values(".env")["CHAT_MODEL"] == "huge"
        assert "huge answers." in owner.all and "cannot call tools" in owner.all
        assert "OLLAMA_CONTEXT_LENGTH" not in owner.all


async def test_an_ollama_that_is_too_old_or_empty_changes_nothing(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with listening(monkeypatch, None, **{"large:30b": CALLS_TOOLS}):
        owner = Owner(("Use its large:30b?", "y"))
        await wizard.run(owner.talk(), Path(".env"))
        assert "Ollama 0.14 or newer" in owner.all and "answers." not in owner.all
    async with listening(monkeypatch, None, embeds=["embedding"]):
        owner = Owner()
        await wizard.run(owner.talk(), Path(".env"))
        assert "has no chat model" in owner.all and "ollama pull" in owner.all
    assert not Path(".env").exists()


async def test_one_command_sets_up_ollama(
    home: Home, monkeypatch: pytest.MonkeyPatch, claude: FakeClaude
) -> None:
    from bot.cli.main import main

    def run(*words: str) -> int:
        return main(["setup", "--ollama", *words])

    assert await asyncio.to_thread(run) == 1, "none is running"
    async with listening(monkeypatch, claude, **{"small": CALLS_TOOLS, "large:latest": CHAT}):
        assert await asyncio.to_thread(run, "absent") == 1
        assert not Path(".env").exists()
        assert await asyncio.to_thread(run, "large") == 0, "as Ollama itself reads the name"
        assert dotenv_values(".env")["CHAT_MODEL"] == "large:latest"
        assert await asyncio.to_thread(run) == 0
        assert dotenv_values(".env")["CHAT_MODEL"] == "small", "the one that calls tools"


def test_the_settings_are_found_from_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("SAM_ENV_FILE", "SAM_NO_ENV_FILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    clone = Path(__file__).parents[2]
    assert config.env_file() == clone / ".env"
    monkeypatch.setattr(config, "clone", lambda: None)  # an installed package
    file = config.env_file()
    assert file == tmp_path / "Sam" / ".env"
    env_file.write(file, {"CHAT_MODEL": "claude-haiku-5-5"})
    assert read(Settings).chat_model == "claude-haiku-5-5"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    Path(".env").write_text("")
    assert config.env_file() == Path(".env"), "one in the working folder leads"


async def test_the_local_embedder_is_tried(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EMBEDDING_PROVIDER")
    owner = Owner()
    await wizard.run(owner.talk(), Path(".env"))
    assert "works on this machine." in owner.all


def test_the_command_reads_a_pipe_and_keeps_what_was_answered(home: Home) -> None:
    with FakeTelegram.running() as telegram:
        more = {"TELEGRAM_BASE_URL": telegram.url, "TELEGRAM_ALLOWED_USERS": "5"}
        done = home.sam("setup", stdin=f"{TOKEN}\n", env=more)
        assert done.returncode == 1
        assert "@sam_the_bot" in done.stdout and "Traceback" not in done.stderr
        assert dotenv_values(home.folder / ".env") == {"TELEGRAM_BOT_TOKEN": TOKEN}


async def test_a_folder_that_cannot_be_written_to_is_refused(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, _: "locked" not in str(path))  # as for non-root
    (home.folder / "locked").mkdir()
    owner = Owner(("Folder", f"{home.folder}/locked/vault"), ("Folder", "open"))
    await wizard.run(owner.talk(), Path(".env"))
    assert "locked/vault is not writable" in owner.all
    assert dotenv_values(".env")["VAULT_DIR"] == str(home.folder / "open")


def test_a_secret_is_shown_masked() -> None:
    assert masked(TOKEN).endswith(f"{TOKEN[-4:]} ({len(TOKEN)} characters)")
    assert TOKEN[:-4] not in masked(TOKEN) and TOKEN[-5:] not in masked(TOKEN)
    assert "short" not in masked("short") and "(5 characters)" in masked("short")


def test_the_link_is_drawn_as_a_qr_code() -> None:
    """Each module is where a scanner looks for it, light on dark."""
    segno = pytest.importorskip("segno")
    link = deep_link("@sam_the_bot", "K7QM-2XRD")
    assert link == "https://t.me/sam_the_bot?start=K7QM2XRD"
    drawn = qr_code(link).split("\n")
    dark = [list(row) for row in segno.make_qr(link, error="l").matrix_iter(border=4)]
    halves = {"█": (0, 0), "▀": (0, 1), "▄": (1, 0), " ": (1, 1)}  # dark above, dark below
    shown = [[halves[char][half] for char in row] for row in drawn for half in (0, 1)]
    assert [row[: len(dark)] for row in shown[: len(dark)]] == dark


def test_a_terminal_shows_of_a_secret_only_its_end(home: Home) -> None:
    """A pasted secret is not displayed, except for its end, which shows that it is complete."""
    pid, fd = pty.fork()
    if pid == 0:  # pragma: no cover - the child becomes `sam setup`
        environ = {**home.env, "TELEGRAM_BASE_URL": "http://127.0.0.1:1"}
        os.chdir(home.folder)
        os.execve(sys.executable, [sys.executable, "-m", "bot", "setup"], environ)
    screen, end = "", time.monotonic() + 60
    typed = False
    try:
        while "characters)" not in screen and time.monotonic() < end:
            if select.select([fd], [], [], 0.2)[0]:
                screen += os.read(fd, 65_536).decode("utf-8", "replace")
            if not typed and "Token" in screen:
                os.write(fd, f"{TOKEN}\n".encode())
                typed = True
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(fd)
    assert masked(TOKEN) in screen
    assert TOKEN not in screen


IN_A_TERMINAL = """\
import fcntl, os, signal, sys, termios
signal.signal(signal.SIGINT, signal.SIG_DFL)  # a job in the background ignores it
os.setsid()
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.executable, [sys.executable, "-m", "bot", "setup"])
"""


def test_ctrl_c_skips_the_pairing_and_then_ends_at_once(home: Home) -> None:
    """In a real terminal: the first skips the pairing, the second quits at the question."""
    with FakeTelegram.running() as telegram:
        here, there = pty.openpty()
        child = subprocess.Popen(  # not forked from here, because the fake's threads hold locks
            [sys.executable, "-c", IN_A_TERMINAL],
            cwd=home.folder,
            env={**home.env, "TELEGRAM_BASE_URL": telegram.url},
            stdin=there,
            stdout=there,
            stderr=there,
        )
        screen, end = "", time.monotonic() + 60
        steps = [("Token", f"{TOKEN}\n"), ("Ctrl-C goes on", "\x03"), ("   Key", "\x03")]
        try:
            while child.poll() is None and time.monotonic() < end:
                if select.select([here], [], [], 0.2)[0]:
                    screen += os.read(here, 65_536).decode("utf-8", "replace")
                if steps and steps[0][0] in screen:
                    os.write(here, steps.pop(0)[1].encode())
            while select.select([here], [], [], 0.2)[0]:
                screen += os.read(here, 65_536).decode("utf-8", "replace")
        finally:
            child.kill()
            child.wait()
            os.close(there)
            os.close(here)
    assert child.returncode == 130, screen
    assert "Not paired yet" in screen and "The answers so far are kept" in screen
    assert dotenv_values(home.folder / ".env")["TELEGRAM_BOT_TOKEN"] == TOKEN
