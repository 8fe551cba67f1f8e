"""What is kept about something, and what the owner chooses of it, as a button's argument."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memory.maintenance import ForgetChoice, KeptItems

if TYPE_CHECKING:
    from ...inbox import SetAside


@dataclass(frozen=True, slots=True)
class Listed:
    """Everything that is kept about some words: items of the memory, then updates set aside."""

    kept: KeptItems
    updates: tuple[SetAside, ...] = ()

    @property
    def count(self) -> int:
        """Return the number of items to choose from."""
        return len(self.kept.items) + len(self.updates)

    def choice(self, numbers: Collection[int] | None = None) -> Chosen:
        """Return the choice of these numbers, from 1; None: everything."""
        items = self.kept.items
        every = range(1, self.count + 1) if numbers is None else numbers
        return Chosen(
            ForgetChoice.of(items[n - 1] for n in every if n <= len(items)),
            tuple(self.updates[n - 1 - len(items)].update_id for n in every if n > len(items)),
        )


@dataclass(frozen=True, slots=True)
class Chosen:
    """The owner's choice: items of the memory, and updates by id."""

    choice: ForgetChoice
    updates: tuple[int, ...] = ()

    def argument(self) -> dict[str, Any]:
        """Return it as a button's argument: ids and hashes, no text."""
        messages = {str(id_): hash_ for id_, hash_ in self.choice.messages.items()}
        return {
            "messages": messages,
            "lines": sorted(self.choice.lines),
            "updates": list(self.updates),
        }

    @classmethod
    def of(cls, argument: Any) -> Chosen:
        """Parse a button's argument."""
        messages = {int(id_): str(hash_) for id_, hash_ in argument["messages"].items()}
        lines = frozenset(map(str, argument["lines"]))
        return cls(ForgetChoice(messages, lines), tuple(map(int, argument["updates"])))

    @classmethod
    def together(cls, chosen: Iterable[Chosen]) -> Chosen:
        """Join several choices."""
        every = list(chosen)
        return cls(
            ForgetChoice(
                {id_: hash_ for each in every for id_, hash_ in each.choice.messages.items()},
                frozenset(line for each in every for line in each.choice.lines),
            ),
            tuple(dict.fromkeys(update for each in every for update in each.updates)),
        )


def chosen_numbers(answer: str, count: int) -> list[int]:
    """Return the numbers from 1 to `count` in an answer of numbers alone, such as "1, 3"; [] for
    any other answer: "all but 2" must not choose 2."""
    if not re.fullmatch(r"\s*\d+(?:[\s,]+\d+)*\s*", answer):
        return []
    return [number for each in re.findall(r"\d+", answer) if 1 <= (number := int(each)) <= count]
