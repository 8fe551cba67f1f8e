"""Drive the fake Telegram with python-telegram-bot and HTTP: it must keep Telegram's rules."""

from __future__ import annotations

import asyncio
import enum
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from datetime import UTC, datetime, timedelta
from typing import Any

import aiohttp
import pytest
from telegram import (
    Bot,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    MessageEntity,
    Update,
    constants,
)
from telegram import error as ptb
from telegram.ext import Application, ContextTypes, MessageHandler, filters

from tests.fakes import telegram_messages, telegram_methods, telegram_spec, telegram_text
from tests.fakes.telegram import ANA, FakeTelegram, File, Group, Person
from tests.fakes.violations import assert_no_violations
from tests.support.process import free_port

NOON = datetime(2026, 2, 12, 12, 0, tzinfo=UTC)

Call = Callable[..., Coroutine[Any, Any, Any]]


@pytest.fixture
async def telegram() -> AsyncIterator[FakeTelegram]:
    async with FakeTelegram(clock=NOON) as fake:
        yield fake


@pytest.fixture
async def bot(telegram: FakeTelegram) -> AsyncIterator[Bot]:
    url = telegram.url
    async with Bot(telegram.token, base_url=f"{url}/bot", base_file_url=f"{url}/file/bot") as bot:
        yield bot


@pytest.fixture
async def call(telegram: FakeTelegram) -> AsyncIterator[Call]:
    """Return a function: `await call("getMe", json={…})` → the answer's JSON."""
    async with aiohttp.ClientSession(telegram.url) as session:

        async def call(method: str, token: str = telegram.token, **how: Any) -> Any:
            async with session.post(f"/bot{token}/{method}", **how) as answer:
                said = await answer.json()
                assert said["ok"] == (answer.status == 200)
                assert said.get("error_code", 200) == answer.status
                return said

        yield call


# the description


@pytest.mark.parametrize(
    ("method", "arguments", "complaint"),
    [
        ("sendMessage", {"chat_id": 1001, "text": "a", "txet": 1}, 'no field "txet"'),
        ("sendMessage", {"chat_id": 1001}, 'needs the field "text"'),
        ("sendMessage", {"chat_id": 1001, "text": 5}, "must be String, not int 5"),
        ("sendMessage", {"chat_id": 1.5, "text": "a"}, "must be Integer or String"),
        ("sendMessage", {"chat_id": True, "text": "a"}, "must be Integer or String"),
        ("sendMessage", {"chat_id": 1001, "text": "a", "disable_notification": 1}, "Boolean"),
        ("sendMessage", {"chat_id": 1001, "text": "a", "entities": {}}, "must be Array of"),
        ("sendMessage", {"chat_id": 1001, "text": "a", "entities": "[{"}, "is not JSON"),
        (
            "sendMessage",
            {"chat_id": 1001, "text": "a", "entities": [{"type": "bold", "offset": 0}]},
            'MessageEntity needs the field "length"',
        ),
        (
            "sendMessage",
            {"chat_id": 1001, "text": "a", "reply_parameters": {"message_id": 1, "id": 2}},
            'ReplyParameters has no field "id"',
        ),
        (
            "setMessageReaction",
            {"chat_id": 1001, "message_id": 1, "reaction": [{"type": "emoji", "emojy": "👍"}]},
            'ReactionTypeEmoji has no field "emojy"',
        ),
        (
            "setMessageReaction",
            {"chat_id": 1001, "message_id": 1, "reaction": [{"type": "smiley"}]},
            "must be",
        ),
        ("sendRichMessage", {"chat_id": 1001, "rich_message": "# a"}, "is not JSON"),
        ("getUpdates", {"offset": "next"}, "is not JSON"),
    ],
)
async def test_requests_that_the_api_does_not_describe_are_refused(
    telegram: FakeTelegram, call: Call, method: str, arguments: dict[str, Any], complaint: str
) -> None:
    await telegram.receives("hi")
    said = await call(method, json=arguments)
    assert said["error_code"] == 400
    assert said["description"].startswith("Bad Request: ")
    assert complaint in said["description"]
    assert complaint in telegram.mistakes[0]
    assert telegram.sent == []


async def test_an_unknown_method_is_not_found(telegram: FakeTelegram, call: Call, bot: Bot) -> None:
    said = await call("sendSong", json={})
    assert said == {"ok": False, "error_code": 404, "description": "Not Found: method not found"}
    with pytest.raises(ptb.EndPointNotFound):
        await bot.do_api_request("sendSong", {})
    assert telegram.mistakes == ["no method sendSong", "no method sendSong"]


async def test_an_unsupported_method_is_reported(telegram: FakeTelegram, call: Call) -> None:
    said = await call("sendDice", json={"chat_id": 1001})
    assert said["error_code"] == 501
    assert telegram.mistakes == ["sendDice is not played by this fake"]


def test_every_method_of_the_fake_is_described() -> None:
    assert telegram_methods.METHODS.keys() <= telegram_spec.load().methods.keys()


def test_tables_of_words_are_those_of_the_library() -> None:
    def words(table: type[enum.Enum]) -> set[str]:
        return {str(each.value).replace("\ufe0f", "") for each in table}  # as Telegram sends them

    assert set(telegram_methods.EMOJI.split()) == words(constants.ReactionEmoji)
    assert set(telegram_text.ENTITY_TYPES.split()) == words(constants.MessageEntityType)
    assert set(telegram_methods.ACTIONS.split()) == words(constants.ChatAction)


async def test_text_that_looks_like_json_stays_text(telegram: FakeTelegram, bot: Bot) -> None:
    await telegram.receives("hi")
    await bot.send_message(ANA.id, '{"a": 1}')
    assert telegram.sent[0].text == '{"a": 1}'


