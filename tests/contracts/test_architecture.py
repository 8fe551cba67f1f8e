"""Architecture rules, checked against the source: layers, imports, sizes.

Each rule is a function from source text to violations, and is first tried on a snippet that
violates it, to prove that it can fail.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from memory import DataDir
from tests.support.source import (
    EXTENSIONS,
    FLOORS,
    HEAVY,
    classes,
    cycles,
    graph,
    interfaces,
    modules,
    rooms_graph,
    set_from_outside,
)

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted(
    path.relative_to(ROOT).as_posix()
    for package in ("bot", "memory")
    for path in (ROOT / package).rglob("*.py")
)
LONGEST = 400
AT_TOP, IN_PACKAGE = 5, 12
"""Maximum number of files directly in memory/ and in bot/, including `__init__.py`, and of modules
in each of their packages."""
EXCEPTIONS: dict[str, set[str]] = {
    "imports upwards": set(),
    "crowded folders": set(),
    "attributes set from outside": set(),
    "class names with several meanings": {"Progress"},
}
"""Known violations of each rule. An entry that no longer applies fails as well: remove it."""
NEVER_NAMES = {"utils", "helpers", "manager", "service", "base", "common", "misc"}
SQLITE = {"sqlite3", "sqlean", "pysqlite3", "sqlite_vec", "_sqlite3", "apsw"}
SQL = re.compile(
    r"\b(SELECT\s.+?\sFROM\s|SELECT\s+(count|max|min|sum|1)\b|INSERT\s+(OR\s+\w+\s+)?INTO\s"
    r"|REPLACE\s+INTO\s|UPDATE\s+\w+\s+SET\s|DELETE\s+FROM\s|CREATE\s+(VIRTUAL\s+)?(TABLE|INDEX)\s"
    r"|DROP\s+TABLE\s|PRAGMA\s+\w+|BEGIN\s+IMMEDIATE|VACUUM\b)",
    re.DOTALL,
)


@cache
def nodes(source: str) -> list[ast.AST]:
    """Return all nodes of a file; cached, because several rules use them."""
    return list(ast.walk(ast.parse(source)))


def _imports(among: Iterable[ast.AST], package: str) -> Iterator[str]:
    """Yield the absolute name of every module imported in these nodes, also lazily."""
    for node in among:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = _above(node, package)
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def _above(node: ast.ImportFrom, package: str) -> str:
    """Return the absolute name of the module that names are imported from."""
    parts = package.split(".")
    above = ".".join(parts[: len(parts) - node.level + 1]) if node.level else ""
    return ".".join(filter(None, (above, node.module)))


def _package(path: str) -> str:
    return ".".join(Path(path).parent.parts)


def _roots(path: str, source: str) -> set[str]:
    return {name.split(".")[0] for name in _imports(nodes(source), _package(path))}


def downward(path: str, source: str) -> set[str]:
    """Return imports that violate `bot → memory`, or third-party imports in memory."""
    if not path.startswith("memory/"):
        return set()
    return _roots(path, source) & {"bot", "telegram", "anthropic", "apscheduler"}


def anthropic_at_one_place(path: str, source: str) -> set[str]:
    return set() if path == "bot/claude/client.py" else _roots(path, source) & {"anthropic"}


def telegram_at_one_place(path: str, source: str) -> set[str]:
    if path.startswith("bot/telegram/"):
        return set()
    return _roots(path, source) & {"telegram", "telegramify_markdown"}


def sqlite_at_one_place(path: str, source: str) -> set[str]:
    return set() if path == "memory/infra/sqlite.py" else _roots(path, source) & SQLITE


def psycopg_at_one_place(path: str, source: str) -> set[str]:
    """psycopg is an optional extra: only the code that opens DATABASE_URL may import it."""
    if path.startswith("memory/infra/postgres/"):
        return set()
    return _roots(path, source) & {"psycopg", "psycopg_pool"}


def environment_at_two_places(path: str, source: str) -> set[str]:
    """Environment variables are read in two places; `setdefault` for a library is allowed."""
    if path in ("bot/settings/settings.py", "memory/config.py"):
        return set()
    written = {
        id(node.value.func.value)
        for node in nodes(source)
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Attribute)
        and node.value.func.attr == "setdefault"
    }
    found = set()
    for node in nodes(source):
        is_environ = isinstance(node, ast.Attribute) and node.attr in ("environ", "environb")
        is_getenv = isinstance(node, ast.Attribute) and node.attr in ("getenv", "getenvb")
        if (is_environ and id(node) not in written) or is_getenv:
            found.add(f"line {node.lineno}")
        if isinstance(node, ast.ImportFrom) and node.module == "os":
            found |= {a.name for a in node.names if a.name in ("environ", "getenv")}
    return found


def upward(path: str, source: str) -> set[str]:
    """Return imports from a higher floor of the same package, including types and lazy imports."""
    package, room = Path(path).with_suffix("").parts[:2]
    floors = FLOORS[package]
    if room == "__init__":
        return set()
    if room not in floors:
        return {f"{room} has no floor"}
    below = floors[: floors.index(room) + 1]
    names = (name.split(".") for name in _imports(nodes(source), _package(path)))
    return {name[1] for name in names if name[0] == package and len(name) > 1} - {*below}


def crowded(paths: Iterable[str]) -> set[str]:
    """Return the folders with too many files: path → number."""
    folders = Counter(
        folder
        for path in paths
        if (folder := Path(path).parent.as_posix()) not in EXTENSIONS
        and (Path(path).name != "__init__.py" or folder in FLOORS)
    )
    return {
        f"{folder}: {count}"
        for folder, count in folders.items()
        if count > (AT_TOP if folder in FLOORS else IN_PACKAGE)
    }


def sql_where_it_may_stand(path: str, source: str) -> set[str]:
    if re.match(
        r"memory/(infra/(sqlite|store|postgres/)|log/|index|search/(ranking|candidates/|in_memory/))|bot/inbox/",
        path,
    ):
        return set()
    return {
        f"line {node.lineno}: {node.value[:40]!r}"
        for node in nodes(source)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and SQL.search(node.value)
    }


def short(path: str, source: str) -> set[str]:
    lines = source.count("\n")
    return {f"{lines} lines"} if lines > LONGEST else set()


def says_what_it_is(path: str, source: str) -> set[str]:
    tree = nodes(source)[0]
    assert isinstance(tree, ast.Module)
    if not tree.body or ast.get_docstring(tree):
        return set()
    return {"no docstring at the top"}


def named_for_its_subject(path: str, source: str) -> set[str]:
    return {Path(path).stem} & NEVER_NAMES


def nothing_swallowed(path: str, source: str) -> set[str]:
    """Return bare excepts, and `except Exception: pass`."""
    found = set()
    for node in nodes(source):
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
    """Modules on the command line's start-up path import heavy libraries lazily."""
    on_the_way = re.match(
        r"bot/(__init__|__main__|errors|logs|cli/(main|arguments))\.py|bot/(settings|cli/commands)/"
        r"|memory/(__init__|config|errors|core)\.py|memory/(infra|notes|text|vault|log|index|search)/",
        path,
    )
    in_memory = path.startswith("memory/search/in_memory/")  # imported where used
    if not on_the_way or in_memory:
        return set()
    tree = nodes(source)[0]
    assert isinstance(tree, ast.Module)
    top = [n for n in tree.body if isinstance(n, ast.Import | ast.ImportFrom)]
    return {n.split(".")[0] for n in _imports(top, _package(path))} & set(HEAVY)


