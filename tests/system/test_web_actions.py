"""Each form of the console, used in Chromium as a person does. Skipped without Chromium.

tests/contracts/test_console_actions.py checks that no form of the templates is left out."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.chromium import MISSING, Page
from tests.support.console_tab import (
    NOTICE,
    comes,
    drives,
    presses,
    signed_in,
    tab,
    text_of,
)
from tests.support.homes import Home
from tests.support.web import Served, day, invented, served

pytestmark = pytest.mark.skipif(
    bool(MISSING), reason=f"no browser to try it in: {', '.join(MISSING)} is not installed"
)


@pytest.fixture(scope="module")
def console(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(invented(tmp_path_factory.mktemp("web"))) as running:
        yield running


@pytest.fixture(scope="module")
def page(console: Served) -> Iterator[Page]:
    with signed_in(console) as opened:
        yield opened


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[tuple[Page, Served, Home]]:
    """Open a signed-in tab on a memory that the test may change."""
    home = invented(tmp_path)
    with served(home) as console, signed_in(console) as opened:
        yield opened, console, home


@pytest.fixture
def blank() -> Iterator[Page]:
    with tab() as opened:
        yield opened


@drives("POST /sign-in code")
def test_the_link_is_pasted(blank: Page, tmp_path: Path) -> None:
    with served(invented(tmp_path)) as console:
        blank.opens(f"{console.url}/sign-in")
        blank.types("#code", "no such code\ue007")
        comes(lambda: "has been used" in text_of(blank), "why it did not work")
        blank.types("#code", f"{console.url}/sign-in#{console.token}")
        blank.clicks("#sign-in button")
        comes(lambda: blank.url == f"{console.url}/days", "the days")


@drives("POST /tasks/add text")
def test_a_task_is_added_and_the_page_says_so(fresh: tuple[Page, Served, Home]) -> None:
    page, console, home = fresh
    page.opens(f"{console.url}/tasks")
    page.types("#text", "sharpen the plane\ue007")
    comes(lambda: page.runs(NOTICE), "a notice")
    assert "sharpen the plane" in (home.vault / "tasks.md").read_text()


@drives("POST /facts/…/edit text", "POST /facts/…/pin", "POST /facts/…/retire")
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


@drives("POST /forget sure")
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


@drives("POST /tasks/done", "POST /tasks/reopen")
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


@drives("POST /tasks/week", "POST /tasks/tomorrow", "POST /tasks/hour", "POST /tasks/drop")
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


@drives("GET /search q")
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


@drives("GET /facts q category")
def test_facts_are_filtered_and_earlier_ones_shown(page: Page, console: Served) -> None:
    page.opens(f"{console.url}/facts")
    page.types("#q", "sugar")
    page.types("#category", "What you l")
    presses(page, "form.search button", "Show")
    comes(lambda: "category=preference" in page.url, "one category")
    shown = text_of(page)
    assert "coffee" in shown and "Tomas" not in shown and "train" not in shown
    page.opens(f"{console.url}/facts")
    presses(page, "a.button", "Earlier facts")
    comes(lambda: page.url.endswith("/facts/before"), "the facts of before")
    assert "900 euros" in text_of(page)


@drives("POST /sign-out")
def test_after_signing_out_no_page_shows_any_memory(fresh: tuple[Page, Served, Home]) -> None:
    page, console, _ = fresh
    presses(page, "form[action='/sign-out'] button", "Sign out")
    comes(lambda: "/sign-in" in page.url, "the page to sign in")
    page.opens(f"{console.url}/days")
    assert "Lisbon" not in page.runs("return document.body.innerText")


@drives("GET /search in", "GET /search since", "GET /search until", "GET /search q")
def test_the_hits_are_limited_to_a_kind_and_to_days(page: Page, console: Served) -> None:
    page.opens(f"{console.url}/search")
    page.types("#q", "Tomas Oslo\ue007")
    comes(lambda: "in=all" in page.url, "the hits")
    sources = "return [...document.querySelectorAll('.source')].map(e => e.innerText)"
    assert {"log/" in each for each in page.runs(sources)} == {True, False}
    page.clicks("summary")
    page.types("select[name=in]", "notes")
    comes(lambda: "in=knowledge" in page.url, "the notes and facts")
    comes(lambda: page.runs(sources), "hits")
    assert not [each for each in page.runs(sources) if each.startswith("log/")]
    page.types("select[name=in]", "what")
    comes(lambda: "in=conversations" in page.url, "what was said")
    comes(lambda: page.runs(sources), "hits")
    assert all(each.startswith("log/") for each in page.runs(sources))
    dates = "return [...document.querySelectorAll('.hit time')].map(e => e.dateTime.slice(0, 10))"
    assert {day(3), day(0)} <= set(page.runs(dates))
    year, month, date = day(3).split("-")
    for name in ("since", "until"):
        page.runs(f"document.querySelector('input[name={name}]').focus()")
        for key in f"{month}{date}{year}":
            page.strikes(key)
            assert f"{name}=0" not in page.url, "nothing is sent for half a year"
        comes(lambda name=name: f"{name}={day(3)}" in page.url, f"the hits {name} that day")
    comes(lambda: set(page.runs(dates)) == {day(3)}, "those of that day alone")
    assert page.runs("return document.querySelector('details').open"), "the filters stay visible"


@drives("POST /sign-out all")
def test_one_signs_out_everywhere(fresh: tuple[Page, Served, Home]) -> None:
    page, console, _ = fresh
    with console.browser() as other:
        assert other.get("/days").status_code == 200
        presses(page, "form[action='/sign-out'] button", "Sign out everywhere")
        comes(lambda: "/sign-in" in page.url, "the page to sign in")
        assert other.get("/days").status_code == 303, "the other browser as well"


@drives("GET /why words")
def test_one_asks_why_something_is_remembered(page: Page, console: Served) -> None:
    page.opens(f"{console.url}/why?words=xylophone")
    assert "I have nothing about that" in text_of(page)
    page.runs("document.getElementById('words').select()")
    page.types("#words", "whales")
    presses(page, "form[action='/why'] button")
    comes(lambda: "Andenes" in text_of(page), "the messages behind it")
    presses(page, ".quotes a")
    comes(lambda: f"/days/{day(12)}#m" in page.url, "the day of the message")


def test_the_curve_of_the_self_exam_agrees_with_its_table(page: Page, console: Served) -> None:
    page.opens(f"{console.url}/health")
    circles = "[...document.querySelectorAll('circle')]"
    titles = page.runs(f"return {circles}.map(e => e.textContent)")
    assert len(titles) == 14 and titles[0].startswith(day(13)) and titles[-1].startswith(day(0))
    presses(page, "summary", "As a table")
    rows = page.runs(
        "return [...document.querySelectorAll('details tbody tr')]"
        ".map(r => r.children[0].textContent + ': ' + r.children[2].textContent)"
    )
    assert rows == titles[::-1] and len({row.partition(": ")[2] for row in rows}) > 2
    heights = page.runs(
        "return [...document.querySelectorAll('circle')].map(e => +e.getAttribute('cy'))"
    )
    shares = [int(title.partition(": ")[2].removesuffix(" %")) for title in titles]
    order = sorted(range(14), key=lambda number: shares[number])
    assert [heights[n] for n in order] == sorted(heights, reverse=True), "more is higher"


@drives("POST /health/doctor")
def test_all_checks_are_run(page: Page, console: Served) -> None:
    page.opens(f"{console.url}/health")
    presses(page, "button", "Run all checks")
    comes(lambda: "All checks" in text_of(page), "the checks of sam doctor")
    assert "Sam can start" in text_of(page)
    presses(page, ".crumbs a", "Health")
    comes(lambda: page.url.endswith("/health"), "the health")


@drives("GET /forget words", "POST /forget item sure")
def test_what_is_unticked_is_kept(fresh: tuple[Page, Served, Home]) -> None:
    page, console, home = fresh
    facts, days = home.vault / "knowledge/relationship.md", home.vault / f"memories/{day(3)}.md"
    page.opens(f"{console.url}/forget")
    page.types("#words", "Tomas Oslo")
    presses(page, "form[action='/forget'] button", "Show")
    comes(lambda: "Tomas is an old friend" in text_of(page), "what is kept about it")
    presses(page, "li.card label", "Tomas is an old friend")
    page.clicks("#sure")
    presses(page, "button.danger")
    comes(lambda: "Forgotten" in text_of(page), "the receipt")
    assert "Tomas is an old friend" in facts.read_text()
    assert "Met Tomas in Oslo" not in days.read_text()
