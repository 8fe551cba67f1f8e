"""Read a folder's files, to compare them or to search them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path


def each_file(folder: Path) -> Iterator[tuple[Path, bytes]]:
    """Yield every file below the folder with its content, except what another process removes or
    renames meanwhile."""
    for where, _, names in os.walk(folder):  # it passes over a folder that is removed
        for path in (Path(where) / name for name in names):
            with suppress(FileNotFoundError):
                if path.is_file():
                    yield path, path.read_bytes()


def tree(folder: Path) -> dict[str, bytes]:
    """Return every file below the folder: relative path → content."""
    return {path.relative_to(folder).as_posix(): data for path, data in each_file(folder)}


def having(word: bytes, *folders: Path) -> list[Path]:
    """Return the files below the folders that contain the word, which is in lower case."""
    return [path for each in folders for path, data in each_file(each) if word in data.lower()]
