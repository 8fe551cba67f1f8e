"""`make systemd-test`: install, kill, hang, stop, upgrade and roll back Sam on a real systemd.

    python -m tests.systemd [--suite bookworm|trixie] [--only CHAPTER …] [--seed N] [--keep]

Needs root, and a network the first time. Prints its figures; the exit code is 1 if something was
lost. Telegram, Claude and the embeddings are the fakes of the other tests; the machine, systemd,
install script, journal and Sam are real. The conversation and the final checks are those of
tests/system/test_main_job.py.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import secrets
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tests.fakes.claude import FakeClaude
from tests.fakes.embeddings import FakeEmbeddings
from tests.fakes.telegram import FakeTelegram
from tests.fakes.violations import assert_no_violations
from tests.support import dialogue
from tests.support.exchanges import Exchange, exchanges, expected, in_files, scripted
from tests.support.invariants import words_of
from tests.support.process import wait_until
from tests.systemd import links, machine, recovery, speech
from tests.systemd.installed import QUICK, Installed, wheels

KILLS = 7
UNIT = "/etc/systemd/system/sam.service.d/quick.conf"
VERSION = '"0.1.0"'


class Story:
    """The conversation, and the chapters: what happens to Sam meanwhile."""

    def __init__(
        self,
        fresh: Callable[[], Installed],
        cache: Path,
        telegram: Any,
        claude: FakeClaude,
        seed: int,
    ) -> None:
        self.fresh, self.sam, self.cache = fresh, fresh(), cache
        self.telegram, self.claude = telegram, claude
        self.machine, self.draw = self.sam.machine, random.Random(seed)
        said = exchanges(dialogue.sample()["conversation"])[:60]
        scripted(claude, said)
        self._left: Iterator[Exchange] = iter(said)
        self.said: list[Exchange] = []
        self.figures: dict[str, str] = {}

    # ── conversation ─────────────────────────────────────────────────────────────────────────

    def asks(self) -> tuple[Exchange, int]:
        """Send the owner's next message; return it and how many messages Sam had sent before."""
        each = next(self._left)
        self.said.append(each)
        self.telegram.clock = each.at
        before = len(self.telegram.sent)
        self.telegram.receives(each.question)
        return each, before

    def sees_answer(self, asked: tuple[Exchange, int]) -> None:
        each, before = asked
        wait_until(
            lambda: any(words_of(sent.text) == each.answer for sent in self.telegram.sent[before:]),
            f"an answer to {each.question!r}",
            timeout=180,
        )

    def talks(self, count: int = 3) -> None:
        for _ in range(count):
            self.sees_answer(self.asks())

    @contextmanager
    def timed(self, what: str) -> Iterator[None]:
        began = time.monotonic()
        yield
        self.figures[what] = f"{time.monotonic() - began:.1f} s"
        print(f"  {what}: {self.figures[what]}", flush=True)

    # ── chapters ─────────────────────────────────────────────────────────────────────────────

    def installed(self) -> None:
        dry = self.sam.script("install.sh", "--dry-run")
        assert "dry run" in dry and not (self.machine.root / "opt/sam").exists()
        with self.timed("install.sh"):
            self.sam.script("install.sh")
        again = self.sam.script("install.sh")
        done = [row for row in again.splitlines() if row.startswith("  + ")]
        assert all("systemctl" in row for row in done), done  # nothing is created a second time
        self.machine.write(UNIT, QUICK)
        self.machine.run("systemctl", "daemon-reload")
        with self.timed("sam setup, to a Sam that runs"):
            said = self.sam.set_up()
            self.sam.see_running()
        assert "Sam runs" in said, said
        config = self.machine.root / "etc/sam"
        assert self.sam.answers[0] not in (config / "sam.env").read_text("utf-8")
        token = config / "credentials/TELEGRAM_BOT_TOKEN"
        assert token.read_text("utf-8").strip() == self.sam.answers[0]
        assert token.stat().st_mode & 0o777 == 0o600 and token.stat().st_uid == 0
        exposure = self.machine.run("systemd-analyze", "security", "--no-pager", "sam.service")
        found = re.search(r"Overall exposure level for \S+: ([\d.]+)", exposure.stdout)
        assert found is not None, exposure.stdout[-500:]
        self.figures["exposure, with the service working"] = found[1]
        assert float(found[1]) <= 1.2
        self.talks()
        report = self.sam.at_rest()
        unit = [p["id"] for p in report["problems"] if p["id"].startswith(("unit", "cred"))]
        assert report["ok"] and not unit, report["problems"]

    def killed(self) -> None:
        for number in range(KILLS):
            pid = self.sam.pid()
            asked = self.asks()
            time.sleep(self.draw.random() * 1.5)  # at a random moment of the answer
            self.sam.signal("SIGKILL")
            wait_until(lambda pid=pid: self.sam.pid() not in (0, pid), "another Sam", timeout=60)  # type: ignore[misc]
            self.sees_answer(asked)
            print(f"  kill {number + 1} of {KILLS}", flush=True)
        self.figures["killed"] = str(KILLS)
        self.sam.see_running()
        told = [text for who, text in self.telegram.transcript() if "was restarted 3 times" in text]
        assert len(told) == 1, told  # the owner is notified once

    def hung(self) -> None:
        self.sam.see_running()  # before it is ready, the start timeout counts
        pid = self.sam.pid()
        with self.timed("hung, to another Sam (watchdog of 15 s)"):
            self.sam.signal("SIGSTOP")
            asked = self.asks()
            wait_until(lambda: self.sam.pid() not in (0, pid), "another Sam", timeout=120)
        self.sees_answer(asked)
        assert "watchdog" in self.sam.story().lower()

    def stopped_in_an_answer(self) -> None:
        hold = self.claude.holds(after_events=4, model="sonnet", times=1)
        asked = self.asks()
        wait_until(lambda: self.claude.requests[-1].newest_text.endswith(asked[0].question), "it")
        with self.timed("stopped in an answer"):
            self.machine.run("systemctl", "stop", "--no-block", "sam.service")
            time.sleep(1)
            hold.release()
            wait_until(lambda: self.sam.pid() == 0, "its end", timeout=120)
        assert self.machine.shows("sam.service", "Result") == "success"
        self.sees_answer(asked)  # it was allowed to finish
        waits = self.asks()
        self.machine.run("systemctl", "start", "sam.service")
        self.sees_answer(waits)

    def upgraded(self) -> None:
        self.sam.source("/srv/sam2", ("pyproject.toml", VERSION, '"0.1.1"'))
        with self.timed("upgrade.sh"):
            said = self.sam.script("upgrade.sh", source="/srv/sam2")
        assert self.version() == "sam 0.1.1", said
        assert list((self.machine.root / "var/lib/sam/data/backups").iterdir())
        self.talks()

    def not_upgraded(self) -> None:
        """Try a release that fails in the rehearsal, and one that fails only at start."""
        self.sam.source(
            "/srv/sam3",
            ("pyproject.toml", VERSION, '"0.1.2"'),
            (
                "bot/doctor/doctor.py",
                "async def examine(",
                "raise SystemExit(3)\nasync def examine(",
            ),
        )
        said = self.sam.script("upgrade.sh", source="/srv/sam3", check=False)
        assert "Nothing was changed" in said and self.version() == "sam 0.1.1", said
        self.talks(2)
        self.sam.source(
            "/srv/sam4",
            ("pyproject.toml", VERSION, '"0.1.3"'),
            ("bot/telegram/bot.py", "async def run(", "async def walk("),
        )
        waiting = self.asks()
        with self.timed("an upgrade that fails, and the way back"):
            said = self.sam.script("upgrade.sh", source="/srv/sam4", check=False)
        assert "Sam runs as before" in said and self.version() == "sam 0.1.1", said
        self.sees_answer(waiting)
        self.talks(2)
        with self.timed("upgrade.sh --rollback"):
            self.sam.script("upgrade.sh", "--rollback")
        assert self.version() == "sam 0.1.0"
        self.talks(2)

    def failed(self) -> None:
        """Break a setting: no restart loop, and the owner is notified without Sam's own code."""
        before = len(self.telegram.sent)
        path = self.machine.root / "etc/sam/sam.env"
        right = path.read_text("utf-8")
        path.write_text(right + "RECALL_HITS=many\n", "utf-8")
        self.machine.run("systemctl", "restart", "sam.service", check=False)
        wait_until(
            lambda: any("has failed" in sent.text for sent in self.telegram.sent[before:]),
            "an alert",
            timeout=120,
        )
        [alert] = [s.text for s in self.telegram.sent[before:] if "has failed" in s.text]
        assert "RECALL_HITS" in alert, alert  # the last lines of the log give the reason
        path.write_text(right, "utf-8")
        waiting = self.asks()
        self.machine.run("systemctl", "reset-failed", "sam.service")
        self.machine.run("systemctl", "restart", "sam.service")
        self.sees_answer(waiting)

    def without_power(self) -> None:
        asked = self.asks()
        time.sleep(self.draw.random())
        self.machine.cut_power()
        with self.timed("power cut: from the boot to the answer"):
            self.machine.boot()
            self.sees_answer(asked)

    def ended(self) -> None:
        """Check that nothing was lost, and that uninstalling keeps the data."""
        wait_until(  # Sam itself may be summarising
            lambda: self.machine.run("sam", "summarize", check=False).returncode == 0,
            "the last summary",
            timeout=180,
            nap=2,
        )
        report = self.sam.at_rest()
        assert report["ok"] and report["ledger"]["adds_up"], report
        assert in_files(self.sam.vault) == expected(self.said)
        answers = [text for who, text in self.telegram.transcript() if who == "Sam"]
        wanted = Counter(each.answer for each in self.said)
        assert not wanted - Counter(answers), wanted - Counter(answers)
        doubled = sum((Counter(t for t in answers if t in wanted) - wanted).values())
        assert doubled <= KILLS + 2, doubled
        assert_no_violations(self.telegram, self.claude)
        self.sam.script("uninstall.sh", "--yes")
        assert not (self.machine.root / "opt/sam").exists() and in_files(self.sam.vault)
        self.figures |= {
            "messages": str(report["ledger"]["messages_total"]),
            "lost": "0",
            "answers given twice": str(doubled),
        }

    def version(self) -> str:
        return self.machine.run("sam", "--version").stdout.strip()


