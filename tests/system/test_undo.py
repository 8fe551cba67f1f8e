"""Undo in the real process: killed at each step, it is completed after the next start."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.support.buttons import buttons
from tests.support.fact_model import lines, remembers
from tests.support.process import wait_until
from tests.support.world import World


@pytest.mark.parametrize("point", ["undo_planned", "undo_note", "undo_note:2", "undo_settled"])
def test_killed_at_each_step_of_an_undo_it_ends_the_same(tmp_path: Path, point: str) -> None:
    with World.running(tmp_path, SUMMARY_THRESHOLD="2") as world:
        remembers(world.claude)
        knowledge, archive = world.vault / "knowledge", world.vault / "archive" / "knowledge"
        world.sam.start(SAM_FAILPOINT=point)
        world.telegram.asks("My rent is 900 euros", timeout=60)
        wait_until(lambda: lines(knowledge) == ["My rent is 900 euros"], "the first fact")
        world.telegram.asks("My rent is 950 euros", timeout=60)
        wait_until(lambda: lines(knowledge) == ["My rent is 950 euros"], "the second fact")
        wait_until(lambda: lines(archive) == ["My rent is 900 euros"], "the first one's archive")
        shown = world.telegram.asks("/undo", timeout=60)
        world.telegram.presses(shown, buttons(shown)["Undo it"])
        assert world.sam.process is not None
        assert world.sam.process.wait(60) == -signal.SIGKILL, world.sam.story()
        world.sam.start()
        done = "SELECT count(*) FROM edit WHERE undone"
        wait_until(lambda: world.rows(done) == [3], "the end of the undo", timeout=60)
        assert lines(knowledge) == ["My rent is 900 euros"] and lines(archive) == []
        states = "SELECT state FROM fact ORDER BY changed_at"
        assert sorted(world.rows(states)) == ["deleted", "sams"]
        assert world.sam.stop() == 0
