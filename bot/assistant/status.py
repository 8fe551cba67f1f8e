"""Human-readable status report (/status)."""

from __future__ import annotations

import asyncio
import shutil
from datetime import datetime, timedelta

from memory import OWNER, Memory, Status
from memory.log import Ledger, loss_notice
from memory.maintenance import long_memory, self_eval
from memory.text import counted, duration, from_home, size, tn, tr

from ..errors import described
from ..prompt.token_budget import LONGEST
from ..sync import SyncStatus, overdue
from . import backup
from .assistant import Assistant

WRONG_NAMED = 3
FEW_WAITING = 20  # passages without a vector: new messages always wait for a moment
LEAST_FREE = 200_000_000  # bytes: an index, a rebuilt one beside it, and a day of conversations


async def brief(profile: Assistant, *, well: bool) -> list[str]:
    """Return what people want to know, in everyday words; `well`: nothing is wrong."""
    memory = profile.memory
    now = await memory.status()
    pending = now.ledger.messages.get("pending", 0)
    kept = await memory.log.messages.count_kept()
    found = [tr("I am well.")] if well else []
    found.append(
        tr(
            "I remember {messages} and {notes}; {pending} will be in the next summary.",
            messages=tn("{count} message", "{count} messages", kept),
            notes=tn("{count} note", "{count} notes", now.notes),
            pending=tn("{count} message", "{count} messages", pending),
        )
    )
    if now.not_embedded > FEW_WAITING:  # after an import, or an update with another model
        said = tr(
            "I search by keyword and by meaning. Not yet by meaning: {passages}{eta}.",
            passages=tn("{count} passage", "{count} passages", now.not_embedded),
            eta=_time_left(memory, now.not_embedded),
        )
        found.append(said)
    elif now.embeddings:
        found.append(tr("I search by keyword and by meaning."))
    else:
        found.append(tr("I search by keyword only."))
    if profile.claude is None:
        found.append(tr("No model is set up: I answer with quotes from my memory."))
    else:
        cost, *shares = await _cost(profile)
        found += [tr("Today cost {cost}.", cost=cost), *(f"{line}." for line in shares)]
    if profile.sync is not None and (ok := (await asyncio.to_thread(profile.sync.status)).last_ok):
        ago = duration((memory.clock() - ok).total_seconds())
        found.append(tr("Last sync: {duration} ago.", duration=ago))
    if made := await _last_backup(profile):
        found.append(tr("Last backup: {at:%Y-%m-%d %H:%M}.", at=made.astimezone(memory.zone)))
    return found


async def _last_backup(profile: Assistant) -> datetime | None:
    """Return when the owner's last backup was made; None for others."""
    if profile.name != OWNER:
        return None
    return await asyncio.to_thread(backup.last_backup, profile.settings, profile.memory.clock())


def _time_left(memory: Memory, waiting: int) -> str:
    left = memory.embeddings.seconds_left(waiting)
    return tr(", {duration} left", duration=duration(left)) if left is not None else ""


async def _problems(profile: Assistant, now: Status) -> list[str]:
    """Return what needs the owner's attention, besides exams and the sync."""
    memory = profile.memory
    found = [
        tr("! job {name} failed: {error}", name=name, error=run.error)
        for name, run in (await memory.log.jobs.failing()).items()
    ]
    found += [
        tr("! my counts do not agree: {what}: `sam doctor`", what=w.what) for w in now.ledger.wrong
    ]
    found += await asyncio.to_thread(_little_room, memory)
    if lost := await loss_notice(memory.log, memory.clock()):
        found.append(tr("! {lost}: restore it with `sam restore FILE --only-log`", lost=lost))
    if now.awaiting_consent is not None:
        found.append(
            tr("! {leaving}: `sam index` asks for your consent", leaving=now.awaiting_consent)
        )
    wrong = profile.name == OWNER and await backup.backup_problem(profile.settings, memory)
    if wrong:
        found.append(tr("! {wrong}: `sam backup`", wrong=wrong))
    if profile.claude:
        if spent := await profile.budget.spent_notice():
            found.append(f"! {spent}")
        if refusal := profile.claude.refusal(await profile.budget.chat_model()):
            found.append(f"! {described(refusal, profile.name)}")
    return found


