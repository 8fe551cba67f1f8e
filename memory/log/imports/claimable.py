"""Select the pending messages that may be summarised now, of live or of imported chats."""

from __future__ import annotations

from datetime import datetime

from ...infra.clock import utc_text
from ...infra.sqlite import Connection, Row

IMPORTED = "import:"
"""The beginning of an imported chat's name: `import:whatsapp:<id>`."""
IMPORT = "import"
"""The reason of a run that summarises one batch of an imported chat instead of live chats."""


def claimable(
    db: Connection, now: datetime, *, force: bool = False, imported: bool = False, most: int = -1
) -> list[Row]:
    """Return id, chat and date of the pending messages of closed turns, oldest first.

    Chats in back-off after a failure are skipped, unless with `force`. Imported chats are handled
    separately, because thousands of their messages may be pending, and must not delay live chats.
    `most`: the limit, -1 for none.
    """
    return db.execute(
        "SELECT message.id, message.chat, message.sent_at"
        " FROM message JOIN turn ON turn.id = turn_id"
        " WHERE message.state = 'pending' AND turn.state != 'open'"
        " AND (substr(message.chat, 1, length(:prefix)) = :prefix) = :imported"
        " AND (:force OR message.chat NOT IN"
        " (SELECT chat FROM summary_retry WHERE retry_at > :now))"
        " ORDER BY message.id LIMIT :most",
        {
            "prefix": IMPORTED,
            "imported": imported,
            "force": force,
            "now": utc_text(now),
            "most": most,
        },
    ).fetchall()
