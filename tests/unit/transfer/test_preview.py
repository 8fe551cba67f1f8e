"""The preview of an import: languages and duration."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.chat.transfer.estimate import duration_line, languages_line, summaries_cost
from bot.settings import Settings
from memory.transfer import Preview, conversations, preview
from tests.support import exports
from tests.support.memories import opened

ENGLISH = [("user", "We fly to Rome on the third of May, early."), ("assistant", "Good.")]
GERMAN = [("user", "Wir treffen uns am Freitag um sieben im Garten."), ("assistant", "Gut.")]
JAPANESE = [("user", "今日はとても暑いですね"), ("assistant", "はい")]


async def seen(folder: Path, talks: dict[str, list[tuple[str, str]]]) -> Preview:
    file = exports.dump(folder / "conversations.json", exports.chatgpt(talks))
    return await seen_in(folder, file)


async def seen_in(folder: Path, file: Path) -> Preview:
    async with opened(folder) as memory:
        return await preview(memory, conversations(file))


async def test_languages_are_named_with_their_shares_in_the_messages(tmp_path: Path) -> None:
    talks = {
        "Rome": ENGLISH * 9,
        "Garten": GERMAN * 3,
        "Tokyo": JAPANESE * 3,
        "Short": [("user", "ok")],
    }
    found = await seen(tmp_path, talks)
    assert (
        languages_line(found.languages())
        == "Languages: English (60%), German (20%), Japanese (20%)"
    )
    assert (
        languages_line((await seen(tmp_path, {"Rome": ENGLISH})).languages()) == "Language: English"
    )
    assert languages_line((await seen(tmp_path, {"Short": [("user", "ok")]})).languages()) == ""


async def test_the_owner_is_counted_among_the_people(tmp_path: Path) -> None:
    found = await seen(tmp_path, {"Rome": ENGLISH * 3, "Garten": GERMAN, "Mine": GERMAN[:1]})
    assert found.people("You") == {"You": 5, "ChatGPT": 4}
    text = exports.whatsapp([("Anna", "On Friday?"), ("Max", "Yes."), ("Anna", "Fine.")])
    (tmp_path / "_chat.txt").write_text(text, "utf-8")
    others = await seen_in(tmp_path, tmp_path / "_chat.txt")
    assert others.people("You") == {"Anna": 2, "Max": 1}, "it does not say who is the owner"


async def test_links_code_and_placeholders_have_no_language(tmp_path: Path) -> None:
    noise = [
        "https://example.org/eine/ganz/lange/adresse/und/noch/mehr",
        "[Standort: Berliner Straße und so weiter bis zum Ende]",
        "```python\nfor zeile in datei: print(zeile)\n```",
        "\\[ m_a = \\frac{1}{2} \\times 48.51 \\approx 24.255 \\text{ cm} \\]",
    ]
    talks = {"Rome": ENGLISH, "Noise": [("user", text) for text in noise]}
    assert (await seen(tmp_path, talks)).languages() == {"English": 1.0}


async def test_of_a_long_chat_the_sample_is_small_and_comes_from_all_of_it(tmp_path: Path) -> None:
    [chat] = (await seen(tmp_path, {"Long": ENGLISH * 400 + GERMAN * 400})).chats
    assert len(chat.spread) < 25
    assert 0.1 < Preview([chat]).languages()["German"] < 0.6


async def test_a_letter_of_another_script_costs_more_than_one_of_english(tmp_path: Path) -> None:
    settings = Settings(_env_file=None, anthropic_api_key="sk-ant-none")
    english = await seen(tmp_path, {"Rome": [("user", "w" * 60_000)]})
    japanese = await seen(tmp_path, {"Rome": [("user", "暑" * 60_000)]})
    assert summaries_cost(settings, japanese) > 2 * summaries_cost(settings, english)
    assert (japanese.size, japanese.characters) == (3 * english.size, english.characters)


@pytest.mark.parametrize(
    ("talks", "budget", "line"),
    [
        (1, 1.0, "It takes a few seconds; then in the background, while Sam runs: summaries a few"),
        (300, 1.0, "summaries about 40 min."),
        (300, 0.01, "summaries 54 days, by the budget."),
        (300, 0.0, "summaries about 40 min."),
    ],
)
async def test_the_duration_is_that_of_the_calls_or_of_the_budget(
    tmp_path: Path, talks: int, budget: float, line: str
) -> None:
    settings = Settings(
        _env_file=None,
        anthropic_api_key="sk-ant-none",
        embedding_provider="none",
        budget_daily_usd=budget,
    )
    found = await seen(tmp_path, {f"Rome {number}": ENGLISH for number in range(talks)})
    assert line in duration_line(settings, found)
