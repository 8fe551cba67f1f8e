"""Sending replies to Telegram in the best form it accepts, with fallbacks for every failure."""

from __future__ import annotations

import asyncio
import itertools
import logging
import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import ClassVar

import httpx
import pytest
from telegram import error
from telegram.ext import Application, ExtBot

from bot.errors import ChatClosed, ChatError, MessageRefused, TelegramDown, TokenRefused
from bot.inbox import Inbox, Reply, Where
from bot.telegram.api import live_draft as drafts
from bot.telegram.api.connection import Limits, silence_library_logs, telegram_errors
from bot.telegram.api.delivery import NOTHING, Outbox
from bot.telegram.api.live_draft import Draft
from bot.telegram.api.sender import ALONE, Beside, Sender, SentMessage
from bot.telegram.formatting import PERHAPS_TWICE, message_parts
from tests.fakes.telegram import ANA, FakeTelegram
from tests.fakes.violations import assert_no_violations

NOW = datetime(2026, 2, 12, 13, 30, tzinfo=UTC)
HOME = Where(ANA.id)
RICH = "# Title\n\n| a | b |\n|---|---|\n| 1 | 2 |"


@pytest.fixture
async def telegram() -> AsyncIterator[FakeTelegram]:
    async with FakeTelegram(clock=NOW) as fake:
        await fake.receives("hello")  # a bot may not send the first message
        yield fake
        assert_no_violations(fake)


@pytest.fixture
async def bot(telegram: FakeTelegram) -> AsyncIterator[ExtBot[None]]:
    built = (
        Application.builder()
        .token(telegram.token)
        .base_url(f"{telegram.url}/bot")
        .rate_limiter(Limits())
        .job_queue(None)
        .updater(None)
        .build()
    )
    async with built.bot as bot:
        yield bot


@pytest.fixture
def sender(bot: ExtBot[None]) -> Sender:
    return Sender(bot)


@pytest.fixture
async def inbox(tmp_path: Path) -> AsyncIterator[Inbox]:
    opened = await Inbox.open(tmp_path / "inbox.db", lambda: NOW)
    yield opened
    await opened.close()


@pytest.fixture
def slept() -> list[float]:
    return []


@pytest.fixture
def outbox(inbox: Inbox, sender: Sender, slept: list[float]) -> Outbox:
    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    return Outbox(inbox.replies, sender, sleep)


def part(text: str) -> message_parts.Part:
    [only] = message_parts.parts(text)
    return only


async def stored(inbox: Inbox, text: str, key: str = "turn:owner:1") -> Reply:
    return await inbox.replies.store(Reply(key, "owner", HOME, "answer", text, 1))


# ── the form ─────────────────────────────────────────────────────────────────────────────────


async def test_prose_is_a_plain_message_and_markup_a_rich_one(
    telegram: FakeTelegram, sender: Sender
) -> None:
    first = await sender.send(HOME, part("Just\nwords."))
    await sender.send(HOME, part(RICH))
    assert [(s.method, s.text) for s in telegram.sent] == [
        ("sendMessage", "Just\nwords."),
        ("sendRichMessage", RICH),
    ]
    assert first.id == telegram.sent[0].message_id
    assert first.at == telegram.sent[0].date == NOW


async def test_a_server_without_rich_messages_gets_entities_and_is_remembered(
    telegram: FakeTelegram, sender: Sender
) -> None:
    telegram.lacks()
    for _ in range(3):
        await sender.send(HOME, part("It is **bold** [here](https://e.com/a_b)."))
    assert [s.method for s in telegram.sent] == ["sendMessage"] * 3
    assert telegram.sent[0].text == "It is bold here (e.com)."
    assert [e["type"] for e in telegram.sent[0].entities] == ["bold", "text_link"]
    assert [r.method for r in telegram.requests].count("sendRichMessage") == 1


async def test_a_rich_message_that_is_refused_is_sent_as_text(
    telegram: FakeTelegram, sender: Sender
) -> None:
    telegram.fails(400, method="sendRichMessage", description="Bad Request: RICH_INVALID")
    await sender.send(HOME, part(RICH))
    await sender.send(HOME, part(RICH))
    assert [s.method for s in telegram.sent] == ["sendMessage", "sendRichMessage"]


