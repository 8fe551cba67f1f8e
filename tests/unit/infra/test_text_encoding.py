"""The encoding of a text is guessed from its bytes, and nothing is guessed of what is no text."""

from __future__ import annotations

import pytest

from memory.infra.text_encoding import guess

TEXTS = {
    "German": "Jörg: Grüße aus München, schönes Wetter – “müde”, aber für 5 € glücklich",
    "French": "Zoé: À bientôt, on se voit à l'école, ça va être génial, cœur",
    "Spanish": "Íñigo: ¿Qué tal mañana? El niño está bien",
    "Russian": "Лена: Привет, как дела, завтра увидимся у метро",
    "Polish": "Łukasz: Cześć, jutro będę późno w domu, źle się czuję",
}
OLDER = {"Russian": "cp1251", "Polish": "cp1250"}


@pytest.mark.parametrize("language", TEXTS)
def test_a_text_is_read_back(language: str) -> None:
    text = TEXTS[language]
    for encoding in ("utf-8", "utf-16", OLDER.get(language, "cp1252")):
        data = text.encode(encoding)
        assert data.decode(guess(data)) == text, encoding


def test_of_a_part_the_last_character_may_be_cut() -> None:
    assert guess("Grüße".encode()[:3]) == "utf-8"


def test_a_damaged_text_stays_in_utf_8() -> None:
    assert guess("Grüße, schöne Tage".encode() * 20 + b"\xe9\n") == "utf-8"


@pytest.mark.parametrize(
    "data",
    [
        bytes(range(256)),
        bytes(range(1, 256)) * 5,
        "text without a mark".encode("utf-16-le"),
    ],
)
def test_other_bytes_are_no_text(data: bytes) -> None:
    assert guess(data) == ""
