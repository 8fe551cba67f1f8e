"""Merge new facts into the known ones; a crash at any point loses or duplicates none.

    waiting candidates → compare with the nearest lines → decide → store → write → done

All of it runs under `batch.lock`, like everything that a batch writes. The decision, with the id of
the line that a candidate becomes, is stored before the first note is changed; by these ids each
write recognises what an earlier attempt has done. A superseded line is archived first.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from datetime import date, datetime

from ..errors import EditRefused, NoteUnreadable, PathRefused
from ..infra.failpoints import failpoint
from ..log import Log
from ..log.knowledge.candidates import CandidateDecision, StoredCandidate
from ..log.knowledge.facts import FactRow
from ..notes import fact as facts
from ..notes.markdown import new_id, wikilink
from ..text.change_words import says_change
from ..text.sanitize import own_part
from ..text.word_forms import normal_form, tomb
from ..vault import Vault, edit_group
from .decide import ADD, Decide, Decision, Proposal, allowed, is_replaced_by, says_the_same
from .draft import FILES, LOG
from .folder import KnowledgeFolder, is_unchanged, row_of
from .notes import KnownFact

log = logging.getLogger(__name__)

NEAREST = 5  # known facts to compare a candidate with
LOW_CONFIDENCE = 0.8  # below it, the line states its confidence
IN_DOUBT = 0.5  # the confidence of a contradicting fact

Nearest = Callable[[str, int], Awaitable[list[tuple[str, int, int]]]]
"""Text and count → the places of the nearest lines of knowledge/: path, first and last line."""


@dataclass(frozen=True, slots=True)
class Consolidated:
    """Counts of facts that were added, replaced others, ended others, were already known, or were
    dropped because the owner had removed them."""

    added: int = 0
    updated: int = 0
    deleted: int = 0
    known: int = 0
    dropped: int = 0

    def __bool__(self) -> bool:
        """Return whether there was any."""
        return any(astuple(self))

    def __add__(self, other: Consolidated) -> Consolidated:
        return Consolidated(*map(sum, zip(astuple(self), astuple(other), strict=True)))


class Consolidator:
    """Write the waiting candidates of one profile. Callers own `batch.lock`."""

    def __init__(self, vault: Vault, source: Log, nearest: Nearest) -> None:
        self._vault, self._log, self._nearest = vault, source, nearest
        self._folder = KnowledgeFolder(vault)

    async def run(self, decide: Decide, today: date) -> Consolidated:
        """Write all waiting candidates, except those whose note cannot be written now. Raises what
        `decide` raises; the decided ones are written then, and the rest keeps waiting."""
        total, refused = Consolidated(), set[int]()
        while waiting := await self._log.candidates.waiting(refused):
            for each in waiting:
                if each.action is not None:
                    try:
                        with edit_group(f"batch {each.batch}"):
                            total += await self._write(each)
                    except (EditRefused, NoteUnreadable, PathRefused) as why:
                        log.warning("candidate=%d is not written: %s", each.id, why)
                        refused.add(each.id)
            undecided = [each for each in waiting if each.action is None]
            if undecided:
                await self._decide(undecided, decide, today)
                failpoint("after_decision")
        return total

    # ── decide ───────────────────────────────────────────────────────────────────────────────

    async def _decide(
        self, waiting: Sequence[StoredCandidate], decide: Decide, today: date
    ) -> None:
        every = [each for each in await self._folder.facts() if each.is_valid(today)]
        known = [each for each in every if not each.private]  # a model may see these
        rows = await self._log.facts.all()
        taken = {*await self._folder.ids(), *rows, *await self._log.candidates.decided()}
        forms = {each.id: normal_form(each.found.text) for each in waiting}
        tombs = {each.id: tomb(each.found.text) for each in waiting}
        entombed = await self._log.forgetting.with_tombstone(list(tombs.values()))
        sources = {id_ for each in waiting for id_ in each.found.sources}
        # Summarised again, a message may say in other words what the owner has deleted.
        again = await self._log.facts.deleted_from(sources)
        choices: list[CandidateDecision] = []
        proposals: list[Proposal] = []
        twins: list[StoredCandidate] = []
        for each in waiting:
            alike = [k for k in every if says_the_same(each.found.text, k.fact.text)]
            # A log line expires, so it does not make the fact known.
            same = next((k for k in alike if k.kind != LOG), None)
            if tombs[each.id] in entombed:
                choices.append(CandidateDecision(each.id, "drop"))
            elif same is not None:
                choices.append(CandidateDecision(each.id, "keep", target=same.fact.id))
            elif each.found.sources and again.issuperset(each.found.sources):
                choices.append(CandidateDecision(each.id, "drop"))
            elif any(forms[each.id] == forms[other.id] for other in proposals):
                twins.append(each)
            else:
                near = await self._near(each.found.text, [k for k in known if k not in alike])
                said = await self._log.messages.by_ids(each.found.sources)
                own = tuple(own_part(message.text) for message in said)
                proposals.append(Proposal(each.id, each.found, near, own))
        since = min(each.since for each in waiting)
        for proposal, decision in await _decisions(proposals, decide, since):
            target = next((k for k in known if k.fact.id == decision.target), None)
            is_older = target is not None and await self._is_older(proposal, target, rows)
            choices.append(_choice(proposal, decision, target, rows, taken, is_older=is_older))
        becomes = {forms[choice.id]: choice.fact or choice.target for choice in choices}
        choices += [
            CandidateDecision(each.id, "keep", target=becomes[forms[each.id]]) for each in twins
        ]
        await self._log.candidates.decide(choices)

    async def _is_older(self, new: Proposal, known: KnownFact, rows: Mapping[str, FactRow]) -> bool:
        """Return whether the new fact was said before the known one, as in an imported chat, or in
        a message that is summarised again."""
        updated = known.fact.updated or date.min
        row = rows.get(known.fact.id or "")
        if new.found.day != updated or row is None:
            return new.found.day < updated
        of_new = await self._log.messages.by_ids(new.found.sources)
        of_known = await self._log.messages.by_ids(row.sources)
        return bool(of_new and of_known) and (
            max(each.sent_at for each in of_new) < max(each.sent_at for each in of_known)
        )

    async def _near(self, text: str, known: Sequence[KnownFact]) -> tuple[KnownFact, ...]:
        """Return the known facts that are nearest to a text and have an id, best first."""
        places = await self._nearest(text, NEAREST)
        found = (
            each
            for path, first, last in places
            for each in known
            if each.path == path and first <= each.number <= last and each.fact.id
        )
        return tuple(dict.fromkeys(found))

    # ── write ────────────────────────────────────────────────────────────────────────────────

    async def _write(self, each: StoredCandidate) -> Consolidated:
        """Carry out a stored decision, which an earlier attempt may have done in part."""
        known = {k.fact.id: k for k in await self._folder.facts() if k.fact.id}
        rows = await self._log.facts.all()
        target, row = known.get(each.target or ""), rows.get(each.target or "")
        ours = target if is_sams(target, rows) else None
        done = Consolidated()
        changed: list[FactRow] = []
        cause = f"fact {each.fact or each.target or each.id}"
        match each.action:
            case "add" | "update" if (made := known.get(each.fact or "")) is not None:
                # An earlier attempt wrote it.
                changed.append(row_of(made.path, made.fact.line, each.found.sources))
                changed += [replace(row, state="archived")] if row else []
                done = Consolidated(added=1)
            case "add":
                changed.append(await self._add(each, cause))
                done = Consolidated(added=1)
            case "update" if target is None:  # the owner has removed it in the meantime
                changed.append(await self._add(each, cause))
                done = Consolidated(added=1)
            case "update" if ours and (new := await self._update(each, ours, cause)):
                changed += [new, *([replace(row, state="archived")] if row else [])]
                done = Consolidated(updated=1)
            case "delete" if target is None or ours:
                if ours is not None:
                    reason = f"no longer so, by what was said on {each.found.day}"
                    await self._log.saved.put_ended(ours.fact.id or "", each.found.sources)
                    await self._folder.retire(ours, reason=reason, day=each.found.day, cause=cause)
                changed += [replace(row, state="archived")] if row else []
                done = Consolidated(deleted=1)
            case "keep":
                if ours is not None and row is not None:
                    changed.append(await self._confirm(each, ours, row, cause))
                done = Consolidated(known=1)
            case _:
                done = Consolidated(dropped=1)
        failpoint("after_fact")
        contradicts = None
        if each.doubtful and each.fact and each.target and len(changed) > 1:
            contradicts = (each.fact, each.target)
        await self._log.facts.put(changed, done=[each.id], contradicts=contradicts)
        log.info("fact batch=%s %s", each.batch, each.action)
        return done

    async def _add(self, each: StoredCandidate, cause: str) -> FactRow:
        path = self._folder.path_of(FILES[each.found.category])
        line = _line(each)
        await self._folder.add(path, line, cause=cause)
        return row_of(path, line, each.found.sources)

    async def _update(self, each: StoredCandidate, target: KnownFact, cause: str) -> FactRow | None:
        """Replace the old line with the new one; None if the owner has changed the old one."""
        old = wikilink(self._folder.archive_of(target.path), each.target or "")
        line, new = _line(each, supersedes=old), wikilink(target.path, each.fact or "")
        was_there = await self._folder.retire(
            target,
            reason=f"another value was said on {each.found.day}",
            day=each.found.day,
            cause=cause,
            by=new,
            instead=line,
        )
        return row_of(target.path, line, each.found.sources) if was_there else None

    async def _confirm(
        self, each: StoredCandidate, target: KnownFact, row: FactRow, cause: str
    ) -> FactRow:
        """Update a line's date, because it was stated again."""
        if target.fact.updated is None or target.fact.updated < each.found.day:
            fact = target.fact.with_field("updated", each.found.day)
            await self._folder.rewrite(target, fact, cause=cause)
        return replace(row, sources=tuple(dict.fromkeys([*row.sources, *each.found.sources])))


