"""HTTP server of the fake Telegram: tokens, bodies, faults, and the form of answers."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from typing import Any

from aiohttp import web

from tests.fakes.telegram_chats import File, Request
from tests.fakes.telegram_faults import Fault, Faults, describe
from tests.fakes.telegram_methods import METHODS
from tests.fakes.telegram_polls import Polls
from tests.fakes.telegram_spec import Misfit, Spec
from tests.fakes.telegram_store import Store
from tests.fakes.telegram_text import Refused, bad

LARGEST_BODY = 60 * 1024 * 1024  # above Telegram's 50 MB, which the fake checks
RICH = frozenset({"sendRichMessage", "sendRichMessageDraft"})


class Wire:
    """Answer requests; `changed` is called after each, whatever its outcome."""

    def __init__(
        self, token: str, store: Store, polls: Polls, spec: Spec, changed: Callable[[], None]
    ) -> None:
        self.requests: list[Request] = []
        self.keep: Callable[[Request], None] = self.requests.append
        self.mistakes: list[str] = []
        self.faults = Faults()
        self.lacking: set[str] = set()
        self.dropped = 0
        self._token = token
        self._store = store
        self._polls = polls
        self._spec = spec
        self._changed = changed

    def app(self) -> web.Application:
        app = web.Application(client_max_size=LARGEST_BODY)
        app.router.add_route("*", "/bot{token}/{method}", self._answer)
        app.router.add_get("/file/bot{token}/{path:.+}", self._download)
        app.router.add_route("*", "/{anything:.*}", self._lost)
        return app

    async def _answer(self, http: web.Request) -> web.StreamResponse:
        entry = Request(http.match_info["method"], {}, asyncio.get_running_loop().time())
        try:
            values, files = await _body(http)
            entry.fields = {**values, **files}
            self._check_token(http)
            self.keep(entry)
            return await self._through_faults(http, entry, values, files)
        except Refused as refused:
            return self._refusal(entry, refused)
        except ConnectionResetError:  # the client closed the connection early
            raise
        except Exception as error:  # a bug in the fake: not a Telegram answer
            self.mistakes.append(f"the fake broke in {entry.method}: {error!r}")
            raise
        finally:
            self._changed()

    async def _through_faults(
        self, http: web.Request, entry: Request, values: dict[str, Any], files: dict[str, File]
    ) -> web.StreamResponse:
        faults = self.faults.take(entry.method)
        for fault in (each for each in faults if each.when == "before"):
            ended = await self._suffer(http, entry, fault)
            if ended is not None:
                return ended
        result = await self._play(entry, values, files)
        answer = _json({"ok": True, "result": result})
        for fault in (each for each in faults if each.when != "before"):
            self._changed()  # make the effect visible, although the answer is lost
            ended = await self._suffer(http, entry, fault, answer)
            if ended is not None:
                return ended
        entry.status = 200
        return answer

    async def _suffer(
        self, http: web.Request, entry: Request, fault: Fault, answer: web.Response | None = None
    ) -> web.StreamResponse | None:
        """Apply a fault to the request; return None if the request continues normally."""
        match fault.kind:
            case "slow":
                await asyncio.sleep(fault.seconds)
                return None
            case "cuts":
                entry.status = 0
                return await _cut(http, answer if fault.when == "midway" else None)
            case "fails":
                words = fault.description or describe(fault.status, fault.retry_after)
                if fault.body is None:
                    raise Refused(fault.status, words, fault.retry_after)
                entry.status = fault.status
                return web.Response(status=fault.status, body=fault.body)

    async def _play(self, entry: Request, values: dict[str, Any], files: dict[str, File]) -> object:
        method = entry.method
        if method not in self._spec.methods or method in self.lacking:
            if method not in self.lacking:
                self.mistakes.append(f"no method {method}")
            raise Refused(404, "Not Found: method not found")
        try:
            args = self._spec.arguments(method, values, files)
        except Misfit as misfit:
            self.mistakes.append(str(misfit))
            raise bad(str(misfit)) from None
        entry.fields = args = {**_joined(args, files), **files}
        if self.lacking >= RICH:
            args.pop("rich_message", None)  # an older server does not know this field
        result = await self._call(method, args)
        self._spec.check(result, self._spec.methods[method].returns, f"result of {method}")
        return result

    async def _call(self, method: str, args: dict[str, Any]) -> object:
        if method == "getUpdates":
            if self._store.webhook:
                raise Refused(
                    409, "Conflict: can't use getUpdates method while webhook is active; "
                    "use deleteWebhook to delete the webhook first"
                )  # fmt: skip
            return await self._polls.poll(**args)
        if method not in METHODS:
            self.mistakes.append(f"{method} is not played by this fake")
            raise Refused(501, f"Not Implemented: the fake does not play {method}")
        if args.get("drop_pending_updates"):
            self.dropped += len(self._polls.pending)
            self._polls.pending.clear()
        return METHODS[method](self._store, args)

    def _check_token(self, http: web.Request) -> None:
        token = http.match_info["token"]
        if token == self._token:
            return
        if re.fullmatch(r"\d+:[A-Za-z0-9_-]{20,}", token):
            raise Refused(401, "Unauthorized")
        raise Refused(404, "Not Found")

    def _refusal(self, entry: Request, refused: Refused) -> web.Response:
        entry.status, entry.description = refused.status, refused.description
        answer: dict[str, Any] = {
            "ok": False,
            "error_code": refused.status,
            "description": refused.description,
        }
        if refused.retry_after is not None:
            answer["parameters"] = {"retry_after": refused.retry_after}
        if refused.migrate_to_chat_id is not None:
            answer["parameters"] = {"migrate_to_chat_id": refused.migrate_to_chat_id}
        return _json(answer, refused.status)

    async def _download(self, http: web.Request) -> web.StreamResponse:
        entry = Request("download", {"path": http.match_info["path"]}, 0.0)
        self.requests.append(entry)
        try:
            self._check_token(http)
            for fault in self.faults.take("download"):
                ended = await self._suffer(http, entry, fault)
                if ended is not None:
                    return ended
            data = self._store.download(http.match_info["path"])
            if data is None:
                raise Refused(404, "Not Found")
        except Refused as refused:
            return self._refusal(entry, refused)
        entry.status = 200
        return web.Response(body=data, content_type="application/octet-stream")

    async def _lost(self, http: web.Request) -> web.Response:
        return self._refusal(Request("", {}, 0.0), Refused(404, "Not Found"))


async def _body(http: web.Request) -> tuple[dict[str, Any], dict[str, File]]:
    """Parse values and files from the query and from a JSON, form or multipart body."""
    values: dict[str, Any] = {}
    files: dict[str, File] = {}
    pairs: list[tuple[str, Any]] = list(http.query.items())
    if http.content_type == "application/json" and http.can_read_body:
        try:
            body = json.loads(await http.read())
        except ValueError:
            raise bad("can't parse the JSON body") from None
        if not isinstance(body, dict):
            raise bad("the JSON body must be an object")
        pairs += body.items()
    elif http.content_type == "multipart/form-data":
        async for part in await http.multipart():
            data = bytes(await part.read(decode=True))
            if part.filename is None:
                pairs.append((part.name, data.decode()))
            else:
                kind = part.headers.get("Content-Type", "application/octet-stream")
                files[part.name] = File(data, part.filename, kind)
    elif http.can_read_body:
        pairs += (await http.post()).items()
    for name, value in pairs:
        if name in values:
            raise bad(f'the field "{name}" stands twice')
        values[name] = value
    return values, files


def _joined(args: dict[str, Any], files: dict[str, File]) -> dict[str, Any]:
    """Replace each `attach://name` in the arguments with the uploaded file."""
    return {
        name: files.pop(value.removeprefix("attach://"), value)
        if isinstance(value, str) and value.startswith("attach://")
        else value
        for name, value in args.items()
    }


def _json(answer: dict[str, Any], status: int = 200) -> web.Response:
    return web.json_response(answer, status=status)


async def _cut(http: web.Request, answer: web.Response | None) -> web.StreamResponse:
    """Close the connection, after half of the answer if there is one."""
    half = web.StreamResponse(headers={"Content-Type": "application/json"})
    if answer is not None and isinstance(answer.body, bytes):
        half.content_length = len(answer.body)
        await half.prepare(http)
        await half.write(answer.body[: len(answer.body) // 2])
    if http.transport is not None:
        http.transport.abort()
    return half
