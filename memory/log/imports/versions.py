"""Look up which logged messages are versions of imported ones, a portion at a time.

Different messages may have the same key. All but the first of them are logged with a key made from
it and from their texts.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, ClassVar, Protocol, TypeVar

from ...infra.clock import utc_text
from ...infra.store import Connection, Row


class Keyed(Protocol):
    """The fields of a message to log that this module needs."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def key(self) -> str: ...

    @property
    def chat(self) -> str: ...

    @property
    def text(self) -> str: ...

    @property
    def sent_at(self) -> datetime: ...

    @property
    def edited_at(self) -> datetime | None: ...


SaidT = TypeVar("SaidT", bound=Keyed)


@dataclass(frozen=True, slots=True)
class LoggedVersion:
    """A logged message with a key or one made from it. `is_here`: it belongs to this import."""

    key: str
    text: str
    sent_at: str
    edited_at: str | None
    state: str
    is_here: bool


def logged_versions(
    db: Connection, import_id: int | None, keys: Sequence[str]
) -> dict[str, dict[str, LoggedVersion]]:
    """Map each of these keys to the logged messages that have it or one made from it, by key.

    One statement for all keys, and one more for each key that others were made from.
    """
    found: dict[str, dict[str, LoggedVersion]] = {key: {} for key in keys}
    # Subqueries that ask for an order: for a join, or for `key = asked`, PostgreSQL may read all
    # messages of a tenant that it has no statistics of, once for each key.
    columns = ", ".join(
        f"(SELECT {column} FROM message WHERE key BETWEEN asked AND asked ORDER BY key LIMIT 1)"
        f" AS {name}"
        for name, column in _COLUMNS.items()
    )
    rows = db.execute(
        f"SELECT asked, {columns}, (SELECT min(key) FROM message WHERE key > asked || '.'"
        " AND key < asked || '/') AS made"
        " FROM (SELECT value AS asked FROM json_each(:keys, '$')) AS listed",
        {"import": import_id, "keys": json.dumps(list(found))},
    ).fetchall()
    for row in rows:
        if row["key"] is not None:
            found[row["asked"]][row["key"]] = _version(row)
        if row["made"] is not None:
            made = _made_from(db, import_id, row["asked"])
            found[row["asked"]] |= {each.key: each for each in made}
    return found


_COLUMNS = {each: each for each in ("key", "text", "sent_at", "edited_at", "state")} | {
    "is_here": "CASE WHEN session_id IN (SELECT session_id FROM import_chat WHERE import = :import)"
    " THEN 1 ELSE 0 END"
}


def _made_from(db: Connection, import_id: int | None, key: str) -> list[LoggedVersion]:
    columns = ", ".join(f"{column} AS {name}" for name, column in _COLUMNS.items())
    rows = db.execute(
        f"SELECT {columns} FROM message"
        " WHERE key > :above AND key < :below AND length(key) = :size",
        {
            **{"import": import_id, "above": f"{key}.", "below": f"{key}/"},
            "size": len(_own_key(key, "")),
        },
    ).fetchall()
    return [_version(row) for row in rows]


def _version(row: Row) -> LoggedVersion:
    return LoggedVersion(*(row[name] for name in _COLUMNS))


def _own_key(key: str, text: str) -> str:
    """Return the key of another message that a file gives this key too."""
    return f"{key}.{hashlib.sha256(text.encode()).hexdigest()[:24]}"


def distinct(versions: Mapping[str, LoggedVersion], said: SaidT) -> SaidT:
    """Return the message with the key of the logged one that it is a version of; with a key of its
    own if only different messages have its key.

    With different texts they are different messages if, in one import, their times differ or
    neither was edited; in two imports, if their times differ and neither was edited: an edit may
    change the time, and a later version of Sam may read another text from the same file. Of several
    that it may be a version of, it is that of its time; of several of its time, none is edited.
    """
    at = utc_text(said.sent_at)

    def is_other(row: LoggedVersion) -> bool:
        unedited = row.edited_at is None and said.edited_at is None
        if row.text == said.text or row.state == "forgotten":
            return False
        if row.sent_at != at:
            return unedited or row.is_here
        return unedited and row.is_here

    same = [row for row in versions.values() if not is_other(row)]
    same = [row for row in same if row.sent_at == at] or same
    if not versions:
        return said
    own = _own_key(said.key, said.text)
    is_unclear = len(same) > 1 and said.edited_at is not None  # which one an edit would change
    is_own = not same or is_unclear or own in versions
    return replace(said, key=own if is_own else same[0].key)
