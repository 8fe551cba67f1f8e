"""Updates in progress during a crash are retried one at a time before one is blamed."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.support import invariants
from tests.support.process import wait_until
from tests.support.world import World

CHATS = (2001, 2002, 2003, 2004)
ALL = ",".join(map(str, CHATS))


def sends(world: World, user: int, text: str) -> None:
    world.said.append(text)
    world.telegram.receives(text, user=user)


def all_say(world: World, *texts: str) -> None:
    """Send a message in each chat at once."""
    for user, text in zip(CHATS, texts, strict=True):
        sends(world, user, text)


def in_work(world: World, tries: int, asked: int) -> None:
    """Wait until the model is asked more than `asked` times, and that many attempts were begun."""
    wait_until(lambda: len(world.claude.chats) > asked, "a question to the model", nap=0.02)
    begun = "SELECT total(tries) FROM incoming"
    wait_until(lambda: world.rows(begun, store="inbox.db") == [tries], f"{tries} tries", nap=0.02)


def set_aside(world: World) -> list[str]:
    made = "SELECT name FROM sqlite_master WHERE name = 'incoming'"
    if not (world.data / "inbox.db").exists() or not world.rows(made, store="inbox.db"):
        return []  # the first start may still be creating it
    return world.rows(
        "SELECT json_extract(payload, '$.message.text') FROM incoming WHERE state = 'set_aside'",
        store="inbox.db",
    )


def test_four_kills_in_a_row_set_no_bystander_aside(tmp_path: Path) -> None:
    """All are in progress at the first two kills, then a different single one each time."""
    with World.running(tmp_path, TELEGRAM_ALLOWED_USERS=ALL) as world:
        world.claude.chunk_delay = 2.0  # no answer completes
        world.sam.start()
        all_say(world, "one", "two", "three", "four")
        asked = 0
        for tries in (4, 8, 9, 10):
            in_work(world, tries, asked)
            world.sam.kill()
            asked = len(world.claude.chats)
            world.sam.start()
        world.claude.chunk_delay = 0.0
        sends(world, 2001, "five")  # waits for those that are tried alone
        world.see_answered(*world.said)
        assert set_aside(world) == []
        answers = [f"heard: {text}" for text in world.said]
        sent = (each.text for each in world.telegram.sent)
        figures = invariants.check(world.sam, world.said, answers, sent, kills=4)
        assert figures["lost"] == 0


def test_of_all_updates_in_progress_only_the_poison_is_set_aside(tmp_path: Path) -> None:
    """It kills the others with it twice, alone twice; the owner is told only about it."""
    with World.running(tmp_path, TELEGRAM_ALLOWED_USERS=ALL, SAM_TEST_POISON="hemlock") as world:
        world.sam.command = (sys.executable, "-m", "tests.support.poison_message")
        world.claude.chunk_delay = 2.0
        starts = 0
        all_say(world, "one", "a cup of hemlock", "three", "four")
        while True:
            world.sam.start()
            starts += 1
            if starts == 3:
                world.claude.chunk_delay = 0.0
            wait_until(lambda: ended(world) or len(set_aside(world)) > 0, "an end", nap=0.05)
            if not ended(world):
                break
            assert starts < 6, world.sam.story()
        assert (starts, set_aside(world)) == (5, ["a cup of hemlock"])
        world.see_answered("one", "three", "four")
        wait_until(lambda: told(world), "a word on the cup")
        assert told(world) == [2002]
        sends(world, 2002, "five")
        world.see_answered("five")
        answers = [f"heard: {text}" for text in world.said if "hemlock" not in text]
        sent = (each.text for each in world.telegram.sent)
        allowed = frozenset({"set-aside"})
        invariants.check(world.sam, world.said, answers, sent, kills=4, allowed=allowed)


def ended(world: World) -> bool:
    return world.sam.process is not None and world.sam.process.poll() is not None


def told(world: World) -> list[int]:
    """Return the chats that were told what is set aside."""
    return [each.chat_id for each in world.telegram.sent if "set aside" in each.text]
