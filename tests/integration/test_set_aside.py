"""Updates that could not be handled: kept, listed, retried or dropped, and finally forgotten."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest

from bot.cli.commands import forget as forget_command
from bot.cli.commands import inbox as inbox_command
from bot.inbox import Inbox, Updates
from memory import OWNER
from memory.errors import LockHeld, StoreBusy, StoreFull
from memory.infra import Backoff
from memory.infra.file_locks import RunLock
from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import ANA, FakeTelegram
from tests.support.inboxes import NOW, Time, bytes_of
from tests.support.telegram import claude, quick, sam, settings, telegram  # noqa: F401

FIRST_SESSION = Namespace(session=1, profile=OWNER, yes=True, json=False)


def strange(
    text: str,
    user: int = ANA.id,
    *,
    kind: str = "message",
    before: str | None = None,
    number: int = 77,
) -> bytes:
    """Send a poll answer and an update that the library cannot parse: its date is a word.

    `before`: a readable message to send first; `number`: of the message.
    """
    message = {
        "message_id": number,
        "date": "tomorrow",
        "chat": {"id": user, "type": "private"},
        "from": {"id": user, "is_bot": False, "first_name": "A"},
        "text": text,
    }
    updates = [{"update_id": 2, kind: message}]
    if before is not None:
        sound = {**message, "message_id": 76, "date": int(NOW.timestamp()), "text": before}
        updates.insert(0, {"update_id": 1, "message": sound})
    return json.dumps({"ok": True, "result": updates}).encode()


async def gone(word: bytes, folder: Path) -> None:
    """Wait until the inbox contains no byte of it."""
    async with asyncio.timeout(60):
        while word in bytes_of(folder / "data" / "inbox.db"):  # noqa: ASYNC110  no request tells
            await asyncio.sleep(0.01)


def breaks(monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    """Make every update that contains that word fail with a bug."""
    from bot.turn import Turns

    real = Turns.answer

    def answer(self: Turns, turn: Any, *media: Any) -> Any:
        if word in turn.message.text:
            raise ValueError("a bug")
        return real(self, turn, *media)

    monkeypatch.setattr(Turns, "answer", answer)


def unhandled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate a crash before an update is looked at."""

    async def nothing(*_: Any) -> None: ...

    monkeypatch.setattr("bot.telegram.handlers.Handlers._until_done", nothing)


