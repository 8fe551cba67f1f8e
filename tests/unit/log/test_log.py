"""The log: turns, sessions, batches and the ledger, on a real database."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from memory.errors import StoreCorrupt, StoreError
from memory.infra.sqlite import Database
from memory.log import Bullet, Log, Said, Usage
from memory.log.operations.edits import KeptEdit
from tests.support.logs import NOON, ids, said
from tests.support.stores import Stores

BERLIN = ZoneInfo("Europe/Berlin")


@pytest.fixture
async def log(stores: Stores) -> AsyncIterator[Log]:
    opened = await stores.log(lambda: NOON)
    yield opened
    await opened.close()


async def exchange(log: Log, number: int, at: datetime = NOON, chat: str = "telegram:7") -> None:
    turn = await log.messages.begin(said(f"question {number}", number, at, chat))
    await log.messages.answer(turn.id, f"answer {number}", sent_at=at)


async def test_the_same_message_twice_is_logged_once(log: Log) -> None:
    first = await log.messages.begin(said("hello"))
    again = await log.messages.begin(said("hello"))
    assert again.id == first.id
    assert [m.text for m in await log.messages.recent(9)] == ["hello"]
    assert first.message.telegram_ids == (1,)


async def test_the_same_answer_twice_is_logged_once_and_closes_the_turn(log: Log) -> None:
    turn = await log.messages.begin(said("hello"))
    one = await log.messages.answer(turn.id, "hi", sent_at=NOON, telegram_ids=[2, 5])
    assert one.telegram_ids == (2, 5)
    two = await log.messages.answer(turn.id, "hi again", sent_at=NOON, telegram_ids=[3])
    assert one == two
    now = await log.turns.find(turn.id)
    assert now is not None and now.state == "answered"
    assert await log.turns.open() == []


async def test_a_turn_that_has_ended_ends_no_other_way(log: Log) -> None:
    """After a crash its end may be reported again, or differently."""
    turn = await log.messages.begin(said("hello"))
    await log.messages.answer(turn.id, "hi", sent_at=NOON)
    await log.messages.fail(turn.id, "over RATE_LIMIT")
    await log.messages.stop(turn.id)
    ended = await log.turns.find(turn.id)
    assert ended is not None and (ended.state, ended.reason) == ("answered", None)
    assert (await log.ledger()).adds_up


async def test_history_is_the_session_from_its_compaction_on(log: Log) -> None:
    for number in range(1, 4):
        await exchange(log, number)
    turn = await log.messages.begin(said("now", 9))
    texts = [m.text for m in await log.messages.history(turn.session_id, turn.message.id)]
    assert texts == ["question 1", "answer 1", "question 2", "answer 2", "question 3", "answer 3"]
    kept = (await log.messages.history(turn.session_id, turn.message.id))[2].id
    await log.sessions.compact(turn.session_id, kept)
    await log.sessions.compact(turn.session_id, 1)  # never backwards
    texts = [m.text for m in await log.messages.history(turn.session_id, turn.message.id)]
    assert texts[0] == "question 2"


async def test_a_new_session_begins_with_an_empty_history(log: Log) -> None:
    assert await log.sessions.end("telegram:7", NOON) is None
    await exchange(log, 1)
    ended = await log.sessions.end("telegram:7", NOON)
    assert ended is not None and ended.ended_at == NOON
    turn = await log.messages.begin(said("after", 2))
    assert turn.session_id != ended.id
    assert await log.messages.history(turn.session_id, turn.message.id) == []
    assert [s.id for s in await log.sessions.without_transcript()] == [ended.id]
    await log.sessions.set_transcript(ended.id, "sessions/x.md")
    assert await log.sessions.without_transcript() == []


async def test_recalled_answers_stay_out_of_history_and_batches(log: Log) -> None:
    turn = await log.messages.begin(said("what do you know?"))
    await log.messages.answer(turn.id, "I found this", origin="recall", sent_at=NOON)
    assert await log.batches.pending() == 1
    nxt = await log.messages.begin(said("and?", 2))
    history = await log.messages.history(nxt.session_id, nxt.message.id)
    assert [m.text for m in history] == ["what do you know?"]


async def test_what_is_in_no_batch_says_why(log: Log, stores: Stores) -> None:
    for number, (text, origin) in enumerate([("Found.", "recall"), (" ", "recall"), (" ", "sam")]):
        turn = await log.messages.begin(said("hello", number))
        await log.messages.answer(turn.id, text, origin=origin, sent_at=NOON)
    answers = "SELECT state, reason FROM message WHERE role = 'assistant' ORDER BY id"
    assert stores.rows("log", answers) == [
        ("excluded", "recalled"),
        ("excluded", "no text"),
        ("excluded", "no text"),
    ]


async def test_a_batch_is_one_chat_and_one_local_day(log: Log) -> None:
    late = datetime(2026, 2, 12, 23, 30, tzinfo=UTC)  # already the 13th in Berlin
    await exchange(log, 1)
    await exchange(log, 2, late)
    await exchange(log, 3, chat="terminal")
    made = await log.batches.claim(zone=BERLIN, reason="asked", new_id=ids())
    assert [(b.chat, b.day) for b in made] == [
        ("telegram:7", date(2026, 2, 12)),
        ("telegram:7", date(2026, 2, 13)),
        ("terminal", date(2026, 2, 12)),
    ]
    assert [m.text for m in await log.batches.messages(made[1].id)] == ["question 2", "answer 2"]
    assert await log.batches.pending() == 0


async def test_a_batch_has_at_most_sixty_messages(log: Log) -> None:
    for number in range(1, 36):
        await exchange(log, number)
    made = await log.batches.claim(zone=UTC, reason="asked", new_id=ids())
    assert [len(await log.batches.messages(b.id)) for b in made] == [60, 10]


async def test_a_turn_in_progress_is_not_claimed(log: Log) -> None:
    await exchange(log, 1)
    turn = await log.messages.begin(said("still thinking", 2))
    assert await log.batches.pending() == 2
    await log.batches.claim(zone=UTC, reason="asked", new_id=ids())
    await log.messages.fail(turn.id, "no model")
    assert await log.batches.pending() == 1


async def test_earlier_days_alone_can_be_claimed(log: Log) -> None:
    await exchange(log, 1, NOON - timedelta(days=1))
    await exchange(log, 2)
    today = date(2026, 2, 12)
    assert await log.batches.pending(zone=UTC, before=today) == 2
    made = await log.batches.claim(zone=UTC, reason="day", new_id=ids(), before=today)
    assert [b.day for b in made] == [date(2026, 2, 11)]
    assert await log.batches.pending() == 2


async def test_the_ledger_adds_up_along_the_way(log: Log) -> None:
    async def states() -> dict[str, int]:
        ledger = await log.ledger()
        assert ledger.adds_up
        return ledger.messages

    for number in range(1, 3):
        await exchange(log, number)
    assert await states() == {"pending": 4}
    [batch] = await log.batches.claim(zone=UTC, reason="asked", new_id=ids())
    assert await states() == {"claimed": 4}
    await log.batches.release(batch.id)
    assert await states() == {"pending": 4}
    [batch] = await log.batches.claim(zone=UTC, reason="asked", new_id=ids())
    assert batch.id == "b2", "a released id is never handed out again"
    await log.batches.plan(batch.id, "memories/x.md", "hash", [Bullet("- likes tea", (1, 2))])
    assert await log.batches.sources_of("memories/x.md") == {"- likes tea": (1, 2)}
    assert await log.batches.lines([batch.id], within=[1, 2, 3]) == {"- likes tea"}
    assert await log.batches.lines([batch.id], within=[1, 3]) == set(), "it tells of 2 as well"
    assert await log.batches.lines(["b1"], within=[1, 2]) == set()
    await log.batches.mark_written(batch.id)
    assert await states() == {"written": 4}
    with pytest.raises(StoreError):
        await log.batches.release(batch.id)
    assert [b.state for b in await log.batches.unfinished()] == ["written"]
    await log.batches.close(batch.id)
    assert await states() == {"closed": 4}
    assert await log.batches.unfinished() == []


async def test_the_bullets_of_one_day_are_found_without_a_look_at_all_others(
    tmp_path: Path,
) -> None:
    """Each recall needs them, and after a year there are thousands."""
    log, steps = await Log.open(tmp_path / "log.db", lambda: NOON), 0

    def step() -> None:
        nonlocal steps
        steps += 1

    many = [Bullet(f"- tea {number}", (1, 2)) for number in range(2_000)]
    for number, (path, bullets) in enumerate({"x.md": many, "y.md": many[:1]}.items(), 1):
        await exchange(log, number)
        [batch] = await log.batches.claim(zone=UTC, reason="asked", new_id=ids())
        await log.batches.plan(batch.id, path, "hash", bullets)
    assert isinstance(log._db, Database)
    log._db._reader.set_progress_handler(step, 1)
    assert await log.batches.sources_of("y.md") == {"- tea 0": (1, 2)}
    assert steps < 200, "of the database's machine"
    await log.close()


async def test_an_edit_is_seen_by_whoever_asks_what_changed(log: Log) -> None:
    await exchange(log, 1)
    at = (await log.changes.since(0, 100)).reached
    page = await log.changes.since(at, 100)
    assert (page.counts, page.rows, page.newest, page.known) == ({}, [], at, True)
    edited = await log.messages.edit("telegram:7:1", "corrected", NOON)
    assert edited is not None and edited.edited_at == NOON
    page = await log.changes.since(at, 100)
    assert page.counts == {edited.id: page.reached} and page.reached == page.newest > at
    assert await log.changes.count(at) == 1
    assert not (await log.changes.since(page.newest + 1, 100)).known
    assert await log.messages.edit("unknown", "x", NOON) is None


async def test_messages_come_with_their_neighbours(log: Log) -> None:
    for number in range(1, 4):
        await exchange(log, number)
    await log.sessions.end("telegram:7", NOON)
    await exchange(log, 4)
    [third] = [m for m in await log.messages.recent(99) if m.text == "question 2"]
    counts = (await log.changes.since(0, 100)).counts
    page = await log.changes.since(counts[third.id] - 1, 1)
    assert list(page.counts) == [third.id]
    assert [(before, m.text, after) for m, before, after, _ in page.rows] == [
        ("question 1", "answer 1", "question 2"),
        ("answer 1", "question 2", "answer 2"),
        ("question 2", "answer 2", "question 3"),
    ]
    last = (await log.messages.recent(1))[0]
    page = await log.changes.since(counts[last.id] - 1, 1)
    assert page.rows[-1] == (last, "question 4", "", False)


async def test_a_piece_of_one_statement_is_told_from_a_new_one(log: Log) -> None:
    """A piece comes from the same speaker within ten minutes."""
    for minutes, text in ((0, "the vet"), (3, "is on Friday"), (70, "lunch was fine")):
        said = Said(text, "telegram:7", text, NOON + timedelta(minutes=minutes))
        turn = await log.messages.begin(said)
    await log.messages.answer(turn.id, "Nice.", sent_at=NOON + timedelta(minutes=70))
    rows = (await log.changes.since(0, 100)).rows
    assert [(m.text, continues) for m, _, _, continues in rows] == [
        ("the vet", False),
        ("is on Friday", True),
        ("lunch was fine", False),
        ("Nice.", False),
    ]


async def test_what_is_said_after_an_answer_from_memory_continues_nothing(log: Log) -> None:
    """Without a model, "Noted." is all that Sam says between two statements of the owner's."""
    for text in ("I like tea", "Anna lives in Porto"):
        turn = await log.messages.begin(Said(text, "telegram:7", text, NOON))
        await log.messages.answer(turn.id, "Noted.", origin="recall", sent_at=NOON)
    rows = (await log.changes.since(0, 100)).rows
    said = [row for row in rows if row[0].role == "user"]
    assert [(before, m.text, after, continues) for m, before, after, continues in said] == [
        ("", "I like tea", "", False),
        ("", "Anna lives in Porto", "", False),
    ]


