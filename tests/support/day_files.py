"""What stands in the days' files of a vault, as tests compare it with what was said."""

from __future__ import annotations

import re
from pathlib import Path

SAM_SAID = re.compile(r"Sam said: “(.*)”")


def bullets_by_day(vault: Path) -> dict[str, list[str]]:
    """The bullets of each day's file in their order, as the messages that they repeat.

    Without the summaries' lines and what was to be remembered. What Sam alone said stands in the
    file as Sam's word; here without that frame.
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
