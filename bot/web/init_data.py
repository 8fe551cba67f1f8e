"""What Telegram hands to a Mini App about who opened it, and the proof that Telegram wrote it.

https://core.telegram.org/bots/webapps#validating-data-received-via-the-mini-app
"""

from __future__ import annotations

import hashlib
import hmac
import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qsl

from ..chat.web_access import LINK_LIFE

LIFE = LINK_LIFE
AHEAD = timedelta(minutes=1)  # by which Telegram's clock may be ahead of ours
LONGEST = 8_000  # characters


class NotTelegrams(Exception):
    """It was not written by Telegram for this bot, or is too old."""


@dataclass(frozen=True, slots=True)
class Opened:
    """Who opened the Mini App; `proof` is another one each time."""

    user_id: int
    proof: str


def opened(init_data: str, token: str, now: datetime) -> Opened:
    """Return who opened it. Raises NotTelegrams."""
    try:
        pairs = parse_qsl(
            init_data[:LONGEST], keep_blank_values=True, strict_parsing=True, errors="strict"
        )
    except ValueError:
        raise NotTelegrams from None
    fields = dict(pairs)
    proof = fields.pop("hash", "")
    if len(fields) != len(pairs) - 1 or not hmac.compare_digest(
        _signature(fields, token), proof.encode("utf-8", "replace")
    ):
        raise NotTelegrams
    try:
        at = datetime.fromtimestamp(int(fields["auth_date"]), UTC)
        user_id = json.loads(fields["user"])["id"]
    except (KeyError, ValueError, TypeError, OverflowError, OSError):
        raise NotTelegrams from None
    if type(user_id) is not int or not now - LIFE <= at <= now + AHEAD:
        raise NotTelegrams
    return Opened(user_id, proof)


def _signature(fields: dict[str, str], token: str) -> bytes:
    secret = hmac.new(b"WebAppData", token.encode(), hashlib.sha256).digest()
    lines = "\n".join(f"{name}={fields[name]}" for name in sorted(fields))
    return hmac.new(secret, lines.encode(), hashlib.sha256).hexdigest().encode()
