"""`sam doctor`: run every check, open the stores, and audit the ledger."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from typing import Any

from memory import (
    OWNER,
    Clock,
    Log,
    Memory,
    Profile,
    SamError,
    StoreError,
    errors,
    profile_of,
    system_clock,
)
from memory.infra import local_day
from memory.log import loss_notice

from ..assistant import backup
from ..errors import file_advice
from ..inbox import Inbox
from ..settings import Settings, known_profiles, lenient
from . import ledger_audit as books
from . import security_checks
from .checks import CHECKS, OF_PROFILE
from .report import Problem
from .sync_checks import of_sync


@dataclass(frozen=True, slots=True)
class DoctorReport:
    """The problems and the ledger, which is empty before the first start."""

    problems: tuple[Problem, ...]
    ledger: dict[str, Any]

    @property
    def ok(self) -> bool:
        """Whether Sam can start without losing data, be it degraded or not."""
        return all(problem.severity != "fatal" for problem in self.problems)

    def as_json(self) -> dict[str, Any]:
        """Return the document that `--json` prints."""
        problems = [
            {"id": p.id, "severity": p.severity, "what": p.what, "fix": p.advice}
            for p in self.problems
        ]
        return {"ok": self.ok, "problems": problems, "ledger": self.ledger}


async def examine(profile: str | None = None, *, clock: Clock = system_clock) -> DoctorReport:
    """Run all checks, or those of a single profile's memory; with invalid settings, only those that
    do not depend on them."""
    settings, problems = _settings()
    checked = settings
    if profile is not None:
        who = profile_of(settings, profile)
        checked = settings.model_copy(update={"vault_dir": who.vault, "data_dir": who.data})
    problems += await _found_by(CHECKS if profile is None else OF_PROFILE, checked)
    ledger: dict[str, Any] = {}
    if all(problem.severity != "fatal" for problem in problems):
        found = _stores(settings, clock, ledger)
        if profile is not None:
            found = _store_of(settings, profile, clock, ledger)
        problems += [problem async for problem in found]
    once = list(dict.fromkeys(problems))  # what is wrong for several profiles
    return DoctorReport(_worst_first(once), ledger)


async def examine_security() -> DoctorReport:
    """Run the checks of who may talk with Sam, and of what others could read or run."""
    settings, problems = _settings()
    problems += await _found_by(security_checks.CHECKS, settings)
    return DoctorReport(_worst_first(problems), {})


def _settings() -> tuple[Settings, list[Problem]]:
    """Return the settings that are valid, and the problems of the others."""
    settings, wrong = lenient.load()
    advice = "fix it in .env, or in the environment"
    return settings, [Problem("settings", text, advice, "fatal") for text in wrong]


async def _found_by(
    checks: Iterable[Callable[[Settings], AsyncIterator[Problem]]], settings: Settings
) -> list[Problem]:
    """Run the checks. Where a file cannot be opened or written, that is the problem."""
    found: list[Problem] = []
    for check in checks:
        try:
            found += [problem async for problem in check(settings)]
        except OSError as wrong:
            if (known := file_advice(wrong)) is None:
                raise
            if all(problem.what != known[0] for problem in found):
                found.append(Problem("no-access", *known, "fatal"))
    return found


def _worst_first(problems: list[Problem]) -> tuple[Problem, ...]:
    order = ("fatal", "degraded", "note")
    return tuple(sorted(problems, key=lambda problem: order.index(problem.severity)))


async def repair(report: DoctorReport) -> tuple[list[str], list[str]]:
    """Fix problems that need no decision; return what was done, and what failed."""
    done, left = [], []
    for problem in report.problems:
        if problem.fix is not None:
            try:
                await problem.fix()
                done.append(problem.what)
            except SamError as refused:
                left.append(f"{problem.what}: {refused}")
    return done, left


async def _stores(
    settings: Settings, clock: Clock, ledger: dict[str, Any]
) -> AsyncIterator[Problem]:
    """Open the existing stores, and fill in the ledger."""
    if not _has_log(profile_of(settings)):
        yield Problem("new", "Sam has not been started yet", "`make run`, or `sam start`", "note")
        return
    async with AsyncExitStack() as stack:
        logs: dict[str, Log] = {}
        try:
            memory = await stack.enter_async_context(Memory.open(settings, clock=clock))
            await memory.log.check()
            logs[OWNER] = memory.log
            async for problem in _memory(memory, settings, ledger):
                yield problem
            try:
                inbox = await stack.enter_async_context(Inbox.if_exists(settings, clock))
                if inbox is not None:
                    await inbox.check()
            except StoreError as broken:
                yield Problem("inbox", str(broken), _advice(broken), "fatal")
                return
            for name in await _others(settings, inbox):
                other = await stack.enter_async_context(
                    Memory.open(settings, clock=clock, profile=name)
                )
                await other.log.check()
                logs[name] = other.log
                part: dict[str, Any] = {}
                async for problem in _memory(other, settings, part):
                    yield problem
                ledger.setdefault("profiles", {})[name] = part
                ledger["adds_up"] = ledger["adds_up"] and part["adds_up"]
        except SamError as broken:
            yield Problem("stores", str(broken), _advice(broken), "fatal")
            return
        if inbox is not None:
            async for problem in books.in_inbox(inbox, ledger, clock()):
                yield problem
            async for problem in books.between(settings, inbox, logs, ledger):
                yield problem
            anybody = settings.telegram_allowed_users or await inbox.people.paired()
            if settings.telegram_bot_token and not anybody:
                yield Problem("nobody", "nobody is allowed to use the bot", "`sam pair`", "note")


async def _store_of(
    settings: Settings, profile: str, clock: Clock, ledger: dict[str, Any]
) -> AsyncIterator[Problem]:
    """Open the stores of one profile, and fill in its part of the ledger."""
    if not _has_log(profile_of(settings, profile)):
        yield Problem("new", f"{profile} has not been used yet", "there is nothing to do", "note")
        return
    try:
        async with Memory.open(settings, clock=clock, profile=profile) as memory:
            await memory.log.check()
            async for problem in _memory(memory, settings, ledger):
                yield problem
    except SamError as broken:
        yield Problem("stores", str(broken), _advice(broken), "fatal")


async def _others(settings: Settings, inbox: Inbox | None) -> list[str]:
    """Return the other profiles with a log."""
    paired = await inbox.people.paired() if inbox is not None else {}
    names = dict.fromkeys([*known_profiles(settings), *paired.values()])
    return [name for name in names if name != OWNER and _has_log(profile_of(settings, name))]


def _has_log(who: Profile) -> bool:
    """Return whether the profile has a log: also one in SQLite that is not yet in PostgreSQL."""
    return who.log_file.exists() or who.files.log.exists()


def _advice(broken: SamError) -> str:
    if not isinstance(broken, errors.StoreCorrupt):
        return "fix the problem it describes"
    return (
        "stop Sam, and move that file out of DATA_DIR, together with its -wal and -shm files; then "
        "restore the log from a backup with `sam restore FILE --only-log` (`sam backup --list` "
        "lists them), or start over without it (the vault stays as it is; without inbox.db, pair "
        "again)"
    )


async def _accept_loss(settings: Settings, profile: str, clock: Clock) -> None:
    async with Log.of(profile_of(settings, profile), clock) as log:
        await log.forgetting.accept_lost_key()


async def _memory(
    memory: Memory, settings: Settings, ledger: dict[str, Any]
) -> AsyncIterator[Problem]:
    await memory.refresh()
    status = await memory.status()
    ledger |= books.of_memory(status)
    async for problem in books.in_memory(memory, status, settings, memory.clock):
        yield problem
    async for problem in of_sync(memory, settings, ledger):
        yield problem
    if status.awaiting_consent is not None:
        yield Problem(
            "consent",
            f"{status.awaiting_consent}, with your consent",
            "`sam index` asks for your consent",
            "note",
        )
    if wrong := await backup.backup_problem(settings, memory):
        yield Problem("backup", wrong, "run `sam backup`; while Sam runs, it makes one every night")
    if lost := await loss_notice(memory.log, memory.clock()):
        yield Problem(
            "log-lost", lost, "restore it from a backup with `sam restore FILE --only-log`"
        )
    if await memory.log.forgetting.key_is_lost():
        yield Problem(
            "tombstones",
            f"{memory.profile.files.tombstone_key} is lost: Sam cannot recognise forgotten text "
            "any more, and may write it down again when it comes up again",
            "restore the file from a backup (`sam backup --list`); without one, `sam doctor --fix` "
            "accepts the loss",
            fix=partial(_accept_loss, settings, memory.profile.name, memory.clock),
        )
    for exam in await memory.log.exams.recent(1):
        if exam.alarm:
            yield Problem(
                "exam",
                f"since {local_day(exam.at, memory.zone)}, {exam.alarm}",
                "`sam index --rebuild`, then `sam eval`",
            )
    for name, run in (await memory.log.jobs.failing()).items():
        yield Problem(
            "job",
            f"the job {name} failed at {run.started_at:%Y-%m-%d %H:%M} UTC: {run.error}",
            "Sam retries it automatically while it runs",
        )
