"""Changes of the owner's files: proposed by a model, made when he accepts; earlier versions.

    propose → the owner is shown the difference → accept | reject

soul.md, identity.md, user.md, heartbeat.md and the skills are the owner's, and change by his hand
alone: in an editor, or by accepting a proposal. Whenever one of the first three has changed, the
text that it has now is kept as a version, and so an earlier one can be brought back.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from ..errors import EditRefused, NoteMissing
from ..infra.failpoints import failpoint
from ..infra.text_encoding import hash_of
from ..log import Log
from ..log.guidance.proposals import ProposalState, ProposedChange
from ..log.guidance.versions import Version
from ..notes.kinds import kind_of, relative
from ..notes.markdown import lines, new_id, privacy
from ..notes.patch import replace_verbatim
from ..notes.redaction import withheld
from ..text.sanitize import reveal
from ..text.secrets import mask
from ..trust import read_policy, write_policy
from ..vault import Vault

if TYPE_CHECKING:
    from ..trust.provenance import Provenance
    from ..vault import Vault

VERSIONED = ("soul.md", "identity.md", "user.md")
MOST_OPEN = 20  # proposals that wait for the owner
LONGEST = 3_000  # characters of one: the owner is to read all of it

_OWNERS = frozenset({"soul", "agent", "user", "skill"})
PROPOSED = (
    "Proposed, and not changed yet: the user is shown the change with buttons to accept or reject "
    "it. Tell them in a few words what you proposed, and not that it is done."
)


def is_guidance(vault: Vault, path: str) -> bool:
    """Return whether that note is one of the files by which the owner guides Sam."""
    inside = relative(path, vault.sam_dir)
    if vault.sam_dir and inside == path:
        return False
    return kind_of(inside) in _OWNERS or inside.casefold() == "heartbeat.md"


@dataclass(frozen=True, slots=True)
class Restored:
    """What bringing a version back does to its note: the text before and after, and the hash of
    the text before."""

    version: Version
    before: str
    after: str

    @property
    def expected(self) -> str:
        """Return the hash by which it is known later that the note is as it was shown."""
        return hash_of(self.before)


class Guidance:
    """The owner's files in one vault."""

    def __init__(self, vault: Vault, source: Log) -> None:
        self._vault, self._log = vault, source

    # ── proposals ────────────────────────────────────────────────────────────────────────────

    async def propose(
        self, path: str, old: str, new: str, *, reason: str, at: datetime
    ) -> ProposedChange:
        """Store a change for the owner to decide. Raises EditRefused for one that does not fit
        the note as it is, or was rejected before, and while too many are open.

        `at`: when the message was sent in whose turn it is made.
        """
        old, new = old.strip("\n"), new.strip("\n")
        if len(old) + len(new) > LONGEST:
            raise EditRefused(
                f"That is too long for the owner to check ({len(old) + len(new):,} characters): "
                f"propose a part of it, {LONGEST:,} at most."
            )
        if mask(new) != new:
            raise EditRefused("That has what looks like a password or a key: leave it out.")
        if reveal(new) != new:
            raise EditRefused("That has invisible characters: leave them out.")
        text = await self._vault.read_optional(path) or ""
        if self._after(path, text, old, new) == text:
            raise EditRefused(f"{path} says so already.")
        waiting = await self._log.proposals.open()
        made = ProposedChange(
            new_id({each.id for each in waiting}.__contains__),
            path,
            old,
            new,
            " ".join(reveal(reason).split()),
            at,
        )
        if len(waiting) >= MOST_OPEN and all(e.text_hash != made.text_hash for e in waiting):
            raise EditRefused(
                f"{len(waiting)} changes wait for the owner already: he decides on them first, "
                "with /proposals."
            )
        stored = await self._log.proposals.add(made)
        if stored.state == "rejected":
            raise EditRefused("The owner has rejected this change before: leave it.")
        return stored

    async def open(self) -> list[ProposedChange]:
        """Return the changes that wait for the owner, oldest first."""
        return await self._log.proposals.open()

    async def texts(self, change: ProposedChange) -> tuple[str, str]:
        """Return the note before and after the change. Raises EditRefused where it no longer
        fits."""
        before = await self._vault.read_optional(change.path) or ""
        return before, self._after(change.path, before, change.old, change.new)

    async def accept(self, name: str) -> tuple[ProposedChange | None, ProposalState | None]:
        """Apply a change that the owner accepts, if the note still contains its old text. May be
        repeated.

        Returns the change as it was, and its new state; None if there is no such change.
        """
        change = await self._log.proposals.by_id(name)
        if change is None or change.state != "open":
            return change, change.state if change else None
        await self.keep([change.path])
        cause = f"proposal {change.id}"
        try:
            await self._vault.edit(
                change.path,
                lambda text: self._after(change.path, text, change.old, change.new),
                cause=cause,
                create=not change.old,
            )
        except (EditRefused, NoteMissing):
            await self._log.proposals.decide(name, "unfit")
            return change, "unfit"
        failpoint("after_accept")
        await self.keep([change.path], cause=cause)
        await self._log.proposals.decide(name, "accepted")
        return change, "accepted"

    async def reject(self, name: str) -> tuple[ProposedChange | None, ProposalState | None]:
        """End a change that the owner does not want; return as `accept` does."""
        change = await self._log.proposals.by_id(name)
        if change is None or change.state != "open":
            return change, change.state if change else None
        await self._log.proposals.decide(name, "rejected")
        return change, "rejected"

    def _after(self, path: str, text: str, old: str, new: str) -> str:
        return replace_verbatim(text, old, new, hidden=withheld(text, path, self._vault.sam_dir))

    # ── versions ─────────────────────────────────────────────────────────────────────────────

    async def has_changed(self) -> bool:
        """Return whether a note that has versions has another text than the latest of them."""
        for name in VERSIONED:
            path = self._vault.own(name)
            text = await self._vault.read_optional(path)
            if text is not None and await self._log.versions.latest(path) != hash_of(text):
                if not why_not(text):
                    return True
                if privacy(text) == "sealed" and await self._log.versions.latest(path):
                    return True
        return False

    async def keep(self, paths: Iterable[str] = (), *, cause: str = "") -> None:
        """Store the present text of these notes (by default of all that have versions) if it has
        changed.

        Sealed notes, and notes with what looks like a secret, are not copied; forgotten lines are
        left out.
        """
        for path in [*paths] or [self._vault.own(name) for name in VERSIONED]:
            text = await self._vault.read_optional(path)
            if text is None or await self._log.versions.latest(path) == hash_of(text):
                continue
            if why_not(text):
                if privacy(text) == "sealed":
                    await self._log.versions.drop(path)
                continue
            gone = await self._log.forgetting.with_tombstone(
                [row for row in lines(text) if row.strip()]
            )
            kept = "\n".join(row for row in text.split("\n") if row not in gone)
            await self._log.versions.add(path, hash_of(text), kept, cause)

    @staticmethod
    def versioned(name: str) -> str:
        """Return the file whose versions are kept that the owner's word names, such as "Soul", or
        its path; "" for another note."""
        typed = name.rpartition("/")[2].lower().removesuffix(".md") + ".md"
        return typed if typed in VERSIONED else ""

    async def versions(self, name: str) -> list[Version]:
        """Return the texts that are kept of a note, the latest first. It is the note's present one
        if `is_current` says so: a deleted note has none, and a secret one is not kept."""
        path = self._path(name)
        await self.keep([path])
        return await self._log.versions.all(path)

    async def is_current(self, version: Version) -> bool:
        """Return whether a version has the text that its note has now."""
        text = await self._vault.read_optional(version.path)
        return text is not None and hash_of(text) == version.text_hash

    async def refused(self, name: str) -> str:
        """Return why no version of that note is kept; "" where they are."""
        text = await self._vault.read_optional(self._path(name))
        return why_not(text or "")

    def _path(self, name: str) -> str:
        """Return the path of a note that is named as in Sam's folder, or as in the vault."""
        inside = self._vault.sam_dir and name.startswith(f"{self._vault.sam_dir}/")
        return name if inside else self._vault.own(name)

    async def restoring(self, number: int) -> Restored | None:
        """Return what restoring that version would change; None if it is no longer kept."""
        version = await self._log.versions.by_id(number)
        if version is None:
            return None
        before = await self._vault.read_optional(version.path) or ""
        return Restored(version, before, version.text)

    async def restore(self, number: int, expected: str) -> Restored | None:
        """Restore a version as it was shown, while the note's text has that hash.

        Returns what was done; None if the version is no longer kept. Raises EditRefused if the note
        has changed. May be repeated.
        """
        found = await self.restoring(number)
        if found is None or found.before == found.after:
            return found
        await self.keep([found.version.path])

        def change(text: str) -> str:
            if hash_of(text) != expected:
                raise EditRefused(
                    f"{found.version.path} has changed since you saw that: look at it again."
                )
            return found.after

        cause = f"restore version {number}"
        await self._vault.edit(found.version.path, change, cause=cause)
        await self.keep([found.version.path], cause=cause)
        return found


def why_not(text: str) -> str:
    """Return why no copy of a text is kept; "" where one is."""
    if privacy(text) == "sealed":
        return "it is sealed"
    return "it has what looks like a password or a key" if mask(text) != text else ""


async def guidance_path(vault: Vault, path: str, old: str) -> str | None:
    """Return the note's path if only the owner changes it, None for any other note. One that does
    not exist yet can be proposed with an empty `old`. Raises what `read_policy.read` does."""
    try:
        name, _ = await read_policy.read(vault, path)
    except NoteMissing:
        name = vault.own(path if path.endswith(".md") else f"{path}.md")
        if old.strip() or not is_guidance(vault, name):
            return None
        vault.resolve(name)
    return name if is_guidance(vault, name) else None


async def submit_proposal(
    guidance: Guidance,
    seen: Provenance | None,
    now: datetime,
    path: str,
    old: str,
    new: str,
    reason: str,
) -> str:
    """Store the change for the owner to decide. Raises EditRefused, also if the change may
    originate from others' text."""
    write_policy.check_proposal(seen, old, new)
    await guidance.propose(path, old, new, reason=reason, at=now)
    return PROPOSED
