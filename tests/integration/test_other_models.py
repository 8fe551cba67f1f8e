"""Models of other providers by name (MODELS, MODEL_KEYS): settings, routing, prices, checks."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.chat.privacy_report import other_connections, outbound_calls, sent_to_models
from bot.claude.client import Claude
from bot.cli.commands import privacy
from bot.doctor import checks
from bot.logs import secrets
from bot.settings import ModelEntry, Settings, lenient
from bot.setup import ollama, wizard
from memory.config import ConfigError, read
from memory.log import Usage
from tests.fakes.claude import FakeClaude
from tests.fakes.telegram import FakeTelegram
from tests.fakes.violations import assert_no_violations
from tests.support.buttons import buttons, press
from tests.support.homes import Home
from tests.support.models import Connected, ask, heard
from tests.support.setup_owner import Owner
from tests.support.telegram import NOON, claude, quick, sam, telegram

__all__ = ["claude", "quick", "telegram"]

SONNET, OTHER = "claude-sonnet-5-5", "other-1"
KEY = "a-key-of-another-provider"


@pytest.fixture
async def second() -> AsyncIterator[FakeClaude]:
    """Provide the server of another provider, which knows one model and takes one key."""
    async with FakeClaude.running(default="The other one here.") as fake:
        fake.models, fake.keys, fake.caching = [OTHER], {KEY}, False
        yield fake
        assert_no_violations(fake)


def named(second: FakeClaude, price: str = "3/15") -> dict[str, str]:
    """Return the settings for the model on the second server."""
    host = second.url.removeprefix("http://")
    return {"models": f"{OTHER}@{second.url} {price}", "model_keys": f"{host}={KEY}"}


# ── the settings ─────────────────────────────────────────────────────────────────────────────


def test_an_entry_names_the_model_its_server_and_its_price() -> None:
    text = (
        "claude-opus-5-5, vendor/one:free@https://api.one.example/v1 free,"
        " two@https://two.example:8443/anthropic/ 0.28/0.42, qwen3@http://localhost:11434, four 1/2"
    )
    keys = "api.one.example=sk-1, TWO.example:8443=sk-2"
    settings = read(Settings, models=text, model_keys=keys)
    assert settings.models == (
        ModelEntry("claude-opus-5-5"),
        ModelEntry("vendor/one:free", "https://api.one.example/v1", (0.0, 0.0)),
        ModelEntry("two", "https://two.example:8443/anthropic", (0.28, 0.42)),
        ModelEntry("qwen3", "http://localhost:11434"),
        ModelEntry("four", price=(1.0, 2.0)),
    )
    assert settings.model_entry("two").label == "two (two.example:8443)"
    written = ",".join(map(str, settings.models))  # as a backup keeps it
    assert read(Settings, models=written, model_keys=keys).models == settings.models
    assert {"sk-1", "sk-2"} <= set(secrets(settings)), "what is masked in logs"
    assert "sk-1" not in repr(settings)


@pytest.mark.parametrize(
    ("models", "keys", "said"),
    [
        ("one@one.example", "", "begins with https://"),
        ("one@https://", "", "begins with https://"),
        ("one@https://one.example:port 1/2", "", "begins with https://"),
        ("@https://one.example 1/2", "", "not a model's name"),
        ("one@", "", "not a model's name"),
        ("one@https://one.example", "one.example=k", "needs its price"),
        ("one@https://one.example cheap", "one.example=k", "after the model comes only its price"),
        ("one@https://one.example 1/2 two", "one.example=k", "A comma separates models"),
        ("one@https://one.example 1/2", "", "set MODEL_KEYS=one.example=KEY"),
        ("one@https://u:secret@one.example 1/2", "", "its key is set in MODEL_KEYS"),
        ("one@https://one.example 1/2, one", "one.example=k", "two entries are called 'one'"),
        ("", "https://one.example=secret", "entry 1 is not host=key"),
        ("", "one.example=k, secret", "entry 2 is not host=key"),
    ],
)
def test_a_mistake_is_named_and_the_rest_still_loads(
    models: str, keys: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SAM_NO_ENV_FILE", "1")
    monkeypatch.setenv("MODELS", models)
    monkeypatch.setenv("MODEL_KEYS", keys)
    with pytest.raises(ConfigError) as wrong:
        read(Settings)
    (problem,) = wrong.value.problems
    assert said in problem and problem.startswith(("MODELS: ", "MODEL_KEYS: "))
    assert "secret" not in problem
    settings, problems = lenient.load()  # for `sam doctor` and `sam setup`
    assert settings.models == () and problems == (problem,)


# ── the client ───────────────────────────────────────────────────────────────────────────────


async def test_each_model_is_asked_at_its_server_with_its_key(
    claude: FakeClaude, second: FakeClaude
) -> None:
    claude.keys = {"sk-main"}
    account = Connected(claude)
    settings = read(
        Settings, anthropic_base_url=claude.url, anthropic_api_key="sk-main", **named(second)
    )
    client = Claude.of(settings, account)
    try:
        await heard(client, ask())
        await heard(client, ask(model=OTHER))
    finally:
        await client.close()
    assert [each.model for each in claude.requests] == [SONNET]
    assert [each.model for each in second.requests] == [OTHER]
    first, other = account.used
    assert (first.provider, other.provider) == ("own", second.url.removeprefix("http://"))
    tokens = other.input + other.cache_read + other.cache_write
    assert other.usd == pytest.approx((3 * tokens + 15 * other.output) / 1_000_000) and other.usd


async def test_what_a_server_refuses_or_fails_at_is_remembered_for_it_alone(
    claude: FakeClaude, second: FakeClaude
) -> None:
    second.rejects("cache_control")
    marked = {"type": "text", "text": "Be kind.", "cache_control": {"type": "ephemeral"}}
    settings = read(Settings, anthropic_base_url=claude.url, **named(second))
    client = Claude.of(settings, Connected(claude))
    try:
        await heard(client, ask(model=OTHER, system=[marked]))
        assert client.server(OTHER).endpoint.refused == {"cache_control"}
        assert client.server(SONNET).endpoint.refused == frozenset()
    finally:
        await client.close()
    second.forgives(400, since=0)


# ── the chat ─────────────────────────────────────────────────────────────────────────────────


async def test_the_owner_switches_to_it_and_sees_server_price_and_what_leaves(
    telegram: FakeTelegram,
    claude: FakeClaude,
    second: FakeClaude,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(
        "COLUMNS", "200"
    )  # `sam privacy` wraps what a narrow terminal has no room for
    host = second.url.removeprefix("http://")
    async with sam(telegram, claude, tmp_path, **named(second)) as it:
        await telegram.asks("hello")
        shown = await telegram.asks("/model")
        plain = shown.text.replace("\\", "")
        assert f"{OTHER} ({host}): $3.00 in, $15.00 out, per million tokens" in plain
        assert await press(telegram, shown, OTHER) == f"From now on {OTHER} answers."
        assert "The other one here." in (await telegram.asks("and you?")).text
        assert list(buttons((await telegram.wait_for(lambda fake: fake.edited))[-1])) == [SONNET]
        spent = (await telegram.asks("/budget")).text.replace("\\", "")
        assert f"- {OTHER}: $0.0" in spent and f"- {SONNET}: $0.0" in spent
        usage = await it.profiles["owner"].memory.log.usage.since(telegram.clock.replace(hour=0))
        assert [use.provider for _, use in usage] == ["own", host]
        sent = (await telegram.asks("/privacy")).text.replace("\\", "")
        assert f"{host}/{OTHER}, answers: 1 request" in sent
        assert f"{SONNET} on your own server, answers: 1 request" in sent
        memory = it.profiles["owner"].memory
        rows = await outbound_calls(memory.log, memory.zone, telegram.clock.date(), 2)
        privacy._table(rows)
        shown_by_sam_privacy = " ".join(capsys.readouterr().out.split())
        assert "on your own server answers 1" in shown_by_sam_privacy
    assert [each.model for each in second.chats] == [OTHER]


async def test_its_price_counts_in_the_budget_and_the_cheap_model_takes_over(
    telegram: FakeTelegram, claude: FakeClaude, second: FakeClaude, tmp_path: Path
) -> None:
    claude.responds_with("Haiku here.", model="haiku")
    given = named(second, "400/400")
    async with sam(telegram, claude, tmp_path, budget_daily_usd=10, **given) as it:
        await telegram.asks(f"/model {OTHER}")
        assert "The other one here." in (await telegram.asks("one")).text
        await it.at_rest()
        ((_, used),) = await it.profiles["owner"].memory.log.usage.since(NOON.replace(hour=0))
    # By its price most of this budget is spent now; at the price of Sonnet a hundredth would be.
    async with sam(telegram, claude, tmp_path, budget_daily_usd=used.usd * 1.1, **given):
        answer = (await telegram.asks("two")).text
    assert "Haiku here." in answer
    assert len(second.chats) == 1 and claude.chats[-1].model == "claude-haiku-5-5"


@pytest.mark.parametrize("spent", [0.9, 1.1])
async def test_a_model_that_costs_nothing_goes_on_answering(
    telegram: FakeTelegram, claude: FakeClaude, second: FakeClaude, tmp_path: Path, spent: float
) -> None:
    async with sam(telegram, claude, tmp_path, budget_daily_usd=1, **named(second, "free")) as it:
        usage = it.profiles["owner"].memory.log.usage
        await usage.add(Usage("anthropic", SONNET, "turn", 1_000, usd=spent))
        await telegram.asks(f"/model {OTHER}")
        assert (await telegram.asks("hello")).text == "The other one here."
    assert claude.chats == []


async def test_without_its_server_the_answer_is_quoted_and_names_it(
    telegram: FakeTelegram, claude: FakeClaude, second: FakeClaude, tmp_path: Path
) -> None:
    async with sam(telegram, claude, tmp_path, **named(second)):
        await telegram.asks(f"/model {OTHER}")
        second.keys = {"another-key"}
        answer = (await telegram.asks("hello?")).text.replace("\\", "")
    assert f"{OTHER} ({second.url.removeprefix('http://')}) does not accept the key" in answer
    assert "MODEL_KEYS" in answer and claude.chats == []
    second.forgives(401, since=0)


# ── doctor, setup, privacy ───────────────────────────────────────────────────────────────────


async def test_doctor_asks_each_model(claude: FakeClaude, second: FakeClaude) -> None:
    settings = read(Settings, anthropic_base_url=claude.url, **named(second))
    assert [problem async for problem in checks.model(settings)] == []
    assert [each.model for each in second.requests] == [OTHER]
    second.models = ["other-2"]
    (problem,) = [problem async for problem in checks.model(settings)]
    assert problem.id == "models" and OTHER in problem.what and "MODELS" in problem.advice
    second.forgives(404, since=0)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """Provide a home whose environment is this process's."""
    made = Home(tmp_path)
    for name, value in made.env.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(ollama, "PORT", 1)  # nothing listens on this port
    return made


