"""Pairing codes, paired users, groups with a new id, and counts of strangers' messages.

Of strangers only ids and counts are stored, never their texts.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from memory import OWNER
from memory.infra import Connection, Records, parse_utc, utc_text

CODE_LIFE = timedelta(minutes=10)
CODE_TRIES = 5  # of one user, during the life of a code; other users have their own
# Crockford's: no I, L, O and U. Eight of them are 40 bits: a thousand accounts with five tries
# each find a code once in two hundred million times.
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
CODE_FORM = r"[0-9A-Za-z]{4}[\s-]?[0-9A-Za-z]{4}"
_MISREAD = str.maketrans("ILO", "110")
TELL_EVERY = timedelta(days=1)
_MOVED = "moved:"  # begins the names of remembered groups


@dataclass(frozen=True, slots=True)
class Strangers:
    """Strangers of whom the owner was not notified yet."""

    people: int
    messages: int


@dataclass(frozen=True, slots=True)
class Paired:
    """A Telegram user who was paired with a code: as whom, and when."""

    user_id: int
    profile: str
    at: datetime


class KnownPeople(NamedTuple):
    """Who may write. `paired`: users with their profiles. `moved`: groups that have a new id, which
    is the key, with their first one. `strangers_wrote`: some whom no report has named yet."""

    paired: dict[int, str]
    moved: dict[int, int]
    strangers_wrote: bool


def _plain(code: str) -> str:
    return re.sub(r"[\s-]", "", code).upper().translate(_MISREAD)


def _hash(salt: bytes, code: str) -> bytes:
    # A code lives for ten minutes: the hash only prevents reading it from the disk at a glance.
    return hashlib.sha256(salt + _plain(code).encode("utf-8", "replace")).digest()


class People(Records):
    """The tables `pairing`, `attempt`, `paired` and `stranger`, and groups in `remembered`."""

    async def new_code(self, profile: str = OWNER) -> str:
        """Create a code like `K7QM-2XRD` for that profile, for ten minutes and one use. Only its
        hash is stored.

        It resets everyone's tries: it may have been the owner who mistyped.
        """
        letters = "".join(secrets.choice(ALPHABET) for _ in range(8))
        code = f"{letters[:4]}-{letters[4:]}"
        now, salt = self._clock(), secrets.token_bytes(16)

        def change(db: Connection) -> None:
            db.execute("DELETE FROM pairing WHERE expires_at <= ?", (utc_text(now),))
            db.execute("DELETE FROM attempt")
            db.execute(
                "INSERT INTO pairing (salt, hash, expires_at, profile) VALUES (?, ?, ?, ?)",
                (salt, _hash(salt, code), utc_text(now + CODE_LIFE), profile),
            )

        await self._db.write(change)
        return code

    async def pair(self, code: str, user_id: int) -> str | None:
        """Pair the sender of the right code with its profile, and return that; None for a wrong
        code. After five wrong codes all are rejected for ten minutes."""
        now = self._clock()

        def change(db: Connection) -> str | None:
            tried = db.execute(
                "SELECT wrong, since FROM attempt WHERE user_id = ?", (user_id,)
            ).fetchone()
            wrong = tried["wrong"] if tried and parse_utc(tried["since"]) + CODE_LIFE > now else 0
            if wrong >= CODE_TRIES:
                return None
            right = None
            for row in db.execute(
                "SELECT id, salt, hash, profile FROM pairing"
                " WHERE used_by IS NULL AND expires_at > ?",
                (utc_text(now),),
            ).fetchall():
                if hmac.compare_digest(row["hash"], _hash(row["salt"], code)):
                    right = row
            if right is None:
                since = tried["since"] if wrong else utc_text(now)
                db.execute(
                    "INSERT INTO attempt VALUES (?, ?, ?) ON CONFLICT (user_id) DO UPDATE SET"
                    " wrong = excluded.wrong, since = excluded.since",
                    (user_id, wrong + 1, since),
                )
                return None
            profile: str = right["profile"]
            db.execute("UPDATE pairing SET used_by = ? WHERE id = ?", (user_id, right["id"]))
            db.execute(
                "INSERT INTO paired VALUES (?, ?, ?) ON CONFLICT (user_id) DO UPDATE SET"
                " profile = excluded.profile, at = excluded.at",
                (user_id, profile, utc_text(now)),
            )
            db.execute("DELETE FROM attempt WHERE user_id = ?", (user_id,))
            db.execute("DELETE FROM stranger WHERE user_id = ?", (user_id,))  # they are none
            return profile

        return await self._db.write(change)

    async def was_used(self, code: str) -> bool:
        """Return whether somebody was paired with that code. It is known until a code is created
        after it has expired."""
        rows = await self._db.read(
            lambda db: db.execute(
                "SELECT salt, hash FROM pairing WHERE used_by IS NOT NULL"
            ).fetchall()
        )
        return any(hmac.compare_digest(row["hash"], _hash(row["salt"], code)) for row in rows)

    async def paired(self) -> dict[int, str]:
        """Return the paired users with their profiles."""
        return await self._db.read(paired)

    async def known(self) -> KnownPeople:
        """Return who may write."""
        return await self._db.read(known)

    async def move_group(self, old: int, new: int) -> None:
        """Remember that Telegram has given a group a new id."""
        await self._db.write(
            lambda db: db.execute(
                "INSERT INTO remembered VALUES (?, ?) ON CONFLICT (name) DO NOTHING",
                (f"{_MOVED}{new}", str(old)),
            )
        )

    async def pairings(self) -> list[Paired]:
        """Return who was paired with a code, the earliest first."""
        rows = await self._db.read(
            lambda db: db.execute("SELECT * FROM paired ORDER BY at, user_id").fetchall()
        )
        return [Paired(row["user_id"], row["profile"], parse_utc(row["at"])) for row in rows]

    async def unpair(self, user_id: int) -> str | None:
        """Make that user a stranger again, and void every code; return their profile, None if they
        were not paired."""
        if user_id.bit_length() > 63:  # no database stores it, so nobody has it
            return None

        def change(db: Connection) -> str | None:
            db.execute("DELETE FROM pairing WHERE used_by IS NULL")
            row = db.execute("SELECT profile FROM paired WHERE user_id = ?", (user_id,)).fetchone()
            db.execute("DELETE FROM paired WHERE user_id = ?", (user_id,))
            return row["profile"] if row else None

        return await self._db.write(change)

    async def count_stranger(self, user_id: int) -> tuple[int, int]:
        """Count one message of a stranger; return how many of them came today, and how many
        strangers."""
        day = utc_text(self._clock())[:10]

        def change(db: Connection) -> tuple[int, int]:
            db.execute(
                "INSERT INTO stranger (user_id, day, messages) VALUES (?, ?, 1)"
                " ON CONFLICT (user_id, day) DO UPDATE SET messages = stranger.messages + 1",
                (user_id, day),
            )
            row = db.execute(
                "SELECT messages, (SELECT count(*) FROM stranger WHERE day = ?2) AS people"
                " FROM stranger WHERE user_id = ?1 AND day = ?2",
                (user_id, day),
            ).fetchone()
            return row["messages"], row["people"]

        return await self._db.write(change)

    async def strangers_to_report(self, known: Collection[int] = ()) -> Strangers | None:
        """Return the strangers to notify the owner of, at most once a day; None if there are
        none. `known`: users who may write by now, whose earlier messages are no stranger's."""
        now = self._clock()

        def change(db: Connection) -> Strangers | None:
            db.executemany("DELETE FROM stranger WHERE user_id = ?", [(user,) for user in known])
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
            db.execute(
                "INSERT INTO remembered VALUES ('told', ?)"
                " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                (utc_text(now),),
            )
            return Strangers(row["people"], row["n"])

        return await self._db.write(change)


def known(db: Connection) -> KnownPeople:
    """Return who may write."""
    untold = db.execute("SELECT 1 FROM stranger WHERE messages > told LIMIT 1").fetchone()
    return KnownPeople(paired(db), moved_groups(db), untold is not None)


def paired(db: Connection) -> dict[int, str]:
    """Return the paired users with their profiles, the earliest first."""
    rows = db.execute("SELECT user_id, profile FROM paired ORDER BY at").fetchall()
    return {row["user_id"]: row["profile"] for row in rows}


def moved_groups(db: Connection) -> dict[int, int]:
    """Return the new ids of groups, each with the first one."""
    rows = db.execute(
        "SELECT name, value FROM remembered WHERE substr(name, 1, ?) = ?", (len(_MOVED), _MOVED)
    ).fetchall()
    return {int(row["name"][len(_MOVED) :]): int(row["value"]) for row in rows}
