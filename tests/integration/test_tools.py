"""The memory tools for models, on real stores: search, read, save, edit, tasks, skills."""

from __future__ import annotations

import json
import os
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from memory.errors import EditRefused, NoteMissing, PathRefused, SamError
from memory.infra import atomic_files
from memory.log import Said
from memory.tools import arguments, skills
from memory.tools.memory_tools import TOOLS, MemoryTools
from memory.vault import paths
from tests.support.memories import START, Clock, WordEmbedder, log_exchange, opened, write

FACTS = """\
# Preferences

- Prefers pytest over unittest (updated:: 2026-02-12) (source:: [[memories/2026-02-12#^b7k2mq]]) ^f7k2mx
- Drinks Lapsang tea (updated:: 2026-01-03) ^f1a1a1
- Takes lithium in the evening (updated:: 2026-01-03) #sam/sensitive ^f2b2b2
"""  # noqa: E501


def stands(folder: Path, path: str) -> str:
    return (folder / "vault" / path).read_text("utf-8")


class TestSearch:
    async def test_knowledge_and_conversations_are_told_apart(self, tmp_path: Path) -> None:
        write(tmp_path, "knowledge/preference.md", FACTS)
        async with opened(tmp_path) as memory:
            await log_exchange(
                memory, "Is pytest ready?", "Yes, pytest is ready.", chat="telegram:7"
            )
            found = await MemoryTools(memory).search_memory("pytest")
        knowledge, said = found.split("\n\n")
        assert knowledge == (
            "## Knowledge\n- [2026-02-12] Prefers pytest over unittest (preference)"
            " — knowledge/preference.md:3, Preferences"
        )
        assert said.splitlines() == [
            "## Conversations",
            "- [2026-02-12, telegram] Sam: Yes, pytest is ready. — log/2026-02-12:4",
            "    before: User: Is pytest ready?",
        ]

    @pytest.mark.parametrize(
        "call",
        [
            {"query": "flat application"},
            {"query": "flat application", "limit": 5},
            {"query": "flat application", "filter": "knowledge"},
            {"query": "flat application", "filter": "conversations", "limit": 3},
        ],
    )
    async def test_the_calls_that_models_make(self, tmp_path: Path, call: dict[str, Any]) -> None:
        write(tmp_path, "flat.md", "# Flat\n\nThe application for the flat is due in March.\n")
        write(tmp_path, "papers.md", "# Papers\n\nA flat application has a photograph.\n")
        async with opened(tmp_path) as memory:
            for number in range(4):
                await log_exchange(memory, f"The flat application needs paper number {number}")
            found = await MemoryTools(memory).search_memory(**call)
        assert ("## Knowledge" in found) == (call.get("filter") != "conversations")
        assert ("## Conversations" in found) == (call.get("filter") != "knowledge")
        count = 2 if call.get("filter") == "knowledge" else call.get("limit", 5)
        assert len(re.findall(r"^- \[", found, re.M)) == count

    async def test_every_place_it_names_can_be_opened(self, tmp_path: Path) -> None:
        write(tmp_path, "deep/flat.md", "# Flat\n\nNothing.\n\n## Rent\n\nThe rent is 900 euros.\n")
        async with opened(tmp_path) as memory:
            await log_exchange(memory, "hello\nthere", "hi", at=START - timedelta(hours=2))
            await log_exchange(memory, "The rent was raised\nto 950 euros", "Oh no.")
            tools = MemoryTools(memory)
            found = await tools.search_memory("rent euros")
            places = re.findall(r" — (\S+:[\d-]+)", found)
            opened_ = [await tools.get_memory(place, lines=2) for place in places]
        assert len(places) >= 2
        assert any("The rent is 900 euros." in text for text in opened_)
        assert any("User: The rent was raised\n    to 950 euros" in text for text in opened_)

    async def test_nothing_found_says_so(self, tmp_path: Path) -> None:
        async with opened(tmp_path) as memory:
            assert "I have nothing about that" in await MemoryTools(memory).search_memory("zebra")

    async def test_words_of_others_are_marked(self, tmp_path: Path) -> None:
        async with opened(tmp_path) as memory:
            said = Said("k", "telegram:7", "Pay the zebra now", START, origin="forwarded")
            await memory.log.messages.begin(said)
            tools = MemoryTools(memory)
            for text in (
                await tools.search_memory("zebra"),
                await tools.get_recent_conversations(),
                await tools.get_memory("log/2026-02-12"),
            ):
                assert "User (forwarded): Pay the zebra now" in text

    async def test_a_long_passage_is_cut_and_one_line(self, tmp_path: Path) -> None:
        write(tmp_path, "long.md", "zebra\n" + "stripes and more\n" * 90)
        async with opened(tmp_path) as memory:
            found = await MemoryTools(memory).search_memory("zebra")
        (line,) = [row for row in found.splitlines() if row.startswith("- ")]
        assert "zebra stripes and more" in line and "… (note) — long.md:" in line
        assert len(line) < 800

    async def test_more_hits_than_allowed_are_not_given(self, tmp_path: Path) -> None:
        for number in range(25):
            write(tmp_path, f"{number}.md", f"zebra {number}\n")
        async with opened(tmp_path) as memory:
            tools = MemoryTools(memory)
            assert (await tools.search_memory("zebra", limit=99)).count("\n- ") == 20
            assert (await tools.search_memory("zebra", limit=0)).count("\n- ") == 1

    async def test_a_degraded_search_says_so(self, tmp_path: Path) -> None:
        embedder = WordEmbedder()
        write(tmp_path, "a.md", "zebra\n")
        async with opened(tmp_path, embedder=embedder) as memory:
            embedder.down = True
            found = await MemoryTools(memory).search_memory("zebra")
        assert "a.md" in found and "(searched by keywords alone" in found


