"""Read the bullets of a vault's daily notes, to compare them with what was said."""

from __future__ import annotations

import re
from pathlib import Path

SAM_SAID = re.compile(r"Sam said: “(.*)”")


def bullets_by_day(vault: Path) -> dict[str, list[str]]:
    """Return the bullets of each daily note in order: day → texts of the messages they repeat.

    Summary lines and `Remembered …` lines are left out, and Sam's own statements are unwrapped.
    """
    found: dict[str, list[str]] = {}
    for file in sorted((vault / "memories").glob("*.md")):
        rows = file.read_text("utf-8").splitlines()
        lines = [row[2:] for row in rows if row.startswith("- ")]
        found[file.stem] = [
            SAM_SAID.sub(r"\1", line) if SAM_SAID.fullmatch(line) else line
            for line in lines
            if not line.startswith(("**Summary**", "Remembered "))
        ]
    return found
