"""`--json`: every command that prints data has it, and prints what docs/json.md documents."""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from bot.cli import main
from bot.inbox import Inbox
from memory import Log, system_clock
from memory.log import Usage
from tests.support import exports
from tests.support.homes import Home
from tests.support.json_shapes import shapes, unlike

WITHOUT = {
    "start": "talks, or serves",
    "setup": "asks",
    "run": "serves",
    "chat": "talks; without a terminal it prints the answers as text",
    "web": "serves; --link prints an address alone",
    "mcp": "speaks the protocol; --config prints JSON already, --new-token the token alone",
    "completion": "prints a script",
    "profile add": "says what it did; `sam profile list --json` has the result",
    "profile rename": "the same",
    "profile remove": "the same",
}
"""Commands without --json, with the reason."""

ELSEWHERE = {"sam migrate --to TARGET": "tests/system/test_migrate_command.py, with PostgreSQL"}
"""Documents that other tests compare with the page."""

RUNS = {
    "sam search WORDS": "search bike",
    "sam search --as-of DAY": "search --as-of {today} rum",
    "sam facts": "facts",
    "sam why WORDS": "why bike",
    "sam versions FILE": "versions soul.md",
    "sam versions FILE --restore N": "versions soul.md --restore 2 --yes",
    "sam undo --list": "undo --list",
    "sam index --dry-run": "index --dry-run",
    "sam index": "index",
    "sam sync --dry-run": "sync --dry-run",
    "sam sync": "sync --yes",
    "sam sync --copies": "sync --copies",
    "sam sync --restore COPY": "sync --restore far.md",
    "sam summarize": "summarize",
    "sam import FILE --dry-run": "import {talks} --dry-run",
    "sam import FILE": "import {talks} --yes",
    "sam import NOTES --dry-run": "import {notes} --dry-run",
    "sam import NOTES": "import {notes} --yes",
    "sam import --list": "import --list",
    "sam import --undo ID": "import --undo 1 --yes",
    "sam export DIR": "export {out}",
    "sam import EXPORT": "import {out} --dry-run",
    "sam profile export NAME DIR": "profile export bob {of_bob}",
    "sam profile list": "profile list",
    "sam backup": "backup",
    "sam backup --list": "backup --list",
    "sam restore FILE": "restore {backup} --to {to} --yes",
    "sam privacy": "privacy",
    "sam forget": "forget",
    "sam forget N": "forget 1",
    "sam forget --words WORD": "forget --words bike",
    "sam forget --words WORD --yes": "forget --words walrus --yes",
    "sam forget N --yes": "forget 1 --yes",
    "sam inbox": "inbox",
    "sam inbox --again": "inbox --again 7",
    "sam inbox --drop": "inbox --drop 8",
    "sam pair": "pair",
    "sam pair --list": "pair --list",
    "sam pair --remove ID": "pair --remove 4711",
    "sam eval": "eval",
    "sam doctor": "doctor",
}
"""What docs/json.md calls it → what is run. In this order, on one home."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    return prepared(tmp_path_factory.mktemp("shapes"))


def prepared(folder: Path) -> Home:
    """Provide a Sam that has something to say to every command."""
    (folder / "far").mkdir()
    (folder / "rc.conf").touch()
    (folder / "notes").mkdir()
    (folder / "notes" / "a.md").write_text("# A\n\nThe gnu sleeps.\n", "utf-8")
    exports.dump(folder / "talks.json", exports.chatgpt({"Rome": [("user", "We fly to Rome.")]}))
    home = Home(folder, RCLONE_REMOTE=str(folder / "far"), RCLONE_CONFIG=str(folder / "rc.conf"))
    said = "My bike is red.\n/remember My hat is blue\n/new\nThe walrus is old.\n"
    for line in ("chat", "summarize", "profile add bob", "sync --yes", "backup"):
        assert home.sam(*line.split(), stdin=said).returncode == 0
    [backup] = home.data.glob("backups/*")
    shutil.copy(backup, folder / "backup")
    home.write(
        "knowledge/preference.md", "# Preference\n\n- Likes rum (updated:: 2026-02-12) ^f1\n"
    )
    for text in ("# Soul\n\nBe kind.\n", "# Soul\n\nBe brief.\n"):
        home.write("soul.md", text)
        assert home.sam("versions", "soul.md").returncode == 0
    home.write("far.md", "one\n")
    assert home.sam("sync", "--yes").returncode == 0
    (folder / "far" / "far.md").write_text("two, from the other side\n", "utf-8")
    assert home.sam("sync", "--yes").returncode == 0
    home.write("new.md", "new\n")
    assert home.sam("chat", stdin="The lamp is green.\n").returncode == 0
    asyncio.run(_in_stores(home))
    return home


async def _in_stores(home: Home) -> None:
    """Add an update that is set aside, a pairing, and a call of a model."""
    inbox = await Inbox.open(home.data / "inbox.db", system_clock)
    for number in (7, 8, 9):
        text = json.dumps({"message": {"text": f"Hello {number}"}})
        await inbox.updates.receive(number, "telegram:7", text)
        await inbox.updates.set_aside(number, "KeyError")
    assert await inbox.people.pair(await inbox.people.new_code("bob"), 4711)
    await inbox.close()
    log = await Log.open(home.data / "log.db", system_clock)
    await log.usage.add(Usage("anthropic", "claude-haiku-5-5", "answer", input=7, output=3))
    await log.close()


def words(home: Home, line: str) -> list[str]:
    places = {"talks": "talks.json", "notes": "notes", "out": "out", "backup": "backup"}
    at = {name: home.folder / place for name, place in {**places, "to": "to"}.items()}
    at["of_bob"] = home.folder / "of_bob"
    return line.format(today=date.today().isoformat(), **at).split()  # noqa: DTZ011


def leaves() -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Yield every command and subcommand with its parser."""
    for name in main.COMMANDS:
        parser = argparse.ArgumentParser()
        main.command_called(name).arguments(parser)
        within = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
        for action in within:
            yield from ((f"{name} {word}", inner) for word, inner in action.choices.items())
        if not within:
            yield name, parser


def test_every_command_that_prints_data_has_it_and_a_documented_shape() -> None:
    found = dict(leaves())
    lacking = {name for name, parser in found.items() if "--json" not in _options(parser)}
    assert lacking == set(WITHOUT)
    documented = {" ".join(title.split()[1:]) for title in shapes()}
    for name in found.keys() - lacking:
        assert any(each == name or each.startswith(f"{name} ") for each in documented), name


def _options(parser: argparse.ArgumentParser) -> set[str]:
    return set(parser._option_string_actions)


def test_the_documents_are_those_that_are_documented(home: Home) -> None:
    documented, wrong = shapes(), []
    assert [title for title in documented if title not in ELSEWHERE] == list(RUNS)
    for title, line in RUNS.items():
        done = home.sam(*words(home, line), "--json")
        assert done.returncode == (title == "sam inbox --again"), (line, done.stdout, done.stderr)
        wrong += [f"{title}: {each}" for each in unlike(json.loads(done.stdout), documented[title])]
    assert not wrong, "\n".join(wrong)
