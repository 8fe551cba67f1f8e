"""Recall dates what was replaced, by the messages of its fact, and what replaced it leads."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memory import Hit, Memory, Said
from memory.history import mark_outdated
from memory.knowledge import Decision
from memory.search import Question, Recalled
from memory.tools import MemoryTools
from tests.support.knowledge import FactPerMessage, ScriptedDecisions, learn_facts
from tests.support.memories import Clock, log_exchange, opened, write


async def found(memory: Memory, question: str) -> list[Hit]:
    return (await memory.recall(question, limit=30, every=True)).hits


def undated(hits: list[Hit], old: str) -> list[str]:
    """Return the lines that state an old value and do not say until when it was true."""
    return [
        row
        for hit in hits
        if hit.until is None
        for row in hit.dated_text.split("\n")
        if old in row and not re.search(r"\((?:until .*|corrected later that day)\)$", row)
    ]


async def moved(memory: Memory, clock: Clock, new: str = "Bosch is a new employer of mine") -> None:
    """Say where the owner works, beside something else; later another employer, in other words."""
    await learn_facts(memory, "Siemens has been my employer since May", "The cat Tom likes tuna")
    old = next(f for f in await memory.knowledge.facts() if "Siemens" in f.fact.text)
    clock.forward(days=20)
    await learn_facts(memory, new, decide=ScriptedDecisions(Decision("update", old.fact.id)))


async def test_what_a_replaced_fact_came_from_is_dated_whatever_its_words(tmp_path: Path) -> None:
    async with opened(tmp_path, clock=(clock := Clock())) as memory:
        await moved(memory, clock)
        hits = await found(memory, "Siemens employer, Bosch, cat Tom tuna")
        assert undated(hits, "Siemens") == []
        [message] = [hit for hit in hits if hit.is_message and "Siemens" in hit.text]
        assert f"{message.until}" == "2026-03-04"
        notes = (await memory.recall("Siemens employer", limit=9, filter="knowledge")).hits
        [section] = [hit for hit in notes if hit.kind == "summary" and "Siemens" in hit.text]
        assert section.until is None and "Tom" in section.text  # the other bullet is still true
        rows = section.dated_text.split("\n")
        assert "- Siemens has been my employer since May (until 2026-03-04)" in rows
        assert "- The cat Tom likes tuna" in rows
        shown = await MemoryTools(memory).search_memory("Siemens employer", 9, "knowledge")
        assert "my employer since May (until 2026-03-04)" in shown


async def test_a_line_that_the_owner_edited_leads_and_the_old_words_are_dated(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, clock=(clock := Clock())) as memory:
        await learn_facts(memory, "By the way, my accountant is Mr. Lobo", "The cat Tom likes tuna")
        clock.forward(days=9)
        for text in ("my accountant, my accountant: call", "is my accountant on holiday"):
            await log_exchange(memory, text, "I see.")
        note = await memory.vault.read("knowledge/biographical.md")
        was = "By the way, my accountant is Mr. Lobo"
        write(tmp_path, "knowledge/biographical.md", note.replace(was, "Accountant is Ms. Sol"))
        memory.changed(["knowledge/biographical.md"])
        await memory.knowledge.learn()
        hits = await found(memory, "Who is my accountant?")
        assert undated(hits, "Lobo") == []
        notes = (await memory.recall("accountant", limit=9, filter="knowledge")).hits
        bare = [hit._replace(until=None, past=()) for hit in notes]  # as if nothing were alike
        asked = Question("accountant", memory.today())
        given = Recalled("accountant", "keywords", bare)
        [again] = await mark_outdated([given], [asked], memory.vault, memory.log, memory.today)
        [section] = [hit for hit in again.hits if hit.kind == "summary" and "Lobo" in hit.text]
        rows = section.dated_text.split("\n")  # beside a bullet that is still true
        assert "- By the way, my accountant is Mr. Lobo (until 2026-02-21)" in rows
        assert section.until is None and "- The cat Tom likes tuna" in rows
        says_so = [n for n, hit in enumerate(hits) if "Sol" in hit.text or "Lobo" in hit.text]
        assert "Sol" in hits[says_so[0]].text


async def test_a_message_with_another_fact_that_still_counts_stays(tmp_path: Path) -> None:
    async with opened(tmp_path, clock=(clock := Clock())) as memory:
        await moved(memory, clock)
        hits = await found(memory, "cat Tom tuna")
        assert any("Tom" in hit.text for hit in hits)
        assert all(hit.until is None for hit in hits if hit.is_message and "Tom" in hit.text)


@pytest.mark.parametrize(
    ("old", "later"),
    [
        ("My brother is Tom", "My brother is Jim"),
        ("My blood pressure is 128", "My boiler pressure is 14"),
    ],
)
async def test_what_is_true_as_well_is_not_dated(tmp_path: Path, old: str, later: str) -> None:
    async with opened(tmp_path, clock=(clock := Clock())) as memory:
        await learn_facts(memory, old)
        clock.forward(days=20)
        await learn_facts(memory, later)
        for hit in await found(memory, f"{old} {later}"):
            assert not (old in hit.text and (hit.past or hit.until)), hit


async def test_a_question_about_a_period_keeps_its_order(tmp_path: Path) -> None:
    async with opened(tmp_path, clock=(clock := Clock())) as memory:
        await moved(memory, clock)
        hits = await found(memory, "Where did I work in February 2026, Siemens?")
        assert "Siemens" in hits[0].text


async def test_an_expired_fact_says_nothing_against_its_message(tmp_path: Path) -> None:
    async with opened(tmp_path, clock=(clock := Clock())) as memory:
        await learn_facts(memory, "contextual: A guest from Oslo sleeps here")
        clock.forward(days=40)
        await memory.knowledge.maintain()
        hits = await found(memory, "guest from Oslo")
        assert hits and all(hit.until is None and not hit.past for hit in hits)


async def test_a_remembered_line_comes_before_the_day_of_the_fact_that_it_replaced(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, clock=(clock := Clock())) as memory:
        await learn_facts(memory, "My storage unit is B12", "My standing order is 75 euros")
        clock.forward(days=9)
        await MemoryTools(memory).save_memory("My standing order is 110 euros", "owner")
        found = (await memory.recall("standing order", limit=9, filter="knowledge")).hits
        [line] = [hit for hit in found if hit.kind == "memory"]
        [day] = [hit for hit in found if hit.kind == "summary" and "75 euros" in hit.text]
        given = [day._replace(until=None, past=()), line]
        assert await texts_of(memory, "standing order", given) == [line.text, day.text]


@pytest.mark.parametrize(
    ("later", "is_dated"),
    [
        ("I was wrong, my cello teacher is Beatriz, not Henrique.", True),
        ("My cello teacher is Beatriz", False),  # there may be two
        ("I was wrong, my chess teacher is Beatriz, not Henrique.", False),
    ],
)
async def test_a_change_that_no_fact_records_dates_the_line_of_the_day(
    tmp_path: Path, later: str, is_dated: bool
) -> None:
    async with opened(tmp_path, clock=(clock := Clock())) as memory:
        for text in ("My cello teacher is Henrique.", "The cat Tom likes tuna"):
            await log_exchange(memory, text, "I see.")
        await memory.summarise(FactPerMessage(), reason="asked")
        clock.forward(days=9)
        await log_exchange(memory, later, "I see.")
        given = (await memory.recall("cello teacher Henrique", limit=9, every=True)).hits
        notes = (await memory.recall("cello teacher", limit=9, filter="knowledge")).hits
        messages = [hit for hit in given if hit.is_message and hit.text == later]
        [day] = [hit._replace(until=None, past=()) for hit in notes if hit.kind == "summary"]
        asked = Question("cello teacher", memory.today())
        recalled = Recalled(asked.text, "keywords", [*messages, day])
        [again] = await mark_outdated([recalled], [asked], memory.vault, memory.log, memory.today)
        [day] = [hit for hit in again.hits if hit.kind == "summary"]
        row = "My cello teacher is Henrique."
        assert (f"- {row} (until 2026-02-21)" in day.dated_text.split("\n")) == is_dated


@pytest.mark.parametrize(
    ("question", "score", "first"),
    [
        ("Which accountant do I have?", 0.5, "Accountant"),
        ("Do you know my accountant?", 0.5, "Accountant"),
        ("Weißt du, wer mein Accountant ist?", 0.5, "Accountant"),
        ("Which accountant do I have?", 0.2, "an account"),  # a much better answer
        ("When is my accountant's birthday?", 0.5, "an account"),  # the line has half of the words
        ("Which account do I use?", 0.5, "an account"),  # which the line has no word of
        ("Did I say in February who my accountant is?", 0.5, "an account"),
    ],
)
async def test_a_line_comes_before_a_message_that_has_fewer_of_the_questions_words(
    tmp_path: Path, question: str, score: float, first: str
) -> None:
    async with opened(tmp_path) as memory:
        day = memory.today()
        line = Hit(
            "knowledge/x.md", 1, 1, "", "Accountant is Ms. Sol", day, "fact", None, score, 1, ()
        )
        said = Hit("log/x", 1, 1, "", "an account of my day", day, "message", "user", 0.6, 2, (2,))
        found = await texts_of(memory, question, [said, line])
        assert found[0].startswith(first)
        past = line._replace(until=day)
        assert (await texts_of(memory, question, [said, past]))[0] == said.text


async def test_a_line_with_all_words_of_the_question_leads_before_it_has_a_vector(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as memory:
        text = "- 2026-02-12: Clara doesn't like surprises"
        line = Hit("MEMORY.md", 1, 1, "", text, memory.today(), "memory", None, 0.1, 1, ())
        said = line._replace(text="Clara's birthday is 4 May.", kind="message", score=0.5)
        question = "Does Clara like surprises?"
        assert (await texts_of(memory, question, [said, line]))[0] == text
        both = said._replace(text="Clara's surprises")
        assert (await texts_of(memory, question, [both, line]))[0] == both.text


async def texts_of(memory: Memory, question: str, hits: list[Hit]) -> list[str]:
    """Return the texts of hits in the order after they were dated."""
    given = Recalled(question, "keywords", hits)
    asked = Question(question, memory.today())
    [found] = await mark_outdated([given], [asked], memory.vault, memory.log, memory.today)
    return [hit.text for hit in found.hits]


async def test_what_corrects_a_message_soon_after_leads_and_the_message_is_dated(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, clock=(clock := Clock())) as memory:
        await log_exchange(memory, "The dentist is on Tuesday at 9", "Noted.")
        await log_exchange(memory, "sorry, it's Wednesday at 10", "Noted.")
        await log_exchange(memory, "Ana's birthday is 3 May", "Noted.")
        await log_exchange(memory, "we had pasta", "Nice.")
        await log_exchange(memory, "actually her birthday is 15 March", "Noted.")
        clock.forward(days=1)
        for question, new, old in (
            ("when is the dentist?", "Wednesday at 10", "Tuesday at 9"),
            ("when is Ana's birthday?", "15 March", "3 May"),
        ):
            first, second = (await memory.recall(question)).hits[:2]
            assert new in first.text and first.until is None, "though it shares no word with it"
            assert old in second.text and f"{second.until}" == "2026-02-12"
            [only] = (await memory.recall(question, limit=1)).hits
            assert only.text == first.text
        asked = "what did I say on 2026-02-12 about the dentist?"
        assert "Tuesday at 9" in (await memory.recall(asked)).hits[0].text


async def test_of_several_corrections_the_last_one_leads(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        for text in ("My rent is 960", "no, 970", "wait, it was 980, not 970"):
            await log_exchange(memory, text, "Noted.")
        first, *others = await found(memory, "how much is my rent?")
        assert "980" in first.text and first.until is None
        assert [hit.until for hit in others if hit.text == "My rent is 960"] == [memory.today()]


@pytest.mark.parametrize(
    ("size", "birthday", "asked", "born"),
    [
        ("my shoe size is 43", "Ana is 31", "What is my shoe size?", "How old is Ana?"),
        ("meine Schuhgröße ist 43", "Ana ist 31", "Was ist meine Schuhgröße?", "Wie alt ist Ana?"),
        ("ma pointure est 43", "Ana a 31 ans", "Quelle est ma pointure ?", "Quel âge a Ana ?"),
        ("mi talla es 43", "Ana tiene 31 años", "¿Cuál es mi talla?", "¿Cuántos años tiene Ana?"),
    ],
)
async def test_a_correction_behind_a_question_is_of_what_was_asked_for(
    tmp_path: Path, size: str, birthday: str, asked: str, born: str
) -> None:
    async with opened(tmp_path) as memory:
        for text in (size, birthday, born, asked, "no, 44"):
            await log_exchange(memory, text, "Noted.")
        first, second = (await memory.recall(asked)).hits[:2]
        assert first.text == "no, 44" and second.text == size and second.until == memory.today()
        [only] = (await memory.recall(born, limit=1)).hits
        assert only.text == birthday and only.until is None


@pytest.mark.parametrize(
    ("doubt", "right"),
    [
        *[(each, "no, Wednesday") for each in ("Are you sure?", "thanks", "Really?", "ok, great")],
        *[("Bist du dir da sicher?", "nein, am Mittwoch"), ("Tu es sûr ?", "non, mercredi")],
        *[("¿Estás seguro?", "perdón, el miércoles"), ("你确定吗？", "no, Wednesday")],
    ],
)
async def test_a_message_without_content_is_passed_over(
    tmp_path: Path, doubt: str, right: str
) -> None:
    async with opened(tmp_path) as memory:
        for text in ("The dentist is on Tuesday at 3", doubt, right):
            await log_exchange(memory, text, "Noted.")
        first, second = (await memory.recall("When is the dentist?")).hits[:2]
        assert first.text == right and first.until is None
        assert "Tuesday" in second.text and second.until == memory.today()


async def test_messages_from_telegram_which_name_their_author_are_corrected_too(
    tmp_path: Path,
) -> None:
    ana: dict[str, Any] = {"chat": "telegram:7", "author": "Ana"}
    school = ana | {"author": "The school", "origin": "forwarded"}
    async with opened(tmp_path) as memory:
        await log_exchange(memory, "The dentist is on Tuesday at 9", "Noted.", **ana)
        await log_exchange(memory, "sorry, it's Wednesday at 10", "Noted.", **ana)
        await log_exchange(memory, "The flight is on the 21st of May", "Noted.", **ana)
        await log_exchange(memory, "The rehearsal is on Monday at 4", "Noted.", **school)
        for number in range(6):
            await log_exchange(memory, f"we walked {number} miles", "Nice.", **ana)
        await log_exchange(
            memory, "sorry, the flight is on the 22nd, not the 21st", "Noted.", **ana
        )
        first, second = (await memory.recall("when is the dentist?")).hits[:2]
        assert "Wednesday at 10" in first.text and first.until is None
        assert "Tuesday at 9" in second.text and second.until == memory.today()
        first, second = (await memory.recall("when is the flight?")).hits[:2]
        assert "22nd" in first.text and "21st" in second.text and second.until == memory.today()
        await log_exchange(memory, "sorry, the rehearsal is on Tuesday at 5", "Noted.", **ana)
        found_ = (await memory.recall("when is the rehearsal?")).hits
        [theirs] = [hit for hit in found_ if "Monday at 4" in hit.text]
        assert theirs.until is None, "the school's word is the school's to correct"


async def test_a_correction_has_the_day_in_the_owners_time_zone(tmp_path: Path) -> None:
    clock = Clock(datetime(2026, 3, 3, 23, 50, tzinfo=UTC))  # on 4 March in Tokyo
    async with opened(tmp_path, clock=clock, timezone="Asia/Tokyo") as memory:
        await log_exchange(memory, "The dentist is on Tuesday at 9", "Noted.")
        clock.forward(minutes=20)
        await log_exchange(memory, "sorry, it's Wednesday at 10", "Noted.")
        new, old = (await memory.recall("when is the dentist?")).hits[:2]
    assert new.text.startswith("sorry") and new.path == "log/2026-03-04"
    assert f"{new.date}" == f"{old.until}" == "2026-03-04", "not one day later"


async def test_a_correction_that_denies_the_old_value_counts_however_late_and_long(
    tmp_path: Path,
) -> None:
    clock = Clock()
    async with opened(tmp_path, clock=clock) as memory:
        await log_exchange(memory, "flights to Ireland on the 21st of December, 612 euros")
        for n in range(8):
            clock.forward(days=1)
            await log_exchange(memory, f"we walked {n} miles along the beach")
        await log_exchange(
            memory,
            "correction, the flight is on the 22nd of December not 21st, I looked at the wrong tab"
            " of the calendar. same time as before",
        )
        first, second, *_ = await found(memory, "when are the flights to Ireland?")
        assert first.text.startswith("correction") and first.until is None
        assert second.text.startswith("flights to Ireland") and second.until == first.date


async def test_the_fact_and_the_lines_of_a_corrected_message_are_dated_too(tmp_path: Path) -> None:
    """Where the model made a fact of the first message, and overlooked the correction."""
    async with opened(tmp_path) as memory:
        await learn_facts(memory, "The dentist is on Tuesday at 9", "The cat Tom likes tuna")
        await log_exchange(memory, "sorry, the dentist is on Wednesday at 10", "Noted.")
        asked = "when is the dentist, and what does Tom like?"
        hits = await found(memory, asked)
        [new] = [hit for hit in hits if "Wednesday at 10" in hit.text]
        old = [hit for hit in hits if "Tuesday" in hit.text]
        assert {hit.kind for hit in old} == {"fact", "message"}
        assert hits.index(new) < min(map(hits.index, old)) and undated(hits, "Tuesday") == []
        notes = (await memory.recall(asked, limit=9, filter="knowledge")).hits
        assert {hit.kind for hit in notes if "Tuesday" in hit.text} == {"fact", "summary"}
        assert undated(notes, "Tuesday") == [] and not any(hit.is_message for hit in notes)
        assert {hit.until for hit in [*hits, *notes] if hit.text == "The cat Tom likes tuna"} == {
            None
        }
        told = {id_ for hit in hits for id_ in hit.message_ids if "Wednesday" in hit.text}
        others = (await memory.recall(asked, limit=9, without_messages=told)).hits
        assert not any("Wednesday" in hit.text for hit in others)


async def test_a_private_correction_is_not_shown_with_its_message(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await log_exchange(memory, "The dentist is on Tuesday at 9", "Noted.")
        said = Said("key", "terminal", "sorry, it's Wednesday", memory.clock(), privacy="sensitive")
        await memory.log.messages.begin(said)
        assert [hit.text for hit in await found(memory, "when is the dentist?")] == [
            "The dentist is on Tuesday at 9"
        ]


async def test_an_edited_fact_leads_on_the_day_of_its_message_too(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await learn_facts(memory, "My rent is 900 euros", "The rent of the garage is 40 euros")
        note = tmp_path / "vault" / "knowledge" / "biographical.md"
        note.write_text(note.read_text("utf-8").replace("900", "920"), "utf-8")
        await memory.knowledge.learn()
        hits = (await memory.recall("How much is my rent?")).hits
        assert hits[0].text == "My rent is 920 euros" and undated(hits, "900") == []
        assert all("40 euros" not in hit.text or hit.until is None for hit in hits)


@pytest.mark.parametrize(
    ("remembered", "is_replaced"),
    [
        ("I moved to Lisbon", True),
        ("Me he mudado a Lisboa", True),
        ("I moved to plan B", False),
        ("I moved to the top floor", False),
        ("I live in a world of noise", False),
    ],
)
async def test_only_another_home_replaces_the_line_about_the_home(
    tmp_path: Path, remembered: str, is_replaced: bool
) -> None:
    async with opened(tmp_path) as memory:
        await learn_facts(memory, "I live in Berlin")
        await MemoryTools(memory).save_memory(remembered, "owner")
        note = await memory.vault.read("knowledge/biographical.md")
        assert ("I live in Berlin" not in note) == is_replaced
