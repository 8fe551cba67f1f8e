"""What the owner has set in Obsidian that Sam keeps to. Reads settings; knows no notes."""

from __future__ import annotations

import json
from pathlib import Path


def task_filter(root: Path) -> str:
    """The Tasks plugin's global filter (`#task`), without which it shows no task; "" for none."""
    settings = root / ".obsidian" / "plugins" / "obsidian-tasks-plugin" / "data.json"
    try:
        found = json.loads(settings.read_text("utf-8"))
    except (OSError, ValueError):
        return ""
    tag = found.get("globalFilter", "") if isinstance(found, dict) else ""
    return tag.strip() if isinstance(tag, str) and len(tag.split()) == 1 else ""
