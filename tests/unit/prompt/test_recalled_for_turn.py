"""What is searched for a message: a follow-up question together with the message and the answer
before it; nothing for a greeting."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from bot.prompt import Conversation, Gatherer
from bot.prompt.layout import Newest
from bot.prompt.rewording import follow_up
from bot.settings import Settings
from memory.core import Memory
from memory.log import Said
from memory.trust.provenance import Provenance
from tests.fakes.log_rows import answered, conversation, row
from tests.support.memories import START, log_exchange, opened, write

BEFORE = conversation("Which hotel is it in Gdańsk?", "The Podewils.")


@pytest.mark.parametrize(
    "text",
    ["How much was it?", "and when?", "what about the other one", "Und wie viel kostet das?"],
)
def test_a_short_question_follows_up_on_the_message_and_the_answer_before_it(text: str) -> None:
    expected = f"Which hotel is it in Gdańsk?\nThe Podewils.\n{text}"
    assert follow_up([row(3, text)], BEFORE) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Thanks!",
        "Lunch was soup.",
        "At which school does the daughter of my neighbour learn the violin?",
    ],
)
def test_a_statement_and_a_question_with_a_subject_do_not(text: str) -> None:
    assert follow_up([row(3, text)], BEFORE) == ""


def test_the_first_message_and_one_that_comes_later_follow_up_on_nothing() -> None:
    late = row(3, "How much was it?", sent_at=BEFORE[0].sent_at + timedelta(hours=2))
    assert follow_up([row(1, "How much was it?")], []) == ""
    assert follow_up([late], BEFORE) == ""


def test_private_messages_and_answers_without_a_model_are_left_out() -> None:
    private = [BEFORE[0]._replace(privacy="sensitive"), BEFORE[1]]
    assert follow_up([row(3, "How much was it?")], private) == ""
    quoted = [BEFORE[0], answered(2, 1, "I recall …", origin="recall")]
    assert follow_up([row(3, "When?")], quoted) == "Which hotel is it in Gdańsk?\nWhen?"


async def hits(memory: Memory, *texts: str) -> list[str]:
    """Return the hits for the last of these messages, which are a conversation of today."""
    return [hit.text for hit in (await newest(memory, *texts)).hits]


async def newest(memory: Memory, *texts: str) -> Newest:
    """Return what is shown for the last of these messages."""
    at = START + timedelta(days=9)
    for number, text in enumerate(texts[:-1]):
        await log_exchange(memory, text, "Yes.", at=at + timedelta(minutes=number))
    said = Said(texts[-1], "terminal", texts[-1], at + timedelta(minutes=len(texts)))
    turn = await memory.log.messages.begin(said)
    gatherer = Gatherer(memory, Settings(_env_file=None, embedding_provider="none"))  # type: ignore[call-arg]
    talk: Conversation = await gatherer.conversation(turn)
    _, shown = await gatherer.context(talk, Provenance.of(talk.before, talk.turn_messages))
    return shown


async def test_it_finds_what_the_message_before_it_is_about(tmp_path: Path) -> None:
    async with opened(tmp_path, embedder=None) as memory:
        await log_exchange(memory, "The hotel Podewils costs 640 euros.", "Noted.", at=START)
        await memory.end_session("terminal", START)
        assert "The hotel Podewils costs 640 euros." in await hits(
            memory, "Which hotel is it?", "and how much was it?"
        )


async def test_a_question_with_its_own_period_is_searched_alone(tmp_path: Path) -> None:
    async with opened(tmp_path, embedder=None) as memory:
        await log_exchange(memory, "The hotel Podewils costs 640 euros.", "Noted.", at=START)
        await memory.end_session("terminal", START)
        assert await hits(memory, "Which hotel is it?", "and yesterday?") == []


async def test_nothing_is_searched_for_a_greeting(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await log_exchange(memory, "Guten Morgen! Wie wird der Tag heute?", "Sunny.", at=START)
        await log_exchange(memory, "Good morning, the hotel is the Podewils.", "Noted.", at=START)
        await memory.end_session("terminal", START)
        assert await hits(memory, "Good morning!") == []
        assert await hits(memory, "Good morning, which hotel is it?") != []


RULE = (
    "- Answer briefly (kind:: rule) (confidence:: 0.9) (evidence:: said) (updated:: 2026-02-01)\n"
)


@pytest.mark.parametrize("text", ["Thanks!", "😂", "Yes, please.", "ja, gerne", "No", "Nein."])
async def test_a_formula_gets_the_rules_alone(tmp_path: Path, text: str) -> None:
    write(tmp_path, "knowledge/rules.md", RULE)
    write(tmp_path, "memories/2026-02-03.md", "# 2026-02-03\n\n- No, please: it snowed ^b1\n")
    async with opened(tmp_path, embedder=None) as memory:
        await log_exchange(memory, "No thanks, yes I will", "Noted.", at=START)
        await memory.end_session("terminal", START)
        shown = await newest(memory, text)
        assert (len(shown.rules), shown.summaries, shown.hits) == (1, (), ())
        asked = await newest(memory, f"{text} Did it snow?")
        assert asked.summaries and len(asked.rules) == 1
