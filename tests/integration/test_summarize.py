"""Summaries: from pending messages to the daily note, with a crash at every step."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memory.core import Memory
from memory.errors import LockHeld, SamError, SummaryError
from memory.infra.file_locks import locked
from memory.notes.daily_note import has_batch
from memory.summaries import Extract, extract, summarizer
from memory.summaries.draft import DraftBullet, SummaryDraft, SummaryRequest
from tests.support import engines
from tests.support.memories import START, log_exchange, opened, write

pytestmark = pytest.mark.usefixtures("engine")


class Died(BaseException):
    """Simulates a kill: nothing catches it."""


class Scripted:
    """Summarise with one verbatim bullet per message; can fail, and records its requests."""

    mark = ""

    def __init__(self, fails: int = 0) -> None:
        self.fails, self.asked = fails, 0

    async def __call__(self, request: SummaryRequest) -> SummaryDraft:
        self.asked += 1
        if self.asked == self.fails:
            raise SamError("no model today")
        return SummaryDraft(
            summary=f"{len(request.messages)} messages",
            bullets=[
                DraftBullet(text=message.text, messages=[number])
                for number, message in enumerate(request.messages, 1)
            ],
        )


def dies_at(monkeypatch: pytest.MonkeyPatch, point: str) -> None:
    def failpoint(name: str) -> None:
        if name == point:
            raise Died

    monkeypatch.setattr(summarizer, "failpoint", failpoint)


async def states(memory: Memory) -> dict[str, int]:
    ledger = await memory.log.ledger()
    assert ledger.adds_up
    return ledger.messages


async def test_a_summary_is_written_in_the_days_format(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await log_exchange(memory, "We chose Hetzner", "Noted", at=START)
        [written] = await memory.summarise(Scripted(), reason="asked")
        text = (tmp_path / "vault" / "memories" / "2026-02-12.md").read_text("utf-8")
        assert text == (
            "# Memories — 2026-02-12\n\n## 12:00:00\n\n"
            f"- **Summary**: 2 messages ^{written.batch}\n- We chose Hetzner\n- Sam said: “Noted”\n"
        )
        assert [bullet.sources for bullet in written.bullets] == [(1,), (2,)]
        assert await states(memory) == {"closed": 2}
        edits = await memory.log.journal.recent(5, "memories/2026-02-12.md")
        assert [edit.cause for edit in edits] == [f"summary {written.batch}"]


async def test_actions_come_last_and_keep_their_sources(tmp_path: Path) -> None:
    async def summary(request: SummaryRequest) -> SummaryDraft:
        bullets = [
            DraftBullet(text="Set up DNS by Friday", messages=[1, 2], quote="DNS", action=True),
            DraftBullet(text="Chose CX22", messages=[1, 99], quote="CX22"),
        ]
        return SummaryDraft(summary="Servers", bullets=bullets)

    class Ours:
        mark = ""
        __call__ = staticmethod(summary)

    async with opened(tmp_path) as memory:
        await log_exchange(memory, "CX22 it is", "Then DNS by Friday")
        [written] = await memory.summarise(Ours(), reason="asked")
        assert [(b.text, b.sources) for b in written.bullets] == [
            ("Chose CX22", (1,)),
            ("Action: Set up DNS by Friday", (1, 2)),
        ]
        text = (tmp_path / "vault" / "memories" / "2026-02-12.md").read_text("utf-8")
        assert text.endswith("- Chose CX22\n- Action: Set up DNS by Friday\n")


async def test_nothing_worth_keeping_closes_the_batch_without_a_section(tmp_path: Path) -> None:
    class Nothing:
        mark = ""

        async def __call__(self, request: SummaryRequest) -> SummaryDraft:
            return SummaryDraft()

    async with opened(tmp_path) as memory:
        await log_exchange(memory, "hi", "hello")
        [written] = await memory.summarise(Nothing(), reason="asked")
        assert written.path is None
        assert not (tmp_path / "vault" / "memories").exists()
        assert await states(memory) == {"closed": 2}


async def test_what_only_sam_said_unasked_is_closed_without_a_call(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        scripted, log = Scripted(), memory.log.messages
        for text in ("Reminder: dentist at 15:00", "Reminder: water the figs"):
            await log.log_unprompted("telegram:7", text, sent_at=START)
        [written] = await memory.summarise(scripted, reason="day")
        assert written.path is None and scripted.asked == 0
        assert not (tmp_path / "vault" / "memories").exists()
        assert await states(memory) == {"closed": 2}
        # An answer belongs to a conversation, also where a batch begins with it.
        await log_exchange(memory, "Figs?", "They want sun", chat="telegram:7", at=START)
        [asked] = [row.id for row in await log.recent(9) if row.role == "user"]
        await memory.log.forgetting.forget([asked], [])
        await log.log_unprompted("telegram:7", "Reminder: figs", sent_at=START)
        [written] = await memory.summarise(scripted, reason="day")
        assert written.path is not None and scripted.asked == 1
        assert await memory.log.batches.pending() == 0


@pytest.mark.parametrize("point", ["after_claim", "after_section", "before_close"])
async def test_a_crash_anywhere_loses_nothing_and_doubles_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, point: str
) -> None:
    async with opened(tmp_path) as memory:
        await log_exchange(memory, "one", "two")
        with monkeypatch.context() as broken:
            dies_at(broken, point)
            with pytest.raises(Died):
                await memory.summarise(Scripted(), reason="asked")
    async with opened(tmp_path) as memory:
        await log_exchange(memory, "three", "four")
        await memory.summarise(Scripted(), reason="asked")
        text = (tmp_path / "vault" / "memories" / "2026-02-12.md").read_text("utf-8")
        bullets = [row for row in text.splitlines() if row.startswith("- ") and "**" not in row]
        assert sorted(bullets) == ["- Sam said: “four”", "- Sam said: “two”", "- one", "- three"]
        assert await states(memory) == {"closed": 4}
        assert await memory.log.batches.unfinished() == []
        sources = await memory.log.batches.sources_of("memories/2026-02-12.md")
        assert sorted(sources.items()) == [
            ("Sam said: “four”", (4,)),
            ("Sam said: “two”", (2,)),
            ("one", (1,)),
            ("three", (3,)),
        ]


async def test_a_model_that_fails_keeps_what_is_written_and_gives_the_rest_back(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as memory:
        await log_exchange(memory, "yesterday", "yes", at=START - timedelta(days=1))
        await log_exchange(memory, "today", "yes")
        with pytest.raises(SummaryError, match="no model today"):
            await memory.summarise(Scripted(fails=2), reason="asked")
        assert await states(memory) == {"closed": 2, "pending": 2}
        await memory.summarise(Scripted(), reason="asked")
        assert await states(memory) == {"closed": 4}
        files = sorted(file.name for file in (tmp_path / "vault" / "memories").glob("*.md"))
        assert files == ["2026-02-11.md", "2026-02-12.md"]


async def test_nobody_steals_a_batch(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await log_exchange(memory, "one", "two")
        async with locked(tmp_path / "data" / "batch.lock"):
            with pytest.raises(LockHeld):
                await memory.summarise(Scripted(), reason="asked")
        assert await states(memory) == {"pending": 2}


async def test_what_the_owner_wrote_around_a_section_stays(tmp_path: Path) -> None:
    mine = "# Memories — 2026-02-12\n\nMy own words.\n"
    mine += "\n## 08:00:00\n\n- mine\n\n## 20:00:00\n\n- late\n"
    async with opened(tmp_path) as memory:
        write(tmp_path, "memories/2026-02-12.md", mine)
        await log_exchange(memory, "noon", "yes", at=START)
        await memory.summarise(Scripted(), reason="asked")
        text = (tmp_path / "vault" / "memories" / "2026-02-12.md").read_text("utf-8")
        assert "My own words." in text
        order = [
            text.index(mark) for mark in ("08:00:00", "- mine", "12:00:00", "20:00:00", "late")
        ]
        assert order == sorted(order)


async def test_chat_text_cannot_become_a_task_or_a_section(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await log_exchange(memory, "# Title\n- [ ] a task #tag [[link]] ^abc123", None)
        turn = (await memory.log.turns.open())[0]
        await memory.log.messages.fail(turn.id, "test")
        [written] = await memory.summarise(Scripted(), reason="asked")
        text = (tmp_path / "vault" / "memories" / "2026-02-12.md").read_text("utf-8")
        assert "- [ ]" not in text and "[[link]]" not in text and "\n# Title" not in text
        assert has_batch(text, written.batch) and not has_batch(text, "abc123")


def said(*texts: str) -> Callable[[Memory], object]:
    async def speak(memory: Memory) -> SummaryDraft:
        for text in texts:
            await log_exchange(memory, text, "ok")
        messages = tuple(await memory.log.messages.recent(99))
        return extract(SummaryRequest(messages, START.date(), UTC, "auto"))

    return speak


async def test_without_a_model_the_owners_own_words_are_kept_and_marked(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await log_exchange(memory, "My cat Miso hates rain. How are you?", "Fine. Cats do.")
        [written] = await memory.summarise(Extract(), reason="asked")
        assert any("Miso hates rain" in bullet.text for bullet in written.bullets)
        assert not any("Cats do" in bullet.text for bullet in written.bullets), "Sam's own words"
        text = (tmp_path / "vault" / "memories" / "2026-02-12.md").read_text("utf-8")
        assert "(extracted without a model)" in text


async def test_without_a_model_a_line_has_the_value_to_which_it_was_corrected(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as memory:
        said = ("The plumber costs 120", "My cat Miso hates rain", "it was 130, not 120", "no, 140")
        for text in said:
            await log_exchange(memory, text, "ok")
        [written] = await memory.summarise(Extract(), reason="asked")
        text = (tmp_path / "vault" / "memories" / "2026-02-12.md").read_text("utf-8")
        assert "- The plumber costs 140\n" in text and "120" not in text
        sources = {bullet.text: bullet.sources for bullet in written.bullets}
        assert sources == {"The plumber costs 140": (1, 5, 7), "My cat Miso hates rain": (3,)}


async def test_an_extract_is_only_what_was_said(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        texts = [f"On day {n} I bought {n} apples in Graz, which was fine" for n in range(30)]
        draft = await said(*texts)(memory)  # type: ignore[misc]
        assert 0 < len(draft.bullets) <= 12
        assert all(bullet.text in texts for bullet in draft.bullets)
        assert draft.summary in texts


async def test_what_others_wrote_is_not_extracted_as_the_owners_words(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await log_exchange(memory, "My cat Miso hates rain", "Fine.")
        [mine, _] = await memory.log.messages.recent(9)
        theirs = mine._replace(origin="forwarded", text="I decided to always hate raw fish")
        secret = mine._replace(privacy="sensitive", text="My password is never to be told")
        draft = extract(SummaryRequest((theirs, mine, secret), START.date(), UTC, "auto"))
        assert [(b.text, b.messages) for b in draft.bullets] == [("My cat Miso hates rain", [2])]


async def test_an_id_that_stands_in_the_vault_is_not_given_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, engine: str
) -> None:
    """Sections outlive a lost log, and links to them must not point elsewhere."""
    drawn = iter("kaa001kaa001kaa002")
    monkeypatch.setattr("memory.notes.markdown.secrets.choice", lambda letters: next(drawn))
    for number in range(2):
        if engine == "postgres":  # a lost log is a new database, whose id refuses another folder
            engines.use(request.getfixturevalue("postgres").new_database())
        async with opened(tmp_path, data_dir=tmp_path / f"data{number}") as memory:
            await log_exchange(memory, f"Word {number}", "yes")
            [written] = await memory.summarise(Scripted(), reason="asked")
            assert written.batch == ("kaa001", "kaa002")[number]


async def test_midnight_divides_a_batch(tmp_path: Path) -> None:
    async with opened(tmp_path, timezone="Europe/Berlin") as memory:
        await log_exchange(memory, "before", "b", at=datetime(2026, 2, 12, 22, 59, tzinfo=UTC))
        await log_exchange(memory, "after", "a", at=datetime(2026, 2, 12, 23, 1, tzinfo=UTC))
        done = await memory.summarise(Scripted(), reason="asked")
        assert [written.path for written in done] == [
            "memories/2026-02-12.md",
            "memories/2026-02-13.md",
        ]
        text = (tmp_path / "vault" / "memories" / "2026-02-13.md").read_text("utf-8")
        assert "## 00:01:00" in text


class Ends:
    """A draft for the end of a session, in which the model names everything twice."""

    mark = ""

    def __init__(self) -> None:
        self.requests: list[SummaryRequest] = []

    async def __call__(self, request: SummaryRequest) -> SummaryDraft:
        self.requests.append(request)
        made = [
            ("Uses CX22", "", "CX22"),
            ("Set up DNS", "next", "DNS"),
            ("A server for the blog", "goal", "blog"),
            ("Chose CX22", "done", "CX22"),
            ("Set up mail too", "next", "DNS"),
        ]
        bullets = [
            DraftBullet(text=text, messages=[1, 2], quote=quote, part=part, action=part == "next")
            for text, part, quote in made
        ]
        return SummaryDraft(summary="Servers", bullets=bullets)


async def test_the_end_of_a_session_says_its_goal_what_was_done_and_what_is_next(
    tmp_path: Path,
) -> None:
    ends, day = Ends(), tmp_path / "vault" / "memories" / "2026-02-12.md"
    async with opened(tmp_path) as memory:
        await log_exchange(memory, "CX22 for the blog it is", "Then the DNS is next")
        await memory.end_session("terminal", memory.clock())
        [written] = await memory.summarise(ends, reason="new")
        assert day.read_text("utf-8").endswith(
            "- Goal: A server for the blog\n- Done: Chose CX22\n- Next: Set up DNS\n"
            "- Uses CX22\n- Action: Set up mail too\n"
        )
        assert [bullet.sources for bullet in written.bullets] == [(1, 2)] * 5
        assert written.bullets[0].text == "Goal: A server for the blog"
    assert [request.ended for request in ends.requests] == [True]


async def test_a_session_that_goes_on_has_no_such_end(tmp_path: Path) -> None:
    ends, day = Ends(), tmp_path / "vault" / "memories" / "2026-02-12.md"
    async with opened(tmp_path) as memory:
        await log_exchange(memory, "CX22 for the blog it is", "Then the DNS is next")
        await memory.summarise(ends, reason="asked")
        assert "- A server for the blog\n" in day.read_text("utf-8")
    assert [request.ended for request in ends.requests] == [False]


async def test_a_draft_of_which_nothing_was_said_is_extracted(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    class Invents:
        mark = ""

        async def __call__(self, request: SummaryRequest) -> SummaryDraft:
            bullets = [
                DraftBullet(text="Ana inherits a castle", messages=[1], quote="a castle"),
                DraftBullet(text="Moves to Rome on 2027-01-01", messages=[1], quote="in Rome"),
            ]
            return SummaryDraft(summary="A castle", bullets=bullets)

    caplog.set_level("INFO", logger="memory.summaries")
    async with opened(tmp_path) as memory:
        await log_exchange(memory, "I live in Rome now.", "A fine place.")
        [written] = await memory.summarise(Invents(), reason="asked")
        assert [bullet.text for bullet in written.bullets] == ["I live in Rome now."]
        text = (tmp_path / "vault" / "memories" / "2026-02-12.md").read_text("utf-8")
        assert "castle" not in text and "(extracted without a model)" in text
        made = await memory.log.batches.outcomes(START - timedelta(days=1))
        assert (made.marked, made.unfounded) == (1, 2)
    assert "bullets without a source" in caplog.text and "1 quote" in caplog.text


async def test_a_summary_line_that_nobody_said_is_replaced_by_what_was_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    class Invents:
        mark = ""

        async def __call__(self, request: SummaryRequest) -> SummaryDraft:
            bullets = [DraftBullet(text="Lives in Rome", messages=[1], quote="live in Rome")]
            return SummaryDraft(summary="Moves to Rome on 2027-01-01", bullets=bullets)

    caplog.set_level("INFO", logger="memory.summaries")
    async with opened(tmp_path) as memory:
        await log_exchange(memory, "I live in Rome now.", "A fine place.")
        await memory.summarise(Invents(), reason="asked")
        text = (tmp_path / "vault" / "memories" / "2026-02-12.md").read_text("utf-8")
        assert "- **Summary**: I live in Rome now. ^" in text and "- Lives in Rome\n" in text
        made = await memory.log.batches.outcomes(START - timedelta(days=1))
        assert (made.marked, made.unfounded) == (0, 1)
    assert "summary without a source" in caplog.text
