"""Incognito: no part of it is on disk, sent to an embedder, or known afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from bot.assistant import Assistant
from bot.assistant.job_requests import no_jobs
from bot.chat.commands import COMMANDS
from bot.chat.protocol import Call, as_shown
from bot.turn import Done, Event, Notice, Text
from bot.turn.fallback import KEPT
from bot.turn.incognito import MARK
from bot.turn.rule_answers import UNKEPT
from memory.log import Said
from tests.fakes.claude import FakeClaude
from tests.fakes.embeddings import FakeEmbeddings
from tests.fakes.telegram import FakeTelegram
from tests.support.files import each_file
from tests.support.homes import Home
from tests.support.memories import Clock
from tests.support.process import Sam, wait_until
from tests.support.world import World

CANARY = "CANARY"
CHAT, INBOX = "telegram:7", "inbox.db"


@pytest.fixture
def fakes() -> Iterator[tuple[Any, FakeClaude, FakeEmbeddings]]:
    with (
        FakeTelegram.running() as telegram,
        FakeClaude.running() as claude,
        FakeEmbeddings.running() as embeddings,
    ):
        yield telegram, claude, embeddings


def traces(folder: Path) -> list[Path]:
    """Return the files below that contain a word that was said incognito."""
    return [path for path, data in each_file(folder) if CANARY.encode() in data]


def test_nothing_of_it_is_found_in_any_file(tmp_path: Path, fakes: Any) -> None:
    """After two kills, a search, a summary, a sync and a backup."""
    telegram, claude, embeddings = fakes
    remote = tmp_path / "remote"
    remote.mkdir()
    sam = Sam(
        tmp_path,
        **telegram.env,
        ANTHROPIC_API_KEY="sk-ant-test",
        ANTHROPIC_BASE_URL=claude.url,
        EMBEDDING_PROVIDER="openai",
        EMBEDDING_API_KEY="sk-test",
        EMBEDDING_BASE_URL=embeddings.url,
        RCLONE_REMOTE=str(remote),
        BUDGET_DAILY_USD="0",
        HEARTBEAT_MINUTES="0",
    )
    claude.responds_with("I hear CANARYHEARD.", when="CANARYSAID")
    claude.responds_with("You said CANARYTWICE.", when="what did I say")
    claude.summaries(lambda request: {"summary": "A talk", "bullets": []})
    sam.start()
    try:
        telegram.asks("before it all", timeout=120)
        said = telegram.asks("/incognito", timeout=120)
        assert "not logged" in said.text and "provider" in said.text
        telegram.asks("my secret is CANARYSAID", timeout=120)
        answer = telegram.asks("what did I say?", timeout=120)
        assert "CANARYTWICE" in answer.text and "Incognito" in answer.text
        asked = str(claude.requests[-1].body)
        wait_until(lambda: not traces(tmp_path / "data"), "no byte is left while it runs")
        assert "CANARYSAID" in asked and "CANARYHEARD" in asked, "it knows what was said"
        tools = {tool["name"] for tool in claude.requests[-1].body["tools"]}
        assert not {"save_memory", "edit_memory", "manage_tasks"} & tools
        assert {"search_memory", "list_facts"} <= tools, "what only reads stays"
        telegram.asks("/search CANARYSEARCH", timeout=120)
        assert "incognito" in telegram.asks("/status", timeout=120).text
        sam.stop()
        sam.start(SAM_FAILPOINT="before_send")
        sent = len(telegram.sent)
        telegram.receives("CANARYSAID once more")  # killed when the answer is stored
        assert sam.process is not None
        sam.process.wait(120)
        sam.start()
        telegram.wait_sent(sent + 1, timeout=120)
        again = telegram.asks("what did I say?", timeout=120)
        assert "CANARYSAID" not in str(claude.requests[-1].body)
        assert "restarted" in again.text or "restarted" in telegram.sent[sent].text
        over = telegram.asks("/new", timeout=120)
        assert "No longer incognito" in over.text
        telegram.asks("after it all", timeout=120)
        telegram.asks("/summarize", timeout=120)
        telegram.asks("/new", timeout=120)
        assert sam.stop() == 0
        assert not [each for each in telegram.sent if "keywords alone" in each.text], "as announced"
    except AssertionError:
        print(sam.story())
        raise
    finally:
        sam.end()
    sam.run("backup")
    assert traces(tmp_path) == []
    assert CANARY not in "".join(text for each in embeddings.requests for text in each.texts)
    assert embeddings.requests, "what is not incognito is embedded"
    report = sam.json("doctor")
    assert report["ok"] and report["ledger"]["adds_up"]
    assert report["ledger"]["messages"]["excluded"] >= 7


def test_killed_before_its_bytes_are_gone_they_go_at_the_next_start(tmp_path: Path) -> None:
    """For an update that was done, and one set aside after four crashes.

    Runs without a model, to start in half the time; the bytes on disk are the same.
    """
    with World.running(tmp_path, ANTHROPIC_API_KEY="", ANTHROPIC_BASE_URL="") as world:
        sam, telegram = world.sam, world.telegram

        def dies(at: str) -> None:
            sam.start(SAM_FAILPOINT=at)
            assert sam.process is not None
            assert sam.process.wait(120) == -9

        sam.start()
        telegram.asks("/incognito", timeout=120)
        assert sam.stop() == 0
        telegram.receives("CANARYDONE")
        dies("after_done")
        assert traces(world.data), "of what was done"
        sam.start()
        wait_until(lambda: not traces(world.data), "no byte of what was done is left")
        assert sam.stop() == 0
        telegram.receives("CANARYASIDE")
        for _ in range(4):
            dies("after_log")
        dies("after_done")
        [state] = world.rows("SELECT state FROM incoming WHERE reason IS NOT NULL", store=INBOX)
        assert state == "set_aside" and traces(world.data)
        sam.start()
        wait_until(lambda: not traces(world.data), "no byte of what was set aside is left")
        assert sam.stop() == 0
        assert sam.on_disk()["ledger"]["adds_up"]


async def heard(profile: Assistant, text: str, clock: Clock) -> list[Event]:
    said = Said(f"{CHAT}:{clock().timestamp()}:{text}", CHAT, text, clock())
    turn = await profile.turns.begin(said)
    events = [event async for event in profile.turns.answer(turn)]
    assert isinstance(events[-1], Done)
    await profile.turns.finish(turn, events[-1], clock())
    clock.forward(minutes=1)
    return events


async def do(profile: Assistant, name: str, words: str = "") -> str:
    call = Call(profile, CHAT, words, profile.memory.clock())
    return as_shown(await COMMANDS[name](call)).text


async def test_from_incognito_to_new_and_no_further(tmp_path: Path) -> None:
    clock = Clock()
    async with FakeClaude.running() as claude, AsyncExitStack() as stack:
        settings = Home(tmp_path).settings(
            anthropic_base_url=claude.url, anthropic_api_key="sk-test", history_tokens=500
        )
        profile = await Assistant.open(settings, stack, poke=no_jobs, clock=clock)
        log = profile.memory.log
        await heard(profile, "an open word", clock)
        await do(profile, "incognito")
        assert await do(profile, "incognito") == await do(profile, "incognito")
        events = await heard(profile, "a xyzzy word", clock)
        assert any(isinstance(e, Notice) and MARK in e.text for e in events)
        assert "/new" in await do(profile, "remember", "a xyzzy word")
        for number in range(9):  # more than fits into HISTORY_TOKENS, so the oldest are dropped
            await heard(profile, f"xyzzy {number} " + "word " * 60, clock)
        shown = str(claude.requests[-1].body["messages"])
        assert "xyzzy 7" in shown and "xyzzy 2 " not in shown and "a xyzzy word" not in shown
        rows = await log.messages.recent(100)
        assert [row.text for row in rows if row.role == "user"] == ["an open word"]
        assert (await log.ledger()).adds_up
        assert (await log.ledger()).messages["excluded"] == 20
        await do(profile, "new")
        await heard(profile, "open again", clock)
        shown = str(claude.requests[-1].body["messages"])
        assert "xyzzy" not in shown, shown
        rows = await log.messages.recent(100)
        assert [row.text for row in rows if row.role == "user"] == ["an open word", "open again"]
        assert not [p for p in (tmp_path).rglob("*.md") if "xyzzy" in p.read_text("utf-8")]


async def test_without_a_model_it_does_not_say_that_it_noted_something(tmp_path: Path) -> None:
    clock = Clock()
    async with AsyncExitStack() as stack:
        profile = await Assistant.open(Home(tmp_path).settings(), stack, poke=no_jobs, clock=clock)
        await do(profile, "incognito")
        for said in ("My cat is Tom", "Write me a poem about the sea", "That's wrong"):
            events = await heard(profile, said, clock)
            assert any(isinstance(each, Text) and UNKEPT in each.text for each in events), said
        await do(profile, "new")
        events = await heard(profile, "My dog is Rex", clock)
        assert not any(isinstance(each, Text) and UNKEPT in each.text for each in events)


async def test_with_the_budget_spent_it_does_not_say_that_the_message_is_kept(
    tmp_path: Path,
) -> None:
    clock = Clock()
    async with FakeClaude.running() as claude, AsyncExitStack() as stack:
        settings = Home(tmp_path).settings(
            anthropic_base_url=claude.url, anthropic_api_key="sk-test", budget_daily_usd=1e-6
        )
        profile = await Assistant.open(settings, stack, poke=no_jobs, clock=clock)
        for name, text in (("new", "My cat is Tom"), ("incognito", "Ten o'clock suits me")):
            await do(profile, name)
            events = await heard(profile, text, clock)
            [said] = [each.text for each in events if isinstance(each, Text)]
            assert "budget" in said and (KEPT in said) is (name == "new")


async def test_an_edit_does_not_bring_the_text_into_the_log(tmp_path: Path) -> None:
    clock = Clock()
    async with AsyncExitStack() as stack:
        profile = await Assistant.open(Home(tmp_path).settings(), stack, poke=no_jobs, clock=clock)
        await do(profile, "incognito")
        turn = await profile.turns.begin(Said("telegram:7:1", CHAT, "xyzzy", clock()))
        edited = await profile.memory.log.messages.edit("telegram:7:1", "xyzzy, mended", clock())
        assert edited is not None and edited.text == ""
        await do(profile, "new")
        edited = await profile.memory.log.messages.edit("telegram:7:1", "xyzzy, mended", clock())
        assert edited is not None and edited.text == "" and edited.turn_id == turn.id


async def test_who_wrote_a_forwarded_message_is_not_logged(tmp_path: Path) -> None:
    clock = Clock()
    async with FakeClaude.running() as claude, AsyncExitStack() as stack:
        settings = Home(tmp_path).settings(
            anthropic_base_url=claude.url, anthropic_api_key="sk-test"
        )
        profile = await Assistant.open(settings, stack, poke=no_jobs, clock=clock)
        await do(profile, "incognito")
        said = Said("telegram:7:1", CHAT, "Hello", clock(), author="Xyzzy", origin="forwarded")
        turn = await profile.turns.begin(said)
        async for _ in profile.turns.answer(turn):
            pass
        assert "by Xyzzy" in str(claude.requests[-1].body["messages"]), "the model knows it"
        logged = await profile.memory.log.messages.by_key("telegram:7:1")
        assert logged is not None and logged.author == ""


async def test_a_restart_does_not_end_it_and_is_said(tmp_path: Path) -> None:
    clock = Clock()
    for restart in range(2):
        async with AsyncExitStack() as stack:
            profile = await Assistant.open(
                Home(tmp_path).settings(), stack, poke=no_jobs, clock=clock
            )
            if not restart:
                await do(profile, "incognito")
            events = await heard(profile, f"xyzzy {restart}", clock)
            told = [event.text for event in events if isinstance(event, Notice)]
            assert ("restarted" in " ".join(told)) is bool(restart)
            assert await profile.memory.log.messages.recent(10) == []
