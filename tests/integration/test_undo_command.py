"""`sam undo`: show the last change, undo it after confirmation, and redo it."""

from __future__ import annotations

import json
from pathlib import Path

from memory.tools import MemoryTools
from memory.vault import edit_group
from tests.support.homes import Home
from tests.support.memories import opened


async def test_the_last_change_is_shown_undone_and_made_again(tmp_path: Path) -> None:
    home = Home(tmp_path)
    async with opened(tmp_path / "Sam") as memory:
        tools = MemoryTools(memory, now=memory.clock)
        await tools.manage_tasks("add", "water the plants", due="2026-12-01 09:00")
        rows = (home.vault / "tasks.md").read_text("utf-8").splitlines()
        [task] = [row for row in rows if "water" in row]
        await tools.manage_tasks("complete", "water the plants")
    file = home.vault / "tasks.md"
    before = file.read_text("utf-8")
    listed = home.sam("undo", "--list").stdout.splitlines()
    assert "I changed the tasks" in listed[0] and "no longer open" in "".join(listed)
    [first, *_] = json.loads(home.sam("undo", "--list", "--json").stdout)
    assert (first["number"], first["undone"]) == (1, False)
    assert any("no longer open" in line["text"] for line in first["lines"])
    assert home.sam("undo", "--json").returncode == 2
    asked = home.sam("undo")
    assert asked.returncode == 1 and "add --yes" in asked.stderr
    assert "remove “water the plants · 2026-12-01 09:00 · no longer open”" in asked.stdout
    assert file.read_text("utf-8") == before
    done = home.sam("undo", "--yes")
    assert "To redo it: `sam undo 1 --redo`" in done.stdout, done.stderr
    assert task in file.read_text("utf-8")
    twice = home.sam("undo", "1", "--yes")
    told = "It is undone already. To redo it: `sam undo 1 --redo`\n"
    assert (twice.returncode, twice.stdout) == (1, told)
    again = home.sam("undo", "1", "--redo", "--yes")
    assert "Redone." in again.stdout and file.read_text("utf-8") == before
    assert home.sam("undo", "1", "--redo").stdout == "It is not undone: `sam undo 1`\n"
    assert home.sam("undo", "99", "--redo").stdout.startswith("There is no such change")
    assert home.sam("undo", "--redo").returncode == 2


async def test_a_renamed_note_of_the_change_is_named(tmp_path: Path) -> None:
    home = Home(tmp_path)
    async with opened(tmp_path / "Sam") as memory:
        tools = MemoryTools(memory, now=memory.clock)
        with edit_group("turn 1"):
            await tools.manage_tasks("add", "water the plants")
            await tools.create_note("Plans", "- buy a boat")
    [note] = home.vault.rglob("Plans.md")
    note.rename(note.with_name("Plans of mine.md"))
    done = home.sam("undo", "--yes")
    path = note.relative_to(home.vault).as_posix()
    assert f"renamed, moved or deleted since: {path}\n" in done.stdout, done.stderr
    assert not (home.vault / "tasks.md").exists(), "the change had made it too"


def test_without_changes_there_is_nothing_to_undo(tmp_path: Path) -> None:
    done = Home(tmp_path).sam("undo")
    assert (done.returncode, done.stdout) == (0, "There is nothing to undo.\n")


async def test_that_forgetting_is_final_is_said_first(tmp_path: Path) -> None:
    home = Home(tmp_path)
    async with opened(tmp_path / "Sam") as memory:
        await MemoryTools(memory, now=memory.clock).manage_tasks("add", "call Ben")
    assert home.sam("forget", "--words", "Ben", "--yes").returncode == 0
    done = home.sam("undo")
    assert done.stdout == "What was forgotten cannot be brought back.\nThere is nothing to undo.\n"


async def test_a_new_note_is_shown_without_its_front_matter(tmp_path: Path) -> None:
    home = Home(tmp_path)
    async with opened(tmp_path / "Sam") as memory:
        await MemoryTools(memory, now=memory.clock).create_note(
            "Plans", "- buy a boat\n\n---\nsoon"
        )
    [note] = home.vault.rglob("Plans.md")
    assert note.read_text("utf-8").startswith("---\n")
    [change] = json.loads(home.sam("undo", "--list", "--json").stdout)
    assert [line["text"] for line in change["lines"]] == ["buy a boat", "---", "soon"]
