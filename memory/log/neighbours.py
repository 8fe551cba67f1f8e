"""What was said right before and after a message, in its session."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from ..infra.sqlite import Connection
from .models import Message, message_of

Neighbours = tuple[Message | None, Message | None]
"""The message before, and the one after; None where there is none."""

_REACH = 4  # messages on each side: as many turns as may be open at once
_SHOWN = (
    "near.session_id = at.session_id AND near.privacy = 'normal' AND near.state != 'forgotten'"
    " AND near.origin != 'recall' AND trim(near.text) != ''"
)
_AROUND = f"""
SELECT at.id AS hit, at.turn_id AS hit_turn, message.*
FROM json_each(:wanted) CROSS JOIN message AS at ON at.id = value
CROSS JOIN message ON message.id IN (
  SELECT id FROM (SELECT near.id FROM message AS near WHERE {_SHOWN} AND near.id < at.id
    ORDER BY near.id DESC LIMIT :reach)
  UNION ALL
  SELECT id FROM (SELECT near.id FROM message AS near WHERE {_SHOWN} AND near.id > at.id
    ORDER BY near.id LIMIT :reach))
"""

_Place = tuple[int, int, Message | None]  # turn, id, and the message; None for the one asked for


def neighbours(db: Connection, ids: Iterable[int]) -> dict[int, Neighbours]:
    """For each of those messages its neighbours in its session, of those that a model may be shown.

    By turn before id: an answer follows its question, whatever was logged in between. One query.
    """
    places: dict[int, list[_Place]] = {}
    given = {"wanted": json.dumps(list(ids)), "reach": _REACH}
    for row in db.execute(_AROUND, given).fetchall():
        found = places.setdefault(row["hit"], [(row["hit_turn"], row["hit"], None)])
        found.append((row["turn_id"], row["id"], message_of(row)))
    return {id_: _next_to(id_, found) for id_, found in places.items()}


def _next_to(id_: int, places: Sequence[_Place]) -> Neighbours:
    order = sorted(places, key=lambda place: place[:2])
    at = next(number for number, place in enumerate(order) if place[1] == id_)
    before = order[at - 1][2] if at else None
    return before, order[at + 1][2] if at + 1 < len(order) else None
