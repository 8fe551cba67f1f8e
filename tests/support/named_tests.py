"""Tests as documents name them: `file::test`."""

from __future__ import annotations

import ast

from tests.support.process import ROOT


def is_there(test: str) -> bool:
    """Whether pytest would find `file::test`, `file::Class::test` or a state machine's case."""
    file, *names = test.split("::")
    if not (ROOT / file).is_file() or not names or not names[-1].lower().startswith("test"):
        return False
    body = ast.parse((ROOT / file).read_text("utf-8")).body
    for number, name in enumerate(names, 1):
        for node in body:
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef() if node.name == name:
                    return number == len(names)
                case ast.ClassDef() if node.name == name:
                    if number == len(names):
                        return False
                    body = node.body
                    break
                case ast.Assign(targets=[ast.Name(id=known)]) if known == name:
                    return number == len(names)  # `TestX = Machine.TestCase`
        else:
            return False
    return False
