"""The background jobs and their schedule: JOBS.

Jobs are idempotent: they may run too early, too late or twice. No time is between 02:00 and 03:00,
which daylight saving skips or repeats.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import time, timedelta

from memory import errors, is_group
from memory.infra import parse_utc, utc_text
from memory.maintenance import run_probes

from ..media import MediaFiles
from ..settings import Settings
from . import asking, learned_list, reminders, wake_times
from .assistant import Assistant
from .backup import is_due, nightly
from .heartbeat import run_heartbeat
from .summaries import imported
from .syncing import alerts
from .unprompted import Speak

CHANGES_LISTED = "changes_listed"
IMPORTED_FOR = 45.0  # seconds of each minute in which imported chats are summarised


async def _always(profile: Assistant) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Job:
    """One row of JOBS: either every so many `minutes` (None: never), or `at` a local time.

    `due` is a cheap check before each run: when it is false, nothing runs or is recorded. `left`:
    whether there is work, also such as waits to be tried again: without any, a failure is over;
    None: it lasts until the next run. `run` gets a function that sends the user an unasked message.
    `opens`: when a closed profile is opened for it; None: at its next time, if it is `at` one, or
    `due`. `follows_zone`: read it first. `punctual`: it runs at second 0, since people
    see when; other jobs at a second that differs by profile. `paced`: nobody waits for it, so the
    profiles for which it is due at once begin one after another.
    """

    name: str
    what: str
    when: str
    run: Callable[[Assistant, Speak], Awaitable[object]]
    minutes: Callable[[Settings], int | None] | None = None
    at: time | None = None
    due: Callable[[Assistant], Awaitable[bool]] = _always
    left: Callable[[Assistant], Awaitable[bool]] | None = None
    at_start: bool = False
    opens: wake_times.Wakes | None = None
    follows_zone: bool = False
    punctual: bool = False
    paced: bool = False


async def _enough_pending(profile: Assistant) -> bool:
    batches = profile.memory.log.batches
    pending = await batches.pending()  # after a failure none, until the next try is due
    if not pending and not await batches.pending(force=True):
        profile.job_requests.take_summary()  # it was summarised in the meantime
    return pending >= (1 if profile.job_requests.summary else profile.settings.summary_threshold)


async def _any_pending(profile: Assistant) -> bool:
    return await profile.memory.log.batches.pending(force=True) > 0


async def _summarise(profile: Assistant, speak: Speak) -> None:
    reason = profile.job_requests.take_summary()  # requests in the meantime are for the next run
    try:
        await profile.summarise(reason or "threshold")
    except BaseException:
        profile.job_requests.renew_summary_request(reason)
        raise


async def _a_day_is_over(profile: Assistant) -> bool:
    return await _of_past_days(profile, force=True) > 0


async def _of_past_days(profile: Assistant, *, force: bool = False) -> int:
    memory = profile.memory
    return await memory.log.batches.pending(zone=memory.zone, before=memory.today(), force=force)


async def _it_is_quiet(profile: Assistant) -> bool:
    at = await wake_times.quiet_at(profile)
    return at is not None and profile.memory.clock() >= at


async def _summarise_past_days(profile: Assistant, speak: Speak) -> None:
    await profile.summarise("day")
    # Fail if a chat is in back-off, to run again soon. Another process may summarise in between.
    due = await _of_past_days(profile)
    if await _of_past_days(profile, force=True) > due:
        raise errors.SummaryError("A summary of past days is waiting to be retried.")


async def _summarise_imported(profile: Assistant, speak: Speak) -> None:
    await profile.summarise_imported(IMPORTED_FOR)
    for row in await imported.finished_imports(profile.memory):
        await speak(imported.import_report(row), key=f"import:{row.id}")
        await profile.memory.log.imports.mark_announced(row.id)


async def _facts_wait(profile: Assistant) -> bool:
    return await profile.memory.knowledge.waiting() > 0


async def _maintain(profile: Assistant, speak: Speak) -> None:
    await profile.memory.knowledge.maintain()
    await profile.memory.history.prune()


async def _sync_others(profile: Assistant, speak: Speak) -> None:
    if profile.others is not None:
        await profile.others.run(speak)


async def _is_synced(profile: Assistant) -> bool:
    return profile.sync is not None


async def _has_other_syncs(profile: Assistant) -> bool:
    return profile.others is not None and bool(await profile.others.names())


async def _expire_media(profile: Assistant, speak: Speak) -> None:
    memory = profile.memory
    await asyncio.to_thread(MediaFiles(memory.profile.files.media).expire, memory.clock())


async def _examine(profile: Assistant, speak: Speak) -> None:
    log = profile.memory.log
    before = await log.exams.recent(1)
    exam = await run_probes(profile.memory)
    if exam is not None and exam.alarm and not (before and before[0].alarm):
        await speak(f"My memory got worse: {exam.alarm}. `sam doctor` tells you what to do.")


async def _changes_are_due(profile: Assistant) -> bool:
    """Return whether the list of what memory learned is due, outside quiet hours."""
    memory, time_of_day = profile.memory, profile.settings.time_of_changes
    local = memory.clock().astimezone(memory.zone)
    if time_of_day is None or is_group(profile.name) or not profile.settings.is_active(local):
        return False
    at = local.replace(hour=time_of_day.hour, minute=time_of_day.minute, second=0, microsecond=0)
    due = at if at <= local else at - timedelta(days=1)
    listed = await memory.log.settings.get(CHANGES_LISTED)
    if not listed:  # the first list comes at the next time, and begins here
        await memory.log.settings.set(CHANGES_LISTED, utc_text(due))
        return False
    return not due <= parse_utc(listed) <= local  # later: the clock was wrong


async def _list_changes(profile: Assistant, speak: Speak) -> None:
    """Send the list of what memory learned since the last one, unless it is empty."""
    memory = profile.memory
    listed, now = await memory.log.settings.get(CHANGES_LISTED), memory.clock()
    start = parse_utc(listed) if listed else now - learned_list.ON_REQUEST
    if found := await memory.history.learned(start, now):
        text, keyboard = learned_list.listing(found, start, now, shows_private=False)
        key = f"changes:{utc_text(start)}"  # the same list is said once, also after a crash
        await speak(text, key=key, keyboard=keyboard, logged=learned_list.LOGGED)
    await memory.log.settings.set(CHANGES_LISTED, utc_text(now))


async def _may_speak(profile: Assistant) -> bool:
    memory = profile.memory
    return profile.settings.is_active(memory.clock().astimezone(memory.zone))


JOBS = (
    Job(
        "summarise",
        "when SUMMARY_THRESHOLD messages are pending, writes them into the day's file",
        "after each turn, at /new, and every minute",
        _summarise,
        minutes=lambda settings: 1,
        due=_enough_pending,
        left=_any_pending,
        at_start=True,
        opens=wake_times.for_a_summary,
        paced=True,
    ),
    Job(
        "end-of-day",
        "summarises the rest of past days into their files",
        "at 00:05, and at the start",
        _summarise_past_days,
        at=time(0, 5),
        due=_a_day_is_over,
        left=_a_day_is_over,
        at_start=True,
        opens=wake_times.with_pending,
        paced=True,
    ),
    Job(
        "remind",
        "sends reminders of tasks whose time has come",
        "every minute",
        reminders.remind,
        minutes=lambda settings: 1,
        due=reminders.is_due,
        at_start=True,
        opens=wake_times.for_a_reminder,
        follows_zone=True,
        punctual=True,
    ),
    Job(
        "morning",
        "lists what is due, and known dates of today and tomorrow (MORNING_LIST)",
        "when ACTIVE_HOURS begin",
        reminders.morning,
        minutes=lambda settings: 5 if settings.morning_list else None,
        due=reminders.morning_is_due,
        at_start=True,
        opens=wake_times.in_the_morning,
        punctual=True,
    ),
    Job(
        "changes",
        "lists what memory learned since the last list, with buttons (CHANGES_AT)",
        "at CHANGES_AT, or when ACTIVE_HOURS begin after it",
        _list_changes,
        minutes=lambda settings: 5 if settings.time_of_changes else None,
        due=_changes_are_due,
        at_start=True,
        opens=wake_times.for_the_changes,
        punctual=True,
    ),
    Job(
        "idle",
        "writes what is pending after SUMMARY_IDLE_MINUTES of silence, under six after 3 hours",
        "every 10 minutes",
        lambda profile, speak: profile.summarise("idle"),
        minutes=lambda settings: 10,
        due=_it_is_quiet,
        left=_any_pending,
        opens=wake_times.after_silence,
        paced=True,
    ),
    Job(
        "imports",
        "summarises imported chats, after the live ones; says at the end what was learned",
        "every minute while some wait",
        _summarise_imported,
        minutes=lambda settings: 1,
        due=lambda profile: imported.imports_waiting(profile.memory, profile.budget),
    ),
    Job(
        "facts",
        "writes the facts found by summaries into knowledge/",
        "after a summary, every 5 minutes while some wait, and at the start",
        lambda profile, speak: profile.consolidate(),
        minutes=lambda settings: 5,
        due=_facts_wait,
        left=_facts_wait,
        at_start=True,
        paced=True,
    ),
    Job(
        "proposals",
        "shows a proposed change of soul.md, identity.md, user.md or a skill, to accept or reject",
        "after each turn, and every minute",
        lambda profile, speak: asking.show_proposals(profile.memory, speak),
        minutes=lambda settings: 1,
        due=lambda profile: asking.has_unshown_proposal(profile.memory),
        at_start=True,
    ),
    Job(
        "versions",
        "keeps the text of soul.md, identity.md and user.md when it has changed",
        "every minute, and at the start",
        lambda profile, speak: profile.memory.guidance.keep(),
        minutes=lambda settings: 1,
        due=lambda profile: profile.memory.guidance.has_changed(),
        at_start=True,
    ),
    Job(
        "contradictions",
        "asks which of two contradictory facts is true, once a day at most, in ACTIVE_HOURS",
        "every 10 minutes",
        lambda profile, speak: asking.ask_which(profile.memory, speak),
        minutes=lambda settings: 10,
        due=lambda profile: asking.question_is_due(profile.memory, profile.settings),
    ),
    Job(
        "long-memory",
        "says once that MEMORY.md does not fit into a prompt, with a button that moves the rest",
        "every hour, in ACTIVE_HOURS",
        lambda profile, speak: asking.ask_about_long_memory(profile.memory, speak),
        minutes=lambda settings: 60,
        due=lambda profile: asking.is_too_long(profile.memory, profile.settings),
        at_start=True,
    ),
    Job(
        "maintain",
        "archives expired facts, merges short-lived lines and notes, drops undo data after a month",
        "at 04:20",
        _maintain,
        at=time(4, 20),
    ),
    Job(
        "reconcile",
        "scans the whole vault for changes that file events missed",
        "every hour",
        lambda profile, speak: profile.memory.follow(None),
        minutes=lambda settings: 60,
        opens=wake_times.never,
    ),
    Job(
        "sync",
        "syncs the vault with the remote (RCLONE_REMOTE, PROFILES_REMOTE)",
        "after a summary, every SYNC_INTERVAL_MINUTES, and at the start",
        Assistant.run_sync,
        minutes=lambda s: s.sync_interval_minutes if s.syncs else None,
        due=_is_synced,
        at_start=True,
    ),
    Job(
        "sync-others",
        "syncs the vaults of groups, and of profiles without a Telegram user",
        "every SYNC_INTERVAL_MINUTES, and at the start",
        _sync_others,
        minutes=lambda s: s.sync_interval_minutes if s.syncs else None,
        due=_has_other_syncs,
        at_start=True,
    ),
    Job(
        "sync-silent",
        "notifies the profile's user and the owner when it was not synced for an hour",
        "every 10 minutes",
        lambda p, speak: alerts.tell_failing(p.settings, p.memory, p.sync, speak),
        minutes=lambda settings: 10 if settings.syncs else None,
        due=lambda p: alerts.is_failing_unreported(p.settings, p.memory, p.sync),
    ),
    Job(
        "conflict-copies",
        "merges conflict copies made by sync programs into their notes, and archives them",
        "every 2 minutes",
        lambda profile, speak: alerts.merge_copies(profile.memory, speak),
        minutes=lambda settings: 2,
        due=lambda profile: alerts.has_copies(profile.memory),
    ),
    Job(
        "heartbeat",
        "checks the list in heartbeat.md, and writes to you if there is something to say",
        "every HEARTBEAT_MINUTES, within ACTIVE_HOURS",
        run_heartbeat,
        minutes=lambda settings: settings.heartbeat_minutes or None,
        due=_may_speak,
        opens=wake_times.with_a_checklist,
    ),
    Job(
        "exam",
        "tests the memory with questions from its own summaries, and reports when it got worse",
        "at 04:40",
        _examine,
        at=time(4, 40),
    ),
    Job(
        "upkeep",
        "repairs what a crash left: batches, transcripts, an outdated index",
        "at 04:10",
        lambda profile, speak: profile.memory.catch_up(),
        at=time(4, 10),
        opens=wake_times.never,
    ),
    Job(
        "media",
        "deletes pictures and files that came 14 days ago and were not kept",
        "at 04:20, and at the start",
        _expire_media,
        at=time(4, 20),
        at_start=True,
    ),
    Job(
        "backup",
        "backs up log, vault and settings to BACKUP_DIR, verifies it, keeps backups by age",
        "at 04:40, and at the start when it was missed",
        nightly,
        at=time(4, 40),
        due=is_due,
        at_start=True,
        opens=wake_times.never,
    ),
)
