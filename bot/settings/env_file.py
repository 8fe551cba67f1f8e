"""Read and edit the text of `.env`, keeping all other lines.

python-dotenv reads back the values exactly as they were given.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path

from memory import ConfigError

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
        _write(path, with_changes(path.read_text("utf-8") if path.exists() else "", changes))
    except OSError as wrong:
        raise ConfigError([f"{path} cannot be written ({wrong.strerror})"]) from wrong


def _write(path: Path, text: str) -> None:
    target = path.resolve()  # a link to a file elsewhere stays a link
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=".env.", dir=target.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
