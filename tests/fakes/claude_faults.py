"""Faults in transit: error statuses, and streams that break or stall."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass
from typing import Unpack

from tests.fakes.claude_request import Chosen, Which

KINDS = {
    400: ("invalid_request_error", "The request was not accepted"),
    401: ("authentication_error", "invalid x-api-key"),
    402: ("billing_error", "Your credit balance is too low to access the API."),
    403: ("permission_error", "Your API key does not have permission to use this model"),
    404: ("not_found_error", "Not found"),
    413: ("request_too_large", "Request exceeds the maximum allowed number of bytes"),
    429: ("rate_limit_error", "This request would exceed your organization's rate limit"),
    500: ("api_error", "Internal server error"),
    503: ("api_error", "Service unavailable"),
    504: ("timeout_error", "The request timed out"),
    529: ("overloaded_error", "Overloaded"),
}


def error_body(status: int, message: str = "", request_id: str = "") -> dict[str, object]:
    kind, words = KINDS.get(status, ("api_error", "Error"))
    return {
        "type": "error",
        "error": {"type": kind, "message": message or words},
        "request_id": request_id or None,
    }


@dataclass(frozen=True, slots=True)
class Status:
    """HTTP error, or an `error` event in the stream after some events."""

    status: int
    message: str = ""
    retry_after: float | None = None
    after_events: int | None = None


@dataclass(frozen=True, slots=True)
class Cut:
    """Drop the connection after some events."""

    after_events: int
    reset: bool = False


@dataclass(frozen=True, slots=True)
class Truncated:
    """End the stream cleanly after some events (default: before message_delta)."""

    after_events: int | None = None


@dataclass(frozen=True, slots=True)
class Stalled:
    """Send nothing for some seconds, after some events (0: not even the headers)."""

    seconds: float
    after_events: int


@dataclass(frozen=True, slots=True)
class Malformed:
    """Send an event whose data is not JSON."""

    after_events: int


class Hold:
    """Hold the stream until the test releases it; `reached` is set when it waits."""

    def __init__(self, after_events: int) -> None:
        self.after_events = after_events
        self.reached = threading.Event()
        self._released = threading.Event()
        self._next: int | None = None

    def release(self) -> None:
        self._next = None
        self._released.set()

    def advance(self, to_event: int) -> None:
        """Send the stream up to that event, and hold it there."""
        self._next = to_event
        self._released.set()

    async def waits(self) -> int | None:
        """Return the event at which to hold next; None: send the rest."""
        self.reached.set()
        # polled, because any thread may release it and a waiting thread could not be cancelled
        while not self._released.is_set():  # noqa: ASYNC110
            await asyncio.sleep(0.005)
        until = self._next
        if until is not None:
            self._released.clear()
        return until


# after these the client lacks a complete answer, and retries
SPOILING = (Status, Cut, Truncated, Malformed)
Fault = Status | Cut | Truncated | Stalled | Malformed | Hold


class FaultRule(Chosen):
    """A rule for a fault, which applies once unless `times` says otherwise."""

    def __init__(self, fault: Fault, which: Which) -> None:
        super().__init__(which, times=1)
        self.fault = fault


class Troubles:
    """Scripting methods for faults; each takes `when`, `model` and `times`."""

    def __init__(self) -> None:
        self.faults: list[FaultRule] = []
        self.is_down = False
        self.not_spoken: list[str] = []

    def _fault(self, fault: Fault, which: Which) -> None:
        self.faults.append(FaultRule(fault, which))

    def fails(
        self,
        status: int,
        *,
        message: str = "",
        retry_after: float | None = None,
        after_events: int | None = None,
        **which: Unpack[Which],
    ) -> None:
        """Fail with an HTTP error, or with `after_events` by an `error` event in the stream."""
        self._fault(Status(status, message, retry_after, after_events), which)

    def cuts(self, after_events: int = 4, *, reset: bool = False, **which: Unpack[Which]) -> None:
        """Drop the connection (`reset`: with a RST)."""
        self._fault(Cut(after_events, reset), which)

    def truncates(self, after_events: int | None = None, **which: Unpack[Which]) -> None:
        """End the stream cleanly after some events (default: before message_delta)."""
        self._fault(Truncated(after_events), which)

    def stalls(self, seconds: float, *, after_events: int = 4, **which: Unpack[Which]) -> None:
        """Send nothing for that many seconds; `after_events=0`: not even the headers."""
        self._fault(Stalled(seconds, after_events), which)

    def malformed(self, after_events: int = 4, **which: Unpack[Which]) -> None:
        """Send an event that is not JSON."""
        self._fault(Malformed(after_events), which)

    def holds(self, after_events: int = 4, **which: Unpack[Which]) -> Hold:
        """Hold the stream until `hold.release()`; `hold.reached` is an Event to wait for."""
        hold = Hold(after_events)
        self._fault(hold, which)
        return hold

    def goes_down(self) -> None:
        """Drop every connection without an answer, until `recovers()`."""
        self.is_down = True

    def recovers(self) -> None:
        """Remove all faults."""
        self.faults.clear()
        self.is_down = False

    def rejects(self, *names: str) -> None:
        """Refuse these with 400, as other endpoints do: block types (search_result), fields of
        blocks (citations, cache_control) or of the request (output_config, thinking, tools)."""
        self.not_spoken += names
