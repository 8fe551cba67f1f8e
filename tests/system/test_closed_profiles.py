"""Idle profiles that the real `sam run` closes: no message is late or lost."""

from __future__ import annotations

import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.turn.incognito import FORGOT
from tests.support import process
from tests.support.noon import noon_somewhere
from tests.support.process import wait_until
from tests.support.world import World

ANN, BEN = 3001, 3002
IDLE = 2.0  # idle seconds until a profile is closed
KEPT = 5 * IDLE  # seconds after which a profile to be closed would be
MINUTE = 60.0


@contextmanager
def world_of(folder: Path, **given: str) -> Iterator[World]:
    """Return a Sam with the profiles ann and ben."""
    with World.running(
        folder,
        TELEGRAM_ALLOWED_USERS=f"1001:owner,{ANN}:ann,{BEN}:ben",
        PROFILE_IDLE_MINUTES=str(IDLE / 60),
        BURST_SECONDS="0",
        RECALL_REWRITE_SECONDS="0",
        MORNING_LIST="false",
        CHANGES_AT="off",
        ACTIVE_HOURS="00-24",
        **given,
    ) as world:
        yield world


@pytest.fixture
def shift(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Provide the file that shifts the clock of `sam run`."""
    clocked = [sys.executable, "-m", "tests.support.shifted_clock"]
    monkeypatch.setattr(process, "SAM", clocked)
    monkeypatch.setattr(process.Sam, "command", clocked)
    file = tmp_path / "shift"
    file.write_text("0")
    return file


def home(world: World, name: str) -> Path:
    return world.folder / "profiles" / name


def is_open(world: World, name: str) -> bool:
    """Return whether the process has the log of that profile open."""
    assert world.sam.process is not None
    log = home(world, name) / "data" / "log.db"
    for each in Path(f"/proc/{world.sam.process.pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # closed meanwhile
            if each.readlink() == log:
                return True
    return False


def see_closed(world: World, name: str) -> None:
    """Wait until the profile was opened once, and is closed again."""
    log = home(world, name) / "data" / "log.db"
    wait_until(lambda: log.exists() and not is_open(world, name), f"{name} is closed")


def asks(world: World, text: str, user: int) -> None:
    """Send a message, and wait for the answer in that chat."""
    world.telegram.passes(seconds=1)
    world.telegram.receives(text, user=user)
    wait_until(
        lambda: any(f"heard: {text}" in said for said in told(world, user)),
        f"an answer to {text!r}",
        nap=0.05,
    )


def told(world: World, user: int) -> list[str]:
    """Return what was sent to that person."""
    return [sent.text for sent in world.telegram.sent if sent.chat_id == user]


def said(world: World, name: str) -> list[str]:
    """Return that person's messages in the log."""
    log = home(world, name) / "data" / "log.db"
    with closing(sqlite3.connect(f"file:{log}?mode=ro", uri=True)) as db:
        return [row[0] for row in db.execute("SELECT text FROM message WHERE role = 'user'")]


def shown(world: World) -> str:
    """Return everything the model was shown for its last answer."""
    return str(world.claude.chats[-1].body)


def test_it_is_closed_when_idle_and_an_update_opens_it(tmp_path: Path) -> None:
    with world_of(tmp_path) as world:
        world.sam.start()
        asks(world, "my cat is called Whiskerina", ANN)
        asks(world, "my dog is called Barkolomew", BEN)
        see_closed(world, "ann")
        see_closed(world, "ben")
        hold = world.claude.holds(when="what is it called?")
        world.telegram.passes(seconds=1)
        world.telegram.receives("what is it called?", user=ANN)
        assert hold.reached.wait(60), "the model is asked"
        assert is_open(world, "ann") and not is_open(world, "ben")
        hold.release()
        wait_until(lambda: "heard: what is it called?" in told(world, ANN), "an answer")
        assert "Whiskerina" in shown(world), "the conversation goes on"
        assert "Barkolomew" not in shown(world)
        see_closed(world, "ann")
        assert said(world, "ann") == ["my cat is called Whiskerina", "what is it called?"]
        assert said(world, "ben") == ["my dog is called Barkolomew"]
        assert world.sam.stop() == 0


def test_a_reminder_comes_at_its_minute_although_its_profile_is_closed(
    tmp_path: Path, shift: Path
) -> None:
    with world_of(tmp_path, SAM_TEST_SHIFT=str(shift)) as world:
        world.sam.start()
        asks(world, "good morning", ANN)
        see_closed(world, "ann")
        at = datetime.now(UTC).replace(second=0, microsecond=0) + timedelta(days=2)
        tasks = home(world, "ann") / "vault" / "tasks.md"
        tasks.write_text(f"- [ ] Call the vet (@{at:%Y-%m-%d %H:%M})\n")
        wait_until(lambda: is_open(world, "ann"), "the changed note opens it", nap=0.05)
        see_closed(world, "ann")
        early = at - timedelta(seconds=30) - datetime.now(UTC)
        shift.write_text(str(early.total_seconds()))
        time.sleep(12)  # Sam has looked for what is due, which is nothing yet
        assert not any("vet" in text for text in told(world, ANN))
        wait_until(lambda: any("vet" in text for text in told(world, ANN)), "the reminder")
        late = datetime.now(UTC) + early - at
        assert timedelta() <= late < timedelta(seconds=MINUTE)
        assert "It was due" not in told(world, ANN)[-1]
        assert not any("vet" in text for user in (BEN, 1001) for text in told(world, user))
        see_closed(world, "ann")
        assert sum("vet" in text for text in told(world, ANN)) == 1
        assert world.sam.stop() == 0


def test_a_due_job_opens_it(tmp_path: Path, shift: Path) -> None:
    """The day ends while the profile is closed: its messages are summarised."""
    zone, _ = noon_somewhere()
    with world_of(tmp_path, SAM_TEST_SHIFT=str(shift), TIMEZONE=zone) as world:
        world.telegram.clock = datetime.now(UTC)
        world.sam.start()
        asks(world, "the boiler was repaired", ANN)
        see_closed(world, "ann")
        see_closed(world, "ben")
        notes = home(world, "ann") / "vault" / "memories"
        assert not list(notes.glob("*.md"))
        shift.write_text(str(timedelta(days=1).total_seconds()))
        wait_until(lambda: list(notes.glob("*.md")), "the day's file", timeout=120)
        wait_until(
            lambda: any("boiler" in note.read_text() for note in notes.glob("*.md")), "the summary"
        )
        see_closed(world, "ann")
        assert not list((home(world, "ben") / "vault" / "memories").glob("*.md"))
        assert world.sam.stop() == 0


def test_an_incognito_chat_keeps_it_open(tmp_path: Path) -> None:
    with world_of(tmp_path) as world:
        world.sam.start()
        world.telegram.receives("/incognito", user=ANN)
        wait_until(lambda: told(world, ANN), "the notice")
        asks(world, "the password of the safe is Xylophone", ANN)
        asks(world, "good morning", BEN)
        see_closed(world, "ben")
        time.sleep(KEPT)
        assert is_open(world, "ann")
        asks(world, "what did I say?", ANN)
        assert "Xylophone" in shown(world)
        assert not any(FORGOT in text for text in told(world, ANN))
        world.telegram.receives("/new", user=ANN)
        see_closed(world, "ann")
        assert world.sam.stop() == 0


def test_kills_while_profiles_are_closed_lose_nothing(tmp_path: Path) -> None:
    with world_of(tmp_path) as world:
        world.sam.start()
        asks(world, "message 0", ANN)
        assert world.sam.stop() == 0
        texts = [f"message {number}" for number in range(4)]
        for text in texts[1:]:
            world.telegram.passes(seconds=1)
            world.telegram.receives(text, user=ANN)
            world.sam.start(SAM_FAILPOINT="closing_profile")
            assert world.sam.process is not None
            assert world.sam.process.wait(60) == -9, "it was killed"
        world.sam.start()
        asks(world, "how many were there?", ANN)
        see_closed(world, "ann")
        assert all(text in shown(world) for text in texts)
        assert said(world, "ann") == [*texts, "how many were there?"]
        assert world.sam.stop() == 0
        report = world.sam.on_disk()
        assert report["ok"], report["problems"]
        assert report["ledger"]["profiles"]["ann"]["adds_up"], report
