"""The check of `sam doctor` that the folders in the settings are absolute paths."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

from memory import config

from ..settings import Settings
from .report import Problem


async def relative_folders(settings: Settings) -> AsyncIterator[Problem]:
    """Check that each folder is given by an absolute path."""
    for name in Settings.model_fields:
        folder = getattr(settings, name)
        if isinstance(folder, Path) and not folder.is_absolute():
            lines = " or ".join(f"{name.upper()}={place}" for place in _meant(folder))
            yield Problem(
                "relative-folder",
                f"{name.upper()}={folder} depends on where Sam is started: in another folder it "
                "would begin with an empty one",
                f"write {lines} instead",
            )


def _meant(folder: Path) -> list[Path]:
    """Return what a relative path may mean: those below the folder of `.env` and the working folder
    that exist; the first if neither does."""
    beside = (config.env_file() or Path(".env")).absolute().parent
    places = list(dict.fromkeys([beside / folder, Path.cwd() / folder]))
    return [place for place in places if place.exists()] or places[:1]
