"""The context of hits: adjacent messages, and the source messages of lines."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from ..log import Log, Message
from ..log.messages import Messages
from ..notes.markdown import lines, plain
from ..search import Hit
from ..text.catalogue import tr
from ..text.humanize import clipped, one_line
from ..text.sanitize import LONGEST_NAME, disarm, own_part, skeleton
from ..text.secrets import mask


class Around(NamedTuple):
    """The messages next to a hit, in its session; None if there is none to show."""

    before: Message | None = None
    after: Message | None = None

    def lines(self, longest: int, owner: str = "User") -> list[str]:
        """`before: User: …` and `after: Sam: …`, each text of `longest` characters at most."""
        return [
            f"{place}: {line(message, longest, owner)}"
            for place, message in ((tr("before"), self.before), (tr("after"), self.after))
            if message is not None
        ]


ALONE = Around()
"""The context of a hit without neighbours."""


async def around(
    hits: Sequence[Hit], messages: Messages, shown: Collection[int] = ()
) -> dict[int, Around]:
    """Return the context of the hits on messages, by `chunk_id`, read with one query.

    A message is context of at most one hit, the best one, and of none if it is already shown as a
    hit or in `shown`.
    """
    said = {hit.chunk_id: hit.message_ids[0] for hit in hits if hit.is_message}
    if not said:
        return {}
    near = await messages.around(said.values())
    taken = {*shown, *said.values()}
    found = {}
    for chunk_id, id_ in said.items():
        both = []
        for message in near.get(id_, (None, None)):
            fresh = message is not None and message.id not in taken
            both.append(message if fresh else None)
            taken |= {message.id} if message is not None else set()
        found[chunk_id] = Around(*both)
    return found


def messages_of(around: Mapping[int, Around]) -> Iterable[Message]:
    """Return the messages of all those contexts."""
    return [message for both in around.values() for message in both if message is not None]


def line(message: Message, longest: int, owner: str = "User") -> str:
    """Return speaker and text on one line, secrets masked, without what the owner quotes from
    others."""
    text = message.text
    if message.origin == "owner":
        text = own_part(text).strip() or text
    return f"{speaker(message, owner)}: {clipped(one_line(mask(text)), longest)}"


def speaker(message: Message, owner: str = "User") -> str:
    """Return the speaker's name: `owner` for the owner, with a remark on what they passed on, or
    the name of somebody else, as of a member of a group or in an imported chat. Without `owner`,
    as in a group, the owner is named, too."""
    if message.role == "assistant":
        return "Sam"
    if message.origin == "other":
        return name_of_another(message.author, message.origin, owner)
    own = owner or _name(message.author) or tr("Somebody")
    return own if message.origin == "owner" else f"{own} ({message.origin})"


def name_of_another(author: str, origin: str, owner: str = "User") -> str:
    """Return the name of somebody who is not the owner, on one line; with the origin of the
    message if it looks like the owner's or Sam's: people choose their names."""
    name = _name(author) or tr("Somebody else")
    is_taken = skeleton(name) in {skeleton(taken) for taken in ("Sam", "User", owner)}
    return f"{name} ({origin})" if is_taken else name


def _name(author: str) -> str:
    return clipped(one_line(disarm(author)), LONGEST_NAME)


_FACTS = ("fact", "rule")


async def with_sources(hits: Sequence[Hit], source: Log) -> list[Hit]:
    """Return the hits, adding the ids of the source messages to those of summaries and facts."""
    by_path: dict[str, dict[str, tuple[int, ...]]] = {}
    for path, kind in {(hit.path, hit.kind) for hit in hits}:
        if kind == "summary":
            of_day = await source.batches.sources_of(path)
            by_path[path] = {plain(line): ids for line, ids in of_day.items()}
        elif kind in _FACTS:
            rows = (await source.facts.of_path(path)).values()
            by_path[path] = {plain(row.text): row.sources for row in rows}
    return [
        hit._replace(message_ids=_ids(hit, by_path[hit.path])) if hit.path in by_path else hit
        for hit in hits
    ]


def _ids(hit: Hit, by_line: Mapping[str, tuple[int, ...]]) -> tuple[int, ...]:
    rows = (row.removeprefix("- ") for row in lines(hit.text))
    return tuple(sorted({id_ for row in rows for id_ in by_line.get(row, ())}))