async def _decisions(
    proposals: Sequence[Proposal], decide: Decide, since: datetime
) -> list[tuple[Proposal, Decision]]:
    """Decide all at once; at most one of them supersedes each known line."""
    asked = [each for each in proposals if each.nearest]
    given = await decide(asked, since) if asked else {}
    found: list[tuple[Proposal, Decision]] = []
    superseded: set[str | None] = set()
    for each in proposals:
        decision = allowed(given.get(each.id), each)
        if decision.verdict in ("update", "delete", "contradict"):
            decision = ADD if decision.target in superseded else decision
            superseded.add(decision.target)
        found.append((each, decision))
    return found


def _choice(
    proposal: Proposal,
    decision: Decision,
    target: KnownFact | None,
    rows: Mapping[str, FactRow],
    taken: set[str],
    *,
    is_older: bool,
) -> CandidateDecision:
    """Return the decision to store; "drop" if the target is not Sam's any more, or newer. The id of
    a new line is added to `taken`. `is_older`: the proposal was said before the target."""
    verdict = "update" if decision.verdict == "contradict" else decision.verdict
    replaces = verdict in ("update", "delete")
    if replaces and (not is_sams(target, rows) or is_older):
        return CandidateDecision(proposal.id, "drop", target=decision.target)
    name = None
    if verdict in ("add", "update"):
        name = new_id(taken.__contains__)
        taken.add(name)
    doubtful = _is_unclear(proposal, decision, target)
    return CandidateDecision(proposal.id, verdict, name, decision.target, doubtful)


