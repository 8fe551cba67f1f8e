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

from ..errors import NoTerminal, TokenRefused, file_advice
from .plain_text import printable

COMMANDS = {
    "start": "start on Telegram if a token is set, else in this terminal (what `make run` does)",
    "setup": "ask for the settings, test each one, write them to .env",
    "run": "run the Telegram bot",
    "chat": "chat in this terminal, or from a pipe with one message per line",
    "search": "search notes and conversations",
    "facts": "list what Sam knows about you, by category, tag or words",
    "why": "show the source of something: its line and the messages behind it",
    "versions": "list earlier versions of soul.md, identity.md and user.md, and restore one",
    "undo": "show Sam's last change to the notes, and undo it",
    "index": "update the index, or rebuild it",
    "summarize": "summarise pending messages into the day's file now",
    "sync": "sync the vault with RCLONE_REMOTE",
    "web": "serve the web console: browse, search and correct the memory",
    "mcp": "serve the memory to other programs (MCP), over stdio or HTTP",
    "import": "import from ChatGPT, Claude, Telegram, WhatsApp, Google Keep, Day One, mail, notes",
    "export": "export everything in open formats: notes, messages, facts, a web page",
    "backup": "back up everything into one verified file, while Sam runs",
    "restore": "restore a backup into empty folders",
    "migrate": "move log and inbox from SQLite to PostgreSQL, or back",
    "privacy": "show what was sent to which model or embedder, by day",
    "forget": "list and delete a session, or everything about some words (--words)",
    "inbox": "list Telegram messages that could not be handled; retry or drop them",
    "profile": "list, add, rename, export or remove other people's memories",
    "pair": "print a pairing code; whoever sends it to the bot talks to it as you, or as --profile",
    "eval": "test the memory with questions it should be able to answer",
    "doctor": "report every problem and how to fix it",
    "completion": "print a completion script for bash, zsh or fish",
}
"""Name → description. `sam NAME` is `bot/cli/commands/NAME.py`."""

MISCONFIGURED = (ConfigError, NoTerminal, TokenRefused, VaultGone)


class Command(Protocol):
    """A module of bot/cli/commands: its arguments, and its implementation."""

    def arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, args: argparse.Namespace) -> int: ...


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code."""
    # Files that Sam writes are readable only by their owner.
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
            print(f"sam: {printable(problem)}", file=sys.stderr)
        return 2
    except SamError as wrong:
        print(f"sam: {printable(str(wrong))}", file=sys.stderr)
        return 2 if isinstance(wrong, MISCONFIGURED) else 1
    except KeyboardInterrupt:
        if sys.stderr.isatty():
            print(file=sys.stderr)  # the shell's prompt goes on a line of its own
        return 130
    except BrokenPipeError:
        # The reader of our output is gone (`sam search x | head -1`). Without this, Python prints
        # another error while it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as wrong:
        # For example the folders of the user of Sam's service, or those of root after a `sudo sam`.
        if (known := file_advice(wrong)) is None:
            raise
        print(f"sam: {printable(': '.join(known))}", file=sys.stderr)
        return 1


def _run(name: str, words: Sequence[str]) -> int:
    command = command_called(name)
    parser = argparse.ArgumentParser(
        prog=f"sam {name}", description=f"sam {name}: {COMMANDS[name]}"
    )
    command.arguments(parser)
    return command.run(parser.parse_args(words))


def command_called(name: str) -> Command:
    return cast(Command, import_module(f"bot.cli.commands.{name}"))


def _help(given: Sequence[str]) -> int:
    listed = "\n".join(f"  {name:<10} {what}" for name, what in COMMANDS.items())
    parser = argparse.ArgumentParser(
        prog="sam",
        usage="sam COMMAND [options]",
        description="A chatbot with a memory that you can read, edit and trust.",
        epilog=f"commands:\n{listed}\n\n`sam COMMAND --help` shows more.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="store_true", help="print the version and end")
    # Only options of `sam` itself end here: any other first word is an unknown command.
    if given and not given[0].startswith("-"):
        from difflib import get_close_matches

        from ..chat.commands import COMMANDS as IN_CHATS

        wrong, close = f"unknown command {given[0]!r}", get_close_matches(given[0], COMMANDS)
        if given[0] in IN_CHATS:
            parser.error(f"{wrong}: it is a chat command, /{given[0]} in `sam chat`")
        parser.error(f"{wrong}: did you mean {close[0]!r}?" if close else wrong)
    args = parser.parse_args(given)
    if args.version:
        from importlib.metadata import version

        print(f"sam {version('sam-memory')}")
        return 0
    parser.print_help()
    return 0
