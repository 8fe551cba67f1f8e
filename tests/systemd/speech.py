"""Speech in the service without an external server: the extra `voice` under the unit's sandbox."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tests.support.process import ROOT, wait_until
from tests.systemd import machine
from tests.systemd.installed import WHEELS, wheels

if TYPE_CHECKING:
    from tests.systemd.__main__ import Story

SPOKEN = "The key to the cellar hangs behind the blue door."
CHANGE = "MemoryDenyWriteExecute=no"


def local_speech(story: Story) -> None:
    """Check that speaking works as installed, hearing after the unit change in docs/media.md."""
    story.machine.run("systemctl", "stop", "sam.service", check=False)  # one poller at a time
    answers = story.sam.answers  # an earlier chapter has replaced the key
    story.sam = sam = story.fresh()
    sam.answers, story.machine = answers, sam.machine
    made = wheels(story.cache, machine.python(sam.machine.root), ROOT / "deploy" / "voice.txt")
    shutil.copytree(made, sam.machine.root / WHEELS[1:], dirs_exist_ok=True)
    with story.timed("install.sh --voice"):
        sam.script("install.sh", "--voice")
    sam.settings += "TRANSCRIBE_BASE_URL=local\nSPEECH_BASE_URL=local\n"
    sam.set_up()
    sam.see_running()

    _asks(story, "/voice on", lambda sent: bool(sent.text))
    story.claude.responds_with(SPOKEN)
    with story.timed("a question, to its spoken answer"):
        spoken = _asks(story, "Where is the key?", lambda sent: sent.method == "sendVoice")
    _asks(story, "/voice off", lambda sent: bool(sent.text))
    sound = spoken.fields["voice"].data

    told = _asks(story, "", lambda sent: "could not hear" in sent.text, voice=sound)
    assert "the service's sandbox forbids it" in told.text, told.text

    assert CHANGE in (ROOT / "docs" / "media.md").read_text("utf-8")
    sam.machine.write("/etc/systemd/system/sam.service.d/voice.conf", f"[Service]\n{CHANGE}\n")
    sam.machine.run("systemctl", "daemon-reload")
    sam.machine.run("systemctl", "restart", "sam.service")
    sam.see_running()
    with story.timed("a voice message, to its transcript"):
        _asks(story, "", lambda sent: "behind the blue door" in sent.text, voice=sound)


def _asks(story: Story, text: str, wanted: Callable[[Any], bool], **sent: Any) -> Any:
    """Send a message, and return the message of Sam's that `wanted` accepts."""
    before = len(story.telegram.sent)
    story.telegram.receives(text, **sent)
    found: list[Any] = []

    def came() -> bool:
        found[:] = [each for each in story.telegram.sent[before:] if wanted(each)]
        return bool(found)

    wait_until(came, f"an answer to {text or 'a voice message'}", timeout=180)
    return found[0]
