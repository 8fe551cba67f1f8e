"""`make first-answer`: from an empty Debian to the first remembered answer, with its cost.

    python -m tests.first_answer [--suite bookworm|trixie] [--memory MB] [--cache FOLDER]

Makes a minimal Debian with debootstrap and follows the README in it: packages, `git clone`, `make
run` as an ordinary user, without any key. A control group limits everything together to `--memory`
MB. Needs root, debootstrap, systemd-nspawn and a network; the committed state is cloned. Exits with
1 if the answer is wrong, or took more time or space than promised.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.process import ROOT
from tests.systemd import machine

CPU, INSTALLED, MEMORY = 240, 360, 512  # seconds, MB of the environment, MB of memory
PACKAGES = ("git", "make", "python3", "python3-venv", "ca-certificates")
PIP = ("PIP_INDEX_URL", "PIP_CERT", "PIP_DEFAULT_TIMEOUT")
SAID = "Remember that my bicycle stands in Anton's garage.\nWhere is my bicycle?\n/quit\n"
ANSWER = "You asked me to remember: my bicycle stands in Anton's garage."


@contextmanager
def memory_limit(megabytes: int) -> Iterator[Path]:
    """Create a cgroup (v1 or v2) with that memory limit and no swap; return its `cgroup.procs`."""
    top = Path("/sys/fs/cgroup")
    if (top / "memory").is_dir():
        group = top / "memory" / f"sam-first-answer-{os.getpid()}"
        limits = ["memory.limit_in_bytes", "memory.memsw.limit_in_bytes"]
        values = [str(megabytes * 2**20)] * 2
    else:
        (top / "cgroup.subtree_control").write_text("+memory")
        group = top / f"sam-first-answer-{os.getpid()}"
        limits, values = ["memory.max", "memory.swap.max"], [str(megabytes * 2**20), "0"]
    group.mkdir()
    try:
        for name, value in zip(limits, values, strict=True):
            if (group / name).exists():  # swap accounting may be disabled
                (group / name).write_text(value)
        yield group / "cgroup.procs"
    finally:
        group.rmdir()


class Debian:
    """An empty Debian in a folder, whose commands run in a control group."""

    def __init__(self, root: Path, group: Path) -> None:
        self.root, self._group = root, group
        self.cpu = self.wall = 0.0
        # Use this machine's package mirror and proxy certificates.
        given = {name: value for name, value in os.environ.items() if name in PIP}
        if certificates := given.get("PIP_CERT"):
            given["PIP_CERT"] = "/srv/certificates.pem"
            shutil.copy(certificates, root / "srv/certificates.pem")
        self._words = [f"--setenv={name}={value}" for name, value in given.items()]

    def run(self, what: str, user: str, *words: str, stdin: str = "") -> str:
        """Run a command, print what it used, and return its output. Raises AssertionError."""
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        done = subprocess.run(
            [
                *("sh", "-c", f'echo $$ >{self._group} && exec "$@"', "sh"),
                *("systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--as-pid2"),
                *("--directory", str(self.root), "--resolv-conf=replace-host", "--console=pipe"),
                *("--user", user, "--setenv=DEBIAN_FRONTEND=noninteractive", *self._words),
                *words,
            ],
            input=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        wall = time.monotonic() - began
        self.cpu, self.wall = self.cpu + cpu, self.wall + wall
        print(f"  {what:34} {cpu:6.1f} s of a processor {wall:6.1f} s in all", flush=True)
        if done.returncode:
            raise AssertionError(f"{' '.join(words)}: {done.returncode}\n{done.stdout[-3000:]}")
        return done.stdout


def size(folder: Path) -> int:
    """Return the MB of the files below a folder."""
    return sum(path.lstat().st_size for path in folder.rglob("*")) // 10**6


def first_answer(base: Path, folder: Path, memory: int) -> list[str]:
    """Run all steps; return the figures that are worse than promised."""
    root = folder / "root"
    subprocess.run(["cp", "-a", "--reflink=auto", str(base), str(root)], check=True)
    bundle = ["git", "-C", str(ROOT), "bundle", "create", "-q", str(root / "srv/sam"), "HEAD"]
    subprocess.run(bundle, check=True)
    with memory_limit(memory) as group:
        debian = Debian(root, group)
        debian.run("apt-get update", "root", "apt-get", "update", "-q")
        install = ("apt-get", "install", "-yq", "--no-install-recommends", *PACKAGES)
        debian.run("apt-get install", "root", *install)
        debian.run("useradd", "root", "useradd", "--create-home", "ana")
        home = root / "home/ana"
        debian.run("git clone", "ana", "git", "clone", "-q", "/srv/sam", "/home/ana/sam")
        make = ("make", "-C", "/home/ana/sam")
        debian.run("make .venv/.run", "ana", *make, ".venv/.run")
        installed = size(home / "sam/.venv")
        said = debian.run("make run, to the answer", "ana", *make, "run", stdin=SAID)
        cpu, wall = debian.cpu, debian.wall
        # Under the same limit: find every note by meaning, and answer a question in another
        # language.
        sam = str(home / "sam/.venv/bin/sam").removeprefix(str(root))
        debian.run("sam index", "ana", sam, "index")
        found = debian.run("sam search", "ana", sam, "search", "Wo ist das Fahrrad?")
    print(f"\n{said.strip()}\n")
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1000
    print(
        f"to the first remembered answer: {cpu / 60:.1f} minutes of a processor"
        f" ({wall / 60:.1f} in all), at most {CPU / 60:.0f}"
    )
    print(
        f"the environment: {installed} MB, at most {INSTALLED};"
        f" {size(home / 'sam/.venv')} MB with the bytecode of what was imported"
    )
    print(f"the largest process: {largest} MB, under a limit of {memory} MB for all together")
    wrong = [] if ANSWER in said else [f"it did not answer {ANSWER!r}"]
    if "bicycle" not in found:
        wrong.append(f"by meaning it found only\n{found}")
    if cpu > CPU:
        wrong.append(f"it took {cpu:.0f} s of a processor")
    if installed > INSTALLED:
        wrong.append(f"the environment has {installed} MB")
    return wrong


def main() -> int:
    """Run it from the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.first_answer")
    parser.add_argument("--suite", default="bookworm")
    parser.add_argument("--memory", type=int, default=MEMORY, help="MB, of all processes together")
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache" / "sam-systemd")
    given = parser.parse_args()
    if missing := machine.missing():
        print("\n".join(["This needs:", *missing]))
        return 2
    base = machine.base(given.cache / "empty", given.suite, ())
    with tempfile.TemporaryDirectory(prefix="sam-first-", ignore_cleanup_errors=True) as name:
        wrong = first_answer(base, Path(name), given.memory)
    print("\n".join(wrong) or "as promised")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