async def test_what_cannot_be_read_is_told_to_its_sender_and_kept(
    telegram: FakeTelegram,  # noqa: F811
    claude: FakeClaude,  # noqa: F811
    tmp_path: Path,
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.asks("hello", timeout=60)
        telegram.fails(200, method="getUpdates", body=strange("my canary"))
        await telegram.receives("the poll that waits ends with this")
        sent = await telegram.wait_sent(3, timeout=60)
        [told] = [each for each in sent if "30 days" in each.text]
        assert "cannot read (" in told.text and "sam inbox" in told.text
        await it.at_rest()
        [aside] = await it.inbox.updates.aside()
        assert "my canary" in (aside.payload or "")
        assert "canary" not in aside.reason


async def test_of_a_stranger_it_is_neither_told_nor_kept(
    telegram: FakeTelegram,  # noqa: F811
    claude: FakeClaude,  # noqa: F811
    tmp_path: Path,
) -> None:
    telegram.fails(200, method="getUpdates", body=strange("my canary", user=666))
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.asks("hello", timeout=60)
        await it.at_rest()
        assert (await it.inbox.counts()).updates == {"set_aside": 1, "done": 1}
    assert b"canary" not in bytes_of(tmp_path / "data" / "inbox.db")
    assert len(telegram.sent) == 1


@pytest.mark.parametrize("user", [ANA.id, 666])
async def test_what_cannot_be_read_is_set_aside_after_a_crash_too(
    telegram: FakeTelegram,  # noqa: F811
    claude: FakeClaude,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    user: int,
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.asks("hello", timeout=60)
        await it.at_rest()
    telegram.fails(200, method="getUpdates", body=strange("mine", user))
    with monkeypatch.context() as dying:
        unhandled(dying)
        async with sam(telegram, claude, tmp_path) as it:
            while not await it.inbox.updates.received():  # noqa: ASYNC110  no request tells of it
                await asyncio.sleep(0.01)
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.wait_sent(2 if user == ANA.id else 1, timeout=60)
        await it.at_rest()
        assert (await it.inbox.counts()).updates == {"set_aside": 1, "done": 1}


async def test_it_is_shown_tried_again_and_answered(
    telegram: FakeTelegram,  # noqa: F811
    claude: FakeClaude,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    given = settings(telegram, claude, tmp_path)
    with monkeypatch.context() as bug:
        breaks(bug, "poison")
        async with sam(telegram, claude, tmp_path) as it:
            assert "sam inbox" in (await telegram.asks("poison\nivy", timeout=60)).text
            await it.at_rest()
    assert await inbox_command._inbox(given, None, None) == 0
    shown = capsys.readouterr().out
    assert "ValueError  poison ivy" in shown and f"telegram:{ANA.id}" in shown
    with RunLock(given.data_dir / "run.lock"), pytest.raises(LockHeld):
        await inbox_command._inbox(given, [], None)
    assert await inbox_command._inbox(given, [], None) == 0
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.wait_sent(2, timeout=60)
        await it.at_rest()
        assert await it.texts() == [("user", "poison\nivy"), ("assistant", "All right.")]
        ledger = await it.profiles["owner"].memory.log.ledger()
        assert ledger.turns == {"answered": 1} and ledger.adds_up
        assert (await it.inbox.counts()).updates == {"done": 1}
    assert await inbox_command._inbox(given, [4711], None) == 1


async def test_said_incognito_its_text_is_not_kept_aside(
    telegram: FakeTelegram,  # noqa: F811
    claude: FakeClaude,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    breaks(monkeypatch, "poison")
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.asks("/incognito", timeout=60)
        told = (await telegram.asks("poison canary", timeout=60)).text
        assert "sam inbox" in told and "30 days" not in told
        await gone(b"canary", tmp_path)
        [aside] = await it.inbox.updates.aside()
        assert aside.payload is None


async def test_an_incognito_message_is_erased_once_the_store_takes_it(
    telegram: FakeTelegram,  # noqa: F811
    claude: FakeClaude,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bot.telegram.intake.incognito_traces.BACKOFF", Backoff(0.01, 1.0))
    claude.responds_with("All right.")
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.asks("/incognito", timeout=60)
        await it.at_rest()
        scrub, tries = it.bot.inbox.scrub, 0

        async def busy_twice(*, quick: bool) -> None:
            nonlocal tries
            tries += 1
            if tries <= 2:
                raise StoreBusy("the database is locked")
            await scrub(quick=quick)

        monkeypatch.setattr(it.bot.inbox, "scrub", busy_twice)
        assert (await telegram.asks("a canary", timeout=60)).text.startswith("All right.")
        await gone(b"a canary", tmp_path)
        assert tries == 3


@pytest.mark.parametrize("kind", ["message", "edited_message"])
@pytest.mark.parametrize("ends", [False, True])
async def test_what_cannot_be_read_is_not_kept_where_its_chat_is_incognito(
    telegram: FakeTelegram,  # noqa: F811
    claude: FakeClaude,  # noqa: F811
    tmp_path: Path,
    kind: str,
    ends: bool,
) -> None:
    """It waits for the earlier /incognito or /new to be handled, while Sam answers."""
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.asks("/incognito" if ends else "hello", timeout=60)
        claude.stalls(1.0, after_events=0)
        body = strange("my canary", kind=kind, before="/new" if ends else "/incognito")
        telegram.fails(200, method="getUpdates", body=body)
        sent = len(telegram.sent)
        await telegram.receives("the poll that waits ends with this")
        told = (await telegram.wait_sent(sent + 3, timeout=60))[-1].text
        await it.at_rest()
        [aside] = await it.inbox.updates.aside()
        assert (aside.chat, aside.reason) == (f"telegram:{ANA.id}", "TypeError")
        assert "cannot read (a bug" in told and "TypeError" not in told and "sam inbox" in told
        if ends:
            assert "30 days" in told and "my canary" in (aside.payload or "")
        else:
            assert "incognito" in told and "30 days" not in told and aside.payload is None
            await gone(b"canary", tmp_path)


@pytest.mark.parametrize("incognito", [False, True])
@pytest.mark.parametrize("readable", [False, True])
async def test_an_edit_after_new_is_not_kept_of_what_was_said_incognito(
    telegram: FakeTelegram,  # noqa: F811
    claude: FakeClaude,  # noqa: F811
    tmp_path: Path,
    incognito: bool,
    readable: bool,
) -> None:
    """Whether the edit is unreadable, or of a finished message."""
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.asks("/incognito" if incognito else "hello", timeout=60)
        said = await telegram.receives("a word")
        await telegram.wait_sent(2, timeout=60)
        await telegram.asks("/new", timeout=60)
        if readable:
            await telegram.edits(said, "my canary")
        else:
            body = strange("my canary", kind="edited_message", number=said.message_id)
            telegram.fails(200, method="getUpdates", body=body)
        await telegram.receives("the poll that waits ends with this")
        sent = await telegram.wait_sent(4 if readable else 5, timeout=60)
        told = [each.text for each in sent if "cannot read" in each.text]
        assert ["30 days" in each for each in told] == ([] if readable else [not incognito])
        await it.at_rest()
        aside = await it.inbox.updates.aside()
        assert [bool(each.payload) for each in aside] == ([] if readable else [not incognito])
        if incognito:
            await gone(b"canary", tmp_path)
            assert "my canary" not in str(await it.texts())
        elif readable:
            assert ("user", "my canary") in await it.texts()


@pytest.mark.parametrize("incognito", [False, True])
@pytest.mark.parametrize("damaged", ["substr(payload, 2)", "'null'"])
async def test_of_a_chat_that_cannot_be_told_no_text_is_kept_while_any_is_incognito(
    telegram: FakeTelegram,  # noqa: F811
    claude: FakeClaude,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    incognito: bool,
    damaged: str,
) -> None:
    """The inbox's record of the chat is damaged."""
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.asks("/incognito" if incognito else "hello", timeout=60)
        await it.at_rest()
    with monkeypatch.context() as dying:
        unhandled(dying)
        async with sam(telegram, claude, tmp_path) as it:
            await telegram.receives("my canary")
            while not await it.inbox.updates.received():  # noqa: ASYNC110  no request tells of it
                await asyncio.sleep(0.01)
    with sqlite3.connect(tmp_path / "data" / "inbox.db") as inbox:
        inbox.execute(f"UPDATE incoming SET payload = {damaged} WHERE state = 'received'")
    inbox.close()
    async with sam(telegram, claude, tmp_path) as it:
        await it.at_rest()
        [aside] = await it.inbox.updates.aside()
        assert "damaged" in aside.reason and bool(aside.payload) is not incognito
        if incognito:
            await gone(b"canary", tmp_path)
    given = settings(telegram, claude, tmp_path)
    assert await inbox_command._inbox(given, None, None) == 0
    assert ("is gone" if incognito else "is damaged") in capsys.readouterr().out
    assert await inbox_command._inbox(given, [aside.update_id], None) == 1
    if not incognito:
        assert await forget_command._forget(given, FIRST_SESSION) == 0
        await gone(b"canary", tmp_path)


async def test_what_cannot_be_read_is_kept_once_the_disk_has_room_for_it(
    telegram: FakeTelegram,  # noqa: F811
    claude: FakeClaude,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real, tries = Updates.set_aside, 0

    async def full(self: Updates, *given: Any, **named: Any) -> None:
        nonlocal tries
        tries += 1
        if tries <= 2:
            raise StoreFull("inbox.db cannot be written")
        await real(self, *given, **named)

    monkeypatch.setattr(Updates, "set_aside", full)
    telegram.fails(200, method="getUpdates", body=strange("my canary"))
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.asks("hello", timeout=60)
        await it.at_rest()
        [aside] = await it.inbox.updates.aside()
        assert "my canary" in (aside.payload or "") and tries == 3


async def test_a_set_aside_update_can_be_dropped(
    telegram: FakeTelegram,  # noqa: F811
    claude: FakeClaude,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    breaks(monkeypatch, "poison")
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.asks("poison", timeout=60)
        await it.at_rest()
    assert b"poison" in bytes_of(tmp_path / "data" / "inbox.db")
    assert await inbox_command._inbox(settings(telegram, claude, tmp_path), None, []) == 0
    assert b"poison" not in bytes_of(tmp_path / "data" / "inbox.db")
    async with sam(telegram, claude, tmp_path) as it:
        counts = await it.inbox.counts()
        assert counts.updates == {"done": 1} and counts.adds_up


async def test_what_is_forgotten_leaves_no_byte_of_it_in_the_inbox(
    telegram: FakeTelegram,  # noqa: F811
    claude: FakeClaude,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    breaks(monkeypatch, "poison")
    given = settings(telegram, claude, tmp_path)
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.asks("poison of the canary", timeout=60)
        await telegram.asks("/new", timeout=60)
        await telegram.asks("poison of the wren", timeout=60)
        await it.at_rest()
    inbox = tmp_path / "data" / "inbox.db"
    assert b"canary" in bytes_of(inbox)
    assert await forget_command._forget(given, FIRST_SESSION) == 0
    assert b"canary" not in bytes_of(inbox)
    assert b"wren" in bytes_of(inbox)
    opened = await Inbox.open(inbox, lambda: NOW)
    counts = await opened.counts()
    assert counts.updates == {"done": 1, "set_aside": 2} and counts.adds_up
    assert [bool(each.payload) for each in await opened.updates.aside()] == [False, True]
    assert not await opened.updates.requeue((await opened.updates.aside())[0].update_id)
    await opened.close()


async def test_after_thirty_days_its_text_goes_by_itself(tmp_path: Path) -> None:
    time = Time()
    inbox = await Inbox.open(tmp_path / "inbox.db", time)
    for number in (1, 2):
        await inbox.updates.receive(number, None, '{"text": "canary"}')
        await inbox.updates.set_aside(number, "KeyError")
        time.passes(days=20)
    assert await inbox.updates.expire() == 1
    assert [bool(each.payload) for each in await inbox.updates.aside()] == [False, True]
    time.passes(days=11)
    assert await inbox.updates.expire() == 1
    await inbox.scrub()
    assert b"canary" not in bytes_of(tmp_path / "inbox.db")
    assert (await inbox.counts()).adds_up
    await inbox.close()


async def test_sam_clears_it_at_the_start(
    telegram: FakeTelegram,  # noqa: F811
    claude: FakeClaude,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    breaks(monkeypatch, "poison")
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.asks("poison of the canary", timeout=60)
        await it.at_rest()
    telegram.passes(days=31)
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.asks("hello", timeout=60)
        while (await it.inbox.updates.aside())[0].payload:  # noqa: ASYNC110  nor of this
            await asyncio.sleep(0.01)
    assert b"canary" not in bytes_of(tmp_path / "data" / "inbox.db")


# ── a log that is not the inbox's ────────────────────────────────────────────────────────────


async def test_a_log_that_is_gone_or_older_keeps_nobody_from_being_answered(
    telegram: FakeTelegram,  # noqa: F811
    claude: FakeClaude,  # noqa: F811
    tmp_path: Path,
) -> None:
    """Its turn ids start again, and the inbox knows replies to turns with the same ids."""
    data = tmp_path / "data"
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.asks("one", timeout=60)
        await it.at_rest()
    shutil.copy(data / "log.db", tmp_path / "older.db")
    telegram.passes(minutes=5)
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.asks("two", timeout=60)
        await it.at_rest()
    for path in data.glob("log.db*"):
        path.unlink()
    shutil.copy(tmp_path / "older.db", data / "log.db")
    telegram.passes(minutes=5)
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.asks("three", timeout=60)
        await it.at_rest()
        assert [text for role, text in await it.texts() if role == "user"] == ["one", "three"]
    for path in data.glob("log.db*"):
        path.unlink()
    telegram.passes(minutes=5)
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.asks("four", timeout=60)
        await it.at_rest()
        assert await it.texts() == [("user", "four"), ("assistant", "All right.")]


async def test_a_reply_whose_turn_is_gone_is_sent_and_waits_for_no_log(
    telegram: FakeTelegram,  # noqa: F811
    claude: FakeClaude,  # noqa: F811
    tmp_path: Path,
) -> None:
    telegram.fails(502, method="sendMessage", times=None)
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.receives("hello")
        await telegram.wait_for(lambda t: any(r.method == "sendMessage" for r in t.requests))
    telegram.heals()
    with sqlite3.connect(tmp_path / "data" / "inbox.db") as inbox:
        inbox.execute("UPDATE incoming SET state = 'done', payload = NULL")
    inbox.close()
    for path in (tmp_path / "data").glob("log.db*"):
        path.unlink()
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.wait_sent(1, timeout=60)
        await it.at_rest()
        assert (await it.inbox.counts()).replies == {"sent": 1}
        assert await it.texts() == []
