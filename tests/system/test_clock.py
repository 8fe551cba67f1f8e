"""Clock jumps, time zone changes, dates in the future: nothing is lost."""

from __future__ import annotations

import sys
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from memory.notes.markdown import inert
from memory.summaries.draft import DraftBullet, SummaryDraft, SummaryRequest
from tests.fakes.claude_request import Request
from tests.support import invariants, process
from tests.support.day_files import bullets_by_day
from tests.support.memories import Clock, log_exchange, opened
from tests.support.process import wait_until
from tests.support.world import World


class Echo:
    """Summarise with one verbatim bullet per message."""

    mark = ""

    async def __call__(self, request: SummaryRequest) -> SummaryDraft:
        bullets = [
            DraftBullet(text=message.text, messages=[number])
            for number, message in enumerate(request.messages, 1)
        ]
        return SummaryDraft(summary="Spoke", bullets=bullets)


@pytest.mark.parametrize("back", [{"hours": -1}, {"days": -1}, {"days": -400}])
async def test_a_clock_that_is_set_back_loses_and_doubles_nothing(
    tmp_path: Path, back: dict[str, int]
) -> None:
    """Messages have Telegram's date, which does not depend on Sam's clock."""
    clock, at = Clock(), datetime(2026, 2, 12, 13, 30, tzinfo=UTC)
    async with opened(tmp_path, clock=clock) as memory:
        for number in range(8):
            if number == 4:
                await memory.summarise(Echo(), reason="threshold")
                clock.forward(**back)
            await log_exchange(memory, f"said {number}", f"heard {number}", at=at)
            at += timedelta(minutes=1)
            await memory.recall(f"said {number}", now=at)
        await memory.end_session("terminal", memory.clock())
        await memory.summarise(Echo(), reason="asked")
        assert not await memory.summarise(Echo(), reason="asked")
        ledger = await memory.log.ledger()
        assert ledger.adds_up and ledger.messages == {"closed": 16}
        found = await memory.recall("said 7", filter="conversations")
        assert any("said 7" in hit.text for hit in found.hits)
    said = bullets_by_day(tmp_path / "vault")
    assert list(said) == ["2026-02-12"]
    assert Counter(said["2026-02-12"]) == Counter(
        text for n in range(8) for text in (f"said {n}", f"heard {n}")
    )


@pytest.mark.parametrize(
    ("moments", "headings"),
    [
        # 02:30 occurs twice: first in summer time, an hour later in winter time.
        (("2026-10-25T00:30Z", "2026-10-25T01:30Z", "2026-10-25T22:30Z"), "02:30 02:30 23:30"),
        # 02:30 does not exist.
        (("2026-03-29T00:30Z", "2026-03-29T01:30Z", "2026-03-29T21:30Z"), "01:30 03:30 23:30"),
    ],
)
async def test_the_nights_on_which_the_clocks_change(
    tmp_path: Path, moments: tuple[str, ...], headings: str
) -> None:
    clock = Clock()
    async with opened(tmp_path, clock=clock, timezone="Europe/Berlin") as memory:
        for number, moment in enumerate(moments):
            clock.now = datetime.fromisoformat(moment)
            await log_exchange(memory, f"said {number}", f"heard {number}")
            await memory.summarise(Echo(), reason="threshold")
        ledger = await memory.log.ledger()
        assert ledger.adds_up and ledger.messages == {"closed": 6}
    said = bullets_by_day(tmp_path / "vault")
    assert list(said.values()) == [[f"{what} {n}" for n in range(3) for what in ("said", "heard")]]
    text = (tmp_path / "vault" / "memories" / f"{moments[0][:10]}.md").read_text("utf-8")
    rows = [row[3:8] for row in text.splitlines() if row.startswith("## ")]
    assert rows == headings.split() and text.count(" ^") == 3


async def test_a_day_of_twenty_five_hours_is_one_day(tmp_path: Path) -> None:
    clock = Clock(datetime(2026, 10, 24, 22, 0, tzinfo=UTC))  # midnight in Berlin
    async with opened(tmp_path, clock=clock, timezone="Europe/Berlin") as memory:
        for _ in range(26):
            await log_exchange(memory, f"at {clock.now:%d %H}", "heard")
            clock.forward(hours=1)
        await memory.summarise(Echo(), reason="day")
    days = {
        day: sum(row.startswith("at") for row in rows)
        for day, rows in bullets_by_day(tmp_path / "vault").items()
    }
    assert days == {"2026-10-25": 25, "2026-10-26": 1}


# ── the real process ─────────────────────────────────────────────────────────────────────────