async def test_usage_is_summed_by_local_day(log: Log) -> None:
    for _ in range(2):
        await log.usage.add(Usage("anthropic", "haiku", "turn", 10, 5, usd=0.25))
    [total] = await log.usage.of_day(date(2026, 2, 12), BERLIN)
    assert (total.input, total.output, total.usd) == (20, 10, 0.5)
    assert await log.usage.of_day(date(2026, 2, 11), BERLIN) == []


async def test_a_job_run_shows_its_error_and_its_end(log: Log) -> None:
    run = await log.jobs.begin("sync")
    assert (await log.jobs.latest())["sync"].ended_at is None
    await log.jobs.end(run, "no remote")
    latest = (await log.jobs.latest())["sync"]
    assert (latest.ended_at, latest.error) == (NOON, "no remote")


async def test_records_are_read_for_one_note_and_for_all(log: Log) -> None:
    for path in ("a.md", "b.md"):
        await log.journal.record(path, None, "hash", "test")
        await log.versions.add(path, "hash", "text", "test")
    assert [each.path for each in await log.journal.recent(9)] == ["b.md", "a.md"]
    assert [each.path for each in await log.journal.recent(9, "a.md")] == ["a.md"]
    assert [each.path for each in await log.versions.all()] == ["b.md", "a.md"]
    assert [each.path for each in await log.versions.all("a.md")] == ["a.md"]


