"""What pyproject.toml declares: the packages that Sam and its tests need."""

from __future__ import annotations

import re
import tomllib

from tests.support.process import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
LISTED = [
    *PROJECT["dependencies"],
    *(each for extra in PROJECT["optional-dependencies"].values() for each in extra),
]
"""Every direct requirement, with those of all extras."""


def named(requirement: str) -> str:
    """The distribution that a requirement asks for, as PEP 503 compares names."""
    found = re.match(r"[\w.-]+", requirement)
    return re.sub(r"[-_.]+", "-", found[0]).lower() if found else ""
