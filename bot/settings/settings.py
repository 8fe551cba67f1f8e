"""All settings of Sam: memory's and the bot's, in one object."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    SecretStr,
    field_validator,
    model_validator,
)

from memory import OWNER, ConfigError, MemorySettings, config, group_profile

from .lists import dollars, groups, people
from .models import ModelEntry, checked_keys, keys_by_host, model_entries, without_key
from .remote_folders import fixed_place, overlap

LOCAL = "local"
"""What TRANSCRIBE_BASE_URL and SPEECH_BASE_URL are for the models of the extra `voice`."""


PROFILE = "{profile}"
"""Stands for a profile's name in PROFILES_REMOTE."""
UNSYNCED = "none"
"""PROFILES_REMOTE for: only the owner's vault is synced."""


class Settings(MemorySettings):
    """The settings of `sam`."""

    telegram_bot_token: SecretStr | None = Field(None, description="from @BotFather")
    telegram_allowed_users: Annotated[dict[int, str], BeforeValidator(people)] = Field(
        default_factory=dict,
        description="`id` or `id:profile`, comma-separated; empty: pair with /pair",
    )
    telegram_allowed_groups: Annotated[tuple[int, ...], BeforeValidator(groups)] = Field(
        (), description="groups in which Sam answers when addressed, by id; empty: none"
    )
    rate_limit: int = Field(
        10, ge=1, description="messages per minute that get an answer, for anyone but the owner"
    )
    profile_idle_minutes: float = Field(
        10,
        gt=0,
        description="without a message, until the memory of anybody but the owner is closed",
    )
    telegram_base_url: str = Field(
        "https://api.telegram.org", description="the root URL of a Bot API server"
    )
    burst_seconds: float = Field(
        1.5,
        ge=0,
        le=60,
        description="messages within this time of each other are one turn; 0: never",
    )
    media_max_mb: int = Field(
        20,
        ge=1,
        le=2000,
        description="larger files are not fetched; Telegram's limit for bots is 20",
    )
    transcribe_base_url: str = Field(
        "",
        description="speech to text: an OpenAI-compatible server, with /v1; `local`: the extra "
        "`voice`; empty: none",
    )
    transcribe_api_key: SecretStr | None = Field(None, description="its API key, if it needs one")
    transcribe_model: str = Field("whisper-1", description="the model name on that server")
    speech_base_url: str = Field(
        "",
        description="text to speech (/voice): an OpenAI-compatible server, with /v1; `local`: the "
        "extra `voice`, in English; empty: none",
    )
    speech_api_key: SecretStr | None = Field(None, description="its API key, if it needs one")
    speech_model: str = Field("tts-1", description="the speech model")
    speech_voice: str = Field("alloy", description="its voice")
    speech_max_chars: int = Field(
        1500, ge=100, le=4096, description="of a longer answer only the first sentences are spoken"
    )
    speech_usd: float = Field(
        0.0, ge=0, description="US dollars per million characters; 0: your own server"
    )
    anthropic_api_key: SecretStr | None = Field(
        None, description="Claude; without it Sam answers with quotes from its memory"
    )
    anthropic_base_url: str | None = Field(
        None, description="without /v1; any server that speaks the Messages API (Ollama, …)"
    )
    chat_model: str = Field("claude-sonnet-5-5", description="answers")
    models: Annotated[tuple[ModelEntry, ...], BeforeValidator(model_entries)] = Field(
        (),
        description="more models for /model, comma-separated: `NAME`, or of another provider "
        "`NAME@https://HOST/PATH IN/OUT` with its price, or `free`",
    )
    model_keys: Annotated[SecretStr | None, AfterValidator(checked_keys)] = Field(
        None, description="the keys of these providers, like `api.deepseek.com=sk-…`"
    )
    web_search: bool = Field(
        False,
        description="on: Claude searches the web, for $0.01 each, and reads links that you send",
    )
    web_search_max_uses: int = Field(3, ge=1, le=20, description="most searches per answer")
    summary_model: str = Field(
        "claude-haiku-5-5",
        description="summarises; if CHAT_MODEL is not a Claude model, that one does",
    )
    summary_max_tokens: int = Field(8192, ge=512, description="thinking counts")
    recall_seconds: float = Field(
        2.0,
        ge=0,
        description="longest wait for recall, before searching by keyword only; 0: no limit",
    )
    recall_rewrite_seconds: float = Field(
        1.5,
        ge=0,
        le=30,
        description="if nothing fits, longest wait for a rewording by SUMMARY_MODEL; 0: never",
    )
    daily_notes_days: int = Field(
        2, ge=0, le=7, description="days of notes in the context: today, yesterday"
    )
    context_tokens: int = Field(
        8000, ge=1000, description="most tokens of recalled text and notes per turn"
    )
    history_tokens: int = Field(
        12000, ge=500, description="most tokens of conversation in the context"
    )
    rules_limit: int = Field(10, ge=0, description="rules in the context")
    summaries_limit: int = Field(5, ge=0, description="summaries in the context")
    heartbeat_minutes: int = Field(
        30, ge=0, description="how often heartbeat.md is checked; 0: never"
    )
    heartbeat_daily_usd: float = Field(
        0.10, ge=0, description="daily limit for the heartbeat; 0: no separate limit"
    )
    active_hours: str = Field("08-22", description="local hours in which Sam may speak first")
    reminders_in_quiet_hours: Literal["ring", "silent", "wait"] = Field(
        "ring", description="outside ACTIVE_HOURS: ring, arrive silently, or wait for the morning"
    )
    morning_list: bool = Field(
        True, description="list what is due and known dates once a day, when ACTIVE_HOURS begin"
    )
    contradiction_questions: bool = Field(
        True, description="ask which of two contradictory facts is true, at most once a day"
    )
    changes_at: str = Field(
        "20:00", description="when to list what memory learned, if anything; off: never"
    )
    rclone_remote: Annotated[str, AfterValidator(fixed_place)] = Field(
        "", description="like `drive:Sam`; empty: no sync"
    )
    profiles_remote: str = Field(
        "",
        description="for others: `drive:People/{profile}`; empty: next to it; `none`: not synced",
    )
    sync_interval_minutes: int = Field(5, ge=1, description="how often the remote is checked")
    sync_instructions: Literal["take", "tell", "hold"] = Field(
        "tell",
        description="changes from the remote to soul.md, skills/ …: apply; apply and notify; hold",
    )
    backup_dir: config.Folder | None = Field(
        None, description="where backups go; empty: DATA_DIR/backups"
    )
    budget_daily_usd: float = Field(
        1.00,
        ge=0,
        description="for all profiles: near it Haiku answers, above it no model; 0: no limit",
    )
    budget_others_percent: int = Field(
        50, ge=0, le=100, description="share of it that guests and groups may spend together"
    )
    budget_profiles: Annotated[dict[str, float], BeforeValidator(dollars)] = Field(
        default_factory=dict,
        description="limits a day for single profiles, like `ana:0.20, bob:0.50`; 0: no model",
    )
    metrics_address: str = Field(
        "",
        description="HOST:PORT where `sam run` serves /metrics, /healthz and /readyz, such as"
        " 127.0.0.1:9464; empty: nowhere",
    )
    webhook_url: str = Field(
        "",
        description="the address that Telegram sends updates to, like `https://sam.example.org`, in"
        " front of WEBHOOK_HOST and WEBHOOK_PORT; empty: Sam asks for them (docs/scale.md)",
    )
    webhook_host: str = Field("127.0.0.1", description="the address on which `sam run` listens")
    webhook_port: int = Field(8443, ge=1, le=65535, description="its port")
    web_host: str = Field(
        "127.0.0.1",
        description="the address on which `sam web` listens; default: this machine only",
    )
    web_port: int = Field(8765, ge=0, le=65535, description="its port; 0: any free port")
    web_url: str = Field(
        "",
        description="its address behind your proxy, like `https://sam.example.org`: for `/web`,"
        " and a button in the owner's chat",
    )
    mcp_token: SecretStr | None = Field(
        None, description="token for `sam mcp --http`; empty: one is generated, and shown once"
    )
    mcp_url: str = Field(
        "", description="its address behind your proxy, like `https://mcp.example.org`"
    )
    log_level: str = Field("INFO", description="DEBUG INFO WARNING ERROR")
    sam_failpoint: str = Field(
        "", description="tests only: crash there (memory/infra/failpoints.py)"
    )

    @field_validator("metrics_address")
    @classmethod
    def _host_and_port(cls, address: str) -> str:
        if address and not re.fullmatch(r".+:\d{1,5}", address):
            raise ValueError("use HOST:PORT, such as 127.0.0.1:9464")
        if address and find_spec("prometheus_client") is None:
            raise ValueError(
                "it needs prometheus-client: in Sam's folder, run"
                " .venv/bin/pip install -e '.[server]'"
            )
        return address

    @field_validator("telegram_bot_token")
    @classmethod
    def _token(cls, token: SecretStr | None) -> SecretStr | None:
        if token and not re.fullmatch(r"\d+:[A-Za-z0-9_-]{20,}", token.get_secret_value()):
            raise ValueError(
                "does not look like a bot token (123456:ABC…): copy it from @BotFather"
            )
        return token

    @field_validator("profiles_remote")
    @classmethod
    def _folder_for_each(cls, remote: str) -> str:
        if remote in ("", UNSYNCED):
            return remote
        if PROFILE not in remote:
            raise ValueError(
                f"needs {PROFILE}, so that each has a folder: drive:People/{PROFILE}; or {UNSYNCED}"
            )
        return fixed_place(remote)

    @field_validator("web_url", "mcp_url", "webhook_url")
    @classmethod
    def _web(cls, url: str) -> str:
        if url and not re.fullmatch(r"https?://[A-Za-z0-9.\-\[\]:]+/?", url):
            raise ValueError("an address without a path, like https://sam.example.org")
        return url.rstrip("/").lower()

    @field_validator("active_hours")
    @classmethod
    def _hours(cls, hours: str) -> str:
        found = re.fullmatch(r"(\d{1,2})-(\d{1,2})", hours)
        if not found or not 0 <= int(found[1]) < int(found[2]) <= 24:
            raise ValueError("two hours like 08-22, the smaller one first")
        return hours

    @field_validator("changes_at")
    @classmethod
    def _time(cls, said: str) -> str:
        if said != "off" and not re.fullmatch(r"([01]?\d|2[0-3]):[0-5]\d", said):
            raise ValueError("a time of day like 20:00, or off")
        return said

    @property
    def time_of_changes(self) -> time | None:
        """When the list of what memory learned comes; None for never."""
        if self.changes_at == "off":
            return None
        hour, minute = map(int, self.changes_at.split(":"))
        return time(hour, minute)

    @property
    def first_active_hour(self) -> int:
        """The hour at which Sam may begin to speak."""
        return int(self.active_hours.split("-")[0])

    def is_active(self, local: datetime) -> bool:
        """Return whether that local time lies in ACTIVE_HOURS (`08-22`: from 8:00 until 21:59)."""
        first, last = (int(hour) for hour in self.active_hours.split("-"))
        return first <= local.hour < last

    def next_active(self, local: datetime) -> datetime:
        """Return when ACTIVE_HOURS begin next, in the zone of that local time."""
        begins = local.replace(hour=self.first_active_hour, minute=0, second=0, microsecond=0)
        return begins if begins > local else begins + timedelta(days=1)

    @field_validator("log_level")
    @classmethod
    def _level(cls, level: str) -> str:
        if level.upper() not in ("DEBUG", "INFO", "WARNING", "ERROR"):
            raise ValueError("one of DEBUG INFO WARNING ERROR")
        return level.upper()

    @model_validator(mode="before")
    @classmethod
    def _summarise_by_chat_model(cls, values: Any) -> Any:
        """Summarise with the chat model of a local endpoint, which has no Haiku."""
        if isinstance(values, dict) and not values.get("summary_model"):
            chat = str(values.get("chat_model") or "claude")
            if not chat.startswith("claude"):
                return {**values, "summary_model": chat}
        return values

    @model_validator(mode="after")
    def _fit_together(self) -> Settings:
        if self.vault_dir in (self.backups, *self.backups.parents):
            raise ValueError(
                "BACKUP_DIR must not be in VAULT_DIR: a backup would contain the other backups"
            )
        if self.rclone_remote and overlap(self.rclone_remote, str(self.vault_dir.absolute())):
            raise ValueError(
                "RCLONE_REMOTE must not be in VAULT_DIR or contain it: the vault would be synced"
                " into itself"
            )
        if missing := without_key(self.models, keys_by_host(self.model_keys)):
            raise ValueError(missing)
        return self

    @property
    def backups(self) -> Path:
        from memory import DataDir  # not for `sam --help`

        return self.backup_dir or DataDir(self.data_dir).backups

    @property
    def profile_names(self) -> tuple[str, ...]:
        """The names of all profiles that `sam run` serves: the owner, other people, groups."""
        groups = map(group_profile, self.telegram_allowed_groups)
        return tuple(dict.fromkeys((OWNER, *self.telegram_allowed_users.values(), *groups)))

    @property
    def syncs(self) -> bool:
        """Whether there is a remote for anybody's vault."""
        return bool(self.rclone_remote) or self.profiles_remote not in ("", UNSYNCED)

    @property
    def has_model(self) -> bool:
        """Whether a model is configured: a key, an endpoint, or one of MODELS with its own."""
        has_main = self.anthropic_api_key is not None or self.anthropic_base_url is not None
        return has_main or bool(self.model_entry(self.chat_model).url)

    def model_entry(self, name: str) -> ModelEntry:
        """Return the entry of MODELS with that name; a model that has none is on CHAT_MODEL's
        server, or Anthropic's."""
        return next((e for e in self.models if e.name == name), ModelEntry(name))


