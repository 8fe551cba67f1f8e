"""Every form of the web console is used by a browser test, and every page has its picture.

The links are clicked by tests/system/test_web_links.py, which compares them with the templates.
"""

from __future__ import annotations

import ast
import re

from tests.support.console_forms import forms, links
from tests.support.process import ROOT

TEMPLATES = ROOT / "bot" / "web" / "templates"
PARTS = ("base", "macros", "hits")  # templates that are no pages
PICTURE = {
    "doctor": "checks", "graph": "names", "mini_app": "app", "past": "before", "sign_in": "sign-in",
}  # fmt: skip
"""Template → its picture, where the names differ."""


def driven() -> dict[str, set[str]]:
    """Return the fields by form, as the browser tests declare them."""
    found: dict[str, set[str]] = {}
    for file in (ROOT / "tests" / "system").glob("test_web_*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "drives":
                for name in map(ast.literal_eval, node.args):
                    method, path, *fields = name.split()
                    found.setdefault(f"{method} {path}", set()).update(fields)
    return found


def test_each_form_and_field_of_the_templates_is_used_in_the_browser() -> None:
    """A form without a test, a field without one, and a test of a form that is gone all fail."""
    assert driven() == forms()


def test_the_templates_are_understood() -> None:
    """The reader finds forms in plain tags, in macros and in calls with a body."""
    known = forms()
    assert len(known) >= 19
    assert known["GET /search"] == {"q", "in", "since", "until"}
    assert known["POST /facts/…/edit"] == {"text"} and known["POST /facts/…/pin"] == set()
    assert known["POST /forget"] == {"item", "sure"} and known["POST /sign-out"] == {"all"}
    assert "POST /tasks/tomorrow" in known
    assert sum(map(len, links().values())) >= 30
    assert "/graph?about=…" in links()["day.html"]


def test_the_docs_show_a_picture_of_each_page() -> None:
    """Also of the page for errors; and no picture in the docs is missing or left over."""
    pages = {each.stem for each in TEMPLATES.glob("*.html")} - set(PARTS)
    shown = re.findall(
        r'src="images/web-([a-z-]+)\.png"', (ROOT / "docs/web.md").read_text("utf-8")
    )
    files = {each.stem.removeprefix("web-") for each in (ROOT / "docs/images").glob("web-*.png")}
    assert {PICTURE.get(each, each) for each in pages} <= set(shown)
    assert sorted(shown) == sorted(files)
