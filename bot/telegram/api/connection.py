"""The connection to Telegram: setup of the library, its errors, monitoring of polls."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import ssl
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache
from http import HTTPStatus
from typing import Any, BinaryIO

import httpx
from telegram import Bot, Update, error
from telegram.ext import AIORateLimiter, Application, BaseUpdateProcessor
from telegram.request import HTTPXRequest

from ...errors import ChatClosed, ChatError, MessageRefused, TelegramDown, TokenRefused, TooLarge

log = logging.getLogger(__name__)

# Opt in to the library's future type for durations: otherwise it warns at every 429.
os.environ.setdefault("PTB_TIMEDELTA", "1")

# A chat accepts about one message a second, and Telegram confirms within seconds. A long timeout
# pays off: a message that is not confirmed in time would be sent twice.
CONNECT_SECONDS, ANSWER_SECONDS = 10.0, 30.0
POLL_SECONDS = 20  # how long a poll may stay open without news
CONFLICTS = 3  # one 409 is normal after a kill, because the old poll is still open at Telegram
RETRIES = 3  # retries of a rate-limited message; then our own back-off continues

# Best-effort calls: they are not retried, and do not delay others.
FLEETING = frozenset(
    {"sendMessageDraft", "sendRichMessageDraft", "sendChatAction", "setMessageReaction"}
)

ONCE = -1  # passed as `rate_limit_args` of other best-effort calls

# Failures before a request left this machine.
NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)

App = Application[Any, Any, Any, Any, Any, Any]

# Replaces an unreadable update's content: the reason, and the raw data.
UNREADABLE, RAW = "unreadable", "raw"

BAD_TOKEN = (
    "Telegram rejects TELEGRAM_BOT_TOKEN: copy it again from @BotFather, or create a new one"
)


@contextmanager
def telegram_errors() -> Iterator[None]:
    """Translate the library's errors into ours. They must not be shown: some contain the token."""
    try:
        yield
    except error.RetryAfter as wrong:
        assert isinstance(wrong.retry_after, timedelta)
        seconds = wrong.retry_after.total_seconds()
        raise TelegramDown(
            f"Telegram asks to wait for {seconds:.0f} seconds", retry_after=seconds
        ) from None
    except error.EndPointNotFound as wrong:
        raise MessageRefused(f"this Bot API server lacks it: {wrong}", unknown=True) from None
    except error.InvalidToken:
        raise TokenRefused(BAD_TOKEN) from None
    except error.Forbidden as wrong:
        raise ChatClosed(f"the chat no longer accepts messages: {wrong}") from None
    except error.ChatMigrated as wrong:  # what is sent follows it, see Limits
        raise MessageRefused(f"Telegram refuses it: {wrong}") from None
    except error.BadRequest as wrong:  # the library derives it from NetworkError
        if "chat not found" in str(wrong).lower():
            raise ChatClosed(f"the chat no longer accepts messages: {wrong}") from None
        raise MessageRefused(f"Telegram refuses it: {wrong}") from None
    except error.Conflict as wrong:
        raise TelegramDown(f"Telegram does not answer: {wrong}") from None
    except error.NetworkError as wrong:
        lost = isinstance(wrong.__cause__, httpx.HTTPError)  # otherwise it answered with an error
        unsure = lost and not isinstance(wrong.__cause__, NEVER_SENT)
        raise TelegramDown(f"Telegram does not answer: {wrong}", unsure=unsure) from None
    except error.TelegramError as wrong:
        raise ChatError(f"Telegram did not take it: {wrong}") from None


