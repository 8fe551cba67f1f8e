"""A small Debian that boots in systemd-nspawn and shares this machine's loopback.

The base image is made by debootstrap and kept; each test boots a copy of it.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.support.process import wait_until

PACKAGES = (
    *("systemd", "systemd-sysv", "dbus", "libpam-systemd"),
    *("python3", "python3-venv", "ca-certificates"),
)
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
NEEDED = {
    "systemd-nspawn": "apt-get install systemd-container",
    "debootstrap": "apt-get install debootstrap",
    "nsenter": "apt-get install util-linux",
}


def missing() -> list[str]:
    """Return which prerequisites are missing."""
    found = [f"{name}: {fix}" for name, fix in NEEDED.items() if shutil.which(name) is None]
    if os.geteuid() != 0:
        found.append("root: containers are made and booted by it")
    return found


def base(cache: Path, suite: str, packages: Sequence[str] = PACKAGES) -> Path:
    """Return the Debian base image, creating it if necessary. Needs a network once."""
    root = cache / suite
    made = root / "etc" / "made"
    wanted = ",".join(packages)
    if not made.exists() or made.read_text("utf-8") != wanted:
        shutil.rmtree(root, ignore_errors=True)
        root.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            [
                *("debootstrap", "--variant=minbase", *([f"--include={wanted}"] if wanted else [])),
                *(suite, str(root)),
            ],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        made.write_text(wanted, "utf-8")
    return root


def python(root: Path) -> str:
    """Return the version of the image's Python, as in 3.13."""
    return (root / "usr" / "bin" / "python3").readlink().name.removeprefix("python")


class Machine:
    """A machine: `with Machine(base, folder) as machine: machine.run("systemctl", "status")`.
    `longest`: seconds that it may take to boot, with what its services install meanwhile."""

    def __init__(self, made: Path, folder: Path, longest: float = 120) -> None:
        self.root, self._log = folder / "root", folder / "console.log"
        self._longest = longest
        subprocess.run(
            ["cp", "-a", "--reflink=auto", str(made.resolve()), str(self.root)], check=True
        )
        self._nspawn: subprocess.Popen[bytes] | None = None
        self._first = 0

    def __enter__(self) -> Machine:
        try:
            self.boot()
        except BaseException:
            self.cut_power()  # nothing calls __exit__
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.cut_power()

    def boot(self) -> None:
        """Boot the machine, and wait until it is up."""
        with self._log.open("ab") as out:
            self._nspawn = subprocess.Popen(
                [
                    *("systemd-nspawn", "--quiet", "--directory", str(self.root), "--boot"),
                    *("--register=no", "--keep-unit", "--console=pipe"),
                ],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
            )
        wait_until(self._is_up, "a machine that is up", timeout=self._longest)

    def _is_up(self) -> bool:
        assert self._nspawn is not None
        if self._nspawn.poll() is not None:
            raise AssertionError(self._log.read_text("utf-8", "replace")[-2000:])
        children = Path(f"/proc/{self._nspawn.pid}/task/{self._nspawn.pid}/children")
        self._first = int((children.read_text().split() or ["0"])[0])
        if not self._first:
            return False
        state = self.run("systemctl", "is-system-running", check=False).stdout.strip()
        return state in ("running", "degraded")

    def cut_power(self) -> None:
        """Kill every process at once, as in a power cut; the disk stays."""
        if self._nspawn is not None:
            if self._nspawn.poll() is None and self._first:
                os.kill(self._first, signal.SIGKILL)  # its init; the kernel kills the others
            elif self._nspawn.poll() is None:
                self._nspawn.kill()
            self._nspawn.wait(60)
            self._nspawn = None

    def run(
        self, *words: str, check: bool = True, timeout: float = 600, stdin: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """Run a command as root in the machine."""
        done = subprocess.run(
            [
                *("nsenter", "--target", str(self._first), "--all"),
                *("env", "-i", f"PATH={PATH}", "HOME=/root", "LANG=C.UTF-8", *words),
            ],
            input=stdin,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
        if check and done.returncode:
            raise AssertionError(
                f"{' '.join(words)}: {done.returncode}\n{done.stdout}\n{done.stderr}"
            )
        return done

    def write(self, path: str, text: str, mode: int = 0o644) -> None:
        """Write a file in the machine, owned by root."""
        file = self.root / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        file.chmod(mode)

    def shows(self, unit: str, name: str) -> str:
        """Return a property of a systemd unit."""
        return self.run("systemctl", "show", unit, f"--property={name}", "--value").stdout.strip()
