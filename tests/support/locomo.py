"""Load LoCoMo's conversations as values, from wherever they are; they are never committed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(__file__).parents[2].parent / "shared" / "data"
DATA = SHARED / "locomo-1to5.json"
CORRECTED = SHARED / "locomo-1to5-corrected-evidence.json"

needs_data = pytest.mark.skipif(
    not DATA.exists(), reason="LoCoMo's conversations are not beside the project (../shared/data)"
)


@dataclass(frozen=True, slots=True)
class Line:
    """One turn of a conversation: its id (`D1:3`), speaker, time (UTC) and text."""

    id: str
    session: int
    speaker: str
    at: datetime
    text: str


def sessions(conversation: dict[str, Any]) -> Iterator[list[Line]]:
    """Return the sessions of a conversation in order, with a minute between two lines."""
    for number in range(1, 100):
        turns = conversation.get(f"session_{number}")
        if not turns:
            continue
        began = when(conversation[f"session_{number}_date_time"])
        yield [
            Line(
                turn["dia_id"],
                number,
                turn["speaker"],
                began + timedelta(minutes=at),
                " ".join(turn["text"].split()),
            )
            for at, turn in enumerate(turns)
        ]


def when(text: str) -> datetime:
    """Parse `1:56 pm on 8 May, 2023`."""
    clean = re.sub(r"\s+", " ", text.strip().lower()).replace(",", "")
    return datetime.strptime(clean, "%I:%M %p on %d %B %Y").replace(tzinfo=UTC)


def load(path: Path = DATA) -> list[dict[str, Any]]:
    """Return the file's conversations as parsed JSON."""
    loaded: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))
    return loaded