async def test_rich_messages_are_given_up_when_they_are_refused_again_and_again(
    telegram: FakeTelegram, sender: Sender
) -> None:
    telegram.fails(400, method="sendRichMessage", times=None)
    for _ in range(5):
        await sender.send(HOME, part(RICH))
    assert [r.method for r in telegram.requests].count("sendRichMessage") == 3
    assert len(telegram.sent) == 5


async def test_without_rich_messages_and_entities_the_words_arrive(
    telegram: FakeTelegram, sender: Sender
) -> None:
    telegram.lacks()
    telegram.fails(400, method="sendMessage", description="Bad Request: can't parse entities")
    await sender.send(HOME, part("**bold** words"))
    assert [(s.text, s.entities) for s in telegram.sent] == [("bold words", ())]


@pytest.mark.parametrize(("refused", "entities"), [(1, ["bold"]), (2, [])])
async def test_an_edit_has_the_same_forms_in_the_same_order(
    telegram: FakeTelegram, sender: Sender, refused: int, entities: list[str]
) -> None:
    """What replaces a message when a button is pressed, or an answer in a group grows."""
    sent = await sender.send(HOME, part("words"))
    telegram.fails(400, method="editMessageText", times=refused)
    await sender.edit(HOME, sent.id, part("It is **bold**."))
    [edited] = telegram.edited
    assert edited.text == "It is bold."
    assert [each["type"] for each in edited.entities] == entities
    telegram.fails(400, method="editMessageText", times=3)
    with pytest.raises(MessageRefused):
        await sender.edit(HOME, sent.id, part("It is **bold**."))


async def test_links_show_no_preview(telegram: FakeTelegram, sender: Sender) -> None:
    await sender.send(HOME, part("See https://example.org/a_b_c"))
    assert telegram.sent[0].fields["link_preview_options"] == {"is_disabled": True}
    assert telegram.sent[0].text == "See https://example.org/a_b_c"


# ── until it is there ────────────────────────────────────────────────────────────────────────


async def test_a_long_answer_is_sent_in_parts_and_known_by_all_of_them(
    telegram: FakeTelegram, inbox: Inbox, outbox: Outbox
) -> None:
    text = "\n\n".join(f"{n} " + "word " * 300 for n in range(6))
    done = await outbox.deliver(await stored(inbox, text))
    assert done.state == "sent"
    assert len(telegram.sent) > 1
    assert done.telegram_ids == tuple(s.message_id for s in telegram.sent)
    assert " ".join(s.text for s in telegram.sent).split() == text.split()


async def test_after_a_crash_only_the_missing_parts_are_sent(
    telegram: FakeTelegram, inbox: Inbox, outbox: Outbox
) -> None:
    text = "\n\n".join(f"{n} " + "word " * 700 for n in range(3))
    await stored(inbox, text)
    half = await inbox.replies.part_sent("turn:owner:1", 4711, NOW, last=False)
    done = await outbox.deliver(half)
    assert [s.text[0] for s in telegram.sent] == ["1", "2"]
    assert done.telegram_ids == (4711, *(s.message_id for s in telegram.sent))


async def test_a_message_that_comes_too_fast_waits_as_long_as_it_is_asked_to(
    telegram: FakeTelegram, inbox: Inbox, outbox: Outbox, slept: list[float]
) -> None:
    telegram.fails(429, method="sendMessage", retry_after=1)
    begun = asyncio.get_running_loop().time()
    assert (await outbox.deliver(await stored(inbox, "hi"))).state == "sent"
    assert asyncio.get_running_loop().time() - begun >= 1
    assert slept == []


async def test_a_network_that_is_down_is_waited_for(
    telegram: FakeTelegram, inbox: Inbox, outbox: Outbox, slept: list[float]
) -> None:
    telegram.fails(503, method="sendMessage", times=2)
    telegram.fails(502, method="sendMessage", times=2)
    assert (await outbox.deliver(await stored(inbox, "hi"))).state == "sent"
    for wait, middle in zip(slept, (1, 2, 4, 8), strict=True):
        assert 0.75 * middle <= wait <= 1.25 * middle
    assert [s.text for s in telegram.sent] == ["hi"]