def _is_unclear(proposal: Proposal, decision: Decision, target: KnownFact | None) -> bool:
    """Return whether a statement contradicts a known one without indicating which is true: by the
    decision, or because it has another value for the same thing and no word of change. For rules,
    the latest one counts."""
    if target is None or proposal.found.category == facts.RULE:
        return False
    if decision.verdict == "contradict":
        return True
    if decision.verdict != "update" or not is_replaced_by(proposal.found.text, target.fact.text):
        return False
    return bool(proposal.said) and not says_change(proposal.said)


def is_sams(known: KnownFact | None, rows: Mapping[str, FactRow]) -> bool:
    """Return whether a line is unchanged since Sam wrote it, and not sealed: only then may it be
    superseded."""
    row = rows.get(known.fact.id or "") if known else None
    return (
        known is not None
        and row is not None
        and row.state == "sams"
        and not known.sealed
        and not known.fact.pinned
        and is_unchanged(known.fact, row)
    )


def _line(each: StoredCandidate, supersedes: str | None = None) -> str:
    found = each.found
    source = wikilink(each.section, each.batch) if each.section else None
    is_rule = found.category == facts.RULE
    in_doubt = each.doubtful and supersedes is not None
    confidence = IN_DOUBT if in_doubt else found.confidence
    says_confidence = is_rule or (confidence or 1) < LOW_CONFIDENCE
    made = facts.new(
        found.text,
        id=each.fact or "",
        updated=found.day,
        source=source,
        expires=found.expires,
        confidence=confidence if says_confidence else None,
        evidence=(source or f"what was said on {found.day}") if is_rule else None,
        stability="volatile" if found.expires else None,
        supersedes=supersedes,
    )
    return facts.render(made)
