"""The console as a Telegram Mini App: who may open it by the chat's button, and who may not."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.inbox import Inbox
from memory import system_clock
from tests.fakes.telegram import ANA, TOKEN
from tests.support.homes import Home
from tests.support.mini_app import init_data
from tests.support.process import free_port
from tests.support.web import Browser, Served, invented, served

BOB, EVE = 1002, 6001


def now_(user: int, token: str = TOKEN, **ago: float) -> str:
    return init_data(user, token, datetime.now(UTC) - timedelta(**ago))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    return invented(
        tmp_path_factory.mktemp("web"),
        TELEGRAM_BOT_TOKEN=TOKEN,
        TELEGRAM_ALLOWED_USERS=f"{ANA.id},{BOB}:bob",
    )


@pytest.fixture(scope="module")
def console(home: Home) -> Iterator[Served]:
    with served(home) as running:
        yield running


@pytest.fixture
def browser(console: Served) -> Iterator[Browser]:
    with Browser(console.url) as nobody:
        yield nobody


def test_the_owner_gets_in_by_the_button(browser: Browser) -> None:
    shown = browser.get("/app")
    assert shown.status_code == 200 and "/static/mini-app.js" in shown.text
    answer = browser.posts("/app", data=now_(ANA.id))
    assert (answer.status_code, answer.headers["Location"]) == (303, "/days")
    cookie = answer.headers["Set-Cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie
    assert browser.get("/days").status_code == 200


def test_behind_https_the_cookie_is_bound_to_the_host(tmp_path: Path) -> None:
    port = free_port()
    home = Home(
        tmp_path,
        TELEGRAM_BOT_TOKEN=TOKEN,
        TELEGRAM_ALLOWED_USERS=str(ANA.id),
        WEB_PORT=str(port),
        WEB_URL="https://sam.example.org",
    )
    proxied = {"Host": "sam.example.org", "Origin": "https://sam.example.org"}
    with served(home), Browser(f"http://127.0.0.1:{port}") as proxy:
        answer = proxy.post("/app", data={"data": now_(ANA.id)}, headers=proxied)
    cookie = answer.headers["Set-Cookie"]
    assert answer.status_code == 303 and cookie.startswith("__Host-sam-") and "Secure" in cookie


def test_what_was_shown_once_signs_nobody_else_in(console: Served, browser: Browser) -> None:
    data = now_(ANA.id)
    assert browser.posts("/app", data=data).status_code == 303
    with Browser(console.url) as thief:
        again = thief.posts("/app", data=data)
        assert again.status_code == 403 and "Set-Cookie" not in again.headers
        assert thief.get("/days").status_code == 303
    assert browser.posts("/app", data=data).headers["Location"] == "/days", "a page loaded again"


@pytest.mark.parametrize("user", [BOB, EVE])
def test_nobody_but_the_owner_gets_in(browser: Browser, user: int) -> None:
    """Neither another profile's person nor a stranger, even with Telegram's valid signature."""
    answer = browser.posts("/app", data=now_(user))
    assert answer.status_code == 403 and "somebody else" in answer.text
    assert "Set-Cookie" not in answer.headers and browser.get("/days").status_code == 303


def test_another_account_on_the_same_device_does_not_find_the_owners_pages(
    browser: Browser,
) -> None:
    assert browser.posts("/app", data=now_(ANA.id)).status_code == 303
    refused = browser.posts("/app", data=now_(BOB))
    assert refused.status_code == 403 and 'aria-label="Pages"' not in refused.text
    assert browser.get("/days").status_code == 303, "the owner's session has ended"


def test_what_telegram_did_not_write_for_this_bot_now_is_refused(home: Home) -> None:
    good = now_(ANA.id)
    wrong = [
        "",
        now_(ANA.id, token="123:another-bot"),
        now_(ANA.id, minutes=11),
        good.replace("&hash=", "&hash=0"),
        good.replace(str(ANA.id), str(EVE)),
    ]
    with served(home) as fresh, Browser(fresh.url) as browser:
        for data in wrong * 2:
            answer = browser.posts("/app", data=data)
            assert answer.status_code == 403 and "Close it" in answer.text
        late = browser.posts("/app", data=wrong[0])
        assert late.status_code == 429 and int(late.headers["Retry-After"]) > 0
        assert browser.posts("/app", origin="https://evil.example", data=good).status_code == 403
        assert browser.posts("/app", data=good).status_code == 303, "nobody locks the owner out"


def test_whoever_is_removed_loses_the_console_too(home: Home, console: Served) -> None:
    code = home.sam("pair").stdout.split("/pair ")[1].split()[0]

    async def paired() -> None:
        inbox = await Inbox.open(home.data / "inbox.db", system_clock)
        assert await inbox.people.pair(code, 4711)
        await inbox.close()

    asyncio.run(paired())
    with Browser(console.url) as browser:
        assert browser.posts("/app", data=now_(4711)).status_code == 303
        assert browser.get("/days").status_code == 200
        assert home.sam("pair", "--remove", "4711").returncode == 0
        assert browser.get("/days").status_code == 303
        assert browser.posts("/app", data=now_(4711)).status_code == 403


def test_without_a_bot_nobody_gets_in_by_a_button(tmp_path: Path) -> None:
    with served(invented(tmp_path)) as alone, Browser(alone.url) as browser:
        answer = browser.posts("/app", data=now_(ANA.id, token=""))
        assert answer.status_code == 403 and "TELEGRAM_BOT_TOKEN" in answer.text
