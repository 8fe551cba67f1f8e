"""The tests' files are in memory only where there is room, and programs can run."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.support import memory_disk

GB = 1 << 30


@pytest.mark.parametrize(
    ("free", "flags", "fits"),
    [(8 * GB, 0, True), (64 << 20, 0, False), (8 * GB, os.ST_NOEXEC, False)],
)
def test_it_needs_room_and_runs_programs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, flags: int, fits: bool
) -> None:
    about = SimpleNamespace(f_flag=flags, f_bavail=free // 4096, f_frsize=4096)
    monkeypatch.setattr(os, "statvfs", lambda path: about)
    monkeypatch.setattr(memory_disk, "FOLDER", tmp_path)
    assert memory_disk.folder() == (tmp_path if fits else None)


def test_there_may_be_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_disk, "FOLDER", tmp_path / "none")
    assert memory_disk.folder() is None
