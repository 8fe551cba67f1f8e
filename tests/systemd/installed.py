"""Sam installed in a test machine: its source, wheels and settings, and the fakes outside."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.fakes.claude import FakeClaude
from tests.support.process import ROOT, wait_until
from tests.systemd.machine import Machine

WHEELS, SOURCE = "/srv/wheels", "/srv/sam"
LOCK = ROOT / "deploy" / "requirements.txt"
QUICK = "[Service]\nWatchdogSec=15\nRestartSec=1\n"
PLATFORMS = (
    *("manylinux_2_34", "manylinux_2_28", "manylinux_2_17", "manylinux2014"),
    *("manylinux_2_5", "manylinux1"),
)
"""Wheel platforms that Debian 12 and later can use (glibc 2.36)."""
LEFT_OUT = (".git", ".venv", "__pycache__", ".*_cache", ".hypothesis", "build", "dist")


def wheels(cache: Path, python: str, lock: Path = LOCK) -> Path:
    """Download everything in a lock file, for an installation without a network on that Python."""
    folder = cache / f"{'wheels' if lock == LOCK else lock.stem}-{python}"
    folder.mkdir(parents=True, exist_ok=True)
    wanted, made = lock.read_text("utf-8"), folder / "made-for"
    if made.exists() and made.read_text("utf-8") == wanted:
        return folder
    platforms = (f"--platform={each}_x86_64" for each in PLATFORMS)
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "download", "--quiet", "--dest", str(folder)),
            *("--only-binary=:all:", f"--python-version={python}", *platforms, "--platform=any"),
            *("--require-hashes", "--requirement", str(lock)),
        ],
        check=True,
        stderr=subprocess.DEVNULL,
    )
    made.write_text(wanted, "utf-8")
    return folder


class Installed:
    """The installation, and an administrator's commands."""

    def __init__(
        self, machine: Machine, made: Path, telegram: Any, claude: FakeClaude, embeddings: Any
    ) -> None:
        self.machine, self.telegram = machine, telegram
        self.answers = (telegram.env["TELEGRAM_BOT_TOKEN"], "sk-ant-test")
        shutil.copytree(made, machine.root / WHEELS[1:])
        self.source(SOURCE)
        self.settings = (
            f"TELEGRAM_BASE_URL={telegram.url}\n"
            f"TELEGRAM_ALLOWED_USERS={telegram.env['TELEGRAM_ALLOWED_USERS']}\n"
            f"ANTHROPIC_BASE_URL={claude.url}\n"
            f"EMBEDDING_PROVIDER=openai\nEMBEDDING_BASE_URL={embeddings.url}\n"
            "BUDGET_DAILY_USD=0\nHEARTBEAT_MINUTES=0\nTIMEZONE=UTC\n"
        )

    @property
    def vault(self) -> Path:
        """Return the vault's path as seen from outside the machine."""
        return self.machine.root / "var/lib/sam/vault"

    def source(self, to: str, *changes: tuple[str, str, str]) -> None:
        """Copy Sam's source into the machine, applying (file, old text, new text) changes."""
        folder = self.machine.root / to.lstrip("/")
        shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*LEFT_OUT))
        for file, old, new in changes:
            text = (folder / file).read_text("utf-8")
            assert old in text, f"{file} has no {old!r}"
            (folder / file).write_text(text.replace(old, new, 1), "utf-8")

    def script(self, name: str, *words: str, source: str = SOURCE, check: bool = True) -> str:
        """Run install.sh, upgrade.sh or uninstall.sh; return stdout and stderr together."""
        offline = () if name == "uninstall.sh" else ("--wheels", WHEELS)
        done = self.machine.run(f"{source}/deploy/{name}", *offline, *words, check=check)
        return f"{done.stdout}{done.stderr}"

    def set_up(self) -> str:
        """Run `sam setup` with a token and a key; keep everything else in sam.env."""
        path = "/etc/sam/sam.env"
        before = (self.machine.root / path[1:]).read_text("utf-8")
        (self.machine.root / path[1:]).write_text(before + self.settings, "utf-8")
        self.machine.write("/etc/sam/credentials/EMBEDDING_API_KEY", "sk-test\n", 0o600)
        return self.machine.run("sam", "setup", stdin="\n".join((*self.answers, "", ""))).stdout

    def pid(self) -> int:
        """Return the pid of Sam's process inside the machine; 0 if there is none."""
        return int(self.machine.shows("sam.service", "MainPID"))

    def signal(self, name: str) -> None:
        """Send a signal to Sam's process alone."""
        self.machine.run("systemctl", "kill", "--kill-whom=main", f"--signal={name}", "sam.service")

    def runs(self) -> bool:
        """Return whether Sam has reported that it is ready."""
        state = self.machine.run("systemctl", "is-active", "sam.service", check=False)
        return state.stdout.strip() == "active"

    def see_running(self) -> None:
        """Wait until Sam is ready."""
        wait_until(self.runs, "a Sam that runs", timeout=180)

    def json(self, *words: str) -> Any:
        """Return a command's parsed JSON output."""
        return json.loads(self.machine.run("sam", *words, "--json", check=False).stdout)

    def at_rest(self) -> dict[str, Any]:
        """Wait until nothing is left to do; return the doctor report."""
        report: dict[str, Any] = {}

        def rests() -> bool:
            report.update(self.json("doctor"))
            return not any(report["ledger"]["lags"].values())

        wait_until(rests, "a ledger at rest", timeout=180, nap=1)
        return report

    def story(self) -> str:
        """Return the end of Sam's journal, for a failing test."""
        return self.machine.run(
            *("journalctl", "--no-pager", "--output=short-iso", "--lines=80", "-u", "sam*"),
            check=False,
        ).stdout
