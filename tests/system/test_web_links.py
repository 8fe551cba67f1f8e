"""Each kind of link on each page of the console, clicked in Chromium. Skipped without Chromium."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.chromium import MISSING, Page
from tests.support.console_forms import links, pattern
from tests.support.console_tab import BEHIND_BUTTONS, UNANSWERED, comes, each_page, signed_in
from tests.support.web import Served, invented, served

pytestmark = pytest.mark.skipif(
    bool(MISSING), reason=f"no browser to try it in: {', '.join(MISSING)} is not installed"
)

LINKS = """
const kind = it => [it.closest('svg, nav, header, footer, table')?.tagName,
  it.getAttribute('class'), it.rel,
  it.getAttribute('href')?.replace(/[^/?#]*\\d[^/?#&]*|=[^&#]*/g, '…')].join(' ');
const all = [...document.querySelectorAll('a[href]:not([rel~=nofollow]), summary')];
const one = [...new Map(all.map(it => [kind(it), it])).values()];
all.forEach(it => it.dataset.link = one.indexOf(it));
return one.map(it => [it.getAttribute('href'), Boolean(it.closest('#main'))]);
"""
"""One link of each kind, and whether it is in the main part; marks them with their number."""
WHERE = {"base.html": "/", "macros.html": "/", "hits.html": "/search", "error.html": "/nothing"} | {
    "forgotten.html": "/forget, done", "doctor.html": "/health/doctor", "days.html": "/days",
    "day.html": "/days/", "past.html": "/facts/before", "fact.html": "/facts/f",
    "facts.html": "/facts", "forget.html": "/forget?", "graph.html": "/graph",
    "sent.html": "/sent", "why.html": "/why?",
}  # fmt: skip
"""How the path of a page with that template starts."""


def test_every_link_leads_to_a_page(tmp_path: Path) -> None:
    """Click one of each kind of link on each page; each link of each template is among them."""
    home = invented(tmp_path, EMBEDDING_PROVIDER="local")
    home.write("knowledge/goal.md", "# Goals\n\n- Wants a cello (updated:: 2026-05-01)\n")
    clicked: dict[str, set[str]] = {}
    with served(home) as console, signed_in(console) as page:
        with console.browser() as asks:
            offered = "Show the closest matches"
            comes(lambda: any(offered in asks.get(each).text for each in UNANSWERED), "vectors")
        clicks_all(page, console, clicked)
    left = [
        f"{template}: {target}"
        for template, targets in links().items()
        for target in targets
        if not any(
            pattern(target).fullmatch(href)
            for path, hrefs in clicked.items()
            if path.startswith(WHERE[template])
            for href in hrefs
        )
    ]
    assert left == [], f"links that were not clicked; clicked: {clicked}"


def clicks_all(page: Page, console: Served, clicked: dict[str, set[str]]) -> None:
    for path in each_page(page, console):
        clicked[path] = set()
        for number, (href, in_main) in enumerate(page.runs(LINKS)):
            if not in_main and len(clicked) > 1:
                continue  # the same on each page
            if clicked[path] and path not in BEHIND_BUTTONS:
                page.opens(f"{console.url}{path}")
                page.runs(LINKS)
            follows(page, number, href)
            clicked[path].add(href or "")


def follows(page: Page, number: int, href: str | None) -> None:
    """Click that link, or use it with the keyboard; check that something good comes of it."""
    it = f"[data-link='{number}']"
    page.runs(f"document.querySelector(\"{it}\").scrollIntoView({{block: 'center'}})")
    if href is None:
        page.clicks(it)
        assert page.runs(f'return document.querySelector("{it}").parentNode.open'), "it unfolds"
    elif href.startswith("#"):
        page.runs(f'document.querySelector("{it}").focus()')  # it is hidden otherwise
        page.strikes("\r")  # Enter
        assert page.runs("return document.activeElement.id") == href[1:]
    else:
        page.runs("window.before = true")
        page.clicks(it)
        loaded = "return !window.before && document.readyState === 'complete'"
        comes(lambda: page.runs(loaded), f"the page behind {href}")
        title = page.runs("return document.querySelector('h1').innerText")
        assert title not in ("Page not found", "That did not work", "Something went wrong"), href