async def test_complaints_are_reported(telegram: FakeTelegram, call: Call) -> None:
    assert_no_violations(telegram)
    await call("sendSong", json={})
    await call("sendMessage", json={"chat_id": 1001})
    with pytest.raises(AssertionError) as told:
        assert_no_violations(telegram)
    assert str(told.value).splitlines() == [
        "the fakes found 2 violations:",
        "  Telegram: no method sendSong",
        '  Telegram: sendMessage needs the field "text"',
    ]


# bodies and tokens


@pytest.mark.parametrize("form", ["json", "data", "params"])
async def test_a_method_reads_json_a_form_and_a_query(
    telegram: FakeTelegram, call: Call, form: str
) -> None:
    await telegram.receives("hi")
    marks = '[{"type": "bold", "offset": 0, "length": 1}]'
    arguments = {"chat_id": "1001", "text": "42", "entities": marks}
    said = await call("sendMessage", **{form: arguments})
    assert said["result"]["text"] == "42"
    assert telegram.sent[0].entities == ({"type": "bold", "offset": 0, "length": 1},)


async def test_a_multipart_body_carries_files_and_json_members(
    telegram: FakeTelegram, call: Call
) -> None:
    await telegram.receives("hi")
    form = aiohttp.FormData({"chat_id": "1001", "caption": "the plan"})
    form.add_field("document", b"line", filename="plan.md", content_type="text/markdown")
    said = await call("sendDocument", data=form)
    assert said["result"]["document"]["file_name"] == "plan.md"
    assert telegram.sent[0].fields["document"] == File(b"line", "plan.md", "text/markdown")
    form = aiohttp.FormData({"chat_id": "1001", "document": "attach://a"})
    form.add_field("a", b"more", filename="b.md")
    assert (await call("sendDocument", data=form))["ok"]
    assert telegram.sent[1].fields["document"].data == b"more"


async def test_a_file_that_no_field_names_is_refused(telegram: FakeTelegram, call: Call) -> None:
    await telegram.receives("hi")
    form = aiohttp.FormData({"chat_id": "1001", "text": "a"})
    form.add_field("document", b"line", filename="plan.md")
    assert 'has no file "document"' in (await call("sendMessage", data=form))["description"]
    form = aiohttp.FormData({"chat_id": "1001", "document": "attach://a"})
    form.add_field("b", b"line", filename="plan.md")
    assert 'has no file "b"' in (await call("sendDocument", data=form))["description"]
    form = aiohttp.FormData({"chat_id": "1001", "document": "document-file-1"})
    form.add_field("document", b"line", filename="plan.md")
    assert "stands twice" in (await call("sendDocument", data=form))["description"]


async def test_broken_bodies_are_refused(call: Call) -> None:
    said = await call("getMe", data="{", headers={"Content-Type": "application/json"})
    assert said["description"] == "Bad Request: can't parse the JSON body"
    said = await call("getMe", json=[1])
    assert said["description"] == "Bad Request: the JSON body must be an object"
    said = await call("getChat", json={"chat_id": 1}, params={"chat_id": 2})
    assert said["description"] == 'Bad Request: the field "chat_id" stands twice'


async def test_only_the_bots_own_token_is_accepted(telegram: FakeTelegram, call: Call) -> None:
    other = "424243:another-token-of-the-fake"
    assert (await call("getMe", token=other))["description"] == "Unauthorized"
    assert (await call("getMe", token="none"))["error_code"] == 404
    with pytest.raises(ptb.InvalidToken):
        async with Bot(other, f"{telegram.url}/bot"):
            pass
    assert telegram.requests == []
    assert (await call("getMe"))["result"]["username"] == "sam_the_bot"


# offsets and polls


async def test_an_offset_confirms_all_earlier_updates(telegram: FakeTelegram, call: Call) -> None:
    first, second, third = [(await telegram.receives(text)).update_id for text in "abc"]

    async def ids(**arguments: int) -> list[int]:
        return [each["update_id"] for each in (await call("getUpdates", json=arguments))["result"]]

    assert await ids() == [first, second, third]
    assert await ids(limit=2) == [first, second], "what is not confirmed comes again"
    assert await ids(offset=second) == [second, third]
    assert [each["update_id"] for each in telegram.pending] == [second, third]
    assert await ids(limit=0) == [second, third], "a limit out of range is 100"
    assert await ids(offset=-1) == [third], "a negative offset counts from the end"
    assert await ids(offset=third + 1) == []
    assert telegram.pending == []


async def test_a_long_poll_ends_with_the_first_update(telegram: FakeTelegram, call: Call) -> None:
    poll = asyncio.create_task(call("getUpdates", json={"timeout": 30}))
    await telegram.wait_for(lambda t: t.requests)
    assert not poll.done()
    received = await telegram.receives("hi")
    async with asyncio.timeout(60):
        assert (await poll)["result"][0]["update_id"] == received.update_id


async def test_a_long_poll_ends_empty_at_its_time(call: Call) -> None:
    started = time.monotonic()
    assert (await call("getUpdates", json={"timeout": 1}))["result"] == []
    assert 0.9 < time.monotonic() - started < 30


async def test_of_two_polls_the_older_is_ended(telegram: FakeTelegram, call: Call) -> None:
    older = asyncio.create_task(call("getUpdates", json={"timeout": 30}))
    await telegram.wait_for(lambda t: t.requests)
    younger = asyncio.create_task(call("getUpdates", json={"timeout": 30}))
    said = await older
    assert said["error_code"] == 409
    assert "terminated by other getUpdates request" in said["description"]
    assert telegram.conflicts == 1
    await telegram.receives("hi")
    assert len((await younger)["result"]) == 1


async def test_updates_come_twice_on_demand(telegram: FakeTelegram, call: Call) -> None:
    telegram.repeats()
    await telegram.receives("hi")
    [once] = (await call("getUpdates"))["result"]
    confirmed = {"offset": once["update_id"] + 1}
    assert (await call("getUpdates", json=confirmed))["result"] == [once]
    assert (await call("getUpdates", json=confirmed))["result"] == []


