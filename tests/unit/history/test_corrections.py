"""Which message corrects an earlier one, in several languages, and which only sounds like it."""

from __future__ import annotations

import pytest

from memory.history.correction_rules import apply_correction, corrects
from memory.text.word_forms import normal_form


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("actually her birthday is 15 March", "Ana's birthday is 3 May"),
        ("her birthday is actually on the 15th of March", "Ana's birthday is on 3 March"),
        ("I meant 15 March, not 3 May", "Ana's birthday is 3 May"),
        ("oh sorry, it is 1743", "My locker code is 1734"),
        ("Actually the wedding is on 11 June", "Lea's wedding is on 4 June"),
        ("sorry, it's Wednesday at 10", "The dentist is on Tuesday at 9"),
        ("oops: 5:30", "The alarm is at 5:50"),
        ("correction: he lives in Braga", "Ben lives in Porto"),
        ("no, she likes coffee", "Ana likes tea"),
        ("Actually her name is Clara", "My boss's name is Carla"),
        ("Es ist Donnerstag, sorry", "Der Zahnarzt ist am Mittwoch"),
        ("Nein, er wohnt in Braga", "Ben wohnt in Porto"),
        ("en fait c'est jeudi", "Le dentiste est mercredi"),
        ("perdón, es el jueves", "El dentista es el miércoles"),
        ("Scusa, è giovedì", "Il dentista è mercoledì"),
        ("na verdade é na quinta", "O dentista é na quarta"),
        ("sorry, het is donderdag", "De tandarts is op woensdag"),
        ("przepraszam, jest w czwartek", "Dentysta jest w środę"),
        ("нет, в четверг", "Стоматолог в среду"),
        ("I meant Lisbon", "My sister lives in Porto."),
        ("oh sorry i meant in lisbon", "my sister lives in porto"),
        ("I meant New York", "My sister lives in Porto."),
        ("ich meinte Lissabon", "Meine Schwester wohnt in Porto"),
        ("je voulais dire Lisbonne", "Ma sœur habite à Porto"),
        ("quise decir Lisboa", "Mi hermana vive en Oporto"),
        ("я имел в виду Казань", "Моя сестра живёт в Омске"),
        (
            "correction, the flight is on the 22nd of december not 21st, I looked at the wrong tab"
            " of the calendar. same time as before",
            "We fly to Ireland on 21 December at 10, the flight costs 120",
        ),
        (
            "Korrektur, der Flug geht nicht am 21., sondern am 22. Dezember, ich hatte die falsche"
            " Seite vom Kalender offen und es nicht gemerkt",
            "Der Flug nach Irland geht am 21. Dezember um 10",
        ),
    ],
)
def test_it_corrects(new: str, old: str) -> None:
    assert corrects(new, old, at_once=True)


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("her birthday is 15 March", "Ana's birthday is 3 May"),  # it may be another's
        ("Actually, my son's recital is on Tuesday at 10", "The dentist is on Tuesday at 9"),
        ("no, my sister's birthday is 15 March", "Ana's birthday is 3 May"),
        ("No, Ana's birthday is on 3 May", "Ana's birthday is 3 May"),
        ("Actually my son likes trains", "Ana likes tea"),
        ("I meant well", "Ana is cross with me"),
        ("I meant it", "I told Ana that I love her"),
        ("I meant to call", "Ana called yesterday"),
        ("i meant no harm", "Ana is cross with me"),
        ("I meant what I said", "Ana is cross with me"),
        ("ich meinte das ernst", "Ana ist sauer auf mich"),
        ("Actually I also like coffee", "I like tea"),
        ("No tengo coche", "Tengo una casa en Lugo"),
        ("no, is it on Wednesday?", "The dentist is on Tuesday"),
        ("sorry, it's Wednesday", "My rent is 900 euros"),
        ("sorry, I was away for 3 days", "My rent is 900 euros"),
        ("no problem, see you at 10", "The dentist is at 9"),
        ("Actually I bought 3 books today", "My rent is 900 euros"),
        ("actually I love Tuesday", "The dentist is on Wednesday"),
        ("no, thanks", "Ana likes tea"),
        (
            "Actually, the recital is not on the 21st but on the 22nd of December, which I only saw"
            " when I looked at the calendar",
            "We fly to Ireland on 21 December at 10",
        ),
    ],
)
def test_it_does_not(new: str, old: str) -> None:
    assert not corrects(new, old, at_once=True)


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("make it 200, Jo ran the numbers", "the alert comes at 500 messages"),
        ("nah 5.30", "pickup is at 5.15"),
        ("5.30 sorry", "pickup is at 5.15"),
        ("no 5.30, i checked the app", "pickup is at 5.15"),
        ("oat milk sorry", "we need almond milk, two litres"),
        ("sorry Northbank not Alder. same number", "the pension is with Alder, number 4471"),
        ("Donnerstag sorry", "der Zahnarzt ist am Mittwoch"),
        ("lieber vier", "Tisch für drei am Samstag"),
        ("oups jeudi", "le dentiste est mercredi"),
        ("mettons quatre", "une table pour trois samedi"),
        ("uy no es el jueves", "el dentista es el miércoles"),
        ("mejor cuatro", "mesa para tres el sábado"),
        ("niech będzie 18:30", "kolacja jest o 18:00"),
        ("scusa è giovedì", "il dentista è mercoledì"),
        ("facciamo quattro", "un tavolo per tre sabato"),
        ("desculpa é quinta", "o dentista é na quarta"),
        ("verschoben um eine Woche", "der Zahnarzt ist am 3. Mai"),
        ("reporté au jeudi", "le dentiste est mardi à 10h"),
        ("spostato a giovedì", "il dentista è martedì"),
        ("перенесли на четверг", "стоматолог во вторник"),
        ("oeps het is donderdag", "de tandarts is op woensdag"),
        ("doe maar vier", "tafel voor drie op zaterdag"),
        ("упс, в четверг", "стоматолог в среду"),
        ("*thurs 19", "parents eve for reuben is weds 18 nov 4.30"),
        ("*5.30", "dinner is at 6"),
    ],
)
def test_it_corrects_as_people_type(new: str, old: str) -> None:
    """Without commas, with other words for "no", and with a reason."""
    assert corrects(new, old, at_once=True)


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("she said sorry", "paint is quarter strength"),
        ("i can make it 5 times a week", "gym is 3 times a week"),
        ("make it a habit", "i run 3 times a week"),
        ("nah. they'd only give it to Gareth", "the agency pays 0.09 a word"),
        ("no it's fine", "the tap drips, 3 drops a minute"),
        ("lieber Tee als Kaffee", "ich trinke drei Kaffee am Tag"),
        ("mejor vamos a la playa a las 5", "el dentista es a las 4"),
        ("the recital is on the 22nd not the 21st", "We fly to Ireland on 21 December at 10"),
        ("Opa's hip is on the 5th", "the hip operation is on the 3rd"),
        ("Nan's hip is on the 5th", "the hip operation is on the 3rd"),
        ("not bad for 71", "the tiler is 71 and charges 95"),
        ("no worries! you've got this. keep it up!", "thanks, i'll keep you updated"),
        ("*laughs on a thursday*", "the dentist is on wednesday"),
        ("* thursday bins", "the dentist is on wednesday"),
        ("*chickpeas", "buy chickpras and 2 onions"),
        ("no thanks, we do it on a Saturday", "she called and thanks us for the cake"),
        ("no, i haven't read them but i'll definitely check them out. cheers", "i haven't read it"),
    ],
)
def test_what_only_sounds_like_it_does_not(new: str, old: str) -> None:
    assert not corrects(new, old, at_once=True)


