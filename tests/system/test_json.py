"""`--json`: standard output is a single document, whatever else a command prints."""

from __future__ import annotations

import argparse
import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from bot.cli import main
from bot.inbox import Inbox
from memory.infra.clock import system_clock
from tests.support import exports
from tests.support.homes import Home

WITHOUT_DATA = {"start", "setup", "run", "chat", "web", "mcp", "completion"}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """Provide a Sam with messages and an update that is set aside."""
    folder = tmp_path_factory.mktemp("json")
    made = Home(folder, RCLONE_REMOTE=str(folder / "far"), RCLONE_CONFIG=str(folder / "rc.conf"))
    (folder / "far").mkdir()
    (folder / "rc.conf").touch()
    assert made.sam("chat", stdin="My bike is red.\n").returncode == 0
    exports.dump(folder / "c.json", exports.chatgpt({"Rome": [("user", "We fly to Rome.")]}))

    async def aside() -> None:
        inbox = await Inbox.open(made.data / "inbox.db", system_clock)
        for number in (7, 8):
            text = json.dumps({"message": {"text": f"Hello {number}"}})
            await inbox.updates.receive(number, "telegram:7", text)
            await inbox.updates.set_aside(number, "KeyError")
        await inbox.close()

    asyncio.run(aside())
    return made


def document(home: Home, *words: str) -> Any:
    done = home.sam(*words, "--json")
    assert done.returncode == 0, (done.stdout, done.stderr)
    return json.loads(done.stdout)


def test_every_command_that_prints_data_has_it() -> None:
    lacking = set()
    for name in main.COMMANDS:
        parser = argparse.ArgumentParser()
        main.command_called(name).arguments(parser)
        if "--json" not in _options(parser):
            lacking.add(name)
    assert lacking == WITHOUT_DATA


def _options(parser: argparse.ArgumentParser) -> set[str]:
    found = set(parser._option_string_actions)
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                found |= _options(inner)
    return found


def test_what_is_set_aside_is_listed_and_dropped(home: Home) -> None:
    found = document(home, "inbox")
    assert [(row["id"], row["reason"], row["begins"]) for row in found] == [
        (7, "KeyError", "Hello 7"),
        (8, "KeyError", "Hello 8"),
    ]
    assert document(home, "inbox", "--drop", "7") == {"dropped": [7], "missing": []}
    gone = home.sam("inbox", "--drop", "7", "--json")
    assert gone.returncode == 1 and json.loads(gone.stdout) == {"dropped": [], "missing": [7]}


def test_index_summaries_and_import_say_what_was_done(home: Home) -> None:
    assert document(home, "index", "--dry-run")["provider"] == "none"
    assert document(home, "index")["messages"] == 1
    written = document(home, "summarize")
    assert written["ordered"] == 0 and "red" in json.dumps(written["written"])
    assert document(home, "summarize") == {"written": [], "ordered": 0}
    file = str(home.folder / "c.json")
    [chat] = document(home, "import", file, "--dry-run")
    assert (chat["title"], chat["messages"], chat["summaries"]) == ("Rome", 1, 1)
    [done] = document(home, "import", file, "--yes")
    assert (done["conversations"], done["messages"]) == (1, 1)
    assert document(home, "import", "--list")[0]["not_summarised"] == 1
    assert document(home, "import", "--undo", str(done["id"]), "--yes")["messages"] == 1


def test_a_sync_says_what_it_would_do_did_and_kept(home: Home) -> None:
    home.write("note.md", "one\n")
    assert document(home, "sync", "--dry-run")["note.md"] == "vault → remote"
    assert "note.md" in document(home, "sync", "--yes")["sent"]
    (home.folder / "far" / "note.md").write_text("two, of the other side\n")
    assert document(home, "sync", "--yes")["taken"] == ["note.md"]
    [copy] = document(home, "sync", "--copies")
    assert copy["copy"].endswith("/note.md") and copy["bytes"] == 4
    assert document(home, "sync", "--restore", "note.md") == {"restored": ["note.md"]}


def test_a_sync_that_has_to_ask_fails_without_a_document(home: Home, tmp_path: Path) -> None:
    other = Home(tmp_path, **{**home.env, "HOME": str(tmp_path), "VAULT_DIR": f"{tmp_path}/v"})
    (tmp_path / "v").mkdir()
    (tmp_path / "v" / "x.md").write_text("x\n")
    other.env["DATA_DIR"] = f"{tmp_path}/d"
    (home.folder / "far" / "theirs.md").write_text("theirs\n")
    done = other.sam("sync", "--json")
    (home.folder / "far" / "theirs.md").unlink()
    assert done.returncode == 1 and not done.stdout and "never synced" in done.stderr


def test_sessions_are_listed_shown_and_forgotten(home: Home) -> None:
    listed = document(home, "forget")
    assert listed[0]["messages"] == 2 and listed[0]["begins"] == "My bike is red."
    number = str(listed[0]["session"])
    assert any(
        "1 message" in line or "2 messages" in line
        for line in document(home, "forget", number)["goes"]
    )
    assert document(home, "forget") == listed, "nothing is forgotten without --yes"
    assert document(home, "forget", number, "--yes")["messages"] == 2
    assert document(home, "pair")["minutes"] == 10
