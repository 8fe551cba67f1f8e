"""PostgreSQL refuses a connection: the message says why, and not that nothing answered."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from memory.errors import StoreDown
from memory.infra.postgres import Tenant, server
from memory.log import Log
from tests.support.logs import NOON

if TYPE_CHECKING:
    from tests.support.postgres import Cluster


@pytest.mark.parametrize(
    ("role", "database", "why"),
    [("sam", "nowhere", 'database "nowhere"'), ("nobody", "sam", 'role "nobody"')],
)
async def test_a_refused_connection_says_why(
    postgres: Cluster,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    role: str,
    database: str,
    why: str,
) -> None:
    monkeypatch.setattr(server, "WAIT", 1.0)
    tenant = Tenant(postgres.url(role, database), "owner")
    with pytest.raises(StoreDown, match=rf"refuses the connection \({why} does not exist\)"):
        await Log.open(tmp_path / "log.db", lambda: NOON, tenant=tenant)


async def test_a_server_that_is_not_there_does_not_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "WAIT", 1.0)
    tenant = Tenant(f"postgresql://sam@/sam?host={tmp_path}", "owner")
    with pytest.raises(StoreDown, match=r"does not answer \(No such file or directory\)"):
        await Log.open(tmp_path / "log.db", lambda: NOON, tenant=tenant)
