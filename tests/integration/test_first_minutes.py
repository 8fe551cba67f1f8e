"""The first minutes without a model: short statements in a row, each noted, and questions that
share no word with them."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from memory import Said
from tests.support.memories import START, opened

STATED = {
    "I like tea, no sugar.": ["What do I like to drink?", "Do I take sugar?"],
    "My sister Anna lives in Porto.": ["Where does my sister live?", "Who lives in Portugal?"],
    "I'm allergic to penicillin.": ["What medicine can't I have?"],
    "My car is a blue Skoda, MOT is due in March.": ["When does the car need its inspection?"],
    "I work as a nurse at St Mary's.": ["What's my job?"],
    "We adopted a cat called Biscuit last week.": ["Do I have any pets?"],
    "Dentist appointment on 12 December at 10:30.": ["When do I see the dentist?"],
    "I parked on level 3 of the station garage.": ["On which floor did I leave the car?"],
}


async def test_each_question_finds_its_statement_and_not_the_next_one(tmp_path: Path) -> None:
    async with opened(tmp_path, embedding_provider="local") as memory:
        for number, text in enumerate(STATED):
            at = START + timedelta(seconds=10 * number)
            turn = await memory.log.messages.begin(Said(f"test:{number}", "telegram:7", text, at))
            await memory.log.messages.answer(turn.id, "Noted.", origin="recall", sent_at=at)
        await memory.catch_up()
        while await memory.embeddings.embed(100):
            pass
        for text, questions in STATED.items():
            for question in questions:
                found = await memory.recall(question, every=True)
                assert found.hits[0].text == text, question
