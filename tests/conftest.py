"""What every test begins with."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

# The same examples at each run, however busy the machine is: a change is judged by what it changed,
# not by a draw. `pytest --hypothesis-profile search` draws other ones, and ten times as many.
settings.register_profile(
    "same", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "search", settings.get_profile("same"), derandomize=False, max_examples=1000
)
settings.load_profile("same")

if TYPE_CHECKING:
    from tests.support.postgres import Cluster
    from tests.support.stores import Stores

# jsonschema reads forty grammars of addresses, for seconds, where a tool of ours has brought this
# package along. No schema of the tests asks for an address.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]  # None: not to be found


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object:
    """Keep together what shares something expensive, where pytest-xdist runs the tests."""
    from tests.support.xdist_groups import GroupScheduling

    return GroupScheduling(config, log)


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    """The command line narrows the process's umask, which is not a test's to pass on."""
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """A running PostgreSQL; the test is skipped where there is none."""
    from tests.support.postgres import start

    running = start()
    yield running
    running.remove()


@pytest.fixture(params=["sqlite", "postgres"])
def engine(request: pytest.FixtureRequest) -> Iterator[str]:
    """The test runs once on each engine; its settings name a new database of PostgreSQL."""
    from tests.support import engines

    if request.param == "postgres":
        engines.use(request.getfixturevalue("postgres").new_database())
    yield request.param
    engines.use(None)


@pytest.fixture(params=["sqlite", "postgres"])
def stores(request: pytest.FixtureRequest, tmp_path: Path) -> Stores:
    """A log and an inbox, in SQLite and in PostgreSQL: the test runs once on each."""
    from tests.support.postgres import new_tenant
    from tests.support.stores import Stores

    if request.param == "sqlite":
        return Stores(tmp_path, None)
    return Stores(tmp_path, new_tenant(request.getfixturevalue("postgres")))
