"""Each of the seven kinds of extension takes at most one file and one line.

Each test adds one to a copy of the tree and uses it in a separate process.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.support import source

IGNORED = shutil.ignore_patterns("__pycache__")


class Tree:
    """A copy of the code, for adding an extension."""

    def __init__(self, folder: Path) -> None:
        self.root, self.home = folder / "tree", folder / "home"
        for name in ("bot", "memory", "vault"):
            shutil.copytree(source.ROOT / name, self.root / name, ignore=IGNORED)
        self.home.mkdir()

    def file(self, path: str, text: str) -> None:
        """Add a file."""
        assert not (self.root / path).exists()
        (self.root / path).write_text(textwrap.dedent(text).lstrip(), "utf-8")

    def line(self, path: str, before: str, new: str) -> None:
        """Insert a line before the given one, or replace text within it."""
        text = (self.root / path).read_text("utf-8")
        assert text.count(before) == 1, f"{path}: {before!r}"
        (self.root / path).write_text(text.replace(before, new + before), "utf-8")

    def run(self, *words: str, code: str = "", **given: str) -> str:
        """Return the output of `sam WORDS`, or of the Python code."""
        command = ["-c", textwrap.dedent(code)] if code else ["-m", "bot", *words]
        done = subprocess.run(
            [sys.executable, *command],
            cwd=self.root,
            env={
                "PYTHONPATH": str(self.root),
                "PATH": "/usr/bin:/bin",
                "HOME": str(self.home),
                "SAM_NO_ENV_FILE": "1",
                "VAULT_DIR": str(self.home / "vault"),
                "DATA_DIR": str(self.home / "data"),
                "EMBEDDING_PROVIDER": "none",
                **given,
            },
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(tmp_path)


def test_add_an_embedding_provider(tree: Tree) -> None:
    tree.file(
        "memory/embedding/parrot.py",
        '''
        """Embeddings by a parrot: each text is a one in the place of its length."""

        import numpy as np

        from .embedder import Identity

        USD_PER_MILLION = 5_000.0


        class Parrot:
            remote = True
            max_batch_texts, max_batch_tokens = 8, 1_000
            identity = Identity("parrot", "grey", 16)

            async def identify(self):
                return self.identity

            async def embed(self, texts, kind):
                return np.eye(16, dtype=np.float32)[[len(text) % 16 for text in texts]]

            async def close(self):
                return None


        def make(settings):
            return Parrot()
        ''',
    )
    tree.line("memory/config.py", '"none"]\n', '"parrot", ')
    notes = tree.home / "vault"
    notes.mkdir()
    (notes / "quince.md").write_text("The quince stands by the wall. " * 400, "utf-8")
    given = {"EMBEDDING_PROVIDER": "parrot"}
    said = tree.run("index", "--dry-run", **given)
    assert "Embedded by parrot: $1" in said, "its price, and that it is remote"
    tree.run("index", **given)
    assert '"mode": "hybrid"' in tree.run("search", "quince", "--json", **given)
    assert "parrot" in tree.run("privacy", **given), "what went to it is reported"


def test_add_a_memory_tool(tree: Tree) -> None:
    tree.line(
        "memory/tools/memory_tools.py",
        "    async def read_skill(",
        '    async def count_notes(self) -> str:\n        """Count the notes."""\n'
        '        return "a tool of the tree"\n\n',
    )
    tree.line("memory/tools/memory_tools.py", '    "read_skill",\n', '    "count_notes",\n')
    said = tree.run(
        code="""
        import asyncio
        from memory import Memory, MemorySettings, MemoryTools
        from bot.mcp import MemoryServer
        from bot.settings import Settings

        async def main():
            async with Memory.open(MemorySettings()) as memory:
                tools = MemoryTools(memory)
                print(await tools.count_notes())
                print([tool.name for tool in await MemoryServer(memory, Settings()).list_tools()])

        asyncio.run(main())
        """
    )
    assert "a tool of the tree" in said and "'count_notes'" in said


def test_add_another_tool(tree: Tree) -> None:
    tree.file(
        "bot/tools/weather.py",
        '''
        """The weather."""


        async def weather(town: str) -> str:
            """Tell the weather of a town."""
            return f"Rain in {town}."
        ''',
    )
    tree.line("bot/tools/__init__.py", "from .days import", "from .weather import weather\n")
    tree.line("bot/tools/__init__.py", "days_between,)", "weather, ")
    said = tree.run(
        code="""
        import asyncio
        from bot.turn.audience import ALONE, GROUP
        print(asyncio.run(ALONE.tools["weather"]("Faro")), "weather" in GROUP.tools)
        """
    )
    assert said == "Rain in Faro. False\n", "what a group may call is chosen by hand"


def test_add_a_chat_command(tree: Tree) -> None:
    tree.line(
        "bot/chat/commands.py",
        "async def help_(",
        'async def ping(call: Call) -> str:\n    """Answer at once"""\n    return "pong"\n\n\n',
    )
    tree.line("bot/chat/commands.py", '    "help": help_,\n', '    "ping": ping,\n')
    said = tree.run(code="from bot.chat.commands import line_of; print(line_of('ping'))")
    assert said == "Answer at once\n"


def test_add_a_command_of_sam(tree: Tree) -> None:
    tree.file(
        "bot/cli/commands/hello.py",
        '''
        """`sam hello`."""


        def arguments(parser):
            parser.add_argument("name")


        def run(args):
            print(f"Hello, {args.name}.")
            return 0
        ''',
    )
    tree.line("bot/cli/main.py", '    "doctor": "report', '    "hello": "say hello",\n')
    assert "say hello" in tree.run("--help")
    assert tree.run("hello", "Ada") == "Hello, Ada.\n"


def test_add_a_job(tree: Tree) -> None:
    tree.line(
        "bot/assistant/jobs.py",
        "async def _summarise(",
        'async def _sing(profile: Assistant, speak: Speak) -> None:\n    print("la la la")\n\n\n',
    )
    tree.line(
        "bot/assistant/jobs.py",
        '    Job(\n        "summarise",',
        '    Job("sing", "sings", "each minute", _sing, minutes=lambda settings: 1),\n',
    )
    said = tree.run(
        code="""
        import asyncio, inspect
        from bot.assistant.jobs import JOBS
        from bot.assistant.scheduler import Jobs
        job = next(job for job in JOBS if job.name == "sing")
        asyncio.run(job.run(None, None))
        print("sing" in str(inspect.signature(Jobs).parameters["jobs"].default))
        """
    )
    assert said == "la la la\nTrue\n", "the scheduler runs all JOBS"


def test_add_a_kind_of_note(tree: Tree) -> None:
    tree.line(
        "memory/notes/kinds.py",
        '    "task": Kind(',
        '    "recipe": Kind("recipes/", ("stable",)),\n',
    )
    recipes = tree.home / "vault" / "recipes"
    recipes.mkdir(parents=True)
    (recipes / "jam.md").write_text("Quince jam wants an hour.\n", "utf-8")
    tree.run("index")
    assert '"kind": "recipe"' in tree.run("search", "quince jam", "--json")
