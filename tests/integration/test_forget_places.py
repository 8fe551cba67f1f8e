"""Forgetting in the places beside the memory: the sync's copies, reminders, answers that quote."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.assistant import reminders
from bot.chat.forgetting import erase
from bot.chat.forgetting.choice import Chosen, Listed
from bot.chat.forgetting.erase import erase_choice
from bot.chat.forgetting.find import find_kept
from bot.chat.forgetting.wording import listing
from bot.inbox import Inbox
from bot.sync.purge import Clear, unsynced
from memory import Memory, MemoryTools
from memory.infra.atomic_files import NOTE_BYTES
from memory.log.batches import line_hash
from memory.maintenance import ForgetChoice, Selection, forget_session, forget_words
from memory.maintenance.erase import forgettable, forgettable_each
from memory.text import speaking
from memory.vault import Vault, edit_group
from tests.support.homes import Home
from tests.support.memories import Clock, Died, log_exchange, opened, write
from tests.support.synced import syncing
from tests.support.verbatim_summaries import DAY, Echo, talk

SAID = "the wallaby Quincy likes quinces"


async def chosen(home: Home, memory: Memory, words: str) -> Chosen:
    return (await find_kept(home.settings(), memory, words)).choice()


def copies(folder: Path) -> list[str]:
    """Return the files of the sync that have the wallaby."""
    files = sorted(file for file in (folder / "data" / "sync").rglob("*") if file.is_file())
    return [file.name for file in files if b"wallaby" in file.read_bytes()]


# ── the sync ─────────────────────────────────────────────────────────────────────────────────


async def test_the_copies_of_the_sync_are_clean_before_the_texts_are_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a crash in between, nobody could name the texts any more."""

    async def dies(*_: object) -> None:
        raise Died

    async with opened(tmp_path) as memory:
        await talk(memory, SAID, "the badger likes plums")
        await memory.summarise(Echo(), reason="asked")
        await syncing(str(tmp_path / "far"), memory.vault).run()
        staged = tmp_path / "data" / "sync" / "staging" / "left.md"
        staged.parent.mkdir(exist_ok=True)
        staged.write_text(SAID, "utf-8")  # of a sync that was killed
        assert copies(tmp_path)
        home = Home(tmp_path)
        choice = await chosen(home, memory, "wallaby Quincy")
        monkeypatch.setattr(forget_words, "forget", dies)
        with pytest.raises(Died):
            await erase_choice(home.settings(), memory, choice)
        assert copies(tmp_path) == []


async def test_what_a_sync_copied_in_the_meantime_goes_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Forgetting waits for a sync that runs, and a summary may be written by then."""
    async with opened(tmp_path) as memory:
        await talk(memory, SAID, "the badger likes plums")
        sync = syncing(str(tmp_path / "far"), memory.vault)
        await sync.run()

        @asynccontextmanager
        async def late(vault: Vault) -> AsyncIterator[Clear]:
            async with unsynced(vault) as clear:
                yield clear_late(clear)

        def clear_late(clear: Clear) -> Clear:
            async def first(going: object) -> None:
                nonlocal begun
                await clear(going)  # type: ignore[arg-type]  # as it was given
                if not begun:
                    begun = True
                    await memory.summarise(Echo(), reason="asked")
                    copy = tmp_path / "data/sync/overwritten/20260212/" / DAY
                    copy.parent.mkdir(parents=True)
                    copy.write_text(await memory.vault.read(DAY), "utf-8")

            begun = False
            return first

        monkeypatch.setattr(erase, "unsynced", late)
        home = Home(tmp_path)
        await erase_choice(home.settings(), memory, await chosen(home, memory, "wallaby Quincy"))
        left = (tmp_path / "data/sync/overwritten/20260212" / DAY).read_text("utf-8")
        assert "wallaby" not in left and "plums" in left


# ── reminders ────────────────────────────────────────────────────────────────────────────────


async def test_a_reminder_that_was_put_off_goes_with_its_task(tmp_path: Path) -> None:
    """It is noted by the task's text, where the owner wrote the task without an id."""
    async with opened(tmp_path) as memory:
        write(
            tmp_path, "tasks.md", "- [ ] Feed the wallaby Quincy (@2026-02-12 12:00)\n- [ ] milk\n"
        )
        later = memory.clock() + timedelta(minutes=10)
        for title in ("Feed the wallaby Quincy", "milk"):
            await reminders.snooze(memory, title, later)
        home = Home(tmp_path)
        await erase_choice(home.settings(), memory, await chosen(home, memory, "wallaby Quincy"))
        kept = await memory.log.settings.get(reminders.SNOOZED) or ""
        assert "wallaby" not in kept and "milk" in kept


