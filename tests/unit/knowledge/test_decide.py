"""A model's decision on a known line counts only if what was said supports it."""

from __future__ import annotations

from datetime import date

import pytest

from memory.knowledge.decide import (
    Decision,
    Proposal,
    Verdict,
    allowed,
    corrections,
    is_newer,
    restates,
)
from memory.knowledge.notes import KnownFact
from memory.log.knowledge.candidates import FactCandidate
from memory.notes import fact as facts

DAY = date(2026, 5, 1)
OTHER = "Plays chess on Fridays"


def known(text: str, name: str) -> KnownFact:
    fact = facts.new(text, id=name, updated=DAY)
    return KnownFact("knowledge/biographical.md", 1, fact, "fact")


def decided(verdict: Verdict, new: str, said: str, old: str, *, nearest: bool = False) -> Decision:
    shown = [known(OTHER, "other1"), known(old, "old111")]
    if nearest:
        shown.reverse()
    found = FactCandidate("biographical", new, (1,), DAY)
    return allowed(Decision(verdict, "old111"), Proposal(1, found, tuple(shown), (said,)))


@pytest.mark.parametrize(
    ("verdict", "new", "said", "old"),
    [
        ("delete", "No longer has a cat", "We gave our cat away", "Has a cat called Tom"),
        ("delete", "Rex died", "Rex the dog died last night", "Has a dog called Rex"),
        ("delete", "Quit smoking", "I quit smoking", "Smokes"),
        ("delete", "Ist kein Vegetarier mehr", "Ich bin kein Vegetarier mehr", "Vegetarier"),
        ("delete", "不再吃肉", "我不吃肉了", "喜欢吃肉"),
        ("update", "Accountant is Ms. Reis", "my accountant is Ms. Reis", "Accountant is Mr. Lobo"),
        ("update", "Works at Bosch", "I started at Bosch", "Works at Siemens as an engineer"),
        ("update", "Die Miete beträgt 900 €", "Miete: 900 €", "Die Miete beträgt 850 €"),
        ("update", "住在上海", "我住在上海", "住在北京"),
        ("contradict", "Birthday is in June", "my birthday is in June", "Birthday is in May"),
        ("keep", "Vegan", "I'm vegan", "The owner is vegan"),
        ("keep", "Dentist on 12 May", "dentist on 12 May", "Has a dentist appointment 2026-05-12"),
    ],
)
def test_what_was_said_supports_it(verdict: Verdict, new: str, said: str, old: str) -> None:
    assert decided(verdict, new, said, old) == Decision(verdict, "old111")


@pytest.mark.parametrize(
    ("verdict", "new", "said", "old"),
    [
        ("delete", "Notary is on 19 May", "My notary is on 19 May.", "Tax office is on 11 June"),
        ("delete", "Garage bay is number 9", "my garage bay is number 9", "Vegan"),
        ("delete", "Cat is called Tom", "The cat is called Tom", "Has a cat"),
        ("delete", "No longer has a car", "We have no car any more", "Has a cat called Tom"),
        ("update", "Notary appointment is on 19 May", "…", "Tax office appointment is on 11 June"),
        ("update", "Cello teacher is Bea", "My cello teacher is Bea now", "Hairdresser is Orlando"),
        (
            "update",
            "Boiler pressure is 14 psi",
            "My boiler pressure is 14",
            "Blood pressure is 128",
        ),
        ("contradict", "Gym locker is number 9", "…", "Garage bay is number 4"),
        ("keep", "Choir is on Friday", "my choir is on Friday", "Choir is on Monday"),
        ("keep", "Accountant is Ms. Reis", "my accountant is Ms. Reis", "Accountant is Mr. Lobo"),
        ("keep", "Has a dog", "we have a dog", "Likes green tea"),
    ],
)
def test_what_was_said_does_not_support_it(verdict: Verdict, new: str, said: str, old: str) -> None:
    assert decided(verdict, new, said, old) != Decision(verdict, "old111")


def test_other_words_for_the_nearest_line_are_taken_where_something_changed() -> None:
    new, old = "Has a job at Bosch", "Works at Siemens"
    changed = decided("update", new, "I have a new job at Bosch", old, nearest=True)
    assert changed == Decision("update", "old111")
    assert decided("update", new, "my job is at Bosch", old, nearest=True) == Decision("add")
    assert decided("update", new, "I have a new job at Bosch", old) == Decision("add")


