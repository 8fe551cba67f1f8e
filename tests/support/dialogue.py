"""Generate a conversation of two people over months from a seed, in LoCoMo's format.

The lines are assembled from `tests/data/talk.yaml`. No sequence of six words occurs twice, so a
phrase identifies its line; only greetings such as "good night" repeat.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import yaml

WORDS = Path(__file__).parents[1] / "data" / "talk.yaml"
OWNER, OTHER = "Nora", "Jonas"
SEED = 20230508
BEGAN = datetime(2023, 5, 8, 13, 56)  # noqa: DTZ001  # without a zone, as the shape has it
SESSIONS = 22
UNIQUE = 6
"""The number of words in a row that occur in one line only."""

STEPS = ("begins", "asks", "tells", "ends")


@cache
def sample(seed: int = SEED) -> dict[str, Any]:
    """Return a conversation with its sessions and questions about it; deterministic per seed."""
    return _Talk(random.Random(seed), yaml.safe_load(WORDS.read_text("utf-8"))).sample()


class _Talk:
    def __init__(self, draw: random.Random, given: dict[str, Any]) -> None:
        self.draw, self.given = draw, given
        self.words = {name: words.split("; ") for name, words in given["words"].items()}
        self.said: set[tuple[str, ...]] = set()
        self.questions: list[str] = []

    def sample(self) -> dict[str, Any]:
        talk: dict[str, Any] = {"speaker_a": OWNER, "speaker_b": OTHER}
        at = BEGAN
        for number in range(1, SESSIONS + 1):
            talk[f"session_{number}_date_time"] = f"{at:%I:%M %p on} {at.day} {at:%B, %Y}"
            talk[f"session_{number}"] = [
                {"speaker": speaker, "dia_id": f"D{number}:{count}", "text": text}
                for count, (speaker, text) in enumerate(self.session(), 1)
            ]
            at += timedelta(days=self.draw.randrange(2, 13))
            # early enough that no session passes midnight
            at = at.replace(hour=self.draw.randrange(9, 22), minute=self.draw.randrange(60))
        questions = dict.fromkeys(self.questions)
        return {"conversation": talk, "qa": [{"question": question} for question in questions]}

    def session(self) -> list[tuple[str, str]]:
        """Return a session: some topics, each raised by either person, and often a good night of
        both."""
        first, second = self.draw.choice([(OWNER, OTHER), (OTHER, OWNER)])
        lines: list[tuple[str, str]] = []
        topics = self.draw.sample(self.given["topics"], len(self.given["topics"]))
        wanted = 4 * self.draw.choice((4, 5))
        while len(lines) < wanted and topics:
            lines += zip((first, second, first, second), self.exchange(topics.pop()), strict=False)
            if self.draw.random() < 0.4:  # the last speaker continues
                first, second = second, first
        if self.draw.random() < 0.5:
            both = (OWNER, OTHER) if lines[-1][0] == OTHER else (OTHER, OWNER)
            lines += [
                (who, self.draw.choice(self.given["owner" if who == OWNER else "other"]))
                for who in both
            ]
        return lines

    def exchange(self, topic: dict[str, Any]) -> list[str]:
        """Return four lines without a six-word sequence used before; none if it finds no more."""
        for _ in range(300):
            subject = self.drawn(topic["asked"])
            lines = [self.line(self.draw.choice(topic[step]), subject) for step in STEPS]
            runs = [run for line in lines for run in in_a_row(line)]
            if len(set(runs)) == len(runs) and not self.said.intersection(runs):
                self.said.update(runs)
                self.questions.append(topic["asked"].format(**subject))
                return lines
        return []

    def drawn(self, way: str) -> dict[str, str]:
        """Draw a word for each placeholder in the template."""
        return {name: self.draw.choice(self.words[name]) for name in re.findall(r"{(\w+)}", way)}

    def line(self, way: str, subject: dict[str, str]) -> str:
        words = self.drawn(way) | subject
        text = re.sub(
            r"(?:^|(?<=[.!?] ))[a-z]", lambda found: found[0].upper(), way.format(**words)
        )
        opening = self.draw.choice(self.given["openings"]) if self.draw.random() < 0.6 else ""
        tail = self.draw.choice(self.given["tails"]) if self.draw.random() < 0.4 else ""
        return f"{opening} {text} {tail}".strip()


def in_a_row(text: str) -> Iterator[tuple[str, ...]]:
    """Return all sequences of UNIQUE words, the length that identifies a line."""
    words = re.findall(r"\w+", text.lower())
    return (tuple(words[at : at + UNIQUE]) for at in range(len(words) - UNIQUE + 1))
