"""The fake model of the simulated quarter: right nine times in ten, served by the fake Claude.

Otherwise it invents a number, a day or a name, repeats an old line as if it had been said again,
contradicts a statement, or decides at random. Every invention carries a mark that occurs nowhere
else, so it can be recognised wherever it turns up.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from typing import Any

from memory.text.word_forms import normal_form
from tests.benchmarks.quarter.life import Truth
from tests.fakes.claude import FakeClaude
from tests.fakes.claude_request import Request
from tests.fakes.claude_script import Reply, ToolUse

RIGHT = 0.9
KEPT = 0.6  # of the messages that state something, the fraction that gets a bullet
SAVES_UNASKED = 0.03  # of the turns
_SHOWN = re.compile(r"^\[(\d+)\] \d\d:\d\d owner: (.*(?:\n    .*)*)", re.MULTILINE)
_NEW = re.compile(r"^(\d+)\. \([\d-]+\) (.*)((?:\n   \[\w+\].*)*)", re.MULTILINE)
_KNOWN = re.compile(r"^   \[(\w+)\] (?:\d{4}-\d\d-\d\d )?(.*)$", re.MULTILINE)

NAMES = ("Qaanaaq", "Xanthippe", "Ouagadougou", "Thessalonike", "Wolfenbüttel")
NUMBERS = range(793_001, 793_999)
YEARS = range(2061, 2069)
MARKS = re.compile(rf"{'|'.join(NAMES)}|(?<![\w^])793\d\d\d\b|\b206\d-\d\d-\d\d")
"""Strings that occur only in inventions; a block id may have any digits."""


class BadModel:
    """A model that answers by `answer`, and records what it wrote, with the message behind it."""

    def __init__(self, seed: int, truths: Mapping[str, list[Truth]]) -> None:
        self._draw = random.Random(f"model {seed}")
        self._truths = truths
        self.keys = {normal_form(t.text): t for every in truths.values() for t in every}
        self.wrote: dict[str, str] = {}
        self.repeats: list[str] = []
        """Lines that the owner has deleted, which it prefers when it repeats something."""
        self.answer = ""
        self.proposed = self.invented = 0

    def speaks(self, claude: FakeClaude) -> None:
        """Script the fake Claude."""
        claude.responds_with("ok", when="Say: ok")
        claude.answers(self._chat, model="sonnet")
        claude.summaries(self._summary)
        claude.fills(self._choices, has="choices")
        claude.responds_with("[]", model="haiku")  # other wordings of a question: none

    # ── chat ─────────────────────────────────────────────────────────────────────────────────

    def _chat(self, request: Request) -> Reply:
        if not request.tool_results and self._draw.random() < SAVES_UNASKED:
            self._count(wrong=True)
            junk = {"content": self._invention("Likes to be in"), "source": "owner"}
            if self._draw.random() < 0.5:
                junk["kind"] = self._draw.choice(("preference", "biographical"))
            return [ToolUse("save_memory", junk)]
        return self.answer

    # ── summaries ────────────────────────────────────────────────────────────────────────────

    def _summary(self, request: Request) -> dict[str, Any]:
        rows = [
            (int(number), " ".join(text.split()))
            for number, text in _SHOWN.findall(request.newest_text)
        ]
        bullets = [self._bullet(number, text) for number, text in rows if self._is_worth(text)]
        facts = [
            self._fact(number, text, truth)
            for number, text in rows
            for truth in self._truths.get(text, ())
        ]
        if rows and self._draw.random() < 1 - RIGHT:
            facts.append(self._made_up(rows[0][0], rows[0][1]))
        summary = f"Spoke of {bullets[0]['text']}" if bullets else ""
        if bullets and self._is_wrong():
            summary = self._invention(summary)
        return {"summary": summary, "bullets": bullets, "facts": facts}

    def _is_worth(self, text: str) -> bool:
        return len(text) > 20 and not text.endswith("?") and self._draw.random() < KEPT

    def _bullet(self, number: int, text: str) -> dict[str, Any]:
        quote = " ".join(text.split()[:6])
        line = self._line(text)
        self.wrote.setdefault(line, text)
        return {"text": line, "messages": [number], "quote": quote, "action": False, "part": ""}

    def _fact(self, number: int, text: str, truth: Truth) -> dict[str, Any]:
        line = self._line(truth.text)
        self.wrote.setdefault(line, text)
        return self._proposed(line, truth.category, number, truth.quote)

    def _made_up(self, number: int, text: str) -> dict[str, Any]:
        """Return a fact that nobody said, or one that was said long ago."""
        self._count(wrong=True)
        line = self._again() if self._draw.random() < 0.5 else self._invention("has a house in")
        return self._proposed(line, "biographical", number, " ".join(text.split()[:5]))

    def _proposed(self, line: str, category: str, number: int, quote: str) -> dict[str, Any]:
        return {
            "text": line,
            "category": category,
            "messages": [number],
            "quote": quote,
            "confidence": 0.9,
            "expires": "",
        }

    def _line(self, right: str) -> str:
        """Return what it writes in place of the right line."""
        if not self._is_wrong():
            return right
        match self._draw.randrange(3):
            case 0:
                return self._again()
            case 1:
                return self._contradiction(right)
        return self._invention(right)

    def _is_wrong(self) -> bool:
        wrong = self._draw.random() >= RIGHT
        self._count(wrong=wrong)
        return wrong

    def _count(self, *, wrong: bool) -> None:
        self.proposed += 1
        self.invented += wrong

    def _again(self) -> str:
        """Return something it wrote before, preferably a deleted line."""
        lines = self.repeats or list(self.wrote)
        return self._draw.choice(lines) if lines else self._invention("is from")

    def _contradiction(self, right: str) -> str:
        """Return the statement with another value."""
        other = str(self._draw.choice(NUMBERS))
        changed = re.sub(r"\d+", other, right, count=1)
        return changed if changed != right else self._invention(right)

    def _invention(self, text: str) -> str:
        return text.rstrip(".") + self._draw.choice(
            (
                f" {self._draw.choice(NAMES)}",
                f" {self._draw.choice(NUMBERS)}",
                f" {self._draw.choice(YEARS)}-03-14",
            )
        )

    # ── decisions about new facts ────────────────────────────────────────────────────────────

    def _choices(self, request: Request) -> dict[str, Any]:
        made = []
        for number, text, below in _NEW.findall(request.newest_text):
            known = _KNOWN.findall(below)
            if self._is_wrong():
                actions = ("add", "keep", "update", "delete", "contradict")
                action, target = self._draw.choice(actions), self._draw.choice(known)[0]
            else:
                action, target = self._right(text, known)
            target = "" if action == "add" else target
            made.append({"statement": int(number), "action": action, "known": target})
        return {"choices": made}

    def _right(self, text: str, known: list[tuple[str, str]]) -> tuple[str, str]:
        truth = self.keys.get(normal_form(text))
        for name, line in known:
            other = self.keys.get(normal_form(line))
            if truth is not None and other is not None and truth.key == other.key:
                return ("keep" if truth.text == other.text else "update"), name
        return "add", ""
