"""A local vault, a remote folder, and the sync between them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

from bot.sync import Instructions, Sync, no_progress
from bot.sync.session import Progress
from memory.vault import Vault
from tests.support import files

NOW = datetime(2026, 11, 21, 14, 30, tzinfo=UTC)


class World:
    """A local vault, a remote folder, and the sync between them."""

    def __init__(self, tmp_path: Path, remote: str = "", *, sam_dir: str = "") -> None:
        self.far = tmp_path / "far"
        self.remote = remote or str(self.far)
        self.vault = Vault(tmp_path / "vault", sam_dir=sam_dir, data_dir=tmp_path / "data")
        self.sync = syncing(self.remote, self.vault, zone=ZoneInfo("Europe/Rome"))

    def here(self, name: str, text: str | bytes) -> None:
        put(self.vault.root / name, text)

    def there(self, name: str, text: str | bytes) -> None:
        put(self.far / name, text)

    async def begun(self, **texts: str) -> None:
        """Sync once, so that both sides have these notes (named without .md)."""
        self.here("home.md", "home\n")
        for name, text in texts.items():
            self.here(f"{name}.md", text)
        await self.sync.run()

    def same(self) -> dict[str, str]:
        """Assert that both sides are equal, and return their files."""
        assert tree(self.vault.root) == tree(self.far)
        return tree(self.far)


class Killed(BaseException):
    """Ends the sync as a kill does: nothing after it runs."""


def killed(*_: object) -> None:
    raise Killed


async def nothing_forgotten(lines: Collection[str]) -> set[str]:
    """Return no forgotten lines, for a sync without an open log."""
    return set()


def syncing(
    remote: str,
    vault: Vault,
    clock: Callable[[], datetime] = lambda: NOW,
    zone: tzinfo = UTC,
    progress: Progress = no_progress,
    instructions: Instructions = "tell",
) -> Sync:
    """Return a sync of a vault from which nothing was ever forgotten."""
    return Sync(
        remote,
        vault,
        clock=clock,
        zone=zone,
        entombed=nothing_forgotten,
        progress=progress,
        instructions=instructions,
    )


def rclones(folder: Path) -> list[int]:
    """Return the ids of the rclone processes that carry to or from the folder."""
    found = []
    for each in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it has ended meanwhile
            program, *words = each.read_text("utf-8", "replace").split("\0")
            if Path(program).name == "rclone" and any(str(folder) in word for word in words):
                found.append(int(each.parent.name))
    return found


def put(path: Path, text: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())


def tree(root: Path) -> dict[str, str]:
    """Return every file below the folder: relative path → text."""
    return {
        path: data.decode("utf-8", "replace") for path, data in sorted(files.tree(root).items())
    }
