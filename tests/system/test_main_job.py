"""The main job, end to end: months of a conversation through the real process.

Telegram, Claude and the embeddings are fake servers; vault, databases, rclone and `sam run` are
real. Of the two speakers, the first is the owner and the second is the model.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from memory.infra import failpoints
from tests.fakes.claude import FakeClaude
from tests.fakes.violations import assert_no_violations
from tests.support import dialogue, invariants
from tests.support.all_fakes import wired
from tests.support.exchanges import Exchange, exchanges, expected, files, in_files, scripted
from tests.support.process import Sam, wait_until


class World:
    """Sam in a folder, between the fakes."""

    def __init__(self, folder: Path, telegram: Any, claude: FakeClaude, embeddings: Any) -> None:
        self.telegram, self.claude = telegram, claude
        self.remote = folder / "remote"
        self.remote.mkdir()
        self.sam = Sam(
            folder,
            **telegram.env,
            ANTHROPIC_API_KEY="sk-ant-test",
            ANTHROPIC_BASE_URL=claude.url,
            EMBEDDING_PROVIDER="openai",
            EMBEDDING_API_KEY="sk-test",
            EMBEDDING_BASE_URL=embeddings.url,
            RCLONE_REMOTE=str(self.remote),
            BUDGET_DAILY_USD="0",
            HEARTBEAT_MINUTES="0",
        )

    @property
    def vault(self) -> Path:
        return self.sam.folder / "vault"

    def see_answered(self, each: Exchange, before: int) -> int:
        """Wait for the answer, restarting Sam after each kill; return the number of kills."""
        killed = 0

        def answered() -> bool:
            nonlocal killed
            killed += self.started_again()
            return any(
                invariants.words_of(sent.text) == each.answer
                for sent in self.telegram.sent[before:]
            )

        wait_until(answered, f"an answer to {each.question!r}", timeout=60, nap=0.05)
        return killed

    def started_again(self) -> bool:
        """Restart Sam if it was killed; return whether it was."""
        process = self.sam.process
        if process is None or process.poll() is None:
            return False
        assert process.returncode == -9, self.sam.story()
        self.sam.start()
        return True

    def new_day(self, now: datetime) -> int:
        """Move Telegram's clock; return how often Sam was killed before it moved.

        A reply that was sent but not recorded before a kill is sent again, dated when that happens,
        so it must happen before the day ends.
        """
        killed = 0

        def settled() -> bool:
            nonlocal killed
            killed += self.started_again()
            lags = (self.sam.on_disk().get("ledger") or {}).get("lags") or {}
            # While Sam starts, the inbox may not be open yet, so its state is unknown.
            waiting = {name: lags.get(name) for name in ("not_handled", "not_settled")}
            return waiting == {"not_handled": 0, "not_settled": 0}

        if now.date() != self.telegram.clock.date():
            wait_until(settled, "all replies of the day", timeout=60, nap=0.2)
        self.telegram.clock = now
        return killed

    def check(self, said: list[Exchange], kills: int = 0) -> None:
        """Check the invariants, and the content of each daily note and of the remote."""
        invariants.summarised(self.sam)
        wait_until(lambda: files(self.remote) == files(self.vault), "the remote equals the vault")
        sent = [each.text for each in self.telegram.sent]
        questions, answers = [each.question for each in said], [each.answer for each in said]
        invariants.check(self.sam, questions, answers, sent, kills=kills)
        assert in_files(self.vault) == expected(said)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with wired(partial(World, tmp_path)) as made:
        yield made


def test_months_of_conversation_are_answered_remembered_and_found(world: World) -> None:
    said = exchanges(dialogue.sample()["conversation"])[::3]
    assert len(said) > 70 and len({each.at.date() for each in said}) > 20
    scripted(world.claude, said)
    world.sam.start()
    try:
        for each in said:
            world.telegram.clock = each.at
            world.telegram.asks(each.question, timeout=60)
        assert_no_violations(world.telegram, world.claude)
        received = [text for who, text in world.telegram.transcript() if who != "Sam"]
        assert received == [each.question for each in said]
        world.check(said)
    except AssertionError:
        print(world.sam.story())
        raise

    draw = random.Random(7)
    long = [e for e in said if len(e.question.split()) >= 12]
    for each in draw.sample(long, 15):
        words = each.question.split()
        start = draw.randrange(len(words) - 6)
        phrase = " ".join(words[start : start + 6])
        hits = world.sam.json("search", phrase, "--limit", "3")["hits"]
        assert any(each.question in hit["text"] and hit["message_ids"] for hit in hits), phrase


def test_killed_at_every_named_step_and_at_random_moments_the_end_is_the_same(
    world: World,
) -> None:
    """SIGKILL at each failpoint and at ten random moments of the first sixty exchanges.

    SAM_EXCHANGES=999 runs the whole conversation.
    """
    said = exchanges(dialogue.sample()["conversation"])[: int(os.environ.get("SAM_EXCHANGES", 60))]
    scripted(world.claude, said)
    *said_first, four, three, two, one = said
    draw = random.Random(11)
    elsewhere = {"store_marked", "in_rebuild", "after_decision", "after_fact", "after_answer"}
    points = [
        name
        for name in failpoints.NAMES
        if name not in elsewhere and not name.startswith(("undo_", "move_"))
    ]
    due = {at: name for at, name in zip(range(4, 56, 5), points, strict=False)}
    kills = set(draw.sample(range(56), 10))
    world.sam.start()
    killed = 0
    try:
        for at, each in enumerate(said_first):
            if at in due:
                world.sam.stop()
                world.sam.start(SAM_FAILPOINT=due[at], SUMMARY_THRESHOLD="2")
            killed += world.new_day(each.at)
            before = len(world.telegram.sent)
            world.telegram.receives(each.question)
            if at in kills:
                killed += 1
                world.sam.kill()
                world.sam.start()

            killed += world.see_answered(each, before)
        last = ("in_rebuild", "after_claim", "after_section", "before_close")
        for point, each in zip(last, (four, three, two, one), strict=True):
            world.sam.stop()
            world.sam.start(SAM_FAILPOINT=point, SUMMARY_THRESHOLD="2")
            killed += world.new_day(each.at)
            before = len(world.telegram.sent)
            world.telegram.receives(each.question)
            killed += world.see_answered(each, before)
        world.sam.stop()
        world.sam.start()
        world.check(said, killed)
        assert killed >= len(points)
    except AssertionError:
        print(world.sam.story())
        raise


def test_the_day_of_a_message_is_telegrams(world: World) -> None:
    """The fake's clock says 2023, the machine's does not."""
    said = exchanges(dialogue.sample()["conversation"])[:2]
    scripted(world.claude, said)
    world.sam.start()
    for each in said:
        world.telegram.clock = each.at
        world.telegram.asks(each.question, timeout=60)
    world.check(said)
    assert list(in_files(world.vault)) == [dialogue.BEGAN.date().isoformat()]
