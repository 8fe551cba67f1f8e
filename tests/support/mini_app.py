"""Build the signed init data that Telegram's apps pass to a Mini App."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from datetime import datetime
from urllib.parse import urlencode


def init_data(user_id: int, token: str, at: datetime, **fields: str) -> str:
    """Return `tgWebAppData` of a user who opens the app at that time; `fields` replace or add
    fields."""
    user = {"id": user_id, "first_name": "Ana & Ben", "language_code": "en"}
    given = {
        "query_id": secrets.token_urlsafe(16),  # another one each time
        "user": json.dumps(user, separators=(",", ":")),
        "auth_date": str(int(at.timestamp())),
        "signature": "of-third-parties",
    } | fields
    rows = "\n".join(f"{name}={value}" for name, value in sorted(given.items()))
    key = hmac.new(b"WebAppData", token.encode(), hashlib.sha256).digest()
    proof = hmac.new(key, rows.encode(), hashlib.sha256).hexdigest()
    return urlencode({**given, "hash": proof})
