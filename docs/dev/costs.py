"""Estimate the monthly cost of Claude by model and messages per day, from stated assumptions.

`make costs` prints the table; the README quotes it.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from bot.claude.pricing import PRICED_ON, PriceList
from memory import Usage


@dataclass(frozen=True, slots=True)
class Assumptions:
    """The assumptions of the estimate, in tokens unless the name says otherwise."""

    days_a_month: int = 30
    stable_prefix: int = 5_000
    history: int = 5_000
    newest_message: int = 2_500
    answer: int = 400
    calls_a_message: float = 1.4
    tool_round: int = 900
    cache_hit_share: float = 0.35
    messages_a_summary: int = 20
    summary_prompt: int = 3_800
    summary_output: int = 1_450
    facts_share: float = 0.5
    facts_prompt: int = 700
    facts_output: int = 300
    rewrite_share: float = 0.06
    rewrite_prompt: int = 250
    rewrite_output: int = 60
    beats_a_day: int = 28
    beat_prompt: int = 1_500
    beat_output: int = 150


MEANING = {
    "days_a_month": "days a month",
    "stable_prefix": "tokens: tools, guide, soul, user, MEMORY and yesterday's note",
    "history": "tokens of conversation in the context, on average (12,000 at most, cut to 40 %)",
    "newest_message": "tokens of the newest message with its hits, rules and summaries",
    "answer": "tokens of an answer, thinking included",
    "calls_a_message": "calls a message: 0.4 of them to use a tool",
    "tool_round": "tokens that a tool's call and result add",
    "cache_hit_share": "share of messages that come within five minutes of the one before",
    "messages_a_summary": "messages a summary, answers counted",
    "summary_prompt": "tokens of a summary's prompt: 550 for facts, 400 for the messages before",
    "summary_output": "tokens of a summary with its facts, thinking included",
    "facts_share": "share of summaries with facts that are compared with known ones",
    "facts_prompt": "tokens of that comparison's prompt",
    "facts_output": "tokens of its answer, thinking included",
    "rewrite_share": "share of messages whose question is searched in other words too",
    "rewrite_prompt": "tokens of the prompt for these",
    "rewrite_output": "tokens of the answer",
    "beats_a_day": "heartbeats a day: every half an hour from 8 to 22, with a checklist",
    "beat_prompt": "tokens of one: checklist, tasks, dated facts, user.md, six messages",
    "beat_output": "tokens of its answer, thinking included",
}


def a_month(model: str, messages_a_day: int, given: Assumptions) -> float:
    """Return the US dollars per month for that many messages from the owner per day."""
    prefix = given.stable_prefix + given.history
    hits = given.cache_hit_share
    first = PriceList().cost(
        Usage(
            "anthropic",
            model,
            "turn",
            input=given.newest_message,
            output=given.answer,
            cache_read=round(prefix * hits),
            cache_write=round(prefix * (1 - hits)),
        )
    )
    # Later rounds of a turn follow within seconds: all before them is read from the cache.
    later = PriceList().cost(
        Usage(
            "anthropic",
            model,
            "turn",
            input=given.tool_round,
            output=given.answer,
            cache_read=prefix,
            cache_write=given.newest_message,
        )
    )
    a_message = first + (given.calls_a_message - 1) * later
    answers = a_message * messages_a_day * given.days_a_month
    return answers + sum(memory_a_month(messages_a_day, given).values())


def memory_a_month(messages_a_day: int, given: Assumptions) -> dict[str, float]:
    """Return the US dollars per month for each kind of call that memory makes, with Haiku."""
    messages = messages_a_day * given.days_a_month
    summaries = 2 * messages / given.messages_a_summary
    calls = {
        "summaries, with facts": ("summary", summaries, given.summary_prompt, given.summary_output),
        "new facts beside known ones": (
            *("facts", summaries * given.facts_share),
            *(given.facts_prompt, given.facts_output),
        ),
        "questions in other words": (
            *("rewrite", messages * given.rewrite_share),
            *(given.rewrite_prompt, given.rewrite_output),
        ),
    }
    return {
        name: count * PriceList().cost(Usage("anthropic", MODELS[0], purpose, prompt, output))
        for name, (purpose, count, prompt, output) in calls.items()
    }


def heartbeat_a_month(given: Assumptions) -> float:
    """Return the US dollars per month for heartbeats, with Haiku."""
    beat = PriceList().cost(
        Usage("anthropic", MODELS[0], "heartbeat", given.beat_prompt, given.beat_output)
    )
    return beat * given.beats_a_day * given.days_a_month


MODELS = ("claude-haiku-5-5", "claude-sonnet-5-5")
MESSAGES_A_DAY = (20, 100)


def table(given: Assumptions) -> list[tuple[str, tuple[float, ...]]]:
    """Return for each model the dollars per month, one figure for each of MESSAGES_A_DAY."""
    return [(model, tuple(a_month(model, n, given) for n in MESSAGES_A_DAY)) for model in MODELS]


def parts(given: Assumptions) -> list[tuple[str, tuple[float, ...]]]:
    """Return the cost of memory's own calls, which `table` includes, and of the heartbeat, which it
    does not."""
    each = [memory_a_month(n, given) for n in MESSAGES_A_DAY]
    rows = [(f"of which {name}", tuple(month[name] for month in each)) for name in each[0]]
    beat = heartbeat_a_month(given)
    return [*rows, ("in addition: the heartbeat, with a checklist", (beat,) * len(MESSAGES_A_DAY))]


def main() -> None:
    """Print the table and its assumptions."""
    from rich.console import Console
    from rich.table import Table

    given = Assumptions()
    console = Console(width=max(100, Console().width))
    shown = Table(title=f"US dollars a month (prices of {PRICED_ON}, summaries by Haiku)")
    shown.add_column("CHAT_MODEL", no_wrap=True)
    for count in MESSAGES_A_DAY:
        shown.add_column(f"{count} messages a day", justify="right", no_wrap=True)
    for name, amounts in [*table(given), *parts(given)]:
        shown.add_row(name, *(f"{amount:.2f}" for amount in amounts))
    console.print(shown)
    notes = ["BUDGET_DAILY_USD caps each day (1.00 by default: at most 31.00 a month). Assumed:"]
    notes += [f"  {getattr(given, f.name):>6,}  {MEANING[f.name]}" for f in fields(given)]
    console.print("\n".join(notes), highlight=False, soft_wrap=True)


if __name__ == "__main__":
    main()
