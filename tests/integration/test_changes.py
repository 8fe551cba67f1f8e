"""The daily list of new memories, /changes and /undo, and their buttons."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.assistant import Assistant
from bot.assistant.job_requests import no_jobs
from bot.assistant.jobs import JOBS
from bot.assistant.learned_list import LOGGED
from memory.core import Memory
from memory.knowledge import Decision
from memory.summaries.draft import DraftBullet, SummaryDraft, SummaryRequest
from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import ANA, FakeTelegram, Person, Sent
from tests.support.buttons import buttons, press
from tests.support.homes import Home
from tests.support.knowledge import ScriptedDecisions, facts_of, ids_of, learn_facts
from tests.support.memories import Clock, log_exchange
from tests.support.notifications import NotificationRecorder
from tests.support.telegram import claude, quick, sam, telegram

__all__ = ["claude", "quick", "telegram"]

JOB = next(job for job in JOBS if job.name == "changes")
EVENING = datetime(2026, 2, 12, 20, 0, tzinfo=UTC)


class Listing:
    """The owner's assistant, its clock, and the messages it sends unprompted."""

    def __init__(self, profile: Assistant, clock: Clock) -> None:
        self.profile, self.clock, self.notified = profile, clock, NotificationRecorder()
        self.memory: Memory = profile.memory

    async def at(self, when: datetime) -> list[str]:
        """Return what the job sends at that time."""
        self.clock.now, before = when, len(self.notified.texts)
        if await JOB.due(self.profile):
            await JOB.run(self.profile, self.notified.notify)
        return self.notified.texts[before:]

    def labels(self) -> list[str]:
        return [button.label for row in self.notified.arguments[-1]["keyboard"] for button in row]


@asynccontextmanager
async def listing(folder: Path, **given: Any) -> AsyncIterator[Listing]:
    home = Home(folder)
    home.write("soul.md", "# Soul\n")
    clock = Clock(EVENING - timedelta(hours=8))
    async with AsyncExitStack() as stack:
        profile = await Assistant.open(home.settings(**given), stack, poke=no_jobs, clock=clock)
        it = Listing(profile, clock)
        assert await it.at(clock.now) == []  # as at each start
        yield it


async def test_once_a_day_it_lists_what_was_learned_and_says_nothing_on_other_days(
    tmp_path: Path,
) -> None:
    async with listing(tmp_path) as it:
        await learn_facts(it.memory, "My rent is 900 euros", "I own a *red* cat")
        assert await it.at(EVENING - timedelta(minutes=1)) == []
        [said] = await it.at(EVENING)
        assert said.startswith("**What I learned** · 4 lines\n\n1. ➕ My rent is 900 euros")
        assert r"2. ➕ I own a \*red\* cat · knowledge/biographical.md" in said
        assert it.labels()[:4] == ["Keep 1", "Fix 1", "Forget 1", "Undo 1"]
        assert await it.at(EVENING + timedelta(minutes=5)) == []
        assert await it.at(EVENING + timedelta(days=1)) == []
        tomorrow = EVENING + timedelta(days=1, hours=1)
        it.clock.now = tomorrow
        vault = it.memory.vault.root.parent
        rent = ids_of(vault)[0]
        await learn_facts(it.memory, "My rent is 950 euros", decide=supersedes(rent))
        await it.memory.knowledge.retire(ids_of(vault)[1], reason="wrong")
        [said] = await it.at(EVENING + timedelta(days=2))
        assert "✏️ My rent is 950 euros (before: My rent is 900 euros)" in said
        assert r"➖ ~~I own a \*red\* cat~~" in said


def supersedes(old: str) -> ScriptedDecisions:
    return ScriptedDecisions(Decision("update", old))


async def test_it_waits_for_the_morning_where_the_time_is_a_quiet_one(tmp_path: Path) -> None:
    async with listing(tmp_path, changes_at="23:30") as it:
        await learn_facts(it.memory, "I own a cat")
        night = EVENING.replace(hour=23, minute=30)
        assert await it.at(night) == []
        assert await it.at(night + timedelta(hours=7)) == []  # 6:30
        assert len(await it.at(night + timedelta(hours=8, minutes=30))) == 1
        assert await it.at(night + timedelta(hours=9)) == []


async def test_after_a_clock_that_was_wrong_it_lists_again(tmp_path: Path) -> None:
    async with listing(tmp_path, changes_at="20:00") as it:
        assert await it.at(EVENING + timedelta(days=900)) == []
        assert await it.at(EVENING + timedelta(days=1)) == []
        it.clock.forward(minutes=1)
        await learn_facts(it.memory, "I'm tall")
        assert len(await it.at(EVENING + timedelta(days=2))) == 1