class Limits(AIORateLimiter):
    """Respect Telegram's rate limits; a rate-limited message waits and is sent again. What is sent
    to a group that has a new id goes there.

    Drafts and typing are excluded: a refused draft must not delay the final message.
    """

    def __init__(self) -> None:
        super().__init__(max_retries=RETRIES)

    async def process_request(
        self,
        callback: Callable[..., Coroutine[Any, Any, Any]],
        args: Any,
        kwargs: dict[str, Any],
        endpoint: str,
        data: dict[str, Any],
        rate_limit_args: int | None,
    ) -> Any:
        async def request() -> Any:
            if endpoint in FLEETING or rate_limit_args == ONCE:
                return await callback(*args, **kwargs)
            return await process(callback, args, kwargs, endpoint, data, rate_limit_args)

        process = super().process_request
        try:
            return await request()
        except error.ChatMigrated as moved:
            if not endpoint.startswith("send"):  # there, messages have other numbers
                raise
            data["chat_id"] = moved.new_chat_id
            data.pop("reply_parameters", None)
            return await request()


@dataclass(slots=True)
class Polling:
    """The state of polling. `ended_at`: loop time of the end of the last attempt."""

    ended_at: float | None = None
    trouble: str | None = None
    conflicts: int = 0
    refused: asyncio.Event = field(default_factory=asyncio.Event)

    def ended(self, code: int) -> None:
        """Record an attempt with that HTTP status."""
        self.ended_at = asyncio.get_running_loop().time()
        self.conflicts = self.conflicts + 1 if code == HTTPStatus.CONFLICT else 0
        if code == HTTPStatus.OK:
            if self.trouble:
                log.info("polling goes on")
            self.trouble = None
        elif code in (HTTPStatus.UNAUTHORIZED, HTTPStatus.NOT_FOUND):
            self._troubled(BAD_TOKEN)
            self.refused.set()
        elif code != HTTPStatus.CONFLICT:
            self._troubled(f"Telegram answers with error {code}")
        elif self.conflicts >= CONFLICTS:
            self._troubled("another program uses this bot's token: stop it, or give it its own bot")

    def failed(self) -> None:
        """Record an attempt without an answer."""
        self.ended_at = asyncio.get_running_loop().time()
        self._troubled("Telegram cannot be reached: is the network up?")

    def _troubled(self, what: str) -> None:
        if what != self.trouble:
            log.warning("polling: %s", what)
        self.trouble = what


@cache
def trusted() -> ssl.SSLContext:
    """Return the certificates that all connections to Telegram trust.

    Reading them takes up to a tenth of a second, in which nothing else would happen.
    """
    return httpx.create_ssl_context()


class PollRequest(HTTPXRequest):
    """The connection for getUpdates, which records how each poll ends; the library does not."""

    def __init__(self, polling: Polling) -> None:
        super().__init__(
            1, ANSWER_SECONDS, ANSWER_SECONDS, CONNECT_SECONDS, httpx_kwargs={"verify": trusted()}
        )
        self._polling = polling

    async def do_request(self, *args: Any, **kwargs: Any) -> tuple[int, bytes]:
        try:
            code, payload = await super().do_request(*args, **kwargs)
        except error.TelegramError:
            self._polling.failed()
            raise
        self._polling.ended(code)
        return code, readable(payload) if code == HTTPStatus.OK else payload


def readable(payload: bytes) -> bytes:
    """Wrap the updates in an answer to getUpdates that the library cannot read.

    The library would drop the whole answer and keep fetching it again.
    """
    try:
        answer = json.loads(payload)
        updates = answer["result"]
        for number, update in enumerate(updates):
            if wrong := _unreadable(update):
                log.error("update=%s cannot be read: %s", update["update_id"], wrong)
                updates[number] = wrap_unreadable(update, wrong)
    except (ValueError, KeyError, TypeError):
        return payload  # not a valid answer: the library reports it
    return json.dumps(answer).encode()


def _unreadable(update: dict[str, Any]) -> str:
    try:
        Update.de_json(update, None)
    except Exception as wrong:  # any error of the library; its message may quote the text
        return type(wrong).__name__
    return ""


def wrap_unreadable(update: dict[str, Any], wrong: str) -> dict[str, Any]:
    """Return an update that the library parses as empty, with the reason and the raw data."""
    return {"update_id": update["update_id"], UNREADABLE: wrong, RAW: update}


