"""The fake's Message Batches API: a batch ends when the test says so."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.fakes.claude_blocks import Refused, check_fields, is_object, is_text
from tests.fakes.claude_request import Request

MOST = 100_000
ITEM = {
    "custom_id": (True, is_text, "a valid string"),
    "params": (True, is_object, "a valid dictionary"),
}


@dataclass
class Order:
    """One batch. `answers`: by custom_id, set once it has ended. `fate`: custom_id → errored,
    expired or canceled, instead of an answer."""

    id: str
    at: datetime
    requests: dict[str, Request]
    fate: dict[str, str] = field(default_factory=dict)
    answers: dict[str, dict[str, Any]] | None = None

    def wire(self, url: str) -> dict[str, Any]:
        found = self.answers
        kinds = [each["type"] for each in (found or {}).values()]
        counts = {kind: kinds.count(kind) for kind in ("canceled", "errored", "expired")}
        counts |= {"succeeded": kinds.count("succeeded")}
        counts |= {"processing": 0 if found is not None else len(self.requests)}
        results = f"{url}/v1/messages/batches/{self.id}/results"
        return {
            "id": self.id,
            "type": "message_batch",
            "processing_status": "in_progress" if found is None else "ended",
            "request_counts": counts,
            "created_at": self.at.isoformat(),
            "expires_at": (self.at + timedelta(days=1)).isoformat(),
            "ended_at": None if found is None else self.at.isoformat(),
            "archived_at": None,
            "cancel_initiated_at": None,
            "results_url": None if found is None else results,
        }

    def lines(self) -> str:
        """Return the results as JSON lines, in a different order from the requests."""
        assert self.answers is not None
        found = [{"custom_id": name, "result": each} for name, each in self.answers.items()]
        return "".join(json.dumps(each) + "\n" for each in reversed(found))


class Bulk:
    """All batches. `ends_at_once`: batches end when they are created. `now` dates them. `unknown`:
    the server lacks this API. `loses_answers`: the connection drops after the next batch is
    accepted. `compose` makes and bills the answer to a request."""

    def __init__(self) -> None:
        self.orders: list[Order] = []
        self.ends_at_once = False
        self.unknown = False
        self.loses_answers = False
        self.now: Callable[[], datetime] = lambda: datetime.now(UTC)
        self.compose: Callable[[Request], dict[str, Any]]

    @property
    def requests(self) -> list[Request]:
        return [each for order in self.orders for each in order.requests.values()]

    def make(self, body: Any, check: Callable[[Any], None]) -> Order:
        """Create a batch. Raises Refused, or what `check` raises for the params of a request."""
        given = body.get("requests") if isinstance(body, dict) else None
        if not isinstance(given, list) or not 0 < len(given) <= MOST:
            raise Refused("requests: List should have at least 1 item, and at most 100000")
        made: dict[str, Request] = {}
        for number, each in enumerate(given):
            at = f"requests.{number}"
            if not isinstance(each, dict):
                raise Refused(f"{at}: Input should be an object")
            check_fields(at, each, ITEM)
            name = each["custom_id"]
            if not re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name) or name in made:
                raise Refused(f"{at}.custom_id: String should be unique and match the pattern")
            if "stream" in each["params"]:
                raise Refused(f"{at}.params.stream: Extra inputs are not permitted")
            check(each["params"])
            made[name] = Request(number + 1, each["params"])
        order = Order(f"msgbatch_fake{len(self.orders):08d}", self.now(), made)
        self.orders.append(order)
        if self.ends_at_once:
            self.end(order)
        return order

    def find(self, id_: str) -> Order | None:
        return next((order for order in self.orders if order.id == id_), None)

    def end(self, *orders: Order) -> None:
        """End these batches, or all."""
        for order in orders or self.orders:
            if order.answers is None:
                order.answers = {
                    name: self._result(order.fate.get(name, ""), request)
                    for name, request in order.requests.items()
                }

    def _result(self, fate: str, request: Request) -> dict[str, Any]:
        if not fate:
            return {"type": "succeeded", "message": self.compose(request)}
        if fate == "errored":
            inner = {"type": "invalid_request_error", "message": "It failed"}
            error = {"type": "error", "error": inner, "request_id": None}
            return {"type": fate, "error": error}
        return {"type": fate}
