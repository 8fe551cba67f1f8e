"""What one profile's jobs are asked to do before their time: a summary, a sync of what was written.

It exists before the memory and the turns, which tell it what happened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

Poke = Callable[[str], None]
"""Lets a job run now, by its name."""


def no_jobs(job: str) -> None:
    """For a process in which no scheduler runs: whoever wants something done does it there."""


class Wanted:
    """The requests of one profile; `poke` wakes the job that looks at them."""

    def __init__(self, poke: Poke) -> None:
        self._poke = poke
        self.summary = ""
        """Why a summary is wanted although few messages are pending; empty when it is not."""
        self._unsent: set[str] = set()

    def more_pending(self) -> None:
        """More messages are pending than before: a summary may be due."""
        self._poke("summarise")

    def turn_ended(self) -> None:
        """A summary may be due, and a change that was proposed in the turn is to be shown."""
        self.more_pending()
        self._poke("proposals")

    def facts_waiting(self) -> None:
        """A summary has found facts, which are to be written."""
        self._poke("facts")

    def overflowed(self) -> None:
        """What has left the conversation's context is to be summarised."""
        self.want_summary("overflow")

    def want_summary(self, reason: str) -> None:
        """Have what is pending summarised in the background, however little it is."""
        self.summary = reason
        self._poke("summarise")

    def take_summary(self) -> str:
        """Return why a summary is wanted, empty where it is not, and want none any more."""
        reason, self.summary = self.summary, ""
        return reason

    def still_want_summary(self, reason: str) -> None:
        """Want the summary that failed again, unless another one is wanted by now."""
        self.summary = self.summary or reason

    def wrote(self, path: str) -> None:
        """A note was written, which is to be sent."""
        self._unsent.add(path)
        self._poke("sync")

    @property
    def unsent(self) -> frozenset[str]:
        """The paths that were written and not taken to be sent since."""
        return frozenset(self._unsent)

    def take_unsent(self) -> frozenset[str]:
        """Return those paths, and want none of them sent any more."""
        paths = self.unsent
        self._unsent.clear()
        return paths

    def still_unsent(self, paths: Iterable[str]) -> None:
        """Want these sent after all: the sync failed."""
        self._unsent.update(paths)