RULES: list[tuple[Callable[[str, str], set[str]], str, str]] = [
    (downward, "memory/x.py", "def f():\n    from bot import app"),
    (downward, "memory/log/x.py", "from ...bot import app"),
    (upward, "memory/notes/x.py", "from ..log import Message"),
    (
        upward,
        "memory/index/x.py",
        "def f():\n    from memory.search.candidates.query import Question",
    ),
    (upward, "memory/log/x.py", "if TYPE_CHECKING:\n    from .. import core"),
    (upward, "memory/attic/x.py", ""),
    (upward, "bot/chat/x.py", "from ..telegram.formatting import parts"),
    (upward, "bot/sync/merge/x.py", "def f():\n    from ...assistant import Assistant"),
    (upward, "bot/x.py", ""),
    (anthropic_at_one_place, "bot/x.py", "import anthropic.types"),
    (telegram_at_one_place, "bot/cli/terminal_chat.py", "from telegram import Bot"),
    (sqlite_at_one_place, "memory/log/x.py", "import sqlite3"),
    (psycopg_at_one_place, "memory/log/x.py", "def f():\n    import psycopg"),
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
    (light_at_the_top, "bot/cli/main.py", "import numpy as np"),
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
        (upward, "memory/search/in_memory/x.py", "from ...index import tables\nfrom . import y"),
        (upward, "memory/search/x.py", "from .in_memory.cache import SearchCache\nimport re"),
        (upward, "bot/cli/commands/x.py", "from ...app import serve\nfrom memory import Memory"),
        (light_at_the_top, "bot/cli/main.py", "def f():\n    import numpy"),
    ],
)
def test_a_rule_lets_pass_what_is_meant(
    rule: Callable[[str, str], set[str]], path: str, source: str
) -> None:
    assert not rule(path, source)