async def test_old_edits_are_pruned_and_recent_ones_stay(log: Log) -> None:
    for days in (31, 1):
        at = NOON - timedelta(days=days)
        await log.edits.add(KeptEdit(at, f"{days}", "a.md", "test", False, ("0" * 8,), ()))
    await log.edits.prune()
    assert [each.change for each in await log.edits.all()] == ["1"]


async def test_a_message_stands_between_its_neighbours(log: Log) -> None:
    await exchange(log, 1)
    await exchange(log, 2)
    [(before, after)] = (await log.messages.around([2])).values()
    assert before is not None and after is not None
    assert (before.text, after.text) == ("question 1", "question 2")


async def test_a_damaged_log_is_said_and_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    path.write_bytes(b"not a database at all" * 100)
    with pytest.raises(StoreCorrupt, match="damaged"):
        await Log.open(path, lambda: NOON)
    assert path.read_bytes().startswith(b"not a database")


async def test_a_log_of_a_newer_sam_is_refused(tmp_path: Path) -> None:
    from memory.infra.sqlite import connect

    connection = connect(tmp_path / "log.db")
    connection.execute("PRAGMA user_version = 999")
    connection.close()
    with pytest.raises(StoreError, match="newer"):
        await Log.open(tmp_path / "log.db", lambda: NOON)


async def test_what_was_logged_is_there_after_a_restart(stores: Stores) -> None:
    for _ in range(2):
        log = await stores.log(lambda: NOON)
        await log.messages.begin(said("hello"))
        await log.close()
    log = await stores.log(lambda: NOON)
    assert [m.text for m in await log.messages.recent(5)] == ["hello"]
    assert [t.message.text for t in await log.turns.open("telegram:")] == ["hello"]
    await log.close()


@pytest.mark.parametrize("folder", ["memory/log/migrations", "bot/inbox/migrations"])
def test_migrations_are_numbered_without_gap_or_double(folder: str) -> None:
    names = sorted(path.name for path in (Path(__file__).parents[3] / folder).glob("*.sql"))
    assert [int(name.split("_")[0]) for name in names] == list(range(1, len(names) + 1)), names
