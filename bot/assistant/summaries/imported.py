"""Summarise imported chats in bulk: order the summaries, wait, fetch the answers, and report.

    reserve the cost → record the order → send it → record its id → fetch the answers → settle

Only one order is in progress at a time. The answers are stored in the log, where the ordinary run
(`Summary`) turns them into summaries. It can be killed at any point: a sent order is found at the
provider by the names of its calls, and is not paid for twice.
"""

from __future__ import annotations

import logging
from datetime import timedelta

from memory import Memory, SummaryRequest, Usage
from memory.infra import failpoint, locked
from memory.log import MOST_MESSAGES, BulkOrder, ImportRow
from memory.text import tn, tr

from ...claude.budget import IMPORTED_SHARE, Budget
from ...claude.bulk import BulkCalls, bulk_cost
from ...claude.client import Claude
from ...errors import ModelDown, ModelRefused
from .summary import Summary, text_hash

log = logging.getLogger(__name__)

MOST = 1_000  # summaries in an order
# An order whose response was lost may not be listed at once: wait so long before dropping it.
ARRIVES_WITHIN = timedelta(minutes=2)
CLOCKS_DIFFER = timedelta(minutes=10)
NOT_ALLOWED = (401, 402, 403)  # a problem with the key or the bill, not with bulk calls
GONE = (404, 410)  # deleted, or too old: the provider no longer keeps its answers


async def imports_waiting(memory: Memory, budget: Budget) -> bool:
    """Return whether imported chats may be summarised now, or a finished import can be reported."""
    if await memory.log.bulk.open():
        return True  # checking for finished answers costs nothing
    _, more = await memory.log.bulk.waiting()
    if more or await memory.log.batches.pending(imported=True):
        return await budget.share_used() < IMPORTED_SHARE
    return bool(await finished_imports(memory))


async def finished_imports(memory: Memory) -> list[ImportRow]:
    """Return the imports not reported yet that are summarised, with their facts written."""
    imports = memory.log.imports
    if not (untold := await imports.unannounced()) or await memory.knowledge.waiting():
        return []
    return [row for row in await imports.all() if row.id in untold and not row.waiting]


def import_report(row: ImportRow) -> str:
    """Return the message that says what was learned from an import."""
    chats = tn("{count} conversation", "{count} conversations", row.chats)
    facts, where = tr("no new facts"), ""
    if row.facts:
        facts = tr("{facts} to review", facts=tn("{count} fact", "{count} facts", row.facts))
        where = tr(": /changes, or `sam facts`")
    return tr(
        "Your import {id} is summarised: {chats}, {facts}{where}.",
        id=row.id,
        chats=chats,
        facts=facts,
        where=where,
    )


class BulkSummaries:
    """The bulk orders of one profile."""

    def __init__(
        self, memory: Memory, claude: Claude | None, budget: Budget, summary: Summary
    ) -> None:
        self._memory, self._claude, self._budget = memory, claude, budget
        self._summary, self._orders = summary, memory.log.bulk

    async def advance(self) -> None:
        """Fetch finished answers; order what is waiting, within the budget.

        If the provider is down, the next call tries again. Raises LockHeld, StoreError.
        """
        _, more = await self._orders.waiting()
        if not more and not await self._orders.open():
            return
        if self._claude is None:
            await self._orders.give_up()
            return
        calls = BulkCalls(self._claude)
        async with locked(self._memory.profile.files.batch_lock, timeout=1.0):
            try:
                await self._orders.tidy()
                for order in await self._orders.open():
                    if order.remote is None:
                        await self._find(calls, order)
                    else:
                        await self._take(calls, order, order.remote)
                if not await self._orders.open():
                    await self._order(calls, self._claude)
            except ModelDown as down:
                log.info("bulk orders wait: %s", down)

    async def _order(self, calls: BulkCalls, claude: Claude) -> None:
        await claude.warm()
        zone = self._memory.zone
        requests: list[SummaryRequest] = []
        for each in await self._orders.unordered(zone, MOST, MOST_MESSAGES):
            messages = await self._memory.log.messages.by_ids(each.messages)
            messages = sorted(messages, key=lambda message: message.id)
            requests.append(await self._memory.summariser.request(messages, each.day))
        asked = [self._summary.build_request(request) for request in requests]
        usage, count = await self._budget.order([bulk_cost(each) for each in asked])
        if not count:
            return
        items = [
            ([message.id for message in request.messages], text_hash(request))
            for request in requests[:count]
        ]
        order, ids = await self._orders.begin(items, usage)
        named = [(order.name(id_), each) for id_, each in zip(ids, asked, strict=False)]
        failpoint("before_bulk")
        try:
            remote = await calls.submit(named)
        except ModelRefused as refused:
            log.warning("no summaries in bulk: %s", refused)
            await self._drop(order)
            if _status(refused) not in NOT_ALLOWED:  # otherwise the summaries wait, like all calls
                await self._orders.give_up()
            return
        failpoint("after_bulk")
        await self._orders.mark_sent(order, remote)
        log.info("ordered %d summaries in bulk, order=%s", count, remote)

    async def _find(self, calls: BulkCalls, order: BulkOrder) -> None:
        """Find an order with an unknown id at the provider; drop it if it never arrived."""
        now, known = self._memory.clock(), await self._orders.remotes()
        if now - order.begun_at < ARRIVES_WITHIN:
            return
        in_progress = False
        for each in await calls.since(order.begun_at - CLOCKS_DIFFER):
            if each.id in known or each.size != order.size:
                continue
            if not each.ended:
                in_progress = True  # the names of its calls can only be read after it has ended
            elif order.item(await calls.first_name(each.id)) is not None:
                await self._orders.mark_sent(order, each.id)
                return await self._take(calls, order, each.id)
        if not in_progress:
            log.info("the bulk order of %s never arrived", order.begun_at)
            await self._drop(order)

    async def _take(self, calls: BulkCalls, order: BulkOrder, remote: str) -> None:
        try:
            if not await calls.ended(remote):
                return
            usage = Usage("anthropic", "", "summary", 0)
            found = await calls.answers(remote, usage)
        except ModelRefused as refused:
            if _status(refused) not in GONE:
                raise ModelDown(str(refused)) from refused  # paid for, and still available later
            log.warning("the answers of order=%s are lost: %s", remote, refused)
            await self._orders.store_answers(order, {})
            return
        failpoint("in_bulk")
        await self._budget.settle(order.usage, [each.usage for each in found])
        texts = {item: each.text for each in found if (item := order.item(each.name)) is not None}
        await self._orders.store_answers(order, texts)
        log.info("%d of %d summaries came in bulk", sum(map(bool, texts.values())), order.size)

    async def _drop(self, order: BulkOrder) -> None:
        await self._orders.drop(order)
        await self._budget.settle(order.usage, [])


def _status(refused: ModelRefused) -> int:
    return int(getattr(refused.__cause__, "status_code", 0))
