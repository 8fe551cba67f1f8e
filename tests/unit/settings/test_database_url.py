"""DATABASE_URL is refused, because only log and inbox support PostgreSQL so far."""

from __future__ import annotations

import pytest

from memory.config import MemorySettings, read
from memory.errors import ConfigError


def test_it_is_refused_and_not_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAM_NO_ENV_FILE", "1")
    monkeypatch.setenv("DATABASE_URL", "postgresql://sam:canary@localhost/sam")
    with pytest.raises(ConfigError, match=r"DATABASE_URL: Sam cannot run on PostgreSQL yet") as why:
        read(MemorySettings)
    assert "canary" not in str(why.value)
    monkeypatch.setenv("DATABASE_URL", "")
    assert read(MemorySettings).database_url is None
