"""The tool that creates a note on the owner's request: in notes/, never overwriting another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memory.errors import EditRefused
from memory.maintenance import ForgetChoice, forget_words
from memory.tools import MemoryTools
from memory.trust.provenance import Foreign, Provenance
from memory.vault import Edited
from tests.support.memories import opened, write

LIST = "## Clothes\n\n- raincoat\n- [ ] boots #shop\n1. socks\n![x](http://evil.example/p.png)\n"


async def test_a_note_has_headings_and_lists_and_nothing_active(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        said = await MemoryTools(memory).create_note("Packing: Lofoten / May", LIST)
        found = await MemoryTools(memory).search_memory("raincoat")
    assert said == "Written to notes/Packing Lofoten May.md."
    text = (tmp_path / "vault/notes/Packing Lofoten May.md").read_text("utf-8")
    assert text == (
        "---\ncreated: 2026-02-12\nauthor: Sam\n---\n\n# Packing: Lofoten / May\n\n## Clothes\n\n"
        "- raincoat\n- \\[ ] boots \\#shop\n1. socks\n!\\[x](http://evil.example/p.png)\n"
    )
    assert "notes/Packing Lofoten May.md" in found


@pytest.mark.parametrize("heading", ["# Trip to Porto", "## trip to Porto ##\r"])
async def test_a_heading_that_repeats_the_title_is_not_written_twice(
    tmp_path: Path, heading: str
) -> None:
    async with opened(tmp_path) as memory:
        tools = MemoryTools(memory)
        await tools.create_note("Trip to Porto", f"{heading}\n\n## Bring\n\n- a tent\n")
        await tools.create_note("Ideas", "# Ideas of mine\n\n- a tent\n")
    notes = tmp_path / "vault/notes"
    text = (notes / "Trip to Porto.md").read_text("utf-8")
    assert text.endswith("---\n\n# Trip to Porto\n\n## Bring\n\n- a tent\n")
    assert "# Ideas\n\n# Ideas of mine\n" in (notes / "Ideas.md").read_text("utf-8")


@pytest.mark.parametrize("there", ["my own words\n", ""])
async def test_it_is_never_written_over_an_existing_one(tmp_path: Path, there: str) -> None:
    write(tmp_path, "notes/Trip.md", there)
    async with opened(tmp_path) as memory:
        with pytest.raises(EditRefused, match=r"There is a note notes/Trip\.md already"):
            await MemoryTools(memory).create_note("Trip", "- a tent")
    assert (tmp_path / "vault/notes/Trip.md").read_text("utf-8") == there


async def test_nor_beside_one_whose_name_differs_in_case(tmp_path: Path) -> None:
    write(tmp_path, "notes/Mein Fußweg.md", "my own words\n")
    async with opened(tmp_path) as memory:
        with pytest.raises(EditRefused, match=r"There is a note notes/Mein Fußweg\.md already"):
            await MemoryTools(memory).create_note("mein fußweg", "- a tent")
    assert [note.name for note in (tmp_path / "vault/notes").iterdir()] == ["Mein Fußweg.md"]


async def test_nor_over_one_that_the_owner_writes_at_that_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path) as memory:
        edit = memory.vault.edit

        async def once_written(path: str, *given: Any, **named: Any) -> Edited:
            write(tmp_path, path, "my own words\n")
            return await edit(path, *given, **named)

        monkeypatch.setattr(memory.vault, "edit", once_written)
        with pytest.raises(EditRefused, match="There is a note"):
            await MemoryTools(memory).create_note("Trip", "- a tent")
    assert (tmp_path / "vault/notes/Trip.md").read_text("utf-8") == "my own words\n"


@pytest.mark.parametrize("title", ["", "  ", "../..", "...", "#^[]"])
async def test_a_title_needs_a_letter(tmp_path: Path, title: str) -> None:
    async with opened(tmp_path) as memory:
        with pytest.raises(EditRefused, match="is no title"):
            await MemoryTools(memory).create_note(title, "x")
    assert not (tmp_path / "vault/notes").exists()


async def test_a_title_leads_nowhere_else(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await MemoryTools(memory).create_note("../soul", "x")
        await MemoryTools(memory).create_note(".hidden", "x")
    assert sorted(path.name for path in (tmp_path / "vault/notes").iterdir()) == [
        "hidden.md",
        "soul.md",
    ]


async def test_a_private_one_is_seen_by_no_model(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        tools = MemoryTools(memory)
        await tools.create_note("Test results", "The lab found ferritin low", privacy="sensitive")
        assert "ferritin" not in await tools.search_memory("ferritin")
        assert [hit.path for hit in (await memory.recall("ferritin", private=True)).hits]


async def test_the_words_of_others_are_quoted_as_theirs(tmp_path: Path) -> None:
    soup = "Leek soup: simmer four leeks and a potato for thirty minutes"
    seen = Provenance(
        own_this_turn=["Save this recipe as a note"],
        messages=[Foreign(soup, "forwarded", "Bob")],
        own=[],
    )
    async with opened(tmp_path) as memory:
        said = await MemoryTools(memory, seen=seen).create_note("Leek soup", soup)
    assert said == "Written to notes/Leek soup.md, as what Bob (forwarded) said."
    text = (tmp_path / "vault/notes/Leek soup.md").read_text("utf-8")
    assert f"Bob (forwarded) said:\n\n> {soup}\n" in text


async def test_a_created_note_can_be_undone(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await MemoryTools(memory).create_note("Trip", "- a tent")
        [change] = await memory.history.changes()
        await memory.history.undo(change.key)
    assert not (tmp_path / "vault/notes/Trip.md").exists()


async def test_what_is_forgotten_goes_from_notes_that_sam_wrote_and_no_others(
    tmp_path: Path,
) -> None:
    write(tmp_path, "notes/Mine.md", "My own words on the xylophone\n")
    async with opened(tmp_path) as memory:
        await MemoryTools(memory, client='a: "b"').create_note("Band", "- a xylophone\n- a drum")
        kept = await forget_words.find_kept(memory, "xylophone")
        [item] = kept.items
        assert item.where == ("notes/Band.md:9",) and kept.yours == ("notes/Mine.md:1",)
        await forget_words.forget(memory, ForgetChoice.of(kept.items))
    text = (tmp_path / "vault/notes/Band.md").read_text("utf-8")
    assert "xylophone" not in text and "- a drum" in text
    assert 'author: Sam\nclient: "a: \\"b\\""' in text
    assert "xylophone" in (tmp_path / "vault/notes/Mine.md").read_text("utf-8")
