"""Facts in the real process, killed at each step: none is lost or duplicated."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.support.fact_model import lines, remembers
from tests.support.process import wait_until
from tests.support.world import World

FIRST = ("I own a red cat", "My rent is 900 euros")
WAITING = "SELECT count(*) FROM candidate"
THEN = ("My rent is 950 euros", "I own a red cat", "I own a red bike")


@pytest.mark.parametrize(
    "point",
    ["after_section", "before_close", "after_decision", "after_fact", "after_fact:3"],
)
def test_killed_at_each_step_of_a_fact_it_is_written_once(tmp_path: Path, point: str) -> None:
    with World.running(tmp_path, SUMMARY_THRESHOLD="4") as world:
        remembers(world.claude)
        knowledge, archive = world.vault / "knowledge", world.vault / "archive" / "knowledge"
        world.sam.start()
        for text in FIRST:
            world.telegram.asks(text, timeout=60)
        wait_until(lambda: len(lines(knowledge)) == 2, "the first facts", timeout=60)
        assert world.sam.stop() == 0
        world.sam.start(SAM_FAILPOINT=point, SUMMARY_THRESHOLD="6")
        for text in THEN:
            world.telegram.receives(text)
        assert world.sam.process is not None
        assert world.sam.process.wait(60) == -signal.SIGKILL, world.sam.story()
        world.sam.start(SUMMARY_THRESHOLD="6")
        wanted = ["I own a red bike", "I own a red cat", "My rent is 950 euros"]
        wait_until(lambda: lines(knowledge) == wanted, "the facts that hold", timeout=60)
        wait_until(lambda: world.rows(WAITING) == [0], "nothing to wait", timeout=60)
        assert lines(knowledge) == wanted and lines(archive) == ["My rent is 900 euros"]
        assert world.sam.stop() == 0
        assert '"adds_up": true' in world.sam.run("doctor", "--json", check=False)
