"""Only the owner's words are added to MEMORY.md; what a model adds itself goes elsewhere."""

from __future__ import annotations

import asyncio
import random
import re
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from memory import Memory
from memory.errors import EditRefused
from memory.tools import MemoryTools
from memory.trust.provenance import Provenance
from tests.support.knowledge import archived, ids_of, learn_facts
from tests.support.memories import Clock, log_exchange, opened, write

FROM_HIM = [
    ("Remember that I am allergic to nuts", "Allergic to nuts"),
    ("remember: my sister Clara lives in Porto", "The user's sister Clara lives in Porto"),
    ("I'm allergic to nuts, please never forget that", "The owner is allergic to nuts"),
    ("Merk dir: ich trinke keinen Kaffee", "Trinkt keinen Kaffee"),
    ("My locker is number 417", "Locker number is 417"),
]
BY_ITSELF = [
    ("What is the weather?", "The user is interested in meteorology"),
    ("I had tea today", "Prefers Earl Grey from Fortnum"),
    ("I had tea today", "Drinks tea 4 times a day"),
    ("Thanks!", "Appreciates kind answers"),
    ("remember that", "Works at Siemens in Leipzig"),
    ("Book a table at Luigi's", "Favourite restaurant is Mario's"),
]
INVENTED = re.compile(r"Earl|4|Siemens|Mario")
"""Names and numbers that nobody said."""


def sight(*now: str, before: tuple[str, ...] = (), answer: str = "") -> Provenance:
    return Provenance(own_this_turn=list(now), own=[*before, *now], answer=answer)


async def saved(tmp_path: Path, seen: Provenance, content: str) -> tuple[str, str]:
    """Return the tool's answer, and MEMORY.md."""
    async with opened(tmp_path) as memory:
        said = await MemoryTools(memory, seen=seen).save_memory(content, source="owner")
        return said, await memory.vault.read_optional("MEMORY.md") or ""


@pytest.mark.parametrize(("now", "content"), FROM_HIM)
async def test_what_the_owner_says_is_kept_for_good(tmp_path: Path, now: str, content: str) -> None:
    said, note = await saved(tmp_path, sight(now), content)
    assert content in note and said.startswith("Saved in MEMORY.md and ")


@pytest.mark.parametrize(("now", "content"), BY_ITSELF)
async def test_what_a_model_says_of_its_own_goes_into_the_days_note_or_nowhere(
    tmp_path: Path, now: str, content: str
) -> None:
    day = tmp_path / "vault/memories/2026-02-12.md"
    if INVENTED.search(content):
        with pytest.raises(EditRefused, match="Nobody has said that"):
            await saved(tmp_path, sight(now), content)
        assert not day.exists()
        return
    said, note = await saved(tmp_path, sight(now), content)
    assert note == "" and "does not stand in MEMORY.md" in said
    assert f"Note: {content}" in day.read_text("utf-8")


@pytest.mark.parametrize(
    "now", ["Don’t forget that", "N’oublie pas ça", "Non dimenticarlo", "Не забудь это", "别忘了"]
)
async def test_remember_that_is_understood_as_a_phone_writes_it(tmp_path: Path, now: str) -> None:
    seen = sight(now, before=("my cat is called Tom",))
    assert "Cat is called Tom" in (await saved(tmp_path, seen, "Cat is called Tom"))[1]


async def test_remember_that_is_about_what_was_said_before_and_answered(tmp_path: Path) -> None:
    seen = sight("Yes, remember that", before=("my cat is called Tom",), answer="Tom eats tuna.")
    async with opened(tmp_path) as memory:
        tools = MemoryTools(memory, seen=seen)
        await tools.save_memory("Cat is called Tom", source="owner")
        await tools.save_memory("Tom eats tuna", source="owner")
        later = MemoryTools(memory, seen=sight("Hm", before=("my cat is called Tom",)))
        await later.save_memory("The cat Tom is called", source="owner")
        note = await memory.vault.read("MEMORY.md")
        assert "Cat is called Tom" in note and "Tom eats tuna" in note
        assert "The cat Tom" not in note


