"""Settings with their mistakes left out, for whoever has to go on regardless.

`sam doctor` looks at all else although `.env` is wrong; `sam setup` begins with what is right.
"""

from __future__ import annotations

import re
from typing import Any

from memory import ConfigError, config

from .settings import Settings


def load() -> tuple[Settings, tuple[str, ...]]:
    """What can be read, with the default in place of each wrong value; and all that is wrong."""
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
                raise  # a default that is wrong in itself: a bug of ours
            left_out |= named
            problems += new
