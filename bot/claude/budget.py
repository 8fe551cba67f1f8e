"""The daily budget of one profile: which model may be called, and what a call may cost.

Under 80 % of what a profile may spend (spending.py) the chat's model answers, then the cheap one,
which makes the rest last twenty times as long; at 100 % no model is called. Before each call its
cost is estimated and recorded, so that calls at the same time cannot exceed the limit together.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import date, tzinfo
from pathlib import Path

from memory import OWNER, Clock, LockHeld, Log, Usage, profile_of
from memory.infra import last_written, local_day, locked
from memory.log import spent_in
from memory.text import mark, tr

from ..errors import BudgetSpent, ModelDown
from ..settings import Settings
from .account import LEAST_OUTPUT
from .pricing import affordable_output, cost

# The day's US dollars of all profiles of an installation, and what is left for one of them.
#
# BUDGET_DAILY_USD is for all of them together. Of it, guests and groups may spend
# BUDGET_OTHERS_PERCENT, all together; the owner may spend whatever nobody has spent yet. So the
# rest of that share is the owner's alone. A day is the owner's local day.


@dataclass(frozen=True, slots=True)
class Day:
    """The spending of a day, and the limits, in US dollars; `limit` 0: none.

    Estimates of calls in progress are included.
    """

    limit: float
    others_limit: float
    owner: float
    others: float

    @property
    def total(self) -> float:
        """Return the total spending."""
        return self.owner + self.others

    def left(self, profile: str) -> float:
        """Return what that profile may still spend; infinite without a limit."""
        if not self.limit:
            return float("inf")
        left = self.limit - self.total
        return left if profile == OWNER else min(left, self.others_limit - self.others)

    def used(self, profile: str) -> tuple[float, float]:
        """Return spending and limit of the share that is exhausted first for that profile."""
        is_by_all = profile == OWNER or self.left(profile) == self.limit - self.total
        return (self.total, self.limit) if is_by_all else (self.others, self.others_limit)

    def cost_text(self, profile: str, own: float) -> str:
        """Return the cost of the day, as `$0.40 of $1.00`; for profiles other than the owner's,
        their own spending."""
        if profile != OWNER:
            return f"${own:.2f}"
        if not self.limit:
            return f"${self.total:.2f}"
        return tr("${total:.2f} of ${limit:.2f}", total=self.total, limit=self.limit)

    def shares(self, profile: str, profiles: Collection[str]) -> list[str]:
        """Return the shares of the limit, one line each; [] if there is only the owner."""
        if not self.limit or not (len(profiles) > 1 or self.others):
            return []
        others = tr(
            "guests and groups together ${others:.2f} of at most ${limit:.2f}",
            others=self.others,
            limit=self.others_limit,
        )
        if profile == OWNER:
            return [tr("Of it you ${owner:.2f}; {others}", owner=self.owner, others=others)]
        lines = [others[0].upper() + others[1:]]
        if self.left(profile) < self.others_limit - self.others:
            left = max(0.0, self.limit - self.total)
            lines.append(tr("Left for everybody: ${left:.2f}", left=left))
        return lines


class Spending:
    """The spending of an installation, read from the logs of all its profiles, so that all
    processes see the same."""

    def __init__(self, settings: Settings, clock: Clock, zone: Callable[[], tzinfo]) -> None:
        """`zone`: the owner's."""
        self._clock, self._zone = clock, zone
        self._limit = settings.budget_daily_usd
        self._others_limit = self._limit * settings.budget_others_percent / 100
        self._owner, self._profiles = profile_of(settings), settings.profiles_dir
        self._known: dict[Path, tuple[object, float]] = {}
        """What was spent by each log, and of which day and state of its file that is."""

    @property
    def limited(self) -> bool:
        """Whether there is a limit."""
        return self._limit > 0

    def day(self) -> tuple[date, tzinfo]:
        """Return the owner's local day, and their time zone."""
        zone = self._zone()
        return local_day(self._clock(), zone), zone

    async def today(self) -> Day:
        """Return the spending of this day. Raises StoreError."""
        owner, others = await asyncio.to_thread(self._look)
        return Day(self._limit, self._others_limit, owner, others)

    @asynccontextmanager
    async def locked(self) -> AsyncIterator[Day]:
        """Return the spending, which cannot change within this context. Raises LockHeld."""
        async with locked(self._owner.files.spending_lock):
            yield await self.today()

    def _look(self) -> tuple[float, float]:
        day, zone = self.day()

        def spent(file: Path, name: str) -> float:
            # Taken before it is read: what is written meanwhile is read the next time.
            state = (day, zone, last_written(file))
            known, usd = self._known.get(file, (None, 0.0))
            if known != state:
                tenant = replace(owner.tenant, name=name) if owner.tenant else None
                usd = spent_in(file, tenant, day, zone)
                self._known[file] = state, usd
            return usd

        owner = self._owner
        others = sorted(self._profiles.glob(f"*/data/{owner.log_file.name}"))
        return (
            spent(owner.log_file, OWNER),
            sum(spent(file, file.parent.parent.name) for file in others),
        )


