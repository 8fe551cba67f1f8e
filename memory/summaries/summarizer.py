"""Summarise batches into sections of the day's files; no crash loses or duplicates one.

    repair what a crash left → claim → ask for a summary → plan → write the section → close

All of it runs under `batch.lock`. The summary is written by a model, or by the extractive
summariser, which needs none.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta, tzinfo
from pathlib import Path

from ..errors import NoteUnreadable, PathRefused, SamError, SummaryError
from ..infra.failpoints import failpoint
from ..infra.file_locks import locked
from ..knowledge.decide import corrections
from ..knowledge.grounding import Grounded, ground
from ..knowledge.knowledge import Knowledge
from ..log import IMPORT, IMPORTED, Batch, Bullet, Log, Message
from ..log.batches import Retry, line_hash
from ..log.knowledge.candidates import FactCandidate
from ..notes import daily_note as dayfile
from ..notes.fact import RULE
from ..notes.kinds import kind_of
from ..notes.markdown import block_id, inert, new_id, plain
from ..text.humanize import counted
from ..text.secrets import mask
from ..text.word_forms import tomb
from ..vault import Vault, edit_group
from .attribution import attributed
from .draft import (
    EARLIER,
    PARTS,
    DraftBullet,
    Summarise,
    SummaryDraft,
    SummaryRequest,
)
from .extractive import Extract, extract
from .grounded import grounded, ungrounded

log = logging.getLogger(__name__)

RULES = 10_000  # characters of the owner's rules; of a longer list, the newest ones count
EARLIER_SINCE = timedelta(days=2)  # before the first message of a batch


@dataclass(frozen=True, slots=True)
class WrittenBatch:
    """A finished batch. `path` is None when nothing was worth keeping."""

    batch: str
    path: str | None
    bullets: tuple[Bullet, ...] = ()


class Summariser:
    """Summarise the pending messages of one profile."""

    def __init__(
        self,
        vault: Vault,
        source: Log,
        lock: Path,
        zone: tzinfo,
        day_path: Callable[[date], str],
        language: str,
        knowledge: Knowledge,
    ) -> None:
        self._vault, self._log, self._lock, self._knowledge = vault, source, lock, knowledge
        self._zone, self._day_path, self._language = zone, day_path, language

    async def run(
        self, summarise: Summarise, *, reason: str, before: date | None = None, force: bool = False
    ) -> list[WrittenBatch]:
        """Summarise all pending messages of live chats (with `before`: of earlier days), or, with
        the reason `IMPORT`, one batch of an imported chat.

        A chat in back-off after a failure is skipped, unless with `force`. Raises SummaryError if a
        summary fails: finished batches stay written, the rest of that chat is pending again. Raises
        LockHeld while another process summarises.
        """
        async with locked(self._lock, timeout=1.0):
            await self._repair()
            known = await asyncio.to_thread(self._ids)
            batches = await self._log.batches.claim(
                zone=self._zone,
                reason=reason,
                before=before,
                force=force,
                imported=reason == IMPORT,
                new_id=lambda taken: new_id(lambda id_: id_ in known or taken(id_)),
            )
            failpoint("after_claim")
            done: list[WrittenBatch] = []
            retries = await self._log.batches.retries()
            failed: dict[str, SamError] = {}
            for batch in batches:
                if batch.chat in failed:  # keeps a day's sections in chronological order
                    await self._release(batch)
                    continue
                try:
                    done.append(await self._one(batch, summarise, retries))
                except Exception as why:
                    # Not only SamError: a bug that one message brings to light must not keep the
                    # other chats' messages from being summarised.
                    await self._release(batch)
                    failed[batch.chat] = await self._back_off(batch.chat, why)
            if failed:
                first = next(iter(failed.values()))
                raise SummaryError(
                    f"No summary for now, it will be tried again: {first}"
                ) from first
            return done

    async def _back_off(self, chat: str, why: Exception) -> SamError:
        """Delay the chat's next attempt; return the error to report."""
        retry = await self._log.batches.back_off(chat)
        failed = "summary failed chat=%s next=%s: %s"
        if isinstance(why, SamError):
            log.info(failed, chat, retry.at, why)
            return why
        log.error(failed, chat, retry.at, why, exc_info=why)
        return SummaryError(f"unexpected {type(why).__name__}, see the log")

    async def repair(self) -> int:
        """Finish or release the batches that a crash left; return their number."""
        async with locked(self._lock, timeout=1.0):
            return await self._repair()

    async def _one(
        self, batch: Batch, summarise: Summarise, retries: Mapping[str, Retry]
    ) -> WrittenBatch:
        """Write the section of one batch. Raises SamError."""
        claimed = await self._log.batches.messages(batch.id)
        if await self._is_only_unprompted(claimed):
            await self._log.batches.close(batch.id)
            return WrittenBatch(batch.id, None)
        since = retries[batch.chat].since if batch.chat in retries else None
        request = replace(await self.request(claimed, batch.day), failing_since=since)
        messages = request.shown
        # A file that cannot be read costs no call.
        await self._vault.read_optional(self._day_path(batch.day))
        draft, facts, mark = await self._drafted(batch, request, summarise)
        bullets = _bullets(draft, messages)
        if not draft.summary.strip() and not bullets:
            await self._log.batches.close(batch.id, facts)
            return WrittenBatch(batch.id, None)
        section = dayfile.Section(
            at=messages[-1].sent_at.astimezone(self._zone).time(),
            batch=batch.id,
            summary=draft.summary,
            bullets=tuple(_titled(b) for b in draft.bullets if not b.action),
            actions=tuple(b.text for b in draft.bullets if b.action),
            mark=mark,
        )
        path = await self._write(batch, section, bullets, facts)
        log.info(
            "summarised batch=%s messages=%d bullets=%d", batch.id, len(messages), len(bullets)
        )
        return WrittenBatch(batch.id, path, bullets)

    async def _is_only_unprompted(self, messages: Sequence[Message]) -> bool:
        """Return whether these are only messages that Sam sent unasked, such as reminders, or none.
        They say nothing new, and a model call would cost as much as for a conversation."""
        if any(row.role == "user" or row.chat.startswith(IMPORTED) for row in messages):
            return False
        turns = [await self._log.turns.find(id_) for id_ in {row.turn_id for row in messages}]
        return all(turn is None or turn.message.role == "assistant" for turn in turns)

    async def _drafted(
        self, batch: Batch, request: SummaryRequest, summarise: Summarise
    ) -> tuple[SummaryDraft, Sequence[FactCandidate], str]:
        """Return the summary as it may be written, its facts, and the mark of who wrote it; record
        how many lines and facts were refused."""
        proposed, mark = await summarise(request), summarise.mark
        given = proposed.renumbered(len(request.before))
        # In a thread: it may take a tenth of a second, in which nobody else would be answered.
        draft, unfounded = await asyncio.to_thread(self._grounded, given, request, batch.id)
        if given.bullets and not draft.bullets:
            # None of its bullets is supported, so neither is its first line.
            draft, mark = _extracted(request, given), Extract().mark
        facts = ground(proposed.own_facts(), request.messages, self._zone)
        known = await self._with_corrections(facts, request)
        refused = known.refused.total()
        if refused:
            log.info("facts without a source batch=%s %s", batch.id, counted(known.refused))
        await self._log.batches.note(batch.id, mark, unfounded, refused)
        return await self._allowed(attributed(draft, request.shown)), known.facts, mark

    async def _write(
        self,
        batch: Batch,
        section: dayfile.Section,
        bullets: Sequence[Bullet],
        facts: Sequence[FactCandidate],
    ) -> str:
        """Write the section into the day's file, and close the batch; return the path."""
        path = self._day_path(batch.day)
        # Before the file is written, so that each line's sources are known after a crash.
        text_hash = line_hash(dayfile.render(section))
        await self._log.batches.plan(batch.id, path, text_hash, bullets, facts)
        with edit_group(f"batch {batch.id}"):
            edited = await self._vault.edit(
                path,
                lambda text: dayfile.insert(text, batch.day, section),
                cause=f"summary {batch.id}",
            )
        failpoint("after_section")
        await self._log.batches.mark_written(batch.id)
        failpoint("before_close")
        await self._log.batches.close(batch.id)
        return edited.path

    async def request(self, messages: Sequence[Message], day: date) -> SummaryRequest:
        """Return what is asked for a summary of these messages of one chat, secrets masked."""
        return SummaryRequest(
            _masked(messages),
            day,
            self._zone,
            self._language,
            ended=await self._ended(messages[-1]),
            rules=await self._rules(),
            before=_masked(await self._before(messages[0])),
        )

    async def _before(self, first: Message) -> list[Message]:
        """Return the last messages of a chat before that one that are summarised already. A batch
        of an imported chat stands alone: it may be ordered before the one before it is answered."""
        if first.chat.startswith(IMPORTED):
            return []
        since = first.sent_at - EARLIER_SINCE
        return await self._log.batches.summarised_before(first, EARLIER, since)

    async def _rules(self) -> tuple[str, ...]:
        """Return the owner's rules that are in force and that a model may see, newest first."""
        found, room = list[str](), RULES
        for known in await self._knowledge.facts(category=RULE, limit=sys.maxsize):
            rule = mask(plain(known.fact.text))
            room -= len(rule)
            if room < 0:
                break
            found.append(rule)
        return tuple(found)

    async def _ended(self, last: Message) -> bool:
        """Return whether that message is the last one of a session that has ended."""
        session = await self._log.sessions.by_id(last.session_id)
        if session is None or session.ended_at is None:
            return False
        said = await self._log.messages.of_session(last.session_id)
        return bool(said) and said[-1].id == last.id

    async def _with_corrections(self, found: Grounded, request: SummaryRequest) -> Grounded:
        """Add the corrections of known facts in messages from which no fact was taken."""
        cited = {id_ for each in found.facts for id_ in each.sources}
        left = {n: row.text for n, row in enumerate(request.messages, 1) if row.id not in cited}
        missed = [*corrections(left, await self._knowledge.every())]
        more = ground(missed, request.messages, self._zone).facts
        return replace(found, facts=(*found.facts, *more))

    def _grounded(
        self, draft: SummaryDraft, request: SummaryRequest, batch: str
    ) -> tuple[SummaryDraft, int]:
        """Return the draft without unsupported lines, and their number. The bullets about a whole
        session come first, one of each part; a refused line of the summary is replaced by the
        extracted one."""
        zone, first = request.zone, len(request.before) + 1
        translated = request.language.lower() not in ("", "auto")
        found = grounded(draft.bullets, request.shown, zone, first=first, translated=translated)
        summary = draft.summary
        # By the batch alone: the line cites nothing, so it would outlive a forgotten message.
        if reason := ungrounded(summary, request.messages, zone, translated=translated):
            log.info("summary without a source batch=%s %s", batch, reason)
            summary = _extracted(request, draft).summary
        if found.refused:
            log.info("bullets without a source batch=%s %s", batch, counted(found.refused))
        parts: dict[str, DraftBullet] = {}
        rest: list[DraftBullet] = []
        for bullet in found.bullets:
            if request.ended and bullet.part in PARTS and bullet.part not in parts:
                parts[bullet.part] = bullet.model_copy(update={"action": False})
            else:
                rest.append(bullet.model_copy(update={"part": ""}))
        bullets = [*(parts[part] for part in PARTS if part in parts), *rest]
        made = draft.model_copy(update={"summary": summary, "bullets": bullets})
        return made, found.refused.total() + bool(reason)

    async def _allowed(self, draft: SummaryDraft) -> SummaryDraft:
        """Return the draft without bullets that have a tombstone, or that state a fact with one:
        the owner had them forgotten, or deleted them."""
        tombs = {line: {line, tomb(line)} for line in map(_line, draft.bullets)}
        gone = await self._log.forgetting.with_tombstone(set().union(*tombs.values()))
        kept = [bullet for bullet in draft.bullets if not tombs[_line(bullet)] & gone]
        if len(kept) < len(draft.bullets):
            log.info("kept out what was forgotten bullets=%d", len(draft.bullets) - len(kept))
        return draft.model_copy(update={"bullets": kept})

    async def _release(self, batch: Batch) -> None:
        """Release a claimed batch; close it if its section is written. If that cannot be read now,
        a batch without a plan is released, and another is left to the next repair."""
        try:
            is_written = await self._stands(batch)
        except (NoteUnreadable, PathRefused) as why:
            left = await self._log.batches.unfinished()
            if any(each.id == batch.id and each.path for each in left):
                log.warning("batch=%s is left as it is: %s", batch.id, why)
                return
            is_written = False
        if not is_written:
            await self._log.batches.release(batch.id)
        else:
            await self._log.batches.close(batch.id)

    async def _repair(self) -> int:
        left = await self._log.batches.unfinished()
        for batch in left:
            if batch.state == "written":
                await self._log.batches.close(batch.id)
            else:
                await self._release(batch)
            log.info("repaired batch=%s state=%s", batch.id, batch.state)
        return len(left)

    async def _stands(self, batch: Batch) -> bool:
        # Also by day: the row may have no path yet, or one from before MEMORY_FILE changed.
        for path in dict.fromkeys(filter(None, (batch.path, self._day_path(batch.day)))):
            # VaultGone does not mean that the section is missing
            text = await self._vault.read_optional(path)
            if text is not None and dayfile.has_batch(text, batch.id):
                return True
        return False

    def _ids(self) -> set[str]:
        """Return the block ids in Sam's own notes, so that none is reused even if the log was
        lost."""
        inside = f"{self._vault.sam_dir}/" if self._vault.sam_dir else ""
        sams = (
            file.path
            for file in self._vault.notes()
            if file.path.startswith(inside) and kind_of(file.path[len(inside) :]) != "note"
        )
        rows = (row for _, note in self._vault.load_each(sams) for row in note.text.splitlines())
        return {id_ for row in rows if (id_ := block_id(row))}


