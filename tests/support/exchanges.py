"""A conversation as questions with answers, and what must be in the files after it."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from memory.notes.markdown import inert
from tests.fakes.claude import FakeClaude
from tests.fakes.claude_request import Request
from tests.support import endings, locomo
from tests.support.day_files import bullets_by_day

FIXED = "I have read it."


@dataclass(frozen=True, slots=True)
class Exchange:
    """What the owner sends, what the model answers, and when the question is sent."""

    at: datetime
    question: str
    answer: str


def exchanges(conversation: dict[str, Any]) -> list[Exchange]:
    """The conversation as questions with answers; who opens a session answers a marked opener.

    What is asked more than once has the first answer always.
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
    """The model answers by what it is asked; Haiku writes one bullet a message, in its words."""
    answers = {each.question: each.answer for each in said}

    def answer(request: Request) -> str:
        text = request.newest_text.rstrip()
        return next(answers[q] for q in answers if text.endswith(q) and _whole(text, q))

    claude.says("ok", when="Say: ok")  # the doctor tries the key
    claude.answers(answer, model="sonnet")
    claude.summaries(endings.one_bullet_a_message)


def _whole(text: str, question: str) -> bool:
    before = text[: -len(question)]
    return not before or before.endswith("\n")


def in_files(vault: Path) -> dict[str, Counter[str]]:
    """The bullets of each day's file, but for the summaries' lines."""
    return {day: Counter(rows) for day, rows in bullets_by_day(vault).items() if rows}


def expected(said: list[Exchange]) -> dict[str, Counter[str]]:
    """One bullet for each message, by day."""
    days: dict[str, Counter[str]] = defaultdict(Counter)
    for each in said:
        days[f"{each.at:%Y-%m-%d}"].update([inert(each.question), inert(each.answer)])
    return dict(days)


def files(root: Path) -> dict[str, bytes]:
    """All that sync carries, by path."""
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and not any(p.startswith(".") for p in path.relative_to(root).parts)
    }