@pytest.mark.parametrize("text", ["hi", RICH])
async def test_a_message_whose_answer_was_lost_is_sent_again_with_a_remark(
    telegram: FakeTelegram, inbox: Inbox, outbox: Outbox, text: str
) -> None:
    """Telegram accepted it, but the connection broke before its answer arrived."""
    telegram.cuts(method="sendRichMessage" if text == RICH else "sendMessage", when="after")
    done = await outbox.deliver(await stored(inbox, text))
    first, second = telegram.sent
    assert PERHAPS_TWICE not in first.text and second.text.rstrip("*").endswith(PERHAPS_TWICE)
    assert done.telegram_ids == (second.message_id,) and not done.sending


async def test_what_never_left_or_was_answered_has_no_remark(
    telegram: FakeTelegram, inbox: Inbox, outbox: Outbox
) -> None:
    telegram.fails(502, method="sendMessage", times=2)
    await outbox.deliver(await stored(inbox, "hi"))
    assert [s.text for s in telegram.sent] == ["hi"]
    with pytest.raises(TelegramDown) as down, telegram_errors():
        raise error.NetworkError("refused") from httpx.ConnectError("refused")
    assert not down.value.unsure
    with pytest.raises(TelegramDown) as down, telegram_errors():
        raise error.TimedOut from httpx.ReadTimeout("late")
    assert down.value.unsure


async def test_of_several_parts_the_one_that_may_have_come_has_the_remark(
    telegram: FakeTelegram, inbox: Inbox, outbox: Outbox
) -> None:
    text = "\n\n".join(f"{n} " + "word " * 780 for n in range(3))  # each fills one message
    half = await stored(inbox, text)
    half = await inbox.replies.part_sent("turn:owner:1", 4711, NOW, last=False)
    await inbox.replies.sending("turn:owner:1", may_arrive=True)  # and then Sam was killed
    half = await inbox.replies.store(half)
    done = await outbox.deliver(half)
    said = [(s.text[0], s.text.endswith(PERHAPS_TWICE)) for s in telegram.sent]
    assert said[0] == ("1", True) and not any(marked for _, marked in said[1:])
    assert done.state == "sent"


async def test_the_pauses_grow_to_a_minute_and_no_further(
    telegram: FakeTelegram, inbox: Inbox, outbox: Outbox, slept: list[float]
) -> None:
    telegram.fails(502, method="sendMessage", times=8)
    assert (await outbox.deliver(await stored(inbox, "hi"))).state == "sent"
    grown = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0]
    assert slept == pytest.approx(grown, rel=0.25), "with jitter"


async def test_telegram_may_ask_for_a_longer_pause_and_for_no_shorter_one(
    inbox: Inbox, slept: list[float]
) -> None:
    class Busy(Sender):
        """Raises what the library's limiter raises when it gives up waiting."""

        asked: ClassVar = [0.5, 40.0]

        def __init__(self) -> None: ...

        async def send(
            self, place: Where, part: message_parts.Part, beside: Beside = ALONE
        ) -> SentMessage:
            if self.asked:
                raise TelegramDown("too fast", retry_after=self.asked.pop(0))
            return SentMessage(1, NOW)

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    await Outbox(inbox.replies, Busy(), sleep).deliver(await stored(inbox, "hi"))
    assert slept == [pytest.approx(1.0, rel=0.25), 40.0]


async def test_somebody_who_blocked_the_bot_gets_nothing_more(
    telegram: FakeTelegram, inbox: Inbox, outbox: Outbox
) -> None:
    telegram.blocks()
    assert (await outbox.deliver(await stored(inbox, RICH))).state == "given_up"
    assert (await inbox.counts()).replies == {"given_up": 1}


async def test_of_a_reply_that_is_given_up_half_way_the_sent_parts_are_known(
    telegram: FakeTelegram, inbox: Inbox, outbox: Outbox
) -> None:
    text = "\n\n".join(f"{n} " + "word " * 700 for n in range(3))
    await stored(inbox, text)
    half = await inbox.replies.part_sent("turn:owner:1", 4711, NOW, last=False)
    telegram.blocks()
    done = await outbox.deliver(half)
    assert (done.state, done.telegram_ids, done.sent_at) == ("given_up", (4711,), NOW)
    assert done.text == text, "the log is still to be told of it"
    assert telegram.sent == []
    assert await inbox.replies.unsettled() == [done]
    assert (await inbox.counts()).wrong == ()


