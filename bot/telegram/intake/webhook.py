"""Receive updates from Telegram over HTTP instead of asking for them, on any number of workers.

An update is confirmed once it is in the inbox. Telegram keeps the others, and sends them again.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from telegram import Update
from telegram.ext import ExtBot

from memory import StoreError

from ...listener import listen, serving
from ...settings import Settings
from ..api.connection import read, telegram_errors

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from starlette.requests import Request
    from starlette.responses import Response

log = logging.getLogger(__name__)

PATH = "/telegram"
IN_ORDER = 1  # connections of Telegram's: more of them could overtake each other
LARGEST = 10_000_000  # bytes; Telegram's updates have some thousands
SECRET = "X-Telegram-Bot-Api-Secret-Token"


class Webhook:
    """The address for Telegram. `accept` stores an update, or raises StoreError."""

    def __init__(
        self, settings: Settings, token: str, accept: Callable[[Update], Awaitable[None]]
    ) -> None:
        self._settings, self._accept = settings, accept
        # All workers have the same one, without a setting that could differ.
        self._secret = hmac.new(token.encode(), b"webhook", hashlib.sha256).hexdigest()

    async def register(self, bot: ExtBot[None], kinds: Sequence[str]) -> None:
        """Tell Telegram the address, and the kinds of updates. Raises ChatError."""
        with telegram_errors():
            await bot.set_webhook(
                f"{self._settings.webhook_url}{PATH}",
                secret_token=self._secret,
                max_connections=IN_ORDER,
                allowed_updates=kinds,
            )
        log.info("webhook url=%s", self._settings.webhook_url)

    def serving(self) -> AbstractAsyncContextManager[None]:
        """Accept requests within this context. Raises ConfigError."""
        from starlette.applications import Starlette
        from starlette.routing import Route

        host, port = self._settings.webhook_host, self._settings.webhook_port
        fix = "set WEBHOOK_HOST and WEBHOOK_PORT"
        app = Starlette(routes=[Route(PATH, self._answer, methods=["POST"])])
        return serving(app, listen(host, port, fix))

    async def _answer(self, request: Request) -> Response:
        from starlette.responses import Response

        given = request.headers.get(SECRET, "").encode()  # compare_digest takes no other str
        if not hmac.compare_digest(given, self._secret.encode()):
            return Response(status_code=403)
        body = bytearray()
        async for piece in request.stream():
            body += piece
            if len(body) > LARGEST:
                return Response(status_code=413)
        try:
            update = read(body.decode())
        except ValueError:
            return Response(status_code=400)
        try:
            await self._accept(update)
        except StoreError as why:
            log.error("update=%s cannot be stored: %s", update.update_id, why)
            return Response(status_code=503)
        return Response(status_code=200)
