"""MODELS and MODEL_KEYS: models for /model, also of other providers, with address, price and key.

MODELS=claude-opus-5-5, deepseek-chat@https://api.deepseek.com/anthropic 0.28/0.42
MODEL_KEYS=api.deepseek.com=sk-…
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from pydantic import SecretStr

from memory import config

EXAMPLE = "deepseek-chat@https://api.deepseek.com/anthropic 0.28/0.42"
FREE = "free"
_PRICE = re.compile(r"(\d+(?:\.\d+)?)/(\d+(?:\.\d+)?)")


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """One entry of MODELS. `url`: its server, "" for the one of CHAT_MODEL.

    `price`: US dollars per million tokens, of input and of output; None where none is given.
    """

    name: str
    url: str = ""
    price: tuple[float, float] | None = None

    @property
    def host(self) -> str:
        """Return the name of its server, with the port if there is one; "" for CHAT_MODEL's."""
        return urlsplit(self.url).netloc.lower()

    @property
    def is_here(self) -> bool:
        """Whether its server is on this machine."""
        return bool(self.url) and config.is_loopback(urlsplit(self.url).hostname or "")

    @property
    def label(self) -> str:
        """Return its name, with its server in brackets."""
        return f"{self.name} ({self.host})" if self.url else self.name

    def __str__(self) -> str:
        """Return the entry as it is written in MODELS."""
        name = f"{self.name}@{self.url}" if self.url else self.name
        if self.price is None:
            return name
        return f"{name} {FREE}" if not any(self.price) else "{} {:g}/{:g}".format(name, *self.price)


def model_entries(value: object) -> object:
    """`a, b@https://host/path 0.28/0.42` → a ModelEntry for each. Raises ValueError."""
    if not isinstance(value, str):
        return value
    found = [_entry(part.strip()) for part in value.split(",") if part.strip()]
    found = list(dict.fromkeys(found))
    names = [entry.name for entry in found]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise ValueError(f"two entries are called {twice!r}: /model could not tell them apart")
    return tuple(found)


def _entry(text: str) -> ModelEntry:
    model, *rest = text.split()
    price = _price(text, rest)
    name, at, url = model.partition("@")
    if not name or (at and not url):
        raise ValueError(f"{text!r} is not a model's name, or name@address, like {EXAMPLE}")
    if not at:
        return ModelEntry(name, price=price)
    try:
        parts = urlsplit(url)
        valid = parts.scheme in ("http", "https") and parts.hostname and (parts.port or 1)
    except ValueError:  # the port is not a number
        valid = False
    if not valid:
        raise ValueError(f"{text!r}: its address begins with https:// (or http://), like {EXAMPLE}")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ValueError(
            f"the address of {name!r} may have only a host and a path; its key is set in MODEL_KEYS"
        )
    entry = ModelEntry(name, url.rstrip("/"), price)
    if price is None and not entry.is_here:
        raise ValueError(
            f"{text!r} needs its price, in US dollars per million tokens of input and output, like "
            f"{EXAMPLE}; or the word {FREE}"
        )
    return entry


def _price(text: str, words: Sequence[str]) -> tuple[float, float] | None:
    if not words:
        return None
    if len(words) == 1 and words[0] == FREE:
        return 0.0, 0.0
    found = _PRICE.fullmatch(words[0])
    if found is None or len(words) > 1:
        raise ValueError(
            f"{text!r}: after the model comes only its price, in US dollars per million tokens of "
            f"input and output, like 0.28/0.42; or the word {FREE}. A comma separates models"
        )
    return float(found[1]), float(found[2])


def checked_keys(value: SecretStr | None) -> SecretStr | None:
    """Check MODEL_KEYS: `host=key, host=key`. Raises ValueError, which shows no key."""
    keys_by_host(value)
    return value


def keys_by_host(value: SecretStr | None) -> dict[str, SecretStr]:
    """Return the keys of MODEL_KEYS by host. Raises ValueError."""
    found: dict[str, SecretStr] = {}
    text = value.get_secret_value() if value else ""
    for number, part in enumerate(filter(None, map(str.strip, text.split(","))), 1):
        host, _, key = (word.strip() for word in part.partition("="))
        if not re.fullmatch(r"[A-Za-z0-9.\-]+(:\d+)?|\[[0-9A-Fa-f:]+\](:\d+)?", host) or not key:
            raise ValueError(
                f"entry {number} is not host=key, like api.deepseek.com=sk-…, without https://"
            )
        found[host.lower()] = SecretStr(key)
    return found


def without_key(models: Sequence[ModelEntry], keys: Mapping[str, SecretStr]) -> str | None:
    """Return what is wrong with the first entry whose server needs a key that is not set."""
    for entry in models:
        if entry.url and not entry.is_here and entry.host not in keys:
            return (
                f"MODELS: {entry.label} needs a key: set MODEL_KEYS={entry.host}=KEY (any word, if "
                "that server takes none)"
            )
    return None
