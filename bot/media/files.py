"""The files of messages on the disk, in DATA_DIR/media, by chat and message; they expire."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path

KEPT = timedelta(days=14)
"""How long files are kept without /keep: Telegram has them too, and the log has their text."""


class MediaFiles:
    """The folder `DataDir.media` of one profile. Its methods run in a thread."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, chat_id: int, message_id: int, suffix: str, unique: str = "") -> Path:
        """Return the path for the file of that message. `unique`: Telegram's id of its content, by
        which another file in its place is recognised."""
        content = f".{unique}" if unique else ""
        return self.folder / f"{chat_id}_{message_id}{content}{suffix}"

    def of(self, chat_id: int, message_id: int) -> Path | None:
        """Return the file of that message; None if there is none any more."""
        name = f"{chat_id}_{message_id}"
        return next((path for path in self._all() if path.name.partition(".")[0] == name), None)

    def expire(self, now: datetime) -> int:
        """Delete the files that are older than KEPT, unfinished ones included; their number."""
        before = (now - KEPT).timestamp()
        return self._delete(path for path in self._all() if path.stat().st_mtime < before)

    def forget(self, chat_id: int, message_ids: Iterable[int]) -> int:
        """Delete the files of those messages of a chat; return their number."""
        names = {f"{chat_id}_{number}" for number in message_ids}
        return self._delete(path for path in self._all() if path.name.partition(".")[0] in names)

    def _all(self) -> list[Path]:
        return sorted(self.folder.iterdir()) if self.folder.is_dir() else []

    @staticmethod
    def _delete(paths: Iterable[Path]) -> int:
        gone = list(paths)
        for path in gone:
            path.unlink(missing_ok=True)
        return len(gone)
