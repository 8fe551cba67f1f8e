"""Messages that say of themselves that they are private, or must not be kept, on Telegram."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from bot.turn.privacy_remarks import KEPT_NOTHING, PRIVATE, PRIVATE_BEFORE
from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import ANA, FakeTelegram, Person
from tests.support.buttons import buttons
from tests.support.files import having
from tests.support.telegram import Sam, claude, quick, sam, telegram

__all__ = ["claude", "quick", "telegram"]

NO_MODEL = {"anthropic_api_key": None, "anthropic_base_url": None}


async def says(it: Sam, *texts: str, by: Person = ANA) -> str:
    """Send messages one after the other; return the answer to the last one."""
    for text in texts:
        count = len(it.telegram.sent)
        await it.telegram.receives(text, user=by)
        await it.telegram.wait_sent(count + 1)
        await it.at_rest()
        it.telegram.passes(minutes=1)
    return it.telegram.sent[-1].text


def remembered(folder: Path) -> list[str]:
    """Return the lines of MEMORY.md, without their days and ids."""
    text = (folder / "vault/MEMORY.md").read_text("utf-8")
    return [row.rpartition(" ^")[0][14:] for row in text.splitlines() if row.startswith("- 20")]


async def nothing_left(folder: Path, word: str) -> None:
    """Wait until no file of Sam's has the word: the inbox is cleaned after the answer."""
    for _ in range(600):
        if not (left := having(word.encode(), folder / "data", folder / "vault")):
            return
        await asyncio.sleep(0.1)
    pytest.fail(f"{word} is in {left}")


@pytest.mark.parametrize("given", [{}, NO_MODEL], ids=["model", "no model"])
async def test_a_private_message_is_in_no_summary_and_shown_to_no_model_again(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path, given: dict[str, Any]
) -> None:
    claude.summaries(lambda request: {"summary": "A talk", "bullets": []})
    async with sam(telegram, claude, tmp_path, **given) as it:
        assert PRIVATE in await says(it, "This is private: I owe Bob 417 euros")
        private = len(claude.requests)
        assert PRIVATE not in await says(it, "My private school was in Bonn")
        await it.profiles["owner"].summarise("command")
        rows = {row.text: row.privacy for row in await it.said() if row.role == "user"}
        later = json.dumps([request.body for request in claude.requests[private:]])
    assert rows["This is private: I owe Bob 417 euros"] == "sensitive"
    assert rows["My private school was in Bonn"] == "normal"
    assert "417" not in later
    assert having(b"417", tmp_path / "vault") == []


