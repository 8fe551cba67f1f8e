"""Requests to run one profile's jobs ahead of their schedule: a summary, a sync of written notes.

It is created before the memory and the turns, which report to it what happened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

Poke = Callable[[str], None]
"""Runs the job of that name now."""


def no_jobs(job: str) -> None:
    """No-op for a process without a scheduler: there the caller does the work itself."""


class JobRequests:
    """The requests of one profile; `poke` wakes the job that serves them."""

    def __init__(self, poke: Poke) -> None:
        self._poke = poke
        self.summary = ""
        """Why a summary is wanted although few messages are pending; empty when it is not."""
        self._unsent: set[str] = set()

    def more_pending(self) -> None:
        """Report that more messages are pending: a summary may be due."""
        self._poke("summarise")

    def turn_ended(self) -> None:
        """Report the end of a turn: a summary may be due, and proposals of the turn are shown."""
        self.more_pending()
        self._poke("proposals")

    def facts_waiting(self) -> None:
        """Report that a summary has found facts, which have to be written."""
        self._poke("facts")

    def context_overflowed(self) -> None:
        """Report that messages left the conversation's context: they have to be summarised."""
        self.request_summary("overflow")

    def request_summary(self, reason: str) -> None:
        """Request a background summary of all pending messages, however few."""
        self.summary = reason
        self._poke("summarise")

    def take_summary(self) -> str:
        """Return why a summary was requested, "" if it was not, and clear the request."""
        reason, self.summary = self.summary, ""
        return reason

    def renew_summary_request(self, reason: str) -> None:
        """Renew the request for a summary that failed, unless there is a newer one."""
        self.summary = self.summary or reason

    def note_written(self, path: str) -> None:
        """Report that a note was written, which has to be sent to the remote."""
        self._unsent.add(path)
        self._poke("sync")
        if path.rpartition("/")[2] == "user.md":
            self._poke("remind")  # it may name another time zone

    @property
    def unsent(self) -> frozenset[str]:
        """Return the paths that were written and not yet synced."""
        return frozenset(self._unsent)

    def take_unsent(self) -> frozenset[str]:
        """Return those paths, and clear the request to send them."""
        paths = self.unsent
        self._unsent.clear()
        return paths

    def renew_unsent(self, paths: Iterable[str]) -> None:
        """Renew the request to send these paths: the sync failed."""
        self._unsent.update(paths)
