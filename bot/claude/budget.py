"""The daily budget: which model may be called, by what was spent.

Under 80 % of BUDGET_DAILY_USD the chat's model answers, then the cheap one, which makes the rest
last twenty times as long; at 100 % no model is called. A day is the owner's local day.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import tzinfo

from memory import Clock, Log
from memory.infra import local_day

from ..errors import BudgetSpent

SAVE_FROM = 0.8  # of the day's budget
SAID = "budget_said"
CHOSEN = "chat_model"  # the setting of the log with the model that was chosen

SAVING = (
    "80 % of today's budget of ${budget:.2f} is spent: {model} answers for the rest of the day "
    "(BUDGET_DAILY_USD)."
)
SPENT = (
    "Today's budget of ${budget:.2f} is spent: until midnight I answer with what I recall "
    "(BUDGET_DAILY_USD)."
)
ANSWERED_WITHOUT = "Today's budget is spent (BUDGET_DAILY_USD)."
"""Why an answer consists of what was recalled."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The model to call, None for none; `notice` is shown once a day."""

    model: str | None
    notice: str | None = None


class Budget:
    """One profile's budget."""

    def __init__(
        self,
        log: Log,
        clock: Clock,
        zone: Callable[[], tzinfo],
        *,
        daily_usd: float,
        chat_model: str,
        cheap_model: str,
        models: Sequence[str] = (),
    ) -> None:
        """`daily_usd` 0: there is no limit. `models`: others that may take the place of
        `chat_model`."""
        self._log, self._clock, self._zone = log, clock, zone
        self._daily_usd, self._cheap_model = daily_usd, cheap_model
        self.models = tuple(dict.fromkeys((chat_model, *models)))
        """The models that may be chosen for answers, the one of the settings first."""

    async def chat_model(self) -> str:
        """Return the model that answers: the chosen one, while the settings offer it."""
        chosen = await self._log.settings.get(CHOSEN)
        return chosen if chosen in self.models else self.models[0]

    async def choose(self, model: str) -> None:
        """Let that model, one of `models`, answer from now on."""
        await self._log.settings.set(CHOSEN, model)

    async def spent(self, purpose: str = "") -> float:
        """Return today's US dollars, for one purpose or for all."""
        zone = self._zone()
        rows = await self._log.usage.of_day(local_day(self._clock(), zone), zone)
        return sum(row.usd for row in rows if purpose in ("", row.purpose))

    async def choice(self) -> Choice:
        """Return the model to call now. The notice comes with the first choice of its kind on that
        day."""
        budget, chat, cheap = self._daily_usd, await self.chat_model(), self._cheap_model
        spent = await self.spent() if budget else 0.0
        if not budget or spent < SAVE_FROM * budget:
            return Choice(chat)
        if spent >= budget:
            return Choice(None, await self._once("spent", SPENT.format(budget=budget)))
        if cheap == chat:
            return Choice(chat)
        return Choice(cheap, await self._once("saving", SAVING.format(budget=budget, model=cheap)))

    async def check(self) -> None:
        """Raise BudgetSpent when nothing is left; called before every call of a model."""
        budget = self._daily_usd
        if budget and await self.spent() >= budget:
            raise BudgetSpent(SPENT.format(budget=budget))

    async def _once(self, what: str, text: str) -> str | None:
        said = f"{local_day(self._clock(), self._zone())} {what}"
        if await self._log.settings.get(SAID) == said:
            return None
        await self._log.settings.set(SAID, said)
        return text
