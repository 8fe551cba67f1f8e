"""`sam web` in Chromium: the sign-in link, search-as-you-type, the keyboard, and no requests to
other hosts. Skipped without Chromium."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.fakes.telegram import ANA, TOKEN
from tests.support.chromium import MISSING, Page, chromium
from tests.support.homes import Home
from tests.support.mini_app import init_data
from tests.support.web import PAGES, Served, day, invented, served

pytestmark = pytest.mark.skipif(
    bool(MISSING), reason=f"no browser to try it in: {', '.join(MISSING)} is not installed"
)
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
    """Open the printed link in a tab."""
    with chromium() as tab:
        tab.sized(390, 844)
        tab.opens(f"{console.url}/sign-in#{console.token}")
        comes(lambda: tab.url == f"{console.url}/days", "the days behind the link")
        yield tab


def comes(true: Callable[[], object], what: str) -> None:
    end = time.monotonic() + 15
    while not true():
        assert time.monotonic() < end, f"never came: {what}"
        time.sleep(0.05)


def test_the_link_signs_in_and_its_token_stays_nowhere(page: Page, console: Served) -> None:
    assert console.token not in page.runs("return document.referrer + location.href")
    assert page.runs("return document.cookie") == "", "scripts do not see the session"
    page.runs("history.back()")
    time.sleep(0.5)
    assert console.token not in page.url
    page.opens(f"{console.url}/days")
    assert page.runs("return document.querySelector('h1').innerText")


def test_telegram_opens_it_and_what_it_told_stays_nowhere(tmp_path: Path) -> None:
    """As Telegram's apps do: the fragment names the user. None of their scripts is loaded."""
    given = {"TELEGRAM_BOT_TOKEN": TOKEN, "TELEGRAM_ALLOWED_USERS": str(ANA.id)}
    with served(invented(tmp_path, **given)) as console, chromium() as tab:
        data = quote(init_data(ANA.id, TOKEN, datetime.now(UTC)))
        tab.sized(390, 700)
        tab.opens(f"{console.url}/app#tgWebAppData={data}&tgWebAppVersion=9.1")
        comes(lambda: tab.url == f"{console.url}/days", "the days")
        assert "tgWebAppData" not in tab.runs("return document.referrer + location.href")
        asked = [name for name in tab.runs(ENTRIES) if not name.startswith(f"{console.url}/")]
        assert asked == [] and tab.said() == []
        tab.runs("history.back()")
        time.sleep(0.5)
        assert "tgWebAppData" not in tab.url


def test_hits_come_while_typing(page: Page, console: Served) -> None:
    page.opens(f"{console.url}/search")
    page.types("#q", "Tomas harbour")
    comes(lambda: page.runs("return document.querySelector('mark')?.innerText"), "a mark")
    assert "Oslo" in page.runs("return document.getElementById('hits').innerText")
    assert page.url.partition("?")[2].startswith("q=Tomas+harbour")
    page.types("#q", "\ue007")  # Enter: the whole question
    comes(lambda: "q=Tomas+harbour" in page.url and "typing" not in page.url, "the answer")


def test_a_form_works_and_says_so(page: Page, console: Served, home: Home) -> None:
    page.opens(f"{console.url}/tasks")
    page.types("#text", "sharpen the plane\ue007")
    comes(lambda: page.runs("return document.querySelector('.notice')?.innerText"), "a notice")
    assert "sharpen the plane" in (home.vault / "tasks.md").read_text()


@pytest.mark.parametrize("path", PAGES)
def test_each_page_fits_a_phone_and_keeps_to_itself(page: Page, console: Served, path: str) -> None:
    page.said()
    page.opens(f"{console.url}{path}")
    asked = [name for name in page.runs(ENTRIES) if not name.startswith(f"{console.url}/")]
    assert asked == []
    assert page.said() == [], "nothing was blocked or missing"
    wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.runs(wide) == 0


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[tuple[Page, Served, Home]]:
    """Open a signed-in tab on a memory that the test may change."""
    home = invented(tmp_path)
    with served(home) as console, chromium() as tab:
        tab.sized(390, 844)
        tab.opens(f"{console.url}/sign-in#{console.token}")
        comes(lambda: tab.url == f"{console.url}/days", "the days behind the link")
        yield tab, console, home


NOTICE = "return document.querySelector('.notice')?.innerText || ''"


