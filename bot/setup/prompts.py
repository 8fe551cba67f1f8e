"""The prompts of `sam setup` and `sam sync --setup`, and the changes of settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
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


def with_changes(settings: Settings, changes: Changes) -> Settings:
    """Return the settings with the changes applied."""
    given: dict[str, Any] = {name: getattr(settings, name) for name in settings.model_fields_set}
    given |= {name.lower(): value for name, value in changes.items()}
    return config.read(Settings, **given)


def masked(secret: str) -> str:
    """Return a secret's length and end, to check that it was pasted completely."""
    end = secret[-_SHOWN:] if len(secret) >= _FROM else ""
    return f"••••••••{end} ({len(secret)} characters)"