CHAPTERS = (
    Story.installed,
    Story.killed,
    Story.hung,
    Story.stopped_in_an_answer,
    Story.upgraded,
    Story.not_upgraded,
    links.links_planted,
    Story.failed,
    Story.without_power,
    recovery.key_gone,
    recovery.remote_gone,
    recovery.disk_full,
    recovery.server_gone,
    Story.ended,
    recovery.as_user,
    speech.local_speech,
)


def main() -> int:
    """Return 0 if nothing was lost, 1 if something was, 2 if it cannot run here."""
    parser = argparse.ArgumentParser(prog="python -m tests.systemd")
    parser.add_argument("--suite", default="bookworm", help="of Debian: bookworm, trixie")
    names = [chapter.__name__ for chapter in CHAPTERS[1:]]
    parser.add_argument("--only", nargs="+", choices=names, default=names, help="of its chapters")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--keep", action="store_true", help="leave the machine's folder")
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache" / "sam-systemd")
    given = parser.parse_args()
    if lacks := machine.missing():
        print("make systemd-test needs what is not here:", *lacks, sep="\n  ", file=sys.stderr)
        return 2
    os.umask(0o022)
    seed = secrets.randbelow(10**9) if given.seed is None else given.seed
    print(f"seed {seed}", flush=True)
    began = time.monotonic()
    base = machine.base(given.cache, given.suite)
    made = wheels(given.cache, machine.python(base))
    folder = Path(tempfile.mkdtemp(prefix="sam-systemd-"))
    try:
        with (
            FakeTelegram.running() as telegram,
            FakeClaude.running() as claude,
            FakeEmbeddings.running() as embeddings,
            ExitStack() as stack,
        ):

            def fresh() -> Installed:
                place = Path(tempfile.mkdtemp(dir=folder))
                booted = stack.enter_context(machine.Machine(base, place))
                return Installed(booted, made, telegram, claude, embeddings)

            story = Story(fresh, given.cache, telegram, claude, seed)
            failed = 0
            for chapter in (CHAPTERS[0], *(c for c in CHAPTERS if c.__name__ in given.only)):
                print(chapter.__name__.replace("_", " "), flush=True)
                try:
                    chapter(story)
                except Exception:  # later chapters may show more
                    failed += 1
                    traceback.print_exc()
                    print(story.sam.story(), file=sys.stderr, flush=True)
                    if chapter is Story.installed:
                        return 1
    finally:
        if given.keep:
            print(f"kept: {folder}")
        else:
            subprocess.run(["rm", "-rf", str(folder)], check=True)
    print(f"{failed} chapters failed." if failed else "Nothing was lost.")
    for what, figure in story.figures.items():
        print(f"  {what}: {figure}")
    print(f"  {time.monotonic() - began:.0f} s in all")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