def test_a_fact_is_corrected_pinned_and_retired(fresh: tuple[Page, Served, Home]) -> None:
    """Use the visible fields and buttons; check the note on disk."""
    page, console, home = fresh
    note = home.vault / "knowledge" / "preference.md"
    page.opens(f"{console.url}/facts")
    page.runs("document.querySelector('a[href=\"/facts/f2coff\"]').id = 'coffee'")
    page.clicks("#coffee")
    comes(lambda: page.url.endswith("/facts/f2coff"), "the fact")
    page.runs("document.getElementById('text').value = ''")
    page.types("#text", "Likes tea with milk")
    page.clicks("form[action$='/edit'] button")
    comes(lambda: "Changed" in page.runs(NOTICE), "that it was changed")
    line = f"- Likes tea with milk (updated:: {day(1)}) ^f2coff"
    assert line in note.read_text().splitlines()
    assert "strong coffee" not in page.runs("return document.querySelector('h1').innerText")

    note = home.vault / "knowledge" / "relationship.md"
    page.opens(f"{console.url}/facts/f3toma")
    page.clicks("form[action$='/pin'] button")
    comes(lambda: "Pinned" in page.runs(NOTICE), "that it is pinned")
    assert "#sam/pinned ^f3toma" in note.read_text()
    assert not page.runs("return document.querySelector('form[action$=\"/pin\"]')")

    page.opens(f"{console.url}/facts/f1live")
    page.clicks("form[action$='/retire'] button")
    comes(lambda: "Lives in Bergen" not in page.runs("return document.title"), "the next page")
    comes(
        lambda: "f1live" in (home.vault / "archive/knowledge/biographical.md").read_text(),
        "the fact in the archive",
    )
    comes(
        lambda: "f1live" not in (home.vault / "knowledge/biographical.md").read_text(),
        "that it has left the note",
    )


def test_a_fact_is_forgotten_only_when_one_is_sure(fresh: tuple[Page, Served, Home]) -> None:
    page, console, home = fresh
    note = home.vault / "knowledge" / "relationship.md"
    page.opens(f"{console.url}/facts/f3toma")
    page.clicks("a.danger")
    comes(lambda: "/forget?" in page.url, "what is kept about it")
    asked = page.url
    page.clicks("button.danger")  # the browser asks for the tick first
    time.sleep(0.5)
    assert page.url == asked and "Tomas is an old friend" in note.read_text()
    page.clicks("#sure")
    page.clicks("button.danger")
    comes(lambda: "Forgotten" in page.runs("return document.body.innerText"), "the receipt")
    assert "Tomas is an old friend" not in note.read_text()
    assert "Ana is his sister" in note.read_text(), "the others stay"
    page.opens(f"{console.url}/facts")
    assert "Tomas is an old friend" not in page.runs("return document.body.innerText")


def test_a_task_is_done_and_comes_back(fresh: tuple[Page, Served, Home]) -> None:
    page, console, home = fresh
    page.opens(f"{console.url}/tasks")
    row = (
        "[...document.querySelectorAll('{}')].find(e => e.innerText.includes('Oil the workbench'))"
    )
    page.runs(f"{row.format('.task')}.querySelector('.tick').id = 'bench'")
    page.clicks("#bench")
    comes(lambda: page.runs(NOTICE), "a notice that it is done")
    assert "- [x] Oil the workbench" in (home.vault / "tasks.md").read_text()
    page.runs(f"{row.format('.closed')}.querySelector('button').id = 'again'")
    page.clicks("#again")
    comes(lambda: "- [ ] Oil" in (home.vault / "tasks.md").read_text(), "the task again")


def presses(page: Page, selector: str, text: str = "", within: str = "") -> None:
    """Click the first element whose text has `text`, below the first one that has `within`."""
    page.runs(
        "const [css, text, within] = arguments;"
        "const has = (e, t) => e.textContent.includes(t) || e.ariaLabel === t;"
        "const all = [...document.querySelectorAll('li')];"
        "const below = within ? all.filter(e => has(e, within)).at(-1) : document;"
        "const all_ = [...below.querySelectorAll(css)];"
        "document.querySelectorAll('#here').forEach(e => e.removeAttribute('id'));"
        "document.querySelector('.notice')?.remove();"
        "const it = all_.find(e => has(e, text)); it.closest('details')?.setAttribute('open', '');"
        "it.id = 'here'; it.scrollIntoView({block: 'center'})",
        selector,
        text,
        within,
    )
    page.clicks("#here")


def text_of(page: Page) -> str:
    return str(page.runs("return document.getElementById('main').innerText"))


def test_a_task_is_postponed_reminded_of_and_dropped(fresh: tuple[Page, Served, Home]) -> None:
    page, console, home = fresh
    note = home.vault / "tasks.md"

    def line(title: str) -> str:
        return next(row for row in note.read_text().splitlines() if title in row)

    page.opens(f"{console.url}/tasks")
    for label, title, wanted in (
        ("Next week", "Oil the workbench", f"📅 {day(-7)}"),
        ("Tomorrow", "Pay the rent", f"📅 {day(-1)}"),
        ("Remind in an hour", "Call Ana about the flights", "09:00"),
        ("Cancel it", "Oil the workbench", "- [-]"),
        ("Open again", "Oil the workbench", "- [ ]"),
    ):
        presses(page, "button", label, title)
        comes(lambda: page.runs(NOTICE), f"a notice of {label}")
        assert wanted in line(title), label
        assert ("✗ Oil the workbench" in text_of(page)) == (label == "Cancel it")


