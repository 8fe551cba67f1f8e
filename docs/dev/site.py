"""Build the documents as a site in build/site: `make site`.

The pages keep their paths and links: README.md is the front page, and every file that a page links
to is copied. mkdocs fails on a broken link or anchor; afterwards the pages are checked not to load
anything from other hosts.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
CONFIG = Path(__file__).with_name("mkdocs.yml")
LINK = re.compile(r"\]\(([^)#\s]+)|<img src=\"([^\"]+)\"")
LOADED = re.compile(
    r"<(?:script|img|iframe|source)[^>]+src=\"?(?:https?:)?//[^\"> ]+"
    r"|<link[^>]+rel=\"?(?:stylesheet|preload|preconnect|icon)[^>]+href=\"?(?:https?:)?//[^\"> ]+"
    r"|url\([\"']?(?:https?:)?//[^)]+|@import[^;]+//[^;]+"
)
"""Matches references in HTML or CSS that a browser loads from another host by itself."""


def pages() -> list[Path]:
    """Return the documents, README.md first."""
    top = [ROOT / name for name in ("README.md", "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    return [*top, *sorted((ROOT / "docs").rglob("*.md"))]


def linked(page: Path) -> Iterator[Path]:
    """Yield the files of the checkout that a page links to or embeds."""
    for match in LINK.finditer(page.read_text("utf-8")):
        file = (page.parent / (match[1] or match[2])).resolve()
        if "://" not in match[0] and file.is_file():
            yield file


def gather(folder: Path) -> None:
    """Copy the pages and the files that they link to into an empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    found = pages()
    for file in {*found, *(each for page in found for each in linked(page))}:
        copy = folder / file.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(file, copy)


def loaded_from_elsewhere(folder: Path) -> list[str]:
    """Return what pages and stylesheets below a folder load from other hosts, as "file: URL"."""
    return [
        f"{file.relative_to(folder)}: {match[0]}"
        for file in sorted(folder.rglob("*"))
        if file.suffix in (".html", ".css")
        for match in LOADED.finditer(file.read_text("utf-8"))
    ]


def main() -> int:
    """Build the site; return mkdocs' exit code, or 1 if a page loads something from elsewhere."""
    gather(BUILD / "site-pages")
    folder = BUILD / "site"
    words = ["build", "--clean", "--config-file", str(CONFIG), "--site-dir", str(folder)]
    env = os.environ | {
        "SITE_PAGES": str(BUILD / "site-pages"),
        "NO_MKDOCS_2_WARNING": "1",  # an advertisement of mkdocs' successor
    }
    # Not --quiet: mkdocs would then count no warnings, and pass.
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", *words],
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if built.returncode:
        print(built.stdout, file=sys.stderr)
        return built.returncode
    if wrong := loaded_from_elsewhere(folder):
        print(*wrong, sep="\n", file=sys.stderr)
        return 1
    print(f"{len(list(folder.rglob('*.html')))} pages: {folder / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
