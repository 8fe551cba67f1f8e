"""The links in the tour of the code lead to existing functions."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs" / "dev"
TOUR = (DOCS / "tour.md").read_text("utf-8")
STOPS = re.findall(r"\[`([\w.]+)`\]\(([\w./]+\.py)\)", TOUR)


def names(path: Path) -> set[str]:
    """Return the functions, classes, methods and constants of a module; methods as `Class.name`."""
    found = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.ClassDef):
            found.add(node.name)
            found |= {
                f"{node.name}.{each.name}"
                for each in node.body
                if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
            }
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {each.id for each in targets if isinstance(each, ast.Name)}
    return found


@pytest.mark.parametrize(("name", "path"), STOPS)
def test_each_function_named_in_the_tour_exists(name: str, path: str) -> None:
    assert name in names(DOCS / path), f"{path} has no {name}"


def test_the_tour_has_three_paths_and_fits_on_two_screens() -> None:
    assert len(STOPS) > 30, "the pattern finds the stops"
    assert re.findall(r"^## (.+)$", TOUR, re.M) == [
        "One message",
        "One batch",
        "One edit in the vault",
    ]
    assert len(TOUR.splitlines()) <= 90


def test_every_link_leads_somewhere() -> None:
    for link in re.findall(r"\]\(([^)#]+)\)", TOUR):
        assert (DOCS / link).exists(), link