async def test_an_empty_answer_still_says_something(
    telegram: FakeTelegram, inbox: Inbox, outbox: Outbox
) -> None:
    await outbox.deliver(await stored(inbox, "  \n"))
    assert [s.text for s in telegram.sent] == [NOTHING]


# ── drafts ───────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def fast(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, seconds in (("PERIOD", 0.02), ("KEEP", 0.15), ("TYPING", 0.05), ("DOWN", 0.02)):
        monkeypatch.setattr(drafts, name, seconds)


async def test_a_draft_grows_and_a_tool_call_does_not_make_it_vanish(
    telegram: FakeTelegram, sender: Sender, fast: None
) -> None:
    async with Draft(sender, HOME, 7) as draft:
        await telegram.wait_for(lambda t: t.actions)
        draft.add("Let me see. ")
        await telegram.wait_for(lambda t: t.drafts)
        draft.show_activity("Searching memory for “dog” …")
        await telegram.wait_for(lambda t: "Searching" in t.drafts[-1].text)
        draft.add("It is Rex.")
        await telegram.wait_for(lambda t: t.drafts[-1].text.endswith("Rex."))
    assert {d.draft_id for d in telegram.drafts} == {7}
    assert all(d.text.startswith("Let me see.") for d in telegram.drafts)
    assert telegram.drafts[-1].text == "Let me see. It is Rex."


async def test_a_draft_that_stands_still_is_shown_again(
    telegram: FakeTelegram, sender: Sender, fast: None
) -> None:
    async with Draft(sender, HOME, 7) as draft:
        draft.add("thinking hard")
        await telegram.wait_for(lambda t: len(t.drafts) >= 3)
    assert {d.text for d in telegram.drafts} == {"thinking hard"}


async def test_drafts_come_at_most_once_a_period(
    telegram: FakeTelegram, sender: Sender, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drafts, "PERIOD", 0.1)
    async with Draft(sender, HOME, 7) as draft:
        for _ in range(40):
            draft.add("x")
            await asyncio.sleep(0.01)
    times = [r.at for r in telegram.requests if r.method == "sendMessageDraft"]
    assert len(times) >= 2
    assert all(later - earlier >= 0.09 for earlier, later in itertools.pairwise(times))


async def test_a_draft_of_markup_is_rich_and_its_code_is_closed(
    telegram: FakeTelegram, sender: Sender, fast: None
) -> None:
    async with Draft(sender, HOME, 7) as draft:
        draft.add("```py\nx = 1")
        await telegram.wait_for(lambda t: t.drafts)
    assert telegram.drafts[0].method == "sendRichMessageDraft"
    assert telegram.drafts[0].text == "```py\nx = 1\n```"


async def test_a_server_without_drafts_shows_typing(
    telegram: FakeTelegram, sender: Sender, fast: None
) -> None:
    telegram.lacks("sendMessageDraft", "sendRichMessageDraft", "sendRichMessage")
    async with Draft(sender, HOME, 7) as draft:
        draft.add("some *text*")
        await telegram.wait_for(lambda t: len(t.actions) >= 3)
    async with Draft(sender, HOME, 8) as draft:
        draft.add("the next answer")
        await telegram.wait_for(lambda t: len(t.actions) >= 5)
    assert telegram.drafts == []
    assert [r.method for r in telegram.requests].count("sendMessageDraft") == 1, "remembered"


async def test_a_draft_that_comes_too_fast_holds_up_nothing(
    telegram: FakeTelegram, sender: Sender, fast: None
) -> None:
    telegram.fails(429, method="sendMessageDraft", retry_after=30, times=None)
    async with Draft(sender, HOME, 7) as draft:
        draft.add("text")
        await telegram.wait_for(lambda t: t.requests[-1].method == "sendMessageDraft")
        await asyncio.sleep(0.1)  # while the refusal is in transit
        await asyncio.wait_for(sender.send(HOME, part("the answer")), 25)
    assert [s.text for s in telegram.sent] == ["the answer"]


