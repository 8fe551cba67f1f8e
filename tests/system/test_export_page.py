"""`index.html` of an export, opened from the disk in a browser that has no network."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.chromium import MISSING, Page, chromium
from tests.support.homes import Home
from tests.support.process import wait_until

pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"not here: {', '.join(MISSING)}")

REQUESTS = "return performance.getEntriesByType('resource').map((each) => each.name)"
IN_VIEW = """
const first = document.querySelector("#shown article");
return first.getBoundingClientRect().bottom <= innerHeight;
"""
EVIL = "</script><img src=https://evil.example/x onerror=document.title='taken'>"


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    home = Home(folder)
    fact = "- Likes rum (updated:: 2026-02-12) ^f1"
    home.write("knowledge/preference.md", f"# Preference\n\n{fact}\n")
    day = "## 14:30:00\n\n- **Summary**: A day in town ^b1\n- The Größenwahn café opened\n"
    home.write("memories/2026-01-05.md", f"# Memories\n\n{day}")
    said = f"My bicycle is in Anton's garage.\n{EVIL}\nThe zebra is old.\n"
    assert home.sam("chat", stdin=said).returncode == 0
    assert home.sam("export", str(folder / "out")).returncode == 0
    return folder / "out" / "index.html"


def shown(page: Page) -> str:
    return str(page.runs("return document.getElementById('shown').innerText"))


def test_its_calendar_search_and_facts_work_from_the_disk(page_file: Path) -> None:
    with chromium() as page:
        page.opens(page_file.as_uri())
        assert "Anton's garage" in shown(page) and EVIL in shown(page)
        page.types("#words", "zebra")
        wait_until(lambda: "garage" not in shown(page), "the search")
        assert "The zebra is old." in shown(page)
        assert page.runs("return document.querySelector('mark').textContent") == "zebra"
        page.runs("document.getElementById('words').value = ''")
        page.types("#words", "großenwahn cafe")
        wait_until(lambda: "Größenwahn café" in shown(page), "a search without accents")
        page.clicks("#known")
        wait_until(lambda: "Likes rum" in shown(page), "the facts")
        while page.runs("return document.getElementById('month').textContent") > "2026-01":
            page.clicks("#back")
        page.clicks("#calendar button")
        wait_until(lambda: "Größenwahn café opened" in shown(page), "the day in the calendar")
        assert "14:30\n\n• A day in town\n• The Größenwahn café opened" in shown(page)
        assert page.runs("return document.getElementById('about').textContent").startswith("2 days")
        assert page.runs("return document.title") == "Sam's memory"
        assert page.runs("return document.querySelectorAll('img').length") == 0
        assert page.runs(REQUESTS) == [] and page.said() == []


def test_on_a_phone_what_is_found_or_chosen_is_in_view(page_file: Path) -> None:
    with chromium() as page:
        page.sized(390, 500)
        page.opens(page_file.as_uri())
        assert page.runs("return document.documentElement.scrollWidth") == 390
        assert not page.runs(IN_VIEW), "below the calendar"
        page.types("#words", "zebra")
        wait_until(lambda: page.runs(IN_VIEW), "the found messages below the search")
        page.runs("document.getElementById('words').value = ''")
        page.types("#words", " ")
        wait_until(lambda: not page.runs(IN_VIEW), "the calendar again")
        page.clicks("#known")
        wait_until(lambda: page.runs(IN_VIEW), "the facts")
        assert "Likes rum" in shown(page)


@pytest.mark.parametrize("dark", [False, True])
def test_it_can_be_read_in_light_and_dark(page_file: Path, dark: bool) -> None:
    with chromium() as page:
        page.sized(1000, 700, dark=dark)
        page.opens(page_file.as_uri())
        (page_file.parent.parent / f"page-{dark}.png").write_bytes(page.shot())
        ratio = page.runs(CONTRAST)
        assert ratio >= 4.5, f"contrast of text and page: {ratio}"


CONTRAST = """
const light = (colour) => {
  const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3).map((each) => {
    const part = each / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const canvas = document.createElement("div");
canvas.style.background = "Canvas";
document.body.append(canvas);
const back = light(getComputedStyle(canvas).backgroundColor);
const text = light(getComputedStyle(document.querySelector("article")).color);
const [high, low] = back > text ? [back, text] : [text, back];
return (high + 0.05) / (low + 0.05);
"""
