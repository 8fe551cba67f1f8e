"""LRU queue of paths pending reindexing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager


class PendingPaths:
    """Paths whose notes may have changed; adding a path again makes it the newest."""

    def __init__(self) -> None:
        self._paths: dict[str, int] = {}
        self._named = 0

    def __len__(self) -> int:
        return len(self._paths)

    def add(self, paths: Iterable[str]) -> None:
        """Add the paths of notes that may have changed."""
        for path in paths:
            self._named += 1
            self._paths.pop(path, None)
            self._paths[path] = self._named

    @contextmanager
    def taken(self, most: int) -> Iterator[list[str]]:
        """Take up to `most` of the newest paths; put them back if the caller's block raises."""
        paths = [self._paths.popitem()[0] for _ in range(min(most, len(self._paths)))]
        try:
            yield paths
        except BaseException:
            self.add(reversed(paths))
            raise

    def seen(self) -> Mapping[str, int]:
        """Return a snapshot for `settle`."""
        return dict(self._paths)

    def settle(self, seen: Mapping[str, int], only: frozenset[str] | None = None) -> None:
        """Remove the paths of a snapshot (or only those in `only`) unless they were added again
        since."""
        self._paths = {
            path: at
            for path, at in self._paths.items()
            if seen.get(path) != at or (only is not None and path not in only)
        }

    def drop_older(self, paths: frozenset[str] | None, *, but: int) -> None:
        """Drop these (None: all) but the `but` newest pending paths; a background scan covers
        them."""
        older = list(self._paths)[: max(0, len(self._paths) - but)]
        for path in older:
            if paths is None or path in paths:
                del self._paths[path]
