"""Two workers on one PostgreSQL, and many people with a long log: start, rest, talk, and a burst.

    python -m tests.benchmarks.load [--tenants N] [--messages N] [--seconds N] [--burst N]
        [--fsync] [--json]

Real `sam run` and a real PostgreSQL on this machine; Telegram and Claude are fakes, which answer at
once. An answer's time is Sam's own: from the moment when Telegram has the message until it gets the
answer, without the time in which Claude has the request. Everybody has `--messages` messages in the
log before the start. "Visited": each profile was opened once, indexed and closed, as after a time
without any worker. Then nobody writes for a while. Then those who write most often begin, one after
another; people write RATE messages a second for `--seconds`, most of them those; and at the end
everybody, BURST_RATE a second for `--burst` seconds.
"Warm" is who wrote less than half an idle time ago; "cold" whose profile has been closed.

Each person's messages contain a canary. The exit code is 1 unless each message was answered once,
in the order of its chat, and no prompt contains another person's canary. The figures depend on the
machine, and decide nothing: where other programs use its cores, answers take longer. Linux only,
since it reads /proc.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
import re
import shutil
import sqlite3
import statistics
import sys
import time
import urllib.error
import urllib.request
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, timedelta
from pathlib import Path

from memory.infra.postgres import Tenant
from memory.log import Log, to_postgres
from tests.benchmarks.figures import show
from tests.benchmarks.profiles import cpu_seconds
from tests.benchmarks.workers import people
from tests.fakes.claude_request import Request as Prompt
from tests.fakes.telegram_chats import Request as Call
from tests.support.logs import NOON, ids, said
from tests.support.moves import place
from tests.support.postgres import Cluster, start
from tests.support.process import free_port, wait_until
from tests.support.workers import Workers

WARM_UP, RATE, BURST_RATE = 2, 10, 30  # messages a second
IDLE = 1.0  # minutes until a profile is closed, to save time: ten by default
REGULARS = 50  # people who write most messages
RARELY = 0.05  # share of the messages that somebody else writes
TIDY = 70.0  # seconds until memory and connections that nobody uses have been given back
AT_REST = 30.0  # seconds of the measurement
Whom = Callable[[], Sequence[int]]
"""Returns those of whom somebody writes the next message."""
_QUESTION, _CANARY = re.compile(r"load \d+ of (\d+)"), re.compile(r"canary(\d+)")
_ASKED = re.compile(r"(load \d+ of \d+: .*?\?)")
_ANSWER = re.compile(rf"heard: {_ASKED.pattern}")


async def _model_log(file: Path, messages: int) -> None:
    """Make a log of SQLite with so many messages, half of them answers, all of them summarised."""
    log = await Log.open(file, lambda: NOON)
    for number in range(messages // 2):
        at = NOON + timedelta(hours=12 * number * 500 // messages)
        tiles = f"the {number % 37} tiles on shelf {number % 11}"
        text = f"In note {number} I put {tiles}, said {_canary(0)}."
        turn = await log.messages.begin(said(text, number, at))
        await log.messages.answer(turn.id, f"Shelf {number % 11} it is.", sent_at=at)
    while batches := await log.batches.claim(zone=UTC, reason="asked", new_id=ids()):
        for batch in batches:
            await log.batches.close(batch.id)
    await log.close()


def _canary(user: int) -> str:
    """Return a word of one person's messages alone."""
    return f"canary{user}"


def fill(workers: Workers, folder: Path, messages: int) -> None:
    """Give each person a log in PostgreSQL."""
    model = folder / "model" / "log.db"
    model.parent.mkdir()
    asyncio.run(_model_log(model, messages))
    for user, name in workers.people.items():
        data = folder / ("data" if name == "owner" else f"profiles/{name}/data")
        data.mkdir(parents=True)
        shutil.copy(model, data / "log.db")
        with closing(sqlite3.connect(data / "log.db")) as db, db:
            own = (_canary(0), _canary(user))
            db.execute("UPDATE message SET text = replace(text, ?, ?)", own)
        to_postgres(place(data, Tenant(workers.url, name)))


