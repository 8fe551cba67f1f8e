"""Several workers on one PostgreSQL, killed again and again while many people write.

    python -m tests.benchmarks.workers [--kills N] [--messages N] [--people N] [--cut N] [--json]

Both workers are killed in turn. Of the updates 5 % are delivered twice, the model takes its time,
PostgreSQL is restarted three times, and for 30 seconds nobody can connect to it. At the end nothing
may be lost, doubled or out of order, and no worker may have written without the lease.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path

from tests.benchmarks.figures import show
from tests.support.postgres import Cluster, start
from tests.support.workers import Workers

FIRST = 3001  # id of the first person
REDELIVERED = 0.05
SLOW = 0.02  # seconds between the events of the model's stream
CUT = 30.0  # seconds without any connection
ROUNDS = 2  # kills after which people wait: an update that is there in four is set aside
LONGEST = 4.0  # seconds from a start to a kill


def people(count: int) -> dict[int, str]:
    """Return the people: the owner, and guests."""
    guests = {FIRST + number: f"guest{number}" for number in range(1, count)}
    return {1001: "owner", **guests}


class Kills:
    """One run."""

    def __init__(self, workers: Workers, cluster: Cluster, draw: random.Random) -> None:
        self.workers, self.cluster, self.draw = workers, cluster, draw
        self.sent = self.repeated = 0
        self.longest = 0.0

    def run(self, kills: int, messages: int, cut: float) -> dict[str, float]:
        """Kill that often while so many messages come; check the invariants; return figures."""
        self.workers.see_ready()
        self.workers.audit()
        self.workers.claude.chunk_delay = SLOW
        self.workers.claude.keep = _keeps_nothing
        self.workers.telegram.keeps(_keeps_nothing)
        restarts = {round(kills * share) for share in (0.25, 0.5, 0.75)}
        began = time.monotonic()
        for number in range(1, kills + 1):
            self.talk(round(messages * number / kills) - self.sent)
            time.sleep(self.draw.uniform(0, LONGEST))
            worker = self.workers.all[number % len(self.workers.all)]
            worker.kill()
            if number in restarts:
                self.cluster.stop()
                self.cluster.start()
            worker.start()
            if number == round(kills * 0.6):
                self.cut_off(cut)
            if number % ROUNDS == 0 or number == kills:
                waited = time.monotonic()
                self.workers.see_answered(timeout=300)
                self.longest = max(self.longest, time.monotonic() - waited)
        seconds = time.monotonic() - began
        wrong = self.workers.writes_without_lease()
        assert not wrong, wrong
        writes = self.workers.rows("SELECT count(*) FROM audit.write")[0][0]
        doubled = self.doubled()
        self.workers.check()
        return {
            "kills": kills,
            "messages": self.sent,
            "people": len(self.workers.people),
            "delivered twice": self.repeated,
            "restarts of PostgreSQL": len(restarts),
            "seconds without PostgreSQL": cut,
            "lost": 0,
            "duplicate turns": 0,
            "duplicate summaries": 0,
            "answers sent twice, with a remark": doubled,
            "writes checked against their lease": writes,
            "longest wait for all answers": round(self.longest, 1),
            "seconds": round(seconds),
        }

    def talk(self, messages: int) -> None:
        """Let people write so many messages."""
        for _ in range(messages):
            user = self.draw.choice(list(self.workers.people))
            self.workers.sends(user, f"message {self.sent} of {user}")
            self.sent += 1
            if self.draw.random() < REDELIVERED:
                self.workers.telegram.repeats()
                self.repeated += 1

    def cut_off(self, seconds: float) -> None:
        """Close all connections, and accept none for so long."""
        name = self.workers.url.partition("?")[0].rpartition("/")[2]
        self.cluster.admin(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        self.cluster.admin(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            f" WHERE datname = '{name}' AND pid != pg_backend_pid()"
        )
        self.talk(5)
        time.sleep(seconds)
        self.cluster.admin(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")

    def doubled(self) -> int:
        """Return how many answers came twice: the second says so."""
        return len(self.workers.telegram.sent) - self.sent


def _keeps_nothing(request: object) -> None:
    """Forget a request: all of a long run fill gigabytes."""


def main() -> None:
    """Run it, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--messages", type=int, default=10_000)
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--cut", type=float, default=CUT, help="seconds without PostgreSQL")
    parser.add_argument("--seed", type=int, default=19)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    cluster = start()

    def measure(folder: Path) -> dict[str, float]:
        with Workers.running(
            folder,
            cluster,
            people=people(given.people),
            SUMMARY_THRESHOLD="40",
            RATE_LIMIT="1000",
        ) as workers:
            kills = Kills(workers, cluster, random.Random(given.seed))
            return kills.run(given.kills, given.messages, given.cut)

    try:
        show(measure, decimals=1, as_json=given.json)
    finally:
        cluster.remove()


if __name__ == "__main__":
    main()
