"""Settings that would fail only later: MEMORY_FILE outside the vault."""

from __future__ import annotations

import pytest

from memory.config import MemorySettings, read
from memory.errors import ConfigError


@pytest.fixture(autouse=True)
def no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAM_NO_ENV_FILE", "1")


@pytest.mark.parametrize("pattern", ["/home/ana/%Y-%m-%d.md", "../%Y-%m-%d.md"])
def test_the_days_files_lie_in_the_vault(monkeypatch: pytest.MonkeyPatch, pattern: str) -> None:
    monkeypatch.setenv("MEMORY_FILE", pattern)
    with pytest.raises(ConfigError, match="MEMORY_FILE: a path inside the vault"):
        read(MemorySettings)
