"""A correction in the owner's next message leads the answer without a model, if it is about what
is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.turn.fallback import WEAK
from tests.support.reminding import reminding

KEYS = ("My bike is at Anton's and I have 4 keys.", "no, it's 5, not 4")
TOM = ("Tom lives in Leeds and Mia in Bath.", "actually he moved to York")


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        (KEYS, "How many keys do I have?"),
        (TOM, "Where does Tom live?"),
        (("My car is blue.", "no, it's red"), "What colour is my car?"),
        (("Tom lives in Leeds.", "sorry, York"), "Where does Tom live?"),
        (("Die Miete kostet 900 Euro.", "nicht 900, sondern 950"), "Was kostet die Miete?"),
        (("El alquiler cuesta 900.", "perdón, quería decir 950"), "¿Cuánto cuesta el alquiler?"),
        (("Le loyer est de 900.", "non, je voulais dire 950"), "Combien coûte le loyer ?"),
        (("L'affitto è 900 euro.", "scusa, volevo dire 950"), "Quanto costa l'affitto?"),
    ],
)
async def test_it_comes_before_what_it_corrects(
    tmp_path: Path, said: tuple[str, str], asked: str
) -> None:
    async with reminding(tmp_path, "") as sam:
        old, new = said
        for text in said:
            await sam.answer(text)
        shown = await sam.answer(asked)
        assert new in shown and old not in shown.partition(new)[0], shown
        assert old not in shown or f"{old} (corrected later that day)" in shown


async def test_a_question_about_the_rest_of_that_message_gets_that_alone(tmp_path: Path) -> None:
    async with reminding(tmp_path, "") as sam:
        for text in KEYS:
            await sam.answer(text)
        assert await sam.answer("Where is my bike?") == f"You said today: {KEYS[0]} [1]"


async def test_what_it_corrects_is_shown_below_it_where_neither_fits_well(tmp_path: Path) -> None:
    async with reminding(tmp_path, "") as sam:
        for text in ("Ma voiture est bleue.", "non, rouge"):
            await sam.answer(text)
        shown = await sam.answer("De quelle couleur est ma voiture ?")
        assert shown == (
            f"{WEAK}\n\nYou said today: non, rouge [1]\n\n"
            "You said today: Ma voiture est bleue. (corrected later that day) [1]"
        )
