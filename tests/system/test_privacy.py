"""What leaves the machine: no sealed note and no key of Sam's, and every request is counted."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.assistant import Assistant
from bot.assistant.heartbeat import run_heartbeat
from bot.assistant.job_requests import no_jobs
from bot.chat.commands import privacy
from bot.chat.privacy_report import outbound_calls
from bot.chat.protocol import Call
from bot.doctor.checks import sealed_in_sync
from memory.embedding.metered import MeteredEmbedder
from memory.log import Usage
from memory.vault import Vault
from tests.fakes.claude import FakeClaude
from tests.fakes.embeddings import FakeEmbeddings
from tests.support.all_fakes import wired
from tests.support.homes import Home
from tests.support.memories import Clock, WordEmbedder, opened
from tests.support.notifications import NotificationRecorder
from tests.support.process import Sam, wait_until

SEALED = {
    "sealed/will.md": "# Will\n\nThe CANARYSEALED goes to Ana.\n",
    "private/diary.md": "# Diary\n\nA day with CANARYEXCLUDED.\n",
    "ignored.md": "# Ignored\n\nCANARYIGNORED is here.\n",
    "front.md": "---\nprivacy: sealed\n---\n\n# Front\n\nCANARYFRONT is meant.\n",
    ".samignore": "ignored.md\n",
}
CANARIES = ("CANARYSEALED", "CANARYEXCLUDED", "CANARYIGNORED", "CANARYFRONT")
MODEL_KEY = "sk-ant-CANARYMODELKEY0123456789"
EMBED_KEY = "pa-CANARYEMBEDKEY0123456789"
KEYS = (MODEL_KEY, EMBED_KEY)


class World:
    """Sam in a folder between the fakes, with data that must not leave it."""

    def __init__(
        self, folder: Path, telegram: Any, claude: FakeClaude, embeddings: FakeEmbeddings
    ) -> None:
        self.telegram, self.claude, self.embeddings = telegram, claude, embeddings
        self.remote = folder / "remote"
        self.remote.mkdir()
        self.sam = Sam(
            folder,
            **telegram.env,
            ANTHROPIC_API_KEY=MODEL_KEY,
            ANTHROPIC_BASE_URL=claude.url,
            EMBEDDING_PROVIDER="voyage",
            VOYAGE_API_KEY=EMBED_KEY,
            VOYAGE_BASE_URL=embeddings.url,
            INDEX_EXCLUDE="private/*",
            RCLONE_REMOTE=str(self.remote),
            LOG_LEVEL="DEBUG",
            BUDGET_DAILY_USD="0",
            HEARTBEAT_MINUTES="0",
        )
        self.vault, self.data = folder / "vault", folder / "data"
        for path, text in SEALED.items():
            note = self.vault / path
            note.parent.mkdir(parents=True, exist_ok=True)
            note.write_text(text, "utf-8")
        (self.vault / "soul.md").write_text("# Soul\n\nBe kind.\n", "utf-8")
        (self.vault / "open.md").write_text("# Open\n\nThe garden has CANARYOPEN.\n", "utf-8")

    def bodies(self) -> str:
        """Return everything that left the machine over a connection."""
        claude = [json.dumps(each.body, ensure_ascii=False) for each in self.claude.requests]
        embedded = [json.dumps(each.body, ensure_ascii=False) for each in self.embeddings.requests]
        texts = [text for each in self.embeddings.requests for text in each.texts]
        told = [repr(each) for each in self.telegram.requests]
        return "\n".join([*claude, *embedded, *texts, *told])


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with wired(partial(World, tmp_path)) as made:
        yield made


def test_nothing_sealed_and_no_key_leaves_or_is_written(world: World) -> None:
    """Use tools, a summary, searches, errors, a sync, a backup; then read all that was sent."""
    claude, telegram, sam = world.claude, world.telegram, world.sam
    for path in ("sealed/will.md", "private/diary.md", "ignored.md", "front.md"):
        claude.calls("get_memory", {"path": path}, when="my will", then="I cannot read that.")
    claude.calls("search_memory", {"query": "will diary front ignored"}, when="my will")
    claude.summaries(
        lambda request: {
            "summary": "A talk",
            "bullets": [{"text": "About it", "messages": [1], "quote": "will"}],
        }
    )
    sam.start()
    try:
        wait_until(lambda: "CANARYOPEN" in world.bodies(), "the notes are embedded")
        telegram.asks("what is in my will?", timeout=120)
        telegram.asks("/search will diary front ignored", timeout=120)
        telegram.asks("where is the garden?", timeout=120)
        telegram.asks("/summarize", timeout=120)
        telegram.asks("/new", timeout=120)
        telegram.asks("/status", timeout=120)
        telegram.asks("/privacy", timeout=120)
        # Errors, with everything they may print: the keys are refused.
        claude.keys, world.embeddings.keys = {"another"}, {"another"}
        telegram.asks("and my will now?", timeout=120)
        sam.stop()
    except AssertionError:
        print(sam.story())
        raise
    outputs = [
        sam.run(*words, check=False)
        for words in (("doctor", "--json"), ("backup",), ("privacy", "--json"))
    ]
    bodies = world.bodies()
    assert "CANARYOPEN" in bodies and len(claude.requests) >= 6
    assert [canary for canary in CANARIES if canary in bodies] == []
    assert "CANARYFRONT" not in "".join(outputs) and "CANARYSEALED" not in "".join(outputs)
    secrets = (*KEYS, telegram.token)
    assert [key for key in secrets if key in "".join(outputs) + bodies_without_urls(world)] == []
    folder = sam.folder
    for path in folder.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            assert not any(key.encode() in data for key in secrets), path
            if path.parts[len(folder.parts)] == "data" and "sync" not in path.parts:
                assert not any(c.encode() in data for c in CANARIES), path
    backup = next((world.data / "backups").glob("*.tar.gz"))
    import gzip

    assert not any(key.encode() in gzip.decompress(backup.read_bytes()) for key in secrets)
    there = "".join(p.read_text("utf-8") for p in world.remote.rglob("*") if p.is_file())
    assert "CANARYSEALED" not in there, "the folder is kept from sync"
    for path in (world.data, *world.data.rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path
        assert stat.S_IMODE(path.stat().st_mode) & 0o111 == 0 or path.is_dir(), path
    found = {each["id"]: each["what"] for each in json.loads(outputs[0])["problems"]}
    assert "front.md" in found["sealed-remote"]
    counted = json.loads(outputs[2])
    kinds = {(row["provider"], row["kind"]) for row in counted}
    assert {("own", "turn"), ("own", "summary"), ("voyage", "embed"), ("voyage", "search")} <= kinds
    assert all(row["bytes"] > 0 and row["requests"] > 0 for row in counted)


def bodies_without_urls(world: World) -> str:
    """Telegram's URL may contain the token, a header the key; nothing else may."""
    claude = [json.dumps(each.body, ensure_ascii=False) for each in world.claude.requests]
    embedded = [json.dumps(each.body, ensure_ascii=False) for each in world.embeddings.requests]
    said = [text for _, text in world.telegram.transcript()]
    return "\n".join([*claude, *embedded, *said])


