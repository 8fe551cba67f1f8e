"""Run all tests of a module on SQLite and on PostgreSQL (for the log and the inbox).

    pytestmark = pytest.mark.usefixtures("engine")

The fixture in conftest.py gives each test a new database. It applies to settings made by
`memories.settings`, `Home.settings` and `telegram.settings`. Tests that forgotten bytes are gone
check the data folder and the vault only: PostgreSQL keeps deleted rows until its own VACUUM.
"""

from __future__ import annotations

from typing import TypeVar

from pydantic import SecretStr

from memory.config import MemorySettings

MODULES = (
    "tests/unit/log/test_log.py",
    "tests/unit/inbox/test_inbox.py",
    "tests/integration/test_ledger.py",
    "tests/integration/test_turn.py",
)
"""The tests of log, inbox, ledger and turn, which run on both engines."""

S = TypeVar("S", bound=MemorySettings)

_url: str | None = None


def use(url: str | None) -> None:
    """Make the tests' settings use this database URL from now on; None: SQLite."""
    global _url
    _url = url


def with_engine(settings: S) -> S:
    """Return the settings with the current test's database."""
    if _url is None:
        return settings
    return settings.model_copy(update={"database_url": SecretStr(_url)})


def environment() -> dict[str, str]:
    """Return the variables that let a process use the database of the running test."""
    return {} if _url is None else {"DATABASE_URL": _url}