def test_without_support_the_plain_rules_decide() -> None:
    new, old = "Choir is on Friday", "Choir is on Monday"
    assert decided("keep", new, "choir is on Friday", old) == Decision("update", "old111")
    assert decided("delete", new, "choir is on Friday", old) == Decision("update", "old111")


def test_another_subject_does_not_replace_the_nearest_line_whatever_has_changed() -> None:
    said = "My cello teacher has changed, it is Beatriz from now on"
    new, old = "Cello teacher is Beatriz", "Hairdresser is Orlando"
    assert decided("update", new, said, old, nearest=True) == Decision("add")


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("Accountant is Ms. Teixeira", "By the way, my accountant is Mr. Lobo"),
        (
            "2026-04-10: my gym locker is number 204",
            "- **Summary**: Spoke of my gym locker is number 118",
        ),
        ("Locker is number 204", "I was late. Just so you know: my locker is number 118."),
        ("Zahnarzt ist Dr. Ruiz", "Übrigens, mein Zahnarzt ist Dr. Bell"),
        ("Choir is on Friday", "I was wrong, my choir is on Monday, not on Sunday."),
    ],
)
def test_an_older_sentence_with_another_value_is_found(new: str, old: str) -> None:
    assert restates(new, old)


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("Accountant is Ms. Teixeira", "My accountant is on holiday"),
        ("Accountant is Ms. Teixeira", "My accountant is Ms. Teixeira, who was with Mr. Lobo"),
        ("Brother is Tom", "My brother is Jim"),
        ("Blood pressure is 128", "My boiler pressure is 14"),
        ("Locker is number 204", "My locker is blue"),
        ("Locker is number 204", "I lost 3 keys in the locker"),
    ],
)
def test_what_is_true_as_well_is_no_other_value(new: str, old: str) -> None:
    assert not restates(new, old)


@pytest.mark.parametrize(
    ("old", "said", "new"),
    [
        ("Chess evening is on Monday", "My chess evening is on Friday now", "on Friday"),
        ("Bank adviser is Nuno", "My bank adviser is Catarina.", "Catarina"),
        ("Gym locker is number 118", "Correction: my gym locker is number 204.", "number 204"),
        ("Notary is on 14 May", "I was wrong, my notary is on 19 May, not on 14 May.", "on 19 May"),
        (
            "Swimming lane is number 3",
            "My swimming lane has changed, it is number 6 from now on",
            "number 6",
        ),
        ("Zahnarzt ist Dr. Bell", "Mein Zahnarzt ist jetzt Dr. Ruiz", "Dr. Ruiz"),
        ("Rent is 950 euros a month", "Hi Sam! My rent is 980 euros a month.", "980 euros a month"),
    ],
)
def test_a_correction_is_found_without_a_model(old: str, said: str, new: str) -> None:
    [found] = corrections({3: said}, [known(OTHER, "other1"), known(old, "old111")])
    assert found.messages == [3] and found.text == f"{old.split(' is ')[0].split(' ist ')[0]} " + (
        f"{'ist' if ' ist ' in old else 'is'} {new}"
    )


@pytest.mark.parametrize(
    ("old", "said"),
    [
        ("Brother is Tom", "My brother is Jim"),
        ("Dentist is Dr. Bell", "My dentist is on holiday until Monday"),
        ("Gym locker is number 118", "My gym locker is number 118"),
        ("Blood pressure is 128", "My boiler pressure is 14"),
        ("Gym locker is number 118", "> my gym locker is number 204"),  # a quotation
    ],
)
def test_what_corrects_nothing_is_not(old: str, said: str) -> None:
    assert not [*corrections({1: said}, [known(old, "old111")])]


def test_add_is_no_answer_to_a_value_that_has_changed_or_to_another_name() -> None:
    old = "Choir is on Monday"
    assert (
        decided("add", "Choir is on Friday", "my choir is on Friday now", old).verdict == "update"
    )
    assert decided("add", "Choir is on Friday", "my choir is on Friday too", old).verdict == "add"
    old = "Accountant is Mr. Lobo"
    new = "Accountant is Ms. Reis"
    assert decided("add", new, "my accountant is Ms. Reis", old).verdict == "update"


def test_the_word_that_it_is_a_correction_is_no_part_of_a_statement() -> None:
    assert is_newer("Actually my rent is 950 euros", "My rent is 900 euros")
    assert is_newer("Eigentlich ist die Miete 950 Euro", "Ist die Miete 900 Euro")
    assert not is_newer("Actually my gym is 950 m away", "My rent is 900 euros")
