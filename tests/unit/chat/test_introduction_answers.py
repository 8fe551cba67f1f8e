"""Answers to the introduction's questions that are typed, and messages that are none."""

from __future__ import annotations

import pytest

from bot.chat.introduction.questions import Question, Unclear, says_more, typed_answer


@pytest.mark.parametrize(
    "words",
    [
        "Anna",
        "I'm Anna",
        "Hi, I'm Anna!",
        "You can call me Anna, please",
        "my name's Anna",
        "Ich heiße Anna",
        "Nenn mich Anna bitte",
        "je m’appelle Anna",
        "me llamo Anna",
        "Mi chiamo Anna",
        "mijn naam is Anna",
        "Nazywam się Anna",
    ],
)
@pytest.mark.parametrize("is_reply", [True, False])
def test_a_name_is_taken_without_the_words_around_it(words: str, is_reply: bool) -> None:
    assert typed_answer("name", words, is_reply=is_reply) == "Anna"


@pytest.mark.parametrize(("words", "name"), [("меня зовут Анна", "Анна"), ("我叫李明", "李明")])
def test_a_name_is_known_in_other_scripts(words: str, name: str) -> None:
    assert typed_answer("name", words, is_reply=False) == name


@pytest.mark.parametrize(
    "words",
    ["我喜欢喝茶", "今天天气很好", "お茶が好きです", "No", "Ja", "Wie bitte", "Thanks", "buy milk"],
)
@pytest.mark.parametrize("open_", ["name", "zone", "language", "tone"])
def test_a_message_that_may_be_anything_is_no_answer(words: str, open_: Question) -> None:
    """A text in a script without capitals would all be names."""
    assert typed_answer(open_, words, is_reply=False) is None


@pytest.mark.parametrize("words", ["Later", "Test", "Später", "Maybe Later", "Plus tard", "Тест"])
@pytest.mark.parametrize("open_", ["name", "zone"])
def test_what_somebody_types_first_is_no_name(words: str, open_: Question) -> None:
    assert typed_answer(open_, words, is_reply=False) is None


@pytest.mark.parametrize("open_", ["name", "zone", "language", "tone"])
def test_a_no_in_reply_leaves_the_question_out(open_: Question) -> None:
    assert [typed_answer(open_, words, is_reply=True) for words in ("No", "nein.")] == ["", ""]


@pytest.mark.parametrize(
    "words", ["espanol", "Español", "in Spanish please", "en español, por favor", "es"]
)
def test_a_language_may_be_typed_without_accents_and_with_a_please(words: str) -> None:
    assert typed_answer("language", words, is_reply=False) == "Spanish"


def test_a_place_may_be_followed_by_a_please() -> None:
    assert typed_answer("zone", "In Berlin bitte", is_reply=False) == "Europe/Berlin"
    assert isinstance(typed_answer("zone", "Atlantis", is_reply=False), Unclear)


@pytest.mark.parametrize(
    ("open_", "words", "answer"),
    [
        ("name", "My name is Tom and I live in Porto", "Tom"),
        ("name", "Hallo, ich heiße Anna Maria, und du?", "Anna Maria"),
        ("zone", "Linz, I teach there", "Europe/Vienna"),
        ("zone", "Hamburg, and remind me tomorrow to call Ana", "Europe/Berlin"),
        ("zone", "Ich wohne in Berlin und heiße Jörg", "Europe/Berlin"),
    ],
)
@pytest.mark.parametrize("is_reply", [True, False])
def test_an_answer_may_be_part_of_a_message(
    open_: Question, words: str, answer: str, is_reply: bool
) -> None:
    assert typed_answer(open_, words, is_reply=is_reply) == answer
    assert says_more(open_, words)


@pytest.mark.parametrize(
    ("open_", "words"),
    [
        *[
            ("name", each)
            for each in ("Anna", "I'm Anna, please", "Call me Dr. Weber", "Weber, A.")
        ],
        *[("zone", each) for each in ("Linz, austria", "Frankfurt (Main)", "Berlin, bitte")],
        *[
            ("zone", each)
            for each in ("Washington, D.C.", "Trinidad and Tobago", "Kyiv 🇺🇦, Ukraine")
        ],
        *[("language", "Deutsch"), ("tone", "Short, and warm")],
    ],
)
def test_what_only_answers_is_no_message_as_well(open_: Question, words: str) -> None:
    assert not says_more(open_, words)


def test_what_somebody_is_may_be_no_name() -> None:
    """ "I'm German, and I live here" is not about a name."""
    assert typed_answer("name", "I'm German, and I live here", is_reply=False) is None
    assert typed_answer("name", "I'm Tom, and I live here", is_reply=True) == "Tom"
