"""Clocks that jump, zones that change their offset, dates from the future: nothing is lost."""

from __future__ import annotations

import sys
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memory.summarize import DraftBullet, SummaryDraft, SummaryRequest
from tests import process
from tests.memories import Clock, opened, says
from tests.world import World


class Echo:
    """One bullet a message, in its words."""

    mark = ""

    async def __call__(self, request: SummaryRequest) -> SummaryDraft:
        bullets = [
            DraftBullet(text=message.text, messages=[number])
            for number, message in enumerate(request.messages, 1)
        ]
        return SummaryDraft(summary="Spoke", bullets=bullets)


def bullets(folder: Path) -> dict[str, list[str]]:
    """By day, in their order."""
    return {
        file.stem: [
            row[2:]
            for row in file.read_text("utf-8").splitlines()
            if row.startswith("- ") and "**Summary**" not in row
        ]
        for file in sorted((folder / "vault" / "memories").glob("*.md"))
    }


@pytest.mark.parametrize("back", [{"hours": -1}, {"days": -1}, {"days": -400}])
async def test_a_clock_that_is_set_back_loses_and_doubles_nothing(
    tmp_path: Path, back: dict[str, int]
) -> None:
    """The messages have Telegram's date; what Sam's own clock says changes nothing in them."""
    clock, at = Clock(), datetime(2026, 2, 12, 13, 30, tzinfo=UTC)
    async with opened(tmp_path, clock=clock) as memory:
        for number in range(8):
            if number == 4:
                await memory.summarise(Echo(), reason="threshold")
                clock.forward(**back)
            await says(memory, f"said {number}", f"heard {number}", at=at)
            at += timedelta(minutes=1)
            await memory.recall(f"said {number}", now=at)
        await memory.end_session("terminal", memory.clock())
        await memory.summarise(Echo(), reason="asked")
        assert not await memory.summarise(Echo(), reason="asked")
        ledger = await memory.log.ledger()
        assert ledger.adds_up and ledger.messages == {"closed": 16}
        found = await memory.recall("said 7", filter="conversations")
        assert any("said 7" in hit.text for hit in found.hits)
    said = bullets(tmp_path)
    assert list(said) == ["2026-02-12"]
    assert Counter(said["2026-02-12"]) == Counter(
        text for n in range(8) for text in (f"said {n}", f"heard {n}")
    )


@pytest.mark.parametrize(
    ("moments", "headings"),
    [
        # 02:30 comes twice: first of the summer's time, an hour later of the winter's.
        (("2026-10-25T00:30Z", "2026-10-25T01:30Z", "2026-10-25T22:30Z"), "02:30 02:30 23:30"),
        # 02:30 never comes.
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
            await says(memory, f"said {number}", f"heard {number}")
            await memory.summarise(Echo(), reason="threshold")
        ledger = await memory.log.ledger()
        assert ledger.adds_up and ledger.messages == {"closed": 6}
    said = bullets(tmp_path)
    assert list(said.values()) == [[f"{what} {n}" for n in range(3) for what in ("said", "heard")]]
    text = (tmp_path / "vault" / "memories" / f"{moments[0][:10]}.md").read_text("utf-8")
    rows = [row[3:8] for row in text.splitlines() if row.startswith("## ")]
    assert rows == headings.split() and text.count(" ^") == 3


async def test_a_day_of_twenty_five_hours_is_one_day(tmp_path: Path) -> None:
    clock = Clock(datetime(2026, 10, 24, 22, 0, tzinfo=UTC))  # midnight in Berlin
    async with opened(tmp_path, clock=clock, timezone="Europe/Berlin") as memory:
        for _ in range(26):
            await says(memory, f"at {clock.now:%d %H}", "heard")
            clock.forward(hours=1)
        await memory.summarise(Echo(), reason="day")
    days = {
        day: sum(row.startswith("at") for row in rows) for day, rows in bullets(tmp_path).items()
    }
    assert days == {"2026-10-25": 25, "2026-10-26": 1}


@pytest.mark.timeout(300)
def test_a_running_sam_whose_clock_jumps_and_messages_from_the_future(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Back a day, on a year, back again; and Telegram's dates are days ahead of the machine."""
    shift = tmp_path / "shift"
    shift.write_text("0")
    monkeypatch.setattr(process, "SAM", [sys.executable, "-m", "tests.clocked"])
    with World.running(tmp_path, SAM_TEST_SHIFT=str(shift), SUMMARY_THRESHOLD="6") as world:
        world.telegram.clock = datetime.now(UTC) + timedelta(days=3)
        world.sam.start()
        for number, seconds in enumerate((0, -86_400, 31_536_000, -3_600)):
            shift.write_text(str(seconds))
            world.asks(f"first {number}", f"second {number}")
        shift.write_text("0")
        world.check()
        days = {file.stem for file in (world.vault / "memories").glob("*.md")}
        assert days == {f"{world.telegram.clock:%Y-%m-%d}"}
