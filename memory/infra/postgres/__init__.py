"""The store of one owner in PostgreSQL. It imports psycopg only when such a store is opened."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from ...errors import ConfigError
from ..store import Store


@dataclass(frozen=True, slots=True)
class Tenant:
    """Whose rows in which database: the address of DATABASE_URL, and a name that is not empty."""

    url: str = field(repr=False)  # it contains the password
    name: str


async def open_tenant(tenant: Tenant, schema: str, folder: Path) -> Store:
    """Open the tenant's tables of a schema; make or migrate them by the folder's files first.

    Raises ConfigError without psycopg, StoreDown if nothing answers, StoreError if the role
    bypasses row-level security.
    """
    try:
        from .store import PostgresStore
    except ImportError as missing:
        raise ConfigError(
            ["DATABASE_URL needs psycopg: pip install 'sam-memory[server]'"]
        ) from missing
    return await PostgresStore.open(tenant.url, schema=schema, tenant=tenant.name, folder=folder)
