"""A profile: one person's, or one group's, folders and time zone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import tzinfo
from pathlib import Path
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


@dataclass(frozen=True, slots=True)
class DataDir:
    """What lies where in a profile's data folder. Some of it only the owner's has."""

    path: Path
    cache: Path | None = None
    """The folder of what each worker has for itself; None: there is one worker, and it is here."""

    def create(self) -> None:
        """Create the folder, for its owner alone, unless it is there. Raises StoreError."""
        try:
            self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as wrong:
            raise StoreError(
                f"The data folder {self.path} cannot be created ({wrong.strerror}): set DATA_DIR to"
                " a folder that you may write."
            ) from wrong

    @property
    def log(self) -> Path:
        """The database of all that was said."""
        return self.path / "log.db"

    @property
    def inbox(self) -> Path:
        """The owner's: the database of what came from Telegram, and goes there."""
        return self.path / "inbox.db"

    @property
    def index(self) -> Path:
        """The folder of the index."""
        return self._own / "index"

    @property
    def sync(self) -> Path:
        """The owner's: the folder of what the sync remembers."""
        return self.path / "sync"

    @property
    def vault_marker(self) -> Path:
        """Which vault was used, and how many notes it had."""
        return self.path / "vault.json"

    @property
    def forgotten(self) -> Path:
        """The hashes of the files that were deleted for good."""
        return self.path / "forgotten"

    @property
    def tombstone_key(self) -> Path:
        """The key of the hashes of what must not be written again."""
        return self.path / "tombstones.key"

    @property
    def media(self) -> Path:
        """The pictures and files of the last days, which the owner may keep in the vault."""
        return self.path / "media"

    @property
    def transfer(self) -> Path:
        """Is there as long as a packed export is made or read."""
        return self.path / "transfer"

    @property
    def transfer_lock(self) -> Path:
        """Locked while a packed export is made or read."""
        return self.path / "transfer.lock"

    @property
    def restoring(self) -> Path:
        """Is there as long as a backup is put into the folder."""
        return self.path / "restoring"

    @property
    def backups(self) -> Path:
        """The owner's: where backups go unless BACKUP_DIR says otherwise."""
        return self.path / "backups"

    @property
    def chat_log(self) -> Path:
        """The owner's: what `sam chat` logs, since it cannot be on the terminal."""
        return self.path / "chat.log"

    @property
    def chat_history(self) -> Path:
        """The owner's: the lines that were typed in `sam chat`."""
        return self.path / "history"

    @property
    def web_access(self) -> Path:
        """The owner's: hashes of the links and sessions of the web console."""
        return self.path / "web.json"

    @property
    def web_lock(self) -> Path:
        """The owner's: locked while `web_access` is changed."""
        return self.path / "web.lock"

    @property
    def mcp_token(self) -> Path:
        """The hash of the token of `sam mcp --http`."""
        return self.path / "mcp.token"

    @property
    def run_lock(self) -> Path:
        """The owner's: locked by the one process that is `sam run`."""
        return self.path / "run.lock"

    @property
    def outage(self) -> Path:
        """The owner's: when the database stopped answering, until that is reported."""
        return self.path / "outage"

    @property
    def spending_lock(self) -> Path:
        """The owner's: locked while a call of a model is checked against the budget of all."""
        return self.path / "spending.lock"

    @property
    def chat_lock(self) -> Path:
        """The owner's: locked by the first `sam chat`, which takes up what was left unanswered."""
        return self.path / "chat.lock"

    @property
    def backup_lock(self) -> Path:
        """The owner's: locked while a backup is made."""
        return self.path / "backup.lock"

    @property
    def sync_lock(self) -> Path:
        """The owner's: locked while the vault is synced."""
        return self.sync / "sync.lock"

    @property
    def rclone_lock(self) -> Path:
        """The owner's: inherited by the rclone at work, and locked as long as it lives."""
        return self.sync / "rclone.lock"

    @property
    def batch_lock(self) -> Path:
        """Locked while messages are summarised."""
        return self.path / "batch.lock"

    @property
    def vault_lock(self) -> Path:
        """Locked during each edit of the vault."""
        return self.path / "vault.lock"

    @property
    def index_lock(self) -> Path:
        """Locked while the published index is written to."""
        return self._own / "index.lock"

    @property
    def vectors(self) -> Path:
        """The database of the vectors that all workers share. A single one has them in its index
        alone."""
        return self.path / "vectors.db"

    @property
    def vectors_lock(self) -> Path:
        """Locked while `vectors` is read or written."""
        return self.path / "vectors.lock"

    @property
    def rebuild_lock(self) -> Path:
        """Locked while a new index generation is built."""
        return self._own / "rebuild.lock"

    @property
    def rebuild_page_lock(self) -> Path:
        """Locked while a page is written to the index generation being built."""
        return self._own / "rebuild-page.lock"

    @property
    def _own(self) -> Path:
        return self.cache or self.path

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
