"""Ctrl-C at random moments of every command that writes: no damage, no traceback, repeatable.

Each case prepares something to do, interrupts the command while it does it, and then checks that
running the command again ends as if it had never been interrupted. Import, export, backup and the
index, which take longer, have `tests/chaos/interrupt.py`.
"""

from __future__ import annotations

import asyncio
import json
import random
import shutil
import sqlite3
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from bot.inbox import Inbox
from memory import system_clock
from tests.chaos.interrupt import adds_up, interrupted, moment, start_seconds
from tests.support.homes import Home

MOMENTS = 60  # per command, at full size


class Case(NamedTuple):
    """A command: `prepare` makes something to do for run `number` and returns the words; `check`
    gets whether it was interrupted, repeats it if needed, and verifies the result. `typed`: the
    answers to its questions."""

    prepare: Callable[[Home, int], tuple[str, ...]]
    check: Callable[[Home, int, bool], None]
    typed: str = ""


def run(seed: int, size: float, folder: Path) -> dict[str, Any]:
    """Interrupt every command; raise AssertionError if one did damage."""
    chance, figures = random.Random(seed), Counter[str]()
    home = started(folder)
    start = start_seconds(home)
    for case in CASES.values():
        words, began = case.prepare(home, 0), time.monotonic()
        interrupted(home, words, 0, forked=True, wait=False, typed=case.typed)
        seconds = time.monotonic() - began
        case.check(home, 0, False)
        for number in range(1, 1 + max(1, round(MOMENTS * size))):
            words, drawn = case.prepare(home, number), moment(chance, seconds, start)
            stopped = interrupted(home, words, **drawn, typed=case.typed) == 130
            figures["interrupted" if stopped else "ran through"] += 1
            assert asyncio.run(adds_up(home)), (words, "the ledger does not add up")
            case.check(home, number, stopped)
    return dict(figures)


def started(folder: Path) -> Home:
    """Return a home with a remote, notes, a conversation and a backup."""
    far, conf = folder / "far", folder / "rc.conf"
    far.mkdir()
    conf.touch()
    home = Home(folder / "home", RCLONE_REMOTE=str(far), RCLONE_CONFIG=str(conf))
    for number in range(60):
        home.write(f"notes/{number}.md", f"# Note {number}\n\nThe shed {number} is green.\n")
    done(home, "chat", stdin="My bike is red.\n")
    done(home, "summarize")
    made = json.loads(done(home, "backup", "--json"))
    shutil.copy(made["file"], home.folder / "backup")
    done(home, "sync", "--yes")
    return home


def done(home: Home, *words: str, stdin: str = "") -> str:
    """Run a command that must succeed; return its output."""
    ran = home.sam(*words, stdin=stdin, timeout=120)
    assert ran.returncode == 0, (words, ran.stdout, ran.stderr)
    return ran.stdout


# ── summaries, forgetting, undo ──────────────────────────────────────────────────────────────────


def to_summarise(home: Home, number: int) -> tuple[str, ...]:
    done(home, "chat", stdin=f"My boat {number} is called Coco{number}.\n")
    return ("summarize",)


def is_summarised_once(home: Home, number: int, stopped: bool) -> None:
    done(home, "summarize")
    days = "".join(path.read_text("utf-8") for path in home.vault.glob("memories/*.md"))
    assert days.count(f"\n- My boat {number} is called Coco{number}.\n") == 1, days


def to_forget(home: Home, number: int) -> tuple[str, ...]:
    done(home, "chat", stdin=f"/new\nThe safe opens with zebra{number:03}x.\n")
    done(home, "summarize")
    return ("forget", str(session_of(home, number)), "--yes")


def session_of(home: Home, number: int) -> int | None:
    listed = json.loads(done(home, "forget", "--json"))
    return next((row["session"] for row in listed if f"zebra{number:03}x" in row["begins"]), None)


def is_forgotten(home: Home, number: int, stopped: bool) -> None:
    session = session_of(home, number)
    assert session is None or stopped, "it said that it was done"
    if session is not None:
        done(home, "forget", str(session), "--yes")
    done(home, "index")  # opening the memory completes what was left
    secret = f"zebra{number:03}x".encode()
    holds = [p for p in home.folder.rglob("*") if p.is_file() and secret in p.read_bytes()]
    assert not holds, holds


