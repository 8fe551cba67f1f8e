"""What many profiles cost one `sam run` at rest, and how long a closed one takes to answer.

    python -m tests.benchmarks.profiles [--profiles N] [--seconds N] [--embedder NAME] [--json]

The real `sam run`; Telegram and Claude are the fakes, which answer at once. Nobody writes while it
is measured: first all that follows the start has to end. Cold is the answer of a profile that was
talked with before, and closed since; warm is its next one. Linux only, since it reads /proc.
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
SECONDS = 120  # at rest: the jobs of each minute twice
FIRST = 5001  # the Telegram id of the first person
ASKED = 10  # people whose first answer is timed
IDLE = 0.5  # minutes until a profile is closed, to save time: ten by default
CALM = 0.02  # of a core more than in the last ten seconds is no rest yet
SPARE = 8  # open files more than at rest: no profile is open, each has about ten
MEGABYTE = 1024


def use(pid: int) -> dict[str, int]:
    """The open files, threads and megabytes of memory of a process."""
    process = Path(f"/proc/{pid}")
    status = dict(line.split(":", 1) for line in (process / "status").read_text().splitlines())
    return {
        "open files": len(list((process / "fd").iterdir())),
        "threads": int(status["Threads"]),
        "MB": int(status["VmRSS"].split()[0]) // MEGABYTE,
    }


def cpu_seconds(pid: int) -> float:
    """What a process has used of all cores since its start."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def share(pid: int, seconds: float) -> float:
    """The share of one core that it uses from now on, for that long."""
    began, used = time.monotonic(), cpu_seconds(pid)
    time.sleep(seconds)
    return (cpu_seconds(pid) - used) / (time.monotonic() - began)


def rest(pid: int, longest: float = 600) -> None:
    """Wait until it uses no less than ten seconds ago: what follows a start has ended."""
    deadline, last = time.monotonic() + longest, share(pid, 10)
    while time.monotonic() < deadline:
        last, before = share(pid, 10), last
        if abs(last - before) <= CALM:
            return


def settings(
    telegram: Any, claude: FakeClaude, folder: Path, profiles: int, embedder: str
) -> dict[str, str]:
    """Of a Sam with that many people beside the owner, which does nothing by itself."""
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
    """Say it; the seconds until its answer came."""
    before, began = len(telegram.sent), time.perf_counter()
    telegram.receives(text, user=user)
    telegram.wait_sent(before + 1, timeout=120)
    return time.perf_counter() - began


def is_polling(telegram: Any) -> bool:
    """Whether Sam has begun to ask for messages: its start is over."""
    return any(request.method == "getUpdates" for request in telegram.requests)


def visited(folder: Path, profiles: int) -> bool:
    """Whether Sam has opened each profile once."""
    return len(list((folder / "profiles").glob("*/data/log.db"))) == profiles - 1


def measure(
    folder: Path, profiles: int, seconds: float, embedder: str, asked: int = ASKED
) -> dict[str, float]:
    """The figures of one run: counts, megabytes, seconds, and a share of one core."""
    with FakeTelegram.running() as telegram, FakeClaude.running() as claude:
        claude.says("Here I am.")
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
    """The command."""
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
