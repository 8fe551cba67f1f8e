"""How `sam setup` and `sam sync --setup` ask, and how an answer becomes a setting."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from memory import config

from ..settings import Settings

Changes = dict[str, str]


@dataclass(frozen=True, slots=True)
class Talk:
    """How to talk with whoever sits there: `ask` shows what is typed, `hide` does not."""

    say: Callable[[str], None]
    ask: Callable[[str], str]
    hide: Callable[[str], str]

    def yes(self, question: str, *, default: bool = True) -> bool:
        """A yes or a no."""
        answer = self.ask(f"{question} [{'Y/n' if default else 'y/N'}] ").strip().lower()
        return default if not answer else answer in ("y", "yes", "j", "ja")


def with_changes(settings: Settings, changes: Changes) -> Settings:
    """The settings as they will be once the changes are written."""
    given: dict[str, Any] = {name: getattr(settings, name) for name in settings.model_fields_set}
    given |= {name.lower(): value for name, value in changes.items()}
    return config.read(Settings, **given)
