"""The first words to a new owner: what to try, where the notes are, what leaves the machine."""

from __future__ import annotations

from memory import OWNER, is_group
from memory.text import from_home, mark, tr

from ..assistant import Assistant
from ..markdown_escape import escape
from ..setup.prompts import TRY
from .privacy_report import outbound_summary

HELLO = mark(
    "Hello, I am Sam. Just talk to me: I remember our conversations, and keep them in Markdown "
    "notes that you can read and change."
)
GUEST_HELLO = mark(
    "Hello, I am Sam. Just talk to me: I remember our conversations, and keep them in notes on the "
    "machine of whoever runs me. They can read them there."
)
PAIRED = mark("You are paired with me now.")
WITHOUT_MODEL = mark(
    "No model is set up, so I follow simple rules: I remember, remind, find, forget, and quote "
    "you. `sam setup` adds a model for real conversations."
)
BY_RULES = mark("I follow simple rules: I remember, remind, find, forget, and quote you.")
MORE = mark("/help lists everything else I can do.")


def welcome(profile: Assistant, *, paired: bool = False) -> str:
    """Return the greeting, markdown; with `paired` it begins with the news of the pairing.

    Where the notes are, and what leaves the machine, is for the owner.
    """
    hello = tr(HELLO if profile.name == OWNER else GUEST_HELLO)
    if is_group(profile.name):
        return f"{hello}\n\n{tr(MORE)}"
    parts = [*([tr(PAIRED)] if paired else []), hello]
    parts.append("\n".join([tr("Try:"), "", *(f"- {escape(tr(each))}" for each in TRY)]))
    if profile.name == OWNER:
        where = escape(from_home(profile.memory.vault.root))
        leaves = escape(outbound_summary(profile))
        parts.append(
            tr(
                "Your notes: {where}\nWhat leaves the machine that I run on: {leaves}.",
                where=where,
                leaves=leaves,
            )
        )
    if profile.claude is None:
        parts.append(tr(WITHOUT_MODEL if profile.name == OWNER else BY_RULES))
    return "\n\n".join([*parts, tr(MORE)])
