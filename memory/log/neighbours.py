"""A message's neighbours: the ones around it, and what its owner said next."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from ..infra.store import Connection
from .models import MESSAGE_COLUMNS, Message, message_of

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
_THESE = f"SELECT {MESSAGE_COLUMNS} FROM message WHERE id IN (SELECT value FROM json_each(?))"
_NEXT = (
    "(SELECT next.id FROM message AS next WHERE next.session_id = at.session_id AND next.id > at.id"
    " AND next.origin = 'owner' AND next.privacy = 'normal' AND next.text != ''"
    " ORDER BY next.id LIMIT 1 OFFSET {number})"
)

_Place = tuple[int, int, Message | None]  # turn, id, and the message; None for the one asked for


def neighbours(db: Connection, ids: Iterable[int]) -> dict[int, Neighbours]:
    """Return the neighbours of each message in its session, among those that a model may see.

    Ordered by turn, then id: an answer follows its question. Two queries.
    """
    hits = [tuple(row) for row in db.execute(_AROUND, (json.dumps(list(ids)),)).fetchall()]
    rows = _these(db, (step for _, _, *steps in hits for step in steps if step is not None))
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
    next ones in its session, except private ones, in order. Two queries."""
    steps = ", ".join(_NEXT.format(number=number) for number in range(most))
    found = db.execute(
        f"SELECT at.id, {steps} FROM message AS at WHERE at.id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(ids)),),
    ).fetchall()
    rows = _these(db, (step for row in found for step in tuple(row) if step is not None))
    first_and_next = ([message_of(rows[id_]) for id_ in row if id_ is not None] for row in found)
    return {first.id: (first, following) for first, *following in first_and_next}


def _these(db: Connection, ids: Iterable[int]) -> dict[int, Any]:
    """Return the rows of those messages, by id."""
    found = db.execute(_THESE, (json.dumps(sorted(set(ids))),)).fetchall()
    return {row["id"]: row for row in found}
