"""The container's files, as far as can be tested without a daemon, and the installed wheel."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from hatchling.builders.wheel import WheelBuilder

from bot.settings import Settings
from tests.fakes.telegram import ANA, TOKEN, FakeTelegram
from tests.support.homes import ROOT, STARTED, Home, no_process_is_left

__all__ = ["no_process_is_left"]

DEPLOY = ROOT / "deploy"
CONTAINER = DEPLOY / "container.py"


def steps() -> list[tuple[str, str]]:
    """Return the instructions of the Dockerfile, with continued lines joined."""
    text = (DEPLOY / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(name, rest.strip()) for name, _, rest in (line.partition(" ") for line in lines)]


def test_the_image_is_slim_without_root_and_looks_after_itself() -> None:
    found = steps()
    assert [rest for name, rest in found if name == "FROM"] == [
        "python:3.12-slim AS build",
        "python:3.12-slim",
    ]
    last = found[max(n for n, (name, _) in enumerate(found) if name == "FROM") :]
    assert ("USER", "10001") in last
    assert any(name == "HEALTHCHECK" and "--healthy" in rest for name, rest in last)
    [env] = [rest for name, rest in last if name == "ENV"]
    names = {word.partition("=")[0] for word in shlex.split(env)}
    assert names - {"PATH", "HOME", "PYTHONUNBUFFERED"} <= {
        n.upper() for n in Settings.model_fields
    }


def test_what_is_copied_is_there_and_let_through() -> None:
    allowed = (DEPLOY / "Dockerfile.dockerignore").read_text("utf-8").splitlines()
    assert allowed[0] == "*", "nothing but what is named, and no .env"
    for name, rest in steps():
        if name == "COPY" and not rest.startswith("--from"):
            for source in rest.split()[:-1]:
                assert (ROOT / source).exists(), source
                assert f"!{source.removeprefix('./')}" in allowed, source


def test_the_commands_of_the_image_are_understood() -> None:
    for name, rest in steps():
        if name == "RUN":
            subprocess.run(["sh", "-n", "-c", rest], check=True)
    installs = [rest for name, rest in steps() if name == "RUN" and "pip install" in rest]
    assert "--require-hashes" in installs[0] and "--no-deps" in installs[1]


def test_the_compose_file_takes_rights_away() -> None:
    composed = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    sam = composed["services"]["sam"]
    assert (DEPLOY / sam["build"]["context"] / sam["build"]["dockerfile"]).is_file()
    assert sam["read_only"] and sam["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in sam["security_opt"]
    assert sam["volumes"] == ["sam:/data"] and "sam" in composed["volumes"]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Home]:
    """Provide a Sam with a bot, and a `sam` on the PATH, as in the image."""
    with FakeTelegram.running() as telegram:
        home = Home(
            tmp_path,
            TELEGRAM_BOT_TOKEN=TOKEN,
            TELEGRAM_BASE_URL=telegram.url,
            TELEGRAM_ALLOWED_USERS=str(ANA.id),
            SAM_RUN_DIR=str(tmp_path / "run"),
        )
        program = tmp_path / "bin" / "sam"
        program.parent.mkdir()
        program.write_text(f'#!/bin/sh\nexec {sys.executable} -m bot "$@"\n', "utf-8")
        program.chmod(0o755)
        home.env["PATH"] = f"{program.parent}:{home.env['PATH']}"
        yield home


def started(home: Home, *words: str) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        [sys.executable, str(CONTAINER), *words],
        cwd=home.folder,
        env=home.env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    STARTED.append(process)
    return process


def healthy(home: Home) -> bool:
    words = [sys.executable, str(CONTAINER), "--healthy"]
    return subprocess.run(words, env=home.env, check=False).returncode == 0


def test_a_sam_that_lives_is_healthy_and_ends_when_it_is_asked_to(served: Home) -> None:
    assert not healthy(served), "nothing runs yet"
    process = started(served, "run")
    deadline = time.monotonic() + 90
    while not healthy(served):
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.2)
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 0


def test_a_sam_that_hangs_is_unhealthy_and_is_ended(served: Home) -> None:
    served.env["SAM_WATCHDOG_SECONDS"] = "2"
    # It reports once that it is ready, and nothing else.
    hung = served.folder / "bin" / "sam"
    hung.write_text(
        f"#!{sys.executable}\n"
        "import os, socket, time\n"
        "s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)\n"
        "s.sendto(b'READY=1', os.environ['NOTIFY_SOCKET'])\n"
        "time.sleep(600)\n",
        "utf-8",
    )
    process = started(served, "run")
    _, said = process.communicate(timeout=60)
    assert process.returncode == 1 and b"no sign of life" in said
    time.sleep(1)
    assert not healthy(served)


def test_other_commands_are_sams_own(served: Home) -> None:
    done = subprocess.run(
        [sys.executable, str(CONTAINER), "search", "--help"],
        env=served.env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0 and "sam search" in done.stdout


def test_the_wheel_works_in_a_venv_of_its_own(tmp_path: Path) -> None:
    """Dependencies are borrowed from the tests' environment; Sam's code is the wheel's."""
    [wheel] = WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    venv = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(venv)], check=True)
    python = venv / "bin" / "python"
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"),
            *("--disable-pip-version-check", "--no-deps", "--no-index", "--no-compile", wheel),
        ],
        check=True,
    )
    [packages] = (venv / "lib").glob("python*/site-packages")
    (packages / "lent.pth").write_text(f"{sysconfig.get_paths()['purelib']}\n", "utf-8")
    home = Home(tmp_path / "home")
    environ = {name: value for name, value in home.env.items() if name != "PYTHONPATH"}

    def sam(*words: str, stdin: str = "") -> str:
        done = subprocess.run(
            [str(venv / "bin" / "sam"), *words],
            cwd=home.folder,
            env=environ,
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    where = [str(python), "-c", "import bot, memory; print(bot.__file__, memory.__file__)"]
    files = subprocess.run(where, env=environ, cwd=home.folder, capture_output=True, text=True)
    assert files.stdout.count(os.fspath(packages)) == 2, files.stdout + files.stderr
    assert re.search(r"^\s+chat\s", sam("--help"), re.MULTILINE)
    assert "Noted" in sam("chat", stdin="The bicycle is in Anton's garage.\n")
    assert "Anton's garage" in sam("search", "bicycle")
