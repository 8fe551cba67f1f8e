"""`make axe`: accessibility of each page of the console, by axe-core in headless Chromium.

    python -m tests.axe

Each page is opened in light and in dark colours, at phone and desktop size. axe-core comes from npm
and is injected by the driver, since the console's content security policy blocks foreign scripts.
Exits with 1 if axe finds a violation, 3 if npm or Chromium is missing.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from tests.support.chromium import MISSING, Page
from tests.support.console_tab import each_page, signed_in
from tests.support.web import Served, invented, served

PACKAGE = "axe-core@4.14"
SIZES = {"phone": (390, 844), "desk": (1280, 800)}
SETTLED = "document.getAnimations().forEach(each => each.finish())"
"""Colours change gradually when the scheme does."""
RUN = "return axe.run(document, {resultTypes: ['violations', 'incomplete', 'passes']})"


def axe_core(folder: Path) -> str:
    """Return the source of axe-core."""
    npm = ("npm", "install", "--silent", "--no-audit", "--no-fund", f"--prefix={folder}", PACKAGE)
    subprocess.run(npm, check=True)
    return (folder / "node_modules/axe-core/axe.min.js").read_text("utf-8")


def rows(found: list[dict[str, Any]]) -> list[str]:
    """Return a line for each element with a violation."""
    return [
        f"{each['id']} ({each['impact']}): {' '.join(map(str, node['target']))}"
        for each in found
        for node in each["nodes"]
    ]


def reasons(path: str, found: list[dict[str, Any]]) -> list[str]:
    """Return the rule, the reason and the page for each element that axe could not decide on."""
    return [
        f"{each['id']}, {_reason(node)}, on {path.partition('?')[0]}"
        for each in found
        for node in each["nodes"]
    ]


def _reason(node: dict[str, Any]) -> str:
    checks = [*node["any"], *node["all"], *node["none"]]
    data = checks[0].get("data") if checks else None
    return str((data or {}).get("messageKey") or checks[0]["message"]) if checks else "no reason"


def judge(page: Page, script: str) -> dict[str, list[dict[str, Any]]]:
    """Return axe's findings for the open page."""
    page.runs(SETTLED)
    page.runs(script)
    result: dict[str, list[dict[str, Any]]] = page.runs(RUN)
    assert result["passes"], "axe looked at nothing"
    return result


def judged(console: Served, page: Page, script: str) -> int:
    """Print the findings on each page; return the number of violations."""
    wrong = looked = passed = 0
    undecided: Counter[str] = Counter()
    paths = []
    for path in each_page(page, console):
        paths.append(path)
        for name, (width, height) in SIZES.items():
            for dark in (False, True):
                page.sized(width, height, dark=dark)
                result = judge(page, script)
                looked, passed = looked + 1, passed + len(result["passes"])
                found = rows(result["violations"])
                wrong += len(found)
                undecided.update(reasons(path, result["incomplete"]))
                for row in found:
                    print(f"{path} on a {name}, {'dark' if dark else 'light'}: {row}")
    print(f"{len(paths)} pages, {looked} views: {passed} rules passed, {wrong} violations")
    for rule, number in undecided.items():
        print(f"left to people: {rule}, {number} elements")
    return wrong


def main() -> int:
    """Run the check from the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.axe")
    parser.parse_args()
    lacks = [*MISSING, *(["npm"] if shutil.which("npm") is None else [])]
    if lacks:
        print(f"{', '.join(lacks)}: not here, nothing was checked.", file=sys.stderr)
        return 3
    with tempfile.TemporaryDirectory() as name:
        script = axe_core(Path(name))
        with served(invented(Path(name) / "home")) as console, signed_in(console) as page:
            wrong = judged(console, page, script)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
