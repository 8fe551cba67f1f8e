"""Detect answers that only say that something is not known, in every language of Sam's."""

from __future__ import annotations

import pytest

from memory.text.sentences import is_denial

DENIALS = [
    "I have nothing about a parents' evening so far.",
    "I still have nothing about it.",
    "You have not told me where it is. When you find it, let me know and I'll keep it.",
    "You haven't mentioned a sofa with a price.",
    "I have nothing at 9:30 on Friday.",
    "I don't know how big the hall is. Give me its length and width, and I'll work it out.",
    "Sorry, I have no opening hours of the gym.",
    "There is no record of a dentist.",
    "Von einem Flug weiß ich noch nichts.",
    "Du hast mir das noch nicht erzählt.",
    "Je ne sais pas quand il vient.",
    "Tu ne m'as pas dit où il est.",
    "No sé dónde está.",
    "Todavía no me has dicho cuándo.",
    "Ainda não me disseste quando.",
    "Non so dove sia la bici.",
    "Ik weet niet waar je fiets staat.",
    "Nie wiem, kiedy przyjdzie.",
    "Об этом я пока ничего не знаю.",
    "У меня нет записей о враче.",
    "それは聞いていません。",
]
ANSWERS = [
    "",
    "🙏",
    "It is in Anton's garage.",
    "You have a dentist at nine.",
    "You have told me of two: Ana and Rui.",
    "I have noted it.",
    "No, on Tuesday.",
    "Nothing is open on Sunday.",
    "Du hast um neun Zahnarzt.",
    "Tu as rendez-vous à neuf heures.",
    "No, el martes.",
    "Nie, we wtorek.",
    "駅の前です。",
    "I see no problem: the ferry leaves at nine.",
    "I have no doubt: it was the blue one.",
    "Ich sehe kein Problem: die Fähre geht um neun.",
    "Je ne vois pas de problème : le bac part à neuf heures.",
    "I don't know of a shop, but a tailor can mend it: ask for a blind hem, bring the thread that"
    " you have, take out the old seam first, press it flat, and try it on before it is sewn.",
]


@pytest.mark.parametrize("answer", DENIALS)
def test_an_answer_that_denies(answer: str) -> None:
    assert is_denial(answer)


@pytest.mark.parametrize("answer", ANSWERS)
def test_an_answer_that_says_something(answer: str) -> None:
    assert not is_denial(answer)
