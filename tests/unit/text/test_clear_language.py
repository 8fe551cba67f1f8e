"""The language of a text, if its words leave no doubt."""

from __future__ import annotations

import pytest

from memory.text.clause_words import clear_language


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Where did we leave the key of the shed?", "en"),
        ("Der Schlüssel liegt nicht mehr bei uns im Schuppen.", "de"),
        ("Comprei um gira-discos e não digas nada ao Rui, está na minha casa", "pt"),
        ("de kamer voor het kindje wordt geel, en niet roze", "nl"),
        ("я купила билеты на концерт и не сказала ему", "ru"),
        ("gira-discos 65", ""),  # no function word
        ("Porto, 11 June", ""),
        ("booked w/ physio, 7am w/o coffee", ""),  # no Polish "w"
        ("он и/или она", "ru"),
        ("no", ""),  # of several languages
        ("", ""),
    ],
)
def test_only_a_text_that_is_clearly_in_one_language_has_its_code(text: str, code: str) -> None:
    assert clear_language(text) == code
