"""Global fixtures and pytest configuration."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

from tests.support import memory_disk

# Draw the same examples at each run, without deadlines, so that only a change of the code changes
# the result. `pytest --hypothesis-profile search` draws other examples, and ten times as many.
settings.register_profile(
    "same", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "search", settings.get_profile("same"), derandomize=False, max_examples=1000
)
settings.load_profile("same")

# Read by pytest's `tmp_path`, whose folders are there if nobody chose another place.
if "TMPDIR" not in os.environ and (folder := memory_disk.folder()):
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(folder))

# Read by rclone, which is written in Go: collecting garbage takes a quarter of its start-up.
os.environ.setdefault("GOGC", "off")

if TYPE_CHECKING:
    from tests.support.postgres import Cluster
    from tests.support.stores import Stores

# If this package is installed, jsonschema spends seconds on building forty URI grammars. No schema
# in the tests needs them.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]  # None: not to be found


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object:
    """Group tests that share expensive fixtures, if pytest-xdist is in use."""
    from tests.support.xdist_groups import GroupScheduling

    return GroupScheduling(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep the collected tests out of garbage collection.

    They live until the end: half a million objects, which each full collection would visit again.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    """Restore the umask after the test, because the command line narrows the process's."""
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """Provide a running PostgreSQL; skip the test if it is not installed."""
    from tests.support.postgres import start

    running = start()
    yield running
    running.remove()


@pytest.fixture(params=["sqlite", "postgres"])
def engine(request: pytest.FixtureRequest) -> Iterator[str]:
    """Run the test on each engine; on PostgreSQL its settings name a new database."""
    from tests.support import engines

    if request.param == "postgres":
        engines.use(request.getfixturevalue("postgres").new_database())
    yield request.param
    engines.use(None)


@pytest.fixture(params=["sqlite", "postgres"])
def stores(request: pytest.FixtureRequest, tmp_path: Path) -> Stores:
    """Provide a log and an inbox; the test runs once on SQLite and once on PostgreSQL."""
    from tests.support.postgres import new_tenant
    from tests.support.stores import Stores

    if request.param == "sqlite":
        return Stores(tmp_path, None)
    return Stores(tmp_path, new_tenant(request.getfixturevalue("postgres")))
