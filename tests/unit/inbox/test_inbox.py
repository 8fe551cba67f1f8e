"""The inbox: no update is lost, and none is kept longer than needed."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from telegram import Message, Update

from bot.inbox import Inbox, Reply, Where
from bot.telegram import parse
from bot.telegram.access import Access
from bot.telegram.intake.dispatcher import ByChat
from bot.telegram.intake.inbox_queue import InboxQueue
from memory.errors import StoreDown, StoreFull
from memory.infra.retry import Backoff
from memory.text.sanitize import quoted_part
from tests.support.inboxes import NOW, Time, bytes_of
from tests.support.stores import Stores

HOME = Where(1001)


@pytest.fixture
def time() -> Time:
    return Time()


@pytest_asyncio.fixture
async def inbox(stores: Stores, time: Time) -> AsyncIterator[Inbox]:
    opened = await stores.inbox(time)
    yield opened
    await opened.close()


def update(update_id: int, text: str = "hi", user: int = 1001, chat: str = "private") -> Update:
    found = Update.de_json(
        {
            "update_id": update_id,
            "message": {
                "message_id": update_id + 100,
                "date": int(NOW.timestamp()),
                "chat": {"id": user if chat == "private" else -5, "type": chat, "title": "x"},
                "from": {"id": user, "is_bot": False, "first_name": "Ana"},
                "text": text,
            },
        },
        None,
    )
    assert found is not None
    return found


# ── updates ──────────────────────────────────────────────────────────────────────────────────


async def test_an_update_is_stored_once_and_cleared_when_it_is_done(inbox: Inbox) -> None:
    assert await inbox.updates.receive(7, "telegram:1001", '{"text": "hi"}')
    assert not await inbox.updates.receive(7, "telegram:1001", '{"text": "again"}')
    [kept] = await inbox.updates.received()
    assert (kept.update_id, kept.payload, kept.tries) == (7, '{"text": "hi"}', 0)

    assert (await inbox.updates.begin(7))[0] == 1
    await inbox.updates.done(7)
    assert await inbox.updates.received() == []
    assert (await inbox.updates.begin(7))[0] is None
    assert not await inbox.updates.receive(7, "telegram:1001", "once more"), "redelivered, done"

    counts = await inbox.counts()
    assert counts.updates == {"done": 1}
    assert counts.adds_up


async def test_updates_come_back_in_the_order_in_which_they_came(inbox: Inbox, time: Time) -> None:
    """After a week of silence Telegram restarts with a random, maybe lower id."""
    await inbox.updates.receive(900, None, "first")
    await inbox.updates.receive(901, None, "second")
    time.passes(days=8)
    await inbox.updates.receive(5, None, "third")
    assert [each.payload for each in await inbox.updates.received()] == ["first", "second", "third"]


async def test_a_try_is_counted_before_and_taken_back_after_a_shutdown(inbox: Inbox) -> None:
    await inbox.updates.receive(7, None, "x")
    assert [(await inbox.updates.begin(7))[0] for _ in range(2)] == [1, 2]
    await inbox.updates.undo_try(7)
    assert (await inbox.updates.begin(7))[0] == 2


async def test_an_update_that_is_set_aside_keeps_its_text(inbox: Inbox) -> None:
    await inbox.updates.receive(7, None, "x")
    await inbox.updates.set_aside(7, "KeyError")
    await inbox.updates.done(7)
    assert (await inbox.counts()).updates == {"set_aside": 1}
    assert await inbox.updates.received() == []


async def test_a_closed_inbox_gives_back_all_that_was_not_done(stores: Stores, time: Time) -> None:
    first = await stores.inbox(time)
    await first.updates.receive(1, None, "one")
    await first.updates.receive(2, None, "two")
    await first.updates.done(1)
    await first.close()
    second = await stores.inbox(time)
    assert [each.payload for each in await second.updates.received()] == ["two"]
    await second.close()


# ── the queue ────────────────────────────────────────────────────────────────────────────────


def queue(inbox: Inbox) -> InboxQueue:
    return InboxQueue(inbox.updates, parse.chat_of, lambda each: parse.payload(each, known=True))


async def test_the_queue_stores_first_and_takes_an_update_once(inbox: Inbox) -> None:
    line = queue(inbox)
    await line.put(update(1))
    await line.put(update(1))
    await line.put("a signal of the library's")
    assert line.qsize() == 2
    [kept] = await inbox.updates.received()
    assert kept.chat == "telegram:1001"
    assert '"text": "hi"' in kept.payload


async def test_the_queue_does_not_return_while_the_disk_is_full(
    inbox: Inbox, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Not returning means not confirming; raising would silently end the polling task."""
    monkeypatch.setattr("bot.telegram.intake.inbox_queue.STORE_BACKOFF", Backoff(0.01, 1.0))
    real, full = inbox.updates.receive, 3

    async def receive(*given: object) -> bool:
        nonlocal full
        full -= 1
        if full >= 0:
            raise StoreFull("the disk is full")
        return await real(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(inbox.updates, "receive", receive)
    line = queue(inbox)
    putting = asyncio.create_task(line.put(update(1)))
    with caplog.at_level(logging.ERROR):
        await asyncio.sleep(0.005)
        assert not putting.done()
        assert line.trouble == "messages cannot be stored: the disk is full"
        await putting
    assert line.trouble is None
    assert line.qsize() == 1
    assert "hi" not in caplog.text


async def test_what_a_failed_try_stored_is_queued_all_the_same(
    inbox: Inbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection breaks after the commit, and before its answer."""
    monkeypatch.setattr("bot.telegram.intake.inbox_queue.STORE_BACKOFF", Backoff(0.01, 1.0))
    real, broken = inbox.updates.receive, {1, 2}

    async def receive(update_id: int, chat: str | None, payload: str) -> bool:
        new = await real(update_id, chat, payload)
        if update_id in broken:
            broken.remove(update_id)
            raise StoreDown("the server closed the connection")
        return new

    monkeypatch.setattr(inbox.updates, "receive", receive)
    line = queue(inbox)
    await line.put(update(1))
    assert line.qsize() == 1
    with pytest.raises(StoreDown):
        await line.accept(update(2))
    await line.accept(update(2))  # a webhook's update is delivered again
    assert line.qsize() == 2
    await line.accept(update(2))
    assert line.qsize() == 2, "from then on it is known"


async def test_the_queue_tries_again_after_growing_pauses(
    inbox: Inbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    async def receive(*given: object) -> bool:
        if len(slept) < 7:
            raise StoreFull("the disk is full")
        return True

    monkeypatch.setattr("bot.telegram.api.connection.asyncio.sleep", sleep)
    monkeypatch.setattr(inbox.updates, "receive", receive)
    await queue(inbox).put(update(1))
    assert slept == pytest.approx([0.5, 1.0, 2.0, 4.0, 8.0, 10.0, 10.0], rel=0.25), "with jitter"


# ── order ────────────────────────────────────────────────────────────────────────────────────


async def test_a_burst_in_one_chat_delays_no_other_and_stop_waits_for_nobody() -> None:
    order = ByChat(parse.lane, parse.at_once, turns=2)
    ended: list[int] = []
    slow = asyncio.Event()

    async def work(number: int, *, slowly: bool) -> None:
        if slowly:
            await slow.wait()
        ended.append(number)

    tasks = [
        asyncio.create_task(order.process_update(update(n, user=1), work(n, slowly=True)))
        for n in range(5)
    ]
    await asyncio.sleep(0)
    for other in (
        order.process_update(update(10, user=2), work(10, slowly=False)),
        order.process_update(update(11, "/stop", user=1), work(11, slowly=False)),
    ):
        await asyncio.wait_for(other, 30)
    assert ended == [10, 11]
    slow.set()
    await asyncio.gather(*tasks)
    assert ended == [10, 11, 0, 1, 2, 3, 4]


async def test_what_has_not_begun_at_the_end_is_left_alone() -> None:
    order = ByChat(parse.lane, parse.at_once)
    begun: list[int] = []
    gate = asyncio.Event()

    async def work(number: int) -> None:
        begun.append(number)
        await gate.wait()

    tasks = [asyncio.create_task(order.process_update(update(n), work(n))) for n in range(3)]
    await asyncio.sleep(0)
    order.close()
    gate.set()
    await asyncio.gather(*tasks)
    assert begun == [0]


# ── replies ──────────────────────────────────────────────────────────────────────────────────


def answer(key: str = "turn:owner:1") -> Reply:
    return Reply(key, "owner", HOME, "answer", "shown", 1, logged='{"text": "shown"}')


async def test_a_reply_is_stored_once_and_forgets_its_text_when_it_is_settled(
    inbox: Inbox, tmp_path: Path
) -> None:
    stored = await inbox.replies.store(answer())
    assert (stored.state, stored.text) == ("to_send", "shown")
    assert stored == await inbox.replies.get("turn:owner:1")
    again = await inbox.replies.store(Reply("turn:owner:1", "owner", HOME, "answer", "other"))
    assert again.text == "shown"

    half = await inbox.replies.part_sent("turn:owner:1", 11, NOW, last=False)
    assert (half.state, half.telegram_ids, half.sent_at) == ("to_send", (11,), NOW)
    assert half == await inbox.replies.get("turn:owner:1")
    later = NOW + timedelta(seconds=5)
    whole = await inbox.replies.part_sent("turn:owner:1", 12, later, last=True)
    assert (whole.state, whole.telegram_ids, whole.sent_at) == ("sent", (11, 12), NOW)
    assert whole == await inbox.replies.get("turn:owner:1")
    assert [each.key for each in await inbox.replies.unsettled()] == ["turn:owner:1"]

    await inbox.replies.settle("turn:owner:1")
    assert await inbox.replies.unsettled() == []
    kept = await inbox.replies.get("turn:owner:1")
    assert kept is not None
    assert (kept.text, kept.logged, kept.settled, kept.state) == ("", "", True, "sent")


async def test_a_reply_that_is_given_up_is_counted(inbox: Inbox) -> None:
    await inbox.replies.store(answer())
    assert (await inbox.replies.give_up("turn:owner:1", "blocked")).state == "given_up"
    counts = await inbox.counts()
    assert (counts.replies, counts.unsettled) == ({"given_up": 1}, 1)


async def test_what_waits_for_a_group_goes_to_its_new_id(inbox: Inbox) -> None:
    waits = replace(answer(), where=Where(-700, 3), answers=12)
    await inbox.replies.store(waits)
    await inbox.replies.begin_stream(waits.key, 15, NOW)
    await inbox.replies.store(replace(answer("turn:owner:2"), where=Where(-700)))
    await inbox.replies.settle("turn:owner:2")
    await inbox.replies.move(-700, -1007)
    assert await inbox.replies.unsettled() == [replace(waits, where=Where(-1007, 3), answers=None)]
    assert await inbox.replies.stream_message(waits.key) is None
    settled = await inbox.replies.get("turn:owner:2")
    assert settled is not None and settled.where == Where(-700)


@pytest.mark.parametrize(
    ("place", "name"), [(Where(12), "telegram:12"), (Where(-1005, 7), "telegram:-1005:7")]
)
def test_a_place_has_a_name_in_the_log(place: Where, name: str) -> None:
    assert place.chat == name


# ── people ───────────────────────────────────────────────────────────────────────────────────


async def test_a_code_pairs_one_person_within_its_time_and_tries(
    inbox: Inbox, time: Time, tmp_path: Path, stores: Stores
) -> None:
    people = inbox.people
    code = await people.new_code()
    assert len(code) == 9 and code[4] == "-"
    assert code.encode() not in bytes_of(tmp_path / "inbox.db")
    [kept] = stores.rows("inbox", "SELECT hash, salt FROM pairing")
    assert not any(code.encode() in value or code[:4].encode() in value for value in kept)

    assert not await people.pair("000-00", 5)
    assert await people.pair(code.replace("-", " ").lower(), 5)
    assert not await people.pair(code, 6), "one use"
    assert await people.paired() == {5: "owner"}

    late = await people.new_code()
    time.passes(minutes=10, seconds=1)
    assert not await people.pair(late, 6), "ten minutes"

    guessed = await people.new_code()
    for _ in range(5):
        assert not await people.pair("x", 6)
    assert not await people.pair(guessed, 6), "five tries"
    time.passes(minutes=9)
    again = await people.new_code()
    assert await people.pair(again, 6), "it was the owner, mistyping"


async def test_access_is_by_settings_or_by_pairing(inbox: Inbox) -> None:
    access = Access({1: "owner", 2: "ana"}, inbox.people)
    await access.load()
    assert [access.profile_of(n) for n in (1, 2, 3)] == ["owner", "ana", None]
    assert await access.pair(await inbox.people.new_code(), 3)
    assert access.profile_of(3) == "owner"
    assert (access.user_of("owner"), access.user_of("ana"), access.user_of("bob")) == (1, 2, None)

    alone = Access({}, inbox.people)
    assert alone.empty
    await alone.load()
    assert not alone.empty
    assert alone.user_of("owner") == 3


async def test_strangers_are_counted_and_told_of_once_a_day(inbox: Inbox, time: Time) -> None:
    access = Access({1: "owner"}, inbox.people)
    for user in (9, 9, 9, 8):
        await access.count_refusal(user)
    news = await access.strangers_notice()
    assert news is not None and "2 strangers" in news and "4 times" in news
    await access.count_refusal(8)
    assert await access.strangers_notice() is None, "not twice a day"

    time.passes(days=1)
    news = await access.strangers_notice()
    assert news is not None and news.startswith("Someone I do not know") and "once" in news
    assert await access.strangers_notice() is None
    await access.count_refusal(9)
    counts = await inbox.counts()
    assert counts.strangers == 2


ANA, BOB = (
    {"id": id_, "is_bot": False, "first_name": name} for id_, name in ((1, "Ana"), (2, "Bob"))
)
EVES = {"type": "hidden_user", "date": 1770897600, "sender_user_name": "Eve"}
NEWS = {"id": -7, "type": "channel", "title": "News"}


@pytest.mark.parametrize(
    ("fields", "author"),
    [
        ({"reply_to_message": {"from": ANA}}, None),
        ({"reply_to_message": {"from": {**BOB, "is_bot": True}}}, None),
        ({"reply_to_message": {"from": BOB}}, "Bob"),
        ({"reply_to_message": {"from": ANA, "forward_origin": EVES}}, "Eve"),
        ({"reply_to_message": {"from": {**BOB, "is_bot": True}, "sender_chat": NEWS}}, "News"),
        ({"reply_to_message": {}}, "somebody"),
        ({"quote": {"text": "Pay Eve.", "position": 0}, "external_reply": {"origin": EVES}}, "Eve"),
        ({"quote": {"text": "Pay Eve.", "position": 0}}, "somebody"),
    ],
)
def test_what_is_replied_to_is_its_authors_word(fields: dict[str, Any], author: str | None) -> None:
    """The sender's own words and Sam's are quoted without a name."""
    inner = {"message_id": 5, "date": 1770897600, "chat": {"id": 1, "type": "private"}}
    if "reply_to_message" in fields:
        fields = {"reply_to_message": {**inner, "text": "Pay Eve.", **fields["reply_to_message"]}}
    message = Message.de_json({**inner, "from": ANA, "text": "What is it?", **fields}, None)
    assert message is not None
    said = parse.said_message(message)
    assert said is not None
    assert quoted_part(said.text) == (("", "") if author is None else (author, "Pay Eve."))
    assert said.text.endswith("> Pay Eve.\n\nWhat is it?") and said.origin == "owner"


def test_nothing_that_a_stranger_or_a_group_wrote_is_stored() -> None:
    for each in (
        update(1, "a secret"),
        update(1, "/stop secret"),
        update(1, "secret", chat="group"),
        update(1, "/start secret", chat="group"),
        update(1, f"/pair {'x' * 32} secret"),
    ):
        assert "secret" not in parse.payload(each, known=False)
    for text in ("/start K7QM-2XRD", "/pair K7QM-2XRD"):
        kept = Update.de_json(json.loads(parse.payload(update(3, text), known=False)), None)
        assert kept is not None and kept.message is not None
        assert (kept.message.text, kept.message.chat_id, kept.message.message_id) == (
            text,
            1001,
            103,
        )
        assert parse.is_private(kept)


async def test_two_processes_share_an_inbox(stores: Stores, time: Time) -> None:
    """`sam pair` shows a code while the bot is running."""
    bot, cli = [await stores.inbox(time) for _ in range(2)]
    code = await cli.people.new_code()
    assert await bot.people.pair(code, 5)
    assert await cli.people.paired() == {5: "owner"}
    await bot.close()
    await cli.close()