def unreadable_update(update_id: int) -> Update:
    """Return a placeholder for an update that is unreadable in the inbox."""
    found = Update.de_json(wrap_unreadable({"update_id": update_id}, "damaged in the inbox"), None)
    assert found is not None, "an update is never empty"
    return found


def read(payload: str, bot: Bot | None = None) -> Update:
    """Parse an update from the inbox; an unreadable one is returned wrapped.

    Raises ValueError if the stored data is damaged.
    """
    try:
        kept = json.loads(payload)
        kept = kept.get(RAW, kept)  # this version of the library may be able to read it
        wrong = kept.get(UNREADABLE, "") or _unreadable(kept)
        found = Update.de_json(wrap_unreadable(kept, wrong) if wrong else kept, bot)
    except (KeyError, TypeError, AttributeError) as damaged:
        raise ValueError(f"no update: {type(damaged).__name__}") from damaged
    assert found is not None, "an update is never empty"
    return found


def build(
    token: str,
    server: str,
    queue: asyncio.Queue[object],
    order: BaseUpdateProcessor,
    polling: Polling,
) -> App:
    """Return the library's application for the Bot API server at that URL."""
    root = server.rstrip("/")
    request = HTTPXRequest(
        connection_pool_size=64,
        read_timeout=ANSWER_SECONDS,
        write_timeout=ANSWER_SECONDS,
        connect_timeout=CONNECT_SECONDS,
        pool_timeout=ANSWER_SECONDS,
        httpx_kwargs={"verify": trusted()},
    )
    return (
        Application.builder()
        .token(token)
        .base_url(f"{root}/bot")
        .base_file_url(f"{root}/file/bot")
        .request(request)
        .get_updates_request(PollRequest(polling))
        .rate_limiter(Limits())
        .update_queue(queue)
        .concurrent_updates(order)
        .job_queue(None)
        .build()
    )


async def fetch(bot: Bot, file_id: str, stream: BinaryIO, most: int) -> None:
    """Write a received file to the stream in chunks, up to `most` bytes.

    The library would hold all of it in memory. Raises TooLarge, MessageRefused, TelegramDown.
    """
    with telegram_errors():
        file = await bot.get_file(file_id)
    timeout = httpx.Timeout(ANSWER_SECONDS, connect=CONNECT_SECONDS)
    written = 0
    try:
        async with (
            httpx.AsyncClient(timeout=timeout, verify=trusted()) as client,
            client.stream("GET", file.file_path or "") as answer,
        ):
            answer.raise_for_status()
            async for piece in answer.aiter_bytes():
                written += len(piece)
                if written > most:
                    raise TooLarge(f"it has more than {most} bytes")
                await asyncio.to_thread(stream.write, piece)
    except httpx.HTTPError as wrong:  # its message may quote the URL, which contains the token
        raise TelegramDown(f"a file cannot be fetched: {type(wrong).__name__}") from None
    if file.file_size is not None and written < file.file_size:
        raise TelegramDown("a file was cut off")


async def unless(stop: asyncio.Event, work: Coroutine[Any, Any, object]) -> bool:
    """Do the work, or cancel it when `stop` is set; return whether it was finished."""
    doing, stopping = asyncio.ensure_future(work), asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait({doing, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if doing.done():
            await doing
            return True
        return False
    finally:
        for task in (doing, stopping):
            task.cancel()
        await asyncio.gather(doing, stopping, return_exceptions=True)


def silence_library_logs() -> None:
    """Do not log URLs, because Telegram's contain the token; Sam reports rejected ones itself."""
    logging.getLogger("telegram.ext").addFilter(_is_not_reported)
    for name in ("httpx", "httpcore"):
        logger = logging.getLogger(name)
        logger.setLevel(max(logging.WARNING, logger.level))


def _is_not_reported(record: logging.LogRecord) -> bool:
    return "Invalid token" not in record.getMessage()


def log_poll_error(_: error.TelegramError) -> None:
    """Ignore the error: the library would log a traceback each time; `Polling` logs it once."""
