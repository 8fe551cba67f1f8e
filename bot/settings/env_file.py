"""Read and edit the text of `.env`, keeping all other lines.

python-dotenv reads back the values exactly as they were given.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from memory import ConfigError
from memory.infra import atomic_files

_LINE = re.compile(r"^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=")
_PLAIN = re.compile(r"[\w./:@%+,~=-]*")


def names(text: str) -> list[str]:
    """Return the names of the settings in it, in order, without commented-out ones."""
    return [found[1] for line in text.splitlines() if (found := _LINE.match(line))]


def format_line(name: str, value: str) -> str:
    """Format one line, quoted if necessary."""
    if _PLAIN.fullmatch(value):
        return f"{name}={value}"
    quoted = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"{name}='{quoted}'"


def with_changes(text: str, changes: Mapping[str, str]) -> str:
    """Set those settings: in their line, below their comment, or at the end."""
    lines = text.splitlines()
    for name, value in changes.items():
        new = format_line(name, value)
        # The last of several lines counts.
        standing = [i for i, line in enumerate(lines) if names(line) == [name]]
        proposed = [i for i, line in enumerate(lines) if re.match(rf"\s*#\s*{name}\s*=", line)]
        if standing:
            lines[standing[-1]] = new
        elif proposed:
            lines.insert(proposed[-1] + 1, new)
        else:
            lines.append(new)
    return "\n".join(lines) + "\n"


def write(path: Path, changes: Mapping[str, str]) -> None:
    """Change the file on disk atomically; afterwards only its owner can read it. Raises
    ConfigError if that fails."""
    try:
        text = with_changes(path.read_text("utf-8") if path.exists() else "", changes)
        atomic_files.write(path.resolve(), text.encode())  # a link to a file elsewhere stays one
    except OSError as wrong:
        raise ConfigError([f"{path} cannot be written ({wrong.strerror})"]) from wrong
