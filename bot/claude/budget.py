"""The daily budget of one profile: which model may be called, and what a call may cost.

Under 80 % of what a profile may spend the chat's model answers, then the cheap one,
which makes the rest last twenty times as long; at 100 % no model is called. A chat's model that
costs nothing answers at any share. Before each call its cost is estimated and recorded, so that
calls at the same time cannot exceed the limit together.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import date, tzinfo
from pathlib import Path
from typing import Any

from memory import OWNER, Clock, LockHeld, Log, Usage, profile_of
from memory.infra import last_written, local_day, locked
from memory.log import spent_in
from memory.text import mark, tr

from ..errors import BudgetSpent, ModelDown
from ..metrics import Measures
from ..settings import ModelEntry, Settings
from .account import LEAST_OUTPUT
from .pricing import PriceList

# The day's US dollars of all profiles of an installation, and what is left for one of them.
#
# BUDGET_DAILY_USD is for all of them together. Of it, guests and groups may spend
# BUDGET_OTHERS_PERCENT, all together; the owner may spend whatever nobody has spent yet. So the
# rest of that share is the owner's alone. BUDGET_PROFILES limits single profiles further. A day is
# the owner's local day.


@dataclass(frozen=True, slots=True)
class Share:
    """What was spent of a limit that holds for a profile, in US dollars; `setting` sets it."""

    spent: float
    limit: float
    setting: str

    @property
    def left(self) -> float:
        return self.limit - self.spent


@dataclass(frozen=True, slots=True)
class Day:
    """The spending of a day, and the limits, in US dollars; `limit` 0: none.

    Estimates of calls in progress are included.
    """

    limit: float
    others_limit: float
    by_profile: Mapping[str, float]
    limits: Mapping[str, float]
    """The limits of single profiles, of BUDGET_PROFILES."""

    @property
    def owner(self) -> float:
        return self.by_profile.get(OWNER, 0.0)

    @property
    def others(self) -> float:
        """Return the spending of guests and groups."""
        return self.total - self.owner

    @property
    def total(self) -> float:
        return sum(self.by_profile.values())

    def left(self, profile: str) -> float:
        """Return what that profile may still spend; infinite without a limit."""
        tightest = self.tightest(profile)
        return float("inf") if tightest is None else tightest.left

    def tightest(self, profile: str) -> Share | None:
        """Return the share that is exhausted first for that profile; None without a limit."""
        return min(self.limits_of(profile), key=lambda share: share.left, default=None)

    def limits_of(self, profile: str) -> list[Share]:
        """Return the shares that hold for that profile; a limit of 0 means no model for it."""
        shares = []
        if profile in self.limits:
            spent = self.by_profile.get(profile, 0.0)
            shares.append(Share(spent, self.limits[profile], "BUDGET_PROFILES"))
        if self.limit:
            shares.append(Share(self.total, self.limit, "BUDGET_DAILY_USD"))
            if profile != OWNER:
                shares.append(Share(self.others, self.others_limit, "BUDGET_OTHERS_PERCENT"))
        return shares

    def cost_text(self, profile: str, own: float) -> str:
        """Return the cost of the day, as `$0.40 of $1.00`; for profiles other than the owner's,
        their own spending, and their own limit."""
        total = self.total if profile == OWNER else own
        limit = self.limit if profile == OWNER else self.limits.get(profile, 0.0)
        if not limit:
            return f"${total:.2f}"
        return tr("${total:.2f} of ${limit:.2f}", total=total, limit=limit)

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
            return [tr("You: ${owner:.2f}; {others}", owner=self.owner, others=others)]
        lines = [others[0].upper() + others[1:]]
        if self.limit - self.total < self.others_limit - self.others:
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
        self._limits = settings.budget_profiles
        self._owner, self._profiles = profile_of(settings), settings.profiles_dir
        self._known: dict[Path, tuple[object, float]] = {}
        """What was spent by each log, and of which day and state of its file that is."""

    def limits(self, profile: str) -> bool:
        """Return whether there is a limit for that profile."""
        return self._limit > 0 or profile in self._limits

    def day(self) -> tuple[date, tzinfo]:
        """Return the owner's local day, and their time zone."""
        zone = self._zone()
        return local_day(self._clock(), zone), zone

    async def today(self) -> Day:
        """Return the spending of this day. Raises StoreError."""
        spent = await asyncio.to_thread(self._look)
        return Day(self._limit, self._others_limit, spent, self._limits)

    @asynccontextmanager
    async def locked(self) -> AsyncIterator[Day]:
        """Return the spending, which cannot change within this context. Raises LockHeld."""
        async with locked(self._owner.files.spending_lock):
            yield await self.today()

    def _look(self) -> dict[str, float]:
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
        others = self._profiles.glob(f"*/data/{owner.log_file.name}")
        files = {file.parent.parent.name: file for file in others} | {OWNER: owner.log_file}
        return {name: spent(file, name) for name, file in files.items()}


