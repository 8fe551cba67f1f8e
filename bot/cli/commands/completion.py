"""`sam completion`: print the script by which a shell completes commands, options and files."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ..main import COMMANDS, command_called
from ..profiles import reject_profile

SHELLS = ("bash", "zsh", "fish")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the shell."""
    parser.add_argument("shell", choices=SHELLS, help="the shell")
    reject_profile(parser, "the script is the same for every profile")


def run(args: argparse.Namespace) -> int:
    """Print the script. It has all names in it: completing does not start Python."""
    import shtab

    whole = argparse.ArgumentParser(prog="sam")
    whole.add_argument("--version", action="store_true", help="print the version and end")
    commands = whole.add_subparsers(parser_class=_Parser)
    for name, what in COMMANDS.items():
        command_called(name).arguments(commands.add_parser(name, help=what))
    named = commands.add_parser("help", help="what a command does, and its options")
    named.add_argument("command", nargs="?", choices=tuple(COMMANDS))
    print(shtab.complete(whole, args.shell))
    return 0


class _Parser(argparse.ArgumentParser):
    """A command's parser whose arguments of the type Path are completed with files or folders."""

    def add_argument(self, *names: Any, **given: Any) -> argparse.Action:
        import shtab

        action = super().add_argument(*names, **given)
        if action.type is Path:
            is_folder = action.metavar == "DIR" or action.dest == "folder"
            action.complete = shtab.DIRECTORY if is_folder else shtab.FILE  # type: ignore[attr-defined]  # what shtab reads
        return action
