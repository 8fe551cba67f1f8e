"""Collect the content of a prompt from vault, log and recall.

A model is called only for other wordings if recall finds nothing. Unreadable notes are skipped, and
the turn goes on.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import partial

from memory import Hit, Memory, Message, Provenance, Question, Recalled, Turn, VaultError, VaultGone
from memory.notes import lines, lines_of, task, task_list
from memory.text import clipped, is_no, is_small_talk
from memory.tools import ALONE, Skill, around, messages_of, only_agrees, region_of, skills

from ..metrics import Measures
from ..settings import Settings
from .earlier_summary import earlier_summary
from .format_notes import Fresh, line, passage, readable
from .layout import Newest, Stable
from .rewording import FROM_PASSAGES, Rewording, follow_up

log = logging.getLogger(__name__)

# More hits are requested than shown: some are in the context already.
SPARE_HITS = 12
OF_A_DAY = 200  # hits for a question that names nothing but a day, without a model
OF_A_FILE = 300  # characters of a file that belong to the question
LONGEST_QUESTION = 2_000  # characters; of a longer text only beginning and end are searched


@dataclass(frozen=True, slots=True)
class Conversation:
    """The messages of a turn, and the earlier ones of its session that are still in the context."""

    before: tuple[Message, ...]
    turn_messages: tuple[Message, ...]

    @property
    def ids(self) -> frozenset[int]:
        return frozenset(row.id for row in (*self.before, *self.turn_messages))

    @property
    def last(self) -> Message:
        """The newest message, whose time is the turn's."""
        return self.turn_messages[-1]


@dataclass(frozen=True, slots=True)
class Found:
    """The hits for a turn, best first, more than are shown."""

    rules: Sequence[Hit] = ()
    summaries: Sequence[Hit] = ()
    hits: Sequence[Hit] = ()
    without: str = ""
    """A sentence about what the search had to do without; "" if nothing was missing."""
    failed: str = ""
    """The same, but only if something failed or was too slow, not if passages are pending."""


@dataclass(frozen=True, slots=True)
class Recollection:
    """The hits for a turn without a model, best first. `more`: what comes behind them. `lacks`:
    what the search had to do without for now; "" for nothing."""

    hits: Sequence[Hit] = ()
    more: Sequence[Hit] = ()
    lacks: str = ""