def to_undo(home: Home, number: int) -> tuple[str, ...]:
    done(home, "chat", stdin=f"/remember Hat {number} is blue\n")
    return ("undo", "--yes")


def is_undone(home: Home, number: int, stopped: bool) -> None:
    hat = f"Hat {number} is blue"
    there = [json.dumps(row) for row in changes(home) if not row["undone"]]
    if there and hat in there[0]:
        assert stopped
        done(home, "undo", "--yes")
    memory = home.vault / "MEMORY.md"
    assert not memory.exists() or hat not in memory.read_text("utf-8")
    place = next(row["number"] for row in changes(home) if hat in json.dumps(row))
    done(home, "undo", str(place), "--redo", "--yes")
    assert memory.read_text("utf-8").count(hat) == 1


def changes(home: Home) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(done(home, "undo", "--list", "--json"))
    return found


def to_restore_a_version(home: Home, number: int) -> tuple[str, ...]:
    for word in ("first", "second"):
        home.write("soul.md", f"# Soul\n\nBe kind, {word} {number}.\n")
        done(home, "versions", "soul.md")
    return ("versions", "soul.md", "--restore", "2", "--yes")


def is_one_version(home: Home, number: int, stopped: bool) -> None:
    soul = (home.vault / "soul.md").read_text("utf-8")
    texts = [f"# Soul\n\nBe kind, {word} {number}.\n" for word in ("first", "second")]
    assert soul in texts if stopped else soul == texts[0], soul


# ── files: sync, restore ─────────────────────────────────────────────────────────────────────────


def to_sync(home: Home, number: int) -> tuple[str, ...]:
    far = Path(home.env["RCLONE_REMOTE"])
    for place in range(8):
        home.write(f"here/{number}-{place}.md", f"here {number} {place}\n")
        (far / "there").mkdir(exist_ok=True)
        (far / "there" / f"{number}-{place}.md").write_text(f"there {number} {place}\n", "utf-8")
    return ("sync", "--yes")


def is_in_sync(home: Home, number: int, stopped: bool) -> None:
    done(home, "sync", "--yes")
    far = Path(home.env["RCLONE_REMOTE"])
    for root in (home.vault, far):
        for side in ("here", "there"):
            for place in range(8):
                text = (root / side / f"{number}-{place}.md").read_text("utf-8")
                assert text == f"{side} {number} {place}\n"
        assert not [p for p in root.rglob("*") if p.match("*.partial") or "conflict" in p.name]


def to_restore(home: Home, number: int) -> tuple[str, ...]:
    shutil.rmtree(home.folder / "to", ignore_errors=True)
    return ("restore", str(home.folder / "backup"), "--to", str(home.folder / "to"), "--yes")


def is_restored(home: Home, number: int, stopped: bool) -> None:
    to = home.folder / "to"
    if stopped:
        again = home.sam("restore", str(home.folder / "backup"), "--to", str(to), "--yes")
        assert again.returncode == 0 or " is in use " in again.stderr, again.stderr
    assert len(list((to / "vault" / "notes").glob("*.md"))) == 60
    with sqlite3.connect(to / "data" / "log.db") as log:
        assert log.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert log.execute("SELECT count(*) FROM message").fetchone() == (2,)
    left = [path.name for path in to.iterdir() if path.name not in ("vault", "data", "profiles")]
    assert not left, left


# ── profiles, inbox, pairing ─────────────────────────────────────────────────────────────────────


def profiles(home: Home) -> set[str]:
    return {row["name"] for row in json.loads(done(home, "profile", "list", "--json"))}


def to_add(home: Home, number: int) -> tuple[str, ...]:
    return ("profile", "add", f"new{number}")


def is_added(home: Home, number: int, stopped: bool) -> None:
    if f"new{number}" not in profiles(home):
        assert stopped
        done(home, "profile", "add", f"new{number}")
    done(home, "search", "--profile", f"new{number}", "x")


def to_rename(home: Home, number: int) -> tuple[str, ...]:
    done(home, "profile", "add", f"old{number}")
    return ("profile", "rename", f"old{number}", f"renamed{number}")


def is_renamed(home: Home, number: int, stopped: bool) -> None:
    if f"old{number}" in profiles(home):
        assert stopped
        done(home, "profile", "rename", f"old{number}", f"renamed{number}")
    assert f"old{number}" not in profiles(home)
    done(home, "search", "--profile", f"renamed{number}", "x")