async def test_updates_come_out_of_order_on_demand(telegram: FakeTelegram, call: Call) -> None:
    telegram.shuffles()
    first, second = [(await telegram.receives(text)).update_id for text in "ab"]
    told = (await call("getUpdates"))["result"]
    assert [each["update_id"] for each in told] == [second, first]
    told = (await call("getUpdates", json={"offset": first + 1}))["result"]
    assert [each["update_id"] for each in told] == [second], "it was not confirmed"


async def test_reactions_come_only_to_a_bot_that_asks(telegram: FakeTelegram, call: Call) -> None:
    received = await telegram.receives("hi")
    await telegram.reacts(received, "👍")
    assert len(telegram.pending) == 1
    await call("getUpdates", json={"allowed_updates": ["message", "message_reaction"]})
    await telegram.reacts(received, "👍")
    told = telegram.pending[1]["message_reaction"]
    assert told["new_reaction"] == [{"type": "emoji", "emoji": "👍"}]
    await call("getUpdates", json={"allowed_updates": []})
    await telegram.reacts(received)
    assert len(telegram.pending) == 2


async def test_no_polls_beside_a_webhook(telegram: FakeTelegram, bot: Bot) -> None:
    await telegram.receives("hi")
    await bot.set_webhook("https://sam.example.org/hook")
    with pytest.raises(ptb.Conflict, match="webhook is active"):
        await bot.get_updates()
    await bot.delete_webhook()
    assert len(await bot.get_updates()) == 1
    await bot.delete_webhook(drop_pending_updates=True)
    assert (telegram.pending, telegram.dropped) == ([], 1)


# messages


async def test_dates_in_and_out_are_the_clocks(telegram: FakeTelegram, bot: Bot) -> None:
    received = await telegram.receives("hi")
    assert telegram.passes(minutes=5) == NOON + timedelta(minutes=5)
    sent = await bot.send_message(ANA.id, "hello")
    assert (received.date, sent.date) == (NOON, NOON + timedelta(minutes=5))
    earlier = await telegram.receives("late", date=NOON - timedelta(days=1))
    assert earlier.date == NOON - timedelta(days=1)
    assert telegram.pending[1]["message"]["date"] == int(earlier.date.timestamp())
    assert telegram.clock == NOON + timedelta(minutes=5)
    with pytest.raises(ValueError, match="naive"):
        await telegram.receives("hi", date=datetime(2026, 1, 1))  # noqa: DTZ001
    with pytest.raises(ValueError, match="aware"):
        telegram.clock = datetime(2026, 1, 1)  # noqa: DTZ001


async def test_what_was_sent_is_kept(telegram: FakeTelegram, bot: Bot) -> None:
    received = await telegram.receives("hi")
    await bot.send_message(ANA.id, "  hello\n", reply_to_message_id=received.message_id)
    await bot.do_api_request(
        "sendRichMessage", {"chat_id": ANA.id, "rich_message": {"markdown": "# A\n\nb"}}
    )
    first, second = telegram.sent
    assert (first.chat_id, first.text, first.method) == (ANA.id, "hello", "sendMessage")
    assert (first.date, first.reply_to) == (NOON, received.message_id)
    assert (second.text, second.method) == ("# A\n\nb", "sendRichMessage")
    assert second.message_id == first.message_id + 1 == received.message_id + 2
    assert telegram.transcript() == [("Ana", "hi"), ("Sam", "hello"), ("Sam", "# A\n\nb")]
    assert [each.method for each in telegram.requests] == ["getMe", "sendMessage", second.method]
    assert {each.status for each in telegram.requests} == {200}
    assert_no_violations(telegram)


async def test_4096_units_of_utf16_and_no_more(telegram: FakeTelegram, bot: Bot) -> None:
    await telegram.receives("hi")
    await bot.send_message(ANA.id, "🦉" * 2048)
    with pytest.raises(ptb.BadRequest, match="Message is too long"):
        await bot.send_message(ANA.id, "🦉" * 2048 + "a")
    with pytest.raises(ptb.BadRequest, match="Message is too long"):
        await bot.edit_message_text("a" * 4097, ANA.id, 2)
    with pytest.raises(ptb.BadRequest, match="Message caption is too long"):
        await bot.send_photo(ANA.id, b"jpeg", caption="a" * 1025)
    with pytest.raises(ValueError, match="nobody can type that"):
        await telegram.receives("a" * 4097)


@pytest.mark.parametrize("text", ["", " \n "])
async def test_empty_text_is_refused(telegram: FakeTelegram, call: Call, text: str) -> None:
    await telegram.receives("hi")
    said = await call("sendMessage", json={"chat_id": ANA.id, "text": text})
    assert said["description"] == "Bad Request: message text is empty"


async def test_markup_languages_are_refused(telegram: FakeTelegram, bot: Bot) -> None:
    await telegram.receives("hi")
    with pytest.raises(ptb.BadRequest, match="Can't parse entities"):
        await bot.send_message(ANA.id, "<b>a</b>", parse_mode="HTML")


async def test_text_that_is_no_unicode_is_refused(telegram: FakeTelegram, call: Call) -> None:
    await telegram.receives("hi")
    said = await call("sendMessage", json={"chat_id": ANA.id, "text": "a\ud83e"})
    assert said["description"] == "Bad Request: strings must be encoded in UTF-8"


@pytest.mark.parametrize(
    ("text", "mark", "complaint"),
    [
        ("owl", {"type": "bold", "offset": 1, "length": 3}, "ends after the end of the text"),
        ("🦉", {"type": "bold", "offset": 0, "length": 1}, "cuts a symbol in two"),
        ("🦉a", {"type": "bold", "offset": 1, "length": 2}, "cuts a symbol in two"),
        ("owl", {"type": "bold", "offset": 0, "length": 0}, "has length 0"),
        ("owl", {"type": "loud", "offset": 0, "length": 1}, "unsupported type"),
        ("owl", {"type": "text_link", "offset": 0, "length": 1}, 'needs "url"'),
        ("owl", {"type": "bold", "offset": 0, "length": 1, "url": "a"}, "for text_link only"),
    ],
)
async def test_entities_must_lie_in_the_text(
    telegram: FakeTelegram, call: Call, text: str, mark: dict[str, Any], complaint: str
) -> None:
    await telegram.receives("hi")
    said = await call("sendMessage", json={"chat_id": ANA.id, "text": text, "entities": [mark]})
    assert complaint in said["description"]


