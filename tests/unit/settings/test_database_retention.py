"""What a receipt says about copies that Sam cannot delete."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from bot.settings import Settings, engine_keeps

NOW = datetime(2026, 2, 12, tzinfo=UTC)


def test_with_several_workers_it_names_the_indexes_of_the_others(tmp_path: Path) -> None:
    folders = {"vault_dir": tmp_path / "v", "data_dir": tmp_path / "d"}
    url = {"database_url": "postgresql://sam@localhost/sam"}
    alone = Settings(_env_file=None, **folders, **url)
    one_of_several = Settings(_env_file=None, **folders, **url, cache_dir=tmp_path / "cache")
    assert not any("another worker" in each for each in engine_keeps(alone, NOW))
    [server, workers] = engine_keeps(one_of_several, NOW)
    assert "write-ahead log" in server and "CACHE_DIR" in workers
    assert engine_keeps(Settings(_env_file=None, **folders), NOW) == []
