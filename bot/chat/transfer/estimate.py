"""Estimate the cost of an import, and sanitise texts of the file for display."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory import Usage, embedding_cost, make_embedder
from memory.text import plural

from ...settings import Settings

if TYPE_CHECKING:
    from memory.transfer import Preview

CHARACTERS_A_TOKEN = 4
# As measured with real batches (docs/dev/costs.py): the overhead of a request, and the length of a
# summary with its facts.
TOKENS_A_REQUEST, TOKENS_A_MESSAGE, TOKENS_A_SUMMARY = 2_100, 12, 1_350


def cost_lines(settings: Settings, seen: Preview) -> list[str]:
    """Estimate what summaries and vectors of these chats cost."""
    lines = []
    summaries = plural(seen.batches, "summary", "summaries")
    if settings.has_model:
        usd = summaries_cost(settings.summary_model, seen)
        lines.append(
            f"Estimated: {summaries} by {settings.summary_model}, about ${max(usd, 0.01):.2f}"
            " (live chats are summarised first, and half of each day's budget is left to them)."
        )
    else:
        lines.append(f"{summaries} will be made without a model, at no cost.")
    embedder = make_embedder(settings)
    if embedder is not None and embedder.remote:
        cost = embedding_cost(settings.provider, [seen.characters])
        lines.append(f"Their texts go to {settings.provider} for vectors: about ${cost.usd:.2f}.")
    lines.append(
        "Others' words stay attributed to them; passwords and keys are masked as in live chats."
    )
    return lines


def summaries_cost(model: str, seen: Preview) -> float:
    """Estimate the US dollars for the summaries of these chats."""
    from ...claude.pricing import cost

    if not seen.batches:
        return 0.0
    read = seen.characters // CHARACTERS_A_TOKEN + TOKENS_A_MESSAGE * seen.messages
    # Call by call, because long prompts cost more per token.
    call = Usage(
        "anthropic",
        model,
        "summary",
        TOKENS_A_REQUEST + read // seen.batches,
        TOKENS_A_SUMMARY,
    )
    return seen.batches * cost(call)


def plain(text: str, longest: int = 40) -> str:
    """Return a text of the file on one line, without terminal control characters."""
    shown = "".join(char for char in " ".join(text.split()) if char.isprintable())
    return shown if len(shown) <= longest else shown[: longest - 1].rstrip() + "…"
