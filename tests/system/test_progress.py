"""Progress: each command that can take over a second shows it on a terminal, and not in a pipe."""

from __future__ import annotations

import asyncio
import json
import shutil
import sys

import pytest

from bot.cli import main
from bot.inbox import Inbox
from memory import system_clock
from tests.support import exports, prefork
from tests.support.homes import Home, no_process_is_left
from tests.support.terminal import Terminal

__all__ = ["no_process_is_left"]

AT_ONCE = (sys.executable, "-m", "tests.support.early_progress")

SHOWN: dict[str, list[tuple[str, str]]] = {
    "search": [("search red", "searching"), ("search --as-of 2026-01-01 red", "searching")],
    "facts": [("facts", "reading the facts")],
    "why": [("why red", "searching")],
    "versions": [("versions soul.md", "reading the versions")],
    "undo": [("undo --list", "reading the changes"), ("undo --yes", "changing the notes")],
    "index": [("index", "scanning the vault"), ("index --rebuild", "scanning the vault")],
    "summarize": [("summarize", "summarising")],
    "sync": [("sync --dry-run", "syncing"), ("sync --yes", "syncing")],
    "import": [
        ("import {file} --yes", "importing talks.json"),
        ("import {file} --dry-run", "reading talks.json"),
        ("import --list", "listing the imports"),
        ("import --undo 1 --yes", "looking for what was derived from it"),
        ("import {notes} --yes", "copying notes"),
        ("import {export} --dry-run", "checking the hashes"),
    ],
    "export": [("export {out}", "exporting: ")],
    "backup": [("backup", "reading it again")],
    "restore": [("restore {backup} --to {to} --yes", "restoring")],
    "privacy": [("privacy", "reading the log")],
    "forget": [
        ("forget", "listing the conversations"),
        ("forget --words zebra --yes", "looking for it in every copy"),
        ("forget 1 --yes", "forgetting"),
    ],
    "inbox": [("inbox", "reading the inbox")],
    "migrate": [("migrate --to postgresql://sam@127.0.0.1:1/sam", "looking at the databases")],
    "profile": [
        ("profile list", "listing the profiles"),
        ("profile add ana", "creating the memory"),
        ("profile rename ana bea", "renaming"),
        ("profile export bea {of_bea}", "exporting: "),
        ("profile remove bea --yes", "removing it"),
    ],
    "eval": [("eval", "asking")],
    "doctor": [("doctor", "checking")],
}
NONE = {
    "start": "talks or serves until it is ended",
    "setup": "asks questions, and names each check before it",
    "run": "serves until it is ended",
    "chat": "a conversation; the answer is shown as it comes",
    "web": "serves until it is ended",
    "mcp": "its output is the protocol",
    "pair": "one row of the inbox; asking Telegram is in tests/system/test_profile_option.py",
    "completion": "a script for `eval` in a shell's start; it prints nothing else",
}
"""Commands without progress, with the reason."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """Provide a Sam with something of everything that a command works on."""
    folder = tmp_path_factory.mktemp("progress")
    made = Home(folder, RCLONE_REMOTE=str(folder / "far"), RCLONE_CONFIG=str(folder / "rc.conf"))
    (folder / "far").mkdir()
    (folder / "rc.conf").touch()
    (folder / "notes").mkdir()
    (folder / "notes" / "a.md").write_text("# A\n\nThe gnu sleeps.\n", "utf-8")
    assert made.sam("chat", stdin="My bike is red.\nThe zebra is old.\n").returncode == 0
    assert made.sam("summarize").returncode == 0
    assert made.sam("export", str(folder / "export")).returncode == 0
    found = json.loads(made.sam("backup", "--json").stdout)
    shutil.copy(found["file"], folder / "backup.tar.zst")
    talks = {"Rome": [("user", "We fly to Rome."), ("user", "In May.")]}
    exports.dump(folder / "talks.json", exports.chatgpt(talks))

    async def aside() -> None:
        inbox = await Inbox.open(made.data / "inbox.db", system_clock)
        await inbox.updates.receive(7, "telegram:7", json.dumps({"message": {"text": "Hello"}}))
        await inbox.updates.set_aside(7, "KeyError")
        await inbox.close()

    asyncio.run(aside())
    return made


def words(home: Home, line: str) -> list[str]:
    at = home.folder
    places = {"file": "talks.json", "notes": "notes", "export": "export", "out": "out"}
    places |= {"backup": "backup.tar.zst", "to": "to", "of_bea": "of_bea"}
    return line.format(**{name: at / place for name, place in places.items()}).split()


def test_every_command_shows_it_or_says_why_not() -> None:
    assert sorted([*SHOWN, *NONE]) == sorted(main.COMMANDS)


@pytest.mark.parametrize("name", SHOWN)
def test_it_is_shown_on_a_terminal_and_never_in_a_pipe(home: Home, name: str) -> None:
    for line, shown in SHOWN[name]:
        given = words(home, line)
        terminal = Terminal(home, *AT_ONCE, *given, columns=200)
        terminal.shows(shown)
        assert terminal.ends() in (0, 1, 2), (line, terminal.screen)
    for line, shown in SHOWN[name][:2]:
        done = prefork.run([*AT_ONCE, *words(home, line)], home.env, cwd=home.folder, timeout=60)
        assert shown not in done.stdout + done.stderr, (line, done)
        assert "\x1b" not in done.stdout + done.stderr, (line, done)
