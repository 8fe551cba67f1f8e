"""`sam doctor` names the folders in the settings that depend on where Sam is started."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.doctor import Problem
from bot.doctor.checks import CHECKS
from bot.doctor.folder_checks import relative_folders
from bot.settings import Settings


async def found(settings: Settings) -> list[Problem]:
    return [problem async for problem in relative_folders(settings)]


async def test_a_relative_folder_is_named_with_the_absolute_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sam, elsewhere = tmp_path / "sam", tmp_path / "elsewhere"
    (sam / "v").mkdir(parents=True)
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    monkeypatch.setenv("SAM_ENV_FILE", str(sam / ".env"))
    settings = Settings(
        _env_file=None, vault_dir="./v", data_dir="./d", profiles_dir=tmp_path / "profiles"
    )
    vault, data = await found(settings)
    assert "VAULT_DIR=v depends on where Sam is started" in vault.what
    assert vault.advice == f"write VAULT_DIR={sam / 'v'} instead"
    assert data.advice == f"write DATA_DIR={sam / 'd'} instead"
    # Sam was started here too: only the owner knows which of the two to keep.
    (elsewhere / "v").mkdir()
    vault, _ = await found(settings)
    assert vault.advice == f"write VAULT_DIR={sam / 'v'} or VAULT_DIR={elsewhere / 'v'} instead"
    assert relative_folders in CHECKS


async def test_an_absolute_one_is_right(tmp_path: Path) -> None:
    assert await found(Settings(_env_file=None, vault_dir=tmp_path, data_dir="~/Sam/data")) == []