SAVE_FROM = 0.8  # of the day's budget
# When so much is spent, imported chats wait for the next day, so that live ones do not.
IMPORTED_SHARE = 0.5
SAID = "budget_said"
CHOSEN = "chat_model"  # the setting of the log with the model that was chosen

SAVING = mark(
    "80 % of today's budget of ${budget:.2f} is spent: {model} answers for the rest of the day "
    "(BUDGET_DAILY_USD)."
)
TOO_DEAR = mark(
    "The rest of today's budget of ${budget:.2f} is not enough for an answer by {chat}: {model} "
    "answers (BUDGET_DAILY_USD)."
)
SPENT = mark(
    "Today's budget of ${budget:.2f} is spent: until midnight I answer with quotes from my memory "
    "(BUDGET_DAILY_USD)."
)
ANSWERED_WITHOUT = mark("Today's budget is spent (BUDGET_DAILY_USD).")
"""Reasons for an answer without a model."""


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """The model to call, None for none; `notice` is shown once a day. `cheaper`: the model to use
    if the first one is too expensive for the remaining budget."""

    model: str | None
    notice: str | None = None
    cheaper: str | None = None


@dataclass(frozen=True, slots=True)
class RecordedCharge:
    """A call that was recorded with its estimated cost. `output`: tokens that it may answer
    with."""

    _log: Log
    _number: int
    output: int

    async def settle(self, used: Sequence[Usage]) -> None:
        """Replace the estimate with the actual cost, and record separately billed items."""
        await self._log.usage.settle(self._number, used[0])
        for each in used[1:]:
            await self._log.usage.add(each)


