"""The part of a long passage that is shown as a hit."""

from __future__ import annotations

from bot.chat.lookup.excerpt import excerpt


def shown(text: str, query: str) -> str:
    return "".join(piece for piece, _ in excerpt(text, query, 200))


def test_the_part_with_most_words_of_the_question_is_shown() -> None:
    rows = "\n".join(
        f"The number of widget {number} is {number * 7}." for number in range(100, 160)
    )
    assert "widget 142 is 994" in shown(rows, "widget 142")
    assert shown(rows, "widget").startswith("The number of widget 100")
    assert shown(rows, "nothing").startswith("The number of widget 100")
    assert shown("short text", "text") == "short text"


def test_several_forms_of_a_word_are_one_of_the_questions_words() -> None:
    filler = "and so on, " * 30
    forms = (
        f"The safe code is 4411 in Berlin. {filler} into inside information inner indoor {filler}"
    )
    assert "4411" in shown(forms, "safe code in Berlin")


def test_the_words_of_the_question_are_marked() -> None:
    assert excerpt("a red box", "red", 200) == [("a ", False), ("red", True), (" box", False)]