class Load:
    """One run. `ports`: where the workers tell whether they are ready."""

    def __init__(self, workers: Workers, ports: Sequence[int], draw: random.Random) -> None:
        self.workers, self.ports, self.draw = workers, ports, draw
        self.sent: dict[str, float] = {}
        """When each message was sent, in monotonic seconds."""
        self.kinds: dict[str, str] = {}
        self.last: dict[int, float] = {}
        self.prompts: dict[str, list[Prompt]] = defaultdict(list)
        """The requests to Claude for a message, until it is answered."""
        self.took: dict[str, list[float]] = {"warm": [], "cold": []}
        """Milliseconds until each answer, without Claude's."""
        self.own = 0
        self.foreign: list[tuple[str, set[str]]] = []
        """The number of prompts with the person's canary; who got which canaries of others."""
        # A request is looked at when it arrives, and not kept: all of them fill gigabytes.
        workers.telegram.keeps(self._sees_call)
        workers.claude.keep = self._sees_prompt

    def run(self, seconds: float, burst: float) -> dict[str, float]:
        """Return the figures. Raises AssertionError if an answer is missing, doubled or late in
        its chat."""
        began = time.monotonic()
        for worker in self.workers.all:
            worker.start()
        wait_until(lambda: all(map(_is_ready, self.ports)), "all are ready", timeout=300, nap=0.1)
        ready = time.monotonic() - began
        wait_until(self._visited, "each profile was visited", timeout=7200, nap=1)
        found: dict[str, float] = {
            "workers": len(self.workers.all),
            "people": len(self.workers.people),
            "seconds until all are ready": ready,
            "seconds until each profile was visited": time.monotonic() - began,
            **self._rest(),
        }
        regulars = list(self.workers.people)[:REGULARS]
        others = list(self.workers.people)[REGULARS:] or regulars
        one_each = itertools.cycle(regulars)
        self._talk(WARM_UP, len(regulars) / WARM_UP, lambda: [next(one_each)], kind="warm-up")
        self._see_answered()
        before, used = len(self.sent), self._cpu()
        behind = self._talk(
            RATE, seconds, lambda: others if self.draw.random() < RARELY else regulars
        )
        self._see_answered()
        found |= _shares(used, self._cpu())
        steady = len(self.sent)
        self._talk(BURST_RATE, burst, lambda: list(self.workers.people), kind="burst")
        ended = time.monotonic()
        self._see_answered()
        drained = time.monotonic() - ended
        found |= {"messages, steady": steady - before, "seconds that the sender was late": behind}
        found |= self._times()
        found |= {
            "messages, burst": len(self.sent) - steady,
            "seconds until the burst was answered": drained,
        }
        self.check()
        found |= {"lost": 0, "duplicate": 0, "out of order": 0}
        return found | {"prompts with the person's own canary": self.own, "with another's": 0}

    def _visited(self) -> bool:
        known = "SELECT count(*) FROM sam_workers.lease WHERE times IS NOT NULL AND epoch IS NULL"
        return bool(self.workers.rows(known)[0][0] >= len(self.workers.people))

    def _rest(self) -> dict[str, float]:
        """Return what workers and database use while nobody writes."""
        time.sleep(TIDY)
        workers = [each.process.pid for each in self.workers.all if each.process is not None]
        cluster = self.workers.cluster
        before = [sum(map(cpu_seconds, workers)), _server_seconds(cluster)]
        time.sleep(AT_REST)
        after = [sum(map(cpu_seconds, workers)), _server_seconds(cluster)]
        server = _family(cluster)
        mine, theirs = (100 * (b - a) / AT_REST for a, b in zip(before, after, strict=True))
        return {
            "MB at rest, workers": round(sum(map(_proportional_mb, workers))),
            "MB at rest, PostgreSQL": round(sum(map(_proportional_mb, server))),
            "% of a core at rest, workers": mine,
            "% of a core at rest, PostgreSQL": theirs,
        }

    def _cpu(self) -> dict[str, float]:
        """Return the CPU seconds that each part has used so far, and the time."""
        workers = [each.process.pid for each in self.workers.all if each.process is not None]
        parts = {
            "workers": sum(map(cpu_seconds, workers)),
            "PostgreSQL": _server_seconds(self.workers.cluster),
            "fakes": cpu_seconds(os.getpid()),
        }
        other = _machine_seconds() - sum(parts.values())
        return {**parts, "other programs": other, "": time.monotonic()}

    def _talk(self, rate: float, seconds: float, whom: Whom, kind: str = "") -> float:
        """Send so many messages a second; return by how much the sender was late at most."""
        began, behind = time.monotonic(), 0.0
        for number in range(round(rate * seconds)):
            wait = began + number / rate - time.monotonic()
            behind = max(behind, -wait)
            time.sleep(max(0.0, wait))
            user = self.draw.choice(whom())
            text = f"load {len(self.sent)} of {user}: on which shelf are the tiles?"
            now = time.monotonic()
            ago = now - self.last.get(user, float("-inf"))
            idle = 60 * IDLE
            self.kinds[text] = kind or (
                "warm" if ago < idle / 2 else "cold" if ago > 2 * idle else "between"
            )
            self.last[user] = self.sent[text] = now
            self.workers.said[user].append(text)
            self.workers.telegram.passes(seconds=1 / rate)
            self.workers.telegram.receives(text, user=user)
        return behind

    def _see_answered(self) -> None:
        wait_until(
            lambda: len(self.workers.telegram.sent) >= len(self.sent),
            "all answers",
            timeout=600,
            nap=0.5,
        )

    def _times(self) -> dict[str, float]:
        """Return how long answers took, in milliseconds."""
        found: dict[str, float] = {}
        for kind, each in self.took.items():
            found[f"answers, {kind}"] = len(each)
            if len(each) > 1:
                found[f"ms {kind}, median"] = statistics.median(each)
                found[f"ms {kind}, p95"] = statistics.quantiles(each, n=20)[-1]
        return found

    def _sees_call(self, call: Call) -> None:
        answer = _ANSWER.search(str(call.fields))
        if answer and "Draft" not in call.method and call.method.startswith("send"):
            kind = self.kinds[answer[1]]
            claudes = sum(
                (each.answered_at or call.at) - each.at for each in self.prompts.pop(answer[1], ())
            )
            if kind in self.took:
                self.took[kind].append(1000 * (call.at - self.sent[answer[1]] - claudes))

    def _sees_prompt(self, prompt: Prompt) -> None:
        whose = _QUESTION.findall(prompt.newest_text)
        for asked in _ASKED.findall(prompt.newest_text)[-1:]:
            self.prompts[asked].append(prompt)
        found = set(_CANARY.findall(json.dumps(prompt.body)))
        if whose:
            if found - {whose[-1]}:
                self.foreign.append((whose[-1], found))
            self.own += bool(found)

    def check(self) -> None:
        """Check that each message was answered once, and logged in the order of its chat, and that
        no prompt contained another person's messages."""
        assert not self.foreign, self.foreign
        assert self.own, "something was recalled"
        sent = Counter(
            match[1] for each in self.workers.telegram.sent if (match := _ANSWER.search(each.text))
        )
        asked = Counter(list(self.sent))
        assert sent == asked, {"lost": asked - sent, "doubled": sent - asked}
        self.workers.check_inbox()
        logged = "SELECT tenant, text FROM sam_log.message WHERE text LIKE '{}%' ORDER BY id"
        for prefix in ("load", "heard: load"):
            texts: dict[str, list[str]] = {name: [] for name in self.workers.people.values()}
            for tenant, text in self.workers.rows(logged.format(prefix)):
                texts[tenant].append(text.removeprefix("heard: "))
            for user, name in self.workers.people.items():
                assert texts[name] == self.workers.said[user], (prefix, name)


