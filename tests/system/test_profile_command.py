"""`sam profile`, and `--profile` on commands that use one memory, as real processes."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from bot.inbox import Inbox
from bot.inbox.outbox import turn_key
from memory import OWNER, profile_of
from memory.infra import RunLock
from tests.fakes.telegram import ANA
from tests.support import exports
from tests.support.homes import Home
from tests.support.memories import Clock
from tests.support.terminal import Terminal

MINE, BOBS = "my okapi eats hay", "Bob's lemur eats figs"


@pytest.fixture
def home(tmp_path: Path, engine: str) -> Home:
    made = Home(tmp_path, TELEGRAM_ALLOWED_USERS=f"{ANA.id}")
    made.write("own.md", f"# Own\n\n{MINE}\n")
    assert made.sam("profile", "add", "bob").returncode == 0
    note = tmp_path / "Sam/profiles/bob/vault/zoo.md"
    note.write_text(f"# Zoo\n\n{BOBS}\n", "utf-8")
    return made


def folder(home: Home, name: str) -> Path:
    return home.folder / "Sam/profiles" / name


def test_a_profile_is_added_and_listed(home: Home) -> None:
    bob = folder(home, "bob")
    log = profile_of(home.settings(), "bob").log_file
    assert (
        log.parent == bob / "data" and log.exists() and (bob / "data").stat().st_mode & 0o077 == 0
    )
    assert (bob / "vault/soul.md").exists(), "with the same first notes as any other"
    rows = {row["name"]: row for row in json.loads(home.sam("profile", "list", "--json").stdout)}
    assert list(rows) == [OWNER, "bob"]
    assert rows[OWNER]["telegram"] == [ANA.id] and rows["bob"]["telegram"] == []
    assert rows["bob"]["folder"] == str(bob) and rows["bob"]["notes"] > 1
    assert "nobody on Telegram" in home.sam("profile", "list").stdout
    for name in ("bob", "owner", "Bob", "../x", "group-7", "x" * 33, ""):
        refused = home.sam("profile", "add", name)
        assert refused.returncode == 2 and refused.stderr.startswith("sam: "), name
    assert sorted(path.name for path in bob.parent.iterdir()) == ["bob"]


@pytest.mark.parametrize(
    ("words", "finds"),
    [
        (("search", "who eats", "--json"), True),
        (("why", "who eats", "--json"), True),
        (("index",), False),
        (("facts",), False),
        (("undo", "--list"), False),
        (("versions", "soul"), False),
        (("privacy",), False),
        (("import", "--list"), False),
        (("eval",), False),
        (("forget",), False),
        (("forget", "--words", "eats", "--json"), True),
    ],
)
def test_a_command_works_on_the_memory_that_is_named(
    home: Home, words: tuple[str, ...], finds: bool
) -> None:
    of_mine, of_bobs = home.sam(*words), home.sam(*words, "--profile", "bob")
    assert of_mine.returncode == of_bobs.returncode == 0, of_bobs.stderr
    assert "figs" not in of_mine.stdout and "okapi" not in of_bobs.stdout
    if finds:
        assert "own.md" in of_mine.stdout and "zoo.md" in of_bobs.stdout
    nobody = home.sam(*words, "--profile", "nobody")
    assert nobody.returncode == 2 and "there are owner, bob" in nobody.stderr
    assert not folder(home, "nobody").exists()


def test_an_import_goes_into_the_memory_that_is_named_and_is_undone_there(home: Home) -> None:
    talks = exports.chatgpt({"Zoo": [("user", "The tapir is called Rosa.")]})
    file = exports.dump(home.folder / "talks.json", talks)
    done = home.sam("import", str(file), "--yes", "--profile", "bob")
    assert "1 conversation, 1 message;" in done.stdout, done.stderr
    assert "Rosa" in home.sam("search", "tapir", "--profile", "bob").stdout
    assert "Rosa" not in home.sam("search", "tapir", "--nearest").stdout
    assert "Nothing was imported." in home.sam("import", "--list").stdout
    assert home.sam("import", "--undo", "1", "--yes").returncode == 1
    assert home.sam("import", "--undo", "1", "--yes", "--profile", "bob").returncode == 0
    assert "Rosa" not in home.sam("search", "tapir", "--nearest", "--profile", "bob").stdout


def test_the_end_of_the_input_at_a_question_is_a_no(tmp_path: Path) -> None:
    home = Home(tmp_path)
    assert home.sam("profile", "add", "bob").returncode == 0
    remove = ("profile", "remove", "bob", "--export", str(tmp_path / "out"))
    terminal = Terminal(home, sys.executable, "-m", "bot", *remove)
    terminal.shows("Type bob:")
    terminal.types("\x04")
    terminal.shows("Nothing was removed.")
    assert terminal.ends() == 1
    assert folder(home, "bob").is_dir()


def test_an_export_of_one_profile_goes_into_another(home: Home) -> None:
    out = home.folder / "out"
    assert home.sam("export", str(out), "--profile", "bob").returncode == 0
    assert (out / "vault/zoo.md").exists() and not (out / "vault/own.md").exists()
    done = home.sam("profile", "export", "bob", str(home.folder / "again"), "--json")
    assert json.loads(done.stdout)["notes"] == len(list((out / "vault").rglob("*.md"))), done.stderr
    assert BOBS in (home.folder / "again/vault/zoo.md").read_text("utf-8")
    nobody = home.sam("profile", "export", "nobody", str(home.folder / "none"))
    assert nobody.returncode == 2 and not (home.folder / "none").exists()
    assert home.sam("profile", "add", "eve").returncode == 0
    into = home.sam("import", str(out), "--yes", "--profile", "eve")
    assert into.returncode == 0, into.stderr
    assert BOBS in (folder(home, "eve") / "vault/zoo.md").read_text("utf-8")
    refused = home.sam("import", str(out), "--yes")
    assert refused.returncode == 1, "the owner's is not empty"


async def test_a_profile_is_renamed_with_its_replies(home: Home) -> None:
    inbox = await Inbox.of(home.settings(), Clock())
    await inbox.replies.begin_stream(turn_key("bob", 3, "t"), 5, Clock()())
    await inbox.close()
    done = home.sam("profile", "rename", "bob", "robert", env={"BUDGET_PROFILES": "bob:1"})
    assert done.returncode == 0 and "rename bob in BUDGET_PROFILES" in done.stdout, done.stderr
    assert not folder(home, "bob").exists()
    assert (folder(home, "robert") / "vault/zoo.md").exists()
    assert "zoo.md" in home.sam("search", "who eats figs", "--profile", "robert").stdout
    inbox = await Inbox.of(home.settings(), Clock())
    try:
        assert await inbox.replies.stream_message(turn_key("bob", 3, "t")) is None
        assert (await inbox.replies.stream_message(turn_key("robert", 3, "t")) or (0,))[0] == 5
    finally:
        await inbox.close()


def test_a_profile_goes_only_after_an_export_or_a_yes(home: Home) -> None:
    bob, out = folder(home, "bob"), home.folder / "out"
    shown = home.sam("profile", "remove", "bob")
    assert shown.returncode == 1 and "--export DIR" in shown.stdout and str(bob) in shown.stdout
    notes = len(list((bob / "vault").rglob("*.md")))
    assert shown.stdout.startswith(f"bob: {notes} notes, 0 messages,\n")
    home.sam("chat", "--profile", "bob", stdin="Remember that the tent is blue.\n/quit\n")
    shown = home.sam("profile", "remove", "bob")
    assert shown.stdout.startswith(f"bob: {notes + 1} notes, 1 message,\n"), (
        "which search does not have"
    )
    exported = home.sam("profile", "remove", "bob", "--export", str(out))
    assert exported.returncode == 1 and "add --yes" in exported.stderr, "nobody was asked"
    assert BOBS in (out / "vault/zoo.md").read_text("utf-8")
    assert BOBS in (bob / "vault/zoo.md").read_text("utf-8")
    inside = home.sam("profile", "remove", "bob", "--yes", "--export", str(bob / "out"))
    assert inside.returncode == 2 and "give one elsewhere" in inside.stderr
    assert BOBS in (bob / "vault/zoo.md").read_text("utf-8")
    done = home.sam("profile", "remove", "bob", "--yes")
    assert done.returncode == 0 and "bob is removed." in done.stdout
    assert list(bob.parent.iterdir()) == []
    assert MINE in (home.vault / "own.md").read_text("utf-8")


def test_what_a_removal_left_that_was_killed_is_deleted(home: Home) -> None:
    bob = folder(home, "bob")
    going = bob.with_name(".bob.removed")
    bob.rename(going)
    names = [row["name"] for row in json.loads(home.sam("profile", "list", "--json").stdout)]
    assert names == [OWNER] and not going.exists()


def test_who_is_in_use_is_neither_renamed_nor_removed(home: Home) -> None:
    for words in (("rename", "bob", "eve"), ("remove", "bob", "--yes")):
        in_use = home.sam("profile", *words, env={"TELEGRAM_ALLOWED_USERS": "7,8:bob"})
        assert in_use.returncode == 2 and "first remove 8:bob" in in_use.stderr
        with RunLock(home.data / "run.lock"):
            assert "running already" in home.sam("profile", *words).stderr
    for name in ("owner", "group-1", "nobody"):
        env = {"TELEGRAM_ALLOWED_GROUPS": "-1"}
        assert home.sam("profile", "remove", name, "--yes", env=env).returncode == 2
    assert (folder(home, "bob") / "vault/zoo.md").exists()
