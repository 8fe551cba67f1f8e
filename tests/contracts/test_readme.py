"""Run the README's transcript, line by line."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.homes import ROOT, Home

README = (ROOT / "README.md").read_text("utf-8")
[TRANSCRIPT] = re.findall(r"```console\n(.*?)```", README, re.DOTALL)


def test_the_transcript_is_what_happens(tmp_path: Path) -> None:
    _, _, shown = TRANSCRIPT.partition(" s.\n")
    lines = re.findall(r"^> (?!\[)(.*)$", shown, re.MULTILINE)
    assert len(lines) == 6 and lines[-1] == "/quit"
    home = Home(tmp_path)
    for name in ("EMBEDDING_PROVIDER", "VAULT_DIR", "DATA_DIR", "PROFILES_DIR"):
        del home.env[name]
    # Started as `make run` starts it, so that Sam knows that `sam setup` can be run.
    program = tmp_path / ".venv" / "bin" / "sam"
    program.parent.mkdir(parents=True)
    program.symlink_to(Path(sys.executable).with_name("sam"))
    done = subprocess.run(
        [".venv/bin/sam", "start"],
        cwd=tmp_path,
        env=home.env | {"PATH": "/usr/bin:/bin", "RECALL_SECONDS": "0"},
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    said, today = done.stdout, r"\d{4}-\d{2}-\d{2}"
    assert done.returncode == 0, done.stderr
    for part in shown.split("…")[0].strip().split("\n\n"):
        pattern = re.sub(today, lambda _: today, re.escape(part).replace(r"\-", "-"))
        assert re.search(pattern, said), f"{part!r} is not in\n{said}"


@pytest.mark.parametrize(
    "command", ["make run", "make test", "make costs", "make check", "make docs"]
)
def test_each_command_that_it_names_is_there(command: str) -> None:
    assert command in README
    assert re.search(rf"^{command.removeprefix('make ')}:", (ROOT / "Makefile").read_text(), re.M)


def test_the_first_screen_says_what_it_is_and_what_it_costs() -> None:
    assert README.index("## Two commands") < README.index("## What it costs") < 4000
    assert README.split("\n\n")[1].startswith("A chatbot on Telegram")
