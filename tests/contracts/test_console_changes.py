"""The web console changes nothing by itself: it calls what the chat and the tools call."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from memory import Vault
from tests.support.homes import ROOT

READS = {"of_day", "latest", "recent"}
"""What the console asks the stores of the log; none of it writes."""
WRITES = {"edit", "put", "move", "archive", "release", "remove", "take_back"}
"""What changes a vault."""
FILES = {"write_text", "write_bytes", "unlink", "rename", "rmtree", "mkdir", "execute"}


def changes(source: str) -> Iterator[str]:
    """Yield the calls that would change the vault, the log or a file directly."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Attribute(ast.Attribute(_, "vault"), name)) if name in WRITES:
                yield f"vault.{name}"
            case ast.Call(
                func=ast.Attribute(ast.Attribute(ast.Attribute(_, "log"), store), name)
            ) if name not in READS:
                yield f"log.{store}.{name}"
            case ast.Call(func=ast.Attribute(_, name)) if name in FILES:
                yield name


def test_the_console_writes_only_by_the_functions_of_chat_and_tools() -> None:
    found = {
        f"{path.relative_to(ROOT)}: {each}"
        for path in (ROOT / "bot" / "web").rglob("*.py")
        for each in changes(path.read_text("utf-8"))
    }
    assert found == set()


@pytest.mark.parametrize(
    "call",
    ["memory.vault.edit(path)", "self.memory.log.facts.put(rows)", "path.write_text(text)"],
)
def test_a_direct_change_is_found(call: str) -> None:
    assert len(list(changes(f"async def page(): await {call}"))) == 1


def test_the_writing_methods_are_those_of_the_vault() -> None:
    assert all(callable(getattr(Vault, name)) for name in WRITES)