def test_it_says_what_it_is_and_what_not_without_an_apology() -> None:
    """Then it need not be the next message, nor name the subject."""
    old = "crawled under, three of the stumps are rotten"
    assert corrects("Davo came. its five not three", old, at_once=False)
    assert corrects("sind fünf, nicht drei", "drei Pfosten sind morsch", at_once=False)
    assert not corrects("its five not four", old, at_once=False)


@pytest.mark.parametrize(
    ("new", "is_one"),
    [
        ("pushed back a day because of the release. same place", True),
        ("moved to Friday", True),
        ("it's been moved to the 18th", True),
        ("cancelled, no one was keen", True),
        ("moved the stand-up to 9:40", False),
        ("cancelled the gym while my ankle heals", False),
        ("moved house", False),
        ("moved in", False),
        ("put off by the smell", False),
        ("delayed on the ring road again", False),
    ],
)
def test_what_became_of_a_time_is_about_the_message_before_it(new: str, is_one: bool) -> None:
    old = "the work party is on 17 December, bowls at 4"
    assert corrects(new, old, at_once=True) == is_one
    assert not corrects(new, "the work party will be bowls", at_once=True)
    assert not corrects(new, old, at_once=False)


def test_one_that_names_nothing_corrects_the_message_before_it_alone() -> None:
    assert not corrects("sorry, it's Wednesday at 10", "The dentist is on Tuesday", at_once=False)
    assert corrects("sorry, the dentist is on Wednesday", "The dentist: Tuesday", at_once=False)


