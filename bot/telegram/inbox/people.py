"""Who may write: pairing codes, paired users; and how often strangers did. Knows no message.

Of strangers only ids and numbers are kept, never what they wrote.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass
from datetime import timedelta

from memory.clock import Clock, parse_utc, utc_text
from memory.db import Connection, Database

CODE_LIFE = timedelta(minutes=10)
CODE_TRIES = 5
TELL_EVERY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Strangers:
    """Of whom the owner was not told yet."""

    people: int
    messages: int


def _digits(code: str) -> str:
    return re.sub(r"[\s-]", "", code)


def _hash(salt: bytes, code: str) -> bytes:
    # Six digits live ten minutes and five tries: what protects them is that, not the hash, which
    # only keeps them from being read off the disk at a glance.
    return hashlib.sha256(salt + _digits(code).encode("utf-8")).digest()


class People:
    """The tables `pairing`, `paired` and `stranger`."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db, self._clock = db, clock

    async def new_code(self) -> str:
        """A code like `482-913`: for ten minutes, one use, five tries. Only its hash is stored."""
        code = f"{secrets.randbelow(1000):03}-{secrets.randbelow(1000):03}"
        salt, expires = secrets.token_bytes(16), utc_text(self._clock() + CODE_LIFE)
        await self._db.write(
            lambda db: db.execute(
                "INSERT INTO pairing (salt, hash, expires_at, tries_left) VALUES (?, ?, ?, ?)",
                (salt, _hash(salt, code), expires, CODE_TRIES),
            )
        )
        return code

    async def pair(self, code: str, user_id: int, *, profile: str = "owner") -> bool:
        """The sender of a right code becomes that profile's. A wrong one costs a try."""
        now = utc_text(self._clock())

        def change(db: Connection) -> bool:
            live = db.execute(
                "SELECT id, salt, hash FROM pairing"
                " WHERE used_by IS NULL AND tries_left > 0 AND expires_at > ?",
                (now,),
            ).fetchall()
            for row in live:
                if hmac.compare_digest(row["hash"], _hash(row["salt"], code)):
                    db.execute("UPDATE pairing SET used_by = ? WHERE id = ?", (user_id, row["id"]))
                    db.execute(
                        "INSERT OR REPLACE INTO paired VALUES (?, ?, ?)", (user_id, profile, now)
                    )
                    return True
            db.executemany(
                "UPDATE pairing SET tries_left = tries_left - 1 WHERE id = ?",
                [(row["id"],) for row in live],
            )
            return False

        return await self._db.write(change)

    async def paired(self) -> dict[int, str]:
        """The users who paired, and whose memory is theirs."""

        def look(db: Connection) -> dict[int, str]:
            rows = db.execute("SELECT user_id, profile FROM paired ORDER BY at").fetchall()
            return {row["user_id"]: row["profile"] for row in rows}

        return await self._db.read(look)

    async def stranger(self, user_id: int) -> None:
        """Count one message of somebody we do not know."""
        day = utc_text(self._clock())[:10]
        await self._db.write(
            lambda db: db.execute(
                "INSERT INTO stranger (user_id, day, messages) VALUES (?, ?, 1)"
                " ON CONFLICT DO UPDATE SET messages = messages + 1",
                (user_id, day),
            )
        )

    async def greet(self, user_id: int) -> bool:
        """Whether this stranger's line of the day is still to be sent; it counts as sent then."""
        day = utc_text(self._clock())[:10]

        def change(db: Connection) -> bool:
            done = db.execute(
                "UPDATE stranger SET greeted = 1 WHERE user_id = ? AND day = ? AND greeted = 0",
                (user_id, day),
            )
            return done.rowcount == 1

        return await self._db.write(change)

    async def tell(self) -> Strangers | None:
        """Whom the owner should be told of now: at most once a day; None if there is nobody."""
        now = self._clock()

        def change(db: Connection) -> Strangers | None:
            last = db.execute("SELECT value FROM remembered WHERE name = 'told'").fetchone()
            if last and parse_utc(last["value"]) + TELL_EVERY > now:
                return None
            row = db.execute(
                "SELECT count(DISTINCT user_id) AS people, coalesce(sum(messages - told), 0) AS n"
                " FROM stranger WHERE messages > told"
            ).fetchone()
            if not row["n"]:
                return None
            db.execute("UPDATE stranger SET told = messages WHERE messages > told")
            db.execute("INSERT OR REPLACE INTO remembered VALUES ('told', ?)", (utc_text(now),))
            return Strangers(row["people"], row["n"])

        return await self._db.write(change)
