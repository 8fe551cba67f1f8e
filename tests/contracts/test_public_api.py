"""`from memory import …`: the names that others may build on."""

from __future__ import annotations

import ast
import asyncio
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

import memory
from tests.support.process import environment

ROOT = Path(memory.__file__).parents[1]


def imported_for_types() -> dict[str, str]:
    """Name → module, of what the front door names for type checkers."""
    found = {}
    for node in ast.walk(ast.parse(Path(memory.__file__).read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            found |= {alias.name: f"memory.{node.module}" for alias in node.names}
    return found


def test_each_name_is_there_and_is_the_one_that_type_checkers_see() -> None:
    typed = imported_for_types()
    assert sorted(typed) == sorted(memory.__all__) == dir(memory)
    assert len(memory.__all__) <= 45, "a front door, not a wall of doors"
    for name, module in typed.items():
        assert getattr(memory, name) is getattr(importlib.import_module(module), name)


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Memoir'"):
        memory.Memoir  # noqa: B018
    with pytest.raises(ImportError):
        from memory import Memoir  # type: ignore[attr-defined]  # noqa: F401


def test_the_package_says_that_it_is_typed() -> None:
    assert (ROOT / "memory" / "py.typed").exists()


def test_a_name_loads_no_more_than_it_needs() -> None:
    code = "import sys; from memory import SamError; print('memory.core' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"


async def test_the_readmes_lines_index_a_folder_and_search_it(tmp_path: Path) -> None:
    """The lines that the README shows for other programs, as they stand there."""
    [code] = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.S)
    notes = tmp_path / "Notes"
    notes.mkdir()
    (notes / "bicycle.md").write_text("My bicycle stands in Anton's garage.\n", "utf-8")
    given = environment(tmp_path, {"EMBEDDING_PROVIDER": "none"})
    home = {**given, "HOME": str(tmp_path)}
    del home["VAULT_DIR"], home["DATA_DIR"]  # the lines name them
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, env=home, cwd=tmp_path, stdout=-1, stderr=-1
    )
    out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    assert "bicycle.md" in out.decode() and "Anton's garage" in out.decode()
    assert sorted(path.name for path in notes.glob("*.md")) == ["bicycle.md"]