def _is_ready(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def _family(cluster: Cluster) -> list[int]:
    """Return the processes of the database server."""
    first = int((cluster.data / "postmaster.pid").read_text().split()[0])
    children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
    return [first, *map(int, children)]


def _shares(before: dict[str, float], after: dict[str, float]) -> dict[str, float]:
    """Return the use of a core between two looks, in percent."""
    seconds = after[""] - before[""]
    return {
        f"% of a core under load, {part}": 100 * (after[part] - before[part]) / seconds
        for part in before
        if part
    }


def _server_seconds(cluster: Cluster) -> float:
    """Return the CPU seconds of the database server, with those of connections that have ended."""
    first, *others = _family(cluster)
    fields = Path(f"/proc/{first}/stat").read_text().rpartition(")")[2].split()
    ended = (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")
    return ended + sum(map(cpu_seconds, (first, *others)))


def _machine_seconds() -> float:
    """Return the CPU seconds that all programs of this machine have used."""
    user, nice, system, _, _, irq, soft, *_ = (
        Path("/proc/stat").read_text().splitlines()[0].split()[1:]
    )
    return sum(map(int, (user, nice, system, irq, soft))) / os.sysconf("SC_CLK_TCK")


def _proportional_mb(pid: int) -> float:
    """Return the memory of a process; what it shares with others counts in part."""
    rows = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(row.split()[1]) for row in rows if row.startswith("Pss:")) / 1024


def main(words: Sequence[str] | None = None) -> int:
    """Run it, and print the figures."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.load")
    parser.add_argument("--tenants", type=int, default=1_000)
    parser.add_argument("--messages", type=int, default=1_000, help="of each, before the start")
    parser.add_argument("--seconds", type=float, default=600, help="of steady talk")
    parser.add_argument("--burst", type=float, default=60, help="seconds")
    parser.add_argument("--fsync", action="store_true", help="let PostgreSQL wait for the disk")
    parser.add_argument("--seed", type=int, default=19)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(words)
    cluster = start(durable=given.fsync)

    def measure(folder: Path) -> dict[str, float]:
        with Workers.running(
            folder,
            cluster,
            started=False,
            people=people(given.tenants),
            RATE_LIMIT="100000",
            BURST_SECONDS="0",
            RECALL_REWRITE_SECONDS="0",
            PROFILE_IDLE_MINUTES=str(IDLE),
        ) as workers:
            fill(workers, folder, given.messages)
            ports = [free_port() for _ in workers.all]
            for worker, port in zip(workers.all, ports, strict=True):
                worker.env["METRICS_ADDRESS"] = f"127.0.0.1:{port}"
                worker.env["PYTHONNOUSERSITE"] = "1"  # so it is not forked, as tests do it: a
                # fork has the tests' libraries in its memory, too
            load = Load(workers, ports, random.Random(given.seed))
            return {"messages of each": given.messages, **load.run(given.seconds, given.burst)}

    try:
        show(measure, decimals=1, as_json=given.json)
    finally:
        cluster.remove()
    return 0


if __name__ == "__main__":
    sys.exit(main())
