"""Measure the idle cost of many profiles in one `sam run`, and the latency of a closed profile.

    python -m tests.benchmarks.profiles [--profiles N] [--seconds N] [--embedder NAME] [--json]

Runs the real `sam run`; Telegram and Claude are fakes, which answer at once. The idle cost is
measured without any messages, after the work of the start has ended. "Cold" is the first answer of
a profile that was used before and has been closed since; "warm" is its next one. Linux only, since
it reads /proc.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.benchmarks.figures import show
from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import FakeTelegram
from tests.support.process import Sam, wait_until

PROFILES = 1_000
SECONDS = 120  # of idle measurement: jobs that run every minute run twice
FIRST = 5001  # the Telegram id of the first person
ASKED = 10  # people whose first answer is timed
IDLE = 0.5  # minutes until a profile is closed, to save time: ten by default
CALM = 0.02  # share of a core: with a larger difference to the last ten seconds, it is not idle yet
SPARE = 8  # open files above the idle number, at most: an open profile has about ten
MEGABYTE = 1024


def use(pid: int) -> dict[str, int]:
    """Return the open files, threads and megabytes of memory of a process."""
    process = Path(f"/proc/{pid}")
    status = dict(line.split(":", 1) for line in (process / "status").read_text().splitlines())
    return {
        "open files": len(list((process / "fd").iterdir())),
        "threads": int(status["Threads"]),
        "MB": int(status["VmRSS"].split()[0]) // MEGABYTE,
    }


def cpu_seconds(pid: int) -> float:
    """Return the CPU seconds that a process has used since its start."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def share(pid: int, seconds: float) -> float:
    """Return the share of one core that the process uses in the next `seconds`."""
    began, used = time.monotonic(), cpu_seconds(pid)
    time.sleep(seconds)
    return (cpu_seconds(pid) - used) / (time.monotonic() - began)


def rest(pid: int, longest: float = 600) -> None:
    """Wait until the work after the start has ended: for longer than it takes a profile to be
    closed, neither its CPU use nor its number of open files changes."""
    deadline, calm = time.monotonic() + longest, 0
    used, files = share(pid, 10), use(pid)["open files"]
    while time.monotonic() < deadline and calm * 10 <= 60 * IDLE:
        (before, held), used, files = (used, files), share(pid, 10), use(pid)["open files"]
        calm = calm + 1 if abs(used - before) <= CALM and files == held else 0


def settings(
    telegram: Any, claude: FakeClaude, folder: Path, profiles: int, embedder: str
) -> dict[str, str]:
    """Return settings for a Sam with that many other people, and without scheduled work."""
    people = ",".join(f"{FIRST + n}:person{n}" for n in range(profiles - 1))
    owner = telegram.env["TELEGRAM_ALLOWED_USERS"]
    return {
        **telegram.env,
        "TELEGRAM_ALLOWED_USERS": f"{owner},{people}" if people else owner,
        "PROFILES_DIR": str(folder / "profiles"),
        "ANTHROPIC_API_KEY": "sk-ant-test",
        "ANTHROPIC_BASE_URL": claude.url,
        "EMBEDDING_PROVIDER": embedder,
        "BUDGET_DAILY_USD": "0",
        "HEARTBEAT_MINUTES": "0",
        "BURST_SECONDS": "0",
        "RECALL_REWRITE_SECONDS": "0",
        "PROFILE_IDLE_MINUTES": str(IDLE),
    }


def asks(telegram: Any, text: str, user: int) -> float:
    """Send a message; return the seconds until the answer."""
    before, began = len(telegram.sent), time.perf_counter()
    telegram.receives(text, user=user)
    telegram.wait_sent(before + 1, timeout=120)
    return time.perf_counter() - began


def is_polling(telegram: Any) -> bool:
    """Return whether Sam has started to poll for messages: its start is complete."""
    return any(request.method == "getUpdates" for request in telegram.requests)


def visited(folder: Path, profiles: int) -> bool:
    """Return whether Sam has opened each profile once."""
    return len(list((folder / "profiles").glob("*/data/log.db"))) == profiles - 1


def measure(
    folder: Path, profiles: int, seconds: float, embedder: str, asked: int = ASKED
) -> dict[str, float]:
    """Return the figures of one run: counts, megabytes, seconds, and a share of one core."""
    with FakeTelegram.running() as telegram, FakeClaude.running() as claude:
        claude.responds_with("Here I am.")
        sam = Sam(folder, **settings(telegram, claude, folder, profiles, embedder))
        began = time.perf_counter()
        sam.start()
        try:
            wait_until(lambda: is_polling(telegram), "the first poll", timeout=1200)
            started = time.perf_counter() - began
            assert sam.process is not None
            pid = sam.process.pid
            people = [FIRST + n for n in range(min(asked, profiles - 1))]
            wait_until(lambda: visited(folder, profiles), "all profiles", timeout=1800)
            rest(pid)
            looked_through = time.perf_counter() - began
            cpu, at_rest = share(pid, seconds), use(pid)
            for user in people:
                asks(telegram, "Good morning.", user)
            wait_until(
                lambda: use(pid)["open files"] <= at_rest["open files"] + SPARE,
                "the end of the idle time",
                timeout=600,
            )
            cold = [asks(telegram, "Good morning again.", user) for user in people]
            warm = [asks(telegram, "And once more.", user) for user in people]
        finally:
            sam.end()
    found = {"profiles": profiles, "start, s": started, "at rest after, s": looked_through}
    found |= {**at_rest, "% of a core": 100 * cpu}
    if people:
        found["cold answer, median s"] = statistics.median(cold)
        found["cold answer, slowest s"] = max(cold)
        found["warm answer, median s"] = statistics.median(warm)
        found["cold beyond warm, s"] = statistics.median(cold) - statistics.median(warm)
    return found


def main(words: Sequence[str] | None = None) -> int:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.profiles")
    parser.add_argument("--profiles", type=int, default=PROFILES)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--embedder", default="none", help="an EMBEDDING_PROVIDER")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(words)
    show(
        lambda folder: measure(folder, given.profiles, given.seconds, given.embedder),
        decimals=2,
        as_json=given.json,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