async def _parts_in_use(profile: Assistant, now: Status) -> list[str]:
    """Return which model, embedder, vault and database are used."""
    memory, found = profile.memory, list[str]()
    if profile.claude:
        found.append(tr("model: {chat_model}", chat_model=await profile.budget.chat_model()))
    else:
        found.append(tr("model: none"))
    if profile.claude and profile.settings.web_search:
        found.append(tr("web: searched and read by Claude"))
    found += [
        tr("search by meaning: {value}", value=now.embeddings or tr("none")),
        tr("vault: {root}", root=from_home(memory.vault.root)),
    ]
    if memory.profile.tenant:
        found.append(tr("database: {server}", server=memory.profile.tenant.server))
    return found


async def _work(memory: Memory, now: Status) -> list[str]:
    """Return what is stored, and what is not yet summarised, indexed or embedded."""
    pending = tn("{count} message", "{count} messages", now.ledger.messages.get("pending", 0))
    found = [
        tr(
            "searchable: {notes}, {messages}, {passages}",
            notes=tn("{count} note", "{count} notes", now.notes),
            messages=tn("{count} message", "{count} messages", now.messages),
            passages=tn("{count} passage", "{count} passages", now.chunks),
        ),
        tr("not yet summarised: {messages}", messages=pending),
        *_counts(now.ledger),
        *await _summaries(memory),
        *await _facts(memory),
    ]
    if now.not_indexed:
        messages = tn("{count} message", "{count} messages", now.not_indexed)
        found.append(tr("not yet searchable: {messages}", messages=messages))
    if now.not_embedded:
        passages = tn("{count} passage", "{count} passages", now.not_embedded)
        eta = _time_left(memory, now.not_embedded)
        found.append(tr("not yet by meaning: {passages}{eta}", passages=passages, eta=eta))
    return found


def _sync(remote: SyncStatus, now: datetime, *, is_owner: bool) -> list[str]:
    ok, last = remote.last_ok, tr("not yet")
    if ok:
        last = tr("{duration} ago", duration=duration((now - ok).total_seconds()))
    late = "! " if overdue(ok or remote.begun, now) else ""
    synced = tr(
        "synced with {remote}: {last}, {files} to send",
        remote=remote.remote,
        last=last,
        files=tn("{count} file", "{count} files", remote.lag),
    )
    found = [late + synced]
    if remote.stopped:
        shows = "`sam sync`" if is_owner else "/sync"
        found.append(
            tr(
                "! the sync is waiting for you: {shows} shows what would change, and asks",
                shows=shows,
            )
        )
    if remote.waiting:
        shows, files = "`sam sync --accept`" if is_owner else "/sync", ", ".join(remote.waiting)
        found.append(tr("! waiting for {shows}: {files}", shows=shows, files=files))
    if remote.unsynced:
        found.append(
            tr(
                "! not synced until renamed: {files} (the remote refuses the file, its name has a"
                " character that cannot be synced, or another file or folder has that name, perhaps"
                " in another case)",
                files=", ".join(remote.unsynced),
            )
        )
    count, taken = remote.copies
    if count:
        files, room = tn("{count} file", "{count} files", count), size(taken)
        said = tr("copies of files replaced by syncs: {files}, {size}", files=files, size=room)
        found.append(said + (": `sam sync --copies`" if is_owner else ""))
    return found


async def status_lines(profile: Assistant) -> list[str]:
    """Return the lines of the report: work, lags, failures, cost; problems begin with `!`."""
    memory = profile.memory
    now = await memory.status()
    exams = await memory.log.exams.recent(1)
    found = [tr("! self-exam: {alarm}", alarm=exam.alarm) for exam in exams if exam.alarm]
    found += await _problems(profile, now)
    found += await _parts_in_use(profile, now)
    found += await _work(memory, now)
    found += [tr("self-exam: {describe}", describe=self_eval.describe(exam)) for exam in exams]
    if profile.sync is not None:
        remote = await asyncio.to_thread(profile.sync.status)
        found += _sync(remote, memory.clock(), is_owner=profile.name == OWNER)
    if made := await _last_backup(profile):
        found.append(tr("backup: {made:%Y-%m-%d %H:%M} UTC", made=made))
    if profile.claude:
        cost, *shares = await _cost(profile)
        found += [tr("today: {cost}", cost=cost), *shares]
    return found


