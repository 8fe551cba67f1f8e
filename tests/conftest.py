"""What every test begins with."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    """The command line narrows the process's umask, which is not a test's to pass on."""
    before = os.umask(0o022)
    yield
    os.umask(before)
