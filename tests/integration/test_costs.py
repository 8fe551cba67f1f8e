"""Prices, the cost of a call, and the monthly table."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import fields, replace
from pathlib import Path

import pytest

from bot.claude.pricing import DEAREST, PRICED_ON, PRICES, PriceList, price_of
from bot.settings import Settings
from docs.dev.costs import MEANING, MESSAGES_A_DAY, Assumptions, a_month, parts, table
from memory.log import Usage

ROOT = Path(__file__).parents[2]
HAIKU, SONNET, OPUS = "claude-haiku-5-5", "claude-sonnet-5-5", "claude-opus-5-5"
MILLION = 1_000_000


def usage(model: str, **tokens: int) -> Usage:
    return Usage("anthropic", model, "turn", **{"input": 0, **tokens})


@pytest.mark.parametrize(
    ("model", "tokens", "dollars"),
    [
        (SONNET, {"input": MILLION}, 2.00),
        (SONNET, {"output": MILLION}, 10.00),
        (SONNET, {"cache_read": MILLION}, 0.20),
        (SONNET, {"cache_write": MILLION}, 2.50),
        (OPUS, {"input": MILLION, "output": MILLION}, 24.00),
        (HAIKU, {"input": 100_000, "output": 10_000}, 0.015),
        # Above 100,000 tokens of prompt, whatever they are made of, Haiku is dearer.
        (HAIKU, {"input": 100_001, "output": 10_000}, 0.0750005),
        (HAIKU, {"input": 1, "cache_read": 100_000, "output": 0}, (1 + 10_000) * 0.5 / MILLION),
    ],
)
def test_the_price_of_a_call(model: str, tokens: dict[str, int], dollars: float) -> None:
    assert PriceList().cost(usage(model, **tokens)) == pytest.approx(dollars)


def test_a_model_on_ones_own_machine_costs_nothing_and_an_unknown_claude_the_most() -> None:
    assert PriceList().cost(usage("qwen3", input=MILLION)) == 0.0
    assert price_of("claude-next-6") == DEAREST == PRICES[OPUS]
    assert price_of("claude-haiku-5-5-20261021") == PRICES[HAIKU]


def test_the_defaults_of_the_settings_have_a_price_of_their_own() -> None:
    settings = Settings(_env_file=None)  # type: ignore[call-arg]
    assert {settings.chat_model, settings.summary_model} <= set(PRICES)


def test_a_month_grows_with_messages_and_shrinks_with_the_cache() -> None:
    given = Assumptions()
    assert a_month(SONNET, 100, given) == pytest.approx(5 * a_month(SONNET, 20, given))
    cached = replace(given, cache_hit_share=1.0)
    uncached = replace(given, cache_hit_share=0.0)
    assert a_month(SONNET, 20, cached) < a_month(SONNET, 20, given) < a_month(SONNET, 20, uncached)
    assert a_month(SONNET, 20, given) == pytest.approx(20 * a_month(HAIKU, 20, given), rel=0.1)


def test_the_cost_of_a_month_equals_a_calculation_by_hand() -> None:
    """One message a day without tools, cache or summary costs only its prompt and answer."""
    given = Assumptions(
        days_a_month=10,
        stable_prefix=600,
        history=200,
        newest_message=200,
        answer=100,
        calls_a_message=1,
        cache_hit_share=0,
        summary_prompt=0,
        summary_output=0,
        facts_share=0,
        rewrite_share=0,
    )
    one = (200 * 2 + 800 * 2 * 1.25 + 100 * 10) / MILLION
    assert a_month(SONNET, 1, given) == pytest.approx(10 * one)


def test_the_memorys_own_calls_are_listed_with_their_part() -> None:
    given = Assumptions(days_a_month=10)
    listed = dict(parts(given))
    summaries = 2 * 100 * 10 / 20
    assert listed["of which summaries, with facts"][1] == pytest.approx(
        summaries * (3_800 * 0.1 + 1_450 * 0.5) / MILLION
    )
    assert listed["of which new facts beside known ones"][1] == pytest.approx(
        summaries / 2 * (700 * 0.1 + 300 * 0.5) / MILLION
    )
    without = replace(given, summary_prompt=0, summary_output=0, facts_share=0, rewrite_share=0)
    own = sum(amounts[1] for name, amounts in listed.items() if name.startswith("of which "))
    assert a_month(HAIKU, 100, given) - a_month(HAIKU, 100, without) == pytest.approx(own)


def test_the_order_of_magnitude_that_was_measured() -> None:
    """At 15,000 tokens of context and 100 messages a day: Sonnet over $100, Haiku $5 to 10."""
    given = Assumptions(stable_prefix=6500, history=6000, cache_hit_share=0.2)
    assert 100 < a_month(SONNET, 100, given) < 200
    assert 5 < a_month(HAIKU, 100, given) < 10


def test_every_assumption_is_explained_and_printed_with_the_table() -> None:
    assert set(MEANING) == {field.name for field in fields(Assumptions)}
    run = subprocess.run(
        [sys.executable, "-m", "docs.dev.costs"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    for meaning in MEANING.values():
        assert meaning in run.stdout
    assert str(PRICED_ON) in run.stdout
    for model, amounts in [*table(Assumptions()), *parts(Assumptions())]:
        row = next(line for line in run.stdout.splitlines() if model in line)
        assert all(f"{amount:.2f}" in row for amount in amounts)
    for count in MESSAGES_A_DAY:
        assert f"{count} messages a day" in run.stdout
