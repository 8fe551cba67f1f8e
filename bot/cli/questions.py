"""Questions of commands, asked only on a terminal."""

from __future__ import annotations

import sys

YES = ("y", "yes")


def can_ask() -> bool:
    """Return whether somebody can answer; if not, say how to go on without an answer."""
    if sys.stdin.isatty():
        return True
    print("This is no terminal, so nothing is asked: add --yes.", file=sys.stderr)
    return False


def ask(question: str) -> str:
    """Return the answer, stripped; "" at the end of the input (Ctrl-D). Ctrl-C ends the command,
    also inside asyncio.

    The question goes to standard error: output may be a document, or go to a file.
    """
    from ..setup.prompts import interruptible

    print(question, end="", file=sys.stderr, flush=True)
    try:
        return interruptible(input, "").strip()
    except EOFError:
        print(file=sys.stderr)
        return ""


def agrees(question: str) -> bool:
    """Ask for confirmation; False where nobody can be asked."""
    return can_ask() and ask(f"{question} [y/N] ").lower() in YES
