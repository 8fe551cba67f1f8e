"""Contradictions: the newer fact is marked uncertain, and the owner is asked which one is true."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.assistant import Assistant, asking
from memory import Memory
from memory.knowledge import Decision
from memory.text.change_words import says_change
from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import FakeTelegram, Sent
from tests.support.buttons import buttons, press, press_again
from tests.support.knowledge import ScriptedDecisions, archived, facts_of, ids_of, learn_facts
from tests.support.memories import Clock, opened
from tests.support.telegram import Sam, claude, quick, sam, telegram

__all__ = ["claude", "quick", "telegram"]

OLD, NEW = "My rent is 900 euros", "My rent is 950 euros"


def texts(folder: Path) -> list[str]:
    return [row[2:].partition(" (")[0] for row in facts_of(folder)]


async def contradicts(memory: Memory, old: str = OLD, new: str = NEW) -> None:
    await learn_facts(memory, old)
    await learn_facts(memory, new)


async def contradicts_twice(it: Sam, telegram: FakeTelegram) -> Assistant:
    """Let the owner contradict himself about the rent, then about his shoes."""
    owner = it.profiles["owner"]
    await telegram.asks("/help")
    await contradicts(owner.memory)
    await contradicts(owner.memory, "My shoes have size 44", "My shoes have size 45")
    return owner


async def asked(it: Sam, telegram: FakeTelegram) -> Sent:
    """Run the job that asks, and return the question."""
    owner = it.profiles["owner"]

    async def speak(text: str, **beside: Any) -> None:
        await it.bot.speak("owner", text, **beside)

    assert await asking.question_is_due(owner.memory, owner.settings)
    before = len(telegram.sent)
    await asking.ask_which(owner.memory, speak)
    *_, last = await telegram.wait_sent(before + 1)
    return last


# ── what is a contradiction ──────────────────────────────────────────────────────────────────


async def test_another_value_without_a_word_of_change_counts_as_uncertain(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await contradicts(memory)
        doubt = await asking.contradictions_of(memory).next()
        assert doubt is not None
        assert (doubt.older.text, doubt.newer.text) == (OLD, NEW)
        [known] = await memory.knowledge.facts()
        assert known.uncertain and "(confidence:: 0.5)" in facts_of(tmp_path)[0]


@pytest.mark.parametrize(
    ("new", "decision"),
    [
        ("My rent is 950 euros now", None),
        ("I own a red bike", None),
        ("My rent is 900 euros", None),
    ],
)
async def test_what_is_clear_is_not_asked(
    tmp_path: Path, new: str, decision: Decision | None
) -> None:
    async with opened(tmp_path) as memory:
        await contradicts(memory, OLD, new)
        assert await asking.contradictions_of(memory).next() is None
        assert not any(known.uncertain for known in await memory.knowledge.facts())


async def test_a_model_may_say_that_two_statements_contradict_each_other(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await learn_facts(memory, "I am a vegetarian")
        [name] = ids_of(tmp_path)
        decide = ScriptedDecisions(Decision("contradict", name))
        await learn_facts(memory, "I am no vegetarian but like steak", decide=decide)
        doubt = await asking.contradictions_of(memory).next()
        assert doubt is not None and doubt.older.text == "I am a vegetarian"


async def test_of_rules_the_last_one_counts(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await contradicts(memory, "rule: Answer in 2 sentences", "rule: Answer in 3 sentences")
        assert await asking.contradictions_of(memory).next() is None


@pytest.mark.parametrize(
    "text",
    [
        "My rent is 950 now",
        "Ich wohne nicht mehr in Rom",
        "Désormais j'habite à Rome",
        "今は東京です",
        "公司换到北京了",
    ],
)
def test_words_of_change_are_known_in_several_languages(text: str) -> None:
    assert says_change([text])
    assert not says_change(["I live in Rome", "Ich wohne in Rom", "東京に住んでいます"])


# ── what the owner answers ───────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("answer", "left", "sure"),
    [
        ("first", [OLD], True),
        ("second", [NEW], True),
        ("both", [NEW, OLD], True),
        ("neither", [NEW], False),
    ],
)
async def test_each_answer_is_written_and_again_it_does_no_harm(
    tmp_path: Path, answer: Any, left: list[str], sure: bool
) -> None:
    async with opened(tmp_path) as memory:
        await contradicts(memory)
        doubt = await asking.contradictions_of(memory).next()
        assert doubt is not None
        for _ in range(2):
            await asking.contradictions_of(memory).settle(doubt.fact, answer)
            assert texts(tmp_path) == left
        assert all(known.uncertain is not sure for known in await memory.knowledge.facts())
        assert await asking.contradictions_of(memory).next() is None
        assert (await memory.knowledge.learn()).pinned == 0, "the lines are still Sam's"
        assert not [row for row in facts_of(tmp_path) if "superseded" in row or "valid_to" in row]
        for name in ids_of(tmp_path):
            assert await memory.knowledge.sources(name), "each leads to its message"
        if answer == "first":
            assert any(NEW in row and "reason" in row for row in archived(tmp_path))


@pytest.mark.parametrize(
    ("answer", "point"),
    [
        *(("first", point) for point in ("record_restored", "put", "end")),
        *(("second", point) for point in ("put", "end")),
        *(("both", point) for point in ("record_restored", "put", "end")),
    ],
)
async def test_killed_at_any_step_an_answer_is_ended_by_the_next_try(
    tmp_path: Path, answer: Any, point: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path) as memory:
        await contradicts(memory)
        doubt = await asking.contradictions_of(memory).next()
        assert doubt is not None

        class Died(BaseException):
            pass

        async def dies(*rows: Any, **given: Any) -> None:
            raise Died

        at = {"put": memory.log.facts, "record_restored": memory.log.contradictions}
        at["end"] = memory.log.contradictions
        with monkeypatch.context() as patch, pytest.raises(Died):
            patch.setattr(at[point], point, dies)
            await asking.contradictions_of(memory).settle(doubt.fact, answer)
        assert await asking.contradictions_of(memory).settle(doubt.fact, answer)
        left = {"first": [OLD], "second": [NEW], "both": [NEW, OLD]}[answer]
        assert texts(tmp_path) == left
        for name in ids_of(tmp_path):
            assert await memory.knowledge.sources(name)
        assert (await memory.knowledge.learn()).pinned == 0


# ── the question ─────────────────────────────────────────────────────────────────────────────


async def test_the_owner_is_asked_once_a_day_in_active_hours_and_answers_with_a_tap(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        owner = await contradicts_twice(it, telegram)
        telegram.passes(hours=12)
        assert not await asking.question_is_due(owner.memory, owner.settings), "at night"
        telegram.passes(hours=12)
        said = await asked(it, telegram)
        assert "1. My rent is 900 euros (said 2026-02-12)" in said.text
        assert "2. My rent is 950 euros" in said.text
        assert list(buttons(said)) == [OLD, NEW, "Both are true", "Don't ask again"]
        assert not await asking.question_is_due(owner.memory, owner.settings), "one a day"
        assert await press(telegram, said, OLD) == "Thank you."
        edited = (await telegram.wait_for(lambda fake: fake.edited))[-1]
        assert edited.text.startswith("Noted: My rent is 900 euros")
        assert OLD in texts(tmp_path) and NEW not in texts(tmp_path)
        await press_again(telegram, said, NEW)
        assert OLD in texts(tmp_path) and NEW not in texts(tmp_path)
        telegram.passes(hours=24)
        assert "size 45" in (await asked(it, telegram)).text


async def test_an_unanswered_question_lapses_and_a_late_answer_still_counts(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        await contradicts_twice(it, telegram)
        first = await asked(it, telegram)
        telegram.passes(hours=24)
        await asked(it, telegram)
        listed = await telegram.asks("/facts rent")
        assert "My rent is 950 euros (uncertain)" in listed.text
        await press(telegram, first, "Both are true")
        assert {OLD, NEW} <= set(texts(tmp_path))


async def test_a_line_that_the_owner_edits_is_not_asked_about(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await contradicts(memory)
        doubt = await asking.contradictions_of(memory).next()
        file = tmp_path / "vault" / "knowledge" / "biographical.md"
        file.write_text(file.read_text().replace("950", "975"))
        assert doubt is not None and await asking.contradictions_of(memory).next() is None
        assert await asking.contradictions_of(memory).settle(doubt.fact, "first") is None
        assert texts(tmp_path) == ["My rent is 975 euros"]


@pytest.mark.parametrize("which", ["the newer", "the older"])
async def test_what_is_private_is_not_asked_about(tmp_path: Path, which: str) -> None:
    """The question is not asked for, so it may show in a notification in company."""
    async with opened(tmp_path) as memory:
        await contradicts(memory)
        assert await asking.contradictions_of(memory).next() is not None
        folder = tmp_path / "vault" / ("" if which == "the newer" else "archive") / "knowledge"
        note = folder / "biographical.md"
        if which == "the newer":
            note.write_text(f"---\nprivacy: sensitive\n---\n{note.read_text()}")
        else:
            note.write_text(note.read_text().replace(" ^", " #sam/sensitive ^"))
        assert await asking.contradictions_of(memory).next() is None
        assert texts(tmp_path) == [NEW]


async def test_the_setting_turns_the_questions_off(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path, contradiction_questions=False) as it:
        owner = it.profiles["owner"]
        await contradicts(owner.memory)
        assert not await asking.question_is_due(owner.memory, owner.settings)
        assert Clock().now + timedelta(days=1) > it.profiles["owner"].memory.clock()
