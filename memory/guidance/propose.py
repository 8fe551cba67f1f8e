"""Propose a change of a file that only the owner writes: he is asked, and nothing changes yet."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from ..errors import NoteMissing
from ..trust import read_policy, write_policy
from .guidance import Guidance, is_guidance

if TYPE_CHECKING:
    from ..trust.provenance import Provenance
    from ..vault import Vault

PROPOSED = (
    "Proposed, and not changed yet: the user is shown the change with buttons to accept or reject "
    "it. Tell them in a few words what you proposed, and not that it is done."
)


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


async def submit(
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