@pytest.mark.parametrize("rule", [*dict.fromkeys(r for r, _, _ in RULES if r is not upward)])
def test_the_source_keeps_the_rule(rule: Callable[[str, str], set[str]]) -> None:
    broken = {
        path: found
        for path in SOURCES
        if (found := rule(path, (ROOT / path).read_text(encoding="utf-8")))
    }
    assert not broken


def test_imports_point_downwards() -> None:
    found = {
        f"{path}: {room}"
        for path in SOURCES
        for room in upward(path, (ROOT / path).read_text(encoding="utf-8"))
    }
    assert found == EXCEPTIONS["imports upwards"]


def test_neither_modules_nor_folders_import_each_other() -> None:
    assert cycles(graph()) == []
    assert cycles(rooms_graph()) == []


def test_bot_imports_memory_through_its_packages() -> None:
    found = {
        f"{module}: {other}"
        for module, path in modules().items()
        if path.is_relative_to(ROOT / "bot")
        for other in interfaces(module, "memory")
        if modules()[other].name != "__init__.py"
    }
    assert not found, "a name that bot needs belongs in the __init__.pyi of its package"


def test_nothing_is_set_on_an_object_that_others_made() -> None:
    found = {
        re.sub(r":\d+", "", each)  # because its line number shifts with the code above
        for module in modules()
        for each in set_from_outside(module)
    }
    assert found == EXCEPTIONS["attributes set from outside"]


def test_the_names_in_a_data_folder_stand_in_one_place() -> None:
    files = DataDir(Path("data"))
    every = {name for name in dir(DataDir) if isinstance(getattr(DataDir, name), property)}
    names = {getattr(files, name).name for name in every}
    names = {name for name in names if "." in name}  # `index` and `sync` are also ordinary words
    assert {"log.db", "inbox.db", "run.lock", "vault.json"} <= names
    found = {
        f"{path}: {name}"
        for path in SOURCES
        if path != "memory/profile.py"
        for name in re.findall(r'/ f?"([^"/]+)"', (ROOT / path).read_text("utf-8"))
        if name in names
    }
    assert found == set()


def test_a_crowded_folder_is_seen() -> None:
    flat = [f"memory/{name}.py" for name in ("__init__", *"abcd")]
    package = [f"memory/log/{name}.py" for name in ("__init__", *"abcdefghijkl")]
    assert crowded([*flat, *package]) == set()
    assert crowded([*flat, "memory/e.py"]) == {"memory: 6"}
    assert crowded([*package, "memory/log/m.py"]) == {"memory/log: 13"}
    commands = [f"bot/cli/commands/{name}.py" for name in "abcdefghijklmn"]
    assert crowded(commands) == set()


def test_no_folder_is_crowded() -> None:
    assert crowded(SOURCES) == EXCEPTIONS["crowded folders"]


def test_the_fakes_are_short_too() -> None:
    found = (ROOT / "tests" / "fakes").glob("*.py")
    fakes = [file for file in found if not file.name.startswith("test_")]
    assert len(fakes) > 20
    assert {f.name for f in fakes if f.read_text(encoding="utf-8").count("\n") > LONGEST} == set()


def test_help_loads_nothing_heavy() -> None:
    """`sam --help` must start instantly, so it imports nothing heavy."""
    code = (
        "import sys\nfrom bot.cli.main import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        f"print('LOADED', sorted(set(sys.modules) & {{'pydantic', *{HEAVY!r}}}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.stdout.splitlines()[-1] == "LOADED []", done.stdout + done.stderr


def test_the_page_on_architecture_names_the_packages_that_bot_imports() -> None:
    page = (ROOT / "docs" / "dev" / "architecture.md").read_text("utf-8")
    [named] = re.findall(r"of its packages \(([^)]+)\)", page)
    found = {
        other.removeprefix("memory.")
        for module, path in modules().items()
        if path.is_relative_to(ROOT / "bot")
        for other in interfaces(module, "memory")
    } - {"memory"}
    assert set(named.replace("\n", " ").split(", ")) == found


def test_a_class_name_has_one_meaning() -> None:
    found = {name for name, where in classes().items() if len(where) > 1}
    assert found == EXCEPTIONS["class names with several meanings"]
