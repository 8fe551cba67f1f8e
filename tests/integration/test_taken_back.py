"""A fact is taken back when its message is edited or forgotten; what it superseded is current."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory import Memory, MemoryTools
from memory.knowledge import Decision
from memory.knowledge.forgotten import EDITED
from memory.maintenance import ForgetChoice, edited_messages, forget_session, forget_words
from memory.trust.provenance import Provenance
from tests.support.knowledge import FactPerMessage, ScriptedDecisions, archived, facts_of, ids_of
from tests.support.memories import Clock, Died, dies_at_write, log_exchange, opened, write
from tests.support.verbatim_summaries import talk

NOTE = "knowledge/biographical.md"
OLD, NEW, NEWEST = "My rent is 900 euros", "My rent is 950 euros", "My rent is 980 euros"


def texts(rows: list[str]) -> list[str]:
    return [row[2:].partition(" (")[0] for row in rows]


async def said(memory: Memory, clock: Clock, *statements: str) -> list[int]:
    """Say each on a day and in a session of its own; return the ids of the sessions."""
    made = []
    for text in statements:
        made.append(await talk(memory, text, chat=f"telegram:{text}"))
        await memory.summarise(FactPerMessage(), reason="asked")
        await memory.knowledge.consolidate()
        clock.forward(days=1)
    return made


async def edits(memory: Memory, clock: Clock, text: str, to: str) -> None:
    rows = await memory.log.messages.recent(99)
    number = next(number for number, row in enumerate(rows) if row.text == text)
    edited = await memory.log.messages.edit(f"test:{number}", to, clock())
    assert edited is not None and edited.text == to


async def is_sams(memory: Memory, folder: Path, text: str) -> bool:
    """Return whether the only fact is that text, as Sam wrote it, with its source."""
    assert texts(facts_of(folder)) == [text]
    [name] = ids_of(folder)
    counts = await memory.knowledge.learn()
    row = await memory.log.facts.by_id(name)
    assert row is not None and row.sources
    return row.state == "sams" and not counts.pinned and not counts.deleted


async def test_what_an_edited_message_superseded_is_current_again(tmp_path: Path) -> None:
    clock = Clock()
    async with opened(tmp_path, clock=clock) as memory:
        await said(memory, clock, OLD)
        before = (tmp_path / "vault" / NOTE).read_text("utf-8")
        await said(memory, clock, NEW)
        await edits(memory, clock, NEW, "The weather is nice")
        assert await edited_messages.revert_outdated(memory) == 1
        assert (tmp_path / "vault" / NOTE).read_text("utf-8") == before
        [gone] = archived(tmp_path)
        assert NEW in gone and EDITED in gone and "[[archive" not in gone, "no link leads nowhere"
        assert await is_sams(memory, tmp_path, OLD)
        await said(memory, clock, NEWEST)
        assert texts(facts_of(tmp_path))[0] == NEWEST, "it may be superseded as before"


@pytest.mark.parametrize("killed", [1, 2, 3])
@pytest.mark.parametrize("learns", [True, False])
async def test_killed_at_any_write_it_is_done_by_the_next_try(
    tmp_path: Path, killed: int, learns: bool
) -> None:
    clock = Clock()
    async with opened(tmp_path, clock=clock) as memory:
        await said(memory, clock, OLD, NEW)
        await edits(memory, clock, NEW, "The weather is nice")
    async with opened(tmp_path, clock=clock) as memory:
        dies_at_write(memory, killed)
        with pytest.raises(Died):
            await edited_messages.revert_outdated(memory)
    async with opened(tmp_path, clock=clock) as memory:
        if learns:
            await memory.knowledge.learn()
        await edited_messages.revert_outdated(memory)
        assert await is_sams(memory, tmp_path, OLD)
        assert texts(archived(tmp_path)) == [NEW]


async def test_a_bullet_that_the_owner_deleted_does_not_return_with_an_edited_message(
    tmp_path: Path,
) -> None:
    clock, day = Clock(), "memories/2026-02-12.md"
    async with opened(tmp_path, clock=clock) as memory:
        for text in ("I'm vegan", "I like cilantro", "I hate rain"):
            await log_exchange(memory, text, "I see.")
        await memory.summarise(FactPerMessage(), reason="asked")
        text = (tmp_path / "vault" / day).read_text("utf-8")
        text = text.replace("- I'm vegan\n", "").replace("- I hate rain\n", "")
        write(tmp_path, day, f"{text}\n## Weather\n\n- I hate rain\n")
        await memory.log.messages.edit("test:2", "I hate coriander", clock())
        assert await edited_messages.revert_outdated(memory) == 1
        await memory.summarise(FactPerMessage(), reason="asked")
        text = (tmp_path / "vault" / day).read_text("utf-8")
        assert "vegan" not in text and "- I hate coriander\n" in text
        assert text.count("- I hate rain\n") == 2, "that one has only been moved"


async def test_a_days_file_that_cannot_be_read_holds_up_no_other_edited_message(
    tmp_path: Path,
) -> None:
    clock, folder = Clock(), tmp_path / "vault" / "memories"
    async with opened(tmp_path, clock=clock) as memory:
        await log_exchange(memory, "I like cilantro", "I see.")
        clock.forward(days=1)
        await log_exchange(memory, "I hate rain", "I see.")
        await memory.summarise(FactPerMessage(), reason="asked")
        await memory.log.messages.edit("test:0", "I hate coriander", clock())
        await memory.log.messages.edit("test:2", "I hate snow", clock())
        first = folder / "2026-02-12.md"
        text = first.read_text("utf-8")
        first.write_text("a long line\n" * 500_000, "utf-8")
        assert await edited_messages.revert_outdated(memory) == 1
        await memory.summarise(FactPerMessage(), reason="asked")
        assert "I hate snow" in (folder / "2026-02-13.md").read_text("utf-8")
        first.write_text(text, "utf-8")
        assert await edited_messages.revert_outdated(memory) == 1, "it is tried again"
        await memory.summarise(FactPerMessage(), reason="asked")
        text = first.read_text("utf-8")
        assert "- I hate coriander\n" in text and "cilantro" not in text


async def test_bullets_of_an_edit_that_was_killed_are_not_deleted_by_the_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def dies(batch: str) -> None:
        raise Died

    clock = Clock()
    async with opened(tmp_path, clock=clock) as memory:
        await log_exchange(memory, "I'm vegan", "I see.")
        await log_exchange(memory, "I like cilantro", "I see.")
        await memory.summarise(FactPerMessage(), reason="asked")
        await memory.log.messages.edit("test:2", "I hate coriander", clock())
        with monkeypatch.context() as killed:
            killed.setattr(memory.log.forgetting, "summarise_again", dies)
            with pytest.raises(Died):
                await edited_messages.revert_outdated(memory)
    async with opened(tmp_path, clock=clock) as memory:
        assert (await memory.knowledge.learn()).deleted == 0
        assert await edited_messages.revert_outdated(memory) == 1
        await memory.summarise(FactPerMessage(), reason="asked")
        text = (tmp_path / "vault" / "memories" / "2026-02-12.md").read_text("utf-8")
        assert "- I'm vegan\n- I hate coriander\n" in text


async def test_what_a_forgotten_session_superseded_is_current_again(tmp_path: Path) -> None:
    clock = Clock()
    async with opened(tmp_path, clock=clock) as memory:
        _, second = await said(memory, clock, OLD, NEW)
        await forget_session.forget(memory, second)
        assert await is_sams(memory, tmp_path, OLD)
        assert archived(tmp_path) == []
        assert "950" not in (tmp_path / "vault" / NOTE).read_text("utf-8")


@pytest.mark.parametrize("killed", [1, 2, 3, 4])
async def test_killed_at_any_write_forgetting_is_done_by_the_next_try(
    tmp_path: Path, killed: int
) -> None:
    clock = Clock()
    async with opened(tmp_path, clock=clock) as memory:
        _, second = await said(memory, clock, OLD, NEW)
    async with opened(tmp_path, clock=clock) as memory:
        dies_at_write(memory, killed)
        with pytest.raises(Died):
            await forget_session.forget(memory, second)
    async with opened(tmp_path, clock=clock) as memory:
        await memory.knowledge.learn()
        await forget_session.forget(memory, second)
        assert await is_sams(memory, tmp_path, OLD)
        assert archived(tmp_path) == []


@pytest.mark.parametrize("together", [True, False])
async def test_what_is_edited_itself_does_not_return(tmp_path: Path, together: bool) -> None:
    clock = Clock()
    async with opened(tmp_path, clock=clock) as memory:
        await said(memory, clock, OLD, NEW, NEWEST)
        await edits(memory, clock, NEW, "The weather is nice")
        if not together:
            await edited_messages.revert_outdated(memory)
            assert texts(facts_of(tmp_path)) == [NEWEST]
        await edits(memory, clock, NEWEST, "The weather is bad")
        await edited_messages.revert_outdated(memory)
        assert await is_sams(memory, tmp_path, OLD)
        assert sorted(texts(archived(tmp_path))) == [NEW, NEWEST]


@pytest.mark.parametrize("case", ["changed", "deleted", "said again", "retired"])
async def test_what_the_owner_has_changed_since_stays_in_the_archive(
    tmp_path: Path, case: str
) -> None:
    clock = Clock()
    async with opened(tmp_path, clock=clock) as memory:
        await said(memory, clock, OLD, NEW)
        archive = f"archive/{NOTE}"
        text = (tmp_path / "vault" / archive).read_text("utf-8")
        if case == "changed":
            write(tmp_path, archive, text.replace("900", "905"))
        elif case == "deleted":
            kept = [row for row in text.splitlines() if "900" not in row]
            write(tmp_path, archive, "\n".join(kept))
        elif case == "said again":
            write(tmp_path, "knowledge/mine.md", f"- {OLD}\n")
        else:
            await memory.knowledge.retire(ids_of(tmp_path)[0], reason="the owner says so")
        await edits(memory, clock, NEW, "The weather is nice")
        await edited_messages.revert_outdated(memory)
        assert facts_of(tmp_path) == []


async def test_undoing_it_brings_the_newer_line_back(tmp_path: Path) -> None:
    clock = Clock()
    async with opened(tmp_path, clock=clock) as memory:
        await said(memory, clock, OLD, NEW)
        notes = [tmp_path / "vault" / path for path in (NOTE, f"archive/{NOTE}")]
        before = [each.read_text("utf-8") for each in notes]
        await edits(memory, clock, NEW, "The weather is nice")
        await edited_messages.revert_outdated(memory)
        change = next(
            each
            for each in await memory.history.changes()
            if any(edit.path == NOTE for edit in each.edits)
        )
        await memory.history.undo(change.key)
        assert [each.read_text("utf-8") for each in notes] == before
        assert await is_sams(memory, tmp_path, NEW)


@pytest.mark.usefixtures("engine")
async def test_a_fact_that_was_saved_at_once_goes_when_its_message_is_edited_before_a_summary(
    tmp_path: Path,
) -> None:
    clock = Clock()
    async with opened(tmp_path, clock=clock) as memory:
        await said(memory, clock, "My gym is in Bonn")
        turn = await log_exchange(memory, "I am allergic to nuts")
        tools = MemoryTools(memory, seen=Provenance.of([], [turn.message]))
        await tools.save_memory("Allergic to nuts", kind="biographical")
        assert "Allergic to nuts" in texts(facts_of(tmp_path))
        await edits(memory, clock, "I am allergic to nuts", "I am allergic to cats")
        assert await edited_messages.revert_outdated(memory) == 0, "nothing is summarised again"
        assert texts(facts_of(tmp_path)) == ["My gym is in Bonn"]
        assert not await memory.log.messages.outdated()
        [message] = await memory.log.messages.by_ids([turn.message.id])
        assert message.state == "pending"
        assert not (await memory.log.ledger()).wrong


async def ends(memory: Memory, clock: Clock, text: str) -> int:
    """Say on a day of its own that the only fact is over; return the id of the session."""
    [known] = await memory.knowledge.facts()
    session = await talk(memory, text, chat=f"telegram:{text}")
    await memory.summarise(FactPerMessage(), reason="asked")
    await memory.knowledge.consolidate(ScriptedDecisions(Decision("delete", known.fact.id)))
    clock.forward(days=1)
    return session


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("by", ["edit", "forget"])
async def test_what_an_edited_or_forgotten_message_ended_is_current_again(
    tmp_path: Path, by: str
) -> None:
    clock, over = Clock(), "I no longer have a cat"
    async with opened(tmp_path, clock=clock) as memory:
        await said(memory, clock, "I have a cat")
        before = (tmp_path / "vault" / NOTE).read_text("utf-8")
        session = await ends(memory, clock, over)
        assert facts_of(tmp_path) == [] and len(archived(tmp_path)) == 1
        if by == "edit":
            await edits(memory, clock, over, "I no longer have a cold")
            assert await edited_messages.revert_outdated(memory) == 1
        else:
            await forget_session.forget(memory, session)
        assert (tmp_path / "vault" / NOTE).read_text("utf-8") == before
        assert archived(tmp_path) == []
        assert await is_sams(memory, tmp_path, "I have a cat")
        await ends(memory, clock, "My cat died, so I have no cat")
        await edited_messages.revert_outdated(memory)
        assert "I have a cat" not in texts(facts_of(tmp_path)), "it ended again"


async def test_what_was_ended_does_not_return_beside_a_line_that_says_the_same(
    tmp_path: Path,
) -> None:
    clock, over = Clock(), "I no longer have a cat"
    async with opened(tmp_path, clock=clock) as memory:
        await said(memory, clock, "I have a cat")
        await ends(memory, clock, over)
        write(tmp_path, "knowledge/mine.md", "- I have a cat\n")
        await edits(memory, clock, over, "I no longer have a cold")
        await edited_messages.revert_outdated(memory)
        assert facts_of(tmp_path) == [], "a line of the owner's says the same"


async def remembers(memory: Memory, text: str) -> None:
    seen = Provenance(own_this_turn=[text], own=[text], shown=[text], asked=[1])
    await MemoryTools(memory, seen=seen).save_memory(text, source="owner")


async def forgets(memory: Memory, text: str) -> None:
    items = (await forget_words.find_kept(memory, text)).items
    chosen = [each for each in items if text in each.text]
    assert chosen
    await forget_words.forget(memory, ForgetChoice.of(chosen))


async def test_what_a_forgotten_line_of_memory_md_replaced_is_current_again(tmp_path: Path) -> None:
    clock = Clock()
    async with opened(tmp_path, clock=clock) as memory:
        await said(memory, clock, OLD)
        before = (tmp_path / "vault" / NOTE).read_text("utf-8")
        await remembers(memory, NEW)
        clock.forward(days=1)
        await remembers(memory, NEWEST)
        assert facts_of(tmp_path) == [] and "950" not in await memory.vault.read("MEMORY.md")
        await forgets(memory, NEWEST)
        text = await memory.vault.read("MEMORY.md")
        assert f"- 2026-02-13: {NEW} ^" in text and "980" not in text
        assert facts_of(tmp_path) == []
        await forgets(memory, NEW)
        assert "950" not in await memory.vault.read("MEMORY.md")
        assert (tmp_path / "vault" / NOTE).read_text("utf-8") == before
        assert archived(tmp_path) == []
        assert await is_sams(memory, tmp_path, OLD)


async def test_what_was_replaced_twice_does_not_return_while_the_newest_line_stands(
    tmp_path: Path,
) -> None:
    clock = Clock()
    async with opened(tmp_path, clock=clock) as memory:
        await said(memory, clock, OLD)
        await remembers(memory, NEW)
        await remembers(memory, NEWEST)
        await forgets(memory, NEW)
        assert facts_of(tmp_path) == []
        assert NEWEST in await memory.vault.read("MEMORY.md")


@pytest.mark.parametrize("killed", [1, 2, 3])
async def test_killed_at_any_write_what_a_forgotten_line_replaced_returns_by_the_next_try(
    tmp_path: Path, killed: int
) -> None:
    clock = Clock()
    async with opened(tmp_path, clock=clock) as memory:
        await said(memory, clock, OLD)
        await remembers(memory, NEW)
    async with opened(tmp_path, clock=clock) as memory:
        dies_at_write(memory, killed)
        with pytest.raises(Died):
            await forgets(memory, NEW)
    async with opened(tmp_path, clock=clock) as memory:
        await memory.knowledge.learn()
        await forgets(memory, NEW)
        assert await is_sams(memory, tmp_path, OLD)
        assert archived(tmp_path) == []
