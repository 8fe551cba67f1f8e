"""Batch API summaries of an import: paid once, within the budget, and forgettable."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.assistant import Assistant
from bot.assistant.job_requests import no_jobs
from bot.assistant.jobs import JOBS
from memory.maintenance import Selection
from memory.maintenance.erase import erase, exclusive_access, forgettable
from memory.transfer import conversations, import_conversations, preview, undo
from tests.fakes.claude import FakeClaude
from tests.fakes.claude_request import Request
from tests.fakes.claude_usage import total
from tests.fakes.violations import assert_no_violations
from tests.support import exports
from tests.support.homes import Home
from tests.support.memories import Clock
from tests.support.notifications import NotificationRecorder

TALKS = {f"Talk {n}": [("user", f"My boat number {n} is called Coco{n}.")] for n in range(6)}
IMPORTS, FACTS = (next(job for job in JOBS if job.name == name) for name in ("imports", "facts"))


def summary(request: Request) -> dict[str, Any]:
    """Quote the only message."""
    text = re.search(r"owner: (.*)", request.newest_text)
    assert text
    return {
        "summary": text[1],
        "bullets": [{"text": text[1], "messages": [1], "quote": "", "action": False, "part": ""}],
        "facts": [],
    }


@pytest.fixture
async def fake() -> AsyncIterator[FakeClaude]:
    async with FakeClaude.running() as running:
        running.summaries(summary)
        yield running


@asynccontextmanager
async def opened(
    folder: Path, fake: FakeClaude, clock: Clock, **given: Any
) -> AsyncIterator[Assistant]:
    fake.bulk.now = clock
    async with AsyncExitStack() as stack:
        settings = Home(folder).settings(
            anthropic_base_url=fake.url, anthropic_api_key="sk-test", **given
        )
        yield await Assistant.open(settings, stack, clock=clock, poke=no_jobs)


async def imported(profile: Assistant, folder: Path, talks: Any = TALKS) -> int:
    file = exports.dump(folder / "conversations.json", exports.chatgpt(talks))
    found = conversations(file)
    chats = {chat.chat.name for chat in (await preview(profile.memory, found)).chats}
    done = await import_conversations(profile.memory, found, chats=chats, bulk=True)
    assert done.id is not None
    return done.id


async def work(profile: Assistant, clock: Clock) -> None:
    """Run the job, if it is due."""
    clock.forward(minutes=1)
    if await IMPORTS.due(profile):
        await IMPORTS.run(profile, NotificationRecorder().notify)


async def spent(profile: Assistant) -> float:
    return await profile.budget.spent()


def days(profile: Assistant) -> str:
    notes = sorted(profile.memory.vault.root.glob("memories/2023-*.md"))
    return "".join(note.read_text("utf-8") for note in notes)


async def test_they_are_ordered_at_once_and_paid_once_at_half_the_price(
    tmp_path: Path, fake: FakeClaude
) -> None:
    clock = Clock()
    async with opened(tmp_path, fake, clock) as profile:
        await imported(profile, tmp_path)
        for _ in range(3):
            await work(profile, clock)
        [order] = fake.bulk.orders
        assert len(order.requests) == 6 and not fake.requests and not days(profile)
        assert await profile.memory.log.batches.pending(imported=True) == 0
        estimate = await spent(profile)
        fake.bulk.end()
        await work(profile, clock)
        assert all(f"Coco{n}" in days(profile) for n in range(6))
        assert len(fake.bulk.orders) == 1 and not fake.requests
        assert await spent(profile) == pytest.approx(total(fake.billed), rel=0.02)
        assert 0 < await spent(profile) < estimate
        ledger = await profile.memory.log.ledger()
        assert ledger.adds_up and ledger.messages["closed"] == 6, ledger.wrong
        await work(profile, clock)
        await profile.memory.log.bulk.tidy()
        assert not await IMPORTS.due(profile)
    with sqlite3.connect(Home(tmp_path).data / "log.db") as log:
        assert log.execute("SELECT count(*) FROM bulk_item").fetchone() == (0,)
    assert_no_violations(fake)


async def test_at_the_end_it_is_said_once_what_was_learned(
    tmp_path: Path, fake: FakeClaude
) -> None:
    def learns(request: Request) -> dict[str, Any]:
        made = summary(request)
        text = made["summary"]
        fact = {"category": "biographical", "text": text, "messages": [1], "quote": text}
        return {**made, "facts": [fact] if "Coco1" in text else []}

    fake.summaries(learns)
    fake.bulk.ends_at_once = True
    clock, notified = Clock(), NotificationRecorder()
    async with opened(tmp_path, fake, clock) as profile:
        await imported(profile, tmp_path)
        for _ in range(4):
            clock.forward(minutes=1)
            for job in (IMPORTS, FACTS):
                if await job.due(profile):
                    await job.run(profile, notified.notify)
        assert notified.texts == [
            "Your import 1 is summarised: 6 conversations, 1 fact to review: /changes, or"
            " `sam facts`."
        ]
        [row] = await profile.memory.log.imports.all()
        assert (row.facts, row.waiting) == (1, 0) and not await IMPORTS.due(profile)


async def test_no_more_is_ordered_than_half_of_the_budget_may_cost(
    tmp_path: Path, fake: FakeClaude
) -> None:
    clock, budget = Clock(), 0.01
    async with opened(tmp_path, fake, clock, budget_daily_usd=budget) as profile:
        await imported(profile, tmp_path)
        await work(profile, clock)
        ordered = len(fake.bulk.requests)
        assert 1 <= ordered < 6 and await spent(profile) <= budget / 2
        fake.bulk.ends_at_once = True
        fake.bulk.end()
        for _ in range(20):
            clock.forward(days=1)
            await work(profile, clock)
            assert await spent(profile) <= budget / 2
        assert len(fake.bulk.requests) == 6 and len(fake.bulk.orders) > 1
        await work(profile, clock)
        assert all(f"Coco{n}" in days(profile) for n in range(6)) and not fake.requests


async def test_what_has_no_answer_is_summarised_one_by_one(
    tmp_path: Path, fake: FakeClaude
) -> None:
    clock = Clock()
    async with opened(tmp_path, fake, clock) as profile:
        await imported(profile, tmp_path)
        await work(profile, clock)
        [order] = fake.bulk.orders
        first, second, third, *_ = order.requests
        order.fate |= {first: "errored", second: "expired", third: "canceled"}
        fake.bulk.end()
        await work(profile, clock)
        assert len(fake.requests) == 3 and len(fake.bulk.orders) == 1
        assert all(f"Coco{n}" in days(profile) for n in range(6))


async def test_where_there_is_no_such_api_they_are_made_one_by_one(
    tmp_path: Path, fake: FakeClaude
) -> None:
    clock, fake.bulk.unknown = Clock(), True
    async with opened(tmp_path, fake, clock) as profile:
        await imported(profile, tmp_path)
        await work(profile, clock)
        await work(profile, clock)
        assert len(fake.requests) == 6 and not fake.bulk.orders
        assert all(f"Coco{n}" in days(profile) for n in range(6))
        assert await spent(profile) == pytest.approx(total(fake.billed), rel=0.02)


async def test_an_order_whose_confirmation_was_lost_is_found_and_not_paid_for_again(
    tmp_path: Path, fake: FakeClaude
) -> None:
    clock, fake.bulk.loses_answers = Clock(), True
    async with opened(tmp_path, fake, clock) as profile:
        await imported(profile, tmp_path)
        await work(profile, clock)
        fake.bulk.orders.insert(0, fake.bulk.make(_somebody_elses(fake), lambda params: None))
        fake.bulk.orders.pop()
        for _ in range(5):
            await work(profile, clock)  # in progress: its results cannot be read yet
        assert len(fake.bulk.orders) == 2
        fake.bulk.end()
        await work(profile, clock)
        assert len(fake.bulk.orders) == 2 and not fake.requests
        assert all(f"Coco{n}" in days(profile) for n in range(6))


def _somebody_elses(fake: FakeClaude) -> dict[str, Any]:
    [order] = fake.bulk.orders
    return {
        "requests": [
            {"custom_id": f"other-{number}", "params": request.body}
            for number, request in enumerate(order.requests.values())
        ]
    }


async def test_an_order_that_never_arrived_is_made_again(tmp_path: Path, fake: FakeClaude) -> None:
    clock = Clock()
    async with opened(tmp_path, fake, clock) as profile:
        await imported(profile, tmp_path)
        fake.goes_down()
        await work(profile, clock)
        fake.recovers()
        assert await spent(profile) > 0, "the estimate of what may have arrived"
        for _ in range(4):
            await work(profile, clock)
        assert len(fake.bulk.orders) == 1
        fake.bulk.end()
        await work(profile, clock)
        assert await spent(profile) == pytest.approx(total(fake.billed), rel=0.02)


async def test_of_a_message_that_is_forgotten_meanwhile_no_answer_is_kept(
    tmp_path: Path, fake: FakeClaude
) -> None:
    clock = Clock()
    async with opened(tmp_path, fake, clock) as profile:
        memory = profile.memory
        await imported(profile, tmp_path)
        await work(profile, clock)
        [message] = [m for m in await memory.log.messages.recent(99) if "Coco3" in m.text]
        async with exclusive_access(memory):
            selected = Selection(frozenset({message.id}))
            await erase(memory, selected, await forgettable(memory, selected), "forget 1")
        fake.bulk.end()
        await work(profile, clock)
        assert "Coco2" in days(profile) and "Coco3" not in days(profile)
        await memory.log.scrub()
        ledger = await memory.log.ledger()
        assert ledger.adds_up, ledger.wrong
    found = list(Home(tmp_path).data.glob("log.db*"))
    assert found and not [path for path in found if b"Coco3" in path.read_bytes()]


async def test_an_undo_takes_the_order_out_too(tmp_path: Path, fake: FakeClaude) -> None:
    clock = Clock()
    async with opened(tmp_path, fake, clock) as profile:
        id_ = await imported(profile, tmp_path)
        await work(profile, clock)
        await undo(profile.memory, id_)
        fake.bulk.end()
        await work(profile, clock)
        assert not days(profile) and (await profile.memory.log.ledger()).adds_up
        assert await spent(profile) == pytest.approx(total(fake.billed), rel=0.02)
        await imported(profile, tmp_path)
        await work(profile, clock)
        assert len(fake.bulk.orders) == 2, "ordered again for the new import"


async def test_without_a_model_any_more_they_are_made_without_one(
    tmp_path: Path, fake: FakeClaude
) -> None:
    clock = Clock()
    async with opened(tmp_path, fake, clock) as profile:
        await imported(profile, tmp_path)
    async with AsyncExitStack() as stack:
        settings = Home(tmp_path).settings()
        profile = await Assistant.open(settings, stack, clock=clock, poke=no_jobs)
        await profile.summarise_imported(timedelta(minutes=1).total_seconds())
        assert "Coco5" in days(profile)
