"""A conversation as question and answer pairs, and the bullets expected for it in the vault."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from memory.notes.markdown import inert
from tests.fakes.claude import FakeClaude
from tests.fakes.claude_request import Request
from tests.support import invariants, locomo
from tests.support.day_files import bullets_by_day
from tests.support.files import tree

FIXED = "I have read it."


@dataclass(frozen=True, slots=True)
class Exchange:
    """A message of the owner, the model's answer, and when the message is sent."""

    at: datetime
    question: str
    answer: str


def exchanges(conversation: dict[str, Any]) -> list[Exchange]:
    """Return the conversation as exchanges; a session that Sam opens gets a marked opener.

    A question that occurs several times always has its first answer.
    """
    owner = conversation["speaker_a"]
    made: list[Exchange] = []
    for lines in locomo.sessions(conversation):
        waiting: locomo.Line | None = None
        for line in lines:
            if line.speaker == owner:
                if waiting is not None:
                    made.append(Exchange(waiting.at, waiting.text, f"{FIXED} ({waiting.id})"))
                waiting = line
            elif waiting is not None:
                made.append(Exchange(waiting.at, waiting.text, line.text))
                waiting = None
            else:
                made.append(Exchange(line.at, f"(opener {line.id})", line.text))
        if waiting is not None:
            made.append(Exchange(waiting.at, waiting.text, f"{FIXED} ({waiting.id})"))
    known: dict[str, str] = {}
    return [replace(each, answer=known.setdefault(each.question, each.answer)) for each in made]


def scripted(claude: FakeClaude, said: list[Exchange]) -> None:
    """Script the answers by question, and Haiku's summaries as one verbatim bullet per message."""
    answers = {each.question: each.answer for each in said}

    def answer(request: Request) -> str:
        text = request.newest_text.rstrip()
        return next(answers[q] for q in answers if text.endswith(q) and _whole(text, q))

    claude.responds_with("ok", when="Say: ok")  # the doctor tests the key
    claude.answers(answer, model="sonnet")
    claude.summaries(invariants.one_bullet_a_message)


def _whole(text: str, question: str) -> bool:
    before = text[: -len(question)]
    return not before or before.endswith("\n")


def in_files(vault: Path) -> dict[str, Counter[str]]:
    """Return the bullets of each daily note, except summary lines."""
    return {day: Counter(rows) for day, rows in bullets_by_day(vault).items() if rows}


def expected(said: list[Exchange]) -> dict[str, Counter[str]]:
    """Return the expected bullets: one per message, by day."""
    days: dict[str, Counter[str]] = defaultdict(Counter)
    for each in said:
        days[f"{each.at:%Y-%m-%d}"].update([inert(each.question), inert(each.answer)])
    return dict(days)


def files(root: Path) -> dict[str, bytes]:
    """Return all files that sync carries: relative path → content."""
    return {
        path: data
        for path, data in tree(root).items()
        if not any(part.startswith(".") for part in path.split("/"))
    }