class TestRead:
    async def test_a_note_by_lines(self, tmp_path: Path) -> None:
        write(tmp_path, "list.md", "".join(f"line {n}\n" for n in range(1, 31)))
        async with opened(tmp_path) as memory:
            tools = MemoryTools(memory)
            part = await tools.get_memory("list.md", from_line=10, lines=3)
            whole = await tools.get_memory("list.md")
            beyond = await tools.get_memory("list.md", from_line=31)
        assert part == "list.md, lines 10-12 of 30:\n\nline 10\nline 11\nline 12"
        assert whole.startswith("list.md, lines 1-30 of 30:\n\nline 1\n")
        assert "has 30 lines" in beyond

    @pytest.mark.parametrize(
        "path",
        ["a/list", "a/list.md:2-3", "[[a/list]]", "[[a/list#^x]]", " a/list.md ", "a/list.md:2"],
    )
    async def test_a_path_as_models_write_it(self, tmp_path: Path, path: str) -> None:
        write(tmp_path, "a/list.md", "one\ntwo\nthree\nfour\n")
        async with opened(tmp_path) as memory:
            text = await MemoryTools(memory).get_memory(path)
        assert "two" in text
        assert ("one" in text) is (":" not in path)
        assert ("four" in text) is ("-" not in path)

    @pytest.mark.parametrize("path", ["C# tips.md", "C# tips.md:1", "[[C# tips.md#A#B]]"])
    async def test_a_note_with_a_hash_in_its_name(self, tmp_path: Path, path: str) -> None:
        write(tmp_path, "C# tips.md", "Use records.\n")
        async with opened(tmp_path) as memory:
            tools = MemoryTools(memory)
            assert "C# tips.md:1" in await tools.search_memory("records")
            assert "records" in await tools.get_memory(path)

    async def test_a_day_of_conversations(self, tmp_path: Path) -> None:
        async with opened(tmp_path, timezone="Asia/Tokyo") as memory:
            late = datetime(2026, 2, 12, 15, 30, tzinfo=UTC)  # the 13th in Tokyo
            await log_exchange(memory, "good night\nSam", "Good night.", at=late, chat="telegram:7")
            tools = MemoryTools(memory)
            text = await tools.get_memory("log/2026-02-13")
            with pytest.raises(NoteMissing, match="Nothing was said on 2026-02-12"):
                await tools.get_memory("log/2026-02-12")
            for day in ("2026-02-31", "9999-12-31", "0001-01-01"):
                with pytest.raises(NoteMissing):
                    await tools.get_memory(f"log/{day}")
        assert text == (
            "log/2026-02-13, lines 1-5 of 5:\n\n# Conversations — 2026-02-13\n\n"
            "[00:30:00, telegram] User: good night\n    Sam\n[00:30:00, telegram] Sam: Good night."
        )

    async def test_a_huge_note_is_given_in_parts(self, tmp_path: Path) -> None:
        write(tmp_path, "huge.md", "x" * 50_000 + "\n" + "y" * 100 + "\n")
        write(tmp_path, "many.md", ("z" * 99 + "\n") * 5_000)
        async with opened(tmp_path) as memory:
            tools = MemoryTools(memory)
            assert len(await tools.get_memory("huge.md")) < 16_000
            assert "lines 1-1 of 2" in await tools.get_memory("huge.md")
            many = await tools.get_memory("many.md", lines=5_000)
            assert "lines 1-150 of 5000" in many

    @pytest.mark.parametrize(
        "path",
        [
            "../outside.md",
            "/etc/passwd",
            "link.md",
            "folder/../../outside.md",
            ".obsidian/app.json",
        ],
    )
    async def test_nothing_outside_of_the_vault(self, tmp_path: Path, path: str) -> None:
        (tmp_path / "outside.md").write_text("secret")
        async with opened(tmp_path) as memory:
            (tmp_path / "vault" / "link.md").symlink_to(tmp_path / "outside.md")
            tools = MemoryTools(memory)
            for call in (tools.get_memory(path), tools.edit_memory(path, "secret", "x")):
                with pytest.raises(SamError) as refused:
                    await call
                assert "secret" not in str(refused.value)
        assert (tmp_path / "outside.md").read_text() == "secret"

    @pytest.mark.parametrize(
        ("path", "text"),
        [
            ("sealed/diary.md", "zebra"),
            ("diary.md", "---\nprivacy: sealed\n---\nzebra\n"),
            ("doctor.md", "---\nprivacy: sensitive\n---\nzebra\n"),
            ("archive/old.md", "zebra"),
            ("private/excluded.md", "zebra"),
        ],
    )
    async def test_what_is_private_is_in_no_answer(
        self, tmp_path: Path, path: str, text: str
    ) -> None:
        write(tmp_path, path, text)
        async with opened(tmp_path, index_exclude=("private/*",)) as memory:
            tools = MemoryTools(memory)
            assert "I have nothing about that" in await tools.search_memory("zebra")
            with pytest.raises(PathRefused) as refused:
                await tools.get_memory(path)
            assert "zebra" not in str(refused.value)
            with pytest.raises(PathRefused):
                await tools.edit_memory(path, "zebra", "horse")
        assert stands(tmp_path, path) == text

    async def test_sensitive_lines_are_withheld(self, tmp_path: Path) -> None:
        write(tmp_path, "knowledge/preference.md", FACTS)
        async with opened(tmp_path) as memory:
            tools = MemoryTools(memory)
            text = await tools.get_memory("knowledge/preference.md")
            assert "lithium" not in await tools.search_memory("lithium evening")
            with pytest.raises(EditRefused, match="does not stand"):
                await tools.edit_memory("knowledge/preference.md", "lithium", "aspirin")
        assert "lithium" not in text and "(withheld: sensitive)" in text
        assert "^f" not in text and "Lapsang" in text

    async def test_private_messages_are_in_no_answer(self, tmp_path: Path) -> None:
        async with opened(tmp_path) as memory:
            for privacy in ("sensitive", "sealed"):
                said = Said(privacy, "terminal", "the zebra", START, privacy=privacy)  # type: ignore[arg-type]
                await memory.log.messages.begin(said)
            turn = await log_exchange(memory, "what of the horse?")
            await memory.log.messages.answer(
                turn.id, "I recall the zebra", origin="recall", sent_at=START
            )
            tools = MemoryTools(memory)
            assert "zebra" not in await tools.search_memory("zebra")
            assert "zebra" not in await tools.get_recent_conversations(50)
            assert "zebra" not in await tools.get_memory("log/2026-02-12")

    async def test_recent_conversations_oldest_first(self, tmp_path: Path) -> None:
        async with opened(tmp_path) as memory:
            tools = MemoryTools(memory)
            assert "Nothing was said" in await tools.get_recent_conversations()
            for number in range(8):
                moment = START + timedelta(minutes=number)
                await log_exchange(memory, f"question {number}", f"answer {number}", at=moment)
            recent = await tools.get_recent_conversations(3)
            ten = await tools.get_recent_conversations()
        assert recent.splitlines() == [
            "## Conversations",
            "- [2026-02-12 12:06, terminal] Sam: answer 6",
            "- [2026-02-12 12:07, terminal] User: question 7",
            "- [2026-02-12 12:07, terminal] Sam: answer 7",
        ]
        assert len(ten.splitlines()) == 11

    async def test_a_message_of_the_far_future_is_not_recent(self, tmp_path: Path) -> None:
        async with opened(tmp_path) as memory:
            tools = MemoryTools(memory)
            for text, days in (("said now", 0), ("a clock ahead", 1), ("in 2099", 26_000)):
                await log_exchange(memory, text, at=START + timedelta(days=days))
            recent = await tools.get_recent_conversations(3)
        assert [row.rpartition(": ")[2] for row in recent.splitlines()[1:]] == [
            "said now",
            "a clock ahead",
        ]


