"""Read the packages that pyproject.toml declares for Sam and its tests."""

from __future__ import annotations

import re
import tomllib

from tests.support.process import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
LISTED = [
    *PROJECT["dependencies"],
    *(each for extra in PROJECT["optional-dependencies"].values() for each in extra),
]
"""Every direct requirement, including those of all extras."""


def named(requirement: str) -> str:
    """Return the distribution that a requirement names, normalised as in PEP 503."""
    found = re.match(r"[\w.-]+", requirement)
    return re.sub(r"[-_.]+", "-", found[0]).lower() if found else ""
