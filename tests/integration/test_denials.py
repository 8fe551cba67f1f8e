"""A later message that denies a number of the best hit is shown with it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memory.search.candidates import denials
from tests.support.memories import log_exchange, opened

BILL = "Lance at Teign Saws sharpened the chipper blades, 120 for the set"
ASKED = "What did the chipper blades cost to sharpen?"
START = datetime(2026, 3, 2, 9, tzinfo=UTC)


async def found(folder: Path, *said: tuple[int, str], asked: str = ASKED) -> list[tuple[str, bool]]:
    """Log each message so many days after the start; return the hits, and which are outdated.

    After the first one come six others: soon after it, a correction is recognised otherwise."""
    others = [(said[0][0], f"Goat number {name} has a cold.") for name in "abcdef"]
    async with opened(folder) as memory:
        for day, text in (said[0], *others, *said[1:]):
            await log_exchange(memory, text, "Noted.", at=START + timedelta(days=day))
        hits = (await memory.recall(asked)).hits
        return [(hit.text, hit.until is not None) for hit in hits]


@pytest.mark.parametrize(
    "denial",
    [
        "turns out it was 140 not 120, he forgot the VAT",
        "stellt sich raus, es waren 140, nicht 120",
        "en fait c'était 140, pas 120",
    ],
)
async def test_a_number_is_denied_without_any_other_word_in_common(
    tmp_path: Path, denial: str
) -> None:
    hits = await found(tmp_path, (0, BILL), (9, denial))
    assert hits[:2] == [(denial, False), (BILL, True)]


async def test_a_number_may_be_denied_again(tmp_path: Path) -> None:
    last = "now he says 150 and not 140, hopeless"
    hits = await found(tmp_path, (0, BILL), (3, "it was 140 not 120"), (5, last))
    assert [text for text, _ in hits[:2]] == [last, BILL]


async def test_a_short_number_is_denied_soon(tmp_path: Path) -> None:
    told, asked = "Piers has his recital on the 6th", "When does Piers have the recital?"
    denial = "mum rang, it's the 9th not the 6th"
    soon = await found(tmp_path / "soon", (0, told), (2, denial), asked=asked)
    assert soon[:2] == [(denial, False), (told, True)]
    late = await found(tmp_path / "late", (0, told), (20, denial), asked=asked)
    assert late[0] == (told, False)


async def test_of_several_numbers_the_question_may_be_about_another(tmp_path: Path) -> None:
    both = f"{BILL} and two anvil bolts at 8 each"
    denial = "turns out it was 140 not 120"
    hits = await found(tmp_path, (0, both), (4, denial))
    assert hits[:2] == [(both, False), (denial, False)]


@pytest.mark.parametrize(
    ("later", "why"),
    [
        ([(3, "The school fees are 120 a term."), (5, "sorry it was 140 not 120")], "another"),
        ([(70, "it was 140 not 120")], "too long ago"),
        ([(3, "is it 140 not 120?")], "a question"),
        ([(3, "it was not 120")], "no other number"),
        ([(3, "it was 140 not 130")], "another number"),
    ],
)
async def test_other_messages_deny_nothing(
    tmp_path: Path, later: list[tuple[int, str]], why: str
) -> None:
    hits = await found(tmp_path, (0, BILL), *later)
    assert hits[0] == (BILL, False), why


async def test_a_common_number_is_not_looked_up_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(denials, "_LOOKED_AT", 3)
    meanwhile = [(1, f"{name} wants a set of 120 chairs") for name in ("Ana", "Bo", "Cy")]
    hits = await found(tmp_path, (0, BILL), *meanwhile, (2, "it was 140 not 120"))
    assert hits[0] == (BILL, False)
    monkeypatch.undo()
    hits = await found(tmp_path / "more", (0, BILL), *meanwhile, (2, "it was 140 not 120"))
    assert hits[:2] == [("it was 140 not 120", False), (BILL, True)]
