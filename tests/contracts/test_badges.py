"""The README's badges are local files, and what they say is true."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def badge(name: str) -> str:
    """Return the alternative text of a badge in the README."""
    path = f"docs/images/badge-{name}.svg"
    assert f"({path})" in (ROOT / "README.md").read_text("utf-8")
    found = re.search(r'aria-label="([^"]+)"', (ROOT / path).read_text("utf-8"))
    assert found is not None
    return found[1]


def test_the_badges_of_the_readme_match_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert badge("python") == f"python: {project['requires-python'].removeprefix('>=')} or newer"
    licence = (ROOT / "LICENSE").read_text("utf-8")
    assert badge("licence") == "licence: MIT" and licence.startswith("MIT License")
    # tests/system/test_first_chat.py runs a conversation of thirty messages without one.
    assert badge("no-key") == "API key: not needed"
