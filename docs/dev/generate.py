"""Generate parts of the documents from the code.

All of `.env.example` is generated; in README.md and docs/*.md, the text between `<!-- begin:NAME
-->` and `<!-- end:NAME -->` is, for each NAME in BLOCKS. With `--check` nothing is written:
differences are printed, and the exit code is 1.
"""

from __future__ import annotations

import ast
import difflib
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from pathlib import Path
from typing import Any

from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from bot.settings import Settings
from tests.support.source import FLOORS, imported_floors

ROOT = Path(__file__).resolve().parents[2]

GROUPS = (
    ("Telegram", r"telegram_"),
    ("Claude", r"anthropic_|chat_model|models$|model_keys|summary_m|budget_|web_search"),
    ("Embeddings", r"voyage_|embedding_"),
    (
        "The vault, and where Sam keeps its data",
        r"vault_|sam_dir|data_|backup_|profiles_dir|memory_|index_|time",
    ),
    ("Recall", r"recall_|vector_|candidate_|fts_|chunk_"),
    ("What Claude is shown", r"daily_|context_|history_|rules_|summaries_"),
    ("Summaries", r"summary_"),
    ("Speaking first, and sync", r"heartbeat_|active_|rclone_|sync_|profiles_remote"),
    ("The web console", r"web_"),
    ("The rest", r""),
)
"""Titles, and the name prefixes of their settings; the first group that matches gets a setting."""

TESTS_ONLY = "tests only"
BLOCK = re.compile(r"(<!-- begin:(?P<name>[a-z-]+) -->\n).*?(<!-- end:(?P=name) -->)", re.DOTALL)


def grouped() -> Iterator[tuple[str, list[tuple[str, FieldInfo]]]]:
    """Yield the settings by group, in the order of GROUPS."""
    left = dict(Settings.model_fields)
    for title, names in GROUPS:
        mine = [(name, field) for name, field in left.items() if re.match(names, name)]
        for name, _ in mine:
            del left[name]
        if mine:
            yield title, mine


