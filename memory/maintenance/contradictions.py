"""Carry out the owner's answer to the question which of two contradictory lines is true.

The newer line is already in its note, as uncertain, and the other one in archive/. So without an
answer there is nothing to do, and a late answer still counts as long as the line is unchanged. The
id of a line is stored before the line is written.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Literal

from ..infra.file_locks import locked
from ..knowledge.consolidate import IN_DOUBT
from ..knowledge.folder import KnowledgeFolder, fingerprint, is_unchanged, row_of
from ..knowledge.notes import KnownFact, unarchived
from ..log import Log
from ..log.knowledge.contradictions import Contradiction
from ..notes import fact as facts
from ..notes.fact import Fact
from ..notes.markdown import new_id
from ..vault import Vault

Answer = Literal["first", "second", "both", "neither"]
"""`first`: the older line is true; `second`: the newer one; `neither`: it stays uncertain."""


@dataclass(frozen=True, slots=True)
class ContradictoryFacts:
    """Two lines that contradict each other. `fact`: the id of the newer one."""

    fact: str
    newer: Fact
    older: Fact


class ContradictionResolver:
    """The contradictions of one profile. `lock`: `batch.lock`; `today`: the owner's local day."""

    def __init__(self, vault: Vault, source: Log, lock: Path, today: Callable[[], date]) -> None:
        self._folder, self._log = KnowledgeFolder(vault), source
        self._lock, self._today = lock, today

    async def next(self) -> ContradictoryFacts | None:
        """Return the oldest contradiction that the owner has not been asked about; None if there is
        none.

        A contradiction is dropped if one of its lines has changed, or if one is private: a question
        in a chat would show it to a model.
        """
        for each in await self._log.contradictions.waiting():
            newer, older = await self._newer(each), await self._older(each)
            if newer and older and not (newer.private or older.sensitive):
                return ContradictoryFacts(each.fact, newer.fact, older)
            await self._log.contradictions.end(each.fact, "lapsed")
        return None

    async def settle(self, fact: str, answer: Answer) -> ContradictoryFacts | None:
        """Apply the owner's answer; return the lines as they were, or None if they have changed
        since or it was already answered.

        Idempotent, also after a crash. Raises LockHeld.
        """
        async with locked(self._lock, timeout=10.0):
            return await self._settle(fact, answer, self._today())

    async def _settle(self, fact: str, answer: Answer, today: date) -> ContradictoryFacts | None:
        known = await self._log.contradictions.of(fact)
        if known is None or known.state == "answered":
            return None
        row, other = await self._log.facts.by_id(fact), await self._log.facts.by_id(known.other)
        newer, older = await self._newer(known), await self._older(known)
        begun = known.back is not None and await self._folder.find(known.back) is not None
        if row is None or other is None or older is None or (newer is None and not begun):
            return None
        cause = f"answer {fact}"
        if answer in ("first", "both"):
            known = await self._naming(known)
            line = facts.render(replace(unarchived(older), id=known.back, line=""))
            if answer == "first" and newer is not None:
                reason = "the owner said that the other one is true"
                await self._folder.retire(
                    newer, reason=reason, day=today, cause=cause, instead=line
                )
            elif answer == "both":
                await self._folder.add(row.path, line, cause=cause)
            made = row_of(row.path, line, other.sources)
            gone = [replace(row, state="archived")] if answer == "first" else []
            await self._log.facts.put([made, *gone])
        if answer in ("second", "both") and newer is not None:
            sure = newer.fact.with_field("confidence", None)
            await self._folder.rewrite(newer, sure, cause=cause)
            await self._log.facts.put([replace(row, line_hash=fingerprint(sure))])
        await self._log.contradictions.end(fact, "answered")
        return ContradictoryFacts(fact, newer.fact if newer else Fact(row.text), older)

    async def _naming(self, known: Contradiction) -> Contradiction:
        """Return it with the id of the line that brings the other one back, which is stored."""
        if known.back is not None:
            return known
        taken = {*await self._folder.ids(), *await self._log.facts.all()}
        name = new_id(taken.__contains__)
        await self._log.contradictions.record_restored(known.fact, name)
        return replace(known, back=name)

    async def _newer(self, known: Contradiction) -> KnownFact | None:
        """Return the line in effect; None if it is no longer as Sam wrote it."""
        row, there = await self._log.facts.by_id(known.fact), await self._folder.find(known.fact)
        if row is None or row.state != "sams" or there is None or there.fact.pinned:
            return None
        # An answer interrupted by a crash may have removed the mark.
        forms = (there.fact, there.fact.with_field("confidence", IN_DOUBT))
        return there if any(is_unchanged(form, row) for form in forms) else None

    async def _older(self, known: Contradiction) -> Fact | None:
        """Return the archived line; None if it was forgotten."""
        row = await self._log.facts.by_id(known.other)
        archived = (await self._folder.archived()).get(known.other)
        return facts.parse(archived[1]) if row is not None and archived is not None else None
