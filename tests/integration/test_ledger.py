"""The ledger adds up after any sequence of events; discrepancies are reported and repaired."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import AsyncIterator, Awaitable
from contextlib import AsyncExitStack
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest

from bot.assistant import Assistant
from bot.assistant.job_requests import no_jobs
from bot.assistant.status import brief, status_lines
from bot.cli.commands import doctor as doctor_command
from bot.doctor import DoctorReport, Problem, examine, ledger_audit, repair
from bot.inbox import Inbox, Reply, Where, turn_key
from bot.pictures import daily
from bot.turn import Done
from memory import OWNER, Said, profile_of
from memory.core import Memory
from memory.infra import sqlite
from memory.infra.file_locks import RunLock
from memory.log import Bullet, Log
from tests.support.engines import environment
from tests.support.homes import Home
from tests.support.logs import NOON, ids, said
from tests.support.stores import Stores

SCHEMA = Path(__file__).parents[2] / "memory" / "log" / "migrations"


@pytest.fixture
async def log(stores: Stores) -> AsyncIterator[Log]:
    opened = await stores.log(lambda: NOON)
    yield opened
    await opened.close()


async def history(log: Log) -> None:
    """Create rows in every state."""

    async def turn(number: int) -> int:
        return (await log.messages.begin(said(f"question {number}", number))).id

    async def claimed() -> str:
        [batch] = await log.batches.claim(zone=UTC, reason="asked", new_id=new)
        return batch.id

    async def planned(batch: str) -> None:
        found = await log.batches.messages(batch)
        bullets = [Bullet(message.text, (message.id,)) for message in found]
        await log.batches.plan(batch, "memories/2026-02-12.md", "hash", bullets)

    new = ids()
    for number in (1, 2):
        await log.messages.answer(await turn(number), f"answer {number}", sent_at=NOON)
    await planned(closed := await claimed())
    await log.batches.mark_written(closed)
    await log.batches.close(closed)
    await log.messages.answer(await turn(3), "recalled", origin="recall", sent_at=NOON)
    await log.messages.stop(await turn(4))
    await planned(given_back := await claimed())
    await log.batches.release(given_back)
    await planned(written := await claimed())
    await log.batches.mark_written(written)
    await log.messages.fail(await turn(5), "no model")
    await claimed()
    await log.messages.log_unprompted("telegram:7", "wake up", sent_at=NOON)
    await turn(6)


async def test_something_in_every_state_adds_up(log: Log) -> None:
    await history(log)
    now = await log.ledger()
    assert now.wrong == ()
    assert now.turns == {"answered": 4, "stopped": 1, "failed": 1, "open": 1}
    assert now.messages == {
        "closed": 4,
        "excluded": 1,
        "written": 2,
        "claimed": 1,
        "pending": 2,
    }
    assert now.batches == {"closed": 1, "released": 1, "written": 1, "claimed": 1}


@pytest.mark.parametrize(
    ("deed", "name", "fixed"),
    [
        ("DELETE FROM message WHERE id = (SELECT max(id) FROM message)", "messages-counted", False),
        ("DELETE FROM bullet; DELETE FROM message WHERE id = 1", "batch-size", False),
        ("DELETE FROM message WHERE turn_id = 7", "turn-message", False),
        (
            "UPDATE batch SET state = 'closed', closed_at = '' WHERE id = 'b4'",
            "message-batch",
            True,
        ),
        ("UPDATE message SET state = 'pending' WHERE id = 1", "message-batch", True),
        ("UPDATE message SET state = 'pending', batch = NULL WHERE id = 1", "batch-size", False),
        ("UPDATE message SET batch = NULL WHERE id = 1", "message-batch", True),
        ("UPDATE message SET batch = 'b1' WHERE state = 'excluded'", "message-batch", True),
        ("UPDATE message SET state = 'claimed' WHERE state = 'pending'", "message-batch", True),
        ("UPDATE message SET batch = 'b4' WHERE id = 1", "bullet-sources", False),
        ("UPDATE batch SET path = NULL WHERE state = 'written'", "batch-dates", False),
        (
            "UPDATE batch SET state = 'released', closed_at = '' WHERE id = 'b3'",
            "bullet-batch",
            True,
        ),
        ("UPDATE turn SET state = 'open', closed_at = NULL WHERE id = 1", "turn-answer", True),
        ("UPDATE turn SET state = 'answered' WHERE id = 4", "turn-answer", True),
        ("UPDATE turn SET reason = NULL WHERE state = 'failed'", "turn-end", True),
        ("UPDATE turn SET closed_at = '2026' WHERE state = 'open'", "turn-end", True),
        ("UPDATE counter SET value = value + 1 WHERE name = 'batches'", "batches-counted", False),
    ],
)
async def test_discrepancies_are_reported_and_repaired_if_possible(
    log: Log, stores: Stores, deed: str, name: str, fixed: bool
) -> None:
    await history(log)
    stores.spoil("log", *deed.split("; "))
    found = await log.ledger()
    assert not found.adds_up
    wrong = {each.id: each for each in found.wrong}
    assert name in wrong and wrong[name].fixable is fixed, found.wrong
    await log.fix()
    after = {each.id for each in (await log.ledger()).wrong}
    assert (name not in after) is fixed, after
    if fixed:
        assert after == set()


async def test_a_message_that_lost_its_batch_goes_back_to_the_one_that_names_it(
    log: Log, stores: Stores
) -> None:
    """So it is not summarised twice; messages that no bullet names are pending again."""
    await history(log)
    stores.spoil("log", "UPDATE message SET batch = NULL WHERE id = 1 OR state = 'claimed'")
    await log.fix()
    [first] = await log.messages.by_ids([1])
    assert (first.state, first.batch) == ("closed", "b1")
    assert (await log.ledger()).messages.get("claimed") is None


@pytest.mark.parametrize("seed", range(8))
async def test_after_any_history_it_adds_up(log: Log, seed: int) -> None:
    draw, new, number = random.Random(seed), ids(), 0
    for _ in range(60):
        turns = await log.turns.open()
        batches = await log.batches.unfinished()
        match draw.randrange(10):
            case 0 | 1 | 2:
                number += 1
                chat = draw.choice(["telegram:7", "telegram:8", "terminal"])
                await log.messages.begin(said(f"question {number}", number, chat=chat))
            case 3 | 4 if turns:
                origin: Any = draw.choice(["sam", "sam", "recall"])
                await log.messages.answer(
                    draw.choice(turns).id, "an answer", origin=origin, sent_at=NOON
                )
            case 5 if turns:
                turn = draw.choice(turns).id
                await (
                    log.messages.stop(turn) if draw.random() < 0.5 else log.messages.fail(turn, "x")
                )
            case 6:
                await log.batches.claim(zone=UTC, reason="asked", new_id=new)
            case 7 | 8 if batches:
                batch = draw.choice(batches)
                if batch.state == "written":
                    await log.batches.close(batch.id)
                elif draw.random() < 0.3:
                    await log.batches.release(batch.id)
                else:
                    found = await log.batches.messages(batch.id)
                    bullets = [Bullet(m.text, (m.id,)) for m in found]
                    await log.batches.plan(batch.id, "memories/x.md", "hash", bullets)
                    await log.batches.mark_written(batch.id)
            case 9 if draw.random() < 0.3:
                for told in (await log.forgetting.sessions())[:1]:
                    await log.forgetting.forget(
                        await log.forgetting.of_session(told.session.id), []
                    )
        assert (await log.ledger()).wrong == ()


async def test_a_log_from_before_the_counts_adds_up_too(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    old = sqlite3.connect(path)
    for statement in sqlite.statements((SCHEMA / "001_log.sql").read_text("utf-8")):
        old.execute(statement)
    old.executescript(
        "PRAGMA user_version = 1;"
        "INSERT INTO session VALUES (1, 'terminal', '2026', NULL, 0, NULL);"
        "INSERT INTO turn VALUES (1, 1, 'terminal', 'stopped', NULL, '2026', '2026');"
        "INSERT INTO batch VALUES"
        " ('b', 'terminal', '2026-02-12', 'closed', 'new', '1', '2', 'x', 'h');"
        "INSERT INTO message VALUES (1, 'k', 1, 1, 'user', 'owner', '', 'normal', NULL, '2026',"
        " NULL, 'terminal', '[]', 'hi', 'closed', NULL, 'b', 1);"
    )
    old.commit()
    old.close()
    log = await Log.open(path, lambda: NOON)
    assert (await log.ledger()).wrong == ()
    assert (await log.ledger()).messages == {"closed": 1}
    await log.close()


# ── the inbox ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("deed", "name"),
    [
        ("DELETE FROM incoming WHERE update_id = 1", "updates-counted"),
        ("DELETE FROM reply", "replies-counted"),
        ("UPDATE incoming SET payload = NULL WHERE state = 'received'", "update-text"),
        ("UPDATE incoming SET reason = NULL WHERE state = 'set_aside'", "update-text"),
        ("UPDATE reply SET state = 'sent'", "reply-state"),
        ("UPDATE reply SET settled = 1, text = NULL", "reply-state"),
        ("UPDATE reply SET state = 'given_up', reason = NULL", "reply-state"),
    ],
)
async def test_what_does_not_agree_in_the_inbox_is_named(
    stores: Stores, deed: str, name: str
) -> None:
    inbox = await stores.inbox(lambda: NOON)
    for number in (1, 2, 3):
        await inbox.updates.receive(number, "telegram:7", "{}")
    await inbox.updates.done(1)
    await inbox.updates.set_aside(2, "KeyError")
    await inbox.replies.store(Reply("update:1", "owner", Where(7), "notice", "hello"))
    assert (await inbox.counts()).wrong == ()
    stores.spoil("inbox", deed)
    assert name in {each.id for each in (await inbox.counts()).wrong}
    await inbox.close()


# ── as the doctor tells it ───────────────────────────────────────────────────────────────────


@pytest.fixture
async def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: str) -> Home:
    """Return a Sam that was started once, and exchanged two messages."""
    made = Home(tmp_path, TELEGRAM_ALLOWED_USERS="1001, 1002:bob, 1003:eve", SAM_NO_ENV_FILE="1")
    for name, value in {**made.env, **environment()}.items():
        monkeypatch.setenv(name, value)
    async with Memory.open(made.settings(), clock=lambda: NOON) as memory:
        turn = await memory.log.messages.begin(said("hello"))
        await memory.log.messages.answer(turn.id, "hi", sent_at=NOON)
    return made


def problems(report: DoctorReport) -> dict[str, Problem]:
    return {each.id: each for each in report.problems}


def stores_of(home: Home, name: str = OWNER) -> Stores:
    who = profile_of(home.settings(), name)
    return Stores(who.data, who.tenant)


def inbox_of(home: Home) -> Awaitable[Inbox]:
    return Inbox.of(home.settings(), lambda: NOON)


async def test_the_doctor_reports_it_and_fix_repairs_it(home: Home) -> None:
    log = await stores_of(home).log(lambda: NOON)
    await log.batches.claim(zone=UTC, reason="asked", new_id=ids())
    await log.close()
    assert problems(await examine())["batches-left"].severity == "degraded"
    stores_of(home).spoil("log", "UPDATE message SET state = 'closed'")
    report = await examine()
    assert report.ledger["adds_up"] is False and not report.ok
    wrong = problems(report)["ledger-message-batch"]
    assert "--fix" in wrong.advice and "2 messages" in wrong.what
    with RunLock(home.data / "run.lock"):
        done, left = await repair(report)
    assert len(left) == 1 and "running already" in left[0]
    assert any("unfinished" in what for what in done)
    fixed = home.sam("doctor", "--fix").stdout
    assert fixed.count("fixed:") == 1 and "ledger: adds up" in fixed
    report = await examine()
    assert report.ledger["adds_up"] is True and "batches-left" not in problems(report)
    assert report.ledger["messages"] == {"pending": 2}


async def test_an_answer_that_the_log_does_not_know_of_is_named(home: Home) -> None:
    log = await stores_of(home).log(lambda: NOON)
    turn = await log.messages.begin(said("who?", 2))
    await log.messages.fail(turn.id, "interrupted")
    await log.close()
    inbox = await inbox_of(home)
    for opened_at in ("2026-02-12T12:00:00Z", "2020-01-01T00:00:00Z"):  # the other: of a lost log
        key = turn_key("owner", turn.id, opened_at)
        await inbox.replies.store(Reply(key, "owner", Where(7), "answer", "x", turn.id))
        await inbox.replies.part_sent(key, 4711, NOON, last=True)
        await inbox.replies.settle(key)
    await inbox.close()
    report = await examine()
    assert report.ledger["adds_up"] is False
    assert "1 answer sent" in problems(report)["ledger-answers"].what
    assert report.ledger["replies"] == {"sent": 2}


async def test_a_turn_that_a_running_sam_forgot_is_named(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger_audit, "PAUSE", 0.01)
    log = await stores_of(home).log(lambda: NOON)
    await log.messages.begin(said("who?", 2))
    await log.close()
    inbox = await inbox_of(home)
    assert "turns-open" not in problems(await examine()), "the next start sees to it"
    with RunLock(home.data / "run.lock"):
        assert "turns-open" in problems(await examine())
        await inbox.updates.receive(1, "telegram:7", "{}")
        assert "turns-open" not in problems(await examine()), "its update is being handled"
    await inbox.close()


async def test_the_ledgers_of_all_profiles_are_reported(home: Home) -> None:
    profile_of(home.settings(), "bob").data.mkdir(parents=True)
    log = await stores_of(home, "bob").log(lambda: NOON)
    await history(log)
    await log.close()
    report = await examine()
    assert report.ledger["adds_up"] is True
    assert list(report.ledger["profiles"]) == ["bob"]
    assert report.ledger["profiles"]["bob"]["messages_total"] == 10
    stores_of(home, "bob").spoil("log", "UPDATE counter SET value = 99 WHERE name = 'turns'")
    report = await examine()
    assert report.ledger["adds_up"] is False
    assert "(profile bob)" in problems(report)["ledger-turns-counted"].what
    assert "  of bob:" in doctor_command._ledger(report.ledger)


async def test_status_tells_the_counts_and_what_does_not_agree(home: Home) -> None:
    async def told() -> list[str]:
        async with AsyncExitStack() as stack:
            profile = await Assistant.open(home.settings(), stack, poke=no_jobs, clock=lambda: NOON)
            return await status_lines(profile)

    shown = await told()
    assert "stored: 2 messages (2 not yet summarised)" in shown
    assert "questions: 1 answered; summaries: none" in shown
    stores_of(home).spoil("log", "UPDATE counter SET value = 99 WHERE name = 'messages'")
    assert any(line.startswith("! my counts do not agree: 99") for line in await told())


async def test_status_counts_the_same_messages_everywhere(tmp_path: Path, engine: str) -> None:
    """Sam's quotations and what is incognito are neither kept nor counted, and what is kept counts
    before it is indexed, too."""
    async with AsyncExitStack() as stack:
        home = Home(tmp_path)
        home.write("soul.md", "# Soul\n\nBe kind.\n")
        profile = await Assistant.open(home.settings(), stack, poke=no_jobs, clock=lambda: NOON)
        memory = profile.memory
        await memory.catch_up()
        for text in ("My rent is 960", "Where is my bike?", "Ana likes tea"):
            turn = await profile.turns.begin(Said(text, "terminal", text, NOON))
            done = [event async for event in profile.turns.answer(turn)][-1]
            assert isinstance(done, Done)
            await profile.turns.finish(turn, done, NOON)
        await memory.log.messages.begin(
            Said("hidden", "terminal", "", NOON, privacy="sealed", unlogged="incognito")
        )
        said = "I remember 3 messages and 1 note; 3 messages will be in the next summary."
        assert said in await brief(profile, well=True)
        waiting = await memory.index.behind()
        assert waiting + (await memory.index.counts())["messages"] == 3
        [figures] = await daily(memory, [memory.today(NOON)])
        assert figures.messages == 3
        await memory.catch_up()
        assert said in await brief(profile, well=True)
        shown = await status_lines(profile)
        assert "searchable: 1 note, 3 messages, 4 passages" in shown
        assert not any("not yet searchable" in line for line in shown)
        assert "stored: 7 messages (4 left out of summaries, 3 not yet summarised)" in shown
