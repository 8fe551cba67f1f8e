"""Bursts and crashes: killed at each failpoint, the real process still makes them one turn."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.invariants import words_of
from tests.support.process import wait_until
from tests.support.world import World

POINTS = ("after_inbox:2", "after_log", "after_send")
INBOX = "inbox.db"


@pytest.mark.parametrize("point", POINTS)
def test_a_burst_is_one_turn_wherever_sam_dies(tmp_path: Path, point: str) -> None:
    with World.running(tmp_path, BURST_SECONDS="1.5") as world:
        sam, telegram = world.sam, world.telegram
        pieces = ["I have a question", "about the garden"]
        for piece in pieces:
            telegram.receives(piece)
        sam.start(SAM_FAILPOINT=point)
        assert sam.process is not None
        assert sam.process.wait(120) == -9
        sam.start()
        wait_until(
            lambda: any(words_of(s.text) == f"heard: {pieces[-1]}" for s in telegram.sent),
            "it is answered",
        )
        wait_until(
            lambda: world.rows("SELECT state FROM incoming", store=INBOX) == ["done"] * 2,
            "every update is done",
        )
        assert sam.stop() == 0
        said = world.rows("SELECT json_array(turn_id, text) FROM message WHERE role = 'user'")
        assert [json.loads(row) for row in said] == [[1, piece] for piece in pieces]
        assert len(telegram.sent) == (2 if point == "after_send" else 1)
        assert sam.on_disk()["ledger"]["adds_up"]
