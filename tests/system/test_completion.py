"""`sam completion`: its script in a real shell when Tab is pressed."""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bot.cli import main
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


def wanted() -> dict[str, set[str]]:
    """Return what Tab must offer after `sam COMMAND --`, or `sam profile ACTION --`."""
    found = {}
    for name in main.COMMANDS:
        parser = argparse.ArgumentParser()
        main.command_called(name).arguments(parser)
        found[name] = options(parser)
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                found |= {f"{name} {word}": options(p) for word, p in action.choices.items()}
    return found


def options(parser: argparse.ArgumentParser) -> set[str]:
    return {
        option
        for action in parser._actions
        for option in action.option_strings
        if option.startswith("--") and action.help != argparse.SUPPRESS
    }


def in_bash(home: Home, script: Path, lines: list[str]) -> str:
    """Call the function that Tab calls."""
    tried = ""
    for line in lines:
        words = [*line.split(), ""] if line.endswith(" ") else line.split()
        tried += f"COMP_WORDS=({' '.join(map(repr, words))}); COMP_CWORD={len(words) - 1}\n"
        tried += f"COMPREPLY=(); _shtab_sam; echo '@{line}' \"${{COMPREPLY[@]}}\"\n"
    return ran(home, ["bash", "--norc", "-c", f"source {script}\n{tried}"])


def in_fish(home: Home, script: Path, lines: list[str]) -> str:
    tried = "".join(f"echo '@{line}' (complete -C'{line}')\n" for line in lines)
    return ran(home, ["fish", "--no-config", "-c", f"source {script}\n{tried}"])


def in_zsh(home: Home, script: Path, lines: list[str]) -> str:
    """Press Tab in an interactive zsh whose `compadd` also writes down what it is given."""
    out = home.folder / "offered"
    out.touch()
    (home.folder / "setup.zsh").write_text(
        f"""
PROMPT='ask: ' LISTMAX=100000
unsetopt zle_bracketed_paste
autoload -Uz compinit && compinit -u -D
eval "$(cat {script})"
compadd() {{
    if [[ ${{@[1,(i)(-|--)]}} != *-(O|A|D)* ]]; then
        typeset -a offered
        builtin compadd -O offered "$@"
        printf ' %s' $offered >> {out}
    fi
    builtin compadd "$@"
}}
""",
        "utf-8",
    )
    terminal = Terminal(home, "zsh", "-f", "-i", columns=200)
    terminal.types(f'source {home.folder / "setup.zsh"}; echo "read""y"\r')
    terminal.shows("ready")
    terminal.shows("ask: ")
    for line in lines:
        terminal.types(f"printf '\\n@{line}' >> {out}; echo be\"\"gin\r")
        terminal.shows("begin")
        terminal.shows("ask: ")  # before, the terminal itself would act on the keys
        terminal.types(f'{line}\t\x15echo sta""nds\r')
        terminal.shows("stands")
        terminal.shows("ask: ")
    terminal.types("exit\r")
    terminal.process.wait(60)
    return out.read_text("utf-8")


def ran(home: Home, command: list[str]) -> str:
    done = subprocess.run(
        command, env=home.env, cwd=home.folder, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0 and not done.stderr, done.stderr
    return done.stdout


SHELLS_HERE = {"bash": in_bash, "fish": in_fish, "zsh": in_zsh}


@pytest.mark.parametrize("shell", SHELLS_HERE)
def test_tab_offers_every_command_and_every_option(tmp_path: Path, shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} here")
    home, script = Home(tmp_path), tmp_path / "script"
    made = home.sam("completion", shell)
    assert (made.returncode, made.stderr) == (0, "")
    script.write_text(made.stdout, "utf-8")
    expected = {"sam ": set(main.COMMANDS)}
    expected |= {f"sam {words} --": offered for words, offered in wanted().items()}
    text = SHELLS_HERE[shell](home, script, list(expected))
    offers = dict(re.findall(r"^@(sam(?: [a-z]+)* (?:--)?)(.*)$", text, re.M))
    missing = {
        line: lacking
        for line, needed in expected.items()
        if (lacking := needed - set(re.findall(r"[\w-]+", offers[line])))
    }
    assert not missing


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
