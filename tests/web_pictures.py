"""Make the pictures of docs/web.md from an invented memory: `python -m tests.web_pictures`."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.support.chromium import chromium
from tests.support.process import ROOT
from tests.support.web import day, invented, served

FOLDER = ROOT / "docs" / "images"
SIZE = (390, 700)
PICTURES = (
    ("days", "/days", False),
    ("day", f"/days/{day(0)}", False),
    ("search", "/search?q=Where+does+Tomas+live%3F", True),
    ("facts", "/facts", False),
    ("tasks", "/tasks", True),
    ("names", "/graph", False),
)
"""Name, page, and whether in dark colours."""


def main() -> None:
    """Write each picture."""
    FOLDER.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        served(invented(Path(folder))) as console,
        chromium() as page,
    ):
        page.opens(f"{console.url}/sign-in#{console.token}")
        while not page.url.endswith("/days"):
            pass
        for name, path, dark in PICTURES:
            page.sized(*SIZE, dark=dark)
            page.opens(f"{console.url}{path}")
            (FOLDER / f"web-{name}.png").write_bytes(page.shot())


if __name__ == "__main__":
    main()
