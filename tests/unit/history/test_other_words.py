"""Which word of a message the owner's next one replaces, in several languages."""

from __future__ import annotations

import pytest

from memory.history.correction_rules import apply_correction, corrects, is_about_correction

TOM = "Tom lives in Leeds."
CAR = "My car is blue."
PAUL = "My meeting with Paul is at 3pm."
RENT = "The rent is 900."
MIETE = "Die Miete kostet 900 Euro."
ALQUILER = "El alquiler cuesta 900 euros."
LOYER = "Le loyer est de 900 euros."


@pytest.mark.parametrize(
    ("old", "new", "right"),
    [
        (TOM, "no, York", "Tom lives in York."),
        (TOM, "sorry, York", "Tom lives in York."),
        (TOM, "no, in York, I checked", "Tom lives in York."),
        (TOM, "York, not Leeds", "Tom lives in York."),
        (TOM, "not Leeds but York", "Tom lives in York."),
        ("tom lives in leeds", "no, york", "tom lives in york"),
        ("Our wifi is called Sunflower.", "sorry, Sunshine", "Our wifi is called Sunshine."),
        ("Mein Arzt heißt Müller.", "Entschuldigung, Möller", "Mein Arzt heißt Möller."),
        ("Lunch is at Mario's.", "not Mario's, Luigi's", "Lunch is at Luigi's."),
        (CAR, "no, it's red", "My car is red."),
        (CAR, "wait, it's dark green", "My car is dark green."),
        (CAR, "I was wrong, it's red", "My car is red."),
        (CAR, "it's red, not blue", "My car is red."),
        ("Ana is a nurse.", "actually she's a doctor", "Ana is a doctor."),
        (PAUL, "no, with Peter", "My meeting with Peter is at 3pm."),
        (PAUL, "it should be 4pm", "My meeting with Paul is at 4pm."),
        (PAUL, "that's wrong, it's 4pm", "My meeting with Paul is at 4pm."),
        (RENT, "it's 950 now", "The rent is 950."),
        (RENT, "typo: 950", "The rent is 950."),
        (MIETE, "nicht 900, sondern 950", "Die Miete kostet 950 Euro."),
        (MIETE, "stimmt nicht, es sind 950", "Die Miete kostet 950 Euro."),
        (MIETE, "Tippfehler: 950", "Die Miete kostet 950 Euro."),
        ("Mein Auto ist blau.", "nein, rot", "Mein Auto ist rot."),
        ("Mein Auto ist blau.", "nicht blau, sondern rot", "Mein Auto ist rot."),
        ("Mein Auto ist blau.", "eigentlich ist es rot", "Mein Auto ist rot."),
        ("Tom wohnt in Köln.", "nicht in Köln, in Bonn", "Tom wohnt in Bonn."),
        (ALQUILER, "perdón, quería decir 950", "El alquiler cuesta 950 euros."),
        (ALQUILER, "no 900, sino 950", "El alquiler cuesta 950 euros."),
        (ALQUILER, "digo, 950", "El alquiler cuesta 950 euros."),
        ("Mi coche es azul.", "no, es rojo", "Mi coche es rojo."),
        ("Tom vive en Lugo.", "no en Lugo, sino en Vigo", "Tom vive en Vigo."),
        (LOYER, "non, je voulais dire 950", "Le loyer est de 950 euros."),
        (LOYER, "950 et non 900", "Le loyer est de 950 euros."),
        (LOYER, "pas 900, mais 950", "Le loyer est de 950 euros."),
        ("Ma voiture est bleue.", "en fait elle est rouge", "Ma voiture est rouge."),
        ("Tom habite à Lyon.", "non, à Nice", "Tom habite à Nice."),
        ("L'affitto è 900 euro.", "scusa, volevo dire 950", "L'affitto è 950 euro."),
        ("L'affitto è 900 euro.", "non 900 ma 950", "L'affitto è 950 euro."),
        ("La mia macchina è blu.", "no, è rossa", "La mia macchina è rossa."),
        ("O aluguel é 900 euros.", "não 900, mas 950", "O aluguel é 950 euros."),
        ("De huur is 900 euro.", "niet 900 maar 950", "De huur is 950 euro."),
        ("Czynsz wynosi 900 złotych.", "nie 900, tylko 950", "Czynsz wynosi 950 złotych."),
        ("Czynsz to 900 złotych.", "przepraszam, chodziło mi o 950", "Czynsz to 950 złotych."),
        ("Аренда стоит 900 евро.", "не 900, а 950", "Аренда стоит 950 евро."),
        ("房租是900元。", "不对，是950", "房租是950元。"),
        ("房租是900元。", "不是900，是950元", "房租是950元。"),
        ("家賃は900ユーロです。", "すみません、950でした", "家賃は950ユーロです。"),
        ("家賃は900ユーロです。", "900じゃなくて950", "家賃は950ユーロです。"),
    ],
)
def test_the_next_message_replaces_it(old: str, new: str, right: str) -> None:
    assert corrects(new, old, at_once=True)
    assert apply_correction(new, old) == right


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (CAR, "no, it was fun"),
        (CAR, "actually it needs new tyres"),
        (CAR, "sorry, it's late"),
        (CAR, "wait, it's Friday"),
        (CAR, "no problem"),
        (TOM, "no, he's nice"),
        (TOM, "actually he is my cousin"),
        (TOM, "no luck"),
        (TOM, "not bad, really"),
        ("Ana is a nurse.", "actually she's great"),
        ("Ana is a nurse.", "no, she's at home"),
        ("Does Tom live in Leeds?", "no, York"),
        ("Tom and Ben live in Leeds with Mia.", "no, York"),  # for whom?
        ("Dragan paid 400 back, still 200 to go", "no esky"),
        ("electrician on thurs, name is ah boon", "*fri"),
        ("el examen es el diez, y hay que hablar sin papeles", "papeles no hay nunca"),
        (CAR, "no, it's broken"),
        (CAR, "actually it's dirty"),
        (CAR, "sorry, wrong chat"),
        ("My wife is Clara", "actually she's pregnant"),
        ("My name is Peter.", "no, it's complicated"),
        (TOM, "no, in a minute"),
        (TOM, "sorry, in the car"),
        (TOM, "no, in fact"),
        (TOM, "sorry, Mum called"),
        (TOM, "oh no, Anna!"),
        (TOM, "no, OK"),
        (TOM, "sorry, Thanks"),
        (TOM, "nein, Mama"),
        (TOM, "I moved, not Tom"),
        (TOM, "he moved to the garden"),
        ("The party is in the garden.", "no, in a minute"),
        (PAUL, "no, with love"),
        (PAUL, "no, Dios mío"),
        ("Lunch with Anna is at Mario's.", "not Anna, sadly"),
        ("Tom wohnt in Köln.", "warte, in der Besprechung"),
        ("Mein Auto ist blau.", "nein, es ist kaputt"),
        ("Mein Auto ist blau.", "sorry, Tom"),
        ("Tom wohnt in Köln.", "nein, in echt"),
        ("Ana is a nurse.", "sorry, wrong chat"),
        ("Mi coche es azul.", "no, en serio"),
        ("Ma voiture est bleue.", "en fait elle est neuve"),
        ("La mia macchina è blu.", "no, è rotta"),
        (MIETE, "nein, das ist alles"),
        ("Mein Auto ist blau.", "nein, es regnet"),
        ("Mi coche es azul.", "perdón, es tarde"),
        ("Ma voiture est bleue.", "non, elle dort"),
        ("房租是900元。", "不对，我明天950点去银行"),
        ("房租是900元。", "还有950元"),
    ],
)
def test_what_says_anything_else_does_not(old: str, new: str) -> None:
    assert not corrects(new, old, at_once=True)


