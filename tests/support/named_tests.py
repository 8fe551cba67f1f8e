"""Resolve test names as documents write them: `file::test`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cache

from tests.support.process import ROOT


def is_there(test: str) -> bool:
    """Return whether pytest would find `file::test`, `file::Class::test` or a
    `Machine.TestCase`."""
    file, _, name = test.partition("::")
    return name.rpartition("::")[2].lower().startswith("test") and name in _named(file)


@cache
def _named(file: str) -> frozenset[str]:
    """Return what a file defines, as `name` or `Class::name`; empty if the file does not exist."""
    path = ROOT / file
    return frozenset(_within(ast.parse(path.read_text("utf-8")).body) if path.is_file() else ())


def _within(body: Sequence[ast.stmt]) -> Iterator[str]:
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield node.name
            case ast.ClassDef():
                yield from (f"{node.name}::{name}" for name in _within(node.body))
            case ast.Assign(targets=[ast.Name(id=known)]):
                yield known  # `TestX = Machine.TestCase`