def load(**given: object) -> Settings:
    """Load the settings. Raises ConfigError, which names every mistake. `given`: values that
    precede those of the environment."""
    if missing := config.missing_env_file():
        raise ConfigError([f"SAM_ENV_FILE: there is no {missing}; `sam setup` would create it"])
    return config.read(Settings, **given)


@dataclass(frozen=True, slots=True)
class Supervisor:
    """systemd's environment of this process; empty where something else started it."""

    notify_socket: str = ""
    watchdog_seconds: float = 0
    invocation: str = ""
    credentials: Path | None = None


def environment(names: Iterable[str]) -> dict[str, str]:
    """Return those of these environment variables that are set."""
    return {name: os.environ[name] for name in names if name in os.environ}


def supervisor() -> Supervisor:
    """Read systemd's variables (sd_notify(3), sd_watchdog_enabled(3), systemd.exec(5))."""
    variables = os.environ
    micros = variables.get("WATCHDOG_USEC", "")
    ours = variables.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    return Supervisor(
        variables.get("NOTIFY_SOCKET", ""),
        int(micros) / 1_000_000 if ours and micros.isdigit() else 0,
        variables.get("INVOCATION_ID", ""),
        Path(variables["CREDENTIALS_DIRECTORY"])
        if variables.get("CREDENTIALS_DIRECTORY")
        else None,
    )