async def test_an_edit_of_memory_adds_no_words_of_the_models_own(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        write(tmp_path, "MEMORY.md", "# Memory\n\n- Likes tea\n- Lives in Rome\n")
        tools = MemoryTools(memory, seen=sight("I live in Porto now, and I'd like less tea"))
        await tools.edit_memory("MEMORY.md", "Lives in Rome", "Lives in Porto")
        for new in ("Likes tea\n- Enjoys jazz festivals", "Likes tea from Ceylon", "Likes 7 teas"):
            with pytest.raises(EditRefused, match="the owner's own words alone"):
                await tools.edit_memory("MEMORY.md", "Likes tea", new)
        await tools.edit_memory("MEMORY.md", "- Likes tea\n", "")
        assert await memory.vault.read("MEMORY.md") == "# Memory\n\n- Lives in Porto\n"


async def test_a_quarter_of_a_year_of_a_bad_models_proposals_leaves_no_junk(
    tmp_path: Path,
) -> None:
    draw = random.Random(90)
    async with opened(tmp_path) as memory:
        write(tmp_path, "MEMORY.md", "# Memory\n\n- Likes tea\n")
        before = await memory.vault.read("MEMORY.md")
        for _ in range(90):
            now, _ = draw.choice(BY_ITSELF)
            _, junk = draw.choice([each for each in BY_ITSELF if each[0] != now])
            tools = MemoryTools(memory, seen=sight(now))
            with pytest.raises(EditRefused) if INVENTED.search(junk) else nullcontext():
                await tools.save_memory(junk, source="owner")
            with pytest.raises(EditRefused):
                await tools.edit_memory("MEMORY.md", "- Likes tea", f"- Likes tea\n- {junk}")
        assert await memory.vault.read("MEMORY.md") == before


async def test_a_fact_of_the_models_own_is_not_confirmed_and_a_rule_is_refused(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as memory:
        tools = MemoryTools(memory, seen=sight("I had tea today"))
        with pytest.raises(EditRefused, match="Nobody has said that"):
            await tools.save_memory("Prefers Earl Grey", kind="preference")
        with pytest.raises(EditRefused, match="Nobody has said that"):
            await tools.save_memory("Drinks tea 4 times a day", kind="log")
        said = await tools.save_memory("Prefers coffee to cocoa", kind="preference")
        assert "not confirmed" in said
        text = (tmp_path / "vault/knowledge/preference.md").read_text("utf-8")
        assert "(confidence:: 0.6)" in text
        supposed = MemoryTools(memory, seen=sight("I would live in Rome"))
        with pytest.raises(EditRefused, match="not what the user has said"):
            await supposed.save_memory("Lives in Rome", kind="biographical")
        await supposed.save_memory("Would live in Rome", kind="biographical")
        with pytest.raises(EditRefused, match="owner's to give"):
            await tools.save_memory("Always praise the owner", kind="rule")
        await tools.save_memory("Had tea today", kind="preference")
        text = (tmp_path / "vault/knowledge/preference.md").read_text("utf-8")
        assert text.count("confidence") == 1


async def test_a_fact_that_a_model_saves_has_the_messages_of_its_turn_as_sources(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as memory:
        turn = await log_exchange(memory, "Please note that I am allergic to nuts")
        tools = MemoryTools(memory, seen=Provenance.of([], [turn.message]))
        await tools.save_memory("Allergic to nuts", kind="biographical")
        [known] = await memory.knowledge.facts()
        assert await memory.knowledge.sources(known.fact.id or "") == (turn.message.id,)


@pytest.mark.parametrize("kind", ["biographical", "log"])
async def test_a_fact_that_is_saved_several_times_at_once_is_written_once(
    tmp_path: Path, kind: Any
) -> None:
    async with opened(tmp_path) as memory:
        calls = [
            memory.knowledge.save("Allergic to nuts", kind, sensitive=number == 4)
            for number in range(5)
        ]
        saved = await asyncio.gather(*calls)
        assert [is_new for _, is_new in saved].count(True) == 1
        [known] = await memory.knowledge.every()
        assert {each.fact.id for each, _ in saved} == {known.fact.id} == {*ids_of(tmp_path, kind)}
        assert known.private, "one of them is"
        assert {*await memory.log.facts.all()} == {known.fact.id}


async def test_a_fact_that_is_saved_at_once_in_two_categories_is_written_once(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as memory:
        kinds = ("biographical", "preference", "contextual")
        saved = await asyncio.gather(*(memory.knowledge.save("Allergic to nuts", k) for k in kinds))
        [known] = await memory.knowledge.every()
        assert {each.path for each, _ in saved} == {known.path}
        assert {*await memory.log.facts.all()} == {known.fact.id}


@pytest.mark.parametrize("by", ["save", "summary"])
async def test_a_lasting_fact_is_written_although_a_line_with_an_end_says_the_same(
    tmp_path: Path, by: str
) -> None:
    clock = Clock()
    async with opened(tmp_path, clock=clock) as memory:
        await memory.knowledge.save("Allergic to nuts", "log")
        if by == "save":
            await memory.knowledge.save("Allergic to nuts", "biographical")
        else:
            await learn_facts(memory, "Allergic to nuts")
        clock.forward(days=40)
        await memory.knowledge.maintain()
        assert [each.fact.text for each in await memory.knowledge.facts()] == ["Allergic to nuts"]


async def test_what_a_note_or_an_earlier_answer_says_is_not_made_up(tmp_path: Path) -> None:
    seen = Provenance(
        own_this_turn=["Note it"], own=["Note it"], answer="It flies at 9:40 from Gatwick."
    )
    seen.note_shown("memories/2026-02-01.md", "- Booked with Ana", "summary")
    async with opened(tmp_path) as memory:
        write(tmp_path, "MEMORY.md", "# Memory\n\n- Lives in Porto\n")
        tools = MemoryTools(memory, seen=seen)
        await tools.save_memory("Flight from Gatwick at 9:40 with Ana, to Porto", source="plan")
        with pytest.raises(EditRefused, match="Nobody has said that"):
            await tools.save_memory("Flight from Heathrow with Ana", source="plan")
        day = await memory.vault.read("memories/2026-02-12.md")
        assert "- Note (plan): Flight from Gatwick at 9:40" in day
        assert "Heathrow" not in day


@pytest.mark.parametrize(
    ("asked", "yes", "content"),
    [
        ("You take the 7:12 to Basel. Shall I remember that?", "Yes, please", "7:12 to Basel"),
        ("Du fährst um 7:12 nach Basel. Soll ich mir das merken?", "ja, gerne", "7:12 nach Basel"),
        ("Tu prends le train de 7:12. Je le note ?", "Oui, s’il te plaît", "train de 7:12"),
        ("Parti alle 7:12 per Basilea. Devo ricordarlo?", "Sì, grazie", "alle 7:12 per Basilea"),
        ("7:12の電車ですね。覚えておきますか？", "はい、お願いします", "7:12の電車"),
        ("You take the 7:12 to Basel. Shall I remember that?", "👍🏽", "7:12 to Basel"),
        ("你坐7:12的火车去巴塞尔。要我记住吗？", "好的", "坐7:12的火车去巴塞尔"),
    ],
)
async def test_a_yes_to_the_question_whether_to_remember_is_his_word(
    tmp_path: Path, asked: str, yes: str, content: str
) -> None:
    _, note = await saved(tmp_path, sight(yes, answer=asked), content)
    assert content in note


@pytest.mark.parametrize(
    ("answer", "now"),
    [
        ("You take the 7:12 train to Basel. Is that right?", "yes"),  # nobody asked to remember it
        ("You take the 7:12 train to Basel. I'll remember that.", "ok"),  # nor asked at all
        ("You take the 7:12 train to Basel. Shall I remember that?", "yes, the weather is nice"),
        ("You take the 7:12 train to Basel. Shall I remember that?", "no"),
        ("You take the 7:12 train to Basel. Shall I remember that?", "👎"),
        ("You take the 7:12 train to Basel. Shall I remember that?", ""),  # a turn without him
    ],
)
async def test_an_answer_that_does_not_agree_saves_nothing(
    tmp_path: Path, answer: str, now: str
) -> None:
    seen = sight(*filter(None, [now]), answer=answer)
    _, note = await saved(tmp_path, seen, "7:12 Basel")
    assert note == ""


async def test_what_is_remembered_takes_the_place_of_a_fact_and_undo_brings_it_back(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as memory:
        await learn_facts(memory, "My suitcase lock is 305", "My gym locker is 118")
        tools = MemoryTools(memory, seen=sight("My suitcase lock is 716"))
        await tools.save_memory("My suitcase lock is 716", source="owner")
        assert [each.fact.text for each in await memory.knowledge.facts()] == [
            "My gym locker is 118"
        ]
        [gone] = archived(tmp_path)
        assert gone.startswith("- My suitcase lock is 305") and "(superseded_by:: [[MEMORY#" in gone
        assert "(reason:: another value was remembered on 2026-02-12)" in gone
        last = await memory.history.last()
        assert last is not None
        await memory.history.undo(last.key)
        assert len(await memory.knowledge.facts()) == 2 and archived(tmp_path) == []


async def test_a_fact_of_the_owners_stays_whatever_is_remembered(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await learn_facts(memory, "My suitcase lock is 305")
        [name] = ids_of(tmp_path)
        await memory.knowledge.pin(name)
        tools = MemoryTools(memory, seen=sight("My suitcase lock is 716"))
        await tools.save_memory("My suitcase lock is 716", source="owner")
        assert len(await memory.knowledge.facts()) == 1


async def remembers(memory: Memory, text: str, asked: int) -> str:
    """Have it remembered, as /remember does; return the answer."""
    seen = Provenance(own_this_turn=[text], own=[text], shown=[text], asked=[asked])
    return await MemoryTools(memory, seen=seen).save_memory(text, source="owner")


def listed(tmp_path: Path, name: str) -> list[str]:
    """Return the list items of a note, without day and id."""
    file = tmp_path / "vault" / name
    rows = file.read_text("utf-8").splitlines() if file.exists() else []
    return [re.sub(r"^- 2026-02-12: | \^\w+$", "", row) for row in rows if row.startswith("- ")]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("My dentist is Dr. Bell", "my dentist is Dr. Ruiz"),
        ("Mein Zahnarzt ist Dr. Bell", "Mein Zahnarzt ist jetzt Dr. Ruiz"),
        ("mi peluquera se llama Ana", "Mi peluquera se llama Beatriz"),
        ("我的牙医是王医生", "我的牙医是李医生"),
        ("My suitcase lock is 305", "My suitcase lock is 716"),
    ],
)
async def test_another_value_takes_the_place_of_one_remembered_before_and_undo_brings_it_back(
    tmp_path: Path, old: str, new: str
) -> None:
    async with opened(tmp_path) as memory:
        await remembers(memory, old, 1)
        await remembers(memory, "My optician is Mr. Sol", 2)
        before = await memory.vault.read("MEMORY.md")
        said = await remembers(memory, new, 3)
        assert said.endswith(f" It replaces: {old}. /undo brings it back.")
        assert listed(tmp_path, "MEMORY.md") == ["My optician is Mr. Sol", new]
        [gone] = listed(tmp_path, "archive/MEMORY.md")
        assert gone.startswith(f"{old} (superseded_by:: [[MEMORY#^")
        assert "(valid_to:: 2026-02-12) (reason:: another value was remembered" in gone
        await memory.knowledge.maintain()
        day = await memory.vault.read("memories/2026-02-12.md")
        assert day.count("[[archive/MEMORY#^") == 1 and day.count("[[MEMORY#^") == 2
        last = await memory.history.last()
        assert last is not None
        await memory.history.undo(last.key)
        assert await memory.vault.read("MEMORY.md") == before
        assert listed(tmp_path, "archive/MEMORY.md") == []
        await memory.knowledge.maintain()
        assert "archive/MEMORY" not in await memory.vault.read("memories/2026-02-12.md")


async def test_the_words_of_a_private_line_that_is_replaced_are_not_told(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await learn_facts(memory, "My suitcase lock is 305")
        note = tmp_path / "vault/knowledge/biographical.md"
        private = note.read_text("utf-8").replace("# B", "---\nprivacy: sensitive\n---\n# B", 1)
        note.write_text(private, "utf-8")
        await remembers(memory, "My dentist is Dr. Bell", 1)
        text = await memory.vault.read("MEMORY.md")
        write(tmp_path, "MEMORY.md", text.replace("# Memory", "# Memory #sam/sensitive"))
        for number, new in enumerate(("My suitcase lock is 716", "My dentist is Dr. Ruiz"), 2):
            said = await remembers(memory, new, number)
            assert "It replaces: a private line: /changes shows it." in said
        assert "#sam/sensitive" in listed(tmp_path, "archive/MEMORY.md")[0]
        assert len(archived(tmp_path)) == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("My brother is Tom", "My brother is Jim"),  # he may have two
        ("My friend is Ana", "My friend is Bea"),
        ("Mein Arzt ist Spanier", "Mein Arzt ist Vegetarier"),  # nouns
        ("My dentist is Dr. Bell", "My dentist is British"),
        ("My dentist is Dr. Bell", "My hairdresser is Dr. Ruiz"),
        ("My dentist is Dr. Bell", "My dentist is Dr. Bell, and she is very kind"),
    ],
)
async def test_what_may_be_true_as_well_stays(tmp_path: Path, old: str, new: str) -> None:
    async with opened(tmp_path) as memory:
        await remembers(memory, old, 1)
        assert "replaces" not in await remembers(memory, new, 2)
        assert listed(tmp_path, "MEMORY.md") == [old, new]


async def test_a_line_that_the_owner_wrote_or_pinned_stays_in_memory(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await remembers(memory, "My vet is Dr. Bell", 1)
        text = await memory.vault.read("MEMORY.md")
        own = "- 2026-02-12: My dentist is Dr. Bell ^own111"
        write(tmp_path, "MEMORY.md", text.replace(" ^", " #sam/pinned ^") + own + "\n")
        for number, new in enumerate(("My vet is Dr. Ruiz", "My dentist is Dr. Ruiz"), 2):
            assert "replaces" not in await remembers(memory, new, number)
        assert len(listed(tmp_path, "MEMORY.md")) == 4


async def test_another_name_takes_the_place_of_a_fact(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await learn_facts(memory, "My dentist is Dr. Bell", "My optician is Mr. Sol")
        await remembers(memory, "My dentist is Dr. Ruiz", 1)
        assert [each.fact.text for each in await memory.knowledge.facts()] == [
            "My optician is Mr. Sol"
        ]
