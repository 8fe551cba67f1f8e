"""Run a whole module's tests on SQLite and on PostgreSQL: whatever they open has its log and inbox
there.

    pytestmark = pytest.mark.usefixtures("engine")

The fixture of conftest.py gives each test a new database. It reaches the settings that tests make
by `memories.settings`, `Home.settings` and `telegram.settings`. What forgetting tests say of bytes
holds for the data folder and the vault: PostgreSQL keeps deleted rows until its own VACUUM.
"""

from __future__ import annotations

from typing import TypeVar

import pytest
from pydantic import SecretStr

from memory.config import MemorySettings

S = TypeVar("S", bound=MemorySettings)

_url: str | None = None


def use(url: str | None) -> None:
    """Let the settings of the tests name that database from now on; None: SQLite."""
    global _url
    _url = url


def with_engine(settings: S) -> S:
    """Return the settings with the database of the running test."""
    if _url is None:
        return settings
    return settings.model_copy(update={"database_url": SecretStr(_url)})


def in_this_process_only() -> None:
    """Skip the rest of a test that starts `sam` on PostgreSQL: the command refuses DATABASE_URL."""
    if _url is not None:
        pytest.skip("`sam` refuses DATABASE_URL so far: a process cannot run on PostgreSQL")