SAVE_FROM = 0.8  # of the day's budget
# When so much is spent, imported chats wait for the next day, so that live ones do not.
IMPORTED_SHARE = 0.5
SAID = "budget_said"
CHOSEN = "chat_model"  # the setting of the log with the model that was chosen

SAVING = mark(
    "80 % of today's budget of ${budget:.2f} is spent: {model} answers for the rest of the day "
    "({setting})."
)
TOO_DEAR = mark(
    "The rest of today's budget of ${budget:.2f} is not enough for an answer by {chat}: {model} "
    "answers ({setting})."
)
SPENT = mark(
    "Today's budget of ${budget:.2f} is spent: until midnight I answer with quotes from my memory "
    "({setting})."
)
ANSWERED_WITHOUT = mark("Today's budget is spent ({setting}).")
_SETTING = re.compile(r"\s?[(（]\{setting\}[)）]")


def _sums(calls: Sequence[Usage], *names: str) -> dict[str, Any]:
    return {name: sum(getattr(call, name) for call in calls) for name in names}


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """The model to call, None for none; `notice` is shown once a day. `cheaper`: the model to use
    if the first one is too expensive for the remaining budget. `why`: the reason for none."""

    model: str | None
    notice: str | None = None
    cheaper: str | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class RecordedCharge:
    """A call that was recorded with its estimated cost. `output`: the most tokens of its answer."""

    _log: Log
    _number: int
    output: int
    _measures: Measures

    async def settle(self, used: Sequence[Usage]) -> None:
        """Replace the estimate with the actual cost, and record separately billed items."""
        first = used[0]
        self._measures.model_called(first.model, first.purpose, sum(each.usd for each in used))
        await self._log.usage.settle(self._number, first)
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
        models: Sequence[ModelEntry] = (),
        measures: Measures | None = None,
    ) -> None:
        """`models`: others that may take the place of `chat_model`. `measures`: of the process;
        None: the budget's own."""
        self._measures = measures or Measures()
        self._log, self._profile, self._cheap_model = log, profile, cheap_model
        self.spending = spending
        entries = {chat_model: ModelEntry(chat_model)} | {each.name: each for each in models}
        self.entries: Mapping[str, ModelEntry] = entries
        """The models that may be chosen for answers, by name, the one of the settings first."""
        self.prices = PriceList.of(entries.values())

    async def chat_model(self) -> str:
        """Return the model that answers: the chosen one, while the settings offer it."""
        chosen = await self._log.settings.get(CHOSEN)
        return chosen if chosen and chosen in self.entries else next(iter(self.entries))

    async def choose(self, model: str) -> None:
        """Let that model, one of `entries`, answer from now on."""
        await self._log.settings.set(CHOSEN, model)

    async def spent(self, purpose: str = "") -> float:
        """Return today's US dollars of this profile, for one purpose or for all."""
        rows = await self._log.usage.of_day(*self.spending.day())
        return sum(row.usd for row in rows if purpose in ("", row.purpose))

    async def share_used(self) -> float:
        """Return which part of what this profile may spend today is spent; 0.0 without a limit."""
        share = (await self.spending.today()).tightest(self._profile)
        if share is None:
            return 0.0
        return share.spent / share.limit if share.limit else 1.0

    async def choice(self) -> ModelChoice:
        """Return the model to call now. The notice comes with a day's first choice of its kind."""
        chat, cheap = await self.chat_model(), self._cheap_model
        if not self.spending.limits(self._profile):
            return ModelChoice(chat)
        day = await self.spending.today()
        share = day.tightest(self._profile)
        assert share is not None
        if self.prices.price(chat) is None and all(s.limit for s in day.limits_of(self._profile)):
            return ModelChoice(chat)  # it costs nothing, and the cheap one something
        if share.left <= 0:
            news = await self._once("spent", self._text(SPENT, share))
            return ModelChoice(None, why=news or self._text(ANSWERED_WITHOUT, share))
        if cheap == chat:
            return ModelChoice(chat)
        if share.spent < SAVE_FROM * share.limit:
            return ModelChoice(chat, cheaper=cheap)
        saving = self._text(SAVING, share, model=cheap)
        return ModelChoice(cheap, await self._once("saving", saving))

    def _text(self, notice: str, share: Share, **names: str) -> str:
        """Return a notice for the chats of the profile; to the owner it names the setting that
        limits the budget."""
        said = tr(notice) if self._profile == OWNER else _SETTING.sub("", tr(notice))
        return said.format(budget=share.limit, setting=share.setting, **names)

    def _spent(self, share: Share) -> BudgetSpent:
        error = BudgetSpent(tr(SPENT).format(budget=share.limit, setting=share.setting))
        error.to_others = self._text(SPENT, share)
        return error

    async def saving_notice(self, chat: str) -> str | None:
        """Return the notice that the cheap model answers in place of `chat`; None where that was
        said today."""
        share = (await self.spending.today()).tightest(self._profile)
        if share is None:
            return None
        text = self._text(TOO_DEAR, share, chat=chat, model=self._cheap_model)
        return await self._once("saving", text)

    async def spent_notice(self) -> str:
        """Return that today's budget is spent; "" while the model answers, or if it never does."""
        share = (await self.spending.today()).tightest(self._profile)
        if share is None or share.left > 0 or not share.limit:
            return ""
        is_free = self.prices.price(await self.chat_model()) is None
        return "" if is_free else self._text(SPENT, share)

    async def check(self, usd: float) -> None:
        """Raise BudgetSpent where less than `usd` is left: for what costs little, and is recorded
        after it, such as speech."""
        if not self.spending.limits(self._profile):
            return
        share = (await self.spending.today()).tightest(self._profile)
        if share is not None and (share.left <= 0 or share.left < usd):
            raise self._spent(share)

    async def reserve(self, expected: Usage, least: int = LEAST_OUTPUT) -> RecordedCharge:
        """Record a call before it is made, `expected` being the most that it may use; its `usd` is
        what it may cost beside its tokens.

        Where less is left, it may answer with fewer tokens, `least` of them at least. Raises
        BudgetSpent when that is not left either; ModelDown while another process holds the lock.
        """
        if not self.spending.limits(self._profile):
            return await self._charge(expected)
        try:
            async with self.spending.locked() as day:
                output = self.prices.affordable_output(
                    expected, day.left(self._profile) - expected.usd
                )
                if output < min(least, expected.output):
                    share = day.tightest(self._profile)
                    assert share is not None
                    raise self._spent(share)
                return await self._charge(replace(expected, output=output))
        except LockHeld as busy:
            raise ModelDown(str(busy)) from busy

    async def order(self, calls: Sequence[Usage]) -> tuple[int, int]:
        """Record as many of these calls, in order, as the budget leaves room for, as one estimate;
        return the number of its row for `settle`, and that of the calls. (0, 0) for none.

        The `usd` of each is the most that it may cost. IMPORTED_SHARE of the budget is theirs.
        Raises LockHeld.
        """
        if not self.spending.limits(self._profile):
            return await self._ordered(calls)
        async with self.spending.locked() as day:
            share = day.tightest(self._profile)
            assert share is not None
            left = IMPORTED_SHARE * share.limit - share.spent
            count = 0
            while count < len(calls) and (left := left - calls[count].usd) >= 0:
                count += 1
            return await self._ordered(calls[:count])

    async def settle(self, row: int, used: Sequence[Usage]) -> None:
        """Record what the calls of an order have cost, in place of the estimate."""
        sums = _sums(used, "input", "output", "cache_read", "cache_write", "usd")
        await self._log.usage.settle(row, Usage("anthropic", "", "", **sums))

    async def _ordered(self, calls: Sequence[Usage]) -> tuple[int, int]:
        if not calls:
            return 0, 0
        whole = replace(calls[0], estimated=True, **_sums(calls, "input", "output", "usd", "bytes"))
        return await self._log.usage.begin(whole), len(calls)

    async def _charge(self, expected: Usage) -> RecordedCharge:
        expected = replace(expected, usd=self.prices.cost(expected) + expected.usd, estimated=True)
        number = await self._log.usage.begin(expected)
        return RecordedCharge(self._log, number, expected.output, self._measures)

    async def _once(self, what: str, text: str) -> str | None:
        said = f"{self.spending.day()[0]} {what}"
        if await self._log.settings.get(SAID) == said:
            return None
        await self._log.settings.set(SAID, said)
        return text
