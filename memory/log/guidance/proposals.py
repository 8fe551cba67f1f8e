"""Changes to the owner's files proposed by a model, until the owner decides.

    open → accepted | rejected | unfit (the text to replace is gone)

Once a change is decided, its texts are deleted: only a hash is kept, so that the same change is not
proposed again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Literal

from ...infra.clock import parse_utc, utc_text
from ...infra.store import Connection, Records, Row, from_row, insert

ProposalState = Literal["open", "accepted", "rejected", "unfit"]


@dataclass(frozen=True, slots=True)
class ProposedChange:
    """`old` is to be replaced by `new` in the note `path`; an empty `old` adds `new` at its end."""

    id: str
    path: str
    old: str
    new: str
    reason: str
    made_at: datetime
    state: ProposalState = "open"

    @property
    def text_hash(self) -> str:
        """Return the hash that identifies equal changes."""
        said = json.dumps([self.path, self.old, self.new])
        return hashlib.sha256(said.encode()).hexdigest()[:32]


class Proposals(Records):
    """The proposed changes of one profile."""

    async def add(self, change: ProposedChange) -> ProposedChange:
        """Store a change, unless the same is open or was rejected; return the stored one."""

        def work(db: Connection) -> ProposedChange:
            row = db.execute(
                "SELECT * FROM proposal WHERE text_hash = ? AND state IN ('open', 'rejected')",
                (change.text_hash,),
            ).fetchone()
            if row is not None:
                return _change(row)
            values = asdict(change) | {"state": "open", "made_at": utc_text(change.made_at)}
            insert(db, "proposal", **values, text_hash=change.text_hash)
            return change

        return await self._db.write(work)

    async def by_id(self, name: str) -> ProposedChange | None:
        """Return that change; None if there is none."""
        return await self._db.first(_change, "SELECT * FROM proposal WHERE id = ?", name)

    async def open(self, *, not_shown: bool = False) -> list[ProposedChange]:
        """Return the open changes, oldest first; with `not_shown`, only those not yet shown."""
        unseen = " AND shown_at IS NULL" if not_shown else ""
        query = f"SELECT * FROM proposal WHERE state = 'open'{unseen} ORDER BY made_at, rowid"
        return await self._db.all(_change, query)

    async def mark_shown(self, name: str) -> None:
        """Record that the owner was asked about it."""
        update = "UPDATE proposal SET shown_at = ? WHERE id = ?"
        await self._db.execute(update, utc_text(self._clock()), name)

    async def decide(self, name: str, state: ProposalState) -> None:
        """End an open change, and clear its texts."""
        await self._db.execute(
            "UPDATE proposal SET state = ?, decided_at = ?, old = '', new = '', reason = ''"
            " WHERE id = ? AND state = 'open'",
            state,
            utc_text(self._clock()),
            name,
        )

    async def forget(
        self, is_gone: Callable[[str], bool], made_at: Collection[datetime] = ()
    ) -> int:
        """Delete open changes whose text satisfies `is_gone`, and those made in the turns of
        messages sent at these times; return their number."""
        times = {utc_text(each) for each in made_at}

        def work(db: Connection) -> int:
            rows = db.execute("SELECT * FROM proposal WHERE state = 'open'").fetchall()
            gone = [
                (row["id"],)
                for row in rows
                if row["made_at"] in times
                or any(is_gone(row[name]) for name in ("old", "new", "reason"))
            ]
            db.executemany("DELETE FROM proposal WHERE id = ?", gone)
            return len(gone)

        return await self._db.write(work)


def _change(row: Row) -> ProposedChange:
    return from_row(ProposedChange, row, made_at=parse_utc(row["made_at"]))
