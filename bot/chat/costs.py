"""/budget: the cost of Sam's models, by day, model and purpose, and a projection for the month."""

from __future__ import annotations

import calendar
from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, time

from memory import Usage
from memory.infra import local_day
from memory.text import mark, tn, tr

from ..claude.pricing import PRICED_ON
from ..markdown_escape import escape
from .protocol import Call

ESTIMATED = mark("${:.2f} of it is an estimate: for answers in progress, or interrupted by a crash")
LISTED = 6  # models and purposes to list; the others are summed
PURPOSES = {
    "turn": mark("answers"),
    "summary": mark("summaries"),
    "facts": mark("facts"),
    "heartbeat": mark("the heartbeat"),
    "rewrite": mark("search rewording"),
    "check": mark("key tests"),
    "embed": mark("search by meaning"),
    "search": mark("search questions"),
    "voice": mark("voice messages"),
    "web search": mark("web searches"),
}
"""Display names of the purposes in the usage log; others are shown as they are."""


async def budget(call: Call) -> str:
    """Show what today and this month cost, and for what"""
    memory, spending = call.profile.memory, call.profile.budget.spending
    today = memory.today(call.at)
    first = datetime.combine(today.replace(day=1), time(), memory.zone).astimezone(UTC)
    month = await memory.log.usage.since(first)
    used = [usage for _, usage in month]
    of_today = [usage for at, usage in month if local_day(at, memory.zone) == today]
    day = await spending.today()
    shares = day.shares(call.profile.name, call.profile.settings.profile_names)
    if not used:
        limit = tr(" The limit is ${limit:.2f} a day.", limit=day.limit) if day.limit else ""
        return escape(" ".join([tr("Nothing was spent this month.{limit}", limit=limit), *shares]))
    rows = [tr("Today: {said}", said=day.cost_text(call.profile.name, _usd(of_today))), *shares]
    if estimated := _usd([usage for usage in used if usage.estimated]):
        rows.append(tr(ESTIMATED).format(estimated))
    usd = _usd(used)
    rows.append(
        tr("This month, only you: ${usd:.2f}" if shares else "This month: ${usd:.2f}", usd=usd)
    )
    forecast = _forecast(usd, min(local_day(at, memory.zone) for at, _ in month), today)
    rows.append(tr("At this rate the month will cost ${forecast:.2f}", forecast=forecast))
    lines = [f"- {escape(row)}" for row in rows]
    lines += ["", tr("**By model, this month**"), *_table(used, lambda usage: usage.model)]
    lines += [
        "",
        tr("**What for, this month**"),
        *_table(used, lambda usage: purpose_name(usage.purpose)),
    ]
    priced = tr(
        "Prices of {priced_on:%Y-%m-%d}; your own models cost nothing.", priced_on=PRICED_ON
    )
    if day.limit:
        priced += tr(" BUDGET_DAILY_USD sets the limit.")
    return "\n".join([*lines, "", f"*{escape(priced)}*"])


def _forecast(spent: float, began: date, today: date) -> float:
    """Return the projected cost of the month, from the daily average since the first call.

    Today counts as half a day, because it is not over.
    """
    days = (today - began).days + 0.5
    left = calendar.monthrange(today.year, today.month)[1] - today.day + 0.5
    return spent + spent / days * left


def _table(used: Sequence[Usage], key: Callable[[Usage], str]) -> list[str]:
    sums: dict[str, list[Usage]] = defaultdict(list)
    for usage in used:
        sums[key(usage)].append(usage)
    ranked = sorted(sums.items(), key=lambda each: (-_usd(each[1]), each[0]))
    rows = [f"- {escape(name)}: ${_usd(of):.2f}, {_tokens(of)}" for name, of in ranked[:LISTED]]
    if more := [usage for _, of in ranked[LISTED:] for usage in of]:
        rows.append(tr("- others: ${usd:.2f}, {tokens}", usd=_usd(more), tokens=_tokens(more)))
    return [row.replace("$", "\\$") for row in rows]


def purpose_name(purpose: str) -> str:
    return tr(PURPOSES.get(purpose, purpose))


def _usd(used: Sequence[Usage]) -> float:
    return sum(usage.usd for usage in used)


def _tokens(used: Sequence[Usage]) -> str:
    count = sum(u.input + u.output + u.cache_read + u.cache_write for u in used)
    return tn("{count} token", "{count} tokens", count)
