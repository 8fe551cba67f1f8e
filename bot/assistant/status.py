"""Human-readable status report (/status)."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from memory import OWNER, Ledger, Memory
from memory.log import loss_notice
from memory.maintenance import long_memory, self_eval
from memory.text import counted, duration, plural, size

from ..prompt.token_budget import LONGEST
from ..sync import overdue
from . import backup
from .assistant import Assistant
from .jobs import failing

WRONG_NAMED = 3


async def brief(profile: Assistant, *, well: bool) -> list[str]:
    """Return what people want to know, in everyday words; `well`: nothing is wrong."""
    memory = profile.memory
    now = await memory.status()
    pending = now.ledger.messages.get("pending", 0)
    found = ["I am well."] if well else []
    found.append(
        f"I remember {plural(now.messages, 'message')} and {plural(now.notes, 'note')};"
        f" {plural(pending, 'message')} will be in the next summary."
    )
    found.append(
        "I search by keyword and by meaning." if now.embeddings else "I search by keyword only."
    )
    if profile.claude is None:
        found.append("No model is set up: I answer with quotes from my memory.")
    else:
        cost, *shares = await _cost(profile)
        found += [f"Today cost {cost}.", *(f"{line}." for line in shares)]
    if profile.sync is not None and (ok := (await asyncio.to_thread(profile.sync.status)).last_ok):
        found.append(f"Last sync: {duration((memory.clock() - ok).total_seconds())} ago.")
    if profile.name == OWNER and (made := await asyncio.to_thread(backup.last, profile.settings)):
        found.append(f"Last backup: {made.astimezone(memory.zone):%Y-%m-%d %H:%M}.")
    return found


async def lines(profile: Assistant) -> list[str]:
    """Return the lines of the report: work, lags, failures, cost; problems begin with `!`."""
    memory = profile.memory
    now = await memory.status()
    found = [f"! job {name} failed: {run.error}" for name, run in (await failing(profile)).items()]
    found += [f"! the ledger does not add up: {w.what}: `sam doctor`" for w in now.ledger.wrong]
    if lost := await loss_notice(memory.log, memory.clock()):
        found.append(f"! {lost}: restore it with `sam restore FILE --only-log`")
    if now.leaving is not None:
        found.append(f"! {now.leaving}: `sam index` asks for your consent")
    wrong = profile.name == OWNER and await backup.trouble(profile.settings, memory)
    if wrong:
        found.append(f"! {wrong}: `sam backup`")
    found += [
        f"model: {await profile.budget.chat_model()}" if profile.claude else "model: none",
        *(
            ["web: searched and read by Claude"]
            if profile.claude and profile.settings.web_search
            else []
        ),
        f"embeddings: {now.embeddings or 'none'}",
        f"vault: {memory.vault.root}",
        f"index: {plural(now.notes, 'note')}, {plural(now.messages, 'message')},"
        f" {plural(now.chunks, 'passage')}",
        f"not yet summarised: {plural(now.ledger.messages.get('pending', 0), 'message')}",
        *_counts(now.ledger),
        *await _summaries(memory),
        *await _facts(memory),
    ]
    if now.not_indexed:
        found.append(f"not yet indexed: {plural(now.not_indexed, 'message')}")
    if now.not_embedded:
        left = memory.embeddings.seconds_left(now.not_embedded)
        eta = f", {duration(left)} left" if left is not None else ""
        found.append(f"not yet embedded: {plural(now.not_embedded, 'passage')}{eta}")
    for exam in await memory.log.exams.recent(1):
        found.append(f"self-exam: {self_eval.describe(exam)}")
        if exam.alarm:
            found.insert(0, f"! self-exam: {exam.alarm}")
    if profile.sync is not None:
        remote = await asyncio.to_thread(profile.sync.status)
        now_, ok = memory.clock(), remote.last_ok
        last = f"{duration((now_ - ok).total_seconds())} ago" if ok else "not yet"
        mark = "! " if overdue(ok or remote.begun, now_) else ""
        found.append(
            f"{mark}synced with {remote.remote}: {last}, {plural(remote.lag, 'file')} to send"
        )
        mine = profile.name == OWNER
        if remote.stopped:
            shows = "`sam sync`" if mine else "/sync"
            found.append(
                f"! the sync is waiting for you: {shows} shows what would change, and asks"
            )
        if remote.waiting:
            shows = "`sam sync --accept`" if mine else "/sync"
            found.append(f"! waiting for {shows}: {', '.join(remote.waiting)}")
        count, taken = remote.copies
        if count:
            found.append(
                f"copies of files replaced by syncs: {plural(count, 'file')}, {size(taken)}"
                + (": `sam sync --copies`" if mine else "")
            )
    if profile.name == OWNER and (made := await asyncio.to_thread(backup.last, profile.settings)):
        found.append(f"backup: {made:%Y-%m-%d %H:%M} UTC")
    if profile.claude:
        cost, *shares = await _cost(profile)
        found += [f"today: {cost}", *shares]
    return found


async def _cost(profile: Assistant) -> list[str]:
    """Return the cost of today, and the shares of the budget if it is divided."""
    day = await profile.budget.spending.today()
    said = day.said(profile.name, await profile.budget.spent())
    return [said, *day.shares(profile.name, profile.settings.profile_names)]


async def _summaries(memory: Memory) -> list[str]:
    """What became of the last week's summaries, and which of them are tried again."""
    now, batches = memory.clock(), memory.log.batches
    made = await batches.made(now - timedelta(days=7))
    retries = sorted((await batches.retries()).values(), key=lambda each: each.at)
    lines = [f"summaries of the last 7 days: {made.closed}"] if made.closed else []
    if made.marked:
        lines[0] += f", {made.marked} of them without a model, or in part"
    if made.unfounded:
        lines.append(f"left out, because nobody said it: {plural(made.unfounded, 'statement')}")
    if made.facts_refused:
        refused = plural(made.facts_refused, "fact")
        lines.append(f"not written, because you did not say it: {refused}")
    if retries:
        soon = duration(max(0.0, (retries[0].at - now).total_seconds()))
        times = plural(retries[0].failures, "time")
        lines.append(f"! a summary failed {times}; the next try is in {soon}")
    return lines


async def _facts(memory: Memory) -> list[str]:
    """How many facts are known, how many wait, and which lines do not count."""
    known = await memory.knowledge.facts(private=True, limit=100_000)
    waiting = await memory.knowledge.waiting()
    lines = [f"known: {plural(len(known), 'fact')}"] if known or waiting else []
    if waiting:
        lines[0] += f", {plural(waiting, 'more', 'more')} to be written"
    if wrong := await memory.knowledge.invalid():
        where = ", ".join(f"{each.path}:{each.number}" for each in wrong[:WRONG_NAMED])
        lines.append(
            f"! {plural(len(wrong), 'line')} in knowledge/ ignored because required fields are "
            f"missing ({where}): see `sam doctor`"
        )
    if over := await long_memory.surplus(memory, LONGEST):
        lines.append(
            f"! MEMORY.md is too long: {plural(len(over), 'entry', 'entries')} stand in no prompt;"
            " move some to another note"
        )
    return lines


def _counts(ledger: Ledger) -> list[str]:
    """Return the counts of the ledger, a line each."""
    adds_up = "adds up" if ledger.adds_up else "does not add up"
    return [
        f"ledger {adds_up}: {plural(ledger.messages_total, 'message')}"
        f" ({counted(ledger.messages)})",
        f"turns: {counted(ledger.turns)}; batches: {counted(ledger.batches)}",
    ]
