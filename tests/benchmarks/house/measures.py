"""Static measures of the source: folders, imports, sizes, and words."""

from __future__ import annotations

import re

from tests.support import source
from tests.support.source import EXTENSIONS, ROOT

MOST_FILES = 12
OWN_TERMS = ("anew", "told", "held", "mend", "Knows no")
"""Words that used to stand for established terms."""
WORD_LISTS = ("memory/text/languages/", "memory/text/catalogue/", "memory/dates/languages/")
"""Files in which such a word belongs to a language that Sam understands."""
EXTENSION_TESTS = ROOT / "tests" / "contracts" / "test_extensions.py"


def flat() -> dict[str, int]:
    """Return package → the modules directly in it."""
    return {package: len(list((ROOT / package).glob("*.py"))) for package in source.PACKAGES}


def largest_folder() -> tuple[str, int]:
    """Return the largest folder, except folders of extensions, and its number of modules."""
    sizes: dict[str, int] = {}
    for path in source.modules().values():
        folder = path.parent.relative_to(ROOT).as_posix()
        if folder not in EXTENSIONS and path.name != "__init__.py":
            sizes[folder] = sizes.get(folder, 0) + 1
    return max(sizes.items(), key=lambda item: item[1])


def module_cycles() -> list[tuple[str, ...]]:
    """Return the groups of modules that import each other."""
    return source.cycles(source.graph())


def folder_cycles() -> list[tuple[str, ...]]:
    """Return the groups of folders that import each other."""
    return source.cycles(source.rooms_graph())


def into_memory() -> tuple[int, int]:
    """Return the packages of memory that bot imports besides `memory`, and how many importers."""
    edges = {
        (module, other)
        for module in source.modules()
        if module.split(".")[0] == "bot"
        for other in source.interfaces(module, "memory")
    }
    return len({other for _, other in edges} - {"memory"}), len(edges)


def set_from_outside() -> list[str]:
    """Return the attributes that are set on other objects from outside."""
    return [each for module in source.modules() for each in source.set_from_outside(module)]


def lines() -> int:
    """Return the number of lines of bot and memory."""
    return sum(path.read_text("utf-8").count("\n") for path in source.modules().values())


def shared_class_names() -> list[str]:
    """Return the class names that several modules define."""
    return sorted(name for name, found in source.classes().items() if len(found) > 1)


def own_terms() -> dict[str, int]:
    """Count each of OWN_TERMS in names, comments, docstrings and messages."""
    paths = source.modules().values()
    text = "\n".join(
        path.read_text("utf-8")
        for path in paths
        if not path.relative_to(ROOT).as_posix().startswith(WORD_LISTS)
    )
    return {term: len(re.findall(rf"(?<![a-zA-Z]){term}(?![a-zA-Z])", text)) for term in OWN_TERMS}


def extensions_proven() -> int:
    """Return how many of the seven kinds of extension a test adds in a copy of the tree."""
    if not EXTENSION_TESTS.exists():
        return 0
    return len(re.findall(r"^(?:async )?def test_add_", EXTENSION_TESTS.read_text("utf-8"), re.M))


def flat_tests() -> int:
    """Return the test files directly in tests/."""
    return len(list((ROOT / "tests").glob("test_*.py")))
