"""Recall after a move: the last one counts, though it shares no word with the question."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memory.search import Hit
from memory.tools import MemoryTools
from tests.support.memories import Clock, log_exchange, opened

NEW = "2026-03-04"  # the day of the second message


async def asked(folder: Path, question: str, *said: str, **given: Any) -> list[Hit]:
    """Return the hits of a question, after the messages were sent twenty days apart."""
    async with opened(folder, clock=(clock := Clock())) as memory:
        for text in said:
            await log_exchange(memory, text, "Noted.", **given)
            clock.forward(days=20)
        return (await memory.recall(question)).hits


@pytest.mark.parametrize(
    ("old", "new", "question"),
    [
        ("I live in Berlin.", "I moved to Lisbon.", "Where do I live?"),
        ("I live in Berlin.", "We finally moved to Lisbon!", "What city am I living in?"),
        ("I work at Siemens.", "I started at Bosch today.", "Where do I work?"),
        ("I work at Siemens.", "I got a job at Bosch.", "Who do I work for?"),
        ("Ich wohne in Berlin.", "Ich bin nach Lissabon gezogen.", "Wo wohne ich?"),
        ("Ich arbeite bei Siemens.", "Ich habe bei Bosch angefangen.", "Wo arbeite ich?"),
        ("J'habite à Berlin.", "J'ai déménagé à Lisbonne.", "Où est-ce que j'habite ?"),
        ("Vivo en Berlín.", "Me he mudado a Lisboa.", "¿Dónde vivo?"),
        ("Vivo a Berlino.", "Mi sono trasferita a Lisbona.", "Dove vivo?"),
        ("Moro em Berlim.", "Mudei-me para Lisboa.", "Onde moro?"),
        ("Ik woon in Berlijn.", "Ik ben verhuisd naar Lissabon.", "Waar woon ik?"),
        ("Mieszkam w Berlinie.", "Przeprowadziłam się do Lizbony.", "Gdzie mieszkam?"),
        ("Я живу в Берлине.", "Я переехала в Лиссабон.", "Где я живу?"),
        ("我住在柏林。", "我搬到里斯本了。", "我住在哪里？"),
    ],
)
async def test_the_new_place_leads_and_the_old_one_is_dated(
    tmp_path: Path, old: str, new: str, question: str
) -> None:
    first, second = await asked(tmp_path, question, old, new)
    assert (first.text, first.until) == (new, None)
    assert (second.text, str(second.until)) == (old, NEW)


@pytest.mark.parametrize(
    "said",
    [
        "I moved to the sofa.",
        "I moved to Linux.",
        "My sister moved to Lisbon.",
        "I'm moving to Lisbon next year.",
        "I moved to Hamburg in 2015.",
        "I started at Bosch.",
    ],
)
async def test_what_is_no_move_changes_nothing(tmp_path: Path, said: str) -> None:
    first = (await asked(tmp_path, "Where do I live?", "I live in Berlin.", said))[0]
    assert (first.text, first.until) == ("I live in Berlin.", None)


async def test_the_last_of_several_moves_leads(tmp_path: Path) -> None:
    said = ("I live in Berlin.", "I moved to Lisbon.", "I moved to Porto.")
    first, second = await asked(tmp_path, "Where do I live?", *said)
    assert (first.text, first.until) == ("I moved to Porto.", None)
    assert (second.text, str(second.until)) == ("I live in Berlin.", NEW)


@pytest.mark.parametrize("back", ["I moved back to Berlin.", "I live in Berlin again."])
async def test_who_is_back_lives_there(tmp_path: Path, back: str) -> None:
    said = ("I live in Berlin.", "I moved to Lisbon.", back)
    first = (await asked(tmp_path, "Where do I live?", *said))[0]
    assert "Berlin" in first.text and first.until is None


async def test_a_question_about_the_old_place_or_time_is_answered(tmp_path: Path) -> None:
    said = ("I live in Berlin.", "I moved to Lisbon.")
    for number, question in enumerate(("Did I live in Berlin?", "Where did I live in February?")):
        first = (await asked(tmp_path / str(number), question, *said))[0]
        assert first.text == "I live in Berlin."


async def test_an_answer_with_more_words_of_the_question_stays_first(tmp_path: Path) -> None:
    said = ("I work 38 hours at Siemens, that is, I work at Siemens.", "I started at Bosch.")
    first = (await asked(tmp_path, "How many hours do I work?", *said))[0]
    assert "38 hours" in first.text and str(first.until) == NEW


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("I just moved to Ghent", "Where do I live?"),
        ("Ich bin gerade nach Gent gezogen.", "Wo wohne ich?"),
        ("J'ai déménagé à Gand.", "Où est-ce que j'habite ?"),
        ("Me he mudado a Gante.", "¿Dónde vivo?"),
        ("Mi sono trasferita a Gand.", "Dove abito?"),
        ("Mudei-me para Gante.", "Onde moro?"),
        ("Ik ben verhuisd naar Gent.", "Waar woon ik?"),
        ("Przeprowadziłam się do Gandawy.", "Gdzie mieszkam?"),
        ("Я переехала в Гент.", "Где я живу?"),
        ("我搬到根特了。", "我住在哪里？"),
    ],
)
async def test_a_move_alone_says_where_the_owner_lives(
    tmp_path: Path, said: str, question: str
) -> None:
    [hit] = await asked(tmp_path, question, said, "Tom likes plums.")
    assert hit.text == said


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("I moved to Ghent.", "Where does Ana live?"),
        ("I moved to Ghent.", "Where does my sister live?"),
        ("I moved to Ghent.", "Who do I live with?"),
        ("I moved to Ghent.", "Where do I live in Berlin?"),
        ("My sister moved to Ghent.", "Where do I live?"),
        ("I moved to Linux.", "Where do I live?"),
        ("Me he mudado a Gante.", "¿Dónde vive?"),
        ("Ich bin nach Gent gezogen.", "Wo wohnt meine Schwester?"),
        ("I moved to Ghent.", "Where did I live?"),
        ("I moved to Ghent.", "Where did I live before?"),
        ("我搬到根特了。", "我住在哪个酒店？"),
    ],
)
async def test_a_move_alone_answers_no_other_question(
    tmp_path: Path, said: str, question: str
) -> None:
    assert not await asked(tmp_path, question, said, "Tom likes plums.")


async def test_another_members_move_counts_for_that_member_alone(tmp_path: Path) -> None:
    async with opened(tmp_path, clock=(clock := Clock())) as memory:
        await log_exchange(memory, "I live in Berlin.", author="Ana")
        clock.forward(days=20)
        await log_exchange(memory, "I moved to Lisbon.", author="Ben")
        hits = (await memory.recall("Where do I live?")).hits
        assert hits[0].text == "I live in Berlin." and not any(hit.until for hit in hits)


async def test_a_remembered_line_is_dated_too(tmp_path: Path) -> None:
    async with opened(tmp_path, clock=(clock := Clock())) as memory:
        await MemoryTools(memory).save_memory("I live in Berlin", "owner")
        clock.forward(days=20)
        await log_exchange(memory, "I moved to Lisbon.", "Noted.")
        first, second = (await memory.recall("Where do I live?")).hits
        assert first.text == "I moved to Lisbon."
        assert second.kind == "memory" and str(second.until) == NEW
