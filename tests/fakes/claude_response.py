"""Send an answer over HTTP, whole or as broken by a fault."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence

from aiohttp import web

from tests.fakes.claude_faults import (
    Cut,
    Fault,
    Hold,
    Malformed,
    Stalled,
    Status,
    Truncated,
    error_body,
)
from tests.fakes.claude_stream import Event, encode
from tests.fakes.wire import hang_up


class Broken(Exception):
    """The client did not receive the whole answer."""


def _runs(events: list[bytes], delay: float) -> Iterator[bytes]:
    """Yield what to write at once: everything, or single events if there is a delay."""
    if delay:
        yield from events
    elif events:
        yield b"".join(events)


async def send_stream(
    http: web.Request, events: Sequence[Event], fault: Fault | None, delay: float, request_id: str
) -> web.StreamResponse:
    """Send the events as far as the fault allows. Raises Broken afterwards if it broke them: by
    then the client's part is on the wire."""
    data = [encode(event) for event in events]
    after = len(data)
    if isinstance(fault, Truncated) and fault.after_events is None:
        after -= 2
    elif fault is not None and fault.after_events is not None:
        after = min(fault.after_events, len(data))
    if isinstance(fault, Stalled) and after == 0:
        await asyncio.sleep(fault.seconds)
        fault, after = None, len(data)
    response = web.StreamResponse(
        headers={
            "Content-Type": "text/event-stream; charset=utf-8",
            "Cache-Control": "no-cache",
            "request-id": request_id,
        }
    )
    await response.prepare(http)

    async def write(part: list[bytes]) -> None:
        for run in _runs(part, delay):
            await response.write(run)
            if delay:
                await asyncio.sleep(delay)

    await write(data[:after])
    match fault:
        case Cut():
            await asyncio.sleep(0.02)  # let the client read what was written before a reset
            hang_up(http, reset=fault.reset)
            raise Broken
        case Status():
            await response.write(encode({**error_body(fault.status, fault.message)}))
        case Malformed():
            await response.write(b'event: content_block_delta\ndata: {"type": "content_blo\n\n')
        case Stalled():
            await asyncio.sleep(fault.seconds)
            await write(data[after:])
        case Hold():
            while (until := await fault.waits()) is not None:
                await write(data[after:until])
                after = until
            await write(data[after:])
    await response.write_eof()
    return response


async def send_json(
    http: web.Request, body: bytes, fault: Fault | None, request_id: str
) -> web.StreamResponse:
    """Send an answer without streaming; a cut or a malformed event becomes half a body."""
    if isinstance(fault, Stalled):
        await asyncio.sleep(fault.seconds)
    elif isinstance(fault, Hold):
        await fault.waits()
    elif isinstance(fault, Malformed | Truncated):
        body = body[: len(body) // 2]
    elif isinstance(fault, Cut):
        response = web.StreamResponse(headers={"Content-Length": str(len(body))})
        response.content_type = "application/json"
        await response.prepare(http)
        await response.write(body[: len(body) // 2])
        await asyncio.sleep(0.02)
        hang_up(http, reset=fault.reset)
        raise Broken
    return web.Response(
        body=body, content_type="application/json", headers={"request-id": request_id}
    )