async def test_without_a_time_there_is_no_list(tmp_path: Path) -> None:
    async with listing(tmp_path, changes_at="off") as it:
        await learn_facts(it.memory, "I own a cat")
        assert await it.at(EVENING + timedelta(hours=1)) == []


async def test_a_private_line_is_named_without_its_words_and_the_log_keeps_no_line(
    tmp_path: Path,
) -> None:
    async with listing(tmp_path) as it:
        pills = "Takes pills against gout"
        await it.memory.knowledge.save(pills, "biographical", sensitive=True)
        [said] = await it.at(EVENING)
        assert "gout" not in said and "a private line" in said
        assert it.notified.arguments[-1]["logged"] == LOGGED


async def test_a_long_list_goes_on_behind_more(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        memory = it.profiles["owner"].memory
        await learn_facts(memory, *(f"I own {number} red cats" for number in range(3, 9)))
        shown = await telegram.asks("/changes")
        assert "8\\. " in shown.text or "8. " in shown.text
        assert "… and 4 more" in shown.text and list(buttons(shown))[-1] == "More"
        await press(telegram, shown, "More")
        edited = (await telegram.wait_for(lambda fake: fake.edited))[-1]
        assert "Keep 9" in buttons(edited) and "Keep 8" not in buttons(edited)


async def test_each_line_is_kept_fixed_and_undone_by_its_buttons(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        memory = it.profiles["owner"].memory
        await learn_facts(memory, "My rent is 900 euros", "I own a cat called Tom")
        shown = await telegram.asks("/changes")
        assert await press(telegram, shown, "Keep 1") == "Kept."
        kept = (await telegram.wait_for(lambda fake: fake.edited))[-1]
        assert "1. ✓ My rent is 900 euros" in kept.text and "Keep 1" not in buttons(kept)
        assert list(buttons(kept))[:4] == ["Keep 2", "Fix 2", "Forget 2", "Undo 2"]
        await press(telegram, kept, "Fix 2")
        said = (await telegram.wait_sent(2))[-1]
        assert "knowledge/biographical.md:" in said.text and "a cat called Tom" in said.text
        await press(telegram, kept, "Undo 2")
        asks = (await telegram.wait_sent(3))[-1]
        assert "remove “I own a cat called Tom”" in asks.text
        assert await press(telegram, asks, "Undo it") == "Undone."
        assert [row.split(" (")[0] for row in facts_of(tmp_path)] == ["- My rent is 900 euros"]
        done = (await telegram.wait_for(lambda fake: len(fake.edited) > 1 and fake.edited))[-1]
        assert await press(telegram, done, "Redo") == "Redone."
        assert len(facts_of(tmp_path)) == 2
    assert claude.requests == [], "no model was asked"


async def test_a_fact_is_pinned_by_its_button_and_can_still_be_undone(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        memory = it.profiles["owner"].memory
        await learn_facts(memory, "My rent is 900 euros")
        await telegram.asks("/remember the fuse box is in the hall")
        shown = await telegram.asks("/changes")
        assert "fuse box" in shown.text and "Forget 2" in buttons(shown)
        labels = [label for label in buttons(shown) if label.startswith("Pin")]
        assert labels == ["Pin 1"], "no line of MEMORY.md, and none of the day"
        assert "only you can" in await press(telegram, shown, "Pin 1")
        pinned = (await telegram.wait_for(lambda fake: fake.edited))[-1]
        assert "1. ✓ My rent is 900 euros" in pinned.text
        [row] = facts_of(tmp_path)
        assert row.startswith("- My rent is 900 euros (updated::") and "#sam/pinned" in row
        [known] = await memory.knowledge.facts()
        assert known.fact.pinned
        again = await telegram.asks("/changes")
        assert "only you can" in await press(telegram, again, "Pin 1")
        assert facts_of(tmp_path) == [row], "pinned twice is pinned once"
        assert "My rent" in (await press_and_read(telegram, again, "Undo 1")).text


class ToDo:
    """Implement `Summarise`: each of the owner's messages becomes a task."""

    mark = ""

    async def __call__(self, request: SummaryRequest) -> SummaryDraft:
        bullets = [
            DraftBullet(text=message.text, messages=[number], action=True)
            for number, message in enumerate(request.messages, 1)
            if message.role == "user"
        ]
        return SummaryDraft(summary="What is to be done", bullets=bullets)


async def test_what_is_to_be_done_becomes_a_task_by_its_button(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        memory = it.profiles["owner"].memory
        await learn_facts(memory, "I own a cat")
        await log_exchange(memory, "book the van by 2026-02-20", "I see.")
        await log_exchange(memory, "return the ladder", "I see.")
        await memory.summarise(ToDo(), reason="command")
        shown = await telegram.asks("/changes")
        labels = [label for label in buttons(shown) if label.startswith("Task ")]
        assert len(labels) == 2 and "Task 1" not in labels, "a fact is no task"
        for label in labels:
            assert "tasks.md" in await press(telegram, shown, label)
        rows = (tmp_path / "vault/tasks.md").read_text("utf-8").splitlines()
        van, ladder = (row for row in rows if row.startswith("- [ ] "))
        assert "book the van by 2026-02-20" in van and "📅 2026-02-20" in van
        assert "return the ladder" in ladder and "📅" not in ladder
        again = await telegram.asks("/changes")
        await press(telegram, again, labels[0])
        after = (tmp_path / "vault/tasks.md").read_text("utf-8")
        assert after.splitlines() == rows, "an open task is not added twice"


async def press_and_read(telegram: FakeTelegram, shown: Sent, label: str) -> Sent:
    count = len(telegram.sent)
    await press(telegram, shown, label)
    return (await telegram.wait_sent(count + 1))[-1]


async def test_a_line_of_a_day_is_undone_alone_and_not_written_again(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        memory = it.profiles["owner"].memory
        await learn_facts(memory, "My rent is 900 euros", "I own a cat called Tom")
        shown = await telegram.asks("/changes")
        await press(telegram, shown, "Undo 4")
        await press(telegram, (await telegram.wait_sent(2))[-1], "Undo it")
        day = (memory.vault.root / "memories" / "2026-02-12.md").read_text("utf-8")
        assert "- My rent is 900 euros" in day and "Tom" not in day
        assert len(facts_of(tmp_path)) == 2, "the fact of the same words is another line"
        assert await memory.log.forgetting.with_tombstone(["I own a cat called Tom"])
        last = await memory.history.last()
        assert last is not None and last.what == "took a line back"
        await memory.history.undo(last.key)
        assert not await memory.log.forgetting.with_tombstone(["I own a cat called Tom"])


async def test_the_lines_of_notes_that_the_owner_renamed_are_listed_and_undone_there(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        memory = it.profiles["owner"].memory
        await learn_facts(memory, "My rent is 900 euros", "I own a cat called Tom")
        root = memory.vault.root
        (root / "knowledge" / "biographical.md").rename(root / "knowledge" / "Me.md")
        (root / "memories" / "2026-02-12.md").rename(day := root / "memories" / "A good day.md")
        shown = await telegram.asks("/changes")
        assert shown.text.count("· knowledge/Me.md") == shown.text.count("A good day.md") == 2
        await press(telegram, shown, "Undo 4")
        await press(telegram, (await telegram.wait_sent(2))[-1], "Undo it")
        rows = day.read_text("utf-8").splitlines()
        assert "- My rent is 900 euros" in rows and "- I own a cat called Tom" not in rows
        (root / "knowledge" / "Me.md").unlink()
        assert "knowledge/" not in (await telegram.asks("/changes")).text


async def test_forget_lists_everything_about_the_line(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        memory = it.profiles["owner"].memory
        await learn_facts(memory, "My landlord is called Rumpelstiltskin")
        shown = await telegram.asks("/changes")
        await press(telegram, shown, "Forget 1")
        asks = (await telegram.wait_sent(2))[-1]
        assert "my answer to it" in asks.text
        await press(telegram, asks, next(each for each in buttons(asks) if "Forget" in each))
        await telegram.wait_for(lambda fake: fake.edited)
        assert facts_of(tmp_path) == [] and await memory.history.changes() == []


async def test_the_date_before_a_line_of_memory_is_none_of_the_words_to_forget(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path):
        await telegram.asks("/remind 12 February 2026 21:00 dentist")
        await telegram.asks("/remember the cat likes fish")
        await press(telegram, await telegram.asks("/tasks"), "✓ 1")
        shown = await telegram.asks("/changes")
        asks = await press_and_read(telegram, shown, "Forget 1")
        assert "“/remember the cat likes fish”" in asks.text
        assert "dentist" not in asks.text, "a task of the same day has nothing to do with it"


async def test_undo_shows_the_last_change_and_does_it_when_that_is_confirmed(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        assert (await telegram.asks("/undo")).text.startswith("There is nothing to undo")
        memory, file = it.profiles["owner"].memory, it.profiles["owner"].memory.vault.root
        claude.calls("save_memory", {"content": "Ana likes green tea", "source": "owner"})
        claude.responds_with("I have written it down.")
        await telegram.asks("Remember that Ana likes green tea")
        saved = (file / "MEMORY.md").read_text("utf-8")
        shown = await telegram.asks("/undo")
        assert "I wrote down what was to be remembered" in shown.text
        assert "because you wrote: “Remember that Ana likes green tea”" in shown.text
        assert "Ana likes green tea” (MEMORY.md)" in shown.text
        assert await press(telegram, shown, "Leave it") == ""
        assert (file / "MEMORY.md").read_text("utf-8") == saved
        shown = await telegram.asks("/undo")
        assert await press(telegram, shown, "Undo it") == "Undone."
        assert "green tea" not in (file / "MEMORY.md").read_text("utf-8")
        assert "green tea" not in str([each.read_text("utf-8") for each in file.rglob("*.md")])
        listed = await telegram.asks("/undo list")
        assert "(undone)" in listed.text.replace("\\", "")
        await press(telegram, listed, "1")
        again = (await telegram.wait_sent(6))[-1]
        assert await press(telegram, again, "Redo") == "Redone."
        assert (file / "MEMORY.md").read_text("utf-8") == saved
        assert len(await memory.history.changes()) == 1
        await telegram.asks("/remember Ana likes plums")
        assert "plums" in (await telegram.asks("/undo")).text
        second = (await telegram.asks("/undo 2")).text
        assert "green tea" in second and "plums" not in second, "as in the list"
        for words in ("3", "the tea", "9" * 4000):
            assert (await telegram.asks(f"/undo {words}")).text == (
                (await telegram.asks("/undo list")).text
            )


async def test_what_was_changed_is_named_in_the_owners_language_by_its_new_words(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    german = Person(ANA.id, "Ana", language_code="de")
    async with sam(telegram, claude, tmp_path):
        await telegram.asks("/remember Clara mag grünen Tee", user=german)
        new = {"path": "MEMORY.md", "old": "grünen Tee", "new": "schwarzen Tee"}
        claude.calls("edit_memory", {**new, "reason": "gesagt"}, then="Geändert.")
        await telegram.asks("Doch lieber schwarzen Tee", user=german)
        listed = (await telegram.asks("/undo list", user=german)).text
        assert ": Ich habe eine Notiz berichtigt: 2026-02-12: Clara mag schwarzen Tee" in listed
        assert ": Ich habe aufgeschrieben, was ich mir merken sollte: 2026-02-12" in listed
        shown = await telegram.asks("/undo", user=german)
        assert "Ich habe eine Notiz berichtigt**" in shown.text
        assert " I " not in listed + shown.text


@pytest.mark.parametrize("time", ["25:00", "8 pm", "20.00"])
def test_a_time_that_is_none_is_refused(tmp_path: Path, time: str) -> None:
    with pytest.raises(Exception, match="a time of day like 20:00"):
        Home(tmp_path).settings(changes_at=time)


async def test_what_the_night_merged_is_listed_and_undone_as_one_by_its_button(
    tmp_path: Path,
) -> None:
    note = "---\ncreated: 2026-02-0{0}\nauthor: Sam\nkind: log\n---\n\n# Bird {0}\n\n- okapi{0}\n"
    async with listing(tmp_path) as it:
        home = Home(tmp_path)
        rows = [f"- Saw bird {n} (updated:: 2026-02-01) (kind:: log) ^bird{n}" for n in (1, 2)]
        home.write("knowledge/log.md", "# Log\n\n" + "\n".join(rows) + "\n")
        for number in (1, 2):
            home.write(f"notes/Bird {number}.md", note.format(number))
        names = ("knowledge/log.md", "notes/Bird 1.md", "notes/Bird 2.md")
        files = [home.vault / name for name in names]
        before = [file.read_bytes() for file in files]
        it.memory.changed(names)
        assert (await it.memory.knowledge.maintain()).merged == 4
        [said] = await it.at(EVENING)
        assert " to 2026-02-01: Saw bird 1; Saw bird 2 · knowledge/contextual.md" in said
        assert "➖ ~~Saw bird 1~~" in said and "➖ ~~Saw bird 2~~" in said
        assert "➕ Log 2026-02-01 to 2026-02-02 · notes/Log 2026-02-01 to 2026-02-02.md" in said
        start = it.clock.now - timedelta(days=1)
        found = await it.memory.history.learned(start, it.clock.now)
        [merged] = [each for each in found if each.text.startswith("Log 2026")]
        await it.memory.history.revert_line(merged)
        assert [file.read_bytes() for file in files] == before
        assert (await it.memory.knowledge.maintain()).merged == 0
