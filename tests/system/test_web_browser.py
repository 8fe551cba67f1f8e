"""`sam web` in Chromium: the sign-in link, search-as-you-type, the keyboard, and no requests to
other hosts. Skipped without Chromium."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

import pytest

from memory import Memory, Said
from tests.fakes.telegram import ANA, TOKEN
from tests.support.chromium import MISSING, Page
from tests.support.console_tab import comes, drives, each_page, signed_in, tab
from tests.support.homes import Home
from tests.support.memories import Clock
from tests.support.mini_app import init_data
from tests.support.web import TODAY, Served, day, invented, served

pytestmark = pytest.mark.skipif(
    bool(MISSING), reason=f"no browser to try it in: {', '.join(MISSING)} is not installed"
)
WIDE = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
ENTRIES = "return performance.getEntries().map(e => e.name).filter(n => n.startsWith('http'))"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    return invented(tmp_path_factory.mktemp("web"))


@pytest.fixture(scope="module")
def console(home: Home) -> Iterator[Served]:
    with served(home) as running:
        yield running


@pytest.fixture(scope="module")
def page(console: Served) -> Iterator[Page]:
    with signed_in(console) as opened:
        yield opened


def test_the_link_signs_in_and_its_token_stays_nowhere(page: Page, console: Served) -> None:
    assert console.token not in page.runs("return document.referrer + location.href")
    assert page.runs("return document.cookie") == "", "scripts do not see the session"
    page.runs("history.back()")
    time.sleep(0.5)
    assert console.token not in page.url
    page.opens(f"{console.url}/days")
    assert page.runs("return document.querySelector('h1').innerText")


async def says(home: Home, text: str, answer: str) -> None:
    """Log one exchange of the invented memory's today."""
    async with Memory.open(home.settings(), clock=Clock(TODAY.astimezone(UTC))) as memory:
        said = Said("telegram:7:more", "telegram:7", text, memory.clock(), telegram_ids=(500,))
        turn = await memory.log.messages.begin(said)
        await memory.log.messages.answer(turn.id, answer, sent_at=memory.clock())


@pytest.fixture
def blank() -> Iterator[Page]:
    with tab() as opened:
        yield opened


@drives("POST /app")
def test_telegram_opens_it_and_what_it_told_stays_nowhere(blank: Page, tmp_path: Path) -> None:
    """As Telegram's apps do: the fragment names the user. None of their scripts is loaded."""
    given = {"TELEGRAM_BOT_TOKEN": TOKEN, "TELEGRAM_ALLOWED_USERS": str(ANA.id)}
    with served(invented(tmp_path, **given)) as console:
        data = quote(init_data(ANA.id, TOKEN, datetime.now(UTC)))
        blank.opens(f"{console.url}/app#tgWebAppData={data}&tgWebAppVersion=9.1")
        comes(lambda: blank.url == f"{console.url}/days", "the days")
        assert "tgWebAppData" not in blank.runs("return document.referrer + location.href")
        asked = [name for name in blank.runs(ENTRIES) if not name.startswith(f"{console.url}/")]
        assert asked == [] and blank.said() == []
        blank.runs("history.back()")
        time.sleep(0.5)
        assert "tgWebAppData" not in blank.url
        blank.opens(f"{console.url}/days")  # where the record of forms is


def test_hits_come_while_typing(page: Page, console: Served) -> None:
    page.opens(f"{console.url}/search")
    page.types("#q", "Tomas harbour")
    comes(lambda: page.runs("return document.querySelector('mark')?.innerText"), "a mark")
    assert "Oslo" in page.runs("return document.getElementById('hits').innerText")
    assert page.url.partition("?")[2].startswith("q=Tomas+harbour")
    page.types("#q", "\ue007")  # Enter: the whole question
    comes(lambda: "q=Tomas+harbour" in page.url and "typing" not in page.url, "the answer")


def test_each_page_fits_a_phone_and_keeps_to_itself(tmp_path: Path) -> None:
    with served(invented(tmp_path)) as console, signed_in(console) as page:
        page.said()
        for path in each_page(page, console):
            asked = [name for name in page.runs(ENTRIES) if not name.startswith(f"{console.url}/")]
            assert asked == [], path
            errors = [row for row in page.said() if "/nothing - " not in row]
            assert errors == [], f"{path}: nothing was blocked or missing"
            comes(lambda path=path: page.runs(WIDE) == 0, f"{path} in the width of a phone")


