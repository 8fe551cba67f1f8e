"""`sam completion`: its script in a real shell when Tab is pressed."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tests.support.homes import Home, no_process_is_left
from tests.support.terminal import Terminal

__all__ = ["no_process_is_left"]

BASH = shutil.which("bash")


@pytest.mark.skipif(BASH is None, reason="no bash here")
def test_tab_in_bash_completes_commands_options_choices_and_files(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    programs = tmp_path / "bin"
    programs.mkdir()
    sam = programs / "sam"
    sam.write_text(f'#!/bin/sh\nexec {sys.executable} -m bot "$@"\n', "utf-8")
    sam.chmod(0o755)
    home.env |= {"PATH": f"{programs}:{home.env['PATH']}", "PS1": "$ ", "INPUTRC": "/dev/null"}
    home.write("garden.md", "# Garden\n\nThe tomatoes want water.\n")
    (home.folder / "talks.json").write_text("[]", "utf-8")

    terminal = Terminal(home, str(BASH), "--norc", "--noprofile", "-i")
    terminal.types('eval "$(sam completion bash)"; echo "read""y"\r')
    terminal.shows("ready")
    terminal.types("sam sear\t--fil\tknow\ttomatoes\r")
    terminal.shows("sam search --filter knowledge tomatoes")
    terminal.shows("want water.")
    terminal.types("sam import ta\t--dry\t; echo end\r")
    terminal.shows("sam import talks.json --dry-run ; echo end")
    terminal.shows("end")
    terminal.types("exit\r")
    assert terminal.ends() == 0


@pytest.mark.parametrize(
    ("shell", "line"),
    [("zsh", "#compdef sam"), ("fish", "complete -c sam -n '_shtab_sam_using search' -l filter")],
)
def test_other_shells_have_a_script_of_their_own(tmp_path: Path, shell: str, line: str) -> None:
    made = Home(tmp_path).sam("completion", shell)
    assert (made.returncode, made.stderr) == (0, "")
    assert line in made.stdout
    assert all(name in made.stdout for name in ("search", "--as-of", "completion"))


def test_an_unknown_shell_is_named_with_those_there_are(tmp_path: Path) -> None:
    refused = Home(tmp_path).sam("completion", "tcsh")
    assert refused.returncode == 2
    assert "bash" in refused.stderr and "fish" in refused.stderr
