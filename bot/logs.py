"""Logging: one format, one handler, secrets masked.

`turn_id` is set while a turn runs; every line that is logged meanwhile carries it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from contextvars import ContextVar
from logging.handlers import RotatingFileHandler
from pathlib import Path

from pydantic import SecretStr

from memory import StoreError

from .settings import Settings, keys_by_host

turn_id: ContextVar[int | None] = ContextVar("turn_id", default=None)

# httpx logs every URL at INFO, and Telegram's URLs hold the bot's token. The others repeat our own
# messages in more lines.
TALKATIVE = {
    **dict.fromkeys(
        ("httpx", "httpx2", "httpcore", "telegram", "anthropic", "mcp", "watchfiles"), "WARNING"
    ),
    "asyncio": "WARNING",
    # At DEBUG they log sent data, including the texts to embed.
    **dict.fromkeys(("voyage", "openai", "urllib3"), "INFO"),
    "apscheduler": "ERROR",  # it warns of each run that is skipped during the previous one
}
MEGABYTE = 1_000_000
_LINE = "%(asctime)s %(levelname)s %(name)s%(turn)s %(message)s"


class Masked(logging.Formatter):
    """Format a record, traceback included, and mask every secret in it."""

    def __init__(self, secrets: Iterable[str]) -> None:
        super().__init__(_LINE)
        # The longest first, so that a secret within a secret leaves nothing behind.
        self._secrets = sorted(filter(None, secrets), key=len, reverse=True)

    def formatMessage(self, record: logging.LogRecord) -> str:
        turn = turn_id.get()
        return _LINE % {**vars(record), "turn": "" if turn is None else f" turn={turn}"}

    def format(self, record: logging.LogRecord) -> str:
        text = super().format(record)
        for secret in self._secrets:
            text = text.replace(secret, "…")
        return text


class ChatLog(RotatingFileHandler):
    """The log of a chat in the terminal. A line that cannot be written is dropped: on a full disk,
    the chat itself says so, and Python's report of each line would fill its terminal."""

    def handleError(self, record: logging.LogRecord) -> None:
        pass


def secrets(settings: Settings) -> list[str]:
    """Return every secret in the settings in clear text, for masking only."""
    values = (getattr(settings, name) for name in type(settings).model_fields)
    shown = [*values, *keys_by_host(settings.model_keys).values()]
    return [value.get_secret_value() for value in shown if isinstance(value, SecretStr)]


def start(settings: Settings, *, to_file: Path | None = None) -> None:
    """Log to standard error, or to a file while a chat uses the terminal.

    Raises StoreError when that file cannot be written.
    """
    handler: logging.Handler = logging.StreamHandler() if to_file is None else _file(to_file)
    handler.setFormatter(Masked(secrets(settings)))
    root = logging.getLogger()
    for old in root.handlers[:]:
        root.removeHandler(old)
        old.close()
    root.addHandler(handler)
    root.setLevel(settings.log_level)
    for name, least in TALKATIVE.items():
        logging.getLogger(name).setLevel(max(logging.getLevelName(least), root.level))
    logging.captureWarnings(True)


def _file(path: Path) -> logging.Handler:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return ChatLog(path, maxBytes=MEGABYTE, backupCount=1, encoding="utf-8")
    except OSError as wrong:
        raise StoreError(
            f"{path} cannot be written ({wrong.strerror}): fix its permissions, or set DATA_DIR."
        ) from wrong