class Budget:
    """One profile's budget; the `Account` of its model calls."""

    def __init__(
        self,
        log: Log,
        spending: Spending,
        profile: str,
        *,
        chat_model: str,
        cheap_model: str,
        models: Sequence[str] = (),
    ) -> None:
        """`models`: others that may take the place of `chat_model`."""
        self._log, self._profile, self._cheap_model = log, profile, cheap_model
        self.spending = spending
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
        """Return today's US dollars of this profile, for one purpose or for all."""
        rows = await self._log.usage.of_day(*self.spending.day())
        return sum(row.usd for row in rows if purpose in ("", row.purpose))

    async def share_used(self) -> float:
        """Return which part of what this profile may spend today is spent; 0.0 without a limit."""
        spent, limit = (await self.spending.today()).used(self._profile)
        if not limit:
            return 1.0 if self.spending.limited else 0.0
        return spent / limit

    async def choice(self) -> ModelChoice:
        """Return the model to call now. The notice comes with the first choice of its kind on that
        day."""
        chat, cheap = await self.chat_model(), self._cheap_model
        if not self.spending.limited:
            return ModelChoice(chat)
        day = await self.spending.today()
        spent, budget = day.used(self._profile)
        if spent >= budget:
            return ModelChoice(None, await self._once("spent", tr(SPENT).format(budget=budget)))
        if cheap == chat:
            return ModelChoice(chat)
        if spent < SAVE_FROM * budget:
            return ModelChoice(chat, cheaper=cheap)
        return ModelChoice(
            cheap, await self._once("saving", tr(SAVING).format(budget=budget, model=cheap))
        )

    async def saving_notice(self, chat: str) -> str | None:
        """Return the notice that the cheap model answers in place of `chat`; None where that was
        said today."""
        _, budget = (await self.spending.today()).used(self._profile)
        text = tr(TOO_DEAR).format(budget=budget, chat=chat, model=self._cheap_model)
        return await self._once("saving", text)

    async def check(self, usd: float) -> None:
        """Raise BudgetSpent where less than `usd` is left: for what costs little, and is recorded
        after it, such as speech."""
        if not self.spending.limited:
            return
        day = await self.spending.today()
        spent, budget = day.used(self._profile)
        if spent >= budget or day.left(self._profile) < usd:
            raise BudgetSpent(tr(SPENT).format(budget=budget))

    async def reserve(self, expected: Usage, least: int = LEAST_OUTPUT) -> RecordedCharge:
        """Record a call before it is made, `expected` being the most that it may use; its `usd` is
        what it may cost beside its tokens.

        Where less is left, it may answer with fewer tokens, `least` of them at least. Raises
        BudgetSpent when that is not left either; ModelDown while another process holds the lock.
        """
        if not self.spending.limited:
            return await self._charge(expected)
        try:
            async with self.spending.locked() as day:
                output = affordable_output(expected, day.left(self._profile) - expected.usd)
                if output < min(least, expected.output):
                    _, budget = day.used(self._profile)
                    raise BudgetSpent(tr(SPENT).format(budget=budget))
                return await self._charge(replace(expected, output=output))
        except LockHeld as busy:
            raise ModelDown(str(busy)) from busy

    async def order(self, calls: Sequence[Usage]) -> tuple[int, int]:
        """Record as many of these calls, in order, as the budget leaves room for, as one estimate;
        return the number of its row for `settle`, and that of the calls. (0, 0) for none.

        The `usd` of each is the most that it may cost. IMPORTED_SHARE of the budget is theirs.
        Raises LockHeld.
        """
        if not self.spending.limited:
            return await self._ordered(calls)
        async with self.spending.locked() as day:
            spent, budget = day.used(self._profile)
            left = min(day.left(self._profile), IMPORTED_SHARE * budget - spent)
            count = 0
            while count < len(calls) and (left := left - calls[count].usd) >= 0:
                count += 1
            return await self._ordered(calls[:count])

    async def settle(self, row: int, used: Sequence[Usage]) -> None:
        """Record what the calls of an order have cost, in place of the estimate."""
        whole = Usage(
            provider="anthropic",
            model="",
            purpose="",
            input=sum(call.input for call in used),
            output=sum(call.output for call in used),
            cache_read=sum(call.cache_read for call in used),
            cache_write=sum(call.cache_write for call in used),
            usd=sum(call.usd for call in used),
        )
        await self._log.usage.settle(row, whole)

    async def _ordered(self, calls: Sequence[Usage]) -> tuple[int, int]:
        if not calls:
            return 0, 0
        whole = replace(
            calls[0],
            input=sum(call.input for call in calls),
            output=sum(call.output for call in calls),
            usd=sum(call.usd for call in calls),
            bytes=sum(call.bytes for call in calls),
            estimated=True,
        )
        return await self._log.usage.begin(whole), len(calls)

    async def _charge(self, expected: Usage) -> RecordedCharge:
        expected = replace(expected, usd=cost(expected) + expected.usd, estimated=True)
        return RecordedCharge(self._log, await self._log.usage.begin(expected), expected.output)

    async def _once(self, what: str, text: str) -> str | None:
        said = f"{self.spending.day()[0]} {what}"
        if await self._log.settings.get(SAID) == said:
            return None
        await self._log.settings.set(SAID, said)
        return text