def _extracted(request: SummaryRequest, draft: SummaryDraft) -> SummaryDraft:
    """Return what is extracted in place of that draft. Where there are rules, the text of messages
    that it cites for nothing is left out, since a rule may be why it left them out. The numbers of
    both refer to `request.shown`."""
    first = len(request.before) + 1
    if request.rules:
        cited = {n for bullet in draft.bullets for n in bullet.messages}
        cited |= {n for fact in draft.facts for n in fact.messages}
        messages = (
            row if number in cited else row._replace(text="")
            for number, row in enumerate(request.messages, first)
        )
        request = replace(request, messages=tuple(messages))
    return extract(request).renumbered(first - 1)


def _masked(messages: Sequence[Message]) -> tuple[Message, ...]:
    return tuple(message._replace(text=mask(message.text)) for message in messages)


def _titled(bullet: DraftBullet) -> str:
    """Return the text of a bullet, with the part of the session's summary that it belongs to."""
    text = bullet.text.strip()
    return f"{bullet.part.capitalize()}: {text}" if bullet.part in PARTS and text else text


def _line(bullet: DraftBullet) -> str:
    """Return the bullet as it will be written, without its dash; '' for none."""
    text = inert(_titled(bullet))
    return f"Action: {text}" if bullet.action and text else text


def _bullets(draft: SummaryDraft, messages: Sequence[Message]) -> tuple[Bullet, ...]:
    """Return the draft's bullets as they will be written, with the ids of their messages."""
    made = []
    for action in (False, True):
        for bullet in draft.bullets:
            line = _line(bullet)
            if bullet.action is action and line:
                ids = dict.fromkeys(
                    messages[n - 1].id for n in bullet.messages if 1 <= n <= len(messages)
                )
                made.append(Bullet(line, tuple(ids)))
    return tuple(made)