def test_it_replaces_nothing_that_was_said_before_another_message() -> None:
    assert not corrects("no, it's red", CAR, at_once=False)
    assert not corrects("York, not Leeds", TOM, at_once=False)


@pytest.mark.parametrize(
    "new", ["actually he moved to York", "he moved to York", "sorry, he has moved to York"]
)
def test_who_has_moved_is_the_one_whose_home_was_named(new: str) -> None:
    assert corrects(new, "Tom lives in Leeds and Mia in Bath.", at_once=True)
    assert not corrects(new, "Tom likes Leeds.", at_once=True)
    assert not corrects(new, TOM, at_once=False)


def test_they_moved_in_other_languages() -> None:
    old, new = "Tom wohnt in Köln.", "er ist inzwischen nach Bonn gezogen"
    assert corrects(new, old, at_once=True)
    assert corrects("il a déménagé à Nice", "Tom habite à Lyon.", at_once=True)


def test_a_question_about_another_part_is_not_about_the_correction() -> None:
    old, new = "My bike is at Anton's and I have 4 keys.", "no, it's 5, not 4"
    assert is_about_correction("How many keys do I have?", new, old)
    assert not is_about_correction("Where is my bike?", new, old)
    assert is_about_correction("Where is my bike?", "he moved to York", old)
    one = "The bike costs 900 and it was 40 to ship."
    assert is_about_correction("What does the bike cost?", "sorry, 50, not 40", one)