@pytest.fixture
def shift(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Provide the file that shifts the clock of `sam run` and of all commands."""
    clocked = [sys.executable, "-m", "tests.support.shifted_clock"]
    monkeypatch.setattr(process, "SAM", clocked)
    monkeypatch.setattr(process.Sam, "command", clocked)
    file = tmp_path / "shift"
    file.write_text("0")
    return file


def test_a_running_sam_whose_clock_jumps_and_messages_from_the_future(
    tmp_path: Path, shift: Path
) -> None:
    """Back a day, forward a year, back again; and Telegram's dates are days in the future."""
    with World.running(tmp_path, SAM_TEST_SHIFT=str(shift), SUMMARY_THRESHOLD="6") as world:
        ahead = datetime.now(UTC) + timedelta(days=3)
        world.telegram.clock = ahead.replace(hour=12)  # so that all of it is said on one day
        world.sam.start()
        for number, seconds in enumerate((0, -86_400, 31_536_000, -3_600)):
            shift.write_text(str(seconds))
            world.asks(f"first {number}", f"second {number}")
        shift.write_text("0")
        world.check()
        days = {file.stem for file in (world.vault / "memories").glob("*.md")}
        assert days == {f"{world.telegram.clock:%Y-%m-%d}"}


class Night:
    """A Sam in Berlin, whose clock and Telegram's move together."""

    def __init__(self, world: World, shift: Path) -> None:
        self.world, self.shift = world, shift
        self.wanted: dict[str, list[str]] = {}

    def at(self, moment: str) -> None:
        """Set the time. The file is replaced atomically, because Sam may read it at any moment."""
        self.world.telegram.clock = now = datetime.fromisoformat(moment)
        spare = self.shift.with_suffix(".new")
        spare.write_text(f"{(now - datetime.now(UTC)).total_seconds()}")
        spare.replace(self.shift)

    def asks(self, day: str, *texts: str) -> None:
        """Send the messages of that local day, and wait for their answers."""
        self.world.asks(*texts)
        self.wanted.setdefault(day, []).extend(t for x in texts for t in (x, f"heard: {x}"))

    def check(self, kills: int = 0) -> None:
        """Check the invariants, and that each message is in its day's note."""
        world = self.world
        answers = [f"heard: {text}" for text in world.said]
        sent = (each.text for each in world.telegram.sent)
        invariants.check(world.sam, world.said, answers, sent, kills=kills)
        written = {
            day: sorted(rows) for day, rows in bullets_by_day(world.folder / "vault").items()
        }
        assert written == {day: sorted(map(inert, rows)) for day, rows in self.wanted.items()}


BERLIN = {"TIMEZONE": "Europe/Berlin", "SUMMARY_THRESHOLD": "6"}


def test_midnight_in_the_middle_of_a_batch(tmp_path: Path, shift: Path) -> None:
    """Midnight passes among its messages; the next night, while the model is summarising."""
    with World.running(tmp_path, SAM_TEST_SHIFT=str(shift), **BERLIN) as world:
        night, late = Night(world, shift), ""

        def summary(request: Request) -> dict[str, Any]:
            if late:
                night.at(late)
            return invariants.one_bullet_a_message(request)

        world.claude.summaries(summary)
        night.at("2026-02-12T22:58:00Z")
        world.sam.start()
        night.asks("2026-02-12", "before one", "before two")
        night.at("2026-02-12T23:01:00Z")
        night.asks("2026-02-13", "after one", "after two")
        night.at("2026-02-13T22:57:00Z")
        world.summarises()
        late = "2026-02-13T23:02:00Z"
        night.asks("2026-02-13", "then one", "then two", "then three")
        wait_until(lambda: world.telegram.clock.hour == 23, "midnight, in a summary")
        night.asks("2026-02-14", "then four")
        night.check()


@pytest.mark.parametrize(
    ("day", "next_day", "moments"),
    [
        # 02:30 occurs twice, and the day has 25 hours.
        ("2026-10-25", "2026-10-26", ("00:30", "01:30", "22:30", "23:30")),
        # 02:30 does not exist, and the day has 23 hours.
        ("2026-03-29", "2026-03-30", ("00:30", "01:30", "21:30", "22:30")),
    ],
)
def test_a_running_sam_on_the_nights_on_which_the_clocks_change(
    tmp_path: Path, shift: Path, day: str, next_day: str, moments: tuple[str, ...]
) -> None:
    """Killed once on each of the two days; messages after midnight belong to the next day."""
    with World.running(tmp_path, SAM_TEST_SHIFT=str(shift), **BERLIN) as world:
        night = Night(world, shift)
        night.at(f"{day}T{moments[0]}:00Z")
        world.sam.start()
        for number, moment in enumerate(moments):
            night.at(f"{day}T{moment}:00Z")
            its = next_day if moment == moments[-1] else day
            night.asks(its, f"first of {number}", f"second of {number}")
            if number == 1:
                world.sam.kill()
                world.sam.start()
        night.check(kills=1)
        text = (world.vault / "memories" / f"{day}.md").read_text("utf-8")
        hours = [row[3:8] for row in text.splitlines() if row.startswith("## ")]
        assert hours == sorted(hours) and hours[-1] == "23:30"
