"""Mistakes of the settings that would show only later: MEMORY_FILE, and the zone."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.app.worker import owners_zone
from bot.settings import Settings
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
    monkeypatch.setattr("tzlocal.unix._cache_tz", None)  # read by an earlier test of the process
    with pytest.raises(ConfigError, match="set TIMEZONE"):
        zone_of(read(MemorySettings), None)
    monkeypatch.setenv("TIMEZONE", "Europe/Berlin")
    assert str(zone_of(read(MemorySettings), None)) == "Europe/Berlin"


@pytest.mark.parametrize(
    ("name", "encoding"), [("user.md", "utf-8"), ("USER.md", "utf-8"), ("user.md", "cp1252")]
)
def test_each_worker_knows_the_owners_zone_as_their_memory_does(
    tmp_path: Path, name: str, encoding: str
) -> None:
    text = "---\ntimezone: Asia/Tokyo\n---\nLives in Zürich.\n"
    (tmp_path / name).write_text(text, encoding)
    folders = {"vault_dir": tmp_path, "data_dir": tmp_path.parent / "data"}
    settings = Settings(_env_file=None, timezone="Europe/Berlin", **folders)  # type: ignore[call-arg]
    assert str(owners_zone(settings)) == "Asia/Tokyo"
    (tmp_path / name).unlink()
    assert str(owners_zone(settings)) == "Europe/Berlin"
