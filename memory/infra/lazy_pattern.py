"""Regular expressions that are compiled when they are first used: the large ones cost more at each
start of `sam` than all others."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any, cast


class LazyPattern:
    """A pattern that compiles itself when one of its attributes is first read."""

    def __init__(self, text: str, flags: int) -> None:
        self._text, self._flags = text, flags

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The pattern itself."""
        return re.compile(self._text, self._flags)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.compiled, name)
        setattr(self, name, found)  # from now on it is as fast as one of the pattern's own
        return found


def lazy_pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern that is compiled when it is first used, and then raises what `re.compile`
    does."""
    return cast(re.Pattern[str], LazyPattern(text, flags))
