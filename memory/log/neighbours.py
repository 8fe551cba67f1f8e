"""A message's neighbours: the ones around it, and what its owner said next."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from ..infra.store import Connection
from .models import Message, message_of

Neighbours = tuple[Message | None, Message | None]
"""The previous and the next message; None if there is none."""

_REACH = 4  # messages on each side: the maximum of concurrently open turns
_SHOWN = (
    "near.session_id = at.session_id AND near.privacy = 'normal' AND near.state != 'forgotten'"
    " AND near.origin != 'recall' AND near.reason IS NOT 'command' AND trim(near.text) != ''"
)
_STEPS = ", ".join(
    f"(SELECT near.id FROM message AS near WHERE {_SHOWN} AND near.id {side}"
    f" LIMIT 1 OFFSET {number})"
    for side in ("< at.id ORDER BY near.id DESC", "> at.id ORDER BY near.id")
    for number in range(_REACH)
)
# In a join, PostgreSQL would look for the steps of each pair of messages.
_AROUND = f"""
SELECT at.id, at.turn_id, {_STEPS} FROM message AS at
WHERE at.id IN (SELECT value FROM json_each(?))
"""
_THESE = "SELECT * FROM message WHERE id IN (SELECT value FROM json_each(?))"
_NEXT_OF_OWNER = (
    "SELECT * FROM message WHERE session_id = ? AND id > ? AND origin = 'owner'"
    " AND privacy = 'normal' AND text != '' ORDER BY id LIMIT ?"
)

_Place = tuple[int, int, Message | None]  # turn, id, and the message; None for the one asked for


def neighbours(db: Connection, ids: Iterable[int]) -> dict[int, Neighbours]:
    """Return the neighbours of each message in its session, among those that a model may see.

    Ordered by turn, then id: an answer follows its question. Two queries.
    """
    hits = [tuple(row) for row in db.execute(_AROUND, (json.dumps(list(ids)),)).fetchall()]
    near = {step for _, _, *steps in hits for step in steps if step is not None}
    rows = {row["id"]: row for row in db.execute(_THESE, (json.dumps(list(near)),)).fetchall()}
    places: dict[int, list[_Place]] = {}
    for hit, turn, *steps in hits:
        found = places.setdefault(hit, [(turn, hit, None)])
        for row in (rows[step] for step in steps if step is not None):
            found.append((row["turn_id"], row["id"], message_of(row)))
    return {id_: _next_to(id_, found) for id_, found in places.items() if len(found) > 1}


def _next_to(id_: int, places: Sequence[_Place]) -> Neighbours:
    order = sorted(places, key=lambda place: place[:2])
    at = next(number for number, place in enumerate(order) if place[1] == id_)
    before = order[at - 1][2] if at else None
    return before, order[at + 1][2] if at + 1 < len(order) else None


def next_of_owner(
    db: Connection, ids: Iterable[int], most: int
) -> dict[int, tuple[Message, list[Message]]]:
    """Return for each of those messages that exist: the message, and up to `most` of the owner's
    next ones in its session, except private ones, in order."""
    rows = db.execute(_THESE, (json.dumps(list(ids)),)).fetchall()
    return {
        row["id"]: (message_of(row), _next(db, row["session_id"], row["id"], most)) for row in rows
    }


def _next(db: Connection, session: int, after: int, most: int) -> list[Message]:
    found = db.execute(_NEXT_OF_OWNER, (session, after, most)).fetchall()
    return [message_of(row) for row in found]
