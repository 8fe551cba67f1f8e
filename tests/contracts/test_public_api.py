"""`from memory import …`: the names of the public API."""

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


STUBS = sorted((ROOT / "memory").rglob("__init__.pyi"))


@pytest.mark.parametrize("stub", STUBS, ids=lambda stub: stub.parent.name)
def test_each_name_is_there_and_is_the_one_that_type_checkers_see(stub: Path) -> None:
    name = ".".join(stub.parent.relative_to(ROOT).parts)
    package, found = importlib.import_module(name), set()
    for node in ast.parse(stub.read_text("utf-8")).body:
        assert isinstance(node, ast.ImportFrom) and node.level == 1
        for alias in node.names:
            found.add(alias.name)
            module = importlib.import_module(".".join(filter(None, (name, node.module))))
            here = getattr(module, alias.name, None) if node.module else None
            there = here or importlib.import_module(f"{name}.{alias.name}")
            assert getattr(package, alias.name) is there
    assert sorted(found) == sorted(package.__all__) == dir(package)


def test_the_public_api_stays_small() -> None:
    assert len(memory.__all__) <= 55


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(AttributeError, match="Memoir"):
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
    """Run the README's example for other programs, verbatim."""
    [code] = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.S)
    notes = tmp_path / "Notes"
    notes.mkdir()
    (notes / "bicycle.md").write_text("My bicycle stands in Anton's garage.\n", "utf-8")
    given = environment(tmp_path, {"EMBEDDING_PROVIDER": "none"})
    home = {**given, "HOME": str(tmp_path)}
    del home["VAULT_DIR"], home["DATA_DIR"]  # the example uses these names
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, env=home, cwd=tmp_path, stdout=-1, stderr=-1
    )
    out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    assert "bicycle.md" in out.decode() and "Anton's garage" in out.decode()
    assert sorted(path.name for path in notes.glob("*.md")) == ["bicycle.md"]
