"""Dump a log as plain rows, and load them into an empty database with the same ids.

Forgotten, sealed and incognito messages are left out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...errors import TransferRefused
from ...infra.store import Connection, insert

Rows = dict[str, Any]

_KEPT = "state != 'forgotten' AND privacy != 'sealed' AND reason IS NOT 'incognito'"
_CLOSED = "batch IN (SELECT id FROM batch WHERE state = 'closed')"


@dataclass(frozen=True, slots=True)
class TableRows:
    """One list of rows: a table, its columns, the rows' condition and their order."""

    table: str
    columns: tuple[str, ...]
    where: str = "TRUE"
    order: str = "id"


PARTS = {
    "sessions": TableRows(
        "session",
        ("id", "chat", "started_at", "ended_at", "history_from", "path"),
        f"id IN (SELECT session_id FROM message WHERE {_KEPT})",
    ),
    "turns": TableRows(
        "turn",
        ("id", "session_id", "chat", "state", "reason", "opened_at", "closed_at"),
        f"id IN (SELECT turn_id FROM message WHERE {_KEPT})",
    ),
    "batches": TableRows(
        "batch",
        (
            *("id", "chat", "day", "reason", "claimed_at", "closed_at", "path", "text_hash"),
            *("mark", "unfounded", "facts_refused"),
        ),
        "state = 'closed'",
        order="rowid",
    ),
    "messages": TableRows(
        "message",
        (
            *("id", "key", "turn_id", "session_id", "role", "origin", "author", "privacy", "lang"),
            *("sent_at", "edited_at", "chat", "telegram_ids", "text", "state", "reason", "batch"),
            "outdated",
        ),
        _KEPT,
    ),
    "bullets": TableRows(
        "bullet",
        ("id", "batch", "path", "text_hash", "text", "sources", "privacy"),
        f"{_CLOSED} AND privacy != 'sealed'",
    ),
    "fact_rows": TableRows(
        "fact", ("id", "path", "line_hash", "text", "sources", "state", "changed_at"), order="rowid"
    ),
    "waiting_facts": TableRows(
        "candidate",
        (
            *("id", "batch", "category", "text", "sources", "day", "expires", "confidence"),
            *("action", "fact", "target", "doubtful"),
        ),
        _CLOSED,
    ),
    "saved_lines": TableRows("saved", ("name", "sources"), order="rowid"),
    "imports": TableRows(
        "import", ("id", "source", "name", "mark", "started_at", "ended_at", "announced")
    ),
    "imported_chats": TableRows(
        "import_chat",
        ("import", "chat", "title", "session_id"),
        f"session_id IN (SELECT session_id FROM message WHERE {_KEPT})",
        order="import, chat",
    ),
    "imported_notes": TableRows("import_note", ("import", "path", "hash"), order="import, path"),
    "forgotten": TableRows("tombstone", ("id", "at", "text_hash", "cause")),
}
"""The lists by name, in an order in which they can be loaded (foreign keys)."""
_JSON = ("telegram_ids", "sources")
_FLAGS = ("outdated", "doubtful")  # older exports lack them


def read(db: Connection, name: str) -> Iterator[Rows]:
    """Yield the rows of one list, with JSON columns and flags decoded."""
    part = PARTS[name]
    chosen = f"FROM {part.table} WHERE {part.where} ORDER BY {part.order}"
    sql = f"SELECT {', '.join(part.columns)} {chosen}"
    for row in db.execute(sql):
        found = dict(row)
        for column in _JSON:
            if column in found:
                found[column] = json.loads(found[column])
        for column in _FLAGS:
            if column in found:
                found[column] = bool(found[column])
        if found.get("state") in ("claimed", "written"):
            # Its summary is in progress, and will be made again.
            found |= {"state": "pending", "batch": None, "outdated": False}
        yield found


def write(
    db: Connection,
    rows: Callable[[str], Iterator[Mapping[str, Any]]],
    next_change: Callable[[Connection], int],
) -> int:
    """Write all lists into an empty log, in one transaction of the caller's; return the number of
    messages. `next_change` returns the values of `message.changed`. A log that has exactly these
    messages, or without any these facts, is left as it is: an earlier run was ended after it had
    written them. Raises TransferRefused if the log has others, or a row does not fit.
    """
    if db.execute("SELECT 1 FROM session UNION ALL SELECT 1 FROM fact").fetchone():
        count = _there(db, "messages", rows, ("id", "text", "sent_at"))
        if count or (count == 0 and _there(db, "fact_rows", rows, ("id",))):
            return count
        raise TransferRefused(
            "This Sam has conversations already: an export goes into an empty one (another"
            " DATA_DIR and VAULT_DIR), a backup back by `sam restore`."
        )
    messages = 0
    for name, part in PARTS.items():
        for number, row in enumerate(rows(name), 1):
            try:
                _insert(db, part, row, next_change)
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                raise TransferRefused(f"{name}, row {number}, is damaged ({error}).") from error
            messages += name == "messages"
    db.execute(
        "UPDATE batch SET size = (SELECT count(*) FROM message WHERE message.batch = batch.id)"
    )
    # A turn that was open at the time of the export is not answered here: nobody is waiting for it.
    db.execute("UPDATE turn SET state = 'stopped', closed_at = opened_at WHERE state = 'open'")
    return messages


def _there(
    db: Connection,
    name: str,
    rows: Callable[[str], Iterator[Mapping[str, Any]]],
    columns: tuple[str, ...],
) -> int | None:
    """Return the number of rows of a list if the log has these and no others, else None."""
    part, count = PARTS[name], 0
    equal = " AND ".join(f"{column} = ?" for column in columns)
    for row in rows(name):
        given = tuple(row.get(column) for column in columns)
        if not db.execute(f"SELECT 1 FROM {part.table} WHERE {equal}", given).fetchone():
            return None
        count += 1
    counted = db.execute(f"SELECT count(*) AS n FROM {part.table} WHERE {part.where}").fetchone()
    return count if counted["n"] == count else None


def _insert(
    db: Connection,
    part: TableRows,
    row: Mapping[str, Any],
    next_change: Callable[[Connection], int],
) -> None:
    values: Rows = {
        column: int(row.get(column, False)) if column in _FLAGS else row[column]
        for column in part.columns
    }
    for column in _JSON:
        if column in values:
            values[column] = json.dumps([int(each) for each in values[column]])
    if part.table == "batch":
        values["state"] = "closed"
    if part.table == "message":
        values["changed"] = next_change(db)
    insert(db, part.table, **values)