async def test_entities_are_counted_and_move_with_the_text(
    telegram: FakeTelegram, bot: Bot
) -> None:
    await telegram.receives("hi")
    bold = MessageEntity("bold", 0, 1)
    await bot.send_message(ANA.id, "a", entities=[bold] * 100)
    with pytest.raises(ptb.BadRequest, match="Entities_too_long"):
        await bot.send_message(ANA.id, "a", entities=[bold] * 101)
    link = MessageEntity("text_link", 0, 6, url="https://sam.example.org")
    note = MessageEntity("text_link", 0, 6, url="obsidian://open?vault=Sam")
    sent = await bot.send_message(ANA.id, "  🦉 a  ", entities=[link, note])
    assert sent.text == "🦉 a"
    assert sent.entities == (MessageEntity("text_link", 0, 4, url="https://sam.example.org"),)


async def test_edits_of_the_bots_messages(telegram: FakeTelegram, bot: Bot, call: Call) -> None:
    received = await telegram.receives("hi")
    sent = await bot.send_message(ANA.id, "hello")
    telegram.passes(seconds=3)
    edited = await bot.edit_message_text("hello!", ANA.id, sent.message_id)
    assert not isinstance(edited, bool) and edited.text == "hello!"
    assert telegram.edited[0].date == NOON + timedelta(seconds=3)
    assert telegram.transcript()[1] == ("Sam", "hello!")
    assert [each.text for each in telegram.sent] == ["hello"]
    with pytest.raises(ptb.BadRequest, match="Message is not modified"):
        await bot.edit_message_text(" hello!", ANA.id, sent.message_id)
    with pytest.raises(ptb.BadRequest, match="Message to edit not found"):
        await bot.edit_message_text("a", ANA.id, 99)
    with pytest.raises(ptb.BadRequest, match="Message can't be edited"):
        await bot.edit_message_text("a", ANA.id, received.message_id)
    with pytest.raises(ptb.BadRequest, match="Message text is empty"):
        await bot.edit_message_text("", ANA.id, sent.message_id)
    rich = {"chat_id": ANA.id, "message_id": sent.message_id, "rich_message": {"markdown": "b"}}
    await call("editMessageText", json=rich)
    assert "message is not modified" in (await call("editMessageText", json=rich))["description"]
    both = await call("editMessageText", json=rich | {"text": "c"})
    assert "can't be used together" in both["description"]
    for target, complaint in (
        ({"inline_message_id": "a"}, "MESSAGE_ID_INVALID"),
        ({"chat_id": ANA.id}, "message identifier is not specified"),
    ):
        said = await call("editMessageText", json={"text": "a"} | target)
        assert said["description"] == f"Bad Request: {complaint}"
    assert await bot.delete_message(ANA.id, sent.message_id)
    asked = await telegram.receives("hi", chat=Group())
    with pytest.raises(ptb.BadRequest, match="Message can't be deleted"):
        await bot.delete_message(asked.chat_id, asked.message_id)
    with pytest.raises(ptb.BadRequest, match="Message to delete not found"):
        await bot.delete_message(ANA.id, sent.message_id)
    assert telegram.transcript() == [("Ana", "hi")]


async def test_replies_need_their_message(telegram: FakeTelegram, bot: Bot) -> None:
    await telegram.receives("hi")
    with pytest.raises(ptb.BadRequest, match="Message to be replied not found"):
        await bot.send_message(ANA.id, "a", reply_to_message_id=99)
    await bot.send_message(ANA.id, "a", reply_to_message_id=99, allow_sending_without_reply=True)
    assert telegram.sent[0].reply_to is None


async def test_the_bot_writes_only_where_it_may(telegram: FakeTelegram, bot: Bot) -> None:
    with pytest.raises(ptb.Forbidden, match="can't initiate conversation"):
        await bot.send_message(ANA.id, "a")
    with pytest.raises(ptb.BadRequest, match="Chat not found"):
        await bot.send_message(77, "a")
    with pytest.raises(ptb.Forbidden, match="bots can't send messages to bots"):
        telegram.store.people[bot.id] = telegram.store.bot
        await bot.send_message(bot.id, "a")
    await telegram.receives("hi")
    telegram.blocks()
    with pytest.raises(ptb.Forbidden, match="blocked by the user"):
        await bot.send_message(ANA.id, "a")
    await telegram.receives("hi again")
    await bot.send_message("@ana_the_owner", "a")
    group = Group()
    await telegram.receives("hi all", chat=group)
    await bot.send_message(group.id, "a")
    telegram.blocks(group)
    with pytest.raises(ptb.Forbidden, match="kicked from the supergroup chat"):
        await bot.send_message(group.id, "a")
    assert [each.chat_id for each in telegram.sent] == [ANA.id, group.id]


async def test_a_chat_id_belongs_to_its_row(telegram: FakeTelegram) -> None:
    """Private chats share one sequence of message ids; a supergroup has its own."""
    ana = await telegram.receives("hi")
    bea = await telegram.receives("hi", user=Person(1002, "Bea"))
    group = await telegram.receives("hi", chat=Group())
    assert [each.message_id for each in (ana, bea, group)] == [1, 2, 1]
    assert group.chat_id == Group().id
    assert telegram.pending[2]["message"]["chat"]["type"] == "supergroup"


