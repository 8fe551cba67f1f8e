"""`make site`: every link resolves, and no page loads anything from another host."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
import yaml

from docs.dev import site
from tests.support.process import ROOT

CONFIG = (ROOT / "docs" / "dev" / "mkdocs.yml").read_text("utf-8")


def listed(nav: object) -> set[str]:
    """Return the pages of a nav at any depth."""
    match nav:
        case str():
            return {nav}
        case dict():
            return {page for each in nav.values() for page in listed(each)}
        case list():
            return {page for each in nav for page in listed(each)}
    return set()


def test_the_menu_has_every_page_but_single_decisions() -> None:
    nav = yaml.safe_load(CONFIG[CONFIG.index("\nnav:") :])["nav"]
    there = {
        page.relative_to(ROOT).as_posix()
        for page in site.pages()
        if page.parent.name != "decisions" or page.name == "README.md"
    }
    assert listed(nav) == there


@pytest.mark.parametrize(
    "text",
    [
        '<script src="https://cdn.example.org/a.js"></script>',
        "<img alt=x src=//example.org/a.png>",
        '<link href="a.css" rel="icon"><link rel="stylesheet" href="https://example.org/a.css">',
        "body{background:url(https://example.org/a.png)}",
    ],
)
def test_what_a_page_loads_from_elsewhere_is_seen(text: str, tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_text('<a href="https://example.org">told</a><img src="b.png">', "utf-8")
    assert site.loaded_from_elsewhere(tmp_path) == []
    page.write_text(text, "utf-8")
    assert site.loaded_from_elsewhere(tmp_path) != []


@pytest.mark.skipif(
    importlib.util.find_spec("mkdocs") is None,
    reason="mkdocs is not installed: `make site` does that",
)
def test_the_site_is_built_and_a_dead_link_fails_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(site, "BUILD", tmp_path)
    assert site.main() == 0, capfd.readouterr().err
    front = (tmp_path / "site" / "index.html").read_text("utf-8")
    assert "Two commands" in front and (tmp_path / "site/docs/images/answer.svg").exists()
    gathered = site.gather

    def with_a_dead_link(folder: Path) -> None:
        gathered(folder)
        with (folder / "docs" / "web.md").open("a") as web:
            web.write("\n[nowhere](recall.md#nowhere)\n")

    monkeypatch.setattr(site, "gather", with_a_dead_link)
    assert site.main() != 0
    assert "nowhere" in capfd.readouterr().err
