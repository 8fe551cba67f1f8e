"""Keys, card numbers and passwords are masked; ordinary prose is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memory.embedding.metered import MeteredEmbedder
from memory.index import generation
from memory.log import Message, Usage
from memory.summaries import Extract
from memory.summaries.draft import SummaryDraft, SummaryRequest
from memory.text.secrets import CARD, KEY, PASSWORD, mask
from memory.tools import MemoryTools, around
from tests.support import dialogue
from tests.support.homes import ROOT
from tests.support.locomo import load, needs_data, sessions
from tests.support.memories import Clock, WordEmbedder, log_exchange, opened, write

PEM = "-----BEGIN RSA PRIVATE KEY-----\n" + "MIIEpAIBAAKCAQEA7Zs9\n" * 20
PEM += "-----END RSA PRIVATE KEY-----"
SECRETS = {
    "sk-ant-api03-AAAAbbbb1111ccccDDDD2222eeee": KEY,
    "AKIAIOSFODNN7EXAMPLE": KEY,
    "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1": KEY,
    "ghp_0123456789abcdefghijABCDEFGHIJ012345": KEY,
    "xoxb-123456789012-abcdefghijkl0": KEY,
    "pa-0123456789abcdefghijABCDEFGHIJ01234567890": KEY,
    "AIzaSyA0123456789abcdefghijklmnopqrstuv": KEY,
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.SflKxwRJSMeKKF2QT4": KEY,
    PEM: KEY,
    "4111 1111 1111 1111": CARD,
    "5500-0055-5555-5559": CARD,
    "378282246310005": CARD,
}
ANNOUNCED = (
    "my password is {}",
    "The wifi password at home is {}.",
    "password: {}",
    "PIN: 47{}11",
    "Mein Passwort lautet {}",
    "mot de passe : {}",
    "la contraseña es {}",
    "a senha é {}",
    "пароль: {}",
    "密码是{}",
    "パスワードは{}です",
    "비밀번호는 {}",
)
PROSE = (
    "My password is too long, and I forgot it.",
    "I need a new password for the bank; the old one is weak.",
    "Password: ask Bob about it.",
    "pass the salt, is that 2 much?",
    "I pinned it: 20 notes, and drove up the pass at 2400m",
    "Call me at 491511234567 or +49 151 1234 5678, order 2026112212345678.",
    "Parcel 4111 1111 1111 1112 is on its way, and 5500005555555558 as well.",
    "The meeting is on 2026-11-22 at 14:30; ISBN 978-3-16-148410-0.",
    "https://example.org/a/very/long/path-with-words/2026/11/22?query=string&more=1",
    "commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b fixed it",
    "my id is 6f1d3c1e-9a52-4b0e-8f6b-1b7f9d1c2e3a, wrapped in Congratulations!",
)


@pytest.mark.parametrize("secret", SECRETS, ids=lambda secret: secret[:12])
def test_a_key_or_a_card_is_masked_wherever_it_stands(secret: str) -> None:
    for text in (secret, f"use {secret}, please", f"it is\n{secret}\nkeep it", f'key="{secret}"'):
        masked = mask(text)
        assert secret not in masked and secret[-8:] not in masked
        assert SECRETS[secret] in masked
        assert masked.count("\n") == text.count("\n"), "passages are known by their lines"
        assert mask(masked) == masked


@pytest.mark.parametrize("text", ANNOUNCED)
def test_a_password_that_is_announced_is_masked(text: str) -> None:
    masked = mask(text.format("hunter2"))
    assert "hunter2" not in masked and PASSWORD in masked
    assert masked.replace(PASSWORD, "").strip() == text.format("").replace("4711", "").strip()


def test_a_password_may_be_a_plain_word_where_it_stands_alone() -> None:
    assert mask("password: sunshine") == f"password: {PASSWORD}"
    assert mask("my password is 'sunshine'") == f"my password is '{PASSWORD}'"
    assert mask("https://bob:sunshine@example.org/x") == f"https://{KEY}@example.org/x"


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("my password is {}", "correct$horse"),
        ("my password is {}, keep it", "correct+horse"),
        ("my password is {} by the way", "hunTer"),
        ("my password is {} by the way", "HUNTEr"),
        ("the passphrase: {}", "abcd"),
        ("password：{}", "sunshine"),
        ("password: {}.", "SUNSHINE"),
    ],
)
def test_a_password_without_a_digit_is_masked_where_it_is_no_word(text: str, secret: str) -> None:
    assert mask(text.format(secret)) == text.format(PASSWORD)


@pytest.mark.parametrize(
    "text",
    [
        "my password is mother-in-law",  # hyphens and apostrophes join words
        "my password is Bob's",
        "my password is LaTeX",  # five letters: more likely a name
        "my password is SECRET",
        "my password is sunshine",
        "password: abc",
        "password: (see below)",
        "password: https://example.org/reset",
        "password: sunshine at the sea",
    ],
)
def test_a_word_without_a_digit_behind_password_is_no_password(text: str) -> None:
    assert mask(text) == text


@pytest.mark.parametrize("text", PROSE)
def test_prose_stays_as_it_is(text: str) -> None:
    assert mask(text) == text


@given(st.text(max_size=300))
@example("password:" * 40)
@example("pin is pin is " * 20)
def test_any_text_is_taken_and_keeps_its_lines(text: str) -> None:
    assert mask(text).count("\n") == text.count("\n")


def turns(told: dict[str, Any]) -> list[str]:
    return [line.text for each in sessions(told["conversation"]) for line in each]


def test_nothing_is_masked_in_what_holds_no_secret() -> None:
    """A long conversation, and the paragraphs of our own documents."""
    pages = [*(ROOT / "docs").rglob("*.md"), *(ROOT / "vault").rglob("*.md")]
    notes = [part for page in pages for part in page.read_text("utf-8").split("\n\n")]
    said = turns(dialogue.sample())
    assert len(said) > 400 and len(notes) > 400
    assert [text for text in (*said, *notes) if mask(text) != text] == []


@needs_data
def test_nothing_is_masked_in_real_conversations_that_hold_no_secret() -> None:
    """All turns of LoCoMo."""
    said = [text for told in load() for text in turns(told)]
    assert len(said) > 2_000
    assert [text for text in said if mask(text) != text] == []


# ── the ways on which a message goes ─────────────────────────────────────────────────────────────

CANARIES = {
    "card": "my card is 4111 1111 1111 1111, remember it",
    "key": "the key is ghp_0123456789abcdefghijABCDEFGHIJ012345",
    "password": "the password of the router is Blue-Sky-7731",
}
HIDDEN = ("4111 1111", "ghp_0123", "Blue-Sky-7731")


async def test_no_secret_of_a_message_is_summarised_embedded_indexed_or_transcribed(
    tmp_path: Path,
) -> None:
    shown: list[Message] = []

    class Watched:
        mark = ""

        async def __call__(self, request: SummaryRequest) -> SummaryDraft:
            shown.extend(request.messages)
            return await Extract()(request)

    embedder = WordEmbedder()
    clock = Clock()
    async with opened(tmp_path, clock=clock, embedder=embedder) as memory:
        for text in CANARIES.values():
            await log_exchange(memory, text, f"You said: {text}")
        assert await memory.summarise(Watched(), reason="test")
        await memory.reconcile()
        while await memory.embeddings.embed(50):
            pass
        embedded = "".join(embedder.texts)
        for secret in HIDDEN:
            found = await memory.recall(secret, private=True)
            assert secret not in json.dumps([hit.text for hit in found.hits])
        found = await memory.recall("what is the password of the router")
        assert PASSWORD in found.hits[0].text
        path = await memory.end_session("terminal", clock())
        assert path is not None
        logged = [row.text for row in await memory.log.messages.recent(10)]
    assert len(shown) == 6 and PASSWORD in embedded
    for secret in HIDDEN:
        assert any(secret in text for text in logged), "the log has what was said"
        assert secret not in "".join(row.text for row in shown)
        assert secret not in embedded
        for file in [*(tmp_path / "vault").rglob("*"), *(tmp_path / "data" / "index").rglob("*")]:
            assert not file.is_file() or secret.encode() not in file.read_bytes(), file


async def test_the_messages_around_a_hit_are_masked(tmp_path: Path) -> None:
    async with opened(tmp_path, embedder=WordEmbedder()) as memory:
        await log_exchange(memory, "Which one was it?", CANARIES["password"])
        await log_exchange(memory, "The heron nests by the pond", CANARIES["key"])
        await memory.reconcile()
        found = await memory.recall("heron nests", limit=1, private=True)
        near = await around(found.hits, memory.log.messages)
        told = [line for both in near.values() for line in both.lines(200)]
        report = await MemoryTools(memory).search_memory("heron nests")
    assert len(told) == 2 and PASSWORD in told[0] and KEY in told[1]
    assert "heron" in report and not [secret for secret in HIDDEN if secret in report]


async def test_what_leaves_the_machine_to_be_embedded_is_masked_notes_too(tmp_path: Path) -> None:
    inner = WordEmbedder()

    async def uncounted(usage: Usage) -> None: ...

    embedder: Any = MeteredEmbedder(inner, uncounted)
    write(tmp_path, "router.md", f"# Router\n\n{CANARIES['password']}\n")
    async with opened(tmp_path, embedder=embedder) as memory:
        await memory.reconcile()
        while await memory.embeddings.embed(50):
            pass
        found = await memory.recall(CANARIES["password"])
        assert "Blue-Sky-7731" in found.hits[0].text, "the owner's own note is his"
    assert any("Router" in text for text in inner.texts)
    assert "Blue-Sky-7731" not in "".join(inner.texts)


async def test_other_masking_rules_rebuild_the_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    async with opened(tmp_path) as memory:
        assert await memory.index.fits()
        monkeypatch.setattr(generation, "MASK", "another")
        assert not await memory.index.fits()