async def test_people_and_groups_go_by_their_ids_too(telegram: FakeTelegram) -> None:
    await telegram.receives("hi", chat=Group(is_forum=True))
    told = await telegram.receives("hi", user=77, chat=Group().id, message_thread_id=5)
    assert (told.user_id, told.chat_id) == (77, Group().id)
    assert telegram.pending[1]["message"]["from"]["first_name"] == "User 77"
    assert telegram.pending[1]["message"]["chat"]["is_forum"]
    assert (await telegram.receives("hi", user=ANA.id)).user_id == ANA.id
    assert telegram.transcript(Group().id) == [("Ana", "hi"), ("User 77", "hi")]


async def test_the_updates_of_the_fake_are_checked_too(telegram: FakeTelegram) -> None:
    with pytest.raises(telegram_spec.Misfit, match='Message has no field "mood"'):
        await telegram.receives("hi", mood="good")


async def test_drafts_are_for_private_chats(telegram: FakeTelegram, bot: Bot) -> None:
    await telegram.receives("hi")
    await telegram.receives("hi", chat=Group())
    await bot.send_message_draft(ANA.id, 7, "")
    await bot.send_message_draft(ANA.id, 7, "hel")
    rich = {"chat_id": ANA.id, "draft_id": 7, "rich_message": {"markdown": "# hello"}}
    assert await bot.do_api_request("sendRichMessageDraft", rich) is True
    assert [(each.draft_id, each.text) for each in telegram.drafts] == [
        (7, ""),
        (7, "hel"),
        (7, "# hello"),
    ]
    with pytest.raises(ptb.BadRequest, match="Draft_id must be non-zero"):
        await bot.send_message_draft(ANA.id, 0, "hel")
    with pytest.raises(ptb.BadRequest, match="private chats only"):
        await bot.send_message_draft(Group().id, 7, "hel")
    with pytest.raises(ptb.BadRequest, match="private chats only"):
        await bot.do_api_request("sendRichMessageDraft", rich | {"chat_id": Group().id})
    with pytest.raises(ptb.BadRequest, match="Message is too long"):
        await bot.send_message_draft(ANA.id, 7, "a" * 4097)
    assert telegram.sent == []


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ({"markdown": "a", "html": "a"}, "exactly one of"),
        ({"is_rtl": True}, "exactly one of"),
        ({"markdown": " "}, "text is empty"),
        ({"markdown": "a" * 32_769}, "message is too long"),
        ({"markdown": "a\n\n" * 501}, "BLOCKS"),
    ],
)
async def test_limits_of_rich_messages(
    telegram: FakeTelegram, call: Call, content: dict[str, Any], complaint: str
) -> None:
    await telegram.receives("hi")
    said = await call("sendRichMessage", json={"chat_id": ANA.id, "rich_message": content})
    assert complaint in said["description"]


async def test_an_older_server_knows_no_rich_messages(
    telegram: FakeTelegram, bot: Bot, call: Call
) -> None:
    telegram.lacks()
    await telegram.receives("hi")
    content = {"chat_id": ANA.id, "rich_message": {"markdown": "a"}}
    for method, more in {"sendRichMessage": {}, "sendRichMessageDraft": {"draft_id": 1}}.items():
        with pytest.raises(ptb.EndPointNotFound):
            await bot.do_api_request(method, content | more)
    sent = await bot.send_message(ANA.id, "a")
    said = await call("editMessageText", json=content | {"message_id": sent.message_id})
    assert said["description"] == "Bad Request: message text is empty"
    telegram.lacks("sendMessageDraft")
    with pytest.raises(ptb.InvalidToken):
        await bot.send_message_draft(ANA.id, 1, "a")
    assert telegram.mistakes == [], "the bot is not to blame"


async def test_actions_commands_and_reactions(telegram: FakeTelegram, bot: Bot) -> None:
    received = await telegram.receives("hi")
    await bot.send_chat_action(ANA.id, "typing")
    assert telegram.actions == [(ANA.id, "typing")]
    with pytest.raises(ptb.BadRequest, match="Wrong parameter action"):
        await bot.send_chat_action(ANA.id, "thinking")
    await bot.set_my_commands([("new", "a new session")])
    await bot.set_my_commands([("neu", "eine neue Sitzung")], language_code="de")
    assert [each.command for each in await bot.get_my_commands()] == ["new"]
    assert [each.command for each in await bot.get_my_commands(language_code="de")] == ["neu"]
    await bot.delete_my_commands()
    assert await bot.get_my_commands() == ()
    with pytest.raises(ptb.BadRequest, match="Bot_commands_too_much"):
        await bot.set_my_commands([(f"new{n}", "a new session") for n in range(101)])
    with pytest.raises(ptb.BadRequest, match="Bot_command_invalid"):
        await bot.set_my_commands([("New", "a new session")])
    with pytest.raises(ptb.BadRequest, match="Bot_command_description_invalid"):
        await bot.set_my_commands([("new", "")])
    await bot.set_message_reaction(ANA.id, received.message_id, "👀")
    assert telegram.reactions == {(ANA.id, received.message_id): ["👀"]}
    with pytest.raises(ptb.BadRequest, match="Reactions_too_many"):
        await bot.set_message_reaction(ANA.id, received.message_id, ["👀", "👍"])
    with pytest.raises(ptb.BadRequest, match="Reaction_invalid"):
        await bot.set_message_reaction(ANA.id, received.message_id, "🦉")
    with pytest.raises(ptb.BadRequest, match="Message to react not found"):
        await bot.set_message_reaction(ANA.id, 99, "👀")


