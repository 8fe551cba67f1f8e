"""`sam …`: dispatch to a command and return its exit code. Imports only that command.

Exit codes: 0 done, 1 failed, 2 wrong usage or configuration, 130 ended by Ctrl-C. argparse and not
typer: `sam search` starts in a fifth of a second less, and the help needs nothing but the table.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Protocol, cast

from memory import ConfigError, SamError, VaultGone

from ..errors import NoTerminal, TokenRefused

COMMANDS = {
    "start": "on Telegram when a token is set, else in this terminal (what `make run` calls)",
    "setup": "ask for what Sam needs, try each answer, write it to .env",
    "run": "the Telegram bot",
    "chat": "the same conversation in this terminal, or from a pipe, one message a line",
    "search": "find in notes and conversations",
    "facts": "list what Sam knows about you, by category, tag and words",
    "why": "from which messages something comes, and which line says it",
    "versions": "earlier texts of soul.md, identity.md and user.md, and the way back to one",
    "undo": "show what Sam changed last in the notes, and take it back",
    "index": "bring the index up to date, or rebuild it",
    "summarize": "write what is not yet summarised into the day's file, now",
    "sync": "exchange the vault with RCLONE_REMOTE",
    "web": "a web page to look at memory, search and correct it, on this machine",
    "mcp": "serve memory to other programs: on standard input and output, or over HTTP",
    "import": "take over chats of ChatGPT, Claude, Telegram and WhatsApp; mails; folders of notes",
    "export": "everything in open formats: notes, messages, facts, a page to look at",
    "backup": "one file with all of Sam, made while it runs, and verified",
    "restore": "put a backup into empty folders",
    "privacy": "what was sent to which model or embedder, by day",
    "forget": "list and delete what is kept: a session, or all about some words (--words)",
    "inbox": "what came from Telegram and could not be handled: try it again, or drop it",
    "profile": "memories of other people: list, add, rename, remove",
    "pair": "print a code that makes its sender the owner",
    "eval": "ask the memory what it ought to know, and see whether it got worse",
    "doctor": "what is wrong, and how to fix it",
    "completion": "print what makes bash, zsh or fish complete commands and options",
}
"""Name → what it does. `sam NAME` is `bot/cli/commands/NAME.py`."""

MISCONFIGURED = (ConfigError, NoTerminal, TokenRefused, VaultGone)


class Command(Protocol):
    """A module of bot/cli/commands: its arguments, and what it does with them."""

    def arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, args: argparse.Namespace) -> int: ...


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code."""
    # Files that Sam writes are readable by their owner alone.
    os.umask(0o077)
    given = list(sys.argv[1:] if argv is None else argv)
    if given[:1] == ["help"]:
        given = [*given[1:2], "--help"]
    if not given or given[0] not in COMMANDS:
        return _help(given)
    try:
        return _run(given[0], given[1:])
    except ConfigError as wrong:
        for problem in wrong.problems:
            print(f"sam: {problem}", file=sys.stderr)
        return 2
    except SamError as wrong:
        print(f"sam: {wrong}", file=sys.stderr)
        return 2 if isinstance(wrong, MISCONFIGURED) else 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader of our output is gone (`sam search x | head -1`). Without this, Python prints
        # another error while it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _run(name: str, words: Sequence[str]) -> int:
    command = command_called(name)
    parser = argparse.ArgumentParser(
        prog=f"sam {name}", description=f"sam {name}: {COMMANDS[name]}"
    )
    command.arguments(parser)
    return command.run(parser.parse_args(words))


def command_called(name: str) -> Command:
    """Import a command of COMMANDS."""
    return cast(Command, import_module(f"bot.cli.commands.{name}"))


def _help(given: Sequence[str]) -> int:
    listed = "\n".join(f"  {name:<10} {what}" for name, what in COMMANDS.items())
    parser = argparse.ArgumentParser(
        prog="sam",
        usage="sam COMMAND [options]",
        description="A chatbot with a memory that you can read, edit and trust.",
        epilog=f"commands:\n{listed}\n\n`sam COMMAND --help` tells more.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="store_true", help="print the version and end")
    # Only options of `sam` itself end here: any other first word is an unknown command.
    if given and not given[0].startswith("-"):
        from difflib import get_close_matches

        from ..chat.commands import COMMANDS as IN_CHATS

        wrong, close = f"no command is called {given[0]!r}", get_close_matches(given[0], COMMANDS)
        if given[0] in IN_CHATS:
            parser.error(f"{wrong}: it is one of the chat's, /{given[0]} in `sam chat`")
        parser.error(f"{wrong}: did you mean {close[0]!r}?" if close else wrong)
    args = parser.parse_args(given)
    if args.version:
        from importlib.metadata import version

        print(f"sam {version('sam-memory')}")
        return 0
    parser.print_help()
    return 0
