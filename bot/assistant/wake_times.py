"""Compute when a closed profile must be opened for each of its jobs.

The log and the notes of a closed profile do not change, because a change of either opens it. So the
times depend only on log, notes and settings at the moment when the profile is closed.
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
"""Takes the time of the job's next run; returns when to open the profile for it, None for never.
Opening it too early is harmless: the job finds nothing to do."""

IDLE_LEAST = 6  # minimum of pending messages for a summary after SUMMARY_IDLE_MINUTES
LONGEST_SILENCE = timedelta(hours=3)  # then fewer are summarised too: one may hold a fact


async def never(profile: Assistant, following: datetime) -> datetime | None:
    """Never: the job is done when the profile is opened anyway, or concerns only the owner."""
    return None


async def for_a_summary(profile: Assistant, following: datetime) -> datetime | None:
    """At the next run if enough messages are pending; after a failure, at the next retry."""
    batches = profile.memory.log.batches
    if await batches.pending() >= profile.settings.summary_threshold:
        return following
    retries = await batches.retries()
    return max(following, min(each.at for each in retries.values())) if retries else None


async def with_pending(profile: Assistant, following: datetime) -> datetime | None:
    """At the next run if any message is pending."""
    return following if await profile.memory.log.batches.pending(force=True) else None


async def quiet_at(profile: Assistant) -> datetime | None:
    """Return when the silence since the last pending message is long enough to summarise; None
    without pending messages."""
    batches = profile.memory.log.batches
    last, pending = await batches.last_pending_at(), await batches.pending()
    if last is None or not pending:
        return None
    silence = timedelta(minutes=profile.settings.summary_idle_minutes)
    if pending < IDLE_LEAST:
        silence = max(silence, LONGEST_SILENCE)
    return parse_utc(last) + silence


async def after_silence(profile: Assistant, following: datetime) -> datetime | None:
    """Return when the silence since the last pending message is long enough to summarise."""
    at = await quiet_at(profile)
    return max(following, at) if at is not None else None


async def for_a_reminder(profile: Assistant, following: datetime) -> datetime | None:
    """Return when the next reminder is due."""
    return following if await reminders.is_due(profile) else await reminders.next_at(profile)


async def in_the_morning(profile: Assistant, following: datetime) -> datetime | None:
    """Return `following` while the list of the day waits, else when ACTIVE_HOURS begin."""
    if await reminders.morning_is_due(profile):
        return following
    return _next_active(profile)


async def for_the_changes(profile: Assistant, following: datetime) -> datetime | None:
    """At CHANGES_AT, or when ACTIVE_HOURS begin, if that is later."""
    if is_group(profile.name):
        return None
    memory, time_of_day = profile.memory, profile.settings.time_of_changes
    assert time_of_day is not None, "without it there is no such job"
    local = memory.clock().astimezone(memory.zone)
    at = local.replace(hour=time_of_day.hour, minute=time_of_day.minute, second=0, microsecond=0)
    return min(at if at > local else at + timedelta(days=1), _next_active(profile))


async def with_a_checklist(profile: Assistant, following: datetime) -> datetime | None:
    """Within ACTIVE_HOURS, if the heartbeat's checklist has items."""
    if not await has_checklist(profile):
        return None
    memory = profile.memory
    if profile.settings.is_active(following.astimezone(memory.zone)):
        return following
    return _next_active(profile)


def _next_active(profile: Assistant) -> datetime:
    memory = profile.memory
    return profile.settings.next_active(memory.clock().astimezone(memory.zone))
