"""The first words to a new owner: what to try, where the notes are, what leaves the machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from memory import OWNER, is_group

from ..markdown_escape import escape
from ..setup.prompts import TRY
from .privacy_report import leaving

if TYPE_CHECKING:
    from ..assistant import Assistant

HELLO = (
    "Hello, I am Sam. Just talk to me: I remember our conversations, and keep them in Markdown "
    "notes that you can read and change."
)
PAIRED = "You are paired with me now."
WITHOUT_MODEL = (
    "No model is set up, so I follow simple rules: I remember, remind, find, forget, and quote "
    "you. `sam setup` adds a model for real conversations."
)
MORE = "/help lists everything else I can do."


def welcome(profile: Assistant, *, paired: bool = False) -> str:
    """Return the greeting, markdown; with `paired` it begins with the news of the pairing.

    Where the notes are, and what leaves the machine, is for the owner.
    """
    if is_group(profile.name):
        return f"{HELLO}\n\n{MORE}"
    parts = [*([PAIRED] if paired else []), HELLO]
    parts.append("\n".join(["Try:", "", *(f"- {escape(each)}" for each in TRY)]))
    if profile.name == OWNER:
        where = escape(from_home(profile.memory.vault.root))
        leaves = escape(leaving(profile))
        parts.append(f"Your notes: {where}\nWhat leaves the machine that I run on: {leaves}.")
    if profile.claude is None:
        parts.append(WITHOUT_MODEL)
    return "\n\n".join([*parts, MORE])


def from_home(path: Path) -> str:
    """Return a path as it is written in a shell, from the home folder."""
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)
