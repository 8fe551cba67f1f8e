"""Estimate the cost and duration of an import, and sanitise texts of the file for display."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import TYPE_CHECKING

from memory import Usage, embedding_cost, make_embedder
from memory.text import tn, tr

from ...settings import Settings

if TYPE_CHECKING:
    from memory.transfer import Preview

BYTES_A_TOKEN = 4  # in UTF-8: a letter of Cyrillic has two, one of Chinese three
# As measured with real batches (docs/dev/costs.py): the overhead of a request, and the length of a
# summary with its facts.
TOKENS_A_REQUEST, TOKENS_A_MESSAGE, TOKENS_A_SUMMARY = 2_100, 12, 1_350


# Measured on two busy cores (`python -m tests.benchmarks.imports --mb 100 --whole`); the local
# embedder's speed as for `sam index --dry-run`; the time of a call that answers with a summary.
MESSAGES_A_SECOND, CHARACTERS_A_SECOND, SECONDS_A_SUMMARY = 150, 6_000, 6.0


def cost_lines(settings: Settings, seen: Preview, bulk: str = "") -> list[str]:
    """Estimate what summaries and vectors of these chats cost, unless none of their messages is
    new; `bulk`: how to order in bulk."""
    if not seen.batches:
        return []
    lines = []
    summaries = tn("{count} summary", "{count} summaries", seen.batches)
    if settings.has_model:
        usd = max(summaries_cost(settings, seen), 0.01)
        lines.append(
            tr(
                "Estimated: {summaries} by {summary_model}, about ${usd:.2f} (live chats are "
                "summarised first, and half of each day's budget is left to them).",
                summaries=summaries,
                summary_model=settings.summary_model,
                usd=usd,
            )
        )
        if in_bulk(settings):
            half = max(usd / 2, 0.01)
            lines.append(
                tr(
                    "Through Anthropic's Batches API{bulk}: about ${half:.2f}, within a day each "
                    "time.",
                    bulk=bulk,
                    half=half,
                )
            )
    else:
        lines.append(
            tr("{summaries} will be made without a model, at no cost.", summaries=summaries)
        )
    embedder = make_embedder(settings)
    if embedder is not None and embedder.remote:
        cost = embedding_cost(settings.provider, [seen.size])
        lines.append(
            tr(
                "Their texts go to {provider}, for search by meaning: about ${usd:.2f}.",
                provider=settings.provider,
                usd=cost.usd,
            )
        )
    lines.append(duration_line(settings, seen))
    lines.append(
        tr("Others' words stay attributed to them; passwords and keys are masked as in live chats.")
    )
    return lines


def known_line(seen: Preview) -> str:
    """Say how many of the messages are new, if some are not."""
    if seen.known == seen.messages:
        return tr("All of them are already here.")
    return tr(
        "New: {new:,}. Already here: {known:,}.",
        new=seen.messages - seen.known,
        known=seen.known,
    )


def in_bulk(settings: Settings) -> bool:
    """Return whether summaries can be ordered in bulk: by a model of Anthropic's."""
    from ...claude.pricing import price_of

    name = settings.summary_model
    is_main = settings.has_model and not settings.model_entry(name).url
    return is_main and price_of(name) is not None


def duration_line(settings: Settings, seen: Preview) -> str:
    """Estimate how long the import takes, and then the vectors and the summaries."""
    from ...claude.budget import IMPORTED_SHARE

    then = []
    embedder = make_embedder(settings)
    if embedder is not None and not embedder.remote:
        then.append(tr("vectors {about}", about=_about(seen.characters / CHARACTERS_A_SECOND)))
    if settings.has_model and seen.batches:
        usd = summaries_cost(settings, seen)
        a_day = settings.budget_daily_usd * IMPORTED_SHARE
        days = ceil(usd / a_day) if a_day else 1
        # Three quarters of each minute are theirs.
        took = _about(seen.batches * SECONDS_A_SUMMARY / 0.75)
        if days > 1:
            took = tn("{count} day, by the budget", "{count} days, by the budget", days)
        then.append(tr("summaries {took}", took=took))
    now = tr("It takes {about}", about=_about(seen.messages / MESSAGES_A_SECOND))
    if then:
        now += tr("; then in the background, while Sam runs: {names}", names=", ".join(then))
    return f"{now}."


def _about(seconds: float) -> str:
    """Return a duration as a person says it."""
    if seconds < 90:
        return tr("about a minute") if seconds >= 30 else tr("a few seconds")
    if seconds < 5400:
        return tr("about {minutes} min", minutes=round(seconds / 60))
    if seconds < 36 * 3600:
        return tr("about {hours} h", hours=round(seconds / 3600))
    return tn("{count} day", "{count} days", ceil(seconds / 86400))


def languages_line(shares: Mapping[str, float]) -> str:
    """Name the languages with their shares; "" without any."""
    if len(shares) == 1:
        return tr("Language: {name}", name=next(iter(shares)))
    named = [f"{name} ({share:.0%})" for name, share in shares.items()]
    return tr("Languages: {names}", names=", ".join(named)) if named else ""


def summaries_cost(settings: Settings, seen: Preview) -> float:
    """Estimate the US dollars for the summaries of these chats."""
    from ...claude.pricing import PriceList

    if not seen.batches:
        return 0.0
    read = seen.size // BYTES_A_TOKEN + TOKENS_A_MESSAGE * seen.messages
    # Call by call, because long prompts cost more per token.
    call = Usage(
        "anthropic",
        settings.summary_model,
        "summary",
        TOKENS_A_REQUEST + read // seen.batches,
        TOKENS_A_SUMMARY,
    )
    return seen.batches * PriceList.of(settings.models).cost(call)


def plain(text: str, longest: int = 40) -> str:
    """Return a text of the file on one line, without terminal control characters."""
    shown = "".join(char for char in " ".join(text.split()) if char.isprintable())
    return shown if len(shown) <= longest else shown[: longest - 1].rstrip() + "…"
