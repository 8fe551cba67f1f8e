"""Access to the web console: single-use sign-in links, and sessions; `/web` sends a link.

Tokens have 256 random bits. Only their SHA-256 is stored, so that the file does not grant access.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

from memory import OWNER, Clock, DataDir, profile_of
from memory.infra import atomic_files, locked, parse_utc, utc_text
from memory.text import tr

from ..settings import Settings
from .protocol import Call

MINI_APP = "/app"  # the page of the console that Telegram opens
LINK_LIFE = timedelta(minutes=10)
SESSION_LIFE = timedelta(days=7)

Kept = dict[str, dict[str, str]]
"""`links`, `sessions` and `used` proofs: the hash of each → when it ends."""
KINDS = ("links", "sessions", "used")


class WebAccess:
    """The links and sessions of one data folder; several processes may use them at once."""

    def __init__(self, files: DataDir, clock: Clock) -> None:
        self._files, self._clock = files, clock

    def cookie_name(self, secure: bool) -> str:
        """Return the name of the session's cookie, which differs by data folder: browsers separate
        cookies by host and not by port, and several consoles may run on one machine. With
        `__Host-`, browsers accept it only from this host over HTTPS."""
        suffix = _hash(str(self._files.web_access.resolve()))[:8]
        return f"__Host-sam-{suffix}" if secure else f"sam-{suffix}"

    async def new_link(self) -> str:
        """Return a token that signs in once, within LINK_LIFE."""
        token = secrets.token_urlsafe(32)
        async with self._change() as kept:
            kept["links"][_hash(token)] = utc_text(self._clock() + LINK_LIFE)
        return token

    async def redeem(self, token: str) -> str | None:
        """Exchange a link's token, which is void from then on, for that of a new session; None if
        the link is invalid or expired."""
        if _hash(token) not in self._read()["links"]:
            return None  # nothing is written for failed attempts
        async with self._change() as kept:
            known = kept["links"].pop(_hash(token), None)
            return self._new_session(kept) if known is not None else None

    async def admit(self, proof: str) -> str | None:
        """Return the token of a new session, once for each proof of who somebody is; then None.
        Proofs that are older than LINK_LIFE are the caller's to refuse."""
        async with self._change() as kept:
            if _hash(proof) in kept["used"]:
                return None
            kept["used"][_hash(proof)] = utc_text(self._clock() + 2 * LINK_LIFE)
            return self._new_session(kept)

    def _new_session(self, kept: Kept) -> str:
        session = secrets.token_urlsafe(32)
        kept["sessions"][_hash(session)] = utc_text(self._clock() + SESSION_LIFE)
        return session

    def is_open(self, session: str) -> bool:
        """Return whether that is the token of a session that has neither ended nor expired."""
        end = self._read()["sessions"].get(_hash(session))
        return end is not None and self._clock() < parse_utc(end)

    async def end(self, session: str) -> None:
        async with self._change() as kept:
            kept["sessions"].pop(_hash(session), None)

    async def end_all(self) -> None:
        """End all sessions, and make all links void."""
        async with self._change() as kept:
            kept["links"], kept["sessions"] = {}, {}

    @asynccontextmanager
    async def _change(self) -> AsyncIterator[Kept]:
        """Provide what is kept, and write it when the context ends."""
        async with locked(self._files.web_lock):
            kept = self._read()
            yield kept
            atomic_files.write(self._files.web_access, json.dumps(kept).encode())

    def _read(self) -> Kept:
        """Return what has not expired; nothing where the file is missing or damaged."""
        try:
            found = json.loads(self._files.web_access.read_text("utf-8"))
        except (FileNotFoundError, ValueError):
            found = {}
        now = self._clock()
        return {name: _live(found, name, now) for name in KINDS}


def _live(found: object, name: str, now: datetime) -> dict[str, str]:
    match found:
        case {**parts} if isinstance(rows := parts.get(name), Mapping):
            return {key: end for key, end in rows.items() if now < parse_utc(end)}
    return {}


def _hash(token: str) -> str:
    # No salt and no stretching: nobody guesses 256 random bits.
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def address(url: str, token: str) -> str:
    """Return the link. The token is its fragment, which browsers and the previews of chats send
    nowhere: the page itself exchanges it."""
    return f"{url}/sign-in#{token}"


def minutes() -> int:
    """Return the life of a link."""
    return int(LINK_LIFE.total_seconds()) // 60


async def sign_out_everywhere(call: Call, profile: str) -> None:
    """End all sessions of that profile's web console: an account that was paired may have one."""
    files = profile_of(call.profile.settings, profile).files
    await WebAccess(files, call.profile.memory.clock).end_all()


async def web(call: Call) -> str:
    """Send a link to the web console, which signs you in once"""
    settings: Settings = call.profile.settings
    if call.profile.name != OWNER:
        return tr("The web console is for the owner of this machine.")
    if not settings.web_url:
        return tr(
            "The web console is only on the machine that I run on: `sam web` there prints a link. "
            "To get one here, set `WEB_URL` to its address."
        )
    token = await WebAccess(DataDir(settings.data_dir), call.profile.memory.clock).new_link()
    link = address(settings.web_url, token)
    return tr(
        "[Open the web console]({link})\n\nThe link works once, within {minutes} minutes.",
        link=link,
        minutes=minutes(),
    )