async def test_buttons_and_their_presses(telegram: FakeTelegram, bot: Bot, call: Call) -> None:
    await telegram.receives("hi")
    keep = InlineKeyboardButton("Keep", callback_data="keep:1")
    await bot.send_message(ANA.id, "Keep it?", reply_markup=InlineKeyboardMarkup([[keep]]))
    query_id = await telegram.presses(telegram.sent[0], "keep:1")
    query = (await bot.get_updates())[-1].callback_query
    assert query is not None and query.message is not None
    with pytest.raises(ptb.BadRequest, match="Message_too_long"):
        await query.answer("a" * 201)
    assert (query.id, query.data, query.from_user.id) == (query_id, "keep:1", ANA.id)
    await query.answer("Kept")
    assert telegram.answered[query_id]["text"] == "Kept"
    with pytest.raises(ptb.BadRequest, match="Query is too old"):
        await query.answer()
    where = {"chat_id": ANA.id, "message_id": telegram.sent[0].message_id}
    other: dict[str, Any] = {"inline_keyboard": [[{"text": "No", "callback_data": "no"}]]}
    assert (await call("editMessageReplyMarkup", json=where | {"reply_markup": other}))["ok"]
    await telegram.presses(telegram.sent[0], "no")
    none: dict[str, Any] = where | {"reply_markup": {"inline_keyboard": []}}
    assert (await call("editMessageReplyMarkup", json=none))["ok"]
    with pytest.raises(ptb.BadRequest, match="Message is not modified"):
        await query.edit_message_reply_markup(None)
    with pytest.raises(ValueError, match="no button"):
        await telegram.presses(telegram.sent[0], "keep:1")
    assert telegram.edited[0].text == "Keep it?"
    await telegram.receives("hi", chat=Group())
    await telegram.receives("hi again", chat=Group())
    await bot.send_message(Group().id, "Keep it?", reply_markup=InlineKeyboardMarkup([[keep]]))
    await telegram.presses(telegram.sent[1], "keep:1")
    assert telegram.pending[-1]["callback_query"]["message"]["chat"]["id"] == Group().id


@pytest.mark.parametrize(
    ("button", "complaint"),
    [
        ({"text": "a"}, "Text buttons are unallowed"),
        ({"text": " ", "callback_data": "a"}, "must have a text"),
        ({"text": "a", "callback_data": "a" * 65}, "BUTTON_DATA_INVALID"),
        ({"text": "a", "url": "obsidian://open?vault=Sam"}, "BUTTON_URL_INVALID"),
        ({"text": "a", "copy_text": {"text": "a" * 257}}, "BUTTON_COPY_TEXT_INVALID"),
        ({"text": "a", "url": "https://a.example", "callback_data": "a"}, "unallowed"),
    ],
)
async def test_buttons_that_telegram_refuses(
    telegram: FakeTelegram, call: Call, button: dict[str, Any], complaint: str
) -> None:
    await telegram.receives("hi")
    markup = {"inline_keyboard": [[button]]}
    arguments = {"chat_id": ANA.id, "text": "a", "reply_markup": markup}
    assert complaint in (await call("sendMessage", json=arguments))["description"]


# what people send


async def test_a_command_is_marked_as_one(telegram: FakeTelegram, bot: Bot) -> None:
    await telegram.receives("/search@sam_the_bot 🦉 at https://a.example/b and/or @bea_two")
    [update] = await bot.get_updates()
    assert update.message is not None
    assert list(update.message.parse_entities().values()) == [
        "/search@sam_the_bot",
        "https://a.example/b",
        "@bea_two",
    ]


async def test_replies_quotes_and_forwards(telegram: FakeTelegram, bot: Bot) -> None:
    await telegram.receives("first")
    await bot.send_message(ANA.id, "answer", reply_to_message_id=1)
    quote = {"text": "answ", "position": 0, "is_manual": True}
    await telegram.receives("about that", reply_to=telegram.sent[0], quote=quote)
    channel = Group(-1002, "News", "channel")
    await telegram.receives("news", forwarded_from=channel)
    await telegram.receives("a", forwarded_from=Person(5, "Bea"))
    await telegram.receives("b", forwarded_from="Somebody")
    await telegram.receives("c", forwarded_from=Group())
    _, reply, *forwards = [update.message for update in await bot.get_updates()]
    assert reply is not None and reply.reply_to_message is not None and reply.quote is not None
    assert reply.reply_to_message.text == "answer"
    assert reply.reply_to_message.reply_to_message is None
    assert reply.quote.text == "answ"
    kinds = [each.forward_origin.type for each in forwards if each and each.forward_origin]
    assert kinds == ["channel", "user", "hidden_user", "chat"]


async def test_an_edit_of_a_person(telegram: FakeTelegram, bot: Bot) -> None:
    received = await telegram.receives("the 5th")
    telegram.passes(minutes=1)
    edited = await telegram.edits(received, "the 6th /new")
    first, second = await bot.get_updates()
    assert first.message is not None and second.edited_message is not None
    assert (first.message.text, second.edited_message.text) == ("the 5th", "the 6th /new")
    assert second.edited_message.parse_entities(["bot_command"]).popitem()[1] == "/new"
    assert second.edited_message.date == NOON
    assert second.edited_message.edit_date == NOON + timedelta(minutes=1)
    assert edited.message_id == received.message_id
    assert edited.update_id == received.update_id + 1
    assert telegram.received == [received]
    in_group = await telegram.receives("see", chat=Group(), photo=b"jpeg")
    await telegram.edits(in_group, "see https://a.example")
    told = telegram.pending[-1]["edited_message"]
    assert (told["chat"]["id"], told["caption"]) == (Group().id, "see https://a.example")
    assert told["caption_entities"] == [{"type": "url", "offset": 4, "length": 17}]
    assert "caption_entities" not in telegram.pending[-2]["message"]
    await telegram.receives("see https://a.example", photo=b"jpeg")
    assert telegram.pending[-1]["message"]["caption_entities"] == told["caption_entities"]
    assert "entities" not in telegram.pending[-1]["message"]
    sent = await bot.send_message(ANA.id, "noted")
    with pytest.raises(ValueError, match="people cannot edit"):
        await telegram.edits(sent.message_id, "x")


