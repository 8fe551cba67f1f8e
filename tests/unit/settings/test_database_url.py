"""DATABASE_URL: only PostgreSQL is accepted, and only where its driver is installed."""

from __future__ import annotations

import importlib.util
from urllib.parse import quote

import pytest
from psycopg.conninfo import conninfo_to_dict

from memory import config
from memory.config import MemorySettings, read
from memory.errors import ConfigError
from memory.profile import profile_of


@pytest.fixture(autouse=True)
def no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAM_NO_ENV_FILE", "1")


def test_an_empty_database_url_means_sqlite(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "")
    assert read(MemorySettings).database_url is None


@pytest.mark.parametrize("scheme", ["postgresql", "postgres"])
def test_postgresql_is_accepted(monkeypatch: pytest.MonkeyPatch, scheme: str) -> None:
    monkeypatch.setenv("DATABASE_URL", f"{scheme}://sam:canary@localhost/sam")
    assert "canary" not in repr(read(MemorySettings))


@pytest.mark.parametrize("url", ["mysql://sam:canary@localhost/sam", "host=localhost canary"])
def test_another_engine_is_refused_and_not_ignored(
    monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("DATABASE_URL", url)
    with pytest.raises(ConfigError, match=r"DATABASE_URL: use postgresql://.*env -u") as why:
        read(MemorySettings)
    assert "canary" not in str(why.value)


@pytest.mark.parametrize("missing", ["psycopg", "psycopg_pool"])
def test_without_the_driver_it_is_said_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(config, "find_spec", lambda name: None if name == missing else find(name))
    monkeypatch.setenv("DATABASE_URL", "postgresql://localhost/sam")
    with pytest.raises(ConfigError, match=r"pip install -e '.\[server\]'"):
        read(MemorySettings)


@pytest.mark.parametrize("password", ["can%ary", "can@ary", "can/ary", "can ary"])
def test_a_password_that_would_be_misread_is_refused_without_showing_it(
    monkeypatch: pytest.MonkeyPatch, password: str
) -> None:
    monkeypatch.setenv("DATABASE_URL", f"postgresql://sam:{password}@db.example.org/sam")
    with pytest.raises(ConfigError, match=r"DATABASE_URL: write .* as %40") as why:
        read(MemorySettings)
    assert "can" not in str(why.value) and "ary" not in str(why.value)
    coded = quote(password, safe="")
    monkeypatch.setenv("DATABASE_URL", f"postgresql://sam:{coded}@db.example.org/sam")
    assert profile_of(read(MemorySettings)).tenant is not None


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("postgresql://sam:can[ary#?@db.example.org:5433/sam", "db.example.org:5433"),
        ("postgresql://[::1]/sam?user=me@here", "[::1]"),
        ("postgresql://sam@/sam?host=/run/postgresql", "/run/postgresql"),
        ("postgres:///sam?user=me@here", "this machine"),
    ],
)
def test_the_server_is_named_without_the_password(
    monkeypatch: pytest.MonkeyPatch, url: str, name: str
) -> None:
    monkeypatch.setenv("DATABASE_URL", url)
    tenant = profile_of(read(MemorySettings)).tenant
    assert tenant is not None and tenant.server == f"PostgreSQL on {name}"
    assert conninfo_to_dict(url)["dbname"] == "sam"