async def test_a_heartbeat_sends_nothing_sealed(tmp_path: Path) -> None:
    home = Home(tmp_path, INDEX_EXCLUDE="private/*")
    for path, text in SEALED.items():
        home.write(path, text)
    home.write("soul.md", "# Soul\n")
    home.write("heartbeat.md", "# Heartbeat\n\n- Is there anything in the will?\n")
    async with FakeClaude.running() as claude, AsyncExitStack() as stack:
        settings = home.settings(anthropic_base_url=claude.url, anthropic_api_key=MODEL_KEY)
        profile = await Assistant.open(settings, stack, poke=no_jobs, clock=Clock())
        await profile.memory.reconcile()
        await run_heartbeat(profile, NotificationRecorder().notify)
        assert len(claude.requests) == 1
        bodies = "".join(json.dumps(each.body) for each in claude.requests)
        assert "anything in the will" in bodies
        assert not any(canary in bodies for canary in CANARIES)


# ── what was sent is counted ─────────────────────────────────────────────────────────────────────


async def test_calls_are_summed_by_local_day_provider_and_kind(tmp_path: Path) -> None:
    clock = Clock(datetime(2026, 2, 12, 23, 30, tzinfo=UTC))
    async with opened(tmp_path, clock=clock, timezone="Europe/Berlin") as memory:
        add = memory.log.usage.add
        await add(Usage("voyage", "v4", "embed", 10, bytes=100, passages=3))
        await add(Usage("voyage", "v4", "embed", 5, bytes=50, passages=1))
        await add(Usage("anthropic", "s", "turn", 7, cache_read=3, bytes=900, passages=2))
        clock.forward(days=-1)
        await add(Usage("voyage", "v4", "search", 1, bytes=9))
        clock.forward(days=-5)
        await add(Usage("voyage", "v4", "search", 1, bytes=9))
        today = datetime(2026, 2, 13, tzinfo=UTC).date()  # it is past midnight in Berlin
        rows = await outbound_calls(memory.log, memory.zone, today, 2)
    told = [
        (str(r.day), r.provider, r.kind, r.requests, r.passages, r.bytes, r.tokens) for r in rows
    ]
    assert told == [
        ("2026-02-13", "anthropic", "turn", 1, 2, 900, 10),
        ("2026-02-13", "voyage", "embed", 2, 4, 150, 15),
        ("2026-02-12", "voyage", "search", 1, 0, 9, 1),
    ]


