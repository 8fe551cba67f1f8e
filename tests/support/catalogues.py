"""Sam's own texts: the modules that have them, and their translations."""

from __future__ import annotations

import ast

from docs.dev import messages
from memory.text.catalogue.po_file import Key, read
from tests.support.source import ROOT

ROOMS = ("assistant", "changes", "chat", "media", "pictures", "telegram", "turn")
"""The packages of bot whose texts people read on Telegram."""


def files() -> dict[str, ast.Module]:
    """Return the modules whose texts people read: path → parsed source."""
    rooms = (path for room in ROOMS for path in (ROOT / "bot" / room).rglob("*.py"))
    paths = [*rooms, ROOT / "bot/cli/terminal_chat.py"]
    return {
        path.relative_to(ROOT).as_posix(): ast.parse(path.read_text("utf-8"))
        for path in sorted(paths)
    }


def catalogue(language: str) -> dict[Key, tuple[str, ...]]:
    return read((messages.FOLDER / f"{language}.po").read_text("utf-8"))
