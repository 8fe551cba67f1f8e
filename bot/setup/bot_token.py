"""Test a bot's token with getMe, and send a message, over plain HTTP; for `sam setup` and `sam
doctor`."""

from __future__ import annotations

from typing import Any

from ..errors import TelegramDown, TokenRefused

SECONDS = 10.0


async def username(token: str, base_url: str) -> str:
    """Return the bot's `@name`. Raises TokenRefused; TelegramDown for no answer."""
    return f"@{(await _me(token, base_url))['username']}"


async def reads_all_of_groups(token: str, base_url: str) -> bool:
    """Return whether the bot's privacy mode is off. Raises what `username` does."""
    return bool((await _me(token, base_url)).get("can_read_all_group_messages"))


async def _me(token: str, base_url: str) -> dict[str, Any]:
    """Return getMe's result, which has a `username`."""
    import httpx

    try:
        async with httpx.AsyncClient(timeout=SECONDS) as client:
            answer = await client.get(f"{base_url.rstrip('/')}/bot{token}/getMe")
        said = answer.json()
        if answer.status_code in (401, 404):
            raise TokenRefused(
                "Telegram does not accept TELEGRAM_BOT_TOKEN: copy it again from @BotFather."
            )
        return {"username": said["result"]["username"], **said["result"]}
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, KeyError, TypeError) as wrong:
        # The error's own text may contain the URL, and with it the token.
        raise TelegramDown(
            f"Telegram cannot be reached at {base_url} ({type(wrong).__name__}):"
            " check the network, or TELEGRAM_BASE_URL."
        ) from None


async def send_text(token: str, base_url: str, chat: int, text: str) -> bool:
    """Send a plain text to a chat; return whether Telegram took it."""
    import httpx

    url = f"{base_url.rstrip('/')}/bot{token}/sendMessage"
    try:
        async with httpx.AsyncClient(timeout=SECONDS) as client:
            answer = await client.post(url, json={"chat_id": chat, "text": text})
        return answer.status_code == httpx.codes.OK
    except (httpx.HTTPError, httpx.InvalidURL):
        return False