def _little_room(memory: Memory) -> list[str]:
    """Return a line if a disk with the data or the notes is almost full."""
    for folder in (memory.profile.data, memory.vault.root):
        try:
            free = shutil.disk_usage(folder).free
        except OSError:  # an unmounted disk has reports of its own
            continue
        if free < LEAST_FREE:
            return [
                tr(
                    "! only {free} are free on the disk of {folder}: free up space, because on a "
                    "full disk I cannot remember anything",
                    free=size(free),
                    folder=from_home(folder),
                )
            ]
    return []


async def _cost(profile: Assistant) -> list[str]:
    """Return the cost of today, and the shares of the budget if it is divided."""
    day = await profile.budget.spending.today()
    said = day.cost_text(profile.name, await profile.budget.spent())
    return [said, *day.shares(profile.name, profile.settings.profile_names)]


async def _summaries(memory: Memory) -> list[str]:
    """Report what became of the last week's summaries, and which of them are tried again."""
    now, batches = memory.clock(), memory.log.batches
    made = await batches.outcomes(now - timedelta(days=7))
    retries = sorted((await batches.retries()).values(), key=lambda each: each.at)
    lines = list[str]()
    if made.closed:
        lines = [tr("summaries of the last 7 days: {closed}", closed=made.closed)]
    if made.marked:
        lines[0] += tr(", {marked} of them without a model, or in part", marked=made.marked)
    if made.unfounded:
        statements = tn("{count} statement", "{count} statements", made.unfounded)
        lines.append(tr("left out, because nobody said it: {statements}", statements=statements))
    if made.facts_refused:
        refused = tn("{count} fact", "{count} facts", made.facts_refused)
        lines.append(tr("not written, because you did not say it: {refused}", refused=refused))
    if retries:
        soon = duration(max(0.0, (retries[0].at - now).total_seconds()))
        times = tn("{count} time", "{count} times", retries[0].failures)
        lines.append(
            tr("! a summary failed {times}; the next try is in {soon}", times=times, soon=soon)
        )
    return lines


async def _facts(memory: Memory) -> list[str]:
    """Report how many facts are known, how many wait, and which lines do not count."""
    known = await memory.knowledge.facts(private=True, limit=100_000)
    waiting = await memory.knowledge.waiting()
    lines = list[str]()
    if known or waiting:
        lines = [tr("known: {facts}", facts=tn("{count} fact", "{count} facts", len(known)))]
    if waiting:
        lines[0] += tr(", {more} to be written", more=tn("{count} more", "{count} more", waiting))
    if wrong := await memory.knowledge.invalid():
        where = ", ".join(f"{each.path}:{each.number}" for each in wrong[:WRONG_NAMED])
        lines.append(
            tr(
                "! {lines} in knowledge/ ignored because required fields are missing ({where}): "
                "see `sam doctor`",
                lines=tn("{count} line", "{count} lines", len(wrong)),
                where=where,
            )
        )
    if over := await long_memory.surplus(memory, LONGEST):
        lines.append(
            tr(
                "! MEMORY.md is too long: I no longer see {entries} with every message; "
                "move some to another note",
                entries=tn("{count} entry", "{count} entries", len(over)),
            )
        )
    return lines


def _counts(ledger: Ledger) -> list[str]:
    """Return the counts of the ledger, a line each."""
    return [
        tr(
            "stored: {messages} ({counted})",
            messages=tn("{count} message", "{count} messages", ledger.messages_total),
            counted=counted(ledger.messages),
        ),
        tr(
            "questions: {turns}; summaries: {batches}",
            turns=counted(ledger.turns),
            batches=counted(ledger.batches),
        ),
    ]
