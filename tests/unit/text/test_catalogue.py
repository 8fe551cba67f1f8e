"""The catalogue: plurals, numbers and dates per language, and the language set in user.md."""

from __future__ import annotations

import re
from datetime import date, datetime, time

import pytest

from bot.chat.tasks.commands import NO_TIME, WHEN
from bot.setup.prompts import TRY
from docs.dev.messages import entry
from memory.text import clipped, duration, has_question, named_language, recognise_intent
from memory.text.catalogue import TRANSLATED, long_day, on_day, short_day, speaking, tn, tr
from memory.text.catalogue.po_file import read
from memory.tools import due_time


@pytest.mark.parametrize(
    ("language", "count", "said"),
    [
        ("en", 1, "1 message"),
        ("en", 1234, "1,234 messages"),
        ("de", 1234, "1.234 Nachrichten"),
        ("fr", 0, "0 message"),
        ("es", 2, "2 mensajes"),
        ("ru", 1, "1 сообщение"),
        ("ru", 3, "3 сообщения"),
        ("ru", 12, "12 сообщений"),
        ("ru", 21, "21 сообщение"),
        ("zh", 5, "5 条消息"),
    ],
)
def test_a_number_has_its_form(language: str, count: int, said: str) -> None:
    with speaking(language):
        assert tn("{count} message", "{count} messages", count) == said


def test_days_are_written_as_in_the_language() -> None:
    day, said = date(2026, 5, 3), {}
    for language in ("en", *TRANSLATED):
        with speaking(language):
            said[language] = (short_day(day), long_day(day), on_day(day))
    assert said == {
        "en": ("Sun 03 May", "Sunday, 03 May", "on 3 May"),
        "de": ("So, 03. Mai", "Sonntag, 03. Mai", "am 3. Mai"),
        "es": ("dom 03 may", "domingo, 03 de mayo", "el 3 de mayo"),
        "fr": ("dim. 03 mai", "dimanche 03 mai", "le 3 mai"),
        "ru": ("вс, 03 мая", "воскресенье, 03 мая", "3 мая"),
        "zh": ("5月03日 周日", "5月03日 星期日", "5月3日"),
    }
    with speaking("de"):
        assert duration(720) == "etwa 12 Min."
        assert duration(51 * 3600 + 300) == "etwa 51:05 Std."


def test_outside_of_a_context_and_in_an_unknown_language_it_is_english() -> None:
    assert tr("Undone.") == "Undone."
    with speaking("de"):
        assert tr("Undone.") == "Zurückgenommen." and tr("not in it {x}", x=1) == "not in it 1"
        with speaking("tlh"):
            assert tr("Undone.") == "Undone."
    assert tr("Undone.") == "Undone."


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("# You\n\n- Language: German\n", "de"),
        ("- Language: deutsch, bitte\n", "de"),
        ("- **Language**: русский\n", "ru"),
        ("- Sprache: Französisch", "fr"),
        ("- Language: zh", "zh"),
        ("- Language: Italian", "en"),
        ("- Language:\n", ""),
        ("- I like the German language", ""),
    ],
)
def test_user_md_names_a_language(text: str, code: str) -> None:
    assert named_language(text) == code


@pytest.mark.parametrize("language", [code for code in TRANSLATED if code != "zh"])
def test_what_people_are_told_to_try_is_understood(language: str) -> None:
    """Without a model; for Chinese the rules only know the questions."""
    with speaking(language):
        remember, remind, asks = map(tr, TRY)
        examples = re.findall(r"`/remind ([^`]+)`", tr(WHEN) + tr(NO_TIME))
    now = datetime(2026, 11, 24, 12, 0)  # noqa: DTZ001
    intents = [recognise_intent(remember), recognise_intent(remind)]
    assert [intent and intent.kind for intent in intents] == ["remember", "remind"]
    assert has_question(asks)
    due = due_time(intents[1].words, now) if intents[1] else None
    assert due is not None and due.time == time(9) and due.day == date(2026, 11, 25)
    found = [due_time(each, now) for each in examples]
    assert len(found) == 4 and all(each and each.time and each.rest for each in found)


def test_a_po_file_is_read_as_it_is_written() -> None:
    key, forms = ('A "quoted"\nline \\ here', ""), ("Eine „Zeile“\n\\ hier",)
    plural, both = ("one {count}", "many {count}"), ("eins", "viele")
    text = (
        f"{entry(key, forms, 'bot/a.py')}\n\n{entry(plural, both)}\n\n{entry(('left', ''), ('',))}"
    )
    assert read(text) == {key: forms, plural: both}, "what is not translated is left out"
    with pytest.raises(ValueError, match="not a line"):
        read(clipped("msgid broken", 20))
