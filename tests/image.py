"""`make docker-test`: the image is built from deploy/Dockerfile, and Sam runs in it.

    python -m tests.image [--suite trixie] [--memory MB] [--cache FOLDER] [--keep]

Checks the Dockerfile (dockerfile-utils, from npm) and `compose.yaml` (`docker-compose config`, with
`.env.example` as its settings), and builds with buildah, without a daemon. No registry is used: the
base image named by FROM is replaced by a Debian with its own Python, made by debootstrap. Then
podman runs the image with the restrictions of compose.yaml and at most `--memory` MB; only Telegram
is a fake. The owner is paired, and a second container on the same volume must know what the owner
said. Needs root and a network. Exits with 1 if something fails, 2 if a program is missing.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import yaml

from tests.fakes.telegram import TOKEN, FakeTelegram
from tests.support.process import ROOT, wait_until
from tests.systemd import machine

DEPLOY = ROOT / "deploy"
NEEDED = {
    "debootstrap": "apt-get install debootstrap",
    "buildah": "apt-get install buildah",
    "podman": "apt-get install podman",
    "runc": "apt-get install runc",
    "docker-compose": "apt-get install docker-compose",
    "npm": "apt-get install npm",
}
LINTER = "dockerfile-utils@0.16"
BASE = "docker.io/library/python:3.12-slim"
MEMORY, SIZE = 512, 520  # MB: of memory, and of the image beyond its base
CODE = re.compile(r"/pair ([\w-]+)")
FACT = "my bicycle stands in Anton's garage"


class Engine:
    """buildah and podman with their own store below a folder."""

    def __init__(self, folder: Path) -> None:
        self._store = ["--storage-driver=vfs", f"--root={folder}/store", f"--runroot={folder}/run"]

    def buildah(self, *words: str) -> str:
        """Run buildah. Raises AssertionError with its output."""
        return ran("buildah", *self._store, *words)

    def podman(self, *words: str) -> str:
        """Run podman. Raises AssertionError with its output."""
        return ran("podman", "--runtime=runc", *self._store, *words)


def ran(*words: str, cwd: Path = ROOT) -> str:
    """Run a command, and return its output."""
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    assert done.returncode == 0, f"{' '.join(words)}: {done.returncode}\n{said[-4000:]}"
    return done.stdout


def lint(folder: Path) -> dict[str, Any]:
    """Check both files; return the service as docker-compose parses it."""
    ran("npm", "install", "--silent", "--no-audit", "--no-fund", f"--prefix={folder}", LINTER)
    ran(str(folder / "node_modules/.bin/dockerfile-utils"), "lint", str(DEPLOY / "Dockerfile"))
    (folder / "deploy").mkdir()
    shutil.copy(DEPLOY / "compose.yaml", folder / "deploy")
    shutil.copy(ROOT / ".env.example", folder / "deploy/sam.env")
    ran("docker-compose", "config", "--quiet", cwd=folder / "deploy")
    composed = yaml.safe_load(ran("docker-compose", "config", cwd=folder / "deploy"))
    service: dict[str, Any] = composed["services"]["sam"]
    return service


def build(engine: Engine, cache: Path, suite: str, folder: Path) -> None:
    """Build the base image, and from the Dockerfile the image on it, running every RUN line."""
    packages = ("python3", "python3-venv", "ca-certificates")
    root = folder / "root"
    made = machine.base(cache / "python", suite, packages)
    ran("cp", "-a", "--reflink=auto", str(made), str(root))
    (root / "usr/local/bin/python").symlink_to("/usr/bin/python3")
    if certificates := os.environ.get("PIP_CERT"):  # for a proxy on this machine
        shutil.copy(certificates, root / "srv/certificates.pem")
        (root / "etc/pip.conf").write_text("[global]\ncert = /srv/certificates.pem\n", "utf-8")
    container = engine.buildah("from", "scratch").strip()
    engine.buildah("add", "--quiet", container, str(root), "/")
    engine.buildah("config", f"--env=PATH={machine.PATH}", container)
    engine.buildah("commit", "--quiet", "--rm", container, BASE)
    engine.buildah(
        *("bud", "--isolation=chroot", "--format=docker", "--pull-never"),
        *("--file=deploy/Dockerfile", "--ignorefile=deploy/Dockerfile.dockerignore"),
        *("--tag=sam-memory", str(ROOT)),
    )


def inspected(engine: Engine) -> int:
    """Check that the image is as the docs describe it; return its MB beyond the base."""
    [image] = json.loads(engine.podman("image", "inspect", "sam-memory"))
    [base] = json.loads(engine.podman("image", "inspect", BASE))
    config = image["Config"]
    assert config["User"] == "10001" and "/data" in config["Volumes"], config
    assert config["Entrypoint"] and config["Cmd"] == ["run"], config
    assert image["Healthcheck"]["Test"][-1] == "--healthy", image["Healthcheck"]
    added: int = (image["Size"] - base["Size"]) // 10**6
    return added


class Container:
    """Sam in the image, run as in compose.yaml, but on this machine's loopback."""

    def __init__(
        self, engine: Engine, service: dict[str, Any], memory: int, telegram_url: str
    ) -> None:
        self._engine, self._name = engine, f"sam-image-{os.getpid()}"
        options = [f"--tmpfs={each}" for each in service["tmpfs"]]
        options += [f"--cap-drop={each}" for each in service["cap_drop"]]
        options += [f"--security-opt={each}" for each in service["security_opt"]]
        options += [f"--volume={each}" for each in service["volumes"]]
        if service["read_only"]:
            options += ["--read-only", "--read-only-tmpfs=false"]
        self._began = time.monotonic()
        self.id = engine.podman(
            *("run", "--detach", f"--name={self._name}", "--network=host", *options),
            *(f"--memory={memory}m", f"--memory-swap={memory}m"),
            *("--ulimit=nofile=4096:4096", "--ulimit=nproc=4096:4096"),  # podman requires more
            *(f"--env=TELEGRAM_BOT_TOKEN={TOKEN}", f"--env=TELEGRAM_BASE_URL={telegram_url}"),
            "sam-memory",
        ).strip()

    def __enter__(self) -> Container:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            print(self._engine.podman("logs", self.id))
        self._engine.podman("rm", "--force", self.id)

    def becomes_healthy(self) -> float:
        """Wait for the image's own health check; return the seconds since the start."""
        wait_until(self._healthy, "a healthy container", timeout=180)
        return time.monotonic() - self._began

    def _healthy(self) -> bool:
        try:
            self._engine.podman("healthcheck", "run", self.id)
        except AssertionError:
            state = self._engine.podman("inspect", "--format={{.State.Status}}", self.id).strip()
            assert state == "running", self._engine.podman("logs", self.id)
            return False
        return True

    def does(self, *words: str) -> str:
        """Run a command in the container, as its user."""
        return self._engine.podman("exec", self.id, *words)

    def stops(self) -> None:
        """Stop the container as Docker does, and check that Sam shut down by itself."""
        self._engine.podman("stop", "--time=90", self.id)
        code = self._engine.podman("inspect", "--format={{.State.ExitCode}}", self.id).strip()
        assert code == "0", f"it ended with {code}"


