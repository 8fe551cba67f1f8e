"""Corrections: the words that say that something is one are left out."""

import pytest

from memory.text.change_words import uncorrected


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("No wait, it is Thursday", "it is Thursday"),
        ("Actually Thursday", "Thursday"),
        ("It is Thursday, sorry", "It is Thursday"),
        ("It is Thursday my bad", "It is Thursday"),
        ("she said sorry", "she said sorry"),
        ("*thursday", "thursday"),
        ("Nein, doch nicht, am Freitag", "am Freitag"),
        ("Désolée, c'est vendredi", "c est vendredi"),
        ("Mi sono sbagliata: venerdì", "venerdì"),
        ("Właściwie w piątek", "w piątek"),
        ("wlasciwie w piatek", "w piatek"),
        ("Нет, стой, в пятницу", "в пятницу"),
        ("不对，周五", "周五"),
        ("It moved to Friday", "It moved to Friday"),
    ],
)
def test_a_correction_is_left_without_the_words_that_say_so(text: str, left: str) -> None:
    assert uncorrected(text) == left