class TestSave:
    async def test_a_note_of_today_that_the_next_search_finds(self, tmp_path: Path) -> None:
        async with opened(tmp_path) as memory:
            tools = MemoryTools(memory)
            await memory.reconcile()
            memory.watching = True  # so that only what was saved is indexed
            said = await tools.save_memory("The boiler was serviced")
            found = await tools.search_memory("boiler serviced")
        assert said == "Saved in memories/2026-02-12.md."
        assert stands(tmp_path, "memories/2026-02-12.md") == (
            "# Memories — 2026-02-12\n\n## 12:00:00\n\n- Note: The boiler was serviced\n"
        )
        assert "The boiler was serviced (summary) — memories/2026-02-12.md:" in found
        assert not (tmp_path / "vault" / "MEMORY.md").exists()

    async def test_remember_this_is_a_dated_line_of_memory_linked_from_the_day(
        self, tmp_path: Path
    ) -> None:
        write(tmp_path, "MEMORY.md", "# Memory\n\nWhat matters.\n")
        async with opened(tmp_path) as memory:
            tools = MemoryTools(memory)
            said = await tools.save_memory("Ana is allergic to penicillin", "owner")
            found = await tools.search_memory("penicillin")
        assert said == "Saved in MEMORY.md and memories/2026-02-12.md."
        curated = stands(tmp_path, "MEMORY.md")
        line = re.search(r"\n\n- 2026-02-12: Ana is allergic to penicillin \^(\w{6})\n$", curated)
        assert line and curated.startswith("# Memory\n\nWhat matters.\n")
        assert f"- Remembered [[MEMORY#^{line[1]}]]\n" in stands(tmp_path, "memories/2026-02-12.md")
        assert "(memory) — MEMORY.md:" in found

    async def test_items_follow_each_other(self, tmp_path: Path) -> None:
        async with opened(tmp_path) as memory:
            tools = MemoryTools(memory)
            for content in ("one", "two"):
                await tools.save_memory(content, "owner")
        assert re.fullmatch(
            r"# Memory\n\n- 2026-02-12: one \^\w{6}\n- 2026-02-12: two \^\w{6}\n",
            stands(tmp_path, "MEMORY.md"),
        )

    async def test_twice_is_once(self, tmp_path: Path) -> None:
        clock = Clock()
        async with opened(tmp_path, clock=clock) as memory:
            tools = MemoryTools(memory)
            for source in ("owner", "manual"):
                await tools.save_memory("Ana likes tea", source)
                before = stands(tmp_path, "memories/2026-02-12.md"), stands(tmp_path, "MEMORY.md")
                clock.forward(minutes=5)
                await tools.save_memory("  Ana likes\ntea ", source)
                assert before == (
                    stands(tmp_path, "memories/2026-02-12.md"),
                    stands(tmp_path, "MEMORY.md"),
                )

    async def test_what_is_known_already_is_linked_again_on_another_day(
        self, tmp_path: Path
    ) -> None:
        clock = Clock()
        async with opened(tmp_path, clock=clock) as memory:
            tools = MemoryTools(memory)
            await tools.save_memory("Ana likes tea", "owner")
            clock.forward(days=1)
            await tools.save_memory("ana likes tea", "owner")
        assert stands(tmp_path, "MEMORY.md").count("tea") == 1
        assert "[[MEMORY#^" in stands(tmp_path, "memories/2026-02-13.md")

    async def test_the_day_is_the_turns_local_one(self, tmp_path: Path) -> None:
        moment = datetime(2026, 3, 1, 23, 30, tzinfo=UTC)
        async with opened(tmp_path, timezone="Europe/Berlin") as memory:
            await MemoryTools(memory, now=lambda: moment).save_memory("late", "owner")
        assert "## 00:30:00" in stands(tmp_path, "memories/2026-03-02.md")
        assert "- 2026-03-02: late" in stands(tmp_path, "MEMORY.md")

    async def test_in_a_vault_that_is_the_owners_it_stays_in_sams_folder(
        self, tmp_path: Path
    ) -> None:
        write(tmp_path, "MEMORY.md", "mine\n")
        write(tmp_path, "Sam/soul.md", "# Soul\n")
        async with opened(tmp_path, sam_dir="Sam") as memory:
            await MemoryTools(memory).save_memory("Ana likes tea", "owner")
        assert stands(tmp_path, "MEMORY.md") == "mine\n"
        assert "Ana likes tea ^" in stands(tmp_path, "Sam/MEMORY.md")
        assert "[[Sam/MEMORY#^" in stands(tmp_path, "Sam/memories/2026-02-12.md")

    async def test_who_else_saves_is_named(self, tmp_path: Path) -> None:
        async with opened(tmp_path) as memory:
            await MemoryTools(memory).save_memory("It rains", "claude-desktop #x")
        assert "- Note (claude-desktop \\#x): It rains\n" in stands(
            tmp_path, "memories/2026-02-12.md"
        )

    @pytest.mark.parametrize("source", ["owner", "manual"])
    async def test_chat_text_gets_no_power(self, tmp_path: Path, source: str) -> None:
        hostile = "## 09:00:00\n- [ ] pay #urgent [[soul]] %%x%% ^b7k2mq (expires:: 2020-01-01)"
        async with opened(tmp_path) as memory:
            tools = MemoryTools(memory)
            await tools.save_memory(hostile, source)
            assert await tools.manage_tasks("list") == "No open tasks."
        paths = ["memories/2026-02-12.md"] + (["MEMORY.md"] if source == "owner" else [])
        for path in paths:
            text = stands(tmp_path, path)
            assert text.count("\n## ") <= 1 and "\n- [ ]" not in text
            for power in (" #urgent", "[[soul]]", "%%x", " ^b7k2mq", "(expires::"):
                assert power not in text, path

    @pytest.mark.parametrize("content", ["", " \n ", "x" * (arguments.TEXT + 1)])
    async def test_nothing_and_too_much_are_refused(self, tmp_path: Path, content: str) -> None:
        async with opened(tmp_path) as memory:
            with pytest.raises(EditRefused):
                await MemoryTools(memory).save_memory(content)

    async def test_it_is_confirmed_only_when_it_stands(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        whole = atomic_files.replace

        def cut(place: Path, data: bytes, *, expected: str | None) -> bool:
            return whole(place, data[:-9], expected=expected)

        async with opened(tmp_path) as memory:
            with monkeypatch.context() as torn:
                torn.setattr(atomic_files, "replace", cut)
                with pytest.raises(SamError, match="shorter than it was written"):
                    await MemoryTools(memory).save_memory("The boiler was serviced", "owner")
            folder = tmp_path / "vault" / "memories"
            folder.write_text("a file where the folder should be")
            with pytest.raises(SamError):
                await MemoryTools(memory).save_memory("The boiler was serviced")


class TestEdit:
    async def test_a_correction_is_written_journaled_and_found(self, tmp_path: Path) -> None:
        write(tmp_path, "knowledge/preference.md", FACTS)
        async with opened(tmp_path) as memory:
            tools = MemoryTools(memory)
            await tools.search_memory("pytest")
            said = await tools.edit_memory("knowledge/preference.md", "Lapsang", "Darjeeling")
            found = await tools.search_memory("Darjeeling")
            (entry,) = await memory.log.journal.recent(5)
        assert said == "knowledge/preference.md is changed."
        assert stands(tmp_path, "knowledge/preference.md") == FACTS.replace("Lapsang", "Darjeeling")
        assert "Drinks Darjeeling tea (preference)" in found
        assert (entry.path, entry.cause) == ("knowledge/preference.md", "edit_memory")
        assert entry.before and entry.after and entry.before != entry.after

    async def test_a_line_is_added_to_memory(self, tmp_path: Path) -> None:
        write(tmp_path, "MEMORY.md", "# Memory\n\n- Works at Hetzner\n")
        async with opened(tmp_path) as memory:
            await MemoryTools(memory).edit_memory(
                "MEMORY.md", "- Works at Hetzner", "- Works at Hetzner\n- Lives in Riga"
            )
        assert stands(tmp_path, "MEMORY.md") == "# Memory\n\n- Works at Hetzner\n- Lives in Riga\n"

    @pytest.mark.parametrize("old", ["tea", "coffee", " "])
    async def test_not_once_is_refused(self, tmp_path: Path, old: str) -> None:
        write(tmp_path, "a.md", "tea and tea\n")
        async with opened(tmp_path) as memory:
            with pytest.raises(EditRefused):
                await MemoryTools(memory).edit_memory("a.md", old, "x")
        assert stands(tmp_path, "a.md") == "tea and tea\n"

    @pytest.mark.parametrize(
        "path",
        [
            "soul.md",
            "identity.md",
            "user.md",
            "USER.md",
            "heartbeat.md",
            "skills/cook.md",
            "skills/cook/SKILL.md",
            "Skills/cook.md",
            "link.md",
        ],
    )
    async def test_the_owners_files_are_the_owners(self, tmp_path: Path, path: str) -> None:
        if path != "link.md":
            write(tmp_path, path, "Be kind.\n")
        async with opened(tmp_path) as memory:
            if path == "link.md":
                write(tmp_path, "soul.md", "Be kind.\n")
                (tmp_path / "vault" / "link.md").symlink_to(tmp_path / "vault" / "soul.md")
            said = await MemoryTools(memory).edit_memory(path, "kind", "evil")
            assert said.startswith("Proposed, and not changed yet")
        assert "Be kind." in stands(tmp_path, path)

    async def test_outside_of_sams_folder_nothing_is_changed(self, tmp_path: Path) -> None:
        write(tmp_path, "Projects/luna.md", "due in May\n")
        write(tmp_path, "Sam/soul.md", "# Soul\n")
        write(tmp_path, "Sam/MEMORY.md", "due in May\n")
        async with opened(tmp_path, sam_dir="Sam") as memory:
            tools = MemoryTools(memory)
            with pytest.raises(PathRefused, match="owner's own note"):
                await tools.edit_memory("Projects/luna.md", "May", "June")
            assert "Sam/MEMORY.md" in await tools.edit_memory("MEMORY.md", "May", "June")
        assert stands(tmp_path, "Projects/luna.md") == "due in May\n"
        assert stands(tmp_path, "Sam/MEMORY.md") == "due in June\n"

    async def test_what_is_taken_out_is_kept_in_the_archive(self, tmp_path: Path) -> None:
        write(tmp_path, "knowledge/preference.md", FACTS)
        async with opened(tmp_path) as memory:
            tools = MemoryTools(memory)
            await tools.edit_memory(
                "knowledge/preference.md", "- Drinks Lapsang tea (updated:: 2026-01-03)", ""
            )
            assert "I have nothing about that" in await tools.search_memory("Lapsang")
        line = FACTS.splitlines()[3]
        assert line not in stands(tmp_path, "knowledge/preference.md")
        assert stands(tmp_path, "archive/knowledge/preference.md") == line + "\n"

    async def test_a_missing_note_is_not_made(self, tmp_path: Path) -> None:
        async with opened(tmp_path) as memory:
            with pytest.raises(NoteMissing):
                await MemoryTools(memory).edit_memory("new.md", "x", "y")
        assert not (tmp_path / "vault" / "new.md").exists()


class TestTasks:
    @pytest.mark.parametrize("action", ["add", "complete", "list"])
    async def test_private_as_a_whole_they_are_neither_told_nor_changed(
        self, tmp_path: Path, action: Any
    ) -> None:
        page = "---\nprivacy: sensitive\n---\n- [ ] See the doctor 🆔 abc123\n"
        write(tmp_path, "tasks.md", page)
        async with opened(tmp_path) as memory:
            with pytest.raises(PathRefused, match="is private"):
                await MemoryTools(memory).manage_tasks(action, "Buy milk", id="abc123")
        assert stands(tmp_path, "tasks.md") == page

    async def test_a_day_without_a_time_is_no_reminder(self, tmp_path: Path) -> None:
        page = "- [ ] Pay (@2026-03-01)\n- [ ] Call Bo (@2026-03-01 09:00)\n"
        write(tmp_path, "tasks.md", page)
        async with opened(tmp_path) as memory:
            listed = await MemoryTools(memory).manage_tasks("list")
        assert [task.reminder for task in listed.data.tasks] == ["2026-03-01 09:00", ""]

    async def test_a_time_that_is_past_is_told(self, tmp_path: Path) -> None:
        """A model may take the wrong year, or the morning for the evening."""
        async with opened(tmp_path) as memory:
            tools = MemoryTools(memory)
            today = memory.today()
            for due, past in ((f"{today} 00:00", True), ("2099-01-01 09:00", False)):
                added = await tools.manage_tasks("add", f"Call {past}", due=due)
                moved = await tools.manage_tasks("postpone", f"Call {past}", due=due)
                assert ("is past" in added, "is past" in moved) == (past, past)

    async def test_add_list_complete(self, tmp_path: Path) -> None:
        async with opened(tmp_path) as memory:
            tools = MemoryTools(memory)
            added = await tools.manage_tasks("add", "Pay the rent", "high", "2026-03-01")
            (line,) = [row for row in stands(tmp_path, "tasks.md").splitlines() if "rent" in row]
            assert "no reminder is sent" in added
            timed = await tools.manage_tasks("add", "Call Bo", due="2026-03-01 09:00")
            assert "Call Bo" in timed and "no reminder" not in timed
            await tools.manage_tasks("cancel", "Call Bo")
            listed = await tools.manage_tasks("list")
            name = re.search(r"🆔 (\w{6})", line)
            assert name and name[1] in added and name[1] in listed
            assert "rent" in await tools.search_memory("rent")
            assert await tools.manage_tasks("complete", id=name[1]) == "Done."
            assert await tools.manage_tasks("complete", id=name[1]) == "It is done already."
            assert await tools.manage_tasks("list") == "No open tasks."
        assert line == f"- [ ] Pay the rent 🆔 {name[1]} ⏫ ➕ 2026-02-12 📅 2026-03-01"
        assert line.replace("[ ]", "[x]") + " ✅ 2026-02-12" in stands(tmp_path, "tasks.md")

    async def test_by_its_exact_text_and_never_by_a_part(self, tmp_path: Path) -> None:
        write(tmp_path, "tasks.md", "- [ ] Call Ana\n- [ ] Call Ana about the flat\n")
        async with opened(tmp_path) as memory:
            tools = MemoryTools(memory)
            with pytest.raises(EditRefused):
                await tools.manage_tasks("complete", "Call")
            await tools.manage_tasks("complete", "Call Ana")
        assert stands(tmp_path, "tasks.md") == (
            "- [x] Call Ana ✅ 2026-02-12\n- [ ] Call Ana about the flat\n"
        )

    async def test_a_time_of_day_and_the_plugins_filter(self, tmp_path: Path) -> None:
        settings = tmp_path / "vault/.obsidian/plugins/obsidian-tasks-plugin/data.json"
        settings.parent.mkdir(parents=True)
        settings.write_text(json.dumps({"globalFilter": "#task"}))
        async with opened(tmp_path) as memory:
            await MemoryTools(memory).manage_tasks("add", "Call Ana", due="2026-03-01 09:00")
        assert "- [ ] Call Ana (@2026-03-01 09:00) #task 🆔 " in stands(tmp_path, "tasks.md")

    @pytest.mark.parametrize(
        "call",
        [
            {"action": "add", "text": " "},
            {"action": "add", "text": "x", "due": "tomorrow"},
            {"action": "add", "text": "x", "priority": "urgent"},
            {"action": "complete", "id": "none"},
            {"action": "complete"},
        ],
    )
    async def test_what_is_not_understood_is_refused(
        self, tmp_path: Path, call: dict[str, Any]
    ) -> None:
        write(tmp_path, "tasks.md", "- [ ] Call Ana\n")
        async with opened(tmp_path) as memory:
            with pytest.raises(EditRefused):
                await MemoryTools(memory).manage_tasks(**call)
        assert stands(tmp_path, "tasks.md") == "- [ ] Call Ana\n"

    async def test_private_tasks_are_neither_listed_nor_named_nor_done(
        self, tmp_path: Path
    ) -> None:
        text = "- [ ] Fetch lithium #sam/sensitive 🆔 k1k1k1\n- [ ] Call Ana 🆔 k2k2k2\n"
        write(tmp_path, "tasks.md", text)
        async with opened(tmp_path) as memory:
            tools = MemoryTools(memory)
            assert "lithium" not in await tools.manage_tasks("list")
            for call in ({"id": "k1k1k1"}, {"text": "nothing"}):
                with pytest.raises(EditRefused) as refused:
                    await tools.manage_tasks("complete", **call)
                assert "lithium" not in str(refused.value)
        assert stands(tmp_path, "tasks.md") == text


class TestSkills:
    async def test_by_name_file_and_folder(self, tmp_path: Path) -> None:
        write(tmp_path, "skills/c.md", "---\nname: Cooking\ndescription: How\n---\nStir well.\n")
        write(tmp_path, "skills/travel/SKILL.md", "# Travel\n\nPack light.\n")
        write(tmp_path, "skills/quiet.md", "The PIN is 1234 #sam/sensitive\n\nWhisper.\n")
        async with opened(tmp_path) as memory:
            tools = MemoryTools(memory)
            [quiet] = [s for s in await skills.listing(memory.vault) if s.name == "quiet"]
            assert quiet.description == "Whisper."
            assert await tools.read_skill("cooking") == "Stir well."
            assert await tools.read_skill("c") == "Stir well."
            assert await tools.read_skill("travel") == "# Travel\n\nPack light."
            with pytest.raises(NoteMissing, match="there are Cooking, quiet, travel"):
                await tools.read_skill("../soul")

    @pytest.mark.parametrize("sam_dir", ["", "Sam"])
    async def test_the_folder_may_be_upper_case(self, tmp_path: Path, sam_dir: str) -> None:
        folder = paths.join(sam_dir, "Skills")
        write(tmp_path, f"{folder}/cook.md", "Stir well.\n")
        write(tmp_path, f"{folder}/travel/SKILL.md", "Pack light.\n")
        async with opened(tmp_path, sam_dir=sam_dir) as memory:
            known = [skill.path for skill in await skills.listing(memory.vault)]
            assert await MemoryTools(memory).read_skill("cook") == "Stir well."
        assert known == [f"{folder}/cook.md", f"{folder}/travel/SKILL.md"]

    async def test_what_is_no_skill_is_passed_over(self, tmp_path: Path) -> None:
        for path in ("skills/two/SKILL.md", "skills/two.md", "skills/one.md", "a.md", "b/SKILL.md"):
            write(tmp_path, path, f"This is {path}.\n")
        write(tmp_path, "skills/x.md/SKILL.md", "In a folder with a note's name.\n")
        write(tmp_path, "skills/.hidden/SKILL.md", "hidden\n")
        write(tmp_path, "skills/.hidden.md", "hidden\n")
        write(tmp_path, "skills/files/notes.txt", "no skill\n")
        write(tmp_path, "sealed/SKILL.md", "shut\n")
        (tmp_path / "outside").mkdir()
        (tmp_path / "outside" / "SKILL.md").write_text("outside\n")
        folder = tmp_path / "vault" / "skills"
        (folder / "inside.md").symlink_to("../a.md")
        (folder / "way").symlink_to("../b")
        for name, target in (("out", "../../outside"), ("shut", "../sealed"), ("lost", "nowhere")):
            (folder / name).symlink_to(target)
            (folder / f"{name}.md").symlink_to(f"{target}/SKILL.md")
        os.mkfifo(folder / "pipe.md")
        async with opened(tmp_path) as memory:
            known = [(skill.name, skill.path) for skill in await skills.listing(memory.vault)]
            found = await skills.find(memory.vault, "two")
        assert known == [
            ("inside", "skills/inside.md"),
            ("one", "skills/one.md"),
            ("two", "skills/two/SKILL.md"),
            ("two", "skills/two.md"),
            ("way", "skills/way/SKILL.md"),
            ("x.md", "skills/x.md/SKILL.md"),
        ]
        assert found is not None and found.path == "skills/two/SKILL.md"

    async def test_private_ones_are_unknown(self, tmp_path: Path) -> None:
        write(tmp_path, "skills/x.md", "---\nprivacy: sealed\n---\nzebra\n")
        async with opened(tmp_path) as memory:
            with pytest.raises(NoteMissing, match="none yet"):
                await MemoryTools(memory).read_skill("x")


@pytest.mark.parametrize(
    ("tool", "given", "named"),
    [
        ("search_memory", {"query": "x" * (arguments.LINE + 1)}, "query"),
        ("get_memory", {"path": "x" * (arguments.NAME + 1)}, "path"),
        ("save_memory", {"content": "tea", "source": "x" * (arguments.NAME + 1)}, "source"),
        ("edit_memory", {"path": "MEMORY.md", "old": "tea", "new": "x" * 1_000_000}, "new"),
        ("edit_memory", {"path": "MEMORY.md", "old": "x" * 1_000_000, "new": ""}, "old"),
        ("manage_tasks", {"action": "add", "text": "x" * 1_000_000}, "text"),
        ("manage_tasks", {"action": "add", "text": "tea", "due": "1" * 1_000_000}, "due"),
        ("read_skill", {"name": "x" * (arguments.NAME + 1)}, "name"),
    ],
    ids=lambda value: str(value)[:40],
)
async def test_no_text_of_a_caller_is_longer_than_its_limit(
    tmp_path: Path, tool: str, given: dict[str, Any], named: str
) -> None:
    async with opened(tmp_path) as memory:
        write(tmp_path, "MEMORY.md", "- tea\n")
        before = {path: path.read_bytes() for path in (tmp_path / "vault").rglob("*.md")}
        with pytest.raises(SamError, match=rf"^`{named}` is too long \([\d,]+ characters\)"):
            await getattr(MemoryTools(memory), tool)(**given)
        assert {path: path.read_bytes() for path in before} == before


def test_each_tool_describes_itself_and_its_arguments() -> None:
    for name in TOOLS:
        method = getattr(MemoryTools, name)
        assert method.__doc__ and method.__doc__.strip().endswith((".", "!"))
        hints = method.__annotations__
        assert hints.pop("return").startswith("ToolResult[results.")
        for hint in hints.values():
            assert "Field(description=" in hint
    search = MemoryTools.search_memory.__doc__ or ""
    for trigger in (
        "start of a conversation",
        "as we discussed",
        "preferences, plans, deadlines, people, home or work",
        "Unsure: search first",
        '"the project"',
        "expect you to know",
    ):
        assert trigger in " ".join(search.split())


async def test_the_sdks_take_the_methods_as_they_are(tmp_path: Path) -> None:
    from anthropic import beta_async_tool

    async with opened(tmp_path) as memory:
        tools = MemoryTools(memory)
        made = {name: beta_async_tool(getattr(tools, name)).to_dict() for name in TOOLS}
    assert made["search_memory"]["input_schema"]["required"] == ["query"]
    TypeAdapter(dict[str, Any]).validate_python(made)
