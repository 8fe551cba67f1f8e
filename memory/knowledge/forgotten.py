"""Find and delete the lines of facts that came only from forgotten messages.

Lines that the owner has changed are kept. Callers own `batch.lock`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..errors import NoteMissing
from ..log import Log
from ..notes.fact import parse
from ..text.word_forms import tomb
from ..vault import Vault
from . import notes
from .folder import KnowledgeFolder, fingerprint


@dataclass(frozen=True, slots=True)
class FactLine:
    """One line, in knowledge/ or in archive/. `fact`: its id."""

    path: str
    line: str
    fact: str

    @property
    def tombstone_texts(self) -> tuple[str, str]:
        """Return what must not be written again: the line without its dash, and its statement."""
        fact = parse(self.line)
        bare = self.line.strip().lstrip("-*+").strip()
        return bare, tomb(fact.text if fact else bare)


async def lines_from(vault: Vault, source: Log, messages: Iterable[int]) -> list[FactLine]:
    """Return the lines of the facts that came only from these messages."""
    folder, found = KnowledgeFolder(vault), list[FactLine]()
    rows = {row.id: row for row in await source.facts.alone_from(messages)}
    if not rows:
        return []
    for known in await folder.facts():
        row = rows.get(known.fact.id or "")
        if row is not None and fingerprint(known.fact) == row.line_hash:
            found.append(FactLine(known.path, known.fact.line, row.id))
    for name, (path, line) in (await folder.archived()).items():
        if name in rows:
            found.append(FactLine(path, line, name))
    return found


async def delete_lines(vault: Vault, found: Sequence[FactLine], *, cause: str) -> None:
    """Delete these lines; idempotent."""
    for each in found:
        try:
            await vault.edit(
                each.path,
                lambda text, line=each.line: notes.with_replaced_line(text, line, ""),  # type: ignore[misc]  # bound now
                cause=cause,
                create=False,
            )
        except NoteMissing:
            continue