async def test_what_the_model_saves_of_a_private_message_is_private(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    claude.calls(
        "save_memory",
        {"content": "I owe Bob 417 euros", "source": "owner"},
        when="Between you and me",
        then="Noted.",
    )
    async with sam(telegram, claude, tmp_path) as it:
        await says(it, "Between you and me, remember that I owe Bob 417 euros")
        offered = {tool["name"] for tool in claude.requests[0].body["tools"]}
        private = len(claude.requests)
        await says(it, "What do I owe Bob?")
        later = json.dumps([request.body for request in claude.requests[private:]])
    assert "#sam/sensitive" in (tmp_path / "vault/MEMORY.md").read_text("utf-8")
    assert "edit_memory" not in offered and "save_memory" in offered
    assert "417" not in later


async def test_what_the_model_only_claims_to_have_saved_is_as_private_as_its_turn(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    claude.responds_with("Saved!", when="Bob")
    async with sam(telegram, claude, tmp_path, burst_seconds=0.5) as it:
        for remark, debt in (("This is private.", "417"), ("Off the record, I met Bob.", "418")):
            count = len(telegram.sent)
            await telegram.receives(remark)
            await telegram.receives(f"Remember that I owe Bob {debt} euros")
            await telegram.wait_sent(count + 1)
            await it.at_rest()
            telegram.passes(minutes=1)
        answer = await says(it, "This is private, remember it: the ring from Bob is a copy")
        texts = [each.text for each in telegram.sent]
    assert sum(PRIVATE in text for text in texts) == 2 and PRIVATE not in answer, "not twice"
    assert remembered(tmp_path) == [
        "I owe Bob 417 euros #sam/sensitive",
        "the ring from Bob is a copy #sam/sensitive",
    ]


async def test_without_a_model_it_is_remembered_as_private(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path, **NO_MODEL) as it:
        answer = await says(it, "This is private, remember it: I owe Bob 417 euros")
        [logged] = await it.said()
    assert "MEMORY.md" in answer and PRIVATE in answer
    assert logged.privacy == "sensitive"
    [line] = [
        row
        for row in (tmp_path / "vault/MEMORY.md").read_text("utf-8").splitlines()
        if "417" in row
    ]
    assert "I owe Bob 417 euros" in line and "#sam/sensitive" in line and "private" not in line


@pytest.mark.parametrize("given", [{}, NO_MODEL], ids=["model", "no model"])
async def test_what_is_remembered_by_a_reply_or_a_heart_stays_private(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path, given: dict[str, Any]
) -> None:
    async with sam(telegram, claude, tmp_path, **given) as it:
        debt = await telegram.receives("I owe Bob 417 euros")
        await telegram.wait_sent(1)
        telegram.passes(minutes=1)
        await says(it, "Keep that private.")
        claude.responds_with("Zanzibar it is.", when="Zanzibar")
        plan = await telegram.receives("Just between us, I move to Zanzibar")
        answer = (await telegram.wait_sent(3))[-1]
        await it.at_rest()
        for count, each in enumerate((debt, plan, answer), 1):
            telegram.passes(minutes=1)
            await telegram.reacts(each, "❤")
            await telegram.wait_sent(3 + count)
            await it.at_rest()
        count = len(telegram.sent)
        await telegram.receives("Remember this", reply_to=debt)
        await telegram.wait_sent(count + 1 + (not given))
        await it.at_rest()
        found = await telegram.asks("/why 417")
        await it.at_rest()
        assert "417" in found.text
        quote = {"text": "Bob 417 euros", "position": 0, "is_manual": True}
        await telegram.asks("/remember", reply_to=found, quote=quote)
        await it.at_rest()
    lines = [
        row
        for path in (tmp_path / "vault").rglob("*.md")
        for row in path.read_text("utf-8").splitlines()
        if "417" in row or "Zanzibar" in row
    ]
    assert len(lines) == 4 - bool(given) and all("#sam/sensitive" in row for row in lines), lines


async def test_keep_that_private_is_about_what_was_saved_too(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    for content, more in (
        ("I owe Bob 417 euros", {"source": "owner"}),
        ("I got a loan of 418 euros", {"source": "chat"}),
        ("I like coins of 419 euros", {"kind": "preference"}),
    ):
        given = {"content": content, **more}
        claude.calls("save_memory", given, when=content, then="Noted.")
    async with sam(telegram, claude, tmp_path) as it:
        for said in ("I owe Bob 417 euros", "I got a loan of 418 euros"):
            await says(it, f"Remember that {said}", "Keep that private.")
        await says(it, "Remember that I like coins of 419 euros", "Keep that private.")
        asked = len(claude.requests)
        await says(it, "What about my euros?")
        later = json.dumps([request.body for request in claude.requests[asked:]])
    lines = [
        row
        for path in (tmp_path / "vault").rglob("*.md")
        for row in path.read_text("utf-8").splitlines()
        if any(count in row for count in ("417", "418", "419"))
    ]
    assert len(lines) == 3 and all("sensitive" in row for row in lines), lines
    assert not any(count in later for count in ("417", "418", "419"))


async def test_keep_that_private_takes_back_what_a_summary_made(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    bullet = {"text": "Ana owes Bob 417 euros", "messages": [1], "quote": "417 euros"}
    claude.summaries(lambda request: {"summary": "About 417 euros", "bullets": [bullet]})
    async with sam(telegram, claude, tmp_path) as it:
        await says(it, "I owe Bob 417 euros")
        await it.profiles["owner"].summarise("command")
        assert having(b"417", tmp_path / "vault")
        claude.summaries(lambda request: {"summary": "A talk", "bullets": []})
        await says(it, "Keep that private.")
        assert not having(b"417", tmp_path / "vault")
        await it.profiles["owner"].summarise("command")
    assert not having(b"417", tmp_path / "vault")


async def test_keep_that_private_is_about_the_message_before(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        await says(it, "Bob plays the tuba", "I owe Bob 417 euros")
        assert PRIVATE_BEFORE in await says(it, "Keep that private, please.")
        rows = {row.text: row.privacy for row in await it.said() if row.role == "user"}
        telegram.passes(days=1)
        assert PRIVATE_BEFORE not in await says(it, "That's confidential.")
    assert rows["I owe Bob 417 euros"] == "sensitive"
    assert rows["Bob plays the tuba"] == "normal"


@pytest.mark.parametrize("given", [{}, NO_MODEL], ids=["model", "no model"])
async def test_of_a_message_off_the_record_nothing_is_kept(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path, given: dict[str, Any]
) -> None:
    claude.responds_with("Then you kissed xyzzy.", when="xyzzy")
    async with sam(telegram, claude, tmp_path, **given) as it:
        await says(it, "My cat is Tom")
        answer = await says(it, "Off the record, I kissed xyzzy")
        assert KEPT_NOTHING in answer
        await nothing_left(tmp_path, "xyzzy")
        asked = len(claude.requests)
        await says(it, "What did I say?")
        later = json.dumps([request.body for request in claude.requests[asked:]])
        texts = [text for _, text in await it.texts()]
        ledger = await it.profiles["owner"].memory.log.ledger()
    if not given:
        request = claude.requests[asked - 1]
        assert "My cat is Tom" in str(request.body), "it is still the same conversation"
        assert not {"save_memory", "edit_memory"} & {t["name"] for t in request.body["tools"]}
    assert "xyzzy" not in later
    assert "My cat is Tom" in texts and not any("xyzzy" in text for text in texts)
    assert ledger.adds_up


@pytest.mark.parametrize("remark", ["This is private", "Off the record"])
async def test_a_reply_does_not_quote_what_no_model_may_see_again(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path, remark: str
) -> None:
    claude.responds_with("So you kissed xyzzy.", when="xyzzy")
    async with sam(telegram, claude, tmp_path) as it:
        said = await telegram.receives(f"{remark}: I kissed xyzzy")
        [answer] = await telegram.wait_sent(1)
        await it.at_rest()
        asked = len(claude.requests)
        for each, quote in ((said, None), (said, {"text": "I kissed xyzzy"}), (answer, None)):
            telegram.passes(minutes=1)
            given = {"quote": {**quote, "position": 0, "is_manual": True}} if quote else {}
            await telegram.asks("Was that wise?", reply_to=each, **given)
            await it.at_rest()
        later = json.dumps([request.body for request in claude.requests[asked:]])
        rows = [row for row in await it.said() if row.privacy == "normal"]
    assert "Was that wise?" in later and "it is not shown" in later
    assert "xyzzy" not in later and not any("xyzzy" in row.text for row in rows)


async def test_a_burst_is_not_kept_if_one_of_its_messages_says_so(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path, burst_seconds=0.5) as it:
        await telegram.receives("I kissed xyzzy yesterday")
        await telegram.receives("Don't write this down, it was xyzzy's birthday")
        [answer] = await telegram.wait_sent(1)
        await it.at_rest()
        assert KEPT_NOTHING in answer.text
        await nothing_left(tmp_path, "xyzzy")
        assert await it.said() == []


@pytest.mark.parametrize("given", [{}, NO_MODEL], ids=["model", "no model"])
async def test_forget_i_said_that_shows_what_is_kept_of_the_message_before(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path, given: dict[str, Any]
) -> None:
    async with sam(telegram, claude, tmp_path, **given) as it:
        answer = await says(it, "I owe Bob 417 euros", "Forget I said that.")
        assert "417" in answer and "/incognito" in answer
        assert any("orget" in label for label in buttons(telegram.sent[-1]))
        assert all("Forget I said" not in text for _, text in await it.texts())


async def test_forget_i_said_that_lists_what_was_saved_by_rule(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    claude.responds_with("Saved!", when="417")
    async with sam(telegram, claude, tmp_path) as it:
        await telegram.receives("Remember that I owe Bob 417 euros")
        await telegram.wait_sent(2)
        await it.at_rest()
        telegram.passes(minutes=1)
        answer = await says(it, "Forget I said that.")
    assert "You: “Remember that I owe Bob 417" in answer and "MEMORY.md:" in answer


@pytest.mark.parametrize("said", ["Remember that I owe Bob 417 euros", "/remember I owe Bob 417"])
async def test_forget_i_said_that_may_be_about_a_command(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path, said: str
) -> None:
    async with sam(telegram, claude, tmp_path, **NO_MODEL) as it:
        answer = await says(it, "Bob plays the tuba", said, "Forget I said that.")
    assert "tuba" not in answer
    assert f"You: “{said}”" in answer and "MEMORY.md:" in answer


async def test_an_edit_can_make_a_message_private_or_take_it_back(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path) as it:
        first = await telegram.receives("I owe Bob 417 euros")
        await telegram.wait_sent(1)
        second = await telegram.receives("I kissed xyzzy")
        await telegram.wait_sent(2)
        await it.at_rest()
        telegram.passes(minutes=1)
        await telegram.edits(first, "I owe Bob 417 euros. Keep this private.")
        await telegram.edits(second, "Off the record: I kissed xyzzy")
        await telegram.wait_sent(4)
        await it.at_rest()
        rows = [row for row in await it.said() if row.role == "user"]
    assert [(row.text, row.privacy) for row in rows] == [
        ("I owe Bob 417 euros. Keep this private.", "sensitive")
    ]


async def test_sam_says_it_in_the_owners_language(
    telegram: FakeTelegram, claude: FakeClaude, tmp_path: Path
) -> None:
    german = Person(ANA.id, "Ana", language_code="de")
    async with sam(telegram, claude, tmp_path, **NO_MODEL) as it:
        said = await says(it, "Bitte nicht merken: ich mag xyzzy", by=german)
        assert "behalte ich nichts" in said
        said = await says(it, "Das bleibt unter uns: ich mag Bob", by=german)
        assert "keine Zusammenfassung" in said
