"""Which message corrects an earlier one, in several languages, and which only sounds like it."""

from __future__ import annotations

import pytest

from memory.history.corrections import corrects
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


def test_one_that_names_nothing_corrects_the_message_before_it_alone() -> None:
    assert not corrects("sorry, it's Wednesday at 10", "The dentist is on Tuesday", at_once=False)
    assert corrects("sorry, the dentist is on Wednesday", "The dentist: Tuesday", at_once=False)


def test_only_what_leads_a_fact_is_left_out_of_its_form() -> None:
    assert normal_form("The wedding is on 4 June") == normal_form("Wedding is on 4 June")
    assert normal_form("Tom says he is tall") != normal_form("Tom says is tall")
