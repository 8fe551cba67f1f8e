"""The prompts of `sam setup` and `sam sync --setup`, and the changes of settings."""

from __future__ import annotations

import getpass
import shutil
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memory import config
from memory.text import mark

from ..settings import Settings

Changes = dict[str, str]

TRY = (
    mark("Remember that my bicycle is in Anton's garage"),
    mark("Remind me tomorrow at 9 to call Ana"),
    mark("Where is my bicycle?"),
)
"""Three messages that work with and without a model."""
_SHOWN = 4  # characters of a secret, at its end
_FROM = 16  # characters; of a shorter one none is shown


@dataclass(frozen=True, slots=True)
class SetupPrompts:
    """Output and input of the setup: `ask` echoes the input, `hide` does not."""

    say: Callable[[str], None]
    ask: Callable[[str], str]
    hide: Callable[[str], str]

    def yes(self, question: str) -> bool:
        """Ask a yes-or-no question; an empty answer is yes."""
        answer = self.ask(f"{question} [Y/n] ").strip().lower()
        return not answer or answer in ("y", "yes", "j", "ja")


def terminal_prompts() -> SetupPrompts:
    """Return the prompts of this terminal, or of a pipe, where secrets are read like the rest."""

    def ask(question: str) -> str:
        return interruptible(input, question)

    def hide(question: str) -> str:
        if not sys.stdin.isatty():
            return ask(question)
        secret = interruptible(getpass.getpass, question)
        if secret.strip():
            print(f"   {masked(secret.strip())}")
        return secret

    return SetupPrompts(print, ask, hide)


def interruptible(read: Callable[[str], str], question: str) -> str:
    """Read an answer; Ctrl-C raises KeyboardInterrupt at once. asyncio's own handler only cancels
    the task, which a blocking read never notices."""
    of_asyncio = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return read(question)
    finally:
        signal.signal(signal.SIGINT, of_asyncio)


def with_changes(settings: Settings, changes: Changes) -> Settings:
    given: dict[str, Any] = {name: getattr(settings, name) for name in settings.model_fields_set}
    given |= {name.lower(): value for name, value in changes.items()}
    return config.read(Settings, **given)


def masked(secret: str) -> str:
    """Return a secret's length and end, to check that it was pasted completely."""
    end = secret[-_SHOWN:] if len(secret) >= _FROM else ""
    return f"••••••••{end} ({len(secret)} characters)"


def command() -> str:
    """Return `sam` as it can be typed here: after `make run` it is on no path."""
    called = sys.argv[0]
    return "sam" if shutil.which("sam") or Path(called).name != "sam" else called