async def test_files_are_received_downloaded_and_sent(
    telegram: FakeTelegram, bot: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = File(b"%PDF", "plan.pdf", "application/pdf")
    await telegram.receives("the plan", document=plan, media_group_id="album-1")
    await telegram.receives(photo=b"jpeg")
    await telegram.receives(voice=b"opus")
    with_document, with_photo, with_voice = [each.message for each in await bot.get_updates()]
    assert with_document is not None and with_document.document is not None
    assert (with_document.caption, with_document.media_group_id) == ("the plan", "album-1")
    assert with_document.document.file_name == "plan.pdf"
    assert with_photo is not None and with_voice is not None and with_voice.voice is not None
    for source, data in (
        (with_document.document, b"%PDF"),
        (with_photo.photo[-1], b"jpeg"),
        (with_voice.voice, b"opus"),
    ):
        file = await source.get_file()
        assert bytes(await file.download_as_bytearray()) == data
    again = await bot.send_document(ANA.id, with_document.document.file_id)
    assert again.document is not None and again.document.file_name == "plan.pdf"
    assert (await bot.send_video(ANA.id, b"film")).video is not None
    assert (await bot.send_audio(ANA.id, b"song")).audio is not None
    assert (await bot.send_voice(ANA.id, b"opus")).voice is not None
    with pytest.raises(ptb.BadRequest, match="Invalid file_id"):
        await bot.get_file("none")
    with pytest.raises(ptb.BadRequest, match="Wrong file_id"):
        await bot.send_photo(ANA.id, "none")
    with pytest.raises(ptb.BadRequest, match="File must be non-empty"):
        await bot.send_document(ANA.id, b"")
    monkeypatch.setattr(telegram_messages, "LARGEST_UPLOAD", 5)
    monkeypatch.setattr(telegram_messages, "LARGEST_PHOTO", 4)
    await bot.send_document(ANA.id, b"12345")
    with pytest.raises(ptb.NetworkError, match="Request Entity Too Large"):
        await bot.send_document(ANA.id, b"123456")
    with pytest.raises(ptb.BadRequest, match="Photo_invalid_dimensions"):
        await bot.send_photo(ANA.id, b"12345")


async def test_a_file_over_20_megabytes_cannot_be_had(telegram: FakeTelegram, bot: Bot) -> None:
    for size in (20 * 2**20, 20 * 2**20 + 1):
        await telegram.receives(document=File(b"...", "film.mp4", "video/mp4", size))
    whole, too_big = [each.message for each in await bot.get_updates()]
    assert whole is not None and whole.document is not None
    assert too_big is not None and too_big.document is not None
    await whole.document.get_file()
    with pytest.raises(ptb.BadRequest, match="File is too big"):
        await too_big.document.get_file()


async def test_a_stranger_is_somebody_else(telegram: FakeTelegram) -> None:
    stranger = await telegram.stranger()
    other = await telegram.stranger("let me in", id=6002)
    assert (stranger.text, other.text) == ("/start", "let me in")
    assert len({stranger.user_id, other.user_id, int(telegram.env["TELEGRAM_ALLOWED_USERS"])}) == 3


# faults


async def test_errors_on_demand(
    telegram: FakeTelegram, bot: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PTB_TIMEDELTA", "true")  # without it, RetryAfter emits a warning
    await telegram.receives("hi")
    telegram.fails(429, retry_after=2, method="sendMessage")
    assert await bot.get_me()
    with pytest.raises(ptb.RetryAfter) as caught:
        await bot.send_message(ANA.id, "a")
    assert caught.value.retry_after == timedelta(seconds=2)
    assert telegram.requests[-1].description == "Too Many Requests: retry after 2"
    telegram.fails(429, method="sendMessage")
    telegram.fails(502, times=2)
    with pytest.raises(ptb.RetryAfter, match="Retry in 0:00:01"):
        await bot.send_message(ANA.id, "a")
    for _ in range(2):
        with pytest.raises(ptb.NetworkError, match="Bad Gateway"):
            await bot.send_message(ANA.id, "a")
    telegram.fails(403)
    with pytest.raises(ptb.Forbidden, match="blocked by the user"):
        await bot.send_message(ANA.id, "a")
    telegram.fails(400, description="Bad Request: CHAT_RESTRICTED")
    with pytest.raises(ptb.BadRequest, match="Chat_restricted"):
        await bot.send_message(ANA.id, "a")
    assert telegram.sent == []
    await bot.send_message(ANA.id, "a")
    assert [each.status for each in telegram.requests[2:]] == [
        429,
        429,
        502,
        502,
        403,
        400,
        200,
    ]


async def test_an_error_after_the_deed(telegram: FakeTelegram, bot: Bot) -> None:
    await telegram.receives("hi")
    telegram.fails(504, method="sendMessage", when="after")
    with pytest.raises(ptb.NetworkError, match="Gateway Timeout"):
        await bot.send_message(ANA.id, "a")
    assert len(telegram.sent) == 1


@pytest.mark.parametrize(("when", "sent"), [("before", 0), ("midway", 1), ("after", 1)])
async def test_cut_connections(telegram: FakeTelegram, bot: Bot, when: Any, sent: int) -> None:
    await telegram.receives("hi")
    telegram.cuts(method="sendMessage", when=when)
    with pytest.raises(ptb.NetworkError, match=r"RemoteProtocolError|ReadError") as caught:
        await bot.send_message(ANA.id, "a")
    half = "without sending complete message body" in str(caught.value)
    assert half == (when == "midway")
    assert len(telegram.sent) == sent
    assert telegram.requests[-1].status == 0
    assert await bot.get_me()


async def test_a_network_that_is_down_until_it_heals(telegram: FakeTelegram, bot: Bot) -> None:
    telegram.cuts(times=None)
    for _ in range(3):
        with pytest.raises(ptb.NetworkError):
            await bot.get_me()
    telegram.heals()
    assert await bot.get_me()


async def test_slow_answers(telegram: FakeTelegram, bot: Bot) -> None:
    await telegram.receives("hi")
    telegram.slow(0.5, method="sendMessage")
    telegram.fails(500, method="sendMessage")
    started = time.monotonic()
    with pytest.raises(ptb.NetworkError, match="Internal Server Error"):
        await bot.send_message(ANA.id, "a")
    assert time.monotonic() - started >= 0.5
    telegram.slow(30, method="sendMessage", when="after")
    with pytest.raises(ptb.TimedOut):
        await bot.send_message(ANA.id, "a", read_timeout=0.2)
    assert [each.text for each in telegram.sent] == ["a"]


async def test_an_answer_that_is_not_json(telegram: FakeTelegram, bot: Bot) -> None:
    telegram.fails(502, body=b"<html>Bad Gateway</html>")
    with pytest.raises(ptb.NetworkError, match="Parsing the server response"):
        await bot.get_me()


async def test_a_failed_download(telegram: FakeTelegram, bot: Bot) -> None:
    await telegram.receives(photo=b"jpeg")
    [update] = await bot.get_updates()
    assert update.message is not None
    file = await update.message.photo[-1].get_file()
    assert (file.file_path or "").endswith(".jpg")
    telegram.fails(404, method="download")
    with pytest.raises(ptb.InvalidToken):
        await file.download_as_bytearray()
    telegram.cuts(method="download")
    with pytest.raises(ptb.NetworkError):
        await file.download_as_bytearray()
    assert bytes(await file.download_as_bytearray()) == b"jpeg"
    with pytest.raises(ptb.InvalidToken):
        await bot.request.retrieve(f"{telegram.url}/file/bot{telegram.token}/photos/none.jpg")


async def test_a_fault_of_the_fake_is_not_taken_for_telegrams(
    telegram: FakeTelegram, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("broken on purpose")

    monkeypatch.setitem(telegram_methods.METHODS, "getMe", broken)
    with pytest.raises(aiohttp.ContentTypeError):
        await call("getMe")
    assert "the fake broke in getMe" in telegram.mistakes[0]


async def test_results_are_checked_too(
    telegram: FakeTelegram, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(telegram_methods.METHODS, "getMe", lambda *_: {"id": 1})
    with pytest.raises(aiohttp.ContentTypeError):
        await call("getMe")
    assert 'User needs the field "first_name"' in telegram.mistakes[0]


# waiting, threads and processes


async def test_waiting_in_vain_tells_the_story(telegram: FakeTelegram, bot: Bot) -> None:
    await telegram.receives("hi")
    with pytest.raises(AssertionError, match=r"getMe(.|\n)*1 updates wait, 0 were sent"):
        await telegram.wait_sent(timeout=0.05)
    assert await telegram.wait_for(lambda t: t.pending) == telegram.pending


async def _echo(update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:
    assert update.message is not None
    if update.message.chat.type == "private":
        await context.bot.send_message_draft(update.message.chat_id, 1, "…")
    await update.message.reply_text(f"{update.message.text}!", do_quote=False)


async def test_a_whole_application_talks_fast(telegram: FakeTelegram) -> None:
    app = Application.builder().token(telegram.token).base_url(f"{telegram.url}/bot").build()
    app.add_handler(MessageHandler(filters.TEXT, _echo))
    async with app:
        await app.start()
        assert app.updater is not None
        await app.updater.start_polling(timeout=10)
        started = time.process_time()
        for number in range(100):
            assert (await telegram.asks(str(number))).text == f"{number}!"
        assert time.process_time() - started < 15, "400 messages and their answers in a minute"
        group = Group()
        assert (await telegram.asks("all", chat=group)).chat_id == group.id
        await app.updater.stop()
        await app.stop()
    assert telegram.pending == []
    assert telegram.conflicts <= 1
    assert_no_violations(telegram)


CLIENT = """
import json, sys, urllib.request
root, offset = sys.argv[1], 0
def call(method, **arguments):
    body = json.dumps(arguments).encode()
    request = urllib.request.Request(f"{root}/{method}", body, {"Content-Type": "application/json"})
    return json.load(urllib.request.urlopen(request))["result"]
while True:
    for update in call("getUpdates", offset=offset, timeout=30):
        message, offset = update["message"], update["update_id"] + 1
        call("sendMessage", chat_id=message["chat"]["id"], text="re " + message["text"])
"""


def test_a_process_may_be_killed_and_come_back() -> None:
    with FakeTelegram.running(clock=NOON) as telegram:

        def start() -> subprocess.Popen[bytes]:
            root = f"{telegram.url}/bot{telegram.token}"
            return subprocess.Popen([sys.executable, "-c", CLIENT, root])

        client = start()
        try:
            assert telegram.asks("one").text == "re one"
            telegram.wait_for(lambda t: not t.pending)
            telegram.slow(0.5, method="sendMessage", when="after")
            telegram.receives("two")
            telegram.wait_sent(2)
            client.send_signal(signal.SIGKILL)
            client.wait()
            telegram.receives("three")
            assert [each["message"]["text"] for each in telegram.pending] == ["two", "three"]
            client = start()
            assert [each.text for each in telegram.wait_sent(4)] == [
                "re one",
                "re two",
                "re two",
                "re three",
            ]
            telegram.wait_for(lambda t: not t.pending)
            client.send_signal(signal.SIGKILL)  # during a long poll
            client.wait()
            client = start()
            assert telegram.asks("four").text == "re four"
        finally:
            client.kill()
            client.wait()
        assert_no_violations(telegram)


def test_the_methods_work_from_another_thread() -> None:
    with FakeTelegram.running(port=free_port(), clock=NOON) as telegram:
        telegram.clock = NOON + timedelta(hours=1)
        assert telegram.receives("hi").date == NOON + timedelta(hours=1)
        assert telegram.passes(hours=1) == telegram.clock == NOON + timedelta(hours=2)
        sent = telegram.sent
        sent.append("not the fake's own list")
        assert telegram.sent == []
        with pytest.raises(AssertionError, match="1 updates wait"):
            telegram.wait_sent(timeout=0.05)
        with pytest.raises(ValueError, match="nobody can type that"):
            telegram.receives("")
        url = telegram.url
    port = int(url.rpartition(":")[2])
    with FakeTelegram.running(port=port) as telegram:
        assert telegram.url == url, "it comes back where it was"
        with pytest.raises(OSError), FakeTelegram.running(port=port):
            pass