# ── answers that quote it ────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("how", ["by words", "as a reply"])
async def test_an_answer_that_quotes_a_message_goes_with_it(tmp_path: Path, how: str) -> None:
    """Without a model, Sam answers with what was said, in any later conversation."""
    async with opened(tmp_path) as memory:
        turn = await log_exchange(memory, SAID, "Noted.")
        asked = await log_exchange(memory, "what does he like?", chat="telegram:7")
        answer = f"From what you told me:\n\n- “{SAID}” [1]"
        await memory.log.messages.answer(asked.id, answer, origin="recall", sent_at=memory.clock())
        if how == "by words":
            [item, *others] = (await forget_words.find_kept(memory, "wallaby Quincy")).items
        else:
            [item, *others] = (await forget_words.of_message(memory, turn.message)).items
        assert others == [] and item.made[1] == "1 answer of mine that quotes it"
        await forget_words.forget(memory, ForgetChoice.of([item]))
        texts = [row.text for row in await memory.log.messages.recent(9)]
        assert [text for text in texts if text] == ["what does he like?"]


# ── the archive ──────────────────────────────────────────────────────────────────────────────


async def test_a_large_note_in_the_archive_keeps_nothing_from_being_forgotten(
    tmp_path: Path,
) -> None:
    """A sync moves a note of the owner's there that was deleted on another device."""
    async with opened(tmp_path) as memory:
        session = await talk(memory, SAID)
        await memory.summarise(Echo(), reason="asked")
        write(tmp_path, "archive/memories/old.md", f"- {SAID}\n")
        write(tmp_path, "archive/Books/whole.md", "word " * (NOTE_BYTES // 5 + 1))
        await forget_session.forget(memory, session)
        assert "wallaby" not in await memory.vault.read("archive/memories/old.md")
        assert not (await memory.recall("wallaby quinces", private=True)).hits


# ── a day's file that the owner has rearranged ───────────────────────────────────────────────


@pytest.mark.parametrize("how", ["a session", "by words"])
async def test_a_section_goes_from_a_days_file_that_was_renamed(tmp_path: Path, how: str) -> None:
    async with opened(tmp_path) as memory:
        session = await talk(memory, SAID)
        await talk(memory, "the badger likes plums", chat="telegram:7")
        await memory.summarise(Echo(), reason="asked")
        day = tmp_path / "vault" / DAY
        renamed = day.rename(day.with_name("2026-02-12 Zoo.md"))
        if how == "a session":
            await forget_session.forget(memory, session)
        else:
            [item] = (await forget_words.find_kept(memory, "wallaby Quincy")).items
            assert f"memories/2026-02-12 Zoo.md: {SAID}" in item.made
            await forget_words.forget(memory, ForgetChoice.of([item]))
        text = renamed.read_text("utf-8")
        assert "wallaby" not in text and "badger" in text and text.count("## ") == 1
        assert not (await memory.recall("wallaby quinces", private=True)).hits


async def test_a_bullet_goes_from_the_other_day_that_it_was_moved_to(tmp_path: Path) -> None:
    async with opened(tmp_path, clock=(clock := Clock())) as memory:
        session = await talk(memory, SAID)
        await talk(memory, "we had pancakes")
        await memory.summarise(Echo(), reason="asked")
        clock.forward(days=1)
        await talk(memory, "we had pancakes", chat="telegram:7")
        await memory.summarise(Echo(), reason="asked")
        day, other = (tmp_path / "vault" / name for name in (DAY, "memories/2026-02-13.md"))
        rows = [f"- {SAID}\n", "- we had pancakes\n"]
        text = day.read_text("utf-8")
        assert all(row in text for row in rows)
        day.write_text("".join(row for row in text.splitlines(True) if row not in rows), "utf-8")
        other.write_text(f"{other.read_text('utf-8')}- {SAID}\n", "utf-8")
        await forget_session.forget(memory, session)
        left = other.read_text("utf-8")
        assert "wallaby" not in left and "- we had pancakes\n" in left


# ── the inbox ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("end", ["done", "set aside"])
async def test_of_an_update_in_work_no_byte_is_left_at_its_end(tmp_path: Path, end: str) -> None:
    """It is a later message that quotes the forgotten one, and is being answered."""
    quoted = {"message_id": 9, "chat": {"id": 7}, "text": SAID}
    message = {"message_id": 12, "chat": {"id": 7}, "text": "Why?", "reply_to_message": quoted}
    inbox = await Inbox.open(tmp_path / "inbox.db", Clock())
    try:
        for id_, text in ((1, message), (2, {"message_id": 13, "chat": {"id": 7}, "text": "Plum"})):
            payload = json.dumps({"update_id": id_, "message": text})
            await inbox.updates.receive(id_, "telegram:7", payload)
        assert await inbox.updates.forget(7, [9]) == 0
        await inbox.scrub()
        first, second = await inbox.updates.received()
        assert SAID in first.payload  # for another try, if this one is interrupted
        if end == "set aside":
            for each in (first, second):
                await inbox.updates.set_aside(each.update_id, "of the test")
            assert [each.payload for each in await inbox.updates.aside()] == [None, second.payload]
            await inbox.scrub(quick=True)
        else:
            await inbox.done(1)
            await inbox.done(2)
        left = [path.name for path in tmp_path.glob("inbox.db*") if b"wallaby" in path.read_bytes()]
        assert left == []
        assert (await inbox.counts()).adds_up
    finally:
        await inbox.close()


# ── many messages at once ────────────────────────────────────────────────────────────────────────


async def test_a_list_of_many_messages_takes_no_more_reads_than_one_of_few(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads = 0

    async with opened(tmp_path) as memory:
        await talk(memory, "the wallaby likes plums", "the wallaby likes figs")
        await memory.summarise(Echo(), reason="asked")
        store, load = type(memory.log._db), Vault.load
        read = store.read

        async def counted(self: Any, look: Any) -> Any:
            nonlocal reads
            reads += 1
            return await read(self, look)

        def loaded(self: Vault, path: str) -> Any:
            nonlocal reads
            reads += 1
            return load(self, path)

        async def reads_of_list(count: int) -> int:
            nonlocal reads
            reads = 0
            assert len((await forget_words.find_kept(memory, "wallaby")).items) == count
            return reads

        monkeypatch.setattr(store, "read", counted)
        monkeypatch.setattr(Vault, "load", loaded)
        few = await reads_of_list(2)
        await talk(memory, *(f"the wallaby likes {n} nuts" for n in range(30)))
        await memory.summarise(Echo(), reason="asked")
        # Only the transcript of the second session is a further note.
        assert await reads_of_list(32) <= few + 3


async def test_what_goes_with_each_of_many_is_what_goes_with_it_alone(tmp_path: Path) -> None:
    clock = Clock()
    async with opened(tmp_path, clock=clock) as memory:
        for n in range(3):
            await talk(memory, f"{SAID} {n} times", f"the badger likes {n} plums")
            await memory.summarise(Echo(both="They like fruit"), reason="asked")
            clock.forward(days=1)
        first, second, _ = sorted((tmp_path / "vault" / "memories").iterdir())
        bullet = f"- {SAID} 0 times\n"
        first.write_text(first.read_text("utf-8").replace(bullet, ""), "utf-8")
        second.write_text(second.read_text("utf-8") + bullet, "utf-8")
        second.rename(second.with_name("renamed.md"))
        every = [row.id for row in await memory.log.messages.recent(100)]
        selected = [Selection(frozenset([id_])) for id_ in every]
        selected += [Selection(frozenset(every[n : n + 5])) for n in range(len(every))]
        selected += [Selection(lines=frozenset([line_hash("They like fruit")])), Selection()]
        at_once = await forgettable_each(memory, selected)
        assert at_once == [await forgettable(memory, each) for each in selected]
        assert any(one.changed for each in at_once for one in each.sections)
        assert {place.path for place in at_once[0].lines} >= {"memories/renamed.md"}


async def test_a_link_of_a_day_goes_with_the_remembered_line_and_is_not_listed(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as memory:
        session = await talk(memory, "the wallaby is called Quincy")
        ids = await memory.log.forgetting.of_session(session)
        turn = (await memory.log.messages.by_ids(ids))[0].turn_id
        with edit_group(f"turn {turn}"):
            await MemoryTools(memory).save_memory("The wallaby is Quincy", source="owner")
        kept = await forget_words.find_kept(memory, "wallaby")
        with speaking("de"):
            rows = listing(Listed(kept), memory.zone)
        assert not [row for row in rows if "Remembered" in row], rows
        assert rows[-1].endswith("The wallaby is Quincy“") and ": „" in rows[0], rows
        await forget_words.forget(memory, ForgetChoice.of(kept.items))
        assert "- Remembered" not in (await memory.vault.read_optional(DAY) or "")
