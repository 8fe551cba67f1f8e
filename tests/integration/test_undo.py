"""/undo reverts Sam's changes byte for byte, and keeps what the owner wrote since."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from memory.core import Memory
from memory.errors import EditRefused
from memory.history import history
from memory.knowledge import Decision
from memory.maintenance import ForgetChoice, forget_words, traces
from memory.tools import MemoryTools
from memory.vault import edit_group
from tests.support.knowledge import ScriptedDecisions, archived, facts_of, ids_of, learn_facts
from tests.support.memories import Clock, opened, write


def notes_of(folder: Path) -> dict[str, bytes]:
    """Return every file of the vault: path → bytes."""
    root = folder / "vault"
    return {
        file.relative_to(root).as_posix(): file.read_bytes()
        for file in sorted(root.rglob("*"))
        if file.is_file()
    }


async def found(memory: Memory, *questions: str) -> list[object]:
    """Return what recall finds, in order. Scores are left out: they also depend on messages, which
    no undo removes."""
    await memory.reconcile()
    recalled = [await memory.recall(each, filter="knowledge", every=True) for each in questions]
    return [[(hit.path, hit.text) for hit in each.hits] for each in recalled]


async def undo_last(memory: Memory) -> None:
    last = await memory.history.last()
    assert last is not None
    await memory.history.undo(last.key)


async def test_as_many_undos_as_changes_leave_the_same_bytes_and_the_same_results(
    tmp_path: Path,
) -> None:
    asked = ("rent", "tea", "plants", "cat")
    write(tmp_path, "Ideas.md", "# Ideas\r\n\r\n- a rent diary\r\n- water the plants\r\n")
    async with opened(tmp_path, clock=(clock := Clock())) as memory:
        tools = MemoryTools(memory, now=clock)
        states = [(notes_of(tmp_path), await found(memory, *asked))]
        chance = random.Random(7)

        async def tick() -> None:
            clock.forward(minutes=7)
            states.append((notes_of(tmp_path), await found(memory, *asked)))

        await learn_facts(memory, "My rent is 900 euros", "I own a cat")
        await tick()
        for number in range(12):
            match chance.randrange(4):
                case 0:
                    await tools.save_memory(f"Ana likes tea number {number}", source="owner")
                case 1:
                    await tools.manage_tasks("add", f"water plants {number}", due="2026-03-01")
                case 2:
                    await learn_facts(memory, f"My rent is {number}00 euros")
                case 3:
                    await tools.edit_memory("Ideas.md", "- a rent", f"- {number}\n- a rent")
            await tick()
        await memory.knowledge.retire(ids_of(tmp_path)[0], reason="wrong")
        await tick()
        while states:
            files, results = states.pop()
            assert notes_of(tmp_path) == files
            assert await found(memory, *asked) == results
            if states:
                await undo_last(memory)
        assert await memory.history.last() is None


RENT = ("My rent is 900 euros", "I own a cat called Tom")


def decides(old: str) -> ScriptedDecisions:
    """Let whatever comes next supersede that fact."""
    return ScriptedDecisions(Decision("update", old))


async def test_a_superseded_fact_comes_back_and_the_next_batch_does_not_write_it_again(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, clock=(clock := Clock())) as memory:
        await learn_facts(memory, *RENT)
        [rent, cat] = ids_of(tmp_path)
        clock.forward(days=1)
        await learn_facts(memory, "My rent is 950 euros", decide=decides(rent))
        assert [row.split(" (")[0] for row in archived(tmp_path)] == ["- My rent is 900 euros"]
        new = next(id_ for id_ in ids_of(tmp_path) if id_ not in (rent, cat))
        await undo_last(memory)
        assert ids_of(tmp_path) == [rent, cat] and not archived(tmp_path)
        rows = await memory.log.facts.all()
        assert (rows[rent].state, rows[new].state) == ("sams", "deleted")
        clock.forward(days=1)
        await learn_facts(memory, "My rent is 950 euros", decide=decides(rent))
        assert ids_of(tmp_path) == [rent, cat]
        assert "rent is 950" not in str(notes_of(tmp_path)["memories/2026-02-14.md"])
        await learn_facts(memory, "My rent is 990 euros", decide=decides(rent))
        assert rent not in ids_of(tmp_path), "what came back is Sam's again, and can be superseded"


async def test_an_undone_change_can_be_made_again_and_then_counts_again(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await learn_facts(memory, "I own a cat called Tom")
        before = notes_of(tmp_path)
        change = await memory.history.last()
        assert change is not None
        await memory.history.undo(change.key)
        assert "knowledge/biographical.md" not in notes_of(tmp_path)
        await memory.knowledge.learn()
        undone = await memory.history.find(change.key)
        assert undone is not None and undone.undone
        await memory.history.redo(change.key)
        assert notes_of(tmp_path) == before
        [row] = (await memory.log.facts.all()).values()
        assert (row.state, row.text) == ("sams", "I own a cat called Tom")
        assert await memory.log.forgetting.with_tombstone(["I own a cat called Tom"]) == set()


async def test_what_the_owner_wrote_since_stays(tmp_path: Path) -> None:
    file = tmp_path / "vault" / "MEMORY.md"
    write(tmp_path, "MEMORY.md", "# Memory\n\n- Lives in Vienna\n- Works from home\n")
    async with opened(tmp_path) as memory:
        tools = MemoryTools(memory, now=memory.clock)
        await tools.edit_memory("MEMORY.md", "Lives in Vienna", "Lives in Graz\n- Has a garden")
        text = file.read_text("utf-8").replace("- Works from home", "- Works in an office")
        file.write_text("Mine.\n" + text + "- Sings on Mondays\n", "utf-8")
        await undo_last(memory)
        assert file.read_text("utf-8") == (
            "Mine.\n# Memory\n\n- Lives in Vienna\n- Works in an office\n- Sings on Mondays\n"
        )


async def test_where_the_owner_changed_the_same_lines_nothing_is_changed(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await learn_facts(memory, *RENT)
        note = tmp_path / "vault" / "knowledge" / "biographical.md"
        note.write_text(note.read_text("utf-8").replace("900 euros", "910 euros"), "utf-8")
        before = notes_of(tmp_path)
        with pytest.raises(EditRefused, match=r"knowledge/biographical.md, these lines were"):
            await undo_last(memory)
        assert notes_of(tmp_path) == before
        change = await memory.history.last()
        assert change is not None and not change.undone


async def test_a_line_that_the_owner_took_out_himself_is_no_obstacle(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await learn_facts(memory, *RENT)
        note = tmp_path / "vault" / "knowledge" / "biographical.md"
        rows = [row for row in note.read_text("utf-8").split("\n") if "900" not in row]
        note.write_text("\n".join(rows), "utf-8")
        await undo_last(memory)
        assert not note.exists()


@pytest.mark.parametrize("learnt", [True, False])
async def test_a_line_that_the_owner_took_out_before_an_undo_does_not_come_back_by_a_redo(
    tmp_path: Path, learnt: bool
) -> None:
    async with opened(tmp_path) as memory:
        await learn_facts(memory, "I own a cat called Tom", "My rent is 900 euros")
        note = tmp_path / "vault" / "knowledge" / "biographical.md"
        rows = [row for row in note.read_text("utf-8").split("\n") if "Tom" not in row]
        note.write_text("\n".join(rows), "utf-8")
        before = notes_of(tmp_path)
        if learnt:
            await memory.knowledge.learn()
        change = await memory.history.last()
        assert change is not None
        for _ in range(2):
            await memory.history.undo(change.key)
            assert not note.exists()
            await memory.history.redo(change.key)
            assert notes_of(tmp_path) == before
        await memory.knowledge.learn()
        states = {row.text: row.state for row in (await memory.log.facts.all()).values()}
        assert states == {"": "deleted", "My rent is 900 euros": "sams"}
        await learn_facts(memory, "I own a cat called Tom")
        assert len(facts_of(tmp_path)) == 1


@pytest.mark.parametrize(
    ("line", "since"), [("- from Sam 2\n", ""), ("from Sam 2", "from Sam two")]
)
async def test_lines_after_a_last_line_without_its_end_are_taken_back_or_refused(
    tmp_path: Path, line: str, since: str
) -> None:
    garden = tmp_path / "vault" / "garden.md"
    write(tmp_path, "garden.md", "# Garden\n- mine")
    async with opened(tmp_path) as memory:
        added = "\n- from Sam 1\n- from Sam 2\n- from Sam 3\n"
        await memory.vault.edit("garden.md", lambda text: text + added, cause="edit_memory")
        garden.write_text(now := garden.read_text("utf-8").replace(line, since), "utf-8")
        if since:
            with pytest.raises(EditRefused, match="changed since"):
                await undo_last(memory)
            assert garden.read_text("utf-8") == now
        else:
            await undo_last(memory)
            assert garden.read_text("utf-8") == "# Garden\n- mine\n"


class Died(BaseException):
    """Simulates a kill of the process."""


@pytest.mark.parametrize(
    ("point", "time"),
    [("undo_planned", 1), *(("undo_note", n) for n in (1, 2, 3)), ("undo_settled", 1)],
)
@pytest.mark.parametrize("back", [True, False])
async def test_a_crash_in_the_middle_ends_the_same_after_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, point: str, time: int, back: bool
) -> None:
    clock = Clock()
    async with opened(tmp_path, clock=clock) as memory:
        await learn_facts(memory, *RENT)
        clock.forward(days=1)
        before = notes_of(tmp_path)
        await learn_facts(memory, "My rent is 950 euros", decide=decides(ids_of(tmp_path)[0]))
        after = notes_of(tmp_path)
        change = await memory.history.last()
        assert change is not None
        if not back:
            await memory.history.undo(change.key)
        seen = 0

        def failpoint(name: str) -> None:
            nonlocal seen
            seen += name == point
            if seen == time:
                raise Died

        with monkeypatch.context() as broken:
            broken.setattr(history, "failpoint", failpoint)
            with pytest.raises(Died):
                await (memory.history.undo if back else memory.history.redo)(change.key)
    async with opened(tmp_path, clock=clock) as memory:
        await memory.catch_up()
        assert notes_of(tmp_path) == (before if back else after)
        rows = await memory.log.facts.all()
        states = sorted((row.text, row.state) for row in rows.values())
        cat = ("I own a cat called Tom", "sams")
        assert states == (
            [("", "deleted"), cat, ("My rent is 900 euros", "sams")]
            if back
            else [cat, ("My rent is 900 euros", "archived"), ("My rent is 950 euros", "sams")]
        )
        again = await memory.history.find(change.key)
        assert again is not None and again.undone is back
        await (memory.history.redo if back else memory.history.undo)(change.key)
        assert notes_of(tmp_path) == (after if back else before)


async def test_nothing_is_kept_of_a_sealed_note_and_of_the_owners_own_words(tmp_path: Path) -> None:
    write(tmp_path, "tasks.md", "- [ ] buy a ring\n")
    write(tmp_path, "MEMORY.md", "# Memory\n\n- the owner's secret garden\n- Lives in Graz\n")
    async with opened(tmp_path) as memory:
        tools = MemoryTools(memory, now=memory.clock)
        await tools.edit_memory("MEMORY.md", "Lives in Graz", "Lives in Linz")
        kept = [line for edit in await memory.log.edits.all() for line in edit.lines]
        assert kept == ["- Lives in Graz", "- Lives in Linz"]
        file = tmp_path / "vault" / "MEMORY.md"
        file.write_text("---\nprivacy: sealed\n---\n" + file.read_text("utf-8"), "utf-8")
        assert await memory.history.changes() == [] == await memory.log.edits.all()
        await memory.vault.edit("MEMORY.md", lambda text: text + "- x\n", cause="save_memory")
        assert await memory.log.edits.all() == []


async def test_what_is_kept_goes_after_a_month(tmp_path: Path) -> None:
    async with opened(tmp_path, clock=(clock := Clock())) as memory:
        await learn_facts(memory, "I own a cat")
        clock.forward(days=31)
        await memory.knowledge.maintain()
        await memory.history.prune()
        assert await memory.history.changes() == []


async def test_a_forgotten_line_is_listed_and_goes_from_every_byte(tmp_path: Path) -> None:
    write(tmp_path, "MEMORY.md", "# Memory\n\n- Ana is allergic to hazelnuts\n- Lives in Graz\n")
    async with opened(tmp_path) as memory:
        tools = MemoryTools(memory, now=memory.clock)
        await memory.vault.edit(
            "MEMORY.md",
            lambda text: text.replace("- Ana is allergic to hazelnuts\n", ""),
            cause="edit_memory",
        )
        await tools.edit_memory("MEMORY.md", "Lives in Graz", "Lives in Linz")
        data = tmp_path / "data"
        assert await traces([data], ["Ana is allergic to hazelnuts"]) != []
        found = await forget_words.find_kept(memory, "Ana hazelnuts")
        [item] = found.items
        assert item.where == ("MEMORY.md (of before, for /undo)",)
        erased = await forget_words.forget(memory, ForgetChoice.of(found.items))
        assert erased.lines == 1
        assert await traces([data], ["Ana is allergic to hazelnuts"]) == []
        assert len(await memory.history.changes()) == 1


async def test_a_link_to_a_forgotten_line_is_no_change_to_undo(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        tools = MemoryTools(memory, now=memory.clock)
        await tools.save_memory("Rex has a vet appointment on Fridays", source="owner")
        await tools.save_memory("The spare key is under the pot", source="owner")
        assert len(await memory.history.changes()) == 2
        found = await forget_words.find_kept(memory, "vet appointment")
        await forget_words.forget(memory, ForgetChoice.of(found.items))
        [kept] = await memory.history.changes()
        assert ["The spare key" in line.text for line in kept.lines()] == [True]
        await undo_last(memory)
        assert "pot" not in (tmp_path / "vault" / "MEMORY.md").read_text("utf-8")


async def test_forgetting_a_message_takes_what_it_led_to_from_the_history(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await learn_facts(memory, "My landlord is called Rumpelstiltskin", "I own a cat called Tom")
        fact = next(id_ for id_ in ids_of(tmp_path))
        await memory.knowledge.retire(fact, reason="wrong")
        found = await forget_words.find_kept(memory, "Rumpelstiltskin")
        await forget_words.forget(memory, ForgetChoice.of(found.items))
        left = [line for edit in await memory.log.edits.all() for line in edit.lines]
        assert "Rumpelstiltskin" not in str(left)
        assert await traces([tmp_path], ["My landlord is called Rumpelstiltskin"]) == []


async def test_a_redo_does_not_make_a_note_again_that_was_renamed(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        tools = MemoryTools(memory, now=memory.clock)
        with edit_group("turn 1"):
            await tools.manage_tasks("add", "water the plants")
            await tools.create_note("Plans", "- buy a boat")
        [before] = (tmp_path / "vault").rglob("Plans.md")
        before.rename(after := before.with_name("Plans of mine.md"))
        undone = await memory.history.undo("turn 1")
        assert undone.undone and undone.left == ("notes/Plans.md",)
        made = await memory.history.redo("turn 1")
        assert not made.undone and made.left == ()
        assert "water the plants" in (tmp_path / "vault" / "tasks.md").read_text("utf-8")
        assert after.exists() and not before.exists()


async def test_a_note_that_was_renamed_since_stays_and_that_is_said(tmp_path: Path) -> None:
    async with opened(tmp_path, clock=(clock := Clock())) as memory:
        tools = MemoryTools(memory, now=clock)
        await tools.manage_tasks("add", "water plants", due="2026-03-01")
        clock.forward(minutes=7)
        await tools.create_note("Plans", "- buy a boat")
        made = await memory.history.last()
        assert made is not None
        [path] = {edit.path for edit in made.edits}
        before = tmp_path / "vault" / path
        before.rename(after := before.with_name("Plans of mine.md"))
        for _ in range(2):
            with pytest.raises(EditRefused, match=rf"{path}\) was renamed, moved or deleted since"):
                await memory.history.undo(made.key)
        assert after.exists() and not before.exists()
        older = await memory.history.last()
        assert older is not None and older.key != made.key, "the one before it is offered"
        after.rename(before)
        await undo_last(memory)
        assert not before.exists()
