"""`--profile` on the commands that chat, serve, save and check: nothing of another memory shows."""

from __future__ import annotations

import argparse
import asyncio
import json
import sqlite3
import tarfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.cli.main import COMMANDS, command_called
from bot.inbox import Inbox
from memory import system_clock
from tests.support.files import each_file, tree
from tests.support.homes import Home, no_process_is_left  # noqa: F401
from tests.support.process import wait_until
from tests.support.web import Browser, served
from tests.support.world import World

ANA, EVE = 1001, 4711
MINE, BOBS, DONS = "my okapi eats hay", "Bob's lemur eats figs", "Don's tapir eats twigs"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """The owner, Bob and Don, each with a note and a conversation."""
    made = Home(tmp_path, TELEGRAM_ALLOWED_USERS=f"{ANA},{EVE}:bob", WEB_PORT="0")
    made.write("own.md", f"# Own\n\n{MINE}\n")
    for name, text in (("bob", BOBS), ("don", DONS)):
        assert made.sam("profile", "add", name).returncode == 0
        (folder(made, name) / "vault/zoo.md").write_text(f"# Zoo\n\n{text}\n", "utf-8")
    return made


def folder(home: Home, name: str) -> Path:
    return home.folder / "Sam/profiles" / name


def said(log: Path) -> list[str]:
    """What the users of a memory said."""
    with closing(sqlite3.connect(f"file:{log}?mode=ro", uri=True)) as db:
        return [row[0] for row in db.execute("SELECT text FROM message WHERE role = 'user'")]


def held(*folders: Path) -> bytes:
    """The bytes of all files there."""
    return b"".join(data for each in folders for _, data in each_file(each))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_profile_or_says_why_not(name: str) -> None:
    parser = argparse.ArgumentParser()
    command_called(name).arguments(parser)
    assert "--profile" in parser._option_string_actions


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("run",), "serves all profiles at once"),
        (("start",), "sam chat --profile NAME"),
        (("setup",), "the whole installation"),
        (("completion", "bash"), "the same for every profile"),
        (("profile", "list"), "without --profile"),
    ],
)
def test_where_it_makes_no_sense_the_error_says_so(
    tmp_path: Path, words: tuple[str, ...], reason: str
) -> None:
    done = Home(tmp_path).sam(*words, "--profile", "bob")
    assert done.returncode == 2 and reason in done.stderr and "unrecognized" not in done.stderr


@pytest.mark.parametrize(
    "words",
    [("chat",), ("web",), ("web", "--link"), ("backup",), ("inbox",), ("pair",), ("doctor",)],
)
def test_nobody_is_made_by_a_misspelt_name(home: Home, words: tuple[str, ...]) -> None:
    done = home.sam(*words, "--profile", "bbo")
    assert done.returncode == 2 and "there are owner, bob, don" in done.stderr
    assert not folder(home, "bbo").exists()


def test_a_chat_is_with_the_memory_that_is_named(home: Home) -> None:
    talk = "remember that my kayak is called Nautilus\nwhat eats figs?\nwhat eats hay?\n/quit\n"
    done = home.sam("chat", "--profile", "bob", stdin=talk)
    assert done.returncode == 0, done.stderr
    assert "Sam, with the memory of bob" in done.stdout
    assert BOBS in done.stdout and "okapi" not in done.stdout and "tapir" not in done.stdout
    bob = folder(home, "bob")
    assert b"Nautilus" in held(bob / "vault") and len(said(bob / "data/log.db")) == 3
    assert (bob / "data/chat.log").exists()
    for others in (home.vault, home.data, folder(home, "don")):
        assert b"Nautilus" not in held(others) and b"lemur" not in held(others), others
    again = home.sam("chat", "--profile", "bob", stdin="what is my kayak called?\n/quit\n")
    assert "Nautilus" in again.stdout.split("> what is my kayak called?")[1]
    mine = home.sam("chat", stdin="what is my kayak called?\nwhat eats figs?\n/quit\n")
    assert "Nautilus" not in mine.stdout and "lemur" not in mine.stdout
    assert "with the memory of" not in mine.stdout


def test_a_console_shows_the_memory_that_is_named(home: Home) -> None:
    with served(home, "--profile", "bob") as bobs, bobs.browser() as browser:
        assert "sam web --link --profile bob" in bobs.said
        found = browser.get("/search?q=what eats").text
        assert "lemur" in found and "okapi" not in found and "tapir" not in found
        assert "The memory of bob." in found
        assert browser.get("/note?path=zoo.md").status_code == 200
        assert browser.get("/note?path=own.md").status_code == 409
        for words in ((), ("--profile", "don")):
            token = home.sam("web", "--link", *words).stdout.strip().rpartition("#")[2]
            with Browser(bobs.url) as other:
                assert other.signs_in(token).status_code == 403, "a link is for one memory"
        assert home.sam("web", "--sign-out").returncode == 0
        assert browser.get("/days").status_code == 200, "only the owner was signed out"
        assert home.sam("web", "--sign-out", "--profile", "bob").returncode == 0
        assert browser.get("/days").status_code == 303


