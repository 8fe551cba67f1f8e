"""Calls in bulk, through the Message Batches API: half the price, answered within a day."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from memory import Usage

from .client import Claude
from .pricing import BULK, PriceList
from .request import Request
from .stream import arguments, expected_usage, maximum_usage

_LISTED = 100  # orders on a page


@dataclass(frozen=True, slots=True)
class RemoteOrder:
    """An order as the provider lists it. `size`: the number of its calls."""

    id: str
    ended: bool
    size: int


@dataclass(frozen=True, slots=True)
class BulkAnswer:
    """What came of one call, by the name that it was given. `text`: "" where there is no whole
    answer; `usage` with the price that is paid."""

    name: str
    text: str
    usage: Usage


def bulk_cost(request: Request) -> Usage:
    """Return the most that a call in bulk may use and cost."""
    most = maximum_usage(request, expected_usage(request, "anthropic"))
    most = replace(most, input=most.cache_write, cache_write=0)
    return replace(most, usd=BULK * PriceList().cost(most))


class BulkCalls:
    """Orders at the provider of one client. Every method may raise ModelDown, ModelRefused."""

    def __init__(self, claude: Claude) -> None:
        self._claude = claude

    async def submit(self, calls: Sequence[tuple[str, Request]]) -> str:
        """Order these calls, each with its name; return the order's id.

        After ModelDown it is unknown whether the order arrived.
        """
        requests: list[Any] = [
            {"custom_id": name, "params": arguments(request)} for name, request in calls
        ]
        async with self._claude.sdk_client() as client:
            return (await client.messages.batches.create(requests=requests)).id

    async def ended(self, remote: str) -> bool:
        """Return whether its answers can be fetched."""
        async with self._claude.sdk_client() as client:
            return (await client.messages.batches.retrieve(remote)).processing_status == "ended"

    async def since(self, moment: datetime) -> list[RemoteOrder]:
        """Return the orders that were made since then, newest first."""
        found = []
        async with self._claude.sdk_client() as client:
            async for each in client.messages.batches.list(limit=_LISTED):
                if each.created_at < moment:
                    break
                counts = each.request_counts
                size = counts.processing + counts.succeeded + counts.errored
                size += counts.canceled + counts.expired
                ended = each.processing_status == "ended"
                found.append(RemoteOrder(each.id, ended, size))
        return found

    async def first_name(self, remote: str) -> str:
        """Return the name of one of an ended order's calls; "" where it has none."""
        async with aclosing(self._results(remote)) as results:
            async for each in results:
                return str(each.custom_id)
        return ""

    async def answers(self, remote: str, usage: Usage) -> list[BulkAnswer]:
        """Fetch the answers of an ended order; `usage` says what it was for."""
        found = []
        async with aclosing(self._results(remote)) as results:
            async for each in results:
                message = each.result.message if each.result.type == "succeeded" else None
                found.append(BulkAnswer(each.custom_id, _text(message), _usage(message, usage)))
        return found

    async def _results(self, remote: str) -> AsyncGenerator[Any, None]:
        async with self._claude.sdk_client() as client:
            async for each in await client.messages.batches.results(remote):
                yield each


def _text(message: Any) -> str:
    if message is None or message.stop_reason != "end_turn":
        return ""
    return "".join(block.text for block in message.content if block.type == "text")


def _usage(message: Any, usage: Usage) -> Usage:
    if message is None:
        return replace(usage, input=0, output=0, usd=0.0)
    took = message.usage
    used = replace(
        usage,
        model=str(message.model),
        input=took.input_tokens,
        output=took.output_tokens,
        cache_read=took.cache_read_input_tokens or 0,
        cache_write=took.cache_creation_input_tokens or 0,
    )
    return replace(used, usd=BULK * PriceList().cost(used))
