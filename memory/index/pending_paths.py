"""The notes that the index may not know as they are, in the order in which they were named.

It holds paths alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager


class Dirty:
    """A path that is named again is the newest one again."""

    def __init__(self) -> None:
        self._paths: dict[str, int] = {}
        self._named = 0

    def __len__(self) -> int:
        return len(self._paths)

    def add(self, paths: Iterable[str]) -> None:
        """Those notes may have changed."""
        for path in paths:
            self._named += 1
            self._paths.pop(path, None)
            self._paths[path] = self._named

    @contextmanager
    def taken(self, most: int) -> Iterator[list[str]]:
        """The newest of them, to be looked at now; they come back where that fails."""
        paths = [self._paths.popitem()[0] for _ in range(min(most, len(self._paths)))]
        try:
            yield paths
        except BaseException:
            self.add(reversed(paths))
            raise

    def seen(self) -> Mapping[str, int]:
        """All of them as they are now, for `settle`."""
        return dict(self._paths)

    def settle(self, seen: Mapping[str, int], only: frozenset[str] | None = None) -> None:
        """These were looked at (only those, if some are given); what was named again stays."""
        self._paths = {
            path: at
            for path, at in self._paths.items()
            if seen.get(path) != at or (only is not None and path not in only)
        }

    def leave(self, paths: frozenset[str] | None, *, but: int) -> None:
        """Somebody else sees to these (None: to all), except for the newest, which are urgent."""
        older = list(self._paths)[: max(0, len(self._paths) - but)]
        for path in older:
            if paths is None or path in paths:
                del self._paths[path]
