"""A few of the kills of `make chaos`, with a fixed seed."""

from __future__ import annotations

from pathlib import Path

from tests.chaos import kill


def test_killed_while_several_chats_talk_nothing_is_lost_or_doubled(tmp_path: Path) -> None:
    figures = kill.run(20261122, 0.015, tmp_path)
    assert figures["kills"] == 3 and figures["lost"] == figures["summarised twice"] == 0
