"""/model: show which model answers, and choose another configured one."""

from __future__ import annotations

from memory import OWNER
from memory.text import mark, tr

from ..assistant import Assistant
from ..claude.pricing import PriceList
from ..markdown_escape import escape
from ..settings import ModelEntry
from .protocol import Button, Call, Keyboard, Outcome, Press, Shown

NONE = mark("No model is set up: I answer with quotes from my memory. `sam setup` adds one.")
NONE_FOR_OTHERS = mark("No model is set up: I answer with quotes from my memory.")
ALONE = mark("To offer others here, list them in MODELS in my .env.")
UNKNOWN = mark("That model is not set up. There are: {}.")


async def model(call: Call) -> Shown | str:
    """Show which model answers, or choose another: /model, /model NAME"""
    if call.profile.claude is None:
        return without_model(call)
    budget = call.profile.budget
    if call.words:
        if call.words not in budget.entries:
            return escape(tr(UNKNOWN).format(", ".join(budget.entries)))
        await budget.choose(call.words)
    return _shown(await budget.chat_model(), call.profile)


def without_model(call: Call) -> str:
    """Return that no model is set up; to the owner, how to set one up."""
    return tr(NONE if call.profile.name == OWNER else NONE_FOR_OTHERS)


async def choose_model(press: Press) -> Outcome:
    """Switch to the button's model."""
    budget, name = press.profile.budget, str(press.argument["name"])
    if name not in budget.entries:
        return Outcome(toast=tr(UNKNOWN).format(", ".join(budget.entries)))
    await budget.choose(name)
    return Outcome(
        tr("From now on {name} answers.", name=name), replace=_shown(name, press.profile)
    )


def _shown(now: str, profile: Assistant) -> Shown:
    budget = profile.budget
    rows = [
        tr("**{model}** answers.", model=escape(now)),
        "",
        *(f"- {escape(_line(each, budget.prices))}" for each in budget.entries.values()),
    ]
    if len(budget.entries) == 1 and profile.name == OWNER:
        rows += ["", escape(tr(ALONE))]
    others: Keyboard = tuple(
        (Button(name, "model", {"name": name}),) for name in budget.entries if name != now
    )
    return Shown("\n".join(rows), others)


def _line(entry: ModelEntry, prices: PriceList) -> str:
    price, name = prices.price(entry.name), entry.label
    if price is None:
        return tr("{name}: free", name=name)
    return tr(
        "{name}: ${input:.2f} in, ${output:.2f} out, per million tokens",
        name=name,
        input=price.input,
        output=price.output,
    )
