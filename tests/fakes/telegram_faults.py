"""Faults on demand: errors, cut connections, slow answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

When = Literal["before", "after", "midway"]
"""`before`: the method was not executed. `after`: it was, but the answer is lost. `midway`: half of
the answer arrives."""


@dataclass(slots=True)
class Fault:
    """One fault rule; `left` counts the requests it still applies to, None: until removed."""

    kind: Literal["fails", "cuts", "slow"]
    method: str | None
    left: int | None
    when: When = "before"
    status: int = 500
    description: str = ""
    retry_after: int | None = None
    seconds: float = 0.0
    body: bytes | None = None

    def meets(self, method: str) -> bool:
        return self.left != 0 and self.method in (None, method)


DESCRIPTIONS = {
    401: "Unauthorized",
    403: "Forbidden: bot was blocked by the user",
    404: "Not Found",
    409: "Conflict: terminated by other getUpdates request; "
    "make sure that only one bot instance is running",
    500: "Internal Server Error",
    502: "Bad Gateway",
    503: "Service Unavailable",
    504: "Gateway Timeout",
}


class Faults:
    """The active fault rules, in the order in which they were added."""

    def __init__(self) -> None:
        self._rules: list[Fault] = []

    def add(self, fault: Fault) -> None:
        self._rules.append(fault)

    def clear(self) -> None:
        self._rules.clear()

    def take(self, method: str) -> list[Fault]:
        """Return the faults for this request: delays, and then at most one that ends it."""
        taken = []
        for fault in self._rules:
            if not fault.meets(method):
                continue
            if fault.left is not None:
                fault.left -= 1
            taken.append(fault)
            if fault.kind != "slow":
                break
        self._rules = [fault for fault in self._rules if fault.left != 0]
        return taken


def describe(status: int, retry_after: int | None) -> str:
    """Return Telegram's description for a status."""
    if retry_after is not None:
        return f"Too Many Requests: retry after {retry_after}"
    return DESCRIPTIONS.get(status, "Bad Request: refused on demand")
