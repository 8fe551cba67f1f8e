"""Imports, cycles and outside assignments, as `tests.support.source` reports them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import source


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Replace our tree by a small one."""
    for path, text in {
        "bot/__init__.py": "",
        "bot/a.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from . import b\n",
        "bot/b.py": "def late():\n    from .a import x\n    import memory.store\n",
        "memory/__init__.py": "",
        "memory/store.py": (
            "class Store:\n"
            "    def __init__(self, other):\n"
            "        self.size = 1\n"
            "        other.size = 2\n"
            "        made = Store(None)\n"
            "        made.size = 3\n"
            "        self.part.size += 4\n"
        ),
    }.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    monkeypatch.setattr(source, "ROOT", tmp_path)
    source.forget()
    yield tmp_path
    source.forget()


def test_imports_in_functions_and_for_types_count(tree: Path) -> None:
    assert source.imports("bot.a") == {"bot.b"}
    assert source.imports("bot.b") == {"bot.a", "memory.store"}
    assert source.cycles(source.graph()) == [("bot.a", "bot.b")]
    assert source.cycles(source.rooms_graph()) == [("bot.a", "bot.b")], "each a room of its own"
    assert source.rooms_graph()["bot.b"] == {"bot.a", "memory.store"}


def test_a_package_that_offers_a_name_of_its_module_closes_a_cycle(tree: Path) -> None:
    (tree / "memory" / "c").mkdir()
    (tree / "memory" / "a.py").write_text("from .c import C\n", "utf-8")
    (tree / "memory" / "c" / "d.py").write_text("def f():\n    import memory.a\n", "utf-8")
    init = tree / "memory" / "c" / "__init__.py"
    for text, groups in (
        ("", []),
        ("from .d import C\n", [("memory.a", "memory.c", "memory.c.d")]),
    ):
        init.write_text(text, "utf-8")
        source.forget()
        assert [group for group in source.cycles(source.graph()) if "bot.a" not in group] == groups


def test_what_is_set_on_an_object_that_others_made_is_seen(tree: Path) -> None:
    assert source.set_from_outside("memory.store") == [
        "memory/store.py:4 other.size",
        "memory/store.py:7 self.part.size",
    ]