class Gatherer:
    """Collect the prompt's content for one profile."""

    def __init__(
        self,
        memory: Memory,
        settings: Settings,
        rewording: Rewording | None = None,
        measures: Measures | None = None,
    ) -> None:
        """`rewording`: rephrases questions that recall cannot answer; None: no rephrasing.
        `measures`: of the process; None: the gatherer's own."""
        self._memory, self._settings, self._rewording = memory, settings, rewording
        self._measures = measures or Measures()

    async def conversation(self, turn: Turn) -> Conversation:
        """Return the turn's messages, and those of earlier turns in its session.

        Ordered by turn, not by time: messages that arrived during an earlier turn come later.
        """
        rows = await self._memory.log.messages.history(turn.session_id, 2**62)
        before = tuple(row for row in rows if row.turn_id < turn.id)
        asked = tuple(row for row in rows if row.turn_id == turn.id and row.role == "user")
        return Conversation(before, asked or (turn.message,))

    async def context(self, talk: Conversation, seen: Provenance) -> tuple[Stable, Newest]:
        """Return the stable part and the newest message's content, and record both in `seen`.

        Everything is read concurrently: notes while the question is embedded. Raises VaultGone
        first, so that a failing turn sends no question to a provider. A later failure cancels the
        rest.
        """
        memory = self._memory
        await asyncio.to_thread(memory.vault.check_present)
        try:
            async with asyncio.TaskGroup() as group:
                notes = group.create_task(self._notes(talk))
                recall = group.create_task(self._recall(talk))
                in_history = group.create_task(self._lines_from_history(talk))
        except ExceptionGroup as failed:
            raise failed.exceptions[0] from None  # the first one, which cancelled the others
        files, todays, due = notes.result()
        today = memory.today(talk.last.sent_at)
        begun = await earlier_summary(
            memory,
            talk.last.session_id,
            shown=talk.ids,
            notes={*dict(files.days), *([memory.day_path(today)] if todays else [])},
            now=talk.last.sent_at,
        )
        found, written = recall.result(), in_history.result()
        texts = (files.identity, files.soul, files.user, files.memory, todays)
        fresh = Fresh((*texts, *(text for _, text in files.days)), talk.ids, written)
        rules = fresh.select(found.rules, self._settings.rules_limit)
        summaries = fresh.select(found.summaries, self._settings.summaries_limit)
        hits = fresh.select(found.hits, self._settings.recall_hits + _more_of_period(found.hits))
        messages = await self.messages_of(hits)
        near = await around(hits, memory.log.messages, talk.ids)
        seen.passages_shown([*messages.values(), *messages_of(near)], [*hits, *rules, *summaries])
        for path, text in (*files.days, ("", files.memory), ("", todays), ("", begun)):
            seen.note_shown(path, text, "summary")
        shown = (passage(hit, messages, near.get(hit.chunk_id, ALONE), today) for hit in hits)
        return files, Newest(
            rows=talk.turn_messages,
            zone=memory.zone,
            hits=tuple(shown),
            rules=tuple(map(line, rules)),
            summaries=tuple(map(line, summaries)),
            today=todays,
            tasks=due,
            without=found.without,
            failed=found.failed,
            earlier=begun,
            budget=self._settings.context_tokens,
        )

    async def recalled(
        self, talk: Conversation, question: str, *, besides: Collection[int] = ()
    ) -> Recollection:
        """Return the hits for a turn without a model, excluding its own messages, those `besides`,
        and what Sam sent unasked. There are more hits for a question that names nothing but a
        period, and all if they are of one day."""
        own = {*besides, *(row.id for row in talk.turn_messages)}
        most = self._settings.recall_hits or 1

        async def search(limit: int) -> Recalled:
            return await self._memory.recall(
                question,
                limit=limit,
                without_messages=own,
                now=talk.last.sent_at,
                seconds=self._settings.recall_seconds or None,
            )

        with self._measures.recalling():
            found = await search(most + SPARE_HITS)
            more = _more_of_period(found.hits)
            if is_of_a_day := more > 0 and len({hit.date for hit in found.hits}) == 1:
                found = await search(OF_A_DAY)
        lacks = "" if self._memory.why_no_vectors else found.degraded or ""
        hits = await self._answered(found.hits)
        count = len(hits) if is_of_a_day else most + more
        return Recollection(hits[:count], hits[count:], lacks)

    async def _answered(self, hits: Sequence[Hit]) -> list[Hit]:
        """Return the hits without messages of Sam's that answer nobody: a reminder or the morning's
        list only repeats tasks, and has the names of days in it."""
        log, unasked = self._memory.log, set[int]()
        sams = await self.messages_of([hit for hit in hits if hit.role == "assistant"])
        for row in sams.values():
            turn = await log.turns.find(row.turn_id)
            if turn is not None and turn.message.role == "assistant":
                unasked.add(row.id)
        return [hit for hit in hits if unasked.isdisjoint(hit.message_ids)]

    async def messages_of(self, hits: Sequence[Hit]) -> dict[int, Message]:
        """Return the messages behind the hits on conversations, by id."""
        ids = [hit.message_ids[0] for hit in hits if hit.is_message]
        return {row.id: row for row in await self._memory.log.messages.by_ids(ids)}

    async def _notes(self, talk: Conversation) -> tuple[Stable, str, tuple[str, ...]]:
        """Read the files of the stable part, today's file, and the tasks that are due."""
        memory, count = self._memory, self._settings.daily_notes_days
        vault, now = memory.vault, talk.last.sent_at.astimezone(memory.zone)
        today = memory.today(now)
        days = [memory.day_path(today - timedelta(days=n)) for n in range(count - 1, -1, -1)]
        names = ("identity.md", "soul.md", "user.md", "MEMORY.md", "tasks.md")
        own = [vault.own(name) for name in names]
        known, texts = await asyncio.to_thread(self._read, [*own, *days])
        shown = {path: self._readable(path, texts[path], today) for path in (*own, *days[:-1])}
        identity, soul, user, long, tasks_ = (shown[path] for path in own)
        files = Stable(
            identity=identity,
            soul=soul,
            user=user,
            memory=long,
            skills=tuple(known),
            days=tuple((path, shown[path]) for path in days[:-1] if shown[path]),
        )
        todays = await self._today(days[-1], texts[days[-1]], today, talk) if days else ""
        return files, todays, _due(tasks_, now)

    async def _lines_from_history(self, talk: Conversation) -> set[str]:
        """Return the lines of days' files that came only from messages in the history."""
        summarised = {row.batch for row in talk.before if row.batch}
        return await self._memory.log.batches.lines(summarised, talk.ids) if summarised else set()

    async def _recall(self, talk: Conversation) -> Found:
        settings = self._settings
        asked = Question(
            question_of(talk.turn_messages),
            self._memory.today(talk.last.sent_at),
            region=region_of(self._memory.zone),
        )
        # "And the week before?" names another period than the message before.
        if asked.period is None and (subject := follow_up(talk.turn_messages, talk.before)):
            asked = replace(asked, wordings=(subject,))
        # The nearest of these, regardless of their score, and the newest ones.
        of_kind = partial(replace, asked, and_newest=True, every=True)
        wanted = {
            "rules": (settings.rules_limit, of_kind(kinds=("rule",))),
            "summaries": (settings.summaries_limit, of_kind(kinds=("summary",))),
            "hits": (settings.recall_hits, replace(asked, without_messages=talk.ids)),
        }
        questions = {
            name: replace(question, limit=limit + SPARE_HITS)
            for name, (limit, question) in wanted.items()
            if limit and (name == "rules" or not _names_nothing(asked.text))
        }
        if not questions:
            return Found()
        with self._measures.recalling():
            answers = await self._memory.find(
                list(questions.values()), seconds=settings.recall_seconds or None
            )
        found = dict(zip(questions, answers, strict=True))
        hits = found.get("hits")
        if hits and not hits.late and (hits.is_weak or not hits.hits):
            found["hits"] = await self._search_reworded(talk, questions["hits"]) or found["hits"]
        without = next((each.degraded for each in found.values() if each.degraded), "")
        failing = [each for each in found.values() if each.late or each.mode == "keywords"]
        failed = next((each.degraded for each in failing if each.degraded), "")
        hits = found.get("hits")
        hits_of = {name: each.hits for name, each in found.items()}
        return Found(**hits_of, without=without, failed=failed)

    async def _search_reworded(self, talk: Conversation, question: Question) -> Recalled | None:
        """Search again with other wordings too; None if they find nothing."""
        if self._rewording is None or not self._rewording.is_worthwhile(talk.turn_messages):
            return None
        if (await self._memory.index.counts())["chunks"] < FROM_PASSAGES:
            return None
        # Alone, a follow-up ("how much was it?") would be rephrased without its subject.
        asked = question.wordings[-1] if question.wordings else question.text
        wordings = await self._rewording.rephrase(asked, talk.last.turn_id)
        if not wordings:
            return None
        (found,) = await self._memory.find(
            [replace(question, wordings=(*question.wordings, *wordings))],
            seconds=self._settings.recall_seconds or None,
        )
        log.info("turn=%s recalled in other words hits=%d", talk.last.turn_id, len(found.hits))
        return found if found.hits else None

    async def _today(self, path: str, text: str, today: date, talk: Conversation) -> str:
        """Return today's file without sections on messages that are in the history."""
        batches, bullets = self._memory.log.batches, lines_of(text)
        known = frozenset[str]()
        if summarised := {row.batch for row in talk.before if row.batch} & bullets.keys():
            written = (await batches.sources_of(path)).keys()
            made_of, ids = await batches.message_ids(summarised), talk.ids
            known = frozenset(
                batch
                for batch in summarised
                if made_of.get(batch, ids) <= ids and written >= set(bullets[batch])
            )
        return self._readable(path, text, today, known)

    def _readable(
        self, path: str, text: str, today: date, known: frozenset[str] = frozenset()
    ) -> str:
        if not text:
            return ""
        return readable(text, path, today, sam_dir=self._memory.vault.sam_dir, known=known)

    def _read(self, paths: Sequence[str]) -> tuple[list[Skill], dict[str, str]]:
        """Read the skills and these notes, "" for none; runs in a thread. Raises VaultGone."""
        known = skills.load_listing(self._memory.vault)
        return known, {path: self._read_one(path) for path in paths}

    def _read_one(self, path: str) -> str:
        try:
            return self._memory.vault.load_optional(path) or ""
        except VaultGone:
            raise
        except VaultError as why:
            log.warning("context without path=%s: %s", path, why)
            return ""


def _names_nothing(text: str) -> bool:
    """Return whether a message, like "thanks" or "yes, please", names nothing to search for."""
    return is_small_talk(text) or only_agrees(text) or is_no(text)


def _more_of_period(hits: Sequence[Hit]) -> int:
    """Return how many more hits to keep than usual: the spare ones, where the question names
    nothing but a period, since all of them answer it."""
    return SPARE_HITS if any(hit.is_of_period for hit in hits) else 0


def _due(text: str, now: datetime) -> tuple[str, ...]:
    due = task_list.due(text, now)
    if not due:
        return ()
    listed = task_list.listing("\n".join(map(task.render, due)), now.date())
    return tuple(row.removeprefix("- ") for row in lines(listed))


def question_of(asked: Sequence[Message]) -> str:
    """Return the question for recall from a turn's messages."""
    text = "\n".join(
        clipped(row.text, OF_A_FILE) if row.origin == "file" else row.text for row in asked
    )
    if len(text) <= LONGEST_QUESTION:
        return text
    half = LONGEST_QUESTION // 2
    return f"{text[:half]}\n{text[-half:]}"
