"""What PostgreSQL keeps of deleted rows, in words; with SQLite nothing is left to say."""

from __future__ import annotations

from datetime import datetime, timedelta

from memory import profile_of
from memory.log import Tenant
from memory.text import tr

from .settings import Settings


def engine_keeps(settings: Settings, now: datetime) -> list[str]:
    """Return what the database engine still has of rows that are deleted now, and until when: a
    sentence, or none with SQLite."""
    tenant = profile_of(settings).tenant
    if tenant is None:
        return []
    return [*_server_keeps(tenant, settings.database_keeps_days, now), *_workers_keep(settings)]


def _workers_keep(settings: Settings) -> list[str]:
    if settings.cache_dir is None:
        return []
    return [
        tr(
            "Another worker that served this memory before still has it in its search index, until "
            "it serves this memory again or its CACHE_DIR is deleted."
        )
    ]


def _server_keeps(tenant: Tenant, days: int | None, now: datetime) -> list[str]:
    if days is None:
        return [
            tr(
                "{server} still has the deleted text in its data files until it reuses the space, "
                "and in its write-ahead log, standbys and dumps for as long as its operator keeps "
                "them: DATABASE_KEEPS_DAYS is not set.",
                server=tenant.server,
            )
        ]
    return [
        tr(
            "{server} still has the deleted text in its data files until it reuses the space, "
            "and in its write-ahead log, standbys and dumps until {last:%Y-%m-%d}, by "
            "DATABASE_KEEPS_DAYS.",
            server=tenant.server,
            last=now + timedelta(days=days),
        )
    ]
