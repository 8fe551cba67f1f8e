"""Collects what a context is made of, from vault, log and recall. Decides no form and no order.

Nothing here asks a model. A note that cannot be read is left out: the turn goes on without it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from memory import skills, tasks
from memory.core import Memory
from memory.errors import VaultError, VaultGone
from memory.log import Message, Turn
from memory.note import lines
from memory.recall import Hit
from memory.sight import Sight

from .config import Settings
from .context import Newest, Stable
from .notes import batch_ids, fresh, is_untouched, line, not_in, passage, readable

log = logging.getLogger(__name__)

# More hits are asked for than are shown: some stand in the context already.
SPARE_HITS = 12
LONGEST_QUESTION = 2_000  # characters; a longer text is searched by its beginning and its end


@dataclass(frozen=True, slots=True)
class Conversation:
    """A turn in its session: the messages before it that are still shown, and its own."""

    before: tuple[Message, ...]
    asked: tuple[Message, ...]

    @property
    def ids(self) -> frozenset[int]:
        """Of all of them."""
        return frozenset(row.id for row in (*self.before, *self.asked))

    @property
    def last(self) -> Message:
        """The newest message: its time is the turn's."""
        return self.asked[-1]


class Gatherer:
    """Reads for one profile."""

    def __init__(self, memory: Memory, settings: Settings) -> None:
        self._memory, self._settings = memory, settings

    async def conversation(self, turn: Turn) -> Conversation:
        """The turn's messages, and those of earlier turns in its session.

        By turn and not by time: what was logged while an earlier turn was answered comes later.
        """
        rows = await self._memory.log.messages.history(turn.session_id, 2**62)
        before = tuple(row for row in rows if row.turn_id < turn.id)
        asked = tuple(row for row in rows if row.turn_id == turn.id and row.role == "user")
        return Conversation(before, asked or (turn.message,))

    async def stable(self, today: date) -> Stable:
        """The files of the stable part."""
        vault, count = self._memory.vault, self._settings.daily_notes_days
        names = ("identity.md", "soul.md", "user.md", "MEMORY.md")
        days = [self._memory.day_path(today - timedelta(days=n)) for n in range(count - 1, 0, -1)]
        paths = [*(vault.own(name) for name in names), *days]
        known, (identity, soul, user, memory, *texts) = await asyncio.gather(
            skills.listing(vault),
            asyncio.gather(*(self._readable(path, today) for path in paths)),
        )
        return Stable(
            identity=identity,
            soul=soul,
            user=user,
            memory=memory,
            skills=tuple(known),
            days=tuple((path, text) for path, text in zip(days, texts, strict=True) if text),
        )

    async def newest(self, talk: Conversation, files: Stable, seen: Sight) -> Newest:
        """What goes with the newest message, told to `seen`. `files`: the stable part's."""
        memory, settings = self._memory, self._settings
        sent_at = talk.last.sent_at
        today = memory.today(sent_at)
        question = question_of(talk.asked)
        todays = await self._today(today, talk) if settings.daily_notes_days else ""
        shown = [files.identity, files.soul, files.user, files.memory, todays]
        shown += [text for _, text in files.days]
        rules = await self._nearest(question, "rule", settings.rules_limit, talk, shown)
        summaries = await self._nearest(question, "summary", settings.summaries_limit, talk, shown)
        taken = {hit.chunk_id for hit in (*rules, *summaries)}
        hits = await self._hits(question, talk, taken, shown)
        messages = await self.messages_of(hits)
        seen.saw(messages.values(), [*hits, *rules, *summaries])
        for path, text in (*files.days, ("", files.memory), ("", todays)):
            seen.read(path, text, "summary")
        return Newest(
            rows=talk.asked,
            zone=memory.zone,
            hits=tuple(passage(hit, messages) for hit in hits),
            rules=tuple(map(line, rules)),
            summaries=tuple(map(line, summaries)),
            today=todays,
            tasks=await self._due(talk.last),
            budget=settings.context_tokens,
        )

    async def recalled(self, talk: Conversation) -> list[Hit]:
        """What a turn without a model answers with: only its own messages are left out."""
        own = {row.id for row in talk.asked}
        found = await self._memory.recall(
            question_of(talk.asked),
            limit=self._settings.recall_hits or 1,
            without_messages=own,
            now=talk.last.sent_at,
        )
        return found.hits

    async def messages_of(self, hits: Sequence[Hit]) -> dict[int, Message]:
        """The messages that the hits on conversations are, by id."""
        ids = [hit.message_ids[0] for hit in hits if hit.kind == "message" and hit.message_ids]
        return {row.id: row for row in await self._memory.log.messages.by_ids(ids)}

    async def _hits(
        self, question: str, talk: Conversation, taken: Collection[int], shown: Sequence[str]
    ) -> list[Hit]:
        wanted = self._settings.recall_hits
        if not wanted:
            return []
        found = await self._memory.recall(
            question,
            limit=wanted + SPARE_HITS,
            without_messages=talk.ids,
            now=talk.last.sent_at,
        )
        return not_in(shown, fresh(found.hits, messages=talk.ids, shown=taken))[:wanted]

    async def _nearest(
        self, question: str, kind: str, limit: int, talk: Conversation, shown: Sequence[str]
    ) -> list[Hit]:
        """The nearest of a kind, filled up with the newest.

        Those are asked for first: where there are none, nothing has to be compared.
        """
        kept: list[Hit] = []
        newest = await self._of_kind("", kind, limit, talk) if limit else []
        if newest:
            nearest = await self._of_kind(question, kind, limit, talk)
            for hits in (nearest, newest):
                taken = {hit.chunk_id for hit in kept}
                kept += not_in(shown, fresh(hits, messages=talk.ids, shown=taken))
        return kept[:limit]

    async def _of_kind(self, query: str, kind: str, limit: int, talk: Conversation) -> list[Hit]:
        found = await self._memory.recall(
            query, limit=limit + SPARE_HITS, kinds=(kind,), now=talk.last.sent_at
        )
        return found.hits

    async def _today(self, today: date, talk: Conversation) -> str:
        """Today's file without the sections on what the history shows word for word."""
        path = self._memory.day_path(today)
        text = await self._read(path)
        if not text:
            return ""
        batches = self._memory.log.batches
        known = set()
        if summarised := {row.batch for row in talk.before if row.batch} & set(batch_ids(text)):
            written = await batches.sources_of(path)
            for batch in summarised:
                made_of = {row.id for row in await batches.messages(batch)}
                if made_of <= talk.ids and is_untouched(text, batch, written):
                    known.add(batch)
        sam_dir = self._memory.vault.sam_dir
        return readable(text, path, today, sam_dir=sam_dir, known=frozenset(known))

    async def _due(self, asked: Message) -> tuple[str, ...]:
        local = asked.sent_at.astimezone(self._memory.zone)
        text = await self._readable(self._memory.vault.own("tasks.md"), local.date())
        due = tasks.due(text, local)
        if not due:
            return ()
        listed = tasks.listing("\n".join(map(tasks.render, due)), local.date())
        return tuple(row.removeprefix("- ") for row in lines(listed))

    async def _readable(self, path: str, today: date) -> str:
        text = await self._read(path)
        return readable(text, path, today, sam_dir=self._memory.vault.sam_dir) if text else ""

    async def _read(self, path: str) -> str:
        try:
            return await self._memory.vault.read_optional(path) or ""
        except VaultGone:
            raise
        except VaultError as why:
            log.warning("context without path=%s: %s", path, why)
            return ""


def question_of(asked: Sequence[Message]) -> str:
    """What recall is asked for a turn's messages."""
    text = "\n".join(row.text for row in asked)
    if len(text) <= LONGEST_QUESTION:
        return text
    half = LONGEST_QUESTION // 2
    return f"{text[:half]}\n{text[-half:]}"
