"""Audit the whole ledger: the counts of all stores, their consistency, and repairs.

    updates  received → done | set aside         messages  pending → in a batch | excluded
    replies  to send → sent | given up           batches   claimed → written → closed | released

Each store checks itself; consistency between stores is checked here.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from memory import OWNER, Clock, DataDir, LockHeld, Log, Memory, Status, profile_of
from memory.infra import RunLock, is_locked, locked
from memory.text import plural

from ..inbox import Inbox, turn_key
from ..settings import Settings
from .report import Problem

LATELY = timedelta(days=7)
LOOKS, PAUSE = 3, 0.5  # while Sam runs, an open state is a problem only if every look finds it
REPORT = "keep a copy of DATA_DIR and report this bug"
FIX = "stop Sam, then `sam doctor --fix`"


def of_memory(status: Status) -> dict[str, Any]:
    """Return one profile's part of the ledger."""
    now = status.ledger
    return {
        "adds_up": now.adds_up,
        "turns": now.turns,
        "messages": now.messages,
        "messages_total": now.messages_total,
        "batches": now.batches,
        "lags": {"not_indexed": status.not_indexed, "not_embedded": status.not_embedded},
    }


async def in_memory(
    memory: Memory, status: Status, settings: Settings, clock: Clock
) -> AsyncIterator[Problem]:
    """Yield the inconsistencies of one profile's log, and leftovers of a crashed process."""
    name = memory.profile.name
    for wrong in status.ledger.wrong:
        yield Problem(
            f"ledger-{wrong.id}",
            _of(name, wrong.what),
            FIX if wrong.fixable else REPORT,
            "fatal",
            fix=partial(_fix, settings, name, clock) if wrong.fixable else None,
        )
    try:
        # A process that summarises owns the lock: an unfinished batch without it was abandoned.
        async with locked(memory.profile.files.batch_lock, timeout=0):
            left = await memory.log.batches.unfinished()
    except LockHeld:
        return
    if left:
        yield Problem(
            "batches-left",
            _of(name, f"{plural(len(left), 'batch was', 'batches were')} left unfinished"),
            "the next summary or `sam doctor --fix` finishes them",
            fix=partial(_repair, settings, name, clock),
        )


async def in_inbox(inbox: Inbox, ledger: dict[str, Any], now: datetime) -> AsyncIterator[Problem]:
    """Yield the inconsistencies of the inbox, updates set aside and replies given up lately; fill
    in its counts."""
    counts = await inbox.counts()
    ledger |= {
        "adds_up": ledger["adds_up"] and counts.adds_up,
        "updates": counts.updates,
        "updates_total": counts.updates_total,
        "replies": counts.replies,
    }
    ledger["lags"]["not_handled"] = counts.updates.get("received", 0)
    ledger["lags"]["not_settled"] = counts.unsettled
    for wrong in counts.wrong:
        yield Problem(f"ledger-{wrong.id}", wrong.what, REPORT, "fatal")
    if aside := await inbox.updates.aside():
        latest = aside[-1]
        yield Problem(
            "set-aside",
            f"{plural(len(aside), 'update is', 'updates are')} set aside as not handled; the latest"
            f" at {latest.received_at:%Y-%m-%d %H:%M} UTC ({latest.why})",
            "`sam inbox` lists, retries or drops them",
        )
    if reasons := await inbox.replies.given_up(now - LATELY):
        yield Problem(
            "replies-given-up",
            f"{plural(len(reasons), 'reply', 'replies')} of the last {LATELY.days} days could not"
            f" be delivered; the latest: {reasons[-1]}",
            "ask again: the conversation is in the log. If you blocked the bot, unblock it; if "
            "Telegram rejects every message, report it",
        )


async def between(
    settings: Settings, inbox: Inbox, logs: Mapping[str, Log], ledger: dict[str, Any]
) -> AsyncIterator[Problem]:
    """Yield inconsistencies between the inbox and the logs."""
    for name, log in logs.items():
        settled = await inbox.replies.answers(name)  # first: settled replies were logged before
        turns = await log.turns.states()
        lost = [
            turn
            for key, turn in settled.items()
            # A restored log has other turns with these numbers, or none: that is not a further
            # loss.
            if turn in turns
            and turn_key(name, turn, turns[turn][0]) == key
            and turns[turn][1] != "answered"
        ]
        if lost:
            ledger["adds_up"] = False
            yield Problem(
                "ledger-answers",
                _of(name, f"{plural(len(lost), 'answer')} sent without a turn in the log"),
                REPORT,
                "fatal",
            )
    if waiting := await _abandoned(settings, inbox, logs):
        yield Problem(
            "turns-open",
            f"{plural(len(waiting), 'turn is', 'turns are')} open, but nothing is working on them",
            "restart Sam, which closes open turns",
        )


async def _abandoned(
    settings: Settings, inbox: Inbox, logs: Mapping[str, Log]
) -> set[tuple[str, int]]:
    """Yield open turns on Telegram without an update or a reply although Sam is running.

    Without a running Sam the next start handles them.
    """
    found: set[tuple[str, int]] | None = None
    for look in range(LOOKS):
        if not is_locked(DataDir(settings.data_dir).run_lock):
            return set()
        if look:
            await asyncio.sleep(PAUSE)
        open_turns = {
            (name, turn.id): turn.chat
            for name, log in logs.items()
            for turn in await log.turns.open("telegram:")
        }
        chats = {each.chat for each in await inbox.updates.received()}
        replied = {(each.profile, each.turn) for each in await inbox.replies.unsettled()}
        now = {key for key, chat in open_turns.items() if chat not in chats and key not in replied}
        found = now if found is None else found & now
        if not found:
            break
    return found or set()


def _of(name: str, what: str) -> str:
    return what if name == OWNER else f"{what} (profile {name})"


async def _fix(settings: Settings, name: str, clock: Clock) -> None:
    who = profile_of(settings, name)
    with RunLock(DataDir(settings.data_dir).run_lock):
        async with locked(who.files.batch_lock), Log.of(who, clock) as log:
            await log.fix()


async def _repair(settings: Settings, name: str, clock: Clock) -> None:
    async with Memory.open(settings, clock=clock, profile=name) as memory:
        await memory.summariser.repair()
