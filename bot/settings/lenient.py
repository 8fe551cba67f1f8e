"""Lenient settings loading: invalid values fall back to defaults.

`sam doctor` and `sam setup` use it when `.env` has mistakes.
"""

from __future__ import annotations

import re
from typing import Any

from memory import ConfigError, config

from .settings import Settings


def load() -> tuple[Settings, tuple[str, ...]]:
    """Return the settings with defaults for invalid values, and all problems."""
    problems: list[str] = []
    left_out: dict[str, Any] = {}
    while True:
        try:
            return config.read(Settings, **left_out), tuple(problems)
        except ConfigError as wrong:
            new = [problem for problem in wrong.problems if problem not in problems]
            named = {
                name: field.get_default(call_default_factory=True)
                for name, field in Settings.model_fields.items()
                for problem in wrong.problems
                if re.search(rf"\b{name.upper()}\b", problem)
            }
            if not named.keys() - left_out.keys():
                raise  # an invalid default: a bug of ours
            left_out |= named
            problems += new
