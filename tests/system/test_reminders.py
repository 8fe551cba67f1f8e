"""Reminders in the real process: scheduler, outbox and Telegram, with kills; in the terminal."""

from __future__ import annotations

import random
import sys
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from tests.support import process
from tests.support.homes import Home, no_process_is_left
from tests.support.invariants import words_of
from tests.support.process import wait_until
from tests.support.terminal import Terminal
from tests.support.world import World

__all__ = ["no_process_is_left"]

BERLIN = ZoneInfo("Europe/Berlin")
COUNT, SPAN, STEPS = 125, 300, 20  # reminders per night, its minutes, and the number of due times
DOWN = (6, 7, 15)  # steps at which Sam is down
KILLS = ("after_send:10", "before_send:8", "after_send:1", "before_send:30", "after_send:16")
"""Where it dies, counted from each start: after Telegram got a message but before Sam recorded it,
or before one is sent."""


@pytest.fixture
def shift(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Provide the file with the shift of Sam's clock, in seconds."""
    clocked = (sys.executable, "-m", "tests.support.shifted_clock")
    monkeypatch.setattr(process.Sam, "command", clocked)
    file = tmp_path / "shift"
    file.write_text("0")
    return file


@pytest.mark.parametrize(
    "change", [datetime(2026, 3, 29, tzinfo=UTC), datetime(2026, 10, 25, tzinfo=UTC)]
)
def test_hundreds_on_the_night_of_a_clock_change(
    tmp_path: Path, shift: Path, change: datetime
) -> None:
    """125 in each of both nights: each within a minute of its time or of the next start after
    downtime, none lost, and at most one duplicate per kill."""
    chance = random.Random(change.month)
    begin = change - timedelta(hours=2)
    minutes = sorted(chance.sample(range(1, SPAN), STEPS))
    due = {f"Task {n}": begin + timedelta(minutes=chance.choice(minutes)) for n in range(COUNT)}
    expected = {name: real(at) for name, at in due.items()}
    rows = [f"- [ ] {name} (@{at.astimezone(BERLIN):%Y-%m-%d %H:%M})" for name, at in due.items()]
    points, kills, stops = iter(KILLS), 0, 0
    settings = {
        "SAM_TEST_SHIFT": str(shift),
        "SAM_TEST_MINUTE": "0.3",
        "TIMEZONE": "Europe/Berlin",
        "MORNING_LIST": "false",
        "CHANGES_AT": "off",
    }
    with World.running(tmp_path, **settings) as world:

        def at(moment: datetime) -> None:
            world.telegram.clock = moment
            spare = shift.with_suffix(".new")
            spare.write_text(f"{(moment - datetime.now(UTC)).total_seconds()}")
            spare.replace(shift)

        def came() -> dict[str, list[datetime]]:
            found: dict[str, list[datetime]] = defaultdict(list)
            for each in world.telegram.sent:
                if each.text.startswith("⏰ "):
                    found[words_of(each.text).split("\n")[0].removeprefix("⏰ ")].append(each.date)
            return found

        def start() -> None:
            world.sam.start(SAM_FAILPOINT=next(points, ""))

        def has_died() -> bool:
            return world.sam.process is not None and world.sam.process.poll() is not None

        def all_came(wanted: set[str]) -> bool:
            """Return whether they came; restart a Sam that has died meanwhile."""
            nonlocal kills
            if has_died():
                kills += 1
                start()
            return wanted <= came().keys()

        at(begin)
        world.sam.start()
        world.asks("hello")
        world.write("tasks.md", "# Tasks\n\n" + "\n".join(rows) + "\n")
        world.sam.kill()
        start()
        for number, minute in enumerate(minutes):
            if number in DOWN:
                if number - 1 not in DOWN:
                    kills += has_died()
                    stops += 1  # perhaps before it has recorded what it sent last
                    world.sam.kill()
                continue  # the clock continues without it
            at(begin + timedelta(minutes=minute))
            if number - 1 in DOWN:
                start()
            wanted = {name for name, at in expected.items() if at <= world.telegram.clock}
            wait_until(partial(all_came, wanted), f"reminders of minute {minute}", nap=0.05)
        found = came()
    assert kills >= 4, "it died while it reminded"
    assert found.keys() == expected.keys(), "none is lost, and none is made up"
    assert sum(map(len, found.values())) - COUNT <= kills + stops
    latest = timedelta()
    for name, moment in expected.items():
        up = next(n for n, m in enumerate(minutes) if begin + timedelta(minutes=m) >= moment)
        while up in DOWN:
            up += 1
        late = found[name][0] - begin - timedelta(minutes=minutes[up])
        assert timedelta(0) <= late <= timedelta(minutes=1), name
        latest = max(latest, late)
    twice = sum(map(len, found.values())) - COUNT
    print(f"{COUNT} reminders, {kills} kills, {twice} sent twice, latest after {latest}")  # with -s


def real(at: datetime) -> datetime:
    """Return the first occurrence of the local time in the task."""
    local = at.astimezone(BERLIN).replace(fold=0)
    return local.astimezone(UTC)


def test_a_reminder_is_answered_by_the_label_of_its_button(tmp_path: Path) -> None:
    # The list of the day would come with labels of its own, at any moment.
    home = Home(tmp_path, ACTIVE_HOURS="0-24", MORNING_LIST="false")
    due = datetime.now(UTC) - timedelta(minutes=1)
    home.write("tasks.md", f"# Tasks\n\n- [ ] Call Ana (@{due:%Y-%m-%d %H:%M}) 🆔 ana123\n")
    terminal = Terminal(home)
    terminal.shows("To choose, write: Done · 10 min · 1 hour · Tomorrow · Drop")
    terminal.types("done\r")
    terminal.shows("✅ Call Ana")
    terminal.types("undo\r")
    terminal.shows("To choose, write: Done")
    terminal.types("/quit\r")
    assert terminal.ends() == 0
    assert "- [ ] Call Ana" in (home.vault / "tasks.md").read_text("utf-8")