def default_of(field: FieldInfo) -> str:
    """Return a setting's default as in `.env`; empty when it has none."""
    value: Any = field.default
    if value is PydanticUndefined or value in (None, (), ""):
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Path):
        return value.as_posix().replace(Path.home().as_posix(), "~", 1)
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def env_example() -> str:
    """Return `.env.example`: every setting with its default, commented out."""
    lines = [
        "# Sam's settings. Copy to `.env`, uncomment what you change; or run `sam setup`.",
        "# Made by `make docs` from bot/settings/settings.py and memory/config.py.",
    ]
    for title, fields in grouped():
        lines += ["", f"## {title}"]
        for name, field in fields:
            if not str(field.description).startswith(TESTS_ONLY):
                lines += ["", f"# {field.description}", f"#{name.upper()}={default_of(field)}"]
    return "\n".join(lines) + "\n"


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a markdown table; a `|` in a cell is escaped."""
    cells = [list(head), *(list(row) for row in rows)]
    cells = [[cell.replace("|", "\\|") for cell in row] for row in cells]
    lines = ["| " + " | ".join(row) + " |" for row in cells]
    return "\n".join([lines[0], "|" + " --- |" * len(cells[0]), *lines[1:]]) + "\n"


def first_line(thing: object) -> str:
    """Return the first sentence of a docstring, on one line."""
    text = inspect.getdoc(thing) or ""
    return " ".join(text.split("\n\n")[0].split())


def settings() -> str:
    parts = []
    for title, fields in grouped():
        rows = (
            (
                f"`{name.upper()}`",
                f"`{default}`" if (default := default_of(field)) else "–",
                str(field.description),
            )
            for name, field in fields
        )
        parts.append(f"**{title}**\n\n" + table(("Setting", "Default", "What it is"), rows))
    return "\n".join(parts)


def commands() -> str:
    from bot.cli.main import COMMANDS

    return table(
        ("Command", "What it does"), ((f"`sam {n}`", what) for n, what in COMMANDS.items())
    )


def chat_commands() -> str:
    from bot.chat.commands import COMMANDS

    rows = ((f"`/{name}`", first_line(do)) for name, do in COMMANDS.items())
    return table(("In the chat", "What it does"), rows)


def tools() -> str:
    from memory import MemoryTools
    from memory.tools import TOOLS

    rows = ((f"`{name}`", first_line(getattr(MemoryTools, name))) for name in TOOLS)
    return table(("Tool", "What it does"), rows)


def jobs() -> str:
    from bot.assistant.jobs import JOBS

    return table(("Job", "When", "What it does"), ((f"`{j.name}`", j.when, j.what) for j in JOBS))


def errors() -> str:
    import bot.errors
    from memory import errors

    found = []
    for module in (errors, bot.errors):
        for name, thing in vars(module).items():
            if inspect.isclass(thing) and thing.__module__ == module.__name__:
                parent = thing.__bases__[0].__name__
                found.append((f"`{name}`", f"`{parent}`", first_line(thing)))
    return table(("Error", "Is a", "What happened"), found)


def costs() -> str:
    from docs.dev.costs import MESSAGES_A_DAY, Assumptions, parts
    from docs.dev.costs import table as of_months

    given = Assumptions()
    named = [(f"`{model}`", amounts) for model, amounts in of_months(given)]
    rows = (
        (name, *(f"${amount:.2f}" for amount in amounts))
        for name, amounts in [*named, *parts(given)]
    )
    counts = (f"{count} messages a day" for count in MESSAGES_A_DAY)
    return table(("`CHAT_MODEL`", *counts), rows)


def files() -> str:
    """Return a list of all modules and folders of both packages, with their first sentences."""
    lines = []
    for package in ("memory", "bot"):
        root = ROOT / package
        lines.append(f"{package}/")
        folders = sorted(path.parent for path in root.glob("*/__init__.py"))
        for path in [*folders, *sorted(root.glob("*.py"))]:
            source = path / "__init__.py" if path.is_dir() else path
            if path.name != "__init__.py":
                name = path.name + ("/" if path.is_dir() else "")
                lines.append(f"  {name:<16} {_sentence(source)}")
    return "\n".join(["```text", *lines, "```"])


def packages(package: str) -> str:
    """Return a list of the contents of `memory` or `bot`, top layer first, with their purposes."""
    rows = []
    for room in reversed(FLOORS[package]):
        path = ROOT / package / room
        if path.is_dir():
            inner = (each.parent for each in sorted(path.glob("*/__init__.py")))
            rows += [
                (
                    f"`{each.relative_to(ROOT / package).as_posix()}/`",
                    _sentence(each / "__init__.py"),
                )
                for each in (path, *inner)
            ]
        else:
            rows.append((f"`{path.name}.py`", _sentence(path.with_suffix(".py"))))
    return table(("Package", "What it is for"), rows)


def diagram() -> str:
    """Return the packages as a Mermaid diagram. An arrow: imports; those that others imply are left
    out."""
    lines = ["```mermaid", "flowchart TB"]
    for package in ("bot", "memory"):
        lines.append(f"  subgraph {package}")
        imported = imported_floors(package)
        for room in reversed(FLOORS[package]):
            if direct := _not_implied(imported, room):
                names = " & ".join(f"{package}.{each}[{each}]" for each in direct)
                lines.append(f"    {package}.{room}[{room}] --> {names}")
        lines.append("  end")
    lines += ['  bot -->|"from memory import …"| memory', "```"]
    return "\n".join(lines)


def _not_implied(imported: Mapping[str, Set[str]], room: str) -> list[str]:
    """Return what a room imports, except what one of its other imports leads to."""
    return sorted(
        other
        for other in imported[room]
        if not any(other in _reached(imported, each) for each in imported[room] - {other})
    )


def _reached(imported: Mapping[str, Set[str]], room: str) -> Set[str]:
    """Return what a room imports, directly or not."""
    return set().union(imported[room], *(_reached(imported, each) for each in imported[room]))


def _sentence(path: Path) -> str:
    text = (ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "").split("\n\n")[0]
    return re.split(r"\. (?=[A-Z])", " ".join(text.split()))[0].rstrip(".")


BLOCKS: dict[str, Callable[[], str]] = {
    "settings": settings,
    "commands": commands,
    "chat-commands": chat_commands,
    "tools": tools,
    "jobs": jobs,
    "errors": errors,
    "costs": costs,
    "files": files,
    "diagram": diagram,
    "memory-packages": lambda: packages("memory"),
    "bot-packages": lambda: packages("bot"),
}


def filled(text: str) -> str:
    """Return the document with all its blocks generated."""

    def block(found: re.Match[str]) -> str:
        if found["name"] not in BLOCKS:
            raise SystemExit(f"no block is called {found['name']!r}: one of {', '.join(BLOCKS)}")
        return f"{found[1]}\n{BLOCKS[found['name']]().strip()}\n\n{found[3]}"

    return BLOCK.sub(block, text)


def documents(root: Path) -> Iterator[tuple[Path, str, str]]:
    """Yield each file with its current and its generated content."""
    example = root / ".env.example"
    yield example, example.read_text("utf-8") if example.exists() else "", env_example()
    for path in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]:
        text = path.read_text("utf-8")
        yield path, text, filled(text)


def main(argv: list[str], root: Path = ROOT) -> int:
    """Write the documents, or with `--check` print differences; return 1 if there are any."""
    stale = [(p, old, new) for p, old, new in documents(root) if old != new]
    for path, old, new in stale:
        name = path.relative_to(root).as_posix()
        if "--check" in argv:
            diff = difflib.unified_diff(old.splitlines(), new.splitlines(), name, name, lineterm="")
            print("\n".join(diff))
        else:
            path.write_text(new, "utf-8")
            print(f"wrote {name}")
    if stale and "--check" in argv:
        print(f"{len(stale)} generated document(s) differ from the code: run `make docs`.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
