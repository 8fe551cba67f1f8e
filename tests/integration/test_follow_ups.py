"""What is asked about Sam's last answer, without a model: its source, more, the same again."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.turn.fallback import NO_MORE
from bot.turn.rule_answers import NO_ANSWER, NO_SOURCE
from tests.support.homes import Home
from tests.support.reminding import Reminding, reminding

SISTER = (
    "plays jazz",
    "lives in Porto",
    "has two cats",
    "hates rain",
    "is a nurse",
    "is 34",
    "sings",
)
ASKED = "What do I know about my sister?"


async def told(sam: Reminding) -> None:
    for each in SISTER:
        await sam.answer(f"My sister {each}.")


@pytest.mark.parametrize("asked", ["Where did you get that?", "source?", "and who said that?"])
async def test_the_source_is_the_message_with_its_day(tmp_path: Path, asked: str) -> None:
    async with reminding(tmp_path, "") as sam:
        await sam.answer("The cello is in the attic.")
        await sam.answer("Where is the cello?")
        source = "2026-02-12 12:01 · You: “The cello is in the attic.”"
        assert await sam.answer(asked) == source
        assert await sam.answer("thanks") == "You're welcome!"
        assert await sam.answer("source?") == NO_SOURCE


async def test_the_source_of_a_line_is_its_note_and_what_it_was_made_of(tmp_path: Path) -> None:
    async with reminding(tmp_path, "") as sam:
        Home(tmp_path).write("Cello.md", "# Cello\n\nThe cello is in the attic.\n")
        sam.profile.memory.changed(["Cello.md"])
        await sam.profile.memory.catch_up()
        assert "In “Cello”" in await sam.answer("Where is the cello?")
        said = await sam.answer("How do you know that?")
        assert said.startswith("Cello.md:3: “The cello is in the attic.”\nIt is only in this note")


async def test_more_is_the_next_hits_of_the_same_question_and_its_source_is_theirs(
    tmp_path: Path,
) -> None:
    async with reminding(tmp_path, "") as sam:
        await told(sam)
        first = await sam.answer(ASKED)
        more = await sam.answer("tell me more")
        shown = [each for each in SISTER if each in first]
        rest = [each for each in SISTER if each in more]
        assert len(shown) == 5 and not {*shown} & {*rest} and {*shown, *rest} == {*SISTER}
        source = await sam.answer("source?")
        assert [each for each in SISTER if each in source] == rest
        assert await sam.answer("more") == NO_MORE


async def test_the_same_answer_again_with_its_sources(tmp_path: Path) -> None:
    async with reminding(tmp_path, "") as sam:
        await told(sam)
        first = await sam.answer(ASKED)
        assert await sam.answer("Could you repeat that, please?") == first
        assert await sam.answer("say that again") == first
        assert await sam.answer("thanks") == await sam.answer("repeat that") == "You're welcome!"


@pytest.mark.parametrize(
    "again",
    [
        *("noch einmal", "wie bitte?", "repítelo", "¿puedes repetirlo?", "répète s'il te plaît"),
        *("ripeti", "repita", "nog een keer", "powtórz", "повтори", "再说一遍", "もう一度言って"),
    ],
)
async def test_other_languages_ask_so_too(tmp_path: Path, again: str) -> None:
    async with reminding(tmp_path, "") as sam:
        await sam.answer("The cello is in the attic.")
        assert await sam.answer("Where is the cello?") == await sam.answer(again)


async def test_without_an_answer_just_before_there_is_none_to_ask_about(tmp_path: Path) -> None:
    async with reminding(tmp_path, "") as sam:
        assert await sam.answer("source?") == NO_ANSWER
        await sam.answer("The cello is in the attic.")
        await sam.answer("Where is the cello?")
        assert await sam.answer("repeat that", minutes=61) == NO_ANSWER


async def test_what_only_begins_so_is_kept_and_found(tmp_path: Path) -> None:
    async with reminding(tmp_path, "") as sam:
        await sam.answer("More milk is in the cellar.")
        await sam.answer("Where is the cello?")
        await sam.answer("more")
        assert "More milk is in the cellar." in await sam.answer("Where is more milk?")
        hits = (await sam.profile.memory.recall("more", every=True)).hits
        assert "more" not in [hit.text for hit in hits]