def test_the_policy_stops_code_that_got_into_a_page(page: Page, console: Served) -> None:
    page.opens(f"{console.url}/days")
    page.runs(
        "const it = document.createElement('div');"
        "it.innerHTML = '<img src=/static/no.svg onerror=\"document.title=1\"><b style=color:red>';"
        "document.body.append(it);"
        "const s = document.createElement('script'); s.textContent = 'document.title = 2';"
        "document.body.append(s);"
    )
    comes(lambda: any("Content Security Policy" in row for row in page.said()), "the refusal")
    time.sleep(0.5)
    assert page.runs("return document.title").endswith("Sam")


def test_the_keyboard_is_enough(page: Page, console: Served) -> None:
    page.opens(f"{console.url}/days")
    page.types("body", "\ue004")  # Tab
    focused = "return document.activeElement.innerText"
    assert page.runs(focused) == "Skip to the content"
    shown = "return document.activeElement.getBoundingClientRect().left >= 0"
    assert page.runs(shown), "what has the focus is seen"
    names = page.runs(
        "return [...document.querySelectorAll('input:not([type=hidden]),select,textarea')]"
        ".filter(e => !e.labels.length).map(e => e.name)"
    )
    assert names == []


def test_the_pictures_of_the_page_are_small(page: Page) -> None:
    pictures = sorted((Path(__file__).parents[2] / "docs" / "images").glob("web-*.png"))
    assert len(pictures) >= 4
    assert all(each.stat().st_size <= 60_000 for each in pictures)


ENDS = """
const found = [];
for (const css of arguments) {
  const all = [...document.querySelectorAll(css)].filter(e => e.textContent.includes('שלום'));
  const walk = document.createTreeWalker(all.at(-1), NodeFilter.SHOW_TEXT);
  let node; while (!(node = walk.nextNode()).data.includes('שלום')) {}
  const x = at => { const r = document.createRange(); r.setStart(node, at); r.setEnd(node, at + 1);
                    return r.getBoundingClientRect().left };
  const first = node.data.indexOf('שלום');
  found.push(x(node.data.indexOf('!', first)) < x(first));
}
return found"""
"""Whether the "!" at the end of a sentence in Hebrew stands to its left."""


def test_what_is_written_from_right_to_left_is_shown_so(blank: Page, tmp_path: Path) -> None:
    home = invented(tmp_path)
    home.write("greeting.md", "# Greetings\n\n- שלום לכולם!\n\nשלום רב!\n")
    home.write("tasks.md", "# Tasks\n\n- [ ] שלום לאנה!\n")
    with served(home) as console:
        blank.opens(f"{console.url}/sign-in#{console.token}")
        comes(lambda: blank.url == f"{console.url}/days", "the days")
        blank.opens(f"{console.url}/note?path=greeting.md")
        assert blank.runs(ENDS, ".note li", ".note p") == [True, True]
        blank.opens(f"{console.url}/tasks")
        assert blank.runs(ENDS, ".task .lead") == [True]
        blank.opens(f"{console.url}/search?q=Greetings")
        assert blank.runs(ENDS, ".passage") == [True]


def test_long_addresses_and_lines_of_code_fit_a_phone(tmp_path: Path) -> None:
    home, link = invented(tmp_path), "https://example.com/" + "a" * 300
    home.write("tasks.md", f"# Tasks\n\n- [x] Read {link} 🆔 tlong1 ✅ {day(1)}\n")
    home.write(f"{'whales' * 25}.md", "My own note on whales.\n")
    home.write("knowledge/relationship.md", f"# R\n\n- Ana met {'Ingrid' * 9} ^f3anab\n")
    asyncio.run(says(home, "Why does this fail?", f"```\n{'x = 1; ' * 90}\n```"))
    with served(home) as console, signed_in(console) as page:
        for path in (f"/days/{day(0)}", "/tasks", "/forget?words=whales", "/graph"):
            page.opens(f"{console.url}{path}")
            comes(lambda path=path: page.runs(WIDE) == 0, f"{path} in the width of a phone")
