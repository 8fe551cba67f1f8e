"""The columns that filters need, in memory, and the position of each passage in them.

Derived from the table of chunks, and updated as it changes. Ids only grow, so that a position is
found by bisection, and new passages are appended.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...infra.sqlite import Connection

if TYPE_CHECKING:
    from ..candidates.query import Question

NEVER = 99_999_999  # no expiry: larger than any day
_SELECT = (
    "SELECT id, kind, coalesce(CAST(replace(date, '-', '') AS INTEGER), 0) AS date,"
    " CASE privacy WHEN 'normal' THEN 0 WHEN 'sensitive' THEN 1 ELSE 2 END AS privacy,"
    f" coalesce(CAST(replace(expires, '-', '') AS INTEGER), {NEVER}) AS expires,"
    " coalesce(message_id, 0) AS message, NOT (superseded OR small_talk) AS valid, embedded"
    " FROM chunk WHERE id > ? ORDER BY id"
)
_COLUMNS = {
    "id": np.int64,
    "kind": np.int16,
    "date": np.int32,  # 20260212; 0 if not known
    "privacy": np.int8,
    "expires": np.int32,
    "message": np.int64,  # 0 for notes
    "alive": np.bool_,  # still in the table
    "valid": np.bool_,  # and neither superseded nor small talk
    "embedded": np.bool_,
}


class Rows:
    """The columns of one generation. Used by one thread at a time."""

    def __init__(self) -> None:
        self.size = 0
        self.version = 0
        """A version number that changes with every change of a column."""
        self._kinds: dict[str, int] = {}
        self._columns: dict[str, Any] = {name: np.zeros(0, t) for name, t in _COLUMNS.items()}
        self._masks: dict[tuple[object, ...], Any] = {}

    def __getitem__(self, column: str) -> Any:
        return self._columns[column][: self.size]

    @property
    def last(self) -> int:
        """Return the id of the newest passage ever read."""
        return int(self["id"][-1]) if self.size else 0

    def extend(self, db: Connection) -> list[int]:
        """Append the new passages; return their ids."""
        found = db.execute(_SELECT, (self.last,)).fetchall()
        if not found:
            return []
        start, end = self.size, self.size + len(found)
        if end > len(self._columns["id"]):
            room = end + end // 4 - start
            for name, kept in self._columns.items():
                self._columns[name] = np.concatenate([kept[:start], np.zeros(room, kept.dtype)])
        ids, kinds, *others = zip(*map(tuple, found), strict=True)
        self._columns["id"][start:end] = ids
        self._columns["kind"][start:end] = [
            self._kinds.setdefault(kind, len(self._kinds)) for kind in kinds
        ]
        names = ("date", "privacy", "expires", "message", "valid", "embedded")
        for name, values in zip(names, others, strict=True):
            self._columns[name][start:end] = values
        self._columns["alive"][start:end] = True
        self.size = end
        self._changed()
        return list(ids)

    def places(self, ids: Sequence[int]) -> Any:
        """Return the positions of these passages; unknown ones are left out."""
        wanted = np.asarray(ids, np.int64)
        if not self.size:
            return np.zeros(0, np.int64)
        at = np.minimum(np.searchsorted(self["id"], wanted), self.size - 1)
        return at[self["id"][at] == wanted]

    def change(self, column: str, places: Any, value: bool) -> None:
        """Set one of `alive`, `valid` and `embedded`."""
        self._columns[column][places] = value
        self._changed()

    def _changed(self) -> None:
        self.version += 1
        self._masks.clear()

    def mask(self, question: Question) -> Any:
        """Return a mask of the passages that the question's filter admits, like `Question.where` in
        SQL."""
        key = (
            question.today,
            question.filter,
            question.since,
            question.until,
            question.kinds,
            question.private,
        )
        if key not in self._masks:
            if len(self._masks) > 8:
                self._masks.clear()
            self._masks[key] = self._admitted(question)
        mask = self._masks[key]
        if not question.without_messages:
            return mask
        # They differ between queries and are mostly recent: check the few passages one by one.
        left_out = list(question.without_messages)
        late = np.flatnonzero(self["message"] >= min(left_out))
        mask = mask.copy()
        mask[late[np.isin(self["message"][late], left_out)]] = False
        return mask

    def _admitted(self, question: Question) -> Any:
        def day(of: object) -> int:
            return int(str(of).replace("-", ""))

        mask = self["valid"] & self["alive"] & (self["expires"] > day(question.today))
        mask &= self["privacy"] <= (1 if question.private else 0)
        message = self._kinds.get("message", -1)
        if question.filter == "conversations":
            mask &= self["kind"] == message
        elif question.filter == "knowledge":
            mask &= self["kind"] != message
        if question.since is not None:
            mask &= self["date"] >= day(question.since)
        if question.until is not None:
            mask &= (self["date"] <= day(question.until)) & (self["date"] > 0)
        if question.kinds:
            mask &= np.isin(self["kind"], [self._kinds.get(kind, -1) for kind in question.kinds])
        return mask
