"""The interface to the facts of a profile.

List facts, find their sources, retire them; and in the background: write the facts that batches
found, learn from the owner's edits, archive expired facts.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from pathlib import Path

from ..errors import EditRefused, LockHeld, NoteMissing
from ..infra.file_locks import locked
from ..log import Log
from ..notes import fact as facts
from ..notes.fact import Fact
from ..notes.markdown import date_in, fenced, inert, lines, new_id, plain, wikilink
from ..notes.redaction import visible_lines, withheld
from ..text.word_forms import TAG, folded, tomb
from ..vault import Vault, as_one_change
from . import lifetime, owner_edits
from .consolidate import Consolidated, Consolidator, Nearest, is_sams
from .decide import Decide, decide_by_rules, is_replaced_by, says_the_same
from .draft import FILES, LOG, LOG_DAYS
from .evidence import calendar_words
from .folder import KnowledgeFolder, fingerprint, is_unchanged, row_of
from .lifetime import Maintained
from .notes import KnownFact, with_replaced_line
from .owner_edits import OwnerEditCounts

MOST = 50  # facts in one list
_DATED = re.compile(r"\d{4}-\d{2}-\d{2}: ")  # what precedes a line of MEMORY.md


class Knowledge:
    """The facts of one profile. `lock`: `batch.lock`, owned by everything that writes facts;
    `today`: the owner's local day."""

    def __init__(
        self, vault: Vault, source: Log, lock: Path, nearest: Nearest, today: Callable[[], date]
    ) -> None:
        self._vault, self._log, self._lock, self._today = vault, source, lock, today
        self._folder = KnowledgeFolder(vault)
        self._consolidator = Consolidator(vault, source, nearest)

    # ── what is known ────────────────────────────────────────────────────────────────────────

    async def facts(
        self,
        *,
        category: str = "",
        tags: Collection[str] = (),
        words: str = "",
        private: bool = False,
        limit: int = MOST,
    ) -> list[KnownFact]:
        """Return the facts that are valid today, the latest first, filtered by category,
        by one of the tags, and by all of the words. `private` admits those that no model may see;
        those of sealed notes are never returned."""
        today, wanted = self._today(), folded(words).split()
        found = [
            each
            for each in await self._folder.facts()
            if each.is_valid(today)
            and each.fits(category, tags, private=private)
            and all(word in folded(each.fact.text) for word in wanted)
        ]
        found.sort(key=lambda each: each.fact.updated or date.min, reverse=True)
        return found[:limit]

    async def upcoming(self, days: int) -> list[tuple[date, str]]:
        """Return day and text of what falls on today or one of the next `days`, the earliest first:
        the facts and lines of MEMORY.md that name such a day, and the facts that end then. What no
        model may see is left out."""
        today = self._today()
        last = today + timedelta(days=days)
        found: list[tuple[date, str]] = []
        for text, said_on, expires in await self._dated():
            named = calendar_words.days_within(text, said_on, today, last)
            found += [(day, plain(text)) for day in named]
            if expires and today < expires <= last and expires not in named:
                found.append((expires, f"{plain(text)} (until then)"))
        return sorted(dict.fromkeys(found))

    async def falling_on(self, days: Sequence[date]) -> list[tuple[date, str]]:
        """Return day and text of the facts and lines of MEMORY.md that clearly fall on one of these
        days, like a birthday or an appointment, in the order of `days`. What no model may see is
        left out."""
        dated = await self._dated()

        def look() -> list[tuple[date, str]]:
            return [
                (day, plain(text))
                for day in days
                for text, said_on, _ in dated
                if calendar_words.falls_on(text, said_on, day)
            ]

        return list(dict.fromkeys(await asyncio.to_thread(look)))

    async def _dated(self) -> list[tuple[str, date, date | None]]:
        """Return the lines of MEMORY.md and the facts that a model may see: the text, the day on
        which it was said, and the first day on which it is no longer valid, or None."""
        today = self._today()
        path = self._vault.own("MEMORY.md")
        text = await self._vault.read_optional(path) or ""
        hidden = withheld(text, path, self._vault.sam_dir, today=today)
        found: list[tuple[str, date, date | None]] = []
        for number, row in enumerate(visible_lines(text), 1):
            if number not in hidden and row.strip():
                said_on = date_in(row.removeprefix("- ").partition(": ")[0]) or today
                found.append((owner_edits.words_of(row), said_on, None))
        for each in await self.facts(limit=sys.maxsize):
            fact = each.fact
            found.append((fact.text, fact.updated or today, fact.expires))
        return found

    async def past(self) -> list[KnownFact]:
        """Return superseded, expired and retired facts, newest first."""
        found = await self._folder.past()
        return sorted(found, key=lambda each: each.fact.get("valid_to"), reverse=True)

    async def every(self) -> list[KnownFact]:
        """Return every fact, including invalid and private ones."""
        return await self._folder.facts()

    async def invalid(self) -> list[KnownFact]:
        """Return the lines that are ignored because they are not valid facts or rules."""
        return [each for each in await self._folder.facts() if each.problems]

    async def find(self, name: str) -> KnownFact | None:
        """Return the line with that block id; None if knowledge/ has none."""
        return await self._folder.find(name.lstrip("^"))

    async def _existing(self, name: str) -> KnownFact:
        if (known := await self.find(name)) is None:
            raise NoteMissing(f"There is no fact {name}: the list of facts shows their ids.")
        return known

    async def sources(self, name: str) -> tuple[int, ...]:
        """Return the ids of a fact's source messages; none for lines that Sam did not write.
        Archived facts have them too."""
        row = await self._log.facts.by_id(name.lstrip("^"))
        return row.sources if row else ()

    async def waiting(self) -> int:
        """Return the number of facts that were found but are not written yet."""
        return await self._log.candidates.count()

    # ── changes ──────────────────────────────────────────────────────────────────────────────

    @as_one_change
    async def retire(self, name: str, *, reason: str) -> KnownFact:
        """Move a fact to archive/, with the reason. It is not written again.

        Raises NoteMissing where there is no such line, LockHeld while a batch is written.
        """
        async with locked(self._lock):
            known = await self._existing(name)
            await self._log.forgetting.add_tombstones([tomb(known.fact.text)], reason)
            cause = f"retire {known.fact.id}"
            await self._folder.retire(known, reason=reason, day=self._today(), cause=cause)
            await lifetime.record_archived(self._log, known)
            return known

    async def pin(self, name: str) -> None:
        """Pin a fact, so that only the owner can change it. Idempotent.

        Raises NoteMissing where there is no such line, LockHeld while a batch is written.
        """
        async with locked(self._lock, timeout=1.0):
            known = await self._existing(name)
            if not known.fact.pinned:
                fact = owner_edits.pinned(known.certain)
                await self._folder.rewrite(known, fact, cause=owner_edits.CAUSE)
            await owner_edits.learn(self._vault, self._log, self._today())

    async def confirm(self, name: str) -> None:
        """Mark an uncertain fact as true, at the owner's request: Sam may still update it, and does
        not ask about it any more. Idempotent.

        Raises NoteMissing where there is no such line, LockHeld while a batch is written.
        """
        async with locked(self._lock, timeout=1.0):
            known = await self._existing(name)
            if known.uncertain:
                await self._rewrite(known, known.certain)
            await self._log.contradictions.end(known.fact.id or "", "answered")

    @as_one_change
    async def reword(self, path: str, line: str, text: str) -> str | None:
        """Replace the text of a list item by the owner's words; return the new line, or None if the
        old one is gone. A fact that Sam wrote is pinned, and a line of MEMORY.md keeps its date.

        Raises EditRefused for an empty text.
        """
        old, words = facts.parse(line), inert(text)
        if not words:
            raise EditRefused("A line cannot be empty. To remove it, forget it.")
        if old is None:
            return None
        for tag in TAG.finditer(old.text):  # `inert` has escaped the tags of the old text
            words = words.replace(f"\\{tag[0]}", tag[0])
        day = dated[0] if (dated := _DATED.match(old.text)) else ""
        new = replace(old, text=day + words.removeprefix(day))
        if await self._log.facts.by_id(old.id or "") is not None:
            new = owner_edits.pinned(KnownFact(path, 0, new, "fact").certain)
            new = new.with_field("updated", self._today()) if old.updated else new
        written = facts.render(new)
        change = partial(with_replaced_line, old=line, new=written)
        edited = await self._vault.edit_existing(path, change, cause="edit_memory")
        with contextlib.suppress(LockHeld):  # the summary that is being written does this itself
            await self.learn()
        return written if edited is not None and written in lines(edited.after) else None

    async def save(
        self,
        text: str,
        category: str,
        *,
        expires: date | None = None,
        tags: Iterable[str] = (),
        sensitive: bool = False,
        confidence: float | None = None,
        evidence: str = "",
        sources: Iterable[int] = (),
    ) -> tuple[KnownFact, bool]:
        """Write a fact immediately; return its line and whether it is new. A fact already known,
        and not only as a short-lived line, is not written again, but becomes private if it is to be
        `sensitive`. Raises EditRefused if its kind forbids it.

        `sources`: ids of the messages that it came from. `category`: LOG for a short-lived line,
        which is valid for LOG_DAYS unless it has an end.
        """
        if category == LOG:
            expires = expires or self._today() + timedelta(days=LOG_DAYS)
        marks = [f"#{tag}" for each in tags if (tag := _tag(each))]
        made = facts.new(
            text,
            id=new_id({*await self._folder.ids(), *await self._log.facts.all()}.__contains__),
            updated=self._today(),
            expires=expires,
            confidence=confidence,
            evidence=evidence or None,
            stability="volatile" if expires else None,
            kind=LOG if category == LOG else None,
        )
        made = replace(
            made, text=" ".join([made.text, *marks]), tags=("sensitive",) if sensitive else ()
        )
        kind = category if category in (facts.RULE, LOG) else "fact"
        if wrong := facts.problems(made, kind):
            raise EditRefused(" ".join(wrong))
        today = self._today()

        def says_so(known: KnownFact) -> bool:
            # a log line may state a habit, and is new on another day
            is_same = known.fact.updated == today if category == LOG else known.kind != LOG
            return is_same and says_the_same(made.text, known.fact.text) and known.is_valid(today)

        path = self._folder.path_of(FILES.get(category, f"{category}.md"))
        line = facts.render(made)
        known = await self._folder.add(path, line, cause=f"fact {made.id}", unless=says_so)
        if known is not None:
            return (await self._make_private(known) if sensitive else known), False
        await self._log.facts.put([row_of(path, line, tuple(sources))])
        written = facts.parse(line)
        assert written is not None
        return KnownFact(path, 0, written, kind, sensitive), True

    async def hide(self, message: int) -> None:
        """Mark the facts that came from that message as private."""
        rows = await self._log.facts.all()
        for known in await self._folder.facts():
            row = rows.get(known.fact.id or "")
            if row is not None and message in row.sources:
                await self._make_private(known)

    async def _make_private(self, known: KnownFact) -> KnownFact:
        """Give a line the tag that makes it private, unless it is; return it."""
        if known.private:
            return known
        fact = replace(known, private=True).fact_alone
        await self._rewrite(known, fact)
        return replace(known, fact=fact, private=True)

    async def _rewrite(self, known: KnownFact, fact: Fact) -> None:
        """Replace a line by the fact; if it is Sam's, it stays that."""
        await self._folder.rewrite(known, fact, cause=f"fact {fact.id}")
        row = await self._log.facts.by_id(fact.id or "")
        if row is not None and is_unchanged(known.fact, row):
            await self._log.facts.put([replace(row, line_hash=fingerprint(fact))])

    async def archive_replaced_by(self, remembered: str, path: str, block: str) -> list[str]:
        """Archive what a remembered statement replaces, by the plain rules: facts, and earlier
        lines of MEMORY.md. Return their texts; "" for a private one.

        `path`, `block`: the note and the block id of the statement's line. Lines that the owner
        wrote or pinned stay. Raises LockHeld.
        """
        today, link = self._today(), wikilink(path, block)
        reason = f"another value was remembered on {today}"
        found: list[str] = []
        async with locked(self._lock, timeout=5.0):
            rows = await self._log.facts.all()
            for known in await self._folder.facts():
                row = rows.get(known.fact.id or "")
                if not known.is_valid(today) or not is_replaced_by(remembered, known.fact.text):
                    continue
                if row is None or not is_sams(known, rows):
                    continue
                cause = f"fact {row.id}"
                if await self._folder.retire(known, reason=reason, day=today, cause=cause, by=link):
                    await self._log.facts.put([replace(row, state="archived")])
                    found.append("" if known.private else plain(known.fact.text))
            for known in await self._remembered(path, but=block):
                words = owner_edits.words_of(known.fact.line)
                if not known.is_valid(today) or not is_replaced_by(remembered, words):
                    continue
                if await self._folder.retire(
                    known, reason=reason, day=today, cause="save_memory", by=link
                ):
                    found.append("" if known.private else plain(words))
        return found

    async def _remembered(self, path: str, *, but: str) -> list[KnownFact]:
        """Return the lines of MEMORY.md that Sam wrote at the owner's request and that are not
        pinned, except the one with the id `but`."""
        text = await self._vault.read_optional(path) or ""
        rows, hidden = lines(text), withheld(text)
        found = []
        for number, (row, code) in enumerate(zip(rows, fenced(rows), strict=True), 1):
            fact = None if code else facts.parse(row)
            if fact is None or fact.id in (None, but) or fact.pinned:
                continue
            if await self._log.saved.sources(f"^{fact.id}"):
                found.append(KnownFact(path, number, fact, "memory", number in hidden))
        return found

    async def consolidate(self, decide: Decide = decide_by_rules) -> Consolidated:
        """Merge the facts that batches found into the known ones; return the counts. Raises what
        `decide` raises, and LockHeld."""
        async with locked(self._lock, timeout=1.0):
            if not await self.waiting():
                return Consolidated()
            await owner_edits.learn(self._vault, self._log, self._today())
            return await self._consolidator.run(decide, self._today())

    async def learn(self) -> OwnerEditCounts:
        """Apply the owner's edits, as `owner_edits.learn` does; return the counts. Raises
        LockHeld."""
        async with locked(self._lock, timeout=1.0):
            return await owner_edits.learn(self._vault, self._log, self._today())

    @as_one_change
    async def maintain(self) -> Maintained:
        """Archive expired facts, merge old log lines, and update the links of the days' files to
        MEMORY.md; return the counts. Raises LockHeld."""
        async with locked(self._lock, timeout=60.0):
            await owner_edits.learn(self._vault, self._log, self._today())
            await owner_edits.update_memory_links(self._vault)
            return await lifetime.maintain(self._vault, self._log, self._today())


def _tag(said: str) -> str:
    """Return a tag without # and invalid characters; "" if nothing is left."""
    tag = re.sub(r"[^\w/-]+", "-", said.strip().lstrip("#").lower()).strip("-/")
    return "" if tag.startswith("sam/") or not re.search(r"[^\W\d_]", tag) else tag