def members(file: Path) -> list[str]:
    with tarfile.open(file) as tar:
        return tar.getnames()


def test_a_backup_of_one_profile_has_nothing_of_another_and_puts_it_back(home: Home) -> None:
    talk = "remember that my kayak is called Nautilus\n/quit\n"
    assert home.sam("chat", "--profile", "bob", stdin=talk).returncode == 0
    assert home.sam("chat", stdin="I like okapis\n/quit\n").returncode == 0
    kept, bob = home.folder / "kept", folder(home, "bob")
    whole = json.loads(home.sam("backup", str(kept), "--create", "--json").stdout)
    made = json.loads(home.sam("backup", str(kept), "--profile", "bob", "--json").stdout)
    names = members(Path(made["file"]))
    assert all(name.startswith("profiles/bob/") for name in names if name != "manifest.json")
    assert "sam-bob-" in made["file"] and "profiles/bob/data/log.db" in names
    listed = json.loads(home.sam("backup", str(kept), "--list", "--json").stdout)
    assert [row["file"] for row in listed] == [whole["file"]], "each kind is pruned by itself"
    listed = home.sam("backup", str(kept), "--list", "--json", "--profile", "bob").stdout
    assert [row["file"] for row in json.loads(listed)] == [made["file"]]

    others = {name: tree(folder(home, name)) for name in ("don",)} | {"own": tree(home.vault)}
    vault, log = tree(bob / "vault"), said(bob / "data/log.db")
    wanted = home.sam("restore", made["file"], "--yes")
    assert wanted.returncode == 1 and "add --profile bob" in wanted.stderr
    for file in (made["file"], whole["file"]):
        used = home.sam("restore", file, "--profile", "bob", "--yes")
        assert used.returncode == 1 and "is in use" in used.stderr
        bob.rename(home.folder / f"aside-{Path(file).name}")
        back = json.loads(home.sam("restore", file, "--profile", "bob", "--yes", "--json").stdout)
        assert back["restored"] and set(back["rows"]) == {"data/log.db"}
        assert tree(bob / "vault") == vault and said(bob / "data/log.db") == log
        assert {"don": tree(folder(home, "don")), "own": tree(home.vault)} == others
        assert "zoo.md" in home.sam("search", "what eats figs", "--profile", "bob").stdout
    nobody = home.sam("restore", made["file"], "--profile", "don", "--yes")
    assert nobody.returncode == 1 and "nothing of the profile don: it has bob" in nobody.stderr


def test_the_owners_backup_alone_lacks_everybody_elses(home: Home) -> None:
    assert home.sam("chat", stdin="I like okapis\n/quit\n").returncode == 0
    assert home.sam("pair").returncode == 0  # makes inbox.db, which has texts to everybody
    made = json.loads(home.sam("backup", "--profile", "owner", "--json").stdout)
    names = members(Path(made["file"]))
    assert {"vault/own.md", "data/log.db"} <= set(names)
    assert not any("bob" in name or "inbox" in name or "settings" in name for name in names)
    to = home.folder / "elsewhere"
    done = home.sam("restore", made["file"], "--profile", "owner", "--to", str(to), "--yes")
    assert done.returncode == 0 and said(to / "data/log.db") == ["I like okapis"], done.stderr
    assert (to / "vault/own.md").read_text("utf-8") == f"# Own\n\n{MINE}\n"
    assert not (to / "profiles").exists()


def test_a_log_alone_comes_back_into_the_profile_that_is_named(home: Home) -> None:
    bob = folder(home, "bob")
    assert home.sam("chat", "--profile", "bob", stdin="I like figs\n/quit\n").returncode == 0
    made = json.loads(home.sam("backup", "--profile", "bob", "--json").stdout)
    for each in (bob / "data").glob("log.db*"):
        each.unlink()
    vault = tree(bob / "vault")
    done = home.sam("restore", made["file"], "--profile", "bob", "--only-log", "--yes")
    assert done.returncode == 0, done.stderr
    assert said(bob / "data/log.db") == ["I like figs"] and tree(bob / "vault") == vault
    assert not (home.data / "restoring").exists() and not (bob / "data/restoring").exists()


def test_no_settings_are_named_after_a_log_alone(home: Home) -> None:
    assert home.sam("chat", stdin="I like figs\n/quit\n").returncode == 0
    made = json.loads(home.sam("backup", "--json").stdout)
    for each in home.data.glob("log.db*"):
        each.unlink()
    done = home.sam("restore", made["file"], "--only-log", "--yes").stdout
    assert "Restored." in done and "settings.env" not in done and "keys" not in done
    whole = home.sam("restore", made["file"], "--to", str(home.folder / "new"), "--yes").stdout
    assert str(home.folder / "new/data/settings.env") in whole and "keys or tokens" in whole


