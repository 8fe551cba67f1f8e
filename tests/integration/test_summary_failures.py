"""Failing summaries: how often the model is asked again, and what /status says."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.assistant import Assistant
from bot.assistant.job_requests import no_jobs
from bot.assistant.jobs import JOBS
from bot.assistant.status import status_lines
from memory.errors import SummaryError
from memory.log import Said
from memory.log.batches import FIRST_WAIT
from memory.log.imports.claimable import LONGEST_WAIT
from memory.summaries.draft import SummaryDraft, SummaryRequest
from memory.summaries.extractive import Extract
from tests.fakes.claude import FakeClaude
from tests.support.homes import Home
from tests.support.memories import Clock, log_exchange
from tests.support.notifications import must_not_notify

pytestmark = pytest.mark.usefixtures("engine")

NOON = datetime(2026, 2, 12, 12, 0, tzinfo=UTC)
SUMMARISE = next(job for job in JOBS if job.name == "summarise")


@pytest.fixture
async def fake() -> AsyncIterator[FakeClaude]:
    async with FakeClaude.running() as running:
        yield running


@asynccontextmanager
async def opened(folder: Path, fake: FakeClaude, clock: Clock) -> AsyncIterator[Assistant]:
    async with AsyncExitStack() as stack:
        settings = Home(folder).settings(
            anthropic_base_url=fake.url, anthropic_api_key="sk-test", summary_threshold=20
        )
        yield await Assistant.open(settings, stack, clock=clock, poke=no_jobs)


async def test_a_bug_that_one_message_shows_holds_up_no_other_chat(
    tmp_path: Path, fake: FakeClaude
) -> None:
    class Broken(Extract):
        async def __call__(self, request: SummaryRequest) -> SummaryDraft:
            if any("36" in row.text for row in request.messages):
                raise KeyError(36)
            return await super().__call__(request)

    async with opened(tmp_path, fake, Clock(NOON)) as profile:
        for chat, text in (("telegram:7", "36 months"), ("telegram:8", "the otter is here")):
            await log_exchange(profile.memory, text, "Oh.", chat=chat)
        with pytest.raises(SummaryError, match="unexpected KeyError"):
            await profile.memory.summarise(Broken(), reason="asked")
        day = await profile.memory.vault.read(profile.memory.day_path(NOON.date()))
        assert "otter" in day
        assert await profile.memory.log.batches.pending(force=True) == 2, "they are tried again"


async def test_a_days_file_that_cannot_be_read_holds_up_no_other_day(
    tmp_path: Path, fake: FakeClaude
) -> None:
    clock = Clock(NOON)
    fake.summaries(lambda asked: {"summary": "What was said", "bullets": []})
    async with opened(tmp_path, fake, clock) as profile:
        memory = profile.memory
        unreadable = memory.vault.root / memory.day_path(NOON.date())
        unreadable.mkdir(parents=True)
        await log_exchange(memory, "I like quinces.", "Oh.", chat="telegram:7")
        with pytest.raises(SummaryError, match="is no note"):
            await profile.summarise("asked")
        assert fake.requests == [], "it costs no call"
        clock.forward(days=1)
        await log_exchange(memory, "I like otters.", "Oh.", chat="telegram:8")
        with pytest.raises(SummaryError, match="is no note"):
            await profile.summarise("asked")
        assert "What was said" in await memory.vault.read(memory.day_path(clock.now.date()))
        unreadable.rmdir()
        await profile.summarise("asked")
        assert "What was said" in await memory.vault.read(memory.day_path(NOON.date()))


async def test_a_planned_batch_whose_file_cannot_be_read_waits_until_it_can(
    tmp_path: Path, fake: FakeClaude
) -> None:
    """A crash left it: its section may have been written."""

    class Dies(BaseException):
        pass

    async def dies(batch: str) -> None:
        raise Dies

    fake.summaries(lambda asked: {"summary": "What was said", "bullets": []})
    async with opened(tmp_path, fake, Clock(NOON)) as profile:
        memory = profile.memory
        await log_exchange(memory, "I like quinces.", "Oh.")
        with pytest.MonkeyPatch.context() as killed, pytest.raises(Dies):
            killed.setattr(memory.log.batches, "mark_written", dies)
            await profile.summarise("asked")
        day = memory.vault.root / memory.day_path(NOON.date())
        text = day.read_text("utf-8")
        day.unlink()
        day.mkdir()
        await log_exchange(memory, "I like otters.", "Oh.", chat="telegram:8")
        with pytest.raises(SummaryError, match="is no note"):
            await profile.summarise("asked")
        assert (await memory.log.ledger()).messages == {"claimed": 2, "pending": 2}
        day.rmdir()
        day.write_text(text, "utf-8")
        await profile.summarise("asked")
        assert (await memory.log.ledger()).messages == {"closed": 4}
        assert day.read_text("utf-8").count("What was said") == 2


async def say(profile: Assistant, text: str, clock: Clock, chat: str = "telegram:7") -> None:
    """Log a message of the owner in a finished turn, then run the job, as Sam does."""
    clock.forward(seconds=1)
    messages = profile.memory.log.messages
    turn = await messages.begin(Said(f"{chat}{clock.now}", chat, text, clock.now))
    await messages.stop(turn.id)
    await poke(profile)


async def poke(profile: Assistant) -> None:
    if await SUMMARISE.due(profile):
        with contextlib.suppress(SummaryError):  # the scheduler writes it to the log
            await SUMMARISE.run(profile, must_not_notify)


async def test_an_outage_is_asked_again_later_and_later_whatever_is_said_meanwhile(
    tmp_path: Path, fake: FakeClaude
) -> None:
    clock = Clock(NOON)
    fake.fails(401, times=None)  # refused without retries: one call is one request
    async with opened(tmp_path, fake, clock) as profile:
        for number in range(50):
            await say(profile, f"I live at number {number}.", clock)
        assert len(fake.requests) == 1, "51 seconds: within the first wait"
        assert any(
            "a summary failed 1 time; the next try is in" in row
            for row in await status_lines(profile)
        )
    async with opened(tmp_path, fake, clock) as profile:  # a restart does not ask again
        await poke(profile)
        assert len(fake.requests) == 1
        waits, last = [], clock.now
        while len(waits) < 8:
            clock.forward(minutes=1)
            before = len(fake.requests)
            await poke(profile)  # every minute, as the scheduler does
            if len(fake.requests) > before:
                waits.append(clock.now - last)
                last = clock.now
        assert waits[1:] == sorted(waits[1:]) and waits[-1] == LONGEST_WAIT
        fake.recovers()
        fake.summaries(lambda asked: {"summary": "Numbers", "bullets": []})
        clock.forward(hours=1)
        await poke(profile)
        assert await profile.memory.log.batches.retries() == {}
        assert await profile.memory.log.batches.pending(force=True) == 0
        assert not any("failed" in row for row in await status_lines(profile))


async def test_while_sam_does_not_run_no_model_is_down(tmp_path: Path, fake: FakeClaude) -> None:
    """A machine that wakes up has no network for a moment."""
    clock = Clock(NOON)
    fake.fails(401, times=None)
    async with opened(tmp_path, fake, clock) as profile:
        for number in range(20):
            await say(profile, f"I live at number {number}.", clock)
        clock.forward(days=3)
        await poke(profile)
        assert len(fake.requests) == 2
        assert await profile.memory.log.batches.pending(force=True) == 20, "they wait for a model"
        [retry] = (await profile.memory.log.batches.retries()).values()
        assert (retry.failures, retry.since) == (1, clock.now)
        for _ in range(7):
            clock.forward(hours=1)
            await poke(profile)
        assert await profile.memory.log.batches.pending(force=True) == 0, "but not for ever"


async def test_a_failure_while_the_clock_was_wrong_is_tried_again(
    tmp_path: Path, fake: FakeClaude
) -> None:
    """With such a clock every certificate has expired, so that each call fails."""
    clock = Clock(NOON)
    fake.fails(401, times=1)
    fake.summaries(lambda asked: {"summary": "Home", "bullets": []})
    async with opened(tmp_path, fake, clock) as profile:
        for _ in range(19):
            await say(profile, "I live in Rome.", clock)
        clock.forward(days=900)
        await say(profile, "I live in Rome.", clock)
        assert len(fake.requests) == 1
        clock.forward(days=-900)
        await poke(profile)
        assert await profile.memory.log.batches.pending(force=True) == 0


async def test_what_is_left_of_a_day_is_tried_again_before_the_next_midnight(
    tmp_path: Path, fake: FakeClaude
) -> None:
    clock = Clock(NOON)
    end_of_day = next(job for job in JOBS if job.name == "end-of-day")
    fake.fails(401, times=None)
    async with opened(tmp_path, fake, clock) as profile:
        await say(profile, "I live in Rome.", clock)
        clock.forward(days=1)
        with pytest.raises(SummaryError):
            await end_of_day.run(profile, must_not_notify)
        assert len(fake.requests) == 1
        assert await end_of_day.due(profile)
        with pytest.raises(SummaryError, match="waiting to be retried"):  # so it is retried soon
            await end_of_day.run(profile, must_not_notify)
        assert len(fake.requests) == 1, "and costs nothing until then"
        fake.recovers()
        fake.summaries(lambda asked: {"summary": "Home", "bullets": []})
        clock.now += FIRST_WAIT
        await end_of_day.run(profile, must_not_notify)
        assert not await end_of_day.due(profile)


async def test_what_another_process_summarises_meanwhile_is_no_failure(
    tmp_path: Path, fake: FakeClaude, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(NOON)
    end_of_day = next(job for job in JOBS if job.name == "end-of-day")
    fake.summaries(lambda asked: {"summary": "Home", "bullets": []})
    async with opened(tmp_path, fake, clock) as profile:
        summarise, batches = profile.summarise, profile.memory.log.batches
        pending, said = batches.pending, False

        async def late(reason: str) -> None:
            """Summarise, before the job's own summary finds anything to do."""

        async def counted(**given: object) -> int:
            nonlocal said
            count = await pending(**given)  # type: ignore[arg-type]
            if not said:
                said = True
                await summarise("day")
            return count

        await say(profile, "I live in Rome.", clock)
        clock.forward(days=1)
        monkeypatch.setattr(type(profile), "summarise", lambda self, reason: late(reason))
        monkeypatch.setattr(batches, "pending", counted)
        await end_of_day.run(profile, must_not_notify)
        assert said and await pending(force=True) == 0


