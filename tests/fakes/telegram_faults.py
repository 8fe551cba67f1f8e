"""What goes wrong on demand: errors, cut connections, slow answers. Knows no method's meaning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

When = Literal["before", "after", "midway"]
"""`before`: nothing was done. `after`: it was done, but the answer does not arrive. `midway`: half
of the answer arrives."""


@dataclass(slots=True)
class Fault:
    """One rule; `left` counts the requests it still meets, None: until it is taken away."""

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
    """The rules in force, in the order in which they were given."""

    def __init__(self) -> None:
        self._rules: list[Fault] = []

    def add(self, fault: Fault) -> None:
        self._rules.append(fault)

    def clear(self) -> None:
        self._rules.clear()

    def take(self, method: str) -> list[Fault]:
        """What meets this request: slow ones, and then at most one that ends it."""
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
    """Telegram's own words for a status."""
    if retry_after is not None:
        return f"Too Many Requests: retry after {retry_after}"
    return DESCRIPTIONS.get(status, "Bad Request: refused on demand")
