"""Import and export in the chat of the real process, killed at each step and restarted."""

from __future__ import annotations

import json
import signal
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from tests.fakes.telegram import File, Sent
from tests.support import exports
from tests.support.buttons import buttons
from tests.support.process import wait_until
from tests.support.world import World

TALKS = {
    f"Talk {number}": [
        ("user", f"My parrot number {number} likes seed {line}.")
        if line % 2
        else ("assistant", "?")
        for line in range(1, 41)
    ]
    for number in range(30)
}
IMPORTS = "SELECT json_array(id, ended_at IS NOT NULL) FROM import"
MESSAGES = "SELECT count(*) FROM message WHERE chat LIKE 'import:%'"


def press(world: World, message: Sent, label: str) -> None:
    world.telegram.presses(message, buttons(message)[label])


def dies(world: World) -> None:
    assert world.sam.process is not None
    assert world.sam.process.wait(60) == -signal.SIGKILL, world.sam.story()


def settled(world: World) -> None:
    done = "SELECT count(*) FROM incoming WHERE state != 'done'"
    wait_until(
        lambda: world.rows(done, store="inbox.db") == [0], "every update is done", timeout=60
    )
    unsettled = "SELECT count(*) FROM reply WHERE NOT settled"
    assert world.rows(unsettled, store="inbox.db") == [0]
    assert world.sam.on_disk()["ledger"]["adds_up"]


@pytest.mark.parametrize("point", ["in_import", "in_import:2", "after_import"])
def test_killed_anywhere_an_import_by_a_button_is_whole_and_done_once(
    tmp_path: Path, point: str
) -> None:
    file = File(json.dumps(exports.chatgpt(TALKS)).encode(), "conversations.json")
    with World.running(tmp_path) as world:
        world.sam.start(SAM_FAILPOINT=point)
        world.telegram.receives(document=file)
        [offered] = world.telegram.wait_sent(1, 60)
        assert "30 chats, 1,200 messages" in offered.text
        press(world, offered, "Import all")
        dies(world)
        world.sam.start()
        done: Sent = world.telegram.wait_for(
            lambda fake: next((e for e in fake.edited if "Imported: 30 chats" in e.text), None)
        )
        assert "1,200 messages" in done.text and "here already" not in done.text
        assert world.rows(MESSAGES) == [1200]
        assert world.rows(IMPORTS) == ["[1,1]"]
        settled(world)
        press(world, done, "Undo this import")
        [_, asked] = world.telegram.wait_sent(2, 60)
        press(world, asked, "Undo it")
        wait_until(lambda: world.rows(IMPORTS) == [], "the undo", timeout=60)
        assert world.rows(MESSAGES) == [0]
        assert world.sam.stop() == 0


@pytest.mark.parametrize("point", ["in_export", "before_send:3", "after_send:3"])
def test_killed_anywhere_an_export_comes_and_leaves_nothing(tmp_path: Path, point: str) -> None:
    with World.running(tmp_path) as world:
        world.sam.start(SAM_FAILPOINT=point)
        world.telegram.asks("The canoe is behind the shed.", timeout=60)
        asked = world.telegram.asks("/export", timeout=60)
        press(world, asked, "Send it here")
        dies(world)
        assert (world.data / "transfer").exists()
        world.sam.start()
        world.telegram.wait_for(lambda fake: [e for e in fake.edited if "Sent:" in e.text])
        sent = [each for each in world.telegram.sent if each.method == "sendDocument"]
        twice = point.startswith("after_send")
        assert len(sent) == (2 if twice else 1)
        assert ("Perhaps for the second time" in sent[-1].text) == twice
        with zipfile.ZipFile(BytesIO(sent[-1].fields["document"].data)) as archive:
            assert "canoe" in archive.read("messages.jsonl").decode()
        settled(world)
        assert not (world.data / "transfer").exists()
        assert world.sam.stop() == 0
