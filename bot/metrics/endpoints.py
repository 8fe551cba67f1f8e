"""`/metrics`, `/healthz` and `/readyz` of `sam run`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from itertools import accumulate

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from memory import Clock, StoreError

from ..inbox import Inbox, InboxLoad
from .measures import RECALL_SECONDS, Measures

SECONDS = 5.0  # for the database's answer; Prometheus itself waits for 10 by default


class _Snapshot(Collector):
    def __init__(
        self, measures: Measures, load: InboxLoad | None, open_profiles: int, now: datetime
    ) -> None:
        self._measures, self._load = measures, load
        self._open_profiles, self._now = open_profiles, now

    def collect(self) -> Iterator[Metric]:
        """Yield all families."""
        yield _gauge("sam_database_up", "Whether the database answers.", self._load is not None)
        yield _gauge("sam_open_profiles", "Profiles that are in memory.", self._open_profiles)
        if self._load is not None:
            yield from _of_inbox(self._load, self._now)
        yield from _of_process(self._measures)


def exposition(
    measures: Measures, load: InboxLoad | None, open_profiles: int, now: datetime
) -> bytes:
    """Return the text. `load`: None while the database does not answer."""
    registry = CollectorRegistry()
    registry.register(_Snapshot(measures, load, open_profiles, now))
    return generate_latest(registry)


def _of_inbox(load: InboxLoad, now: datetime) -> Iterator[Metric]:
    yield _counter("sam_updates_received", "Updates from Telegram that were stored.", load.updates)
    yield _counter("sam_replies", "Messages that Sam wrote.", load.replies)
    yield _gauge("sam_updates_waiting", "Updates that are not handled yet.", load.waiting)
    yield _gauge(
        "sam_oldest_waiting_seconds",
        "Age of the oldest update that is not handled yet; 0 if there is none.",
        0.0 if load.oldest is None else max(0.0, (now - load.oldest).total_seconds()),
    )
    yield _gauge("sam_replies_waiting", "Replies that Telegram or the log lacks.", load.unsettled)


def _of_process(measures: Measures) -> Iterator[Metric]:
    labels = ("model", "purpose")
    calls = CounterMetricFamily("sam_model_calls", "Calls of models that ended.", labels=labels)
    usd = CounterMetricFamily("sam_model_usd", "US dollars, by the price list.", labels=labels)
    for key, count in sorted(measures.model_calls.items()):
        calls.add_metric(key, count)
        usd.add_metric(key, measures.model_usd[key])
    yield from (calls, usd)
    runs = CounterMetricFamily("sam_job_runs", "Runs of jobs.", labels=("job", "outcome"))
    for (job, failed), count in sorted(measures.job_runs.items()):
        runs.add_metric((job, "failed" if failed else "done"), count)
    yield runs
    bounds = [*map(str, RECALL_SECONDS), "+Inf"]
    recall = HistogramMetricFamily("sam_recall_seconds", "Time of the recall for an answer.")
    recall.add_metric(
        (),
        buckets=list(zip(bounds, accumulate(measures.recalls), strict=True)),
        sum_value=measures.recall_seconds,
    )
    yield recall


def _counter(name: str, text: str, value: float) -> Metric:
    family = CounterMetricFamily(name, text)
    family.add_metric((), value)
    return family


def _gauge(name: str, text: str, value: float) -> Metric:
    family = GaugeMetricFamily(name, text)
    family.add_metric((), value)
    return family


def endpoints(
    inbox: Inbox,
    measures: Measures,
    clock: Clock,
    *,
    open_profiles: Callable[[], int],
    stalled: Callable[[], Sequence[str]],
    connected: Callable[[], bool],
) -> Starlette:
    """Return the application. `stalled`: the parts of the process that only a restart helps;
    `connected`: whether Telegram has been reached."""

    async def load() -> InboxLoad | None:
        try:
            async with asyncio.timeout(SECONDS):
                return await inbox.load()
        except (StoreError, TimeoutError):
            return None

    async def metrics(request: Request) -> Response:
        text = exposition(measures, await load(), open_profiles(), clock())
        return Response(text, media_type=CONTENT_TYPE_LATEST)

    async def healthz(request: Request) -> Response:
        if parts := stalled():
            return PlainTextResponse(f"stalled: {', '.join(parts)}\n", 503)
        return PlainTextResponse("ok\n")

    async def readyz(request: Request) -> Response:
        lacking = [] if connected() else ["telegram"]
        if await load() is None:
            lacking.append("database")
        return JSONResponse({"ready": not lacking, "lacking": lacking}, 503 if lacking else 200)

    return Starlette(
        routes=[
            Route("/metrics", metrics),
            Route("/healthz", healthz),
            Route("/readyz", readyz),
        ]
    )