def test_the_inbox_shows_and_drops_only_what_came_to_the_profile(home: Home) -> None:
    async def set_aside() -> None:
        home.data.mkdir(parents=True, exist_ok=True)
        inbox = await Inbox.open(home.data / "inbox.db", system_clock)
        for number, user in ((1, ANA), (2, EVE), (3, 99)):
            payload = json.dumps({"message": {"text": f"words of {user}"}})
            await inbox.updates.receive(number, f"telegram:{user}", payload)
            await inbox.updates.set_aside(number, "KeyError")
        await inbox.close()

    asyncio.run(set_aside())

    def listed(*words: str) -> list[int]:
        return [row["id"] for row in json.loads(home.sam("inbox", "--json", *words).stdout)]

    assert listed() == [1, 2, 3]
    assert listed("--profile", "bob") == [2] and listed("--profile", "owner") == [1]
    shown = home.sam("inbox", "--profile", "bob").stdout
    assert f"words of {EVE}" in shown and f"words of {ANA}" not in shown
    other = home.sam("inbox", "--drop", "1", "--profile", "bob")
    assert other.returncode == 1 and listed() == [1, 2, 3]
    assert home.sam("inbox", "--drop", "--profile", "bob").returncode == 0
    assert listed() == [1, 3]


def test_doctor_looks_at_the_profile_that_is_named(home: Home) -> None:
    assert home.sam("chat", stdin="I like okapis\n/quit\n").returncode == 0
    sealed = "\n---\nprivacy: sealed\n---\n"
    home.write("mine-unsealed.md", sealed)
    (folder(home, "bob") / "vault/bobs-unsealed.md").write_text(sealed, "utf-8")

    def report(*words: str) -> Any:
        done = home.sam("doctor", "--json", *words)
        assert done.returncode == 0, done.stdout
        return json.loads(done.stdout)

    whole, bobs = report(), report("--profile", "bob")
    assert "mine-unsealed.md" in json.dumps(whole) and "bob" in whole["ledger"]["profiles"]
    assert "bobs-unsealed.md" in json.dumps(bobs), "the checks of the vault run for it"
    for others in ("mine-unsealed", "don", "okapi", str(home.vault), 'profiles": {'):
        assert others not in json.dumps(bobs), others
    assert bobs["ledger"]["adds_up"]
    both = home.sam("doctor", "--security", "--profile", "bob")
    assert both.returncode == 2 and "not allowed with" in both.stderr
    with (folder(home, "bob") / "data/log.db").open("r+b") as log:
        log.write(b"not a database any more" * 50)
    broken = home.sam("doctor", "--profile", "bob")
    assert broken.returncode == 2 and "bob/data/log.db" in broken.stdout
    assert home.sam("doctor", "--profile", "don").returncode == 0


def test_a_code_pairs_with_the_profile_that_is_named(tmp_path: Path) -> None:
    with World.running(tmp_path, TELEGRAM_ALLOWED_USERS=str(ANA), BURST_SECONDS="0") as world:
        world.sam.run("profile", "add", "bob")
        world.sam.start()
        world.asks("my okapi is called Otto")
        given = world.sam.json("pair", "--profile", "bob", "--json")
        assert given["profile"] == "bob"

        def tells(text: str, user: int) -> None:
            wait_until(
                lambda: any(text in s.text for s in world.telegram.sent if s.chat_id == user),
                f"{text!r} for {user}",
                nap=0.05,
            )

        world.telegram.receives(f"/pair {given['code']}", user=EVE)
        tells("paired with me now", EVE)
        tells("uses the profile bob", ANA)
        greeting = "".join(s.text for s in world.telegram.sent if s.chat_id == EVE)
        assert str(world.vault) not in greeting and "Your notes:" not in greeting
        assert "whoever runs me" in greeting and "you can read and change" not in greeting
        world.telegram.receives("my lemur is called Lulu", user=EVE)
        tells("heard: my lemur is called Lulu", EVE)
        bobs = tmp_path / "profiles/bob"
        assert said(bobs / "data/log.db") == ["my lemur is called Lulu"]
        assert "Otto" not in str(world.claude.chats[-1].body)
        assert b"Lulu" not in held(world.vault, world.data / "index")
        assert said(world.data / "log.db") == ["my okapi is called Otto"]
        paired = world.sam.json("pair", "--list", "--json", "--profile", "bob")
        assert [row["user_id"] for row in paired] == [EVE]
        assert world.sam.json("pair", "--list", "--json", "--profile", "owner") == []
        assert world.sam.stop() == 0
        world.sam.start()
        world.telegram.receives("and it eats figs", user=EVE)
        tells("heard: and it eats figs", EVE)
        rows = {row["name"]: row for row in world.sam.json("profile", "list", "--json")}
        assert rows["bob"]["telegram"] == [EVE]
        assert "no longer paired" in world.sam.run("pair", "--remove", str(EVE))
        world.telegram.receives("are you there?", user=EVE)
        tells("This bot is private", EVE)
        assert len(said(bobs / "data/log.db")) == 2
        assert world.sam.stop() == 0


def test_groups_need_no_code(home: Home) -> None:
    group = {"TELEGRAM_ALLOWED_GROUPS": "-5"}
    refused = home.sam("pair", "--profile", "group-5", env=group)
    assert refused.returncode == 2 and "everybody in the group" in refused.stderr
