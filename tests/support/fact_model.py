"""Script a fake model that turns each of the owner's statements into a fact, and read the facts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tests.fakes.claude import FakeClaude
from tests.fakes.claude_request import Request

_OWNERS = re.compile(r"^\[(\d+)\] \d\d:\d\d [^:]*owner[^:]*: (.*)$", re.MULTILINE)
_PROPOSED = re.compile(r"^(\d+)\. \(.*\) (.*)\n   \[(\w+)\]", re.MULTILINE)


def remembers(claude: FakeClaude) -> None:
    """Script the model: each statement is a fact, and one about the rent updates the older one."""

    def summary(request: Request) -> dict[str, Any]:
        rows = _OWNERS.findall(request.newest_text)
        facts = [
            {"text": text, "category": "biographical", "messages": [int(number)], "quote": text}
            for number, text in rows
        ]
        return {"summary": "What was said", "bullets": [], "facts": facts}

    def choices(request: Request) -> dict[str, Any]:
        made = []
        for number, text, nearest in _PROPOSED.findall(request.newest_text):
            action, known = ("update", nearest) if "rent" in text else ("add", "")
            made.append({"statement": int(number), "action": action, "known": known})
        return {"choices": made}

    claude.responds_with("ok", when="Say: ok")
    claude.answers(lambda request: "I see.", model="sonnet")
    claude.summaries(summary)
    claude.fills(choices, has="choices")


def lines(folder: Path) -> list[str]:
    text = "".join(file.read_text("utf-8") for file in sorted(folder.glob("*.md")))
    return sorted(row[2:].partition(" (")[0] for row in text.splitlines() if row[:2] == "- ")
