"""The translations read as a native speaker writes: spacing, quotation marks, one form of address.

What a program can check of it: how good the wording is, people have to judge.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from bot.chat.tasks.reading import names_a_time
from docs.dev import messages
from memory.dates.due import due_time
from memory.text.catalogue import TRANSLATED
from tests.support.catalogues import catalogue, files

NO_BREAK = "\u00a0"
LONGEST_LABEL = 28
"""Characters on a button: more are cut off on a phone."""
FORMAL = {
    # Not at the beginning of a sentence, where “Sie” is the plural “they”.
    "de": r"(?<![.:!?„\n] )(?<!^)\bSie\b|\b(Ihnen|Ihr|Ihre[mnrs]?)\b(?! Texte)",
    "es": r"\b[Uu]sted(es)?\b",
    "fr": r"\b([Vv]ous|[Vv]otre|[Vv]os)\b|\b(?!(?:chez|assez)\b)\w+ez\b",
    # “вы”, its cases, and the plural of verbs: пишите, проверьте.
    "ru": r"\b([Вв]ы|[Вв]ас|[Вв]ам|[Вв]ами|[Вв]аш\w*)\b|\w+(йте|ьте|ите|ете)\b",
    "zh": "您",
}
"""Formal address: Sam says du, tú, tu, ты and 你, as friends do."""
TOMORROW = re.compile("tomorrow|morgen|mañana|demain|завтра|明天")
QUOTES = {"de": "„“", "es": "«»", "fr": "«»", "ru": "«»", "zh": "“”"}


def prose(text: str) -> str:
    """Return a text with its code, links, commands and placeholders replaced by a letter."""
    return re.sub(r"`[^`]*`|\]\([^)]*\)|(?<!\w)/\w+|\{[^}]*\}", "X", text)


def wrong_french_spaces(text: str) -> list[str]:
    """Return the signs of a French text that need a no-break space and have none."""
    before = r".{0,12}(?<=[^\s\u00a0:!?])[;?!»](?!\))|.{0,12} [:;?!»]"
    return re.findall(rf"{before}|«[^\u00a0].{{0,12}}|.{{0,12}}[^\W\d]:(?=\s|$)", text)


def formal(language: str, text: str) -> list[str]:
    """Return the words of a text that address somebody formally."""
    return [found[0] for found in re.finditer(FORMAL[language], text)]


def forms(language: str) -> Iterator[str]:
    """Yield every translated text of a language."""
    for (one, _), translated in catalogue(language).items():
        if one:
            yield from translated


def test_french_has_no_break_spaces() -> None:
    n = NO_BREAK
    assert wrong_french_spaces(f"Vrai{n}? «{n}Oui{n}»{n}; voilà{n}: X{n}!") == []
    for wrong in ("Vrai ?", "Vrai?", "voilà :", "voilà: X", "« Oui »", "«Oui»", "Non ; oui"):
        assert wrong_french_spaces(wrong), wrong
    found = [
        text for text in map(prose, forms("fr")) if wrong_french_spaces(re.sub(r"^! ", "", text))
    ]
    assert found == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_one_form_of_address_is_used(language: str) -> None:
    tried = {
        "de": "Wollen Sie das?",
        "es": "¿Lo quiere usted?",
        "fr": "Vérifiez la clé.",
        "ru": "Проверьте ключ.",
        "zh": "您好",
    }
    assert formal(language, tried[language])
    assert [text for text in forms(language) if formal(language, text)] == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_quotation_marks_are_those_of_the_language(language: str) -> None:
    others = set('„“”«»"') - set(QUOTES[language])
    assert [text for text in map(prose, forms(language)) if others & set(text)] == []
    opening, closing = QUOTES[language]
    assert [t for t in forms(language) if t.count(opening) != t.count(closing)] == []


def test_spanish_opens_its_questions_and_exclamations() -> None:
    plain = [re.sub(r"^! ", "", prose(text)) for text in forms("es")]
    assert [text for text in plain if text.count("?") != text.count("¿")] == []
    assert [text for text in plain if text.count("!") != text.count("¡")] == []


def test_chinese_has_full_width_punctuation() -> None:
    half = re.compile(r"[\u4e00-\u9fff][,;:?!]|[,;?!][\u4e00-\u9fff]")
    assert [text for text in forms("zh") if half.search(text)] == []


def labels() -> set[str]:
    """Return the texts in the source that stand on buttons."""
    constants: dict[str, str] = {}
    found = set[str]()
    for tree in files().values():
        for node in ast.walk(tree):
            match node:
                case ast.Assign([ast.Name(name)], ast.Call(ast.Name("mark"), [ast.Constant(text)])):
                    constants[name] = str(text)
    for tree in files().values():
        for node in ast.walk(tree):
            if not (isinstance(node, ast.Call) and ast.unparse(node.func) == "Button"):
                continue
            for inner in ast.walk(node.args[0]):
                match inner:
                    case ast.Call(ast.Name("tr"), [ast.Constant(text), *_]):
                        found.add(str(text))
                    case ast.Call(ast.Name("tr"), [ast.Name(name), *_]) if name in constants:
                        found.add(constants[name])
    return found


@pytest.mark.parametrize("language", TRANSLATED)
def test_buttons_are_short(language: str) -> None:
    known, named = catalogue(language), labels()
    assert len(named) > 25
    shown = {known[text, ""][0] for text in named}
    assert [text for text in shown if len(re.sub(r"\{\w+\}", "9", text)) > LONGEST_LABEL] == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_sam_understands_its_own_examples_of_reminders(language: str) -> None:
    now = datetime(2026, 11, 25, 8, 0, tzinfo=UTC)
    examples = [
        example
        for text in forms(language)
        for example in re.findall(r"/remind ([^`\n]+)", text)
        if example.strip()
    ]
    assert len(examples) >= 5
    assert [example for example in examples if not names_a_time(example, now)] == []
    # A day that is not understood stays in the task's words: "tomorrow call Ana".
    called = [due_time(example, now) for example in examples if re.search("9:00", example)]
    assert {due and due.day.day for due in called} == {26}
    assert not any(due and TOMORROW.search(due.rest) for due in called)


def test_this_file_knows_each_language() -> None:
    assert set(TRANSLATED) == set(FORMAL) == set(QUOTES) == set(messages.PLURALS)
