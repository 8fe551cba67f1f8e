"""MCP over HTTP (streamable HTTP, at /mcp), for clients with the bearer token."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from urllib.parse import urlsplit

from mcp.server.transport_security import TransportSecuritySettings
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from memory import OWNER, DataDir, profile_of
from memory.infra import atomic_files

from .. import listener, logs
from ..settings import Settings
from .server import opened

PATH = "/mcp"
REFUSED = "Send this server's token: `Authorization: Bearer …`."


class Tokens:
    """The bearer token of one profile. Only the SHA-256 of a generated token is stored, so that the
    file does not grant access. MCP_TOKEN applies only to the owner."""

    def __init__(self, settings: Settings, profile: str) -> None:
        given = settings.mcp_token if profile == OWNER else None
        self._given = given.get_secret_value() if given else ""
        self._file = DataDir(profile_of(settings, profile).data).mcp_token

    @property
    def is_given(self) -> bool:
        """Whether it comes from the settings."""
        return bool(self._given)

    @property
    def is_made(self) -> bool:
        """Whether there is one."""
        return self.is_given or self._file.exists()

    def make(self) -> str:
        """Create a token that replaces the previous one, and return it. Raises VaultError."""
        token = secrets.token_urlsafe(32)
        with atomic_files.translate_errors(str(self._file), "written"):
            atomic_files.write(self._file, _hash(token).encode())
        return token

    def fits(self, token: str) -> bool:
        """Return whether that is the token, in a time that does not depend on it."""
        if self._given:
            return hmac.compare_digest(_hash(token), _hash(self._given))
        try:
            kept = self._file.read_text("utf-8").strip()
        except (FileNotFoundError, UnicodeDecodeError):
            return False
        return hmac.compare_digest(_hash(token).encode(), kept.encode())


class TokenGuard:
    """An ASGI application around another: requests without the token are refused."""

    def __init__(self, app: ASGIApp, tokens: Tokens) -> None:
        self._app, self._tokens = app, tokens

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer 401."""
        if scope["type"] == "http":
            kind, _, token = Request(scope).headers.get("authorization", "").partition(" ")
            if kind.lower() != "bearer" or not self._tokens.fits(token.strip()):
                answer = JSONResponse(
                    {"error": "invalid_token", "error_description": REFUSED},
                    401,
                    {"WWW-Authenticate": "Bearer"},
                )
                await answer(scope, receive, send)
                return
        await self._app(scope, receive, send)


async def serve(settings: Settings, profile: str, host: str, port: int) -> None:
    """Serve until SIGTERM or Ctrl-C. A token that is not there yet is made, and shown once. Raises
    ConfigError, and what Memory.open does."""
    logs.start(settings)
    listening = listener.listen(host, port, "give --http another HOST:PORT")
    port = listening.getsockname()[1]
    async with opened(settings, profile) as server:
        tokens = Tokens(settings, profile)
        where = url(settings, host, port)
        rows = [f"Sam's memory for other programs: {where}"]
        if not tokens.is_made:
            rows.append("Its token, shown only once (for a new one: sam mcp --new-token):")
            rows.append(f"  {tokens.make()}")
        if host not in listener.THIS_MACHINE and not where.startswith("https://"):
            rows.append("  Warning: this connection is not encrypted. Put an https proxy")
            rows.append("  in front of it, and set MCP_URL to its address.")
        origins = sorted(listener.origins(host, port, settings.mcp_url))
        app = server.streamable_http_app(
            streamable_http_path=PATH,
            host=host,
            transport_security=TransportSecuritySettings(
                allowed_hosts=[urlsplit(each).netloc for each in origins], allowed_origins=origins
            ),
        )
        says = "\n".join([*rows, "Ctrl-C stops it."])
        await listener.serve(TokenGuard(app, tokens), listening, says, lifespan="on")


def url(settings: Settings, host: str, port: int) -> str:
    """Return the address that clients are given."""
    return listener.home_url(host, port, settings.mcp_url) + PATH


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