def test_the_chart_of_costs_shows_each_period(page: Page, console: Served) -> None:
    page.opens(f"{console.url}/sent")
    label = "return document.querySelector('.chart svg').ariaLabel"
    bars = "return document.querySelectorAll('.chart rect').length"
    assert "last 14 days" in page.runs(label) and page.runs(bars) > 0
    page.runs("document.querySelector('details').open = true")
    rows = page.runs("return document.querySelectorAll('details tbody tr').length")
    assert rows == page.runs(bars), "a row for each bar"
    for days in (30, 90):
        presses(page, ".steps a", f"{days} days")
        comes(lambda days=days: page.url.endswith(f"days={days}"), "the other period")
        assert f"last {days} days" in page.runs(label)
        assert page.runs("return document.querySelector('[aria-current=true]').innerText") == (
            f"{days} days"
        )


def test_the_graph_leads_from_name_to_name_note_and_day(page: Page, console: Served) -> None:
    page.opens(f"{console.url}/graph")
    presses(page, ".graph a", "Tomas")
    comes(lambda: page.url.endswith("about=Tomas"), "the graph of the name")
    assert page.runs("return document.querySelector('h1').innerText") == "Tomas"
    presses(page, ".chips a", "Oslo")
    comes(lambda: page.url.endswith("about=Oslo"), "the name beside it, from the list")
    assert "Met Tomas in Oslo" in text_of(page)
    presses(page, ".rows a[href^='/note']")
    comes(lambda: "/note?path=" in page.url, "the note that mentions it")
    page.opens(f"{console.url}/graph?about=Oslo")
    presses(page, ".rows a[href^='/days']")
    comes(lambda: f"/days/{day(3)}" in page.url, "the day of the mention")
    presses(page, "a", "names of this day")
    comes(lambda: page.url.endswith(f"about={day(3)}"), "the graph of the day")
    presses(page, "a.button", "Open this day")
    comes(lambda: page.url.endswith(f"/days/{day(3)}"), "the day again")


def test_the_calendar_leads_from_month_to_month_and_day_to_day(page: Page, console: Served) -> None:
    page.opens(f"{console.url}/days")
    month = page.runs("return document.querySelector('h1').innerText")
    presses(page, "a[rel=prev]")
    comes(lambda: "month=" in page.url, "the month before")
    assert page.runs("return document.querySelector('h1').innerText") != month
    presses(page, "a[rel=next]")
    comes(lambda: page.runs("return document.querySelector('h1').innerText") == month, "this one")
    presses(page, f"a.day[href='/days/{day(0)}']")
    comes(lambda: page.url.endswith(f"/days/{day(0)}"), "the day")
    assert "I want to fly to Lisbon" in text_of(page)
    presses(page, "a[rel=prev]")
    comes(lambda: page.url.endswith(f"/days/{day(1)}"), "the day before")
    presses(page, ".crumbs a")
    comes(lambda: "/days?month=" in page.url, "the month of that day")


def test_a_hit_says_why_and_what_is_kept_about_it(page: Page, console: Served) -> None:
    page.opens(f"{console.url}/days")
    page.types("form.quick input[name=q]", "whales\ue007")
    comes(lambda: "q=whales" in page.url, "the hits of the search on each page")
    comes(lambda: "Andenes" in text_of(page), "a hit")
    found = page.url
    presses(page, ".acts a[href^='/why']")
    comes(lambda: "/why?" in page.url, "where it comes from")
    assert "Andenes" in text_of(page)
    page.opens(found)
    presses(page, "a.danger")
    comes(lambda: "/forget?words=whales" in page.url, "what is kept about it")
    presses(page, "a.button", "Keep")
    comes(lambda: "/search?q=whales" in page.url, "the hits again")


def test_facts_are_filtered_and_earlier_ones_shown(page: Page, console: Served) -> None:
    page.opens(f"{console.url}/facts")
    page.runs("document.getElementById('category').value = 'preference'")
    presses(page, "form.search button", "Show")
    comes(lambda: "category=preference" in page.url, "one category")
    assert "coffee" in text_of(page) and "Tomas" not in text_of(page)
    page.opens(f"{console.url}/facts")
    presses(page, "a.button", "Earlier facts")
    comes(lambda: page.url.endswith("/facts/before"), "the facts of before")
    assert "900 euros" in text_of(page)


def test_after_signing_out_no_page_shows_any_memory(fresh: tuple[Page, Served, Home]) -> None:
    page, console, _ = fresh
    presses(page, "form[action='/sign-out'] button", "Sign out")
    comes(lambda: "/sign-in" in page.url, "the page to sign in")
    page.opens(f"{console.url}/days")
    assert "Lisbon" not in page.runs("return document.body.innerText")


def test_the_policy_stops_code_that_got_into_a_page(page: Page, console: Served) -> None:
    page.opens(f"{console.url}/days")
    page.runs(
        "const it = document.createElement('div');"
        "it.innerHTML = '<img src=/static/no.svg onerror=\"document.title=1\"><b style=color:red>';"
        "document.body.append(it);"
        "const s = document.createElement('script'); s.textContent = 'document.title = 2';"
        "document.body.append(s);"
    )
    time.sleep(0.5)
    assert page.runs("return document.title").endswith("Sam")
    assert any("Content Security Policy" in row for row in page.said())


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