def test_only_what_leads_a_fact_is_left_out_of_its_form() -> None:
    assert normal_form("The wedding is on 4 June") == normal_form("Wedding is on 4 June")
    assert normal_form("Tom says he is tall") != normal_form("Tom says is tall")


@pytest.mark.parametrize(
    ("new", "old", "right"),
    [
        ("I meant 4412", "the door code is 4421", "the door code is 4412"),
        ("no, 43", "my shoe size is 42", "my shoe size is 43"),
        ("sorry, Thursday", "the dentist is on Wednesday at 3", "the dentist is on Thursday at 3"),
        ("actually 3 July", "Clara marries on 14 June", "Clara marries on 3 July"),
        ("I meant Jim", "my plumber is Joe", "my plumber is Jim"),
        ("ich meinte 4412", "der Türcode ist 4421", "der Türcode ist 4412"),
        ("я имел в виду 4412", "код двери 4421", "код двери 4412"),
        ("it was 140, not 120", "he takes 120, and she 300", "he takes 140, and she 300"),
        ("the 22nd, not the 21st", "we fly on the 21st", "we fly on the 22nd"),
        ("sorry, 1,200 not 1,100", "rent is 1,100 euros", "rent is 1,200 euros"),
        ("sorry, 12.50 not 12.80", "coffee is 12.80", "coffee is 12.50"),
        ("it was 555-1234, not 555-1243", "phone 555-1243", "phone 555-1234"),
        ("no, 5:30", "Ana comes at 6:15", "Ana comes at 5:30"),
        ("sorry, Wednesday", "dentist on Tuesday at 9:30", "dentist on Wednesday at 9:30"),
        # "Mi" is Wednesday in German alone.
        ("no, el martes", "Mi cita es el lunes.", "Mi cita es el martes."),
        ("nein, Do", "Mein Termin ist Mi um 9.", "Mein Termin ist Do um 9."),
    ],
)
def test_the_corrected_words_have_the_right_value(new: str, old: str, right: str) -> None:
    assert apply_correction(new, old) == right


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("I meant 5", "we need 3 chairs and 4 tables"),  # of which?
        ("I meant red", "the key is under the blue mat"),
        ("the gate code is 4412", "the door code is 4421"),
        ("thanks", "the door code is 4421"),
        ("it was 140 or 150, not 120", "he takes 120"),
        ("sorry, Wednesday at 10:30", "dentist on Tuesday at 9:30"),
        ("no, 8", "pick up Ana at 6:15 for 8 people"),
        ("no, el lunes", "Mi coche es azul."),
    ],
)
def test_what_is_not_clear_corrects_no_words(new: str, old: str) -> None:
    assert apply_correction(new, old) is None
