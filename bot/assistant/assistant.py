"""The assistant of one profile: memory, model, turns and sync, built from the settings.

Telegram and the terminal are given a profile to talk to.
"""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import AsyncExitStack, nullcontext
from dataclasses import dataclass
from datetime import datetime, timedelta

from memory import OWNER, Clock, LockHeld, Memory, SamError, WrittenBatch, is_group, zone_of
from memory.log import IMPORT
from memory.maintenance import edited_messages
from memory.text import ENGLISH, named_language

from ..claude.budget import Budget, Spending
from ..claude.client import Claude
from ..errors import SyncError, SyncStopped
from ..metrics import Measures
from ..settings import Settings, remote_of
from ..sync import Sync
from ..turn import Turns
from ..turn.audience import audience_policy
from .job_requests import JobRequests, Poke
from .summaries.decide_facts import DecideByModel
from .summaries.imported import BulkSummaries
from .summaries.summary import Summary
from .syncing import Hold, OtherSyncs, SyncGate, alerts, sync_of
from .unprompted import Speak

log = logging.getLogger(__name__)

SETTLE = 1.0  # seconds from a write to its sync
ACCOUNT_LANGUAGE = "account_language"  # the log setting


@dataclass(slots=True)
class Assistant:
    """Open it with `Assistant.open`; the stack that it is given closes it."""

    name: str
    settings: Settings
    memory: Memory
    budget: Budget
    claude: Claude | None
    turns: Turns
    summary: Summary
    decide: DecideByModel
    sync: Sync | None
    others: OtherSyncs | None
    gate: SyncGate
    job_requests: JobRequests
    _exchanged: datetime | None = None
    _account: str | None = None
    """The language of the Telegram account that wrote last; None: not read from the log yet."""
    _terminal: str = ENGLISH
    """The language of the terminal that it is used in."""

    @classmethod
    async def open(
        cls,
        settings: Settings,
        stack: AsyncExitStack,
        *,
        clock: Clock,
        poke: Poke,
        name: str = OWNER,
        sole: bool = False,
        spending: Spending | None = None,
        gate: SyncGate | None = None,
        hold: Hold = nullcontext,
        measures: Measures | None = None,
    ) -> Assistant:
        """Open that profile's stores. `poke` runs one of its jobs now. `spending`: the owner's, for
        all other profiles. `gate`: shared by all syncs of this process; `measures` by all profiles.
        `hold`: see OtherSyncs.

        Raises VaultGone, StoreError, LockHeld.
        """
        wanted = JobRequests(poke)
        memory = await stack.enter_async_context(
            Memory.open(
                settings, clock=clock, profile=name, sole=sole, on_write=wanted.note_written
            )
        )
        budget = Budget(
            memory.log,
            spending or Spending(settings, clock, lambda: memory.zone),
            name,
            chat_model=settings.chat_model,
            cheap_model=settings.summary_model,
            models=settings.models,
            measures=measures,
        )
        claude = None
        if settings.has_model:
            claude = Claude.of(settings, budget, clock=clock)
            stack.push_async_callback(claude.close)
        sync = others = None
        if not is_group(name) and remote_of(settings, name).remote:  # OtherSyncs has groups
            sync = sync_of(settings, name, memory.vault, memory.log, clock=clock, zone=memory.zone)
        gate = gate or SyncGate()
        if name == OWNER:
            others = OtherSyncs(settings, clock, gate, hold)
            stack.push_async_callback(others.close)
        turns = Turns(
            memory,
            settings,
            claude,
            budget=budget,
            company=audience_policy(name),
            measures=measures,
            after_turn=wanted.turn_ended,
            on_overflow=wanted.context_overflowed,
        )
        return cls(
            name=name,
            settings=settings,
            memory=memory,
            budget=budget,
            claude=claude,
            turns=turns,
            summary=Summary(
                claude,
                clock,
                model=settings.summary_model,
                max_tokens=settings.summary_max_tokens,
                ordered=memory.log.bulk.answer,
            ),
            decide=DecideByModel(claude, clock, model=settings.summary_model),
            sync=sync,
            others=others,
            gate=gate,
            job_requests=wanted,
        )

    @property
    def has_unsaved_state(self) -> bool:
        """Whether closing it would lose an incognito conversation, or the wish for a summary."""
        return self.turns.incognito.has_conversation or bool(self.job_requests.summary)

    async def language(self, account: str = "") -> str:
        """Return the code of the language for Sam's own texts: the one that user.md names, or else
        that of the Telegram account, or that of the terminal. `account`: its code; "": of the
        account that wrote last."""
        settings = self.memory.log.settings
        if self._account is None:
            self._account = await settings.get(ACCOUNT_LANGUAGE) or ""
        if (account := account.partition("-")[0]) and account != self._account:
            self._account = account
            await settings.set(ACCOUNT_LANGUAGE, account)
        return named_language(await self._user_note() or "") or self._account or self._terminal

    async def follow_zone(self) -> None:
        """Use the time zone that user.md names now."""
        note = await self._user_note()
        if note is not None and str(zone := zone_of(self.settings, note)) != str(self.memory.zone):
            log.info("profile=%s has the time zone %s now", self.name, zone)
            self.memory.use_zone(zone)

    async def _user_note(self) -> str | None:
        """Return user.md, "" if there is none; None if it cannot be read now."""
        try:
            return await self.memory.vault.read_optional(self.memory.vault.own("user.md")) or ""
        except SamError:  # what is asked reports it
            return None

    def in_terminal(self, language: str) -> None:
        """Take that language, a code, for what neither user.md nor a Telegram account decides."""
        self._terminal = language

    async def summarise(self, reason: str) -> list[WrittenBatch]:
        """Summarise the pending messages into the days' files (`day`: of past days only).

        Raises SummaryError; LockHeld while another process summarises.
        """
        await edited_messages.revert_outdated(self.memory)
        before = self.memory.today() if reason == "day" else None
        done = await self.memory.summarise(self.summary, reason=reason, before=before)
        for written in done:
            log.info(
                "summarised profile=%s reason=%s batch=%s path=%s bullets=%d",
                self.name,
                reason,
                written.batch,
                written.path,
                len(written.bullets),
            )
        if done and await self.memory.knowledge.waiting():
            self.job_requests.facts_waiting()
        return [written for written in done if written.path is not None]

    async def redo_edited(self) -> None:
        """Revert what was derived from messages that were edited since, and summarise them again.
        Raises LockHeld while another process summarises."""
        if await edited_messages.revert_outdated(self.memory):
            self.job_requests.request_summary("edited")

    async def summarise_imported(self, seconds: float) -> list[WrittenBatch]:
        """Summarise imported chats, one batch after another, for about that long; of what is
        ordered in bulk, that which has come.

        Between two of them it yields to the live chats, whose summaries come first. Raises
        SummaryError; LockHeld while another process summarises.
        """
        await BulkSummaries(self.memory, self.claude, self.budget, self.summary).advance()
        batches, done = self.memory.log.batches, list[WrittenBatch]()
        until = time.monotonic() + seconds
        while time.monotonic() < until and await batches.pending(imported=True):
            if await batches.pending() >= self.settings.summary_threshold:
                break
            done += await self.summarise(IMPORT)
        return done

    async def consolidate(self) -> None:
        """Write the facts that summaries have found into knowledge/.

        Raises ModelDown while they wait for a model; LockHeld while another process writes.
        """
        done = await self.memory.knowledge.consolidate(self.decide)
        if done:
            log.info("facts profile=%s %s", self.name, done)

    async def end_session(self, chat: str, at: datetime) -> str | None:
        """/new: end the chat's session, write its transcript, schedule a summary.

        Returns the transcript's path, "" if no text of it is left; None if nothing was said in the
        session.
        """
        path = await self.memory.end_session(chat, at)
        if path is not None:
            self.job_requests.request_summary("new")
        return path

    async def run_sync(self, speak: Speak) -> None:
        """Sync: both ways if it is time, otherwise only upload what was written. Raises SyncError.

        `speak` tells the user of conflicts, and of a sync that waits for them. What is raised goes
        into the owner's log, so that it names no file of another profile.
        """
        if self.sync is None:
            return
        await asyncio.sleep(SETTLE if self.job_requests.unsent else 0)  # to collect several edits
        if self.name == OWNER:
            return await self._run_sync(self.sync, speak)
        await alerts.tell_first_sync(self.memory, speak, self.sync.remote)
        async with self.gate.slot():
            try:
                await self._run_sync(self.sync, speak)
            except LockHeld:
                raise
            except SyncStopped:
                raise SyncError("The sync is waiting for your decision: see /sync.") from None
            except SamError:
                raise SyncError("The sync failed: /sync shows the reason.") from None

    async def _run_sync(self, sync: Sync, speak: Speak) -> None:
        now, paths = self.memory.clock(), self.job_requests.take_unsent()
        interval = timedelta(minutes=self.settings.sync_interval_minutes, seconds=-5)
        last = self._exchanged
        try:
            if not paths or last is None or now - last >= interval:
                done = await sync.run()
                self._exchanged = now
                await alerts.end_stop(self.memory.log)
            else:
                done = await sync.push(paths)
        except BaseException as wrong:
            self.job_requests.renew_unsent(paths)
            if isinstance(wrong, SyncStopped):
                await alerts.tell_stopped(self.memory, speak, wrong)
            raise
        if done.conflicts:
            await speak(alerts.conflicts_message(done.conflicts))
        if done.instructions:
            await speak(alerts.instructions_message(done.instructions, self.name))
