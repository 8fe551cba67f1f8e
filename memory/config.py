"""The settings of memory, and their loading.

They come from the environment, from `.env` (`env_file`), and from systemd credentials (a file per
name in $CREDENTIALS_DIRECTORY), in this order of precedence. Empty values count as not set.
"""

from __future__ import annotations

import ipaddress
import logging
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, cast
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pydantic import (
    BeforeValidator,
    Field,
    SecretStr,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic.fields import FieldInfo
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from .errors import ConfigError

log = logging.getLogger(__name__)


def _words(value: object) -> object:
    """`a, b` from the environment becomes a tuple."""
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    return value


def expanded(path: str) -> Path:
    """Return the path that `~/Notes` or `$HOME/Notes` means."""
    return Path(os.path.expandvars(path)).expanduser()


Words = Annotated[tuple[str, ...], BeforeValidator(_words)]
Folder = Annotated[Path, BeforeValidator(lambda it: expanded(it) if isinstance(it, str) else it)]

EmbeddingProvider = Literal["", "voyage", "openai", "local", "none"]
"""The modules of memory/embedding that are providers; empty: by the keys that are set."""


class _Variables(PydanticBaseSettingsSource):
    """Take the value of each field from the variable of its name, as it is.

    The source of pydantic-settings examines the types of all fields at each reading, for values in
    JSON. That took most of the time of a reading, and no setting is in JSON.
    """

    def __init__(self, kind: type[BaseSettings], variables: Mapping[str, str | None]) -> None:
        super().__init__(kind)
        self._variables = variables

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        return self._variables.get(field_name), field_name, False

    def __call__(self) -> dict[str, Any]:
        found = ((name, self._variables.get(name)) for name in self.settings_cls.model_fields)
        return {name: value for name, value in found if value is not None}


class MemorySettings(BaseSettings):
    """The settings of memory; `.env.example` is generated from the fields."""

    model_config = SettingsConfigDict(
        env_file_encoding="utf-8",
        extra="ignore",
        frozen=True,
        enable_decoding=False,
        env_ignore_empty=True,
    )

    vault_dir: Folder = Field(Path("~/Sam/vault").expanduser(), description="the vault: markdown")
    sam_dir: str = Field(
        "", description="Sam's folder in a vault that is yours (`Sam`); empty: the vault itself"
    )
    data_dir: Folder = Field(
        Path("~/Sam/data").expanduser(), description="databases and locks; never in the vault"
    )
    profiles_dir: Folder = Field(
        Path("~/Sam/profiles").expanduser(), description="the other people's vaults and data"
    )
    database_url: SecretStr | None = Field(
        None,
        description="PostgreSQL instead of SQLite for log and inbox, as"
        " postgresql://ROLE@HOST/DATABASE with the password (docs/scale.md)",
    )
    cache_dir: Folder | None = Field(
        None,
        description="this worker's own folder, for its search indexes: it lets several `sam run`"
        " share DATABASE_URL, DATA_DIR, VAULT_DIR and PROFILES_DIR (docs/scale.md)",
    )
    database_keeps_days: int | None = Field(
        None,
        ge=0,
        description="days after which dumps, WAL archives and standbys of PostgreSQL no longer"
        " have a deleted row; `/forget` shows it",
    )
    memory_file: str = Field("memories/%Y-%m-%d.md", description="a day's file, by strftime")
    index_exclude: Words = Field(
        (), description="globs of notes to leave out of the index, comma-separated"
    )
    timezone: str = Field(
        "", description="IANA name; empty: the machine's; user.md's `timezone` wins"
    )
    memory_language: str = Field(
        "auto", description="the language of summaries; auto: the conversation's"
    )

    voyage_api_key: SecretStr | None = Field(None, description="embeddings by Voyage")
    voyage_base_url: str | None = Field(None, description="with /v1; empty: the SDK's")
    embedding_provider: EmbeddingProvider = Field(
        "", description="empty: voyage with its key, else local"
    )
    embedding_model_name: str = Field(
        "", description="by provider: voyage-4-lite, text-embedding-3-small, the local one"
    )
    embedding_dimensions: int | None = Field(
        None, ge=16, le=4096, description="by provider: 1024, 1536, the local one's"
    )
    embedding_api_key: SecretStr | None = Field(
        None, description="the key of the provider `openai`"
    )
    embedding_base_url: str = Field(
        "https://api.openai.com/v1", description="any compatible endpoint: DashScope, Ollama, …"
    )
    embedding_consent: str = Field(
        "", description="a provider's name: existing notes of yours may be sent to it"
    )
    embedding_cache_enabled: bool = Field(True, description="keep vectors by the text's hash")
    fts_enabled: bool = Field(True, description="search by keywords")
    chunk_chars: int = Field(
        1600, ge=200, le=20_000, description="the longest passage in the index"
    )
    recall_hits: int = Field(
        8,
        ge=0,
        le=50,
        description="hits shown to Claude with each message; 12 more if it asks only for a period",
    )
    vector_weight: float = Field(
        0.35, ge=0, le=1, description="of vectors against keywords, in fusion"
    )
    candidate_multiplier: int = Field(
        3, ge=1, le=20, description="candidates of each kind a hit; 150 at least"
    )

    summary_threshold: int = Field(
        20, ge=1, le=1000, description="pending messages that make a summary"
    )
    summary_idle_minutes: int = Field(
        180, ge=1, description="silence after which six pending ones make one; fewer: after 3 hours"
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Return the sources, in the order of their precedence."""
        environment, file = (
            _Variables(settings_cls, cast(EnvSettingsSource, source).env_vars)
            for source in (env_settings, dotenv_settings)
        )
        return init_settings, environment, file, file_secret_settings

    @model_validator(mode="before")
    @classmethod
    def _without_empty(cls, values: Any) -> Any:
        # An unset credential is an empty file.
        if not isinstance(values, dict):
            return values
        return {name: value for name, value in values.items() if value != ""}

    @field_validator("database_url")
    @classmethod
    def _of_postgres(cls, url: SecretStr | None) -> SecretStr | None:
        if url is None:
            return None
        if not url.get_secret_value().startswith(("postgresql://", "postgres://")):
            raise ValueError(
                "use postgresql://USER:PASSWORD@HOST/DATABASE. If another program needs this"
                " variable, start Sam with `env -u DATABASE_URL`; without it, Sam uses SQLite"
            )
        if _is_misread(url.get_secret_value()):
            raise ValueError("write @ / % and a space in the password as %40 %2F %25 and %20")
        if find_spec("psycopg") is None or find_spec("psycopg_pool") is None:
            raise ValueError(
                "PostgreSQL needs psycopg: in Sam's folder, run"
                " .venv/bin/pip install -e '.[server]'"
            )
        return url

    @field_validator("timezone")
    @classmethod
    def _zone(cls, name: str) -> str:
        if name:
            try:
                ZoneInfo(name)
            except (KeyError, ValueError, OSError):
                raise ValueError(
                    f"no time zone is called {name!r}: use a name like Europe/Berlin"
                ) from None
        return name

    @field_validator("sam_dir")
    @classmethod
    def _inside(cls, folder: str) -> str:
        if Path(folder).is_absolute() or ".." in Path(folder).parts:
            raise ValueError("a folder inside the vault, like `Sam`")
        return folder.strip("/")

    @field_validator("memory_file")
    @classmethod
    def _dated(cls, pattern: str) -> str:
        if not all(part in pattern for part in ("%Y", "%m", "%d")) or not pattern.endswith(".md"):
            raise ValueError("needs %Y, %m and %d, and ends in .md")
        if Path(pattern).is_absolute() or ".." in Path(pattern).parts:
            raise ValueError("a path inside the vault, like memories/%Y-%m-%d.md")
        return pattern

    @model_validator(mode="after")
    def _agree(self) -> MemorySettings:
        if self.provider == "none" and not self.fts_enabled:
            raise ValueError(
                "EMBEDDING_PROVIDER=none and FTS_ENABLED=false leave nothing to search with:"
                " set one of them"
            )
        if self.embedding_provider == "voyage" and self.voyage_api_key is None:
            raise ValueError("EMBEDDING_PROVIDER=voyage needs VOYAGE_API_KEY")
        if self.data_dir == self.vault_dir or self.vault_dir in self.data_dir.parents:
            raise ValueError(
                "DATA_DIR may not lie in VAULT_DIR: databases do not belong in a synced vault"
            )
        if self.vault_dir in (self.profiles_dir, *self.profiles_dir.parents):
            raise ValueError(
                f"PROFILES_DIR ({self.profiles_dir}) may not lie in VAULT_DIR: the owner's Sam"
                " would read and sync the other people's notes"
            )
        if self.cache_dir is not None:
            if self.database_url is None:
                raise ValueError(
                    "CACHE_DIR is for several workers on one PostgreSQL: set DATABASE_URL too, or"
                    " remove CACHE_DIR"
                )
            shared = (self.data_dir, self.vault_dir, self.profiles_dir)
            if any(each == self.cache_dir or each in self.cache_dir.parents for each in shared):
                raise ValueError(
                    "CACHE_DIR may not lie in DATA_DIR, VAULT_DIR or PROFILES_DIR: it is this"
                    " worker's own, on its own disk"
                )
        return self

    @property
    def provider(self) -> str:
        """The name of the configured embedding provider."""
        if self.embedding_provider:
            return self.embedding_provider
        return "voyage" if self.voyage_api_key else "local"

    @property
    def embedding_receiver(self) -> str:
        """Who gets the texts to embed: the provider, or the host of another one's address."""
        host = urlsplit(self.embedding_base_url).hostname or self.provider
        return host if self.provider == "openai" and host != "api.openai.com" else self.provider


def _is_misread(url: str) -> bool:
    """Return whether libpq refuses that address, or takes a part of the password for the host: then
    its error, or the name of the server, would show that part."""
    rest = url.partition("://")[2].strip()
    user, at, place = rest.partition("@")
    cut = at and (("/" in user and "?" not in user) or "@" in place.partition("?")[0])
    return bool(cut or re.search(r"%(?![0-9A-Fa-f]{2})|\s", rest))


def is_loopback(host: str) -> bool:
    """Return whether a host name or address means this machine; nothing is resolved."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


S = TypeVar("S", bound=MemorySettings)


def env_file() -> Path | None:
    """Return the file that settings are read from, and that `sam setup` writes; None for none.

    It is $SAM_ENV_FILE; without that, `.env` in the working folder if there is one, else in the
    clone that Sam runs from, else in ~/Sam. So `sam` finds its settings from any folder.
    """
    if os.environ.get("SAM_NO_ENV_FILE"):
        return None
    if given := os.environ.get("SAM_ENV_FILE"):
        return Path(given)
    here = Path(".env")
    return here if here.exists() else (clone() or Path("~/Sam").expanduser()) / ".env"


def missing_env_file() -> Path | None:
    """Return $SAM_ENV_FILE, if there is no such file; None also for a relative path such as `.env`,
    which means the one of the working folder, if it has one."""
    path = env_file() if os.environ.get("SAM_ENV_FILE") else None
    if path is None or not path.is_absolute():
        return None
    try:
        return None if path.exists() else path
    except OSError:  # a folder that this user may not enter
        return None


def clone() -> Path | None:
    """Return the clone of the repository that Sam runs from; None for an installed package."""
    folder = Path(__file__).resolve().parents[1]
    return folder if (folder / "Makefile").is_file() else None


def read(kind: type[S], **given: Any) -> S:
    """Load settings of that class, or raise one ConfigError with every mistake at once."""
    credentials = os.environ.get("CREDENTIALS_DIRECTORY")
    secrets = credentials if credentials and Path(credentials).is_dir() else None
    path = env_file()
    try:
        with _plain_warnings(path):
            return kind(_env_file=path, _secrets_dir=secrets, **given)
    except ValidationError as wrong:
        raise ConfigError([_fix(error) for error in wrong.errors()]) from None
    except UnicodeDecodeError as wrong:
        line = wrong.object.count(b"\n", 0, wrong.start) + 1
        raise ConfigError([f"{path} is not in UTF-8 (line {line}): save it as UTF-8"]) from None
    except OSError as wrong:
        raise ConfigError([f"{wrong.filename or path} cannot be read ({wrong.strerror})"]) from None


@contextmanager
def _plain_warnings(path: Path | None) -> Iterator[None]:
    """Word the warnings of python-dotenv for people, within this context."""

    def reworded(record: logging.LogRecord) -> bool:
        match record.args:
            case (line,):
                text = "%s: line %s is left out, since it is not of the form NAME=value"
                log.warning(text, path, line)
                return False
        return True

    source = logging.getLogger("dotenv.main")
    source.addFilter(reworded)
    try:
        yield
    finally:
        source.removeFilter(reworded)


_MISTAKES = {
    "bool_parsing": "use true or false",
    "int_parsing": "use a whole number",
    "float_parsing": "use a number",
    "greater_than_equal": "use {ge} or more",
    "greater_than": "use more than {gt}",
    "less_than_equal": "use {le} or less",
    "less_than": "use less than {lt}",
    "literal_error": "use {expected}",
}
"""Pydantic's types of errors, in plain words."""


def _fix(error: Any) -> str:
    name = "_".join(str(part) for part in error["loc"][:1]).upper()
    if plain := _MISTAKES.get(error["type"]):
        what = plain.format(**error.get("ctx", {}))
    else:
        what = str(error["msg"]).removeprefix("Value error, ")
    return f"{name}: {what}" if name else what