def lived(engine: Engine, service: dict[str, Any], memory: int) -> None:
    """Pair an owner, tell Sam something, and ask a second container for it."""
    with FakeTelegram.running() as telegram:

        def answered(text: str, expected: str) -> None:
            before = len(telegram.sent)
            telegram.receives(text)
            try:
                wait_until(
                    lambda: any(expected in sent.text for sent in telegram.sent[before:]),
                    f"{expected!r} in an answer to {text!r}",
                    timeout=60,
                )
            except AssertionError as error:
                said = [sent.text for sent in telegram.sent[before:]]
                raise AssertionError(f"{error}; it answered {said}") from error

        with Container(engine, service, memory, telegram.url) as first:
            print(f"healthy after {first.becomes_healthy():.0f} s")
            assert first.does("id", "-u").strip() == "10001"
            refused = first.does("sh", "-c", "touch /opt/sam/x 2>&1 || true")
            assert "Read-only file system" in refused, refused
            rights = first.does("grep", "-E", "CapEff|NoNewPrivs", "/proc/1/status").split()
            assert rights == ["CapEff:", "0" * 16, "NoNewPrivs:", "1"], rights
            found = CODE.search(first.does("sam", "pair"))
            assert found, "no pairing code"
            answered(f"/pair {found[1]}", "paired")
            answered(f"Remember that {FACT}.", "Saved in")
            first.stops()
        with Container(engine, service, memory, telegram.url) as second:
            print(f"healthy again after {second.becomes_healthy():.0f} s")
            answered("Where is my bicycle?", FACT)
            largest = int(
                second.does(
                    "sh",
                    "-c",
                    "cat /sys/fs/cgroup/memory/memory.max_usage_in_bytes"
                    " /sys/fs/cgroup/memory.peak 2>/dev/null || true",
                ).split()[0]
            )
            print(f"memory at most {largest // 10**6} MB, under a limit of {memory}")
            second.stops()


def main() -> int:
    """Run it from the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.image")
    parser.add_argument("--suite", default="trixie", help="the base's Debian")
    parser.add_argument("--memory", type=int, default=MEMORY, help="MB, of all processes together")
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache" / "sam-systemd")
    parser.add_argument("--keep", action="store_true", help="leave the folder with the image")
    given = parser.parse_args()
    lacks = [f"{name}: {fix}" for name, fix in NEEDED.items() if shutil.which(name) is None]
    lacks += [] if os.geteuid() == 0 else ["root: containers are made by it"]
    if lacks:
        print("make docker-test needs what is not here:", *lacks, sep="\n  ", file=sys.stderr)
        return 2
    os.umask(0o022)
    folder = Path(tempfile.mkdtemp(prefix="sam-image-"))
    engine = Engine(folder / "engine")
    try:
        service = lint(folder)
        print("Dockerfile and compose.yaml: no complaints")
        began = time.monotonic()
        build(engine, given.cache, given.suite, folder)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        added = inspected(engine)
        print(
            f"built on Debian {given.suite} in {time.monotonic() - began:.0f} s"
            f" ({used.ru_utime + used.ru_stime:.0f} of a processor): {added} MB beyond the base"
        )
        lived(engine, service, given.memory)
        assert added <= SIZE, f"the image adds {added} MB, at most {SIZE}"
    except AssertionError as wrong:
        print(wrong)
        return 1
    finally:
        if given.keep:
            print(f"kept: {folder}")
        else:
            subprocess.run(["rm", "-rf", str(folder)], check=True)
    print("as promised")
    return 0


if __name__ == "__main__":
    sys.exit(main())
