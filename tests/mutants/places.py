"""Select the tests that may catch a mutation: they run its statement, or use its name."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Set
from typing import NamedTuple

from .measure import Map, TimedTest
from .mutations import Mutation

_FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)


class Place(NamedTuple):
    """The location of a mutation.

    `function`: the qualified name and first line of the outermost function whose body contains it;
    None in a module or class body, or in a function's signature. `lines`: those of its statement.
    `names`: what a statement outside of functions assigns to. `owner`: the class in whose body that
    statement is, such as a dataclass. `imported`: it runs at import.
    """

    function: tuple[str, int] | None
    lines: range
    names: frozenset[str] = frozenset()
    owner: str = ""
    imported: bool = False


def place(mutation: Mutation, source: str, imported: Set[int]) -> Place:
    """Return the location of the mutation, given the lines that run at import."""
    where = next(_places(ast.parse(source).body, mutation.line, (), None))
    return where._replace(imported=not imported.isdisjoint(where.lines))


def _places(
    body: Iterable[ast.stmt], line: int, inside: tuple[str, ...], function: tuple[str, int] | None
) -> Iterator[Place]:
    for node in body:
        decorators = getattr(node, "decorator_list", [])
        first = min([node.lineno, *(each.lineno for each in decorators)])
        last = node.end_lineno or node.lineno
        if not first <= line <= last:
            continue
        if isinstance(node, (*_FUNCTION, ast.ClassDef)):
            start = node.body[0].lineno
            name = (*inside, node.name)
            if line < start:  # the signature: a default
                yield Place(function, range(start, last + 1), frozenset({node.name}))
            elif isinstance(node, ast.ClassDef):
                for where in _places(node.body, line, name, function):
                    yield where._replace(owner=where.owner or node.name)
            else:
                here = function or (".".join(name), first)
                yield from _places(node.body, line, (*name, "<locals>"), here)
        else:
            blocks = [
                child
                for child in ast.iter_child_nodes(node)
                if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case)
            ]
            inner = list(_flat(blocks))
            found = list(_places(inner, line, inside, function))
            yield from found
            if not found:
                end = min((each.lineno - 1 for each in inner if each.lineno > line), default=last)
                yield Place(function, range(first, max(end, line) + 1), frozenset(_targets(node)))


def _flat(blocks: Iterable[ast.AST]) -> Iterator[ast.stmt]:
    for block in blocks:
        if isinstance(block, ast.stmt):
            yield block
        else:
            yield from (each for each in ast.iter_child_nodes(block) if isinstance(each, ast.stmt))


def _targets(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.Assign):
        targets = node.targets
    else:
        targets = [node.target] if isinstance(node, ast.AnnAssign) else []
    return {
        name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)
    }


def candidates(
    mutation: Mutation, where: Place, known: Map, sources: Mapping[str, str]
) -> list[TimedTest]:
    """Return the tests that may catch it, fastest first. `sources`: the text of every file.

    Many files use a name such as that of a dataclass's field for other things, too. Tests that run
    a line naming its class, and one in a file that names the class, come first.
    """
    if where.function is not None:
        found = known.of(mutation.file, where.lines)
        if found or not where.imported:
            return found
    whole = range(1, sources[mutation.file].count("\n") + 2)
    if not where.names:
        return known.of(mutation.file, whole)
    users = known.of_all(_users(where.names, mutation.file, sources))
    if where.owner:
        made = _users(frozenset({where.owner}), mutation.file, sources)
        near = {file: text for file, text in sources.items() if made[file]}
        making = set(known.of_all(made))
        using = known.of_all(_users(where.names, mutation.file, near))
        likely = [test for test in using if test in making]
        users = [*likely, *(test for test in users if test not in set(likely))]
    return users or known.of(mutation.file, whole)


def _users(names: frozenset[str], file: str, sources: Mapping[str, str]) -> dict[str, list[int]]:
    """Return where those names are used, and names derived from them in their own file."""
    wanted, before = set(names), set[str]()
    top = [node for node in ast.parse(sources[file]).body if _targets(node)]
    while wanted != before:
        before = set(wanted)
        for node in top:
            used = {name.id for name in ast.walk(node) if isinstance(name, ast.Name)}
            if used & wanted:
                wanted |= _targets(node)
    pattern = re.compile(rf"\b(?:{'|'.join(sorted(map(re.escape, wanted)))})\b")
    return {
        path: [n for n, line in enumerate(text.splitlines(), 1) if pattern.search(line)]
        for path, text in sources.items()
    }
