"""Questions for what Sam said."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory.search.question_words import asks_what_sam_said
from tests.support.memories import log_exchange, opened


@pytest.mark.parametrize(
    "question",
    [
        "what did you say about roaming",
        "what did u say about roaming",
        "How much did you say a new battery costs?",
        "your tips for Whitby?",
        "That recipe you told me about?",
        "Was hast du mir gegen Blattläuse geraten?",
        "Welches Buch war es, das du mir empfohlen hast?",
        "Was waren deine Tipps für Lissabon?",
        "Qu'est-ce que tu m'as dit sur Saint-Malo ?",
        "Que m'as-tu conseillé ?",
        "¿Qué me dijiste de la fianza?",
        "¿Qué vino me has recomendado?",
        "O que você me recomendou para as dores?",
        "O que me disseste sobre o seguro?",
        "Cosa mi hai consigliato per le piante?",
        "Wat heb je me aangeraden voor de reis?",
        "Co mówiłeś o potrawach na Wigilię?",
        "Co mi poradziłaś na ból głowy?",
        "Что ты мне посоветовала от простуды?",
        "Что в твоём ответе было о налогах?",
        "あなたは傘について何と言いましたか",
        "o que vc recomendou",
        "t'as dit quoi sur le prix",
    ],
)
def test_it_asks_for_what_sam_said(question: str) -> None:
    assert asks_what_sam_said(question)


@pytest.mark.parametrize(
    "question",
    [
        "what did I tell you about the eggshells",
        "what did Winston say about leeks?",
        "What do you know about Ana?",
        "Was habe ich dir über Ana erzählt?",
        "Was hat Papa gesagt?",
        "Qu'est-ce que je t'ai dit ?",
        "¿Qué dijo Ana?",
        "Co powiedziała Marta?",
        "Что сказала мама?",
        "母は何と言った",
    ],
)
def test_it_asks_for_what_others_said(question: str) -> None:
    assert not asks_what_sam_said(question)


async def test_what_sam_said_comes_first_if_that_is_asked_for(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        advice = "Rinse the eggshells and bake them, then the rats leave the compost alone."
        await log_exchange(memory, "the rats are back, and the eggshells are to blame", advice)
        repeated = "Noted: the plumber is Ludmila."
        await log_exchange(memory, "the plumber is called Ludmila", repeated)
        advice = "Please stay on the ground until the doctor has seen that knee."
        await log_exchange(memory, "fell off the ladder picking quinces, 23 jars though", advice)
        for question, first in (
            ("what did you say about the ladder and the quinces", "Please"),
            ("what did I say about the ladder and the quinces", "fell"),
            ("what did you say about rats and eggshells", "Rinse"),
            ("what did I say about rats and eggshells", "the rats"),
            ("what did you say about the plumber", "Noted"),
            ("what did I say about the plumber", "the plumber"),
        ):
            hits = (await memory.recall(question)).hits
            assert hits[0].text.startswith(first), question
