"""When a closed profile has to be opened for each of its jobs.

While a profile is closed its log and its notes do not change: a change of either opens it. So this
depends on what the log, the notes and the settings say when it is closed, and on nothing later.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from memory import is_group
from memory.infra import parse_utc

from . import reminders
from .assistant import Assistant
from .heartbeat import has_checklist

Wakes = Callable[[Assistant, datetime], Awaitable[datetime | None]]
"""Given when the job would run next, returns when the profile is opened for it; None: not for it.
It may be opened too early: the job then finds nothing to do."""

IDLE_LEAST = 6  # pending messages that are worth a summary after SUMMARY_IDLE_MINUTES
LONGEST_SILENCE = timedelta(hours=3)  # after it, fewer are summarised too: a fact may be in one


async def never(profile: Assistant, following: datetime) -> datetime | None:
    """For what is done when it is opened anyway, or concerns the owner alone."""
    return None


async def for_a_summary(profile: Assistant, following: datetime) -> datetime | None:
    """When enough messages are pending: soon, or after a failure at the next try."""
    batches = profile.memory.log.batches
    if await batches.pending() >= profile.settings.summary_threshold:
        return following
    retries = await batches.retries()
    return max(following, min(each.at for each in retries.values())) if retries else None


async def with_pending(profile: Assistant, following: datetime) -> datetime | None:
    """When anything is pending."""
    return following if await profile.memory.log.batches.pending(force=True) else None


async def quiet_at(profile: Assistant) -> datetime | None:
    """Return when the silence since the last pending message is long enough; None without one."""
    batches = profile.memory.log.batches
    last, pending = await batches.last_pending_at(), await batches.pending()
    if last is None or not pending:
        return None
    silence = timedelta(minutes=profile.settings.summary_idle_minutes)
    if pending < IDLE_LEAST:
        silence = max(silence, LONGEST_SILENCE)
    return parse_utc(last) + silence


async def after_silence(profile: Assistant, following: datetime) -> datetime | None:
    """When the silence since the last pending message is long enough."""
    at = await quiet_at(profile)
    return max(following, at) if at is not None else None


async def for_a_reminder(profile: Assistant, following: datetime) -> datetime | None:
    """When the next reminder is due."""
    return following if await reminders.is_due(profile) else await reminders.next_at(profile)


async def in_the_morning(profile: Assistant, following: datetime) -> datetime | None:
    """When ACTIVE_HOURS begin."""
    if await reminders.morning_is_due(profile):
        return following
    return _next_active(profile)


async def for_the_changes(profile: Assistant, following: datetime) -> datetime | None:
    """At CHANGES_AT, and when ACTIVE_HOURS begin, in case that is later."""
    if is_group(profile.name):
        return None
    memory, time_of_day = profile.memory, profile.settings.time_of_changes
    assert time_of_day is not None, "without it there is no such job"
    local = memory.clock().astimezone(memory.zone)
    at = local.replace(hour=time_of_day.hour, minute=time_of_day.minute, second=0, microsecond=0)
    return min(at if at > local else at + timedelta(days=1), _next_active(profile))


async def with_a_checklist(profile: Assistant, following: datetime) -> datetime | None:
    """When the checklist of the heartbeat has items, within ACTIVE_HOURS."""
    if not await has_checklist(profile):
        return None
    memory = profile.memory
    if profile.settings.is_active(following.astimezone(memory.zone)):
        return following
    return _next_active(profile)


def _next_active(profile: Assistant) -> datetime:
    memory = profile.memory
    return profile.settings.next_active(memory.clock().astimezone(memory.zone))