async def test_the_owner_may_ask_before_the_next_try_is_due(
    tmp_path: Path, fake: FakeClaude
) -> None:
    clock = Clock(NOON)
    fake.fails(401, times=None)
    async with opened(tmp_path, fake, clock) as profile:
        await say(profile, "I live in Rome.", clock)
        with pytest.raises(SummaryError, match="tried again"):
            await profile.summarise("new")
        fake.recovers()
        fake.summaries(
            lambda asked: {
                "summary": "Home",
                "bullets": [{"text": "Lives in Rome", "messages": [1], "quote": "live in Rome"}],
            }
        )
        assert await profile.summarise("new") == []
        [written] = await profile.summarise("command")
        assert [bullet.text for bullet in written.bullets] == ["Lives in Rome"]


async def test_a_chat_that_fails_holds_up_no_other(tmp_path: Path, fake: FakeClaude) -> None:
    clock = Clock(NOON)
    fake.summaries(lambda asked: {"summary": "Other", "bullets": []}, when="otters")
    fake.fails(413, when="quinces", times=None)
    async with opened(tmp_path, fake, clock) as profile:
        await say(profile, "I like quinces.", clock, chat="telegram:7")
        await say(profile, "I like otters.", clock, chat="terminal")
        with pytest.raises(SummaryError):
            await profile.summarise("new")
        assert await profile.memory.log.batches.pending(force=True) == 1
        assert set(await profile.memory.log.batches.retries()) == {"telegram:7"}
        await say(profile, "I like pears.", clock, chat="telegram:7")
        assert await profile.memory.log.batches.pending() == 0, "its order is kept"
        clock.now += FIRST_WAIT
        assert await profile.memory.log.batches.pending() == 2