async def test_what_goes_to_an_embedder_is_counted_also_when_it_fails(tmp_path: Path) -> None:
    used: list[Usage] = []

    async def count(usage: Usage) -> None:
        used.append(usage)

    inner = WordEmbedder()
    embedder = MeteredEmbedder(inner, count)
    await embedder.embed(["zwölf", "", "pin: 4711"], "document")
    await embedder.embed(["a question"], "query")
    inner.down = True
    with pytest.raises(Exception, match="down"):
        await embedder.embed(["lost"], "document")
    assert [(u.purpose, u.passages) for u in used] == [("embed", 2), ("search", 0), ("embed", 1)]
    assert used[0].bytes == len("zwölfpin: (a password, masked)".encode())
    assert "4711" not in "".join(inner.texts)


async def test_what_goes_to_claude_is_counted_also_when_it_is_refused(tmp_path: Path) -> None:
    from tests.support.models import Connected, ask, heard

    async with FakeClaude.running() as fake:
        from bot.errors import ModelRefused

        connected = Connected(fake)
        await heard(connected.claude, ask("hello", {"type": "text", "text": "x" * 1000}))
        fake.keys = {"another"}
        with pytest.raises(ModelRefused):
            await heard(connected.claude, ask("hello"))
        await connected.claude.close()
    first, second = connected.used
    assert first.bytes > 1000 and first.input > 0
    assert second.bytes > 0 and second.input == second.output == 0 and second.usd == 0


async def test_the_command_says_what_was_sent_and_what_is_not_counted(tmp_path: Path) -> None:
    home = Home(tmp_path, RCLONE_REMOTE="drive:Sam")
    clock = Clock()
    async with AsyncExitStack() as stack:
        profile = await Assistant.open(home.settings(), stack, poke=no_jobs, clock=clock)
        call = Call(profile, "terminal", "", clock())
        assert "Nothing was sent" in await privacy(call)
        await profile.memory.log.usage.add(
            Usage("voyage", "v4", "embed", 10, bytes=1234, passages=3)
        )
        text = await privacy(replace(call, at=clock() + timedelta(minutes=1)))
    assert "1,234 bytes" in text and "3 passages" in text
    assert "sealed/" in text and "remote" in text.lower()


def test_the_command_line_says_it_too(tmp_path: Path) -> None:
    home = Home(tmp_path)
    done = home.sam("privacy")
    assert done.returncode == 0 and "Nothing was sent" in done.stdout
    assert json.loads(home.sam("privacy", "--json", "--days", "3").stdout) == []


def test_notes_sealed_by_front_matter_alone_are_found(tmp_path: Path) -> None:
    home = Home(tmp_path)
    for path, text in SEALED.items():
        home.write(path, text)
    home.write("fine.md", "---\nprivacy: sensitive\n---\nx\n")
    assert sealed_in_sync(Vault(home.vault, data_dir=home.data)) == ["front.md"]
