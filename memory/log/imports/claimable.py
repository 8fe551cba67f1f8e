"""Select the pending messages that may be summarised now, of live or of imported chats."""

from __future__ import annotations

from datetime import datetime, timedelta

from ...infra.clock import utc_text
from ...infra.store import Connection, Row

IMPORTED = "import:"
"""The beginning of an imported chat's name: `import:whatsapp:<id>`."""
IMPORT = "import"
"""The reason for a run that summarises one batch of an imported chat instead of live chats."""

LONGEST_WAIT = timedelta(hours=1)  # of a chat, after a failure
ALL = 2**62
"""The limit that is none."""

_NOT_IN_BULK = (
    " AND (bulk_item.answer IS NOT NULL OR (bulk_item.id IS NULL AND message.session_id NOT IN"
    " (SELECT session_id FROM import_chat JOIN import ON import.id = import_chat.import"
    " WHERE import.bulk = 1)))"
)
"""An SQL condition: messages ordered in bulk only if their answer has arrived."""
_WITH_ITEM = (
    " LEFT JOIN bulk_message ON bulk_message.message = message.id"
    " LEFT JOIN bulk_item ON bulk_item.id = bulk_message.item"
)


def claimable(
    db: Connection, now: datetime, *, force: bool = False, imported: bool = False, most: int = ALL
) -> list[Row]:
    """Return the id, chat, date and bulk-order item of the pending messages of closed turns, oldest
    first.

    Chats in back-off after a failure are skipped, unless with `force`. Imported chats are handled
    separately, because thousands of their messages may be pending, and must not delay live chats.
    `most`: the limit.
    """
    item = "bulk_message.item" if imported else "NULL"
    return db.execute(
        f"SELECT message.id, message.chat, message.sent_at, {item} AS item"
        f" FROM message JOIN turn ON turn.id = turn_id{_WITH_ITEM if imported else ''}"
        " WHERE message.state = 'pending' AND turn.state != 'open'"
        f" AND {'' if imported else 'NOT '}(substr(message.chat, 1, length(:prefix)) = :prefix)"
        " AND (:force = 1 OR message.chat NOT IN"
        " (SELECT chat FROM summary_retry WHERE retry_at > :now AND retry_at <= :latest))"
        f"{_NOT_IN_BULK if imported else ''} ORDER BY message.id LIMIT :most",
        {
            "prefix": IMPORTED,
            "force": force,
            "now": utc_text(now),
            "latest": utc_text(now + LONGEST_WAIT),  # later ones are of a clock that was wrong
            "most": most,
        },
    ).fetchall()
