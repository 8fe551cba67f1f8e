"""Make the pictures of docs/web.md from an invented memory: `python -m tests.web_pictures`."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.support.chromium import Page, chromium
from tests.support.console_tab import presses, text_of
from tests.support.homes import Home
from tests.support.process import ROOT, wait_until
from tests.support.web import day, invented, served

FOLDER = ROOT / "docs" / "images"
SIZE = (390, 700)
PICTURES = (
    ("days", "/days", False),
    ("day", f"/days/{day(0)}", False),
    ("search", "/search?q=Where+does+Tomas+live%3F", True),
    ("facts", "/facts", False),
    ("fact", "/facts/f1rent", False),
    ("why", "/why?words=whales", True),
    ("before", "/facts/before", False),
    ("forget", "/forget?words=whales", False),
    ("note", "/note?path=knowledge/preference.md", False),
    ("tasks", "/tasks", True),
    ("names", "/graph", False),
    ("name", "/graph?about=Ana", True),
    ("sent", "/sent", False),
    ("health", "/health", False),
    ("error", "/facts/f0gone", False),
)
"""(name, page, whether in dark colours)"""
SIGNED_OUT = (("sign-in", "/sign-in", False), ("app", "/app", True))


def main() -> None:
    """Write all pictures."""
    FOLDER.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        served(closed(invented(Path(folder)))) as console,
        chromium() as page,
    ):
        draw(page, console.url, SIGNED_OUT)
        page.opens(f"{console.url}/sign-in#{console.token}")
        wait_until(lambda: page.url.endswith("/days"), "the days behind the link")
        draw(page, console.url, PICTURES)
        draw_behind_buttons(page, console.url)


def closed(home: Home) -> Home:
    """Close the data folder to other users, as Sam's own processes do."""
    for path in (home.data, *home.data.rglob("*")):
        path.chmod(0o700 if path.is_dir() else 0o600)
    return home


def draw_behind_buttons(page: Page, url: str) -> None:
    """Take screenshots of the pages without an address of their own."""
    page.sized(*SIZE, dark=False)
    page.opens(f"{url}/health")
    presses(page, "form[action='/health/doctor'] button")
    wait_until(lambda: "All checks" in text_of(page), "the checks")
    save(page, "checks")
    page.sized(*SIZE, dark=True)
    page.opens(f"{url}/forget?words=whales")
    presses(page, "input[name=sure]")
    presses(page, "button.danger")
    wait_until(lambda: "Forgotten" in text_of(page), "the receipt")
    save(page, "forgotten")


def save(page: Page, name: str) -> None:
    """Write what the tab shows."""
    page.runs("document.getAnimations().forEach(each => each.finish())")
    (FOLDER / f"web-{name}.png").write_bytes(page.shot())


def draw(page: Page, url: str, pictures: tuple[tuple[str, str, bool], ...]) -> None:
    """Open each page and take a screenshot."""
    for name, path, dark in pictures:
        page.sized(*SIZE, dark=dark)
        page.opens(f"{url}{path}")
        save(page, name)


if __name__ == "__main__":
    main()
