"""Files and crashes: killed at each failpoint, the real process ends in the same state."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.fakes.claude_request import media_of
from tests.support.invariants import words_of
from tests.support.media import invoice, pdf, photo, png
from tests.support.process import wait_until
from tests.support.world import World

POINTS = ("after_inbox", "after_fetch", "after_send")  # one per kind: starts take seconds
INBOX = "inbox.db"
RED, BLUE = (200, 0, 0), (0, 0, 200)


@pytest.mark.parametrize("point", POINTS)
def test_an_album_is_one_turn_wherever_sam_dies(tmp_path: Path, point: str) -> None:
    """Two photos and a PDF, whose updates are handled one after another."""
    with World.running(tmp_path) as world:
        sam, telegram, claude = world.sam, world.telegram, world.claude
        claude.responds_with("Seen.", when="the house")
        telegram.receives("the house", photo=photo(RED), media_group_id="7")
        telegram.receives("", photo=photo(BLUE), media_group_id="7")
        telegram.receives("", document=invoice("Rent: 412"), media_group_id="7")
        sam.start(SAM_FAILPOINT=point)
        assert sam.process is not None
        assert sam.process.wait(120) == -9
        sam.start()
        wait_until(
            lambda: any(words_of(s.text) == "Seen." for s in telegram.sent), "it is answered"
        )
        wait_until(
            lambda: world.rows("SELECT state FROM incoming", store=INBOX) == ["done"] * 3,
            "every update is done",
        )
        assert sam.stop() == 0
        said = world.rows(
            "SELECT json_array(turn_id, origin, text) FROM message"
            " WHERE role = 'user' AND text != '' ORDER BY id"
        )
        assert [json.loads(row) for row in said] == [
            [1, "owner", "the house"],
            [1, "file", "[photo]"],
            [1, "file", "[photo]"],
            [1, "file", "[PDF: invoice.pdf, 1 page]\nRent: 412"],
        ]
        newest = claude.chats[-1].body["messages"][-1]["content"]
        assert [each["type"] for each in media_of(newest)] == ["image", "image", "document"]
        files = sorted((world.data / "media").iterdir())
        assert [path.read_bytes() for path in files] == [
            png(colour=RED),
            png(colour=BLUE),
            pdf("Rent: 412"),
        ]
        assert len(telegram.sent) == (2 if point == "after_send" else 1)
        assert sam.on_disk()["ledger"]["adds_up"]


def test_forget_deletes_the_files_too(tmp_path: Path) -> None:
    with World.running(tmp_path) as world:
        sam, telegram = world.sam, world.telegram
        sam.start()
        telegram.receives("my bike", photo=photo(RED))
        telegram.wait_sent(1, timeout=60)
        telegram.asks("/new", timeout=60)
        telegram.receives("my boat", photo=photo(BLUE))
        telegram.wait_sent(3, timeout=60)
        assert sam.stop() == 0
        assert len([*(world.data / "media").iterdir()]) == 2
        [first, _] = world.rows("SELECT id FROM session ORDER BY id")
        assert "Forgotten." in sam.run("forget", str(first), "--yes")
        assert [f.read_bytes() for f in (world.data / "media").iterdir()] == [png(colour=BLUE)]
        assert "Forgotten" in sam.run("forget", "--yes", "--words", "my", "boat")
        assert [*(world.data / "media").iterdir()] == []
