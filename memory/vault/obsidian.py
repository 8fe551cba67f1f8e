"""Read the Obsidian settings that Sam respects."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def task_filter(root: Path) -> str:
    """Return the Tasks plugin's global filter (`#task`), required in every task; "" if unset."""
    tag = _settings(root, "plugins/obsidian-tasks-plugin/data.json").get("globalFilter", "")
    return tag.strip() if isinstance(tag, str) and len(tag.split()) == 1 else ""


def daily_note_names(root: Path) -> str:
    """Return the file name format of daily notes in Moment.js syntax (`YYYY-MM-DD`); "" if unused.

    Uses the core plugin's settings if it is on, else those of Periodic Notes.
    """
    on = _settings(root, "core-plugins.json").get("daily-notes", True)
    found = _settings(root, "daily-notes.json")
    if not found or on is False:
        periodic = _settings(root, "plugins/periodic-notes/data.json").get("daily")
        found = periodic if isinstance(periodic, dict) and periodic.get("enabled") else {}
    if not found:
        return ""
    name = found.get("format") or "YYYY-MM-DD"
    return name.rsplit("/", 1)[-1] if isinstance(name, str) else ""


def excluded(root: Path) -> tuple[str, ...]:
    """Return Obsidian's excluded files, as in its settings; they are not indexed."""
    found = _settings(root, "app.json").get("userIgnoreFilters")
    return tuple(map(str, found)) if isinstance(found, list) else ()


def attachments(root: Path, note_folder: str) -> str | None:
    """Return the folder for attachments of a note in `note_folder`; None if none is set.

    Obsidian writes `/` for the vault itself, and `./` for the folder of the note.
    """
    found = _settings(root, "app.json").get("attachmentFolderPath")
    if not isinstance(found, str) or not found.strip():
        return None
    folder = found.strip()
    inside = f"{note_folder}/{folder[1:]}" if folder.startswith(".") else folder
    return "/".join(part for part in inside.split("/") if part not in ("", "."))


def _settings(root: Path, name: str) -> dict[str, Any]:
    """Read one of Obsidian's files; empty if it is missing or not a JSON object.

    Until 2024 `core-plugins.json` was a list of the enabled plugins.
    """
    try:
        found = json.loads((root / ".obsidian" / name).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    if isinstance(found, list):
        return {"daily-notes": "daily-notes" in found}
    return found if isinstance(found, dict) else {}