async def test_no_draft_comes_after_it_is_closed(
    telegram: FakeTelegram, sender: Sender, fast: None
) -> None:
    telegram.slow(0.2, method="sendMessageDraft", times=None)
    async with Draft(sender, HOME, 7) as draft:
        draft.add("text")
        while telegram.requests[-1].method != "sendMessageDraft":  # noqa: ASYNC110
            await asyncio.sleep(0.005)  # do not log a request that is not answered yet
        draft.add(" and more")
    assert [d.text for d in telegram.drafts] == ["text"], "it was waited for"
    await sender.send(HOME, part("the answer"))
    await asyncio.sleep(0.3)
    assert [r.method for r in telegram.requests][-1] == "sendMessage"


# ── errors ───────────────────────────────────────────────────────────────────────────────────

MAPPED = {
    error.BadRequest: (("x",), MessageRefused),
    error.ChatMigrated: ((1,), MessageRefused),
    error.Conflict: (("x",), TelegramDown),
    error.EndPointNotFound: (("x",), MessageRefused),
    error.Forbidden: (("x",), ChatClosed),
    error.InvalidToken: (("a token",), TokenRefused),
    error.NetworkError: (("x",), TelegramDown),
    error.PassportDecryptionError: (("x",), ChatError),
    error.RetryAfter: ((3,), TelegramDown),
    error.TelegramError: (("x",), ChatError),
    error.TimedOut: (("x",), TelegramDown),
}


def test_every_error_of_the_library_is_one_of_ours() -> None:
    theirs = {
        each
        for each in vars(error).values()
        if isinstance(each, type) and issubclass(each, error.TelegramError)
    }
    assert theirs == set(MAPPED)
    for kind, (given, ours) in MAPPED.items():
        with pytest.raises(ChatError) as caught, telegram_errors():
            raise kind(*given)  # type: ignore[arg-type]
        assert type(caught.value) is ours, kind
        assert "a token" not in str(caught.value)
        assert caught.value.__suppress_context__ and caught.value.__cause__ is None


async def test_no_log_holds_the_token(
    telegram: FakeTelegram, sender: Sender, caplog: pytest.LogCaptureFixture
) -> None:
    silence_library_logs()
    with caplog.at_level(logging.DEBUG):
        await sender.send(HOME, part("hi"))
        telegram.cuts(method="sendMessage")
        with pytest.raises(TelegramDown):
            await sender.send(HOME, part("hi"))
    assert telegram.token not in caplog.text
    assert telegram.token.split(":")[1] not in caplog.text


async def test_a_server_that_knows_no_field_but_chat_and_text_gets_those(
    telegram: FakeTelegram, sender: Sender
) -> None:
    """Other servers of the Bot API reject `link_preview_options`, even in a plain message."""
    telegram.lacks()
    telegram.fails(400, method="sendMessage", description="Bad Request: unknown field", times=2)
    await sender.send(HOME, part("**bold** words"))
    [sent] = telegram.sent
    assert sent.text == "bold words"
    assert "link_preview_options" not in sent.fields and "message_thread_id" not in sent.fields


async def test_a_message_of_chat_and_text_alone_has_no_address_to_preview(
    telegram: FakeTelegram, sender: Sender
) -> None:
    """Without `link_preview_options` Telegram previews the first URL it recognises."""
    said = "See https://evil.example/?d=diary, evil.example or http://10.20.30.40/x. Pi is 3.14."
    longest = said + " " + "a.b" * ((message_parts.LIMIT - len(said) - 1) // 3)
    telegram.lacks()
    telegram.fails(400, method="sendMessage", description="Bad Request: unknown field", times=1)
    await sender.send(HOME, message_parts.parts(longest)[0])
    [sent] = telegram.sent
    assert "link_preview_options" not in sent.fields
    assert not re.search(r"\w\.[a-z]|\d\.\d+\.\d+\.\d", sent.text)
    assert "Pi is 3.14." in sent.text
    assert sent.text.replace("\u2024", ".") == message_parts.parts(longest)[0].text