def to_remove(home: Home, number: int) -> tuple[str, ...]:
    done(home, "profile", "add", f"gone{number}")
    return ("profile", "remove", f"gone{number}", "--yes")


def is_removed(home: Home, number: int, stopped: bool) -> None:
    if f"gone{number}" in profiles(home):
        assert stopped
        done(home, "profile", "remove", f"gone{number}", "--yes")
    left = [path.name for path in (home.folder / "Sam" / "profiles").iterdir()]
    assert not [name for name in left if f"gone{number}" in name], left


def to_drop(home: Home, number: int) -> tuple[str, ...]:
    async def aside() -> None:
        inbox = await Inbox.open(home.data / "inbox.db", system_clock)
        text = json.dumps({"message": {"text": f"Hello {number}"}})
        await inbox.updates.receive(700 + number, "telegram:7", text)
        await inbox.updates.set_aside(700 + number, "KeyError")
        await inbox.close()

    asyncio.run(aside())
    return ("inbox", "--drop", str(700 + number))


def is_dropped(home: Home, number: int, stopped: bool) -> None:
    if [row for row in json.loads(done(home, "inbox", "--json")) if row["id"] == 700 + number]:
        assert stopped
        done(home, "inbox", "--drop", str(700 + number))
    assert not json.loads(done(home, "inbox", "--json"))


def to_pair(home: Home, number: int) -> tuple[str, ...]:
    return ("pair",)


def can_pair(home: Home, number: int, stopped: bool) -> None:
    assert json.loads(done(home, "pair", "--json"))["code"]


# ── settings, and what only looks ────────────────────────────────────────────────────────────────


def to_set_up(home: Home, number: int) -> tuple[str, ...]:
    home.dotenv("# mine\nRECALL_HITS=7\n")
    return ("setup",)


def is_set_up(home: Home, number: int, stopped: bool) -> None:
    kept = (home.folder / ".env").read_text("utf-8")
    assert kept.startswith("# mine\nRECALL_HITS=7\n"), kept
    assert not list(home.folder.glob(".env?*")), "a temporary file with keys is left"
    done(home, "search", "x")
    (home.folder / ".env").unlink()


def to_find(home: Home, number: int) -> tuple[str, ...]:
    home.write(f"find/{number}.md", f"# Find\n\nThe gnu{number} sleeps.\n")
    return ("search", f"gnu{number}")


def is_found(home: Home, number: int, stopped: bool) -> None:
    assert "sleeps" in done(home, "search", f"gnu{number}")


def to_examine(home: Home, number: int) -> tuple[str, ...]:
    return ("eval",)


def is_examined(home: Home, number: int, stopped: bool) -> None:
    done(home, "eval", "--history")


CASES = {
    "summarize": Case(to_summarise, is_summarised_once),
    "forget": Case(to_forget, is_forgotten),
    "undo": Case(to_undo, is_undone),
    "versions": Case(to_restore_a_version, is_one_version),
    "sync": Case(to_sync, is_in_sync),
    "restore": Case(to_restore, is_restored),
    "profile add": Case(to_add, is_added),
    "profile rename": Case(to_rename, is_renamed),
    "profile remove": Case(to_remove, is_removed),
    "inbox": Case(to_drop, is_dropped),
    "pair": Case(to_pair, can_pair),
    "setup": Case(to_set_up, is_set_up, typed="\n" * 30),
    "search": Case(to_find, is_found),
    "eval": Case(to_examine, is_examined),
}
LONG = ("import", "export", "backup", "index")  # tests/chaos/interrupt.py
UNHARMED = {
    "start": "serves, or chats: ended by SIGINT in tests/system/test_app.py",
    "run": "the same",
    "chat": "tests/system/test_console.py",
    "web": "tests/system/test_web.py ends it so",
    "mcp": "tests/support/mcp.py ends each server so",
    "facts": "reads",
    "why": "reads",
    "migrate": "needs PostgreSQL: killed at each failpoint in tests/system/test_migrate_command.py",
    "privacy": "reads",
    "doctor": "reads, or repairs what the next start would",
    "completion": "prints",
}
"""Commands without a case, with the reason."""
