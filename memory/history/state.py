"""Update the log's facts and tombstones after an undo or a redo.

Both are derived from the current notes, so that this is idempotent.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace

from ..knowledge import lifetime
from ..knowledge.folder import KnowledgeFolder, fingerprint
from ..knowledge.notes import KnownFact
from ..log import Log
from ..log.knowledge.facts import FactRow
from ..log.operations.edits import KeptEdit
from ..notes import fact as facts
from ..notes.daily_note import is_summary
from ..notes.kinds import kind_of
from ..notes.markdown import block_id
from ..text.word_forms import normal_form, tomb
from ..vault import Vault

CAUSE = "undo"


async def update_log(vault: Vault, source: Log, edits: Sequence[KeptEdit], *, back: bool) -> None:
    """Update the log's facts and tombstones after an undo (`back`) or redo has changed the notes.
    Callers own `batch.lock`.

    Removed lines get a tombstone, as if the owner had deleted them; restored lines lose theirs.
    What an undone merge has restored is not merged again.
    """
    folder = KnowledgeFolder(vault)
    known = await folder.facts()
    await _update_facts(source, edits, known, await folder.archived())
    forms = {normal_form(each.fact.text) for each in known}
    gone, there = list[str](), list[str]()
    for edit in edits:
        if edit.cause == lifetime.CAUSE:
            (gone if back else there).extend(_no_merge_keys(vault, edit))
    for is_gone, path, line in _moved(edits, back=back):
        kind, fact = kind_of(path, vault.sam_dir), facts.parse(line)
        if kind in ("fact", "rule") and fact is not None:
            (there if normal_form(fact.text) in forms else gone).append(tomb(fact.text))
        elif kind == "summary" and fact is not None and not is_summary(line):
            (gone if is_gone else there).append(line.strip()[2:])
    await source.forgetting.remove_tombstones(there)
    await source.forgetting.add_tombstones([each for each in gone if each not in there], CAUSE)


async def _update_facts(
    source: Log, edits: Sequence[KeptEdit], known: Sequence[KnownFact], archived: Container[str]
) -> None:
    """Store for each fact in the edits where it is now: `known`, `archived`, or deleted."""
    rows, by_id = await source.facts.all(), {each.fact.id: each for each in known}
    named = {id_ for edit in edits for line in edit.lines if (id_ := block_id(line))}
    changed: list[FactRow] = []
    for name in named & rows.keys():
        row, here = rows[name], by_id.get(name)
        if here is not None:
            is_owners = here.fact.pinned or row.state == "owners"
            row = replace(
                row,
                path=here.path,
                line_hash=fingerprint(here.fact),
                text=here.fact.text,
                state="owners" if is_owners else "sams",
            )
        elif name in archived:
            row = replace(row, state="archived")
        else:
            row = replace(row, state="deleted", text="")
        changed.append(row)
    await source.facts.put(changed)


def _no_merge_keys(vault: Vault, edit: KeptEdit) -> Iterator[str]:
    """Yield the keys (`lifetime.no_merge_key`) of the note and the facts of a merge."""
    if lifetime.is_written(vault, edit.path):
        yield lifetime.no_merge_key(edit.path.removesuffix(".md"))
    for line in edit.lines:
        if id_ := block_id(line):
            yield lifetime.no_merge_key(f"^{id_}")


def _moved(edits: Sequence[KeptEdit], *, back: bool) -> Iterator[tuple[bool, str, str]]:
    """Yield each line that was removed (True) or added (False), with the path of its note."""
    for edit in edits:
        for hunk in edit.hunks:
            for line in hunk.new:
                yield back, edit.path, line.rstrip("\r\n")
            for line in hunk.old:
                yield not back, edit.path, line.rstrip("\r\n")