async def test_setup_asks_each_model(
    home: Home, claude: FakeClaude, second: FakeClaude, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", claude.url)
    for name, value in named(second).items():
        monkeypatch.setenv(name.upper(), value)
    owner = Owner()
    await wizard.run(owner.talk(), Path(".env"))
    label = f"{OTHER} ({second.url.removeprefix('http://')})"
    assert f"{label} answers, too: /model switches to it." in owner.all
    second.keys = {"another-key"}
    await wizard.run((again := Owner()).talk(), Path(".env"))
    assert f"{label} of MODELS does not answer" in again.all and KEY not in again.all
    assert "claude-sonnet-5-5 answers." in again.all
    second.forgives(401, since=0)


def _leaving(settings: Settings) -> str:
    return "; ".join(sent_to_models(settings))


def test_privacy_and_welcome_name_the_servers_that_are_elsewhere(tmp_path: Path) -> None:
    given: dict[str, Any] = {
        "anthropic_api_key": "k",
        "models": "one@https://one.example/v1 1/2, two@https://one.example/v1 1/2, "
        "qwen3@http://127.0.0.1:11434",
        "model_keys": "one.example=k",
    }
    settings = read(Settings, **given)
    lines = "\n".join(other_connections(settings, "owner"))
    assert "one.example receives your messages and recalled passages" in lines
    assert "one, two answers" in lines and "127.0.0.1" not in lines
    leaving = _leaving(settings)
    assert "Anthropic; with another model chosen by /model, the same to one.example" in leaving
    without = read(Settings, chat_model="one", **given | {"anthropic_api_key": None})
    assert without.has_model and without.summary_model == "one"
    assert _leaving(without) == "your messages and recalled passages, to one.example"
    here = read(Settings, chat_model="qwen3", **given | {"anthropic_api_key": None})
    assert _leaving(here).startswith("with another model")
