"""Mistakes of the settings that would show only later: MEMORY_FILE, and the zone."""

from __future__ import annotations

import pytest

from memory.config import MemorySettings, read
from memory.errors import ConfigError
from memory.profile import zone_of


@pytest.fixture(autouse=True)
def no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAM_NO_ENV_FILE", "1")


@pytest.mark.parametrize("pattern", ["/home/ana/%Y-%m-%d.md", "../%Y-%m-%d.md"])
def test_the_days_files_lie_in_the_vault(monkeypatch: pytest.MonkeyPatch, pattern: str) -> None:
    monkeypatch.setenv("MEMORY_FILE", pattern)
    with pytest.raises(ConfigError, match="MEMORY_FILE: a path inside the vault"):
        read(MemorySettings)


@pytest.mark.parametrize("zone", ["UTC+2", "CET-1CEST,M3.5.0,M10.5.0/3"])
def test_a_machines_zone_without_a_name_is_a_mistake_of_the_settings(
    monkeypatch: pytest.MonkeyPatch, zone: str
) -> None:
    monkeypatch.setenv("TZ", zone)
    with pytest.raises(ConfigError, match="set TIMEZONE"):
        zone_of(read(MemorySettings), None)
    monkeypatch.setenv("TIMEZONE", "Europe/Berlin")
    assert str(zone_of(read(MemorySettings), None)) == "Europe/Berlin"
