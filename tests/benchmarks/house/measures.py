"""What the source itself tells of its order: rooms, imports, sizes, words."""

from __future__ import annotations

import re

from tests.support import source
from tests.support.source import EXTENSIONS, ROOT

MOST_FILES = 12
OWN_TERMS = ("anew", "told", "held", "mend", "Knows no")
"""Words that stood for established terms."""
WORD_LISTS = ("memory/text/languages/", "memory/text/catalogue/", "memory/dates/locales.py")
"""Where such a word belongs to a language that Sam understands."""
EXTENSION_TESTS = ROOT / "tests" / "contracts" / "test_extensions.py"


def flat() -> dict[str, int]:
    """Package → the modules that lie in it directly."""
    return {package: len(list((ROOT / package).glob("*.py"))) for package in source.PACKAGES}


def largest_folder() -> tuple[str, int]:
    """The folder with the most modules that is no folder of extensions."""
    sizes: dict[str, int] = {}
    for path in source.modules().values():
        folder = path.parent.relative_to(ROOT).as_posix()
        if folder not in EXTENSIONS and path.name != "__init__.py":
            sizes[folder] = sizes.get(folder, 0) + 1
    return max(sizes.items(), key=lambda item: item[1])


def module_cycles() -> list[tuple[str, ...]]:
    """Modules that import each other."""
    return source.cycles(source.graph())


def folder_cycles() -> list[tuple[str, ...]]:
    """Folders that import each other."""
    return source.cycles(source.rooms_graph())


def into_memory() -> tuple[int, int]:
    """The packages of memory that bot imports beside `memory`, and from how many modules in all."""
    edges = {
        (module, other)
        for module in source.modules()
        if module.split(".")[0] == "bot"
        for other in source.interfaces(module, "memory")
    }
    return len({other for _, other in edges} - {"memory"}), len(edges)


def set_from_outside() -> list[str]:
    """Attributes that are set on other objects."""
    return [each for module in source.modules() for each in source.set_from_outside(module)]


def lines() -> int:
    """The lines of bot and memory."""
    return sum(path.read_text("utf-8").count("\n") for path in source.modules().values())


def shared_class_names() -> list[str]:
    """The names that several classes have."""
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
    """How many of the seven kinds of extension a test adds in a copy of the tree."""
    if not EXTENSION_TESTS.exists():
        return 0
    return len(re.findall(r"^(?:async )?def test_add_", EXTENSION_TESTS.read_text("utf-8"), re.M))


def flat_tests() -> int:
    """The test files that lie in tests/ directly."""
    return len(list((ROOT / "tests").glob("test_*.py")))
