"""The owner's edits of facts and bullets take precedence over later batches."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path

import pytest

from memory.infra.atomic_files import NOTE_BYTES
from memory.knowledge import Decision, Proposal
from memory.log.batches import line_hash
from memory.notes import fact as facts
from memory.notes.daily_note import lines_of
from memory.text.word_forms import tomb
from memory.tools import MemoryTools
from tests.support.knowledge import (
    FactPerMessage,
    ScriptedDecisions,
    archived,
    facts_of,
    ids_of,
    learn_facts,
)
from tests.support.memories import Clock, log_exchange, opened, write

NOTE = "knowledge/biographical.md"
DAY = "memories/2026-02-12.md"


def edits(folder: Path, path: str, change: Callable[[str], str]) -> None:
    """Edit a note as the owner's editor would."""
    note = folder / "vault" / path
    before = note.read_text("utf-8")
    after = change(before)
    assert after != before
    note.write_text(after, "utf-8")


async def test_a_line_that_the_owner_changed_is_pinned_and_outranks_every_later_batch(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as memory:
        await learn_facts(memory, "My rent is 900 euros")
        [name] = ids_of(tmp_path)
        edits(tmp_path, NOTE, lambda text: text.replace("900", "920"))
        for said in ("My rent is 950 euros", "My rent is 900 euros", "My rent is 970 euros"):
            await learn_facts(memory, said)
        model = ScriptedDecisions(Decision("update", name))
        await learn_facts(memory, "The rent is lower now", decide=model)
        await learn_facts(
            memory, "No rent any more", decide=ScriptedDecisions(Decision("delete", name))
        )
        [line] = facts_of(tmp_path)
        assert line.startswith("- My rent is 920 euros (") and line.endswith(" #sam/pinned ^ID")
        assert ids_of(tmp_path) == [name] and archived(tmp_path) == []
        row = await memory.log.facts.by_id(name)
        assert row is not None and row.state == "owners"


async def test_the_old_words_of_a_changed_line_are_not_written_again(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await learn_facts(memory, "I own a cat")
        edits(tmp_path, NOTE, lambda text: text.replace("own a cat", "look after a cat"))
        model = ScriptedDecisions(Decision("add"))
        await learn_facts(memory, "I own a cat", decide=model)
        assert [row.partition(" (")[0] for row in facts_of(tmp_path)] == ["- I look after a cat"]
        assert model.asked == [], "no model is asked about what the owner has changed"


async def test_a_line_that_the_owner_changes_while_the_model_decides_is_not_superseded(
    tmp_path: Path,
) -> None:
    class Slow(ScriptedDecisions):
        async def __call__(
            self, proposals: Sequence[Proposal], since: datetime
        ) -> dict[int, Decision]:
            edits(tmp_path, NOTE, lambda text: text.replace("900", "920"))
            return await super().__call__(proposals, since)

    async with opened(tmp_path) as memory:
        await learn_facts(memory, "My rent is 900 euros")
        [name] = ids_of(tmp_path)
        await learn_facts(memory, "My rent is 950 euros", decide=Slow(Decision("update", name)))
        assert [row.partition(" (")[0] for row in facts_of(tmp_path)] == ["- My rent is 920 euros"]
        assert archived(tmp_path) == []


@pytest.mark.parametrize("change", ["#sam/pinned", "#home"])
async def test_a_mark_of_the_owners_makes_the_line_his(tmp_path: Path, change: str) -> None:
    async with opened(tmp_path) as memory:
        await learn_facts(memory, "My rent is 900 euros")
        edits(tmp_path, NOTE, lambda text: text.replace(" (updated", f" {change} (updated"))
        await learn_facts(memory, "My rent is 950 euros")
        assert "900" in facts_of(tmp_path)[0] and len(facts_of(tmp_path)) == 1


async def test_a_line_that_the_owner_wrote_himself_is_never_superseded(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await learn_facts(memory, "I own a cat")
        edits(tmp_path, NOTE, lambda text: text + "- My rent is 900 euros ^myrent\n")
        await learn_facts(memory, "My rent is 950 euros")
        assert [row.partition(" (")[0] for row in facts_of(tmp_path)] == [
            "- I own a cat",
            "- My rent is 900 euros ^ID",
        ]


async def test_a_line_that_the_owner_moved_keeps_its_sources_and_can_be_deleted(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as memory:
        await learn_facts(memory, "I own a cat")
        [name] = ids_of(tmp_path)
        old = tmp_path / "vault" / NOTE
        moved = old.rename(old.with_name("pets.md"))
        await memory.knowledge.learn()
        [row] = (await memory.log.facts.of_path("knowledge/pets.md")).values()
        assert (row.id, row.state) == (name, "sams")
        moved.write_text("# Pets\n", "utf-8")
        await learn_facts(memory, "I own a cat")
        assert facts_of(tmp_path) == facts_of(tmp_path, "pets") == []


@pytest.mark.parametrize("is_there", [False, True])
async def test_a_line_deleted_from_a_note_that_was_renamed_at_once_stays_deleted(
    tmp_path: Path, is_there: bool
) -> None:
    async with opened(tmp_path) as memory:
        await learn_facts(memory, "I own a cat", "I own a dog")
        old = tmp_path / "vault" / NOTE
        text, new = old.read_text("utf-8"), old.with_name("🐈 pets.md")
        new.write_text(re.sub(r"- I own a dog.*\n", "", text), "utf-8")
        old.unlink()
        if is_there:  # but cannot be read: the line may be in it
            old.write_bytes(b"\xff" + text.encode())
            assert (await memory.knowledge.learn()).deleted == 0
            return
        assert (await memory.knowledge.learn()).deleted == 1
        await learn_facts(memory, "I own a dog")
        assert len(facts_of(tmp_path, "🐈 pets")) == 1 and facts_of(tmp_path) == []


async def test_a_line_that_the_owner_took_out_is_not_written_again(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await learn_facts(memory, "I own a cat", "I'm vegan")
        edits(tmp_path, NOTE, lambda text: re.sub(r"- I'm vegan.*\n", "", text))
        await learn_facts(memory, "I'm vegan", "the owner is vegan", "I own a dog")
        assert [row.partition(" (")[0] for row in facts_of(tmp_path)] == [
            "- I own a cat",
            "- I own a dog",
        ]
        states = {row.state: row.text for row in (await memory.log.facts.all()).values()}
        assert states["deleted"] == ""


async def test_a_line_that_the_owner_puts_back_is_as_it_was(tmp_path: Path) -> None:
    """After a slip, or while an unfinished code fence above hid the lines below it."""
    async with opened(tmp_path) as memory:
        await learn_facts(memory, "My rent is 900 euros")
        before = (tmp_path / "vault" / NOTE).read_text("utf-8")
        edits(tmp_path, NOTE, lambda text: f"```\n{text}")
        assert (await memory.knowledge.learn()).deleted == 1
        edits(tmp_path, NOTE, lambda _: before)
        await memory.knowledge.learn()
        assert not await memory.log.forgetting.with_tombstone([tomb("My rent is 900 euros")])
        await learn_facts(memory, "My rent is 950 euros")
        [line] = facts_of(tmp_path)
        assert line.startswith("- My rent is 950 euros")


async def test_a_line_that_was_taken_out_as_he_asked_is_not_written_again(tmp_path: Path) -> None:
    from memory.tools import MemoryTools

    async with opened(tmp_path) as memory:
        await learn_facts(memory, "I own a cat", "I'm vegan")
        [_, name] = ids_of(tmp_path)
        known = await memory.knowledge.find(name)
        assert known is not None
        await MemoryTools(memory).edit_memory(NOTE, known.fact.line, "")
        await learn_facts(memory, "I'm vegan")
        assert len(facts_of(tmp_path)) == 1


async def test_a_note_that_is_missing_or_private_teaches_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await learn_facts(memory, "I own a cat")
        note = tmp_path / "vault" / NOTE
        text = note.read_text("utf-8")
        note.unlink()
        assert await memory.knowledge.learn() == type(await memory.knowledge.learn())()
        note.write_text(f"---\nprivacy: sensitive\n---\n{text}", "utf-8")
        found = await memory.knowledge.learn()
        assert (found.pinned, found.deleted) == (0, 0)
        assert await memory.knowledge.facts() == []  # no model sees it
        assert len(await memory.knowledge.facts(private=True)) == 1
        note.write_text(text, "utf-8")
        await learn_facts(memory, "I own a cat")
        assert len(facts_of(tmp_path)) == 1


async def test_a_line_without_its_id_is_the_owners_and_is_not_doubled(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await learn_facts(memory, "I own a cat")
        edits(tmp_path, NOTE, lambda text: re.sub(r" \^\w+\n", "\n", text))
        await learn_facts(memory, "I own a cat")
        assert len(facts_of(tmp_path)) == 1


async def test_a_bullet_that_the_owner_took_out_is_not_written_again(tmp_path: Path) -> None:
    clock = Clock()
    async with opened(tmp_path, clock=clock) as memory:
        await log_exchange(memory, "I own a cat", "I see.")
        await log_exchange(memory, "I own a dog", "I see.")
        await memory.summarise(FactPerMessage(), reason="asked")
        edits(tmp_path, DAY, lambda text: text.replace("- I own a dog\n", ""))
        await memory.vault.edit(DAY, lambda text: text + "- Note: by a tool\n", cause="test")
        clock.forward(hours=1)
        await log_exchange(memory, "I own a dog", "I see.")
        await log_exchange(memory, "I own a cow", "I see.")
        [written] = await memory.summarise(FactPerMessage(), reason="asked")
        text = (tmp_path / "vault" / DAY).read_text("utf-8")
        assert lines_of(text)[written.batch] == ("I own a cow",)
        assert "I own a dog" not in text
        assert await memory.log.forgetting.with_tombstone(["I own a dog"]) == {"I own a dog"}


async def test_retiring_a_fact_archives_it_and_keeps_it_out(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await learn_facts(memory, "I own a cat", "I own a dog")
        cat, dog = ids_of(tmp_path)
        gone = await memory.knowledge.retire(cat, reason="the owner forgot it")
        assert gone.fact.text == "I own a cat"
        await memory.knowledge.retire(f"^{dog}", reason="given away")
        assert facts_of(tmp_path) == [] and len(archived(tmp_path)) == 2
        assert "(reason:: the owner forgot it)" in archived(tmp_path)[0]
        await learn_facts(memory, "I own a cat", "I own a dog")
        assert facts_of(tmp_path) == []


async def test_what_a_line_says_since_the_owner_changed_it_is_of_that_day(tmp_path: Path) -> None:
    clock = Clock()
    async with opened(tmp_path, clock=clock) as memory:
        await learn_facts(memory, "My gym locker is number 118", "I'm vegan")
        clock.forward(days=9)
        edits(tmp_path, NOTE, lambda text: text.replace("118", "204"))
        edits(tmp_path, NOTE, lambda text: text.replace("I'm vegan (", "I'm vegan (tag:: a) ("))
        await memory.knowledge.learn()
        locker, vegan = facts_of(tmp_path)
        assert "204 (updated:: 2026-02-21)" in locker and "(updated:: 2026-02-12)" in vegan
        hits = (await memory.recall("What is my gym locker?")).hits
        assert "204" in hits[0].text
        [said] = [hit for hit in hits if hit.role == "user"]
        assert "118" in said.text and said.until == date(2026, 2, 21)


async def test_no_bullet_says_what_he_took_out_of_the_facts(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await learn_facts(memory, "Allergic to nuts")
        edits(tmp_path, NOTE, lambda text: text[: text.index("- Allergic")])
        edits(tmp_path, DAY, lambda text: text.replace("- Allergic to nuts\n", ""))
        await learn_facts(memory, "I am allergic to nuts", "I like tea")
        day = (tmp_path / "vault" / DAY).read_text("utf-8")
        assert "I like tea" in day and "llergic to nuts" not in day
        assert facts_of(tmp_path) == [facts_of(tmp_path)[0]] and "tea" in facts_of(tmp_path)[0]


async def test_the_day_only_links_to_what_memory_says_and_to_nothing_that_he_deleted(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as memory:
        tools = MemoryTools(memory)
        for text in ("Locker is 118", "Likes tea", "Plays chess"):
            await tools.save_memory(text, source="owner")
        edits(tmp_path, "MEMORY.md", lambda text: text.replace("118", "204"))
        edits(tmp_path, "MEMORY.md", lambda text: re.sub(r"- .*tea.*\n", "", text))
        ids = re.findall(r"\^(\w+)\n", (tmp_path / "vault/MEMORY.md").read_text("utf-8"))
        edits(
            tmp_path,
            DAY,
            lambda text: text.replace(  # as an older version wrote it
                f"Remembered [[MEMORY#^{ids[1]}]]", f"Remembered: Plays chess [[MEMORY#^{ids[1]}]]"
            ),
        )
        await memory.knowledge.maintain()
        day = (tmp_path / "vault" / DAY).read_text("utf-8")
        said = re.findall(r"- Remembered(.*)\n", day)
        assert said == [f" [[MEMORY#^{name}]]" for name in ids] and len(ids) == 2
        assert day.count("\n## ") == 2, "no heading without a line is left"
        (tmp_path / "vault" / "MEMORY.md").unlink()
        await memory.knowledge.maintain()
        assert (tmp_path / "vault" / DAY).read_text("utf-8") == day


async def test_the_days_link_follows_a_line_that_the_owner_moves_to_another_note(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as memory:
        tools = MemoryTools(memory)
        for text in ("Locker is 118", "Likes tea", "Plays chess"):
            await tools.save_memory(text, source="owner")
        rows = (tmp_path / "vault/MEMORY.md").read_text("utf-8").splitlines(keepends=True)
        locker = next(row for row in rows if "Locker" in row)
        write(tmp_path, "Things.md", f"# Things\n\n{locker}- likes tea\n")
        edits(tmp_path, "MEMORY.md", lambda text: re.sub(r"- .*(?:Locker|tea).*\n", "", text))
        await memory.knowledge.maintain()
        day = (tmp_path / "vault" / DAY).read_text("utf-8")
        name = re.search(r"\^(\w+)$", locker.strip())
        assert name is not None
        said = re.findall(r"- Remembered \[\[(\w+)#\^(\w+)\]\]\n", day)
        assert ("Things", name[1]) in said and [each[0] for each in said].count("MEMORY") == 1
        assert len(said) == 2, "the line about tea has lost its id"


@pytest.mark.parametrize("earlier_version", [False, True])
async def test_a_day_that_is_renamed_in_obsidian_makes_no_line_the_owners(
    tmp_path: Path, earlier_version: bool
) -> None:
    """Obsidian changes the links to a note that is renamed or moved."""
    async with opened(tmp_path) as memory:
        await learn_facts(memory, "My rent is 900 euros")
        [name] = ids_of(tmp_path)
        if earlier_version:  # its hash is of the line with the paths in its links
            row = await memory.log.facts.by_id(name)
            known = await memory.knowledge.find(name)
            assert row is not None and known is not None
            line = facts.render(known.fact.with_field("updated", None))
            await memory.log.facts.put([replace(row, line_hash=line_hash(line))])
            await memory.knowledge.learn()
        day = tmp_path / "vault" / DAY
        day.rename(day.with_name("2026-02-12 Rent.md"))
        edits(
            tmp_path,
            NOTE,
            lambda text: text.replace("[[memories/2026-02-12#", "[[2026-02-12 Rent#"),
        )
        assert (await memory.knowledge.learn()).pinned == 0
        await learn_facts(memory, "My rent is 950 euros")
        [line] = facts_of(tmp_path)
        assert line.startswith("- My rent is 950 euros") and "pinned" not in line


async def test_a_note_that_is_too_large_does_not_stop_the_daily_maintenance(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        for text in ("Locker is 118", "Likes tea"):
            await MemoryTools(memory).save_memory(text, source="owner")
        edits(tmp_path, "MEMORY.md", lambda text: re.sub(r"- .*118.*\n", "", text))
        write(tmp_path, "Books/whole.md", "word " * (NOTE_BYTES // 5 + 1))
        write(tmp_path, "memories/2026-02-11.md", "word " * (NOTE_BYTES // 5 + 1))
        await memory.knowledge.maintain()
        day = (tmp_path / "vault" / DAY).read_text("utf-8")
        assert day.count("Remembered [[MEMORY#^") == 1


async def test_a_bullet_that_the_owner_moves_or_puts_back_may_be_written_again(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as memory:
        await learn_facts(memory, "I own a cat", "I own a dog")
        before = (tmp_path / "vault" / DAY).read_text("utf-8")
        memory.clock.forward(days=1)  # type: ignore[attr-defined]
        await learn_facts(memory, "I own a cow")
        edits(tmp_path, DAY, lambda text: text.replace("- I own a cat\n- I own a dog\n", ""))
        edits(tmp_path, "memories/2026-02-13.md", lambda text: f"{text}\n* I own a  cat\n")
        assert (await memory.knowledge.learn()).deleted == 1
        bullets = ["I own a cat", "I own a dog", "I own a cow"]
        assert await memory.log.forgetting.with_tombstone(bullets) == {"I own a dog"}
        edits(tmp_path, DAY, lambda _: before)
        assert (await memory.knowledge.learn()).deleted == 0
        assert not await memory.log.forgetting.with_tombstone(bullets)


async def test_a_value_that_the_owner_corrects_in_a_days_file_is_that_of_the_fact(
    tmp_path: Path,
) -> None:
    clock = Clock()
    async with opened(tmp_path, clock=clock) as memory:
        await learn_facts(memory, "My rent is 900 euros", "My locker is number 118")
        clock.forward(days=1)
        edits(tmp_path, DAY, lambda text: text.replace("900", "920"))
        assert (await memory.knowledge.learn()).pinned == 1
        rent, locker = facts_of(tmp_path)
        assert rent.startswith("- My rent is 920 euros (updated:: 2026-02-13)")
        assert rent.endswith("#sam/pinned ^ID") and "118" in locker and "pinned" not in locker
        hits = (await memory.recall("How much is my rent?")).hits
        assert "920" in hits[0].text
        assert {hit.until for hit in hits if "900" in hit.text} == {date(2026, 2, 13)}
        await learn_facts(memory, "My rent is 900 euros")
        assert facts_of(tmp_path) == [rent, locker]
        edits(tmp_path, NOTE, lambda text: text.replace("920", "930"))
        assert (await memory.knowledge.learn()).pinned == 1
        assert "930" in facts_of(tmp_path)[0]
