"""A profile: one person's, or one group's, folders and time zone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from .config import MemorySettings
from .errors import ConfigError, StoreError
from .infra.postgres import Tenant, store_file
from .notes.markdown import split_front_matter

OWNER = "owner"
_GROUP = "group"


def group_profile(chat_id: int) -> str:
    """Return the name of the profile of a group, whose id is negative: `group-100123`."""
    return f"{_GROUP}{chat_id}"


def is_group(profile: str) -> bool:
    """Return whether that is the name of a group's profile."""
    return profile.startswith(f"{_GROUP}-")


class _Inside(property):
    """The path of that name in a data folder; `own`: in the folder of what each worker has for
    itself."""

    def __init__(self, name: str, *, own: bool = False) -> None:
        super().__init__(lambda files: ((own and files.cache) or files.path) / name)

    if TYPE_CHECKING:

        def __get__(self, files: Any, kind: type | None = None, /) -> Path:  # type: ignore[override]  # not of the class
            ...


@dataclass(frozen=True, slots=True)
class DataDir:
    """What lies where in a profile's data folder. Some of it only the owner's has."""

    path: Path
    cache: Path | None = None
    """The folder of what each worker has for itself; None: there is one worker, and it is here."""

    log = _Inside("log.db")
    """The database of all that was said."""
    inbox = _Inside("inbox.db")
    """The owner's: the database of what came from Telegram, and goes there."""
    index = _Inside("index", own=True)
    """The folder of the index."""
    sync = _Inside("sync")
    """The owner's: the folder of what the sync remembers."""
    vault_marker = _Inside("vault.json")
    """Which vault was used, and how many notes it had."""
    forgotten = _Inside("forgotten")
    """The hashes of the files that were deleted for good."""
    tombstone_key = _Inside("tombstones.key")
    """The key of the hashes of what must not be written again."""
    media = _Inside("media")
    """The pictures and files of the last days, which the owner may keep in the vault."""
    transfer = _Inside("transfer")
    """Is there as long as a packed export is made or read."""
    transfer_lock = _Inside("transfer.lock")
    """Locked while a packed export is made or read."""
    restoring = _Inside("restoring")
    """Is there as long as a backup is put into the folder."""
    backups = _Inside("backups")
    """The owner's: where backups go unless BACKUP_DIR says otherwise."""
    chat_log = _Inside("chat.log")
    """The owner's: what `sam chat` logs, since it cannot be on the terminal."""
    chat_history = _Inside("history")
    """The owner's: the lines that were typed in `sam chat`."""
    web_access = _Inside("web.json")
    """The owner's: hashes of the links and sessions of the web console."""
    web_lock = _Inside("web.lock")
    """The owner's: locked while `web_access` is changed."""
    mcp_token = _Inside("mcp.token")
    """The hash of the token of `sam mcp --http`."""
    run_lock = _Inside("run.lock")
    """The owner's: locked by the one process that is `sam run`."""
    outage = _Inside("outage")
    """The owner's: when the database stopped answering, until that is reported."""
    spending_lock = _Inside("spending.lock")
    """The owner's: locked while a call of a model is checked against the budget of all."""
    chat_lock = _Inside("chat.lock")
    """The owner's: locked by the first `sam chat`, which takes up what was left unanswered."""
    backup_lock = _Inside("backup.lock")
    """The owner's: locked while a backup is made."""
    sync_lock = _Inside("sync/sync.lock")
    """The owner's: locked while the vault is synced."""
    rclone_lock = _Inside("sync/rclone.lock")
    """The owner's: inherited by the rclone at work, and locked as long as it lives."""
    batch_lock = _Inside("batch.lock")
    """Locked while messages are summarised."""
    vault_lock = _Inside("vault.lock")
    """Locked during each edit of the vault."""
    index_lock = _Inside("index.lock", own=True)
    """Locked while the published index is written to."""
    vectors = _Inside("vectors.db")
    """The database of the vectors that all workers share. A single one has them in its index
    alone."""
    vectors_lock = _Inside("vectors.lock")
    """Locked while `vectors` is read or written."""
    rebuild_lock = _Inside("rebuild.lock", own=True)
    """Locked while a new index generation is built."""
    rebuild_page_lock = _Inside("rebuild-page.lock", own=True)
    """Locked while a page is written to the index generation being built."""

    def create(self) -> None:
        """Create the folder, for its owner alone, unless it is there. Raises StoreError."""
        try:
            self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as wrong:
            raise StoreError(
                f"The data folder {self.path} cannot be created ({wrong.strerror}): set DATA_DIR to"
                " a folder that you may write."
            ) from wrong

    def job_lock(self, job: str) -> Path:
        """Locked while that job runs."""
        return self.path / f"job-{job}.lock"


@dataclass(frozen=True, slots=True)
class Profile:
    """One person's or group's memory and its folders. Profiles share nothing."""

    name: str
    vault: Path
    data: Path
    tenant: Tenant | None = None
    """Its rows in PostgreSQL; None: its log is in SQLite."""
    cache: Path | None = None
    """The folder of what each of several workers has for itself."""

    @property
    def log_file(self) -> Path:
        """The file that exists once the log has been opened, and changes with each write."""
        return store_file(self.files.log, self.tenant)

    @property
    def files(self) -> DataDir:
        """What lies in its data folder."""
        return DataDir(self.data, self.cache)


def profile_of(settings: MemorySettings, name: str = OWNER) -> Profile:
    """Return the profile with its folders: the owner's are VAULT_DIR and DATA_DIR, all others lie
    in PROFILES_DIR."""
    url = settings.database_url
    tenant = Tenant(url.get_secret_value(), name) if url else None
    cache = settings.cache_dir / name if settings.cache_dir else None
    if name == OWNER:
        return Profile(name, settings.vault_dir, settings.data_dir, tenant, cache)
    if not name.replace("-", "").replace("_", "").isalnum():
        raise ConfigError([f"{name!r} is no name for a profile: use letters, digits, - and _"])
    home = settings.profiles_dir / name
    return Profile(name, home / "vault", home / "data", tenant, cache)


def zone_of(settings: MemorySettings, user_note: str | None) -> tzinfo:
    """Return the owner's time zone: user.md's `timezone`, else TIMEZONE, else the machine's. Raises
    ConfigError if the machine's has no name."""
    said = ""
    if user_note is not None:
        said = str(split_front_matter(user_note)[0].get("timezone") or "").strip()
    for name in (said, settings.timezone):
        if name:
            try:
                return ZoneInfo(name)
            except (KeyError, ValueError, OSError):
                continue  # a mistyped name in user.md: doctor reports it, Sam still runs
    from tzlocal import get_localzone

    try:
        return get_localzone()
    except ZoneInfoNotFoundError:  # TZ=UTC+2, or files that contradict
        raise ConfigError(
            ["The time zone of this machine has no name: set TIMEZONE to one like Europe/Berlin"]
        ) from None
