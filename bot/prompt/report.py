"""Report on the last prompt of a chat: its parts with their sizes, the hits with their scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory import Message

from .layout import Newest, ShownHit, Stable
from .token_budget import tokens

HITS = 12  # listed; the others are counted


@dataclass(frozen=True, slots=True)
class PromptReport:
    """The parts of one prompt. `parts`: name and estimated tokens, without those that are empty."""

    model: str
    parts: tuple[tuple[str, int], ...]
    hits: tuple[ShownHit, ...]
    turn_id: int

    def lines(self, usd: float) -> list[str]:
        """Return the report for its reader; `usd`: what the calls of the turn cost."""
        rows = [f"{name}: about {size:,} tokens" for name, size in self.parts]
        listed = [
            f"{number}. {hit.title} ({hit.source}): {hit.score:.0%} likely, {hit.size:,} tokens"
            for number, hit in enumerate(self.hits[:HITS], 1)
        ]
        if len(self.hits) > HITS:
            listed.append(f"and {len(self.hits) - HITS} more")
        found = ["Recalled for it:", *listed] if listed else ["Nothing was recalled for it."]
        return [f"{self.model}, ${usd:.4f} for the whole turn", *rows, *found]


def report(
    model: str, files: Stable, newest: Newest, before: Sequence[Message], instructions: str
) -> PromptReport:
    """Describe a prompt of these parts; `before`: the earlier messages of the conversation."""
    sizes = {
        "instructions": tokens(instructions),
        "identity.md": tokens(files.identity),
        "soul.md": tokens(files.soul),
        "user.md": tokens(files.user),
        "MEMORY.md": tokens(files.memory),
        **{path: tokens(text) for path, text in files.days},
        "today's notes": tokens(newest.today),
        f"the conversation, {len(before)} messages": sum(tokens(row.text) for row in before),
        "rules": sum(map(tokens, newest.rules)),
        "summaries": sum(map(tokens, newest.summaries)),
        "tasks that are due": sum(map(tokens, newest.tasks)),
        "your message": sum(tokens(row.text) for row in newest.rows),
    }
    parts = tuple((name, size) for name, size in sizes.items() if size)
    return PromptReport(model, parts, newest.hits, newest.rows[-1].turn_id)
