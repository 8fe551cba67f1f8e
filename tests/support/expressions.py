"""Find the regular expressions in the source, and generate hostile input for each."""

from __future__ import annotations

import ast
import functools
import importlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from re import _constants, _parser  # type: ignore[attr-defined]  # the parser of `re` itself
from typing import Any

from memory.infra.lazy_pattern import LazyPattern
from tests.support.source import modules

USES = {"compile", "search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer"}
FILLERS = (
    *("a", "A", "1", "é", "語", " ", "\t", "\n", "-", "_", ".", ",", ":", ";", "=", "/", "\\"),
    *(
        "(",
        ")",
        "[",
        "]",
        "{",
        "<",
        ">",
        '"',
        "'",
        "`",
        "*",
        "#",
        "$",
        "%",
        "^",
        "~",
        "|",
        "&",
        "@",
    ),
    *("a ", "1 ", "a1", "a.", "a-", "a:", "a=", "a/", "- ", "[a", "](", "``", "$$", "a\n", "\n\n"),
    *("\n ", "<a", "::", "--", "|-", "1-", "://a:", "a, ", "[[", "%%", "1.", "a'"),
)
"""Fragments that are repeated to make a long text."""


@functools.cache
def patterns() -> dict[str, re.Pattern[str]]:
    """Return each expression that bot and memory compile, by its location."""
    found: dict[str, re.Pattern[str]] = {}
    for name, path in modules().items():
        module = importlib.import_module(name)
        for attribute, value in vars(module).items():
            is_pattern = isinstance(value, re.Pattern | LazyPattern)
            if is_pattern or getattr(value, "__module__", name) == name:
                for number, pattern in enumerate(_within(value)):
                    found.setdefault(f"{name}.{attribute}[{number}]", pattern)
        for line, text, flags in literals(path):
            found.setdefault(f"{name}:{line}", re.compile(text, flags))
    seen: set[tuple[str, int]] = set()
    every = {}
    for where, pattern in found.items():
        if isinstance(pattern.pattern, str) and (pattern.pattern, pattern.flags) not in seen:
            seen.add((pattern.pattern, pattern.flags))
            every[where] = pattern
    return every


def _within(value: Any, depth: int = 0) -> Iterator[re.Pattern[str]]:
    """Yield the patterns in a value: itself, its items or attributes, or a cached call's result."""
    if isinstance(value, LazyPattern):
        yield value.compiled
    elif isinstance(value, re.Pattern):
        yield value
    elif depth > 3:
        return
    elif isinstance(value, dict):
        for each in value.values():
            yield from _within(each, depth + 1)
    elif isinstance(value, tuple | list):
        for each in value:
            yield from _within(each, depth + 1)
    elif isinstance(value, functools._lru_cache_wrapper):
        hints = str(value.__annotations__.get("return", ""))
        if "Pattern" in hints and not value.__wrapped__.__code__.co_argcount:
            yield from _within(value(), depth + 1)
    elif isinstance(value, type):
        for each in list(vars(value).values()):
            if isinstance(each, re.Pattern | tuple | list):
                yield from _within(each, depth + 1)


def literals(path: Path) -> Iterator[tuple[int, str, int]]:
    """Yield expressions written as literals in calls such as `re.sub`: line, text, flags."""
    source = path.read_text("utf-8")
    if "import re" not in source:
        return
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and node.func.attr in USES
            and node.args
            and isinstance(node.args[0], ast.Constant)
            and isinstance(node.args[0].value, str)
        ):
            flags = 0
            for each in ast.walk(node):
                if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name):
                    flag = getattr(re.RegexFlag, each.attr, None) if each.value.id == "re" else None
                    flags |= int(flag) if flag is not None else 0
            yield node.lineno, node.args[0].value, flags


def starts(pattern: re.Pattern[str]) -> list[str]:
    """Return at most six texts with which a match may begin: the expression's literal runs."""
    found: list[str] = []

    def walk(items: Any) -> str:
        run = ""
        for op, value in items:
            if op is _constants.LITERAL:
                run += chr(value)
                continue
            if run:
                found.append(run)
                run = ""
            if op is _constants.SUBPATTERN:
                walk(value[3])
            elif op is _constants.BRANCH:
                for each in value[1][:6]:
                    walk(each)
            elif op in (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT):
                walk(value[2])
            elif op in (_constants.ASSERT, _constants.ASSERT_NOT):
                walk(value[1])
        if run:
            found.append(run)
        return run

    walk(_parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG))
    return list(dict.fromkeys(found))[:6]


def hostile(pattern: re.Pattern[str], length: int) -> Iterator[tuple[str, str]]:
    """Yield (name, text) pairs of long texts that are likely to cause backtracking."""
    heads = starts(pattern)
    for filler in FILLERS:
        yield repr(filler), (filler * (length // len(filler) + 1))[:length] + "\0"
    for head in heads:
        yield f"{head!r} again and again", (head * (length // len(head) + 1))[:length] + "\0"
        for filler in ("a", "1", " ", "\n", "-", "a ", "[", "(", '"', "a."):
            unit = head + filler
            yield f"{unit!r} again and again", (unit * (length // len(unit) + 1))[:length] + "\0"
        for filler in ("a", "1", " ", "a ", "-", "A"):
            yield f"{head!r} and {filler!r}", head + filler * (length // len(filler)) + "\0"


def module_of(where: str) -> str:
    """Return the module named by a key of `patterns`."""
    return where.partition(":")[0] if ":" in where else where.partition("[")[0].rpartition(".")[0]


def methods(where: str) -> set[str]:
    """Return the methods that are called on the expression's name: `match`, `search` …"""
    source = modules()[module_of(where)].read_text("utf-8")
    if ":" in where:
        line = int(where.rpartition(":")[2])
        return {used for number, used in _calls(source) if number == line} & USES - {"compile"}
    name = where.partition("[")[0].rpartition(".")[2]
    used = rf"\b{re.escape(name)}(?:\(\))?\.({'|'.join(sorted(USES))})\b"
    return set(re.findall(used, source))


def _calls(source: str) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield node.lineno, node.func.attr


def runner(pattern: re.Pattern[str], used: set[str]) -> Callable[[str], object]:
    """Return a function that applies the pattern as the source does: anchored, or everywhere."""
    if used and used <= {"match", "fullmatch"}:
        once = pattern.fullmatch if used == {"fullmatch"} else pattern.match
        return once
    return lambda text: sum(1 for _ in pattern.finditer(text))