async def test_an_answer_that_never_fits_costs_four_calls_and_is_done(
    tmp_path: Path, fake: FakeClaude
) -> None:
    clock = Clock(NOON)
    fake.stops("max_tokens", '{"summary": "and so on', times=None)
    async with opened(tmp_path, fake, clock) as profile:
        for number in range(20):
            await say(profile, f"I live at number {number}.", clock)
        assert len(fake.requests) == 4
        assert await profile.memory.log.batches.pending(force=True) == 0
        text = await profile.memory.vault.read("memories/2026-02-12.md")
        assert "I live at number 15." in text and "extracted without a model" in text
        rows = await status_lines(profile)
        assert "summaries of the last 7 days: 1, 1 of them without a model, or in part" in rows


async def test_a_bullet_that_no_message_says_is_left_out_and_counted(
    tmp_path: Path, fake: FakeClaude
) -> None:
    clock = Clock(NOON)
    bullets = [
        {"text": "Lives in Rome", "messages": [1], "quote": "live in Rome"},
        {"text": "Owes Eve money", "messages": []},
        {"text": "Owes Bob money", "messages": [0, 9]},
    ]
    fake.summaries(lambda asked: {"summary": "Home", "bullets": bullets})
    async with opened(tmp_path, fake, clock) as profile:
        await say(profile, "I live in Rome.", clock)
        [written] = await profile.summarise("new")
        assert [bullet.text for bullet in written.bullets] == ["Lives in Rome"]
        assert "left out, because nobody said it: 2 statements" in await status_lines(profile)
        made = await profile.memory.log.batches.outcomes(clock.now - timedelta(days=7))
        assert (made.closed, made.marked, made.unfounded) == (1, 0, 2)
        later = await profile.memory.log.batches.outcomes(clock.now + timedelta(seconds=1))
        assert (later.closed, later.unfounded) == (0, 0)
